"""The best division of a Gaussian budget: against matrices, another solver, the closed form."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import minimize

from core.methods.design import agreed_design, merged_plan
from core.methods.dividing import divided_families, workload
from core.methods.equipoise import noise_variances
from core.network import Network
from core.options import Options
from core.scenario import Scenario
from core.table import Variable
from sources import networks
from tests import strategies


def sums(network, table):
    """One row for each cell of a table: the cells of all variables that it sums."""
    sizes = [v.cardinality for v in network.variables]
    codes = np.indices(sizes).reshape(len(sizes), -1)
    cell = np.ravel_multi_index([codes[j] for j in table], [sizes[j] for j in table])
    return (np.arange(math.prod(sizes[j] for j in table))[:, None] == cell).astype(float)


def dense_error(network, tables, shares, importance):
    """Weighted squared error of all families' cells by least squares over the joint table."""
    measured = [sums(network, table) for table in tables]
    information = sum(share * rows.T @ rows for share, rows in zip(shares, measured, strict=True))
    covariance = np.linalg.pinv(information)
    families = [sums(network, scope) for scope in network.scopes]
    each = [np.trace(rows @ covariance @ rows.T) for rows in families]
    return float(np.square(importance) @ each)


def closed_form(network):
    """(Σ sqrt(v_A p_A))² with every effect its own noise, as ResidualPlanner has it."""
    sizes = [v.cardinality for v in network.variables]
    matters = {}
    for scope in network.scopes:
        for order in range(len(scope) + 1):
            for subset in itertools.combinations(sorted(scope), order):
                rest = math.prod(sizes[j] ** 2 for j in scope if j not in subset)
                free = math.prod((sizes[j] - 1) / sizes[j] for j in subset)
                cells = math.prod(sizes[j] for j in scope)
                matters[subset] = matters.get(subset, 0.0) + cells * free / rest
    return (
        sum(
            math.sqrt(v * math.prod((sizes[j] - 1) / sizes[j] for j in subset))
            for subset, v in matters.items()
        )
        ** 2
    )


SMALL = Network(
    tuple(Variable(n, tuple("012"[:r])) for n, r in zip("abcde", (2, 3, 2, 3, 2), strict=True)),
    ((), ("a",), ("a", "b"), ("c",), ("c", "d")),
)
WEIGHTS = np.array([1.0, 2.0, 0.5, 1.0, 3.0])


def parts(network, weights):
    tables = [tuple(sorted(scope)) for scope in network.scopes]
    sizes = [v.cardinality for v in network.variables]
    return tables, workload(tables, sizes, weights)


def test_the_error_is_that_of_least_squares_by_matrices():
    tables, found = parts(SMALL, WEIGHTS)
    for seed in range(4):
        shares = np.random.default_rng(seed).dirichlet(np.ones(len(tables)))
        assert found.error(shares) == pytest.approx(dense_error(SMALL, tables, shares, WEIGHTS))


@pytest.mark.parametrize("weights", [np.ones(5), WEIGHTS])
def test_no_other_solver_finds_a_lower_error(weights):
    tables, found = parts(SMALL, weights)

    def error(logits):
        shares = np.exp(logits - logits.max())
        return math.log(found.error(shares / shares.sum()))

    other = minimize(error, np.zeros(len(tables)), method="Nelder-Mead", tol=1e-10,
                     options={"maxiter": 20_000, "maxfev": 20_000})  # fmt: skip
    best = found.best()
    assert best.sum() == pytest.approx(1) and (best > 0).all()
    assert found.error(best) == pytest.approx(math.exp(other.fun), rel=1e-4)
    assert found.error(best) <= math.exp(other.fun) * (1 + 1e-6)


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_families_come_close_to_the_least_error_that_effects_allow(name):
    network = networks.sample(name).network
    plan = divided_families(network, np.ones(len(network.families)))
    sizes = [v.cardinality for v in network.variables]
    families = [tuple(sorted(scope)) for scope in network.scopes]
    every = workload(list(dict.fromkeys(families)), sizes, np.ones(len(set(families))))
    shares = np.zeros(len(every.starts))
    own = plan.shares(np.zeros(len(network.families)))
    for table, share in zip(plan.tables, own, strict=True):
        shares[list(dict.fromkeys(families)).index(table)] = share
    least = closed_form(network)
    assert least * (1 - 1e-9) <= every.error(shares) < 1.12 * least


@given(strategies.networks(most=6))
def test_no_division_beats_the_closed_form_nor_an_even_one_the_best(network):
    tables = list(dict.fromkeys(tuple(sorted(scope)) for scope in network.scopes))
    sizes = [v.cardinality for v in network.variables]
    found = workload(tables, sizes, np.ones(len(tables)))
    even = np.full(len(tables), 1 / len(tables))
    assert found.error(found.best()) <= found.error(even) * (1 + 1e-9)
    if len(tables) == len(network.scopes):
        assert found.error(found.best()) >= closed_form(network) * (1 - 1e-9)


@given(strategies.networks(most=6))
def test_every_family_is_served_by_a_table_that_has_it(network):
    plan = divided_families(network, np.ones(len(network.families)))
    serving = plan.table_of(len(network.families))
    for scope, table in zip(network.scopes, serving, strict=True):
        assert set(scope) <= set(plan.tables[table])
    assert all(plan.serves) and min(plan.costs) > 0


def test_what_matters_more_and_what_is_locked_get_more():
    network = networks.sample("asia").network
    scenario = Scenario(epsilon=1.0)
    place = network.index("xray")

    def share(**options):
        designed = agreed_design(network, Options(**options))
        return merged_plan(network, designed, scenario, gaussian=True).node_epsilon[place]

    assert share(weights=(("xray", 4.0),)) > 1.5 * share()
    assert share(floors=(("xray", 0.5),)) >= 0.5 - 1e-9 > share()


def test_the_forecast_of_least_squares_is_that_of_the_workload():
    """Variances that the consistency pass expects add up to Σ v / q."""
    network = networks.sample("sachs").network
    designed = agreed_design(network)
    plan = merged_plan(network, designed, Scenario(epsilon=0.5), gaussian=True)
    variances = designed.consistency.variances(noise_variances(plan))
    cells = np.array([math.prod(r for _, r in axes) for axes in designed.ladder.tables])
    told = sum((variances * cells)[list(designed.ladder.families[: len(network.families)])])
    weight = {}
    for scope in network.scopes:
        key = tuple(sorted(scope))
        weight[key] = weight.get(key, 0) + 1
    tables = list(weight)
    sizes = [v.cardinality for v in network.variables]
    work = workload(tables, sizes, np.sqrt(list(weight.values())))
    precision = dict(zip(designed.merged.tables, 1 / noise_variances(plan), strict=True))
    assert told == pytest.approx(work.error(np.array([precision.get(t, 0.0) for t in tables])))
