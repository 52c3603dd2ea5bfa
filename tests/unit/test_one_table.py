"""Family tables with unequal budgets: reconciled by exact least squares, and forecast by it."""

import numpy as np
import pytest

from core.methods.noise import discrete_laplace_variance
from core.methods.one_table import (
    family_plan,
    forecast_one_table,
    forecast_tables,
    one_table,
    privbayes_tables,
)
from core.options import Options
from core.scenario import Scenario
from sources.study import sampled_study

STUDY = sampled_study("figure-one", None, records=500, seed=0)
NETWORK = STUDY.network
FIRST = NETWORK.variables[0].name
UNEQUAL = Scenario(epsilon=0.7, replicates=3, options=Options(weights=((FIRST, 4.0),)))


def design():
    """Every cell of every family's table as a sum over the joint table's."""
    sizes = [len(v.states) for v in NETWORK.variables]
    joint = np.indices(sizes).reshape(len(sizes), -1)
    rows = []
    for family in NETWORK.families:
        places = [NETWORK.variables.index(v) for v in family]
        for code in np.ndindex(*(sizes[p] for p in places)):
            rows.append(np.all([joint[p] == k for p, k in zip(places, code, strict=True)], axis=0))
    return np.array(rows, dtype=float)


def least_squares(plan):
    """The matrix that makes consistent tables of measured ones, inverse variances as ε²."""
    cells = [where.stop - where.start for where in NETWORK.layout.slices]
    weight, rows = np.repeat(plan.parts, cells), design()
    return rows @ np.linalg.pinv(weight[:, None] * rows) * weight


def test_unequal_budgets_are_reconciled_by_generalised_least_squares():
    made, raw = (
        method(NETWORK, STUDY.counts, UNEQUAL, rng=np.random.default_rng(5))
        for method in (one_table, privbayes_tables)
    )
    assert len(set(made.plan.parts.tolist())) > 1
    expected = raw.noisy @ least_squares(made.plan).T
    np.testing.assert_allclose(made.noisy, expected, atol=1e-8)
    even = raw.noisy @ least_squares(family_plan(NETWORK, Scenario(epsilon=0.7))).T
    assert np.abs(made.noisy - even).max() > 1e-3  # weights matter here


@pytest.mark.parametrize("scenario", [UNEQUAL, Scenario(epsilon=0.7)])
def test_forecasts_are_the_deviations_of_least_squares(scenario):
    plan = family_plan(NETWORK, scenario)
    measured = np.array([discrete_laplace_variance(b) for b in plan.scales])
    np.testing.assert_allclose(forecast_tables(NETWORK, plan), np.sqrt(measured))
    cells = [where.stop - where.start for where in NETWORK.layout.slices]
    variances = least_squares(plan) ** 2 @ np.repeat(measured, cells)
    found = np.repeat(forecast_one_table(NETWORK, plan), cells)
    np.testing.assert_allclose(found, np.sqrt(variances))


def test_the_plan_divides_epsilon_evenly_and_by_weight():
    even, plan = family_plan(NETWORK, Scenario(epsilon=0.7)), family_plan(NETWORK, UNEQUAL)
    nodes = len(NETWORK.variables)
    np.testing.assert_allclose(even.parts, 0.7 / nodes, rtol=1e-15)
    np.testing.assert_allclose(plan.parts[0] / plan.parts[1], 4.0)
    assert plan.parts.sum() == pytest.approx(0.7, rel=1e-12)
    assert plan.serving == tuple(range(nodes)) and plan.tables[0][-1] == FIRST
