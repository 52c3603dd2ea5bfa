"""Two ways through the consistency pass that must agree, and its small cases."""

import numpy as np
import pytest

from core.estimation import consistency, effects
from core.estimation.consistency import compile_plan
from core.estimation.effects import side_by_side
from sources import networks

WIDE = (
    ((0, 7), (1, 6), (2, 8)),  # 336 cells: beyond one dense matrix
    ((1, 6), (0, 7)),
    ((2, 8),),
    ((3, 3),),
)


def families(name):
    network = networks.sample(name).network
    return tuple(
        tuple((network.position[v.name], v.cardinality) for v in family)
        for family in network.families
    )


@pytest.mark.parametrize("axes", [WIDE, families("asia"), families("alarm")])
@pytest.mark.parametrize("given", ["compiled", "replicated"])
def test_adjusting_shared_effects_equals_rebuilding_all(axes, given):
    rng = np.random.default_rng(0)
    slices = side_by_side(axes)
    weights = rng.uniform(0.5, 2.0, len(axes))
    adjusting = compile_plan(axes, slices, weights)
    rebuilding = compile_plan(axes, slices, weights, (axes, slices))
    assert adjusting.wanted is adjusting.measured
    assert rebuilding.wanted is not rebuilding.measured
    flat = rng.normal(100, 10, (2, 3, slices[-1].stop))
    own = rng.uniform(0.5, 2.0, (2, 3, len(axes))) if given == "replicated" else None
    found = adjusting.apply(flat, own)
    np.testing.assert_allclose(found, rebuilding.apply(flat, own), rtol=1e-10)
    assert np.abs(found - flat).max() > 0.1


@pytest.mark.parametrize("dense", [0, 10**6])
def test_matrices_and_axes_give_the_same(dense, monkeypatch):
    slices = side_by_side(WIDE)
    flat = np.random.default_rng(1).normal(100, 10, (4, slices[-1].stop))
    usual = compile_plan(WIDE, slices, [1, 2, 3, 4]).apply(flat)
    for module in (consistency, effects):
        monkeypatch.setattr(module, "DENSE", dense)
    again = compile_plan(WIDE, slices, [1, 2, 3, 4]).apply(flat)
    np.testing.assert_allclose(again, usual, rtol=1e-10)


def test_one_table_is_left_alone():
    slices = side_by_side(WIDE[:1])
    flat = np.random.default_rng(2).normal(size=(2, slices[0].stop))
    np.testing.assert_array_equal(compile_plan(WIDE[:1], slices, [1.0]).apply(flat), flat)


def test_memory_order_does_not_matter():
    slices = side_by_side(WIDE)
    plan = compile_plan(WIDE, slices, [1, 2, 3, 4])
    flat = np.random.default_rng(3).normal(size=(5, slices[-1].stop))
    np.testing.assert_allclose(plan.apply(np.asfortranarray(flat)), plan.apply(flat), rtol=1e-12)
