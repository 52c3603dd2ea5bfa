"""Floors, weights and the prior: respected by every method, and nothing changes without them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.options import Options, lifted
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from tests.strategies import SEEDS, networks

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]


def source(network, seed, records=200):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(v.cardinality, size=records) for v in network.variables], 1)
    return Rows(Dataset(network.variables, codes))


def one(method, network, counts, **knobs):
    (release,) = rehearsals(method, network, counts, Scenario(**{"replicates": 3, **knobs}))
    return release


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=8), SEEDS)
def test_lifted_parts_keep_their_sum_and_reach_their_floors(parts, seed):
    rng = np.random.default_rng(seed)
    parts = np.array(parts)
    floors = rng.dirichlet(np.ones(len(parts) + 1))[:-1] * (rng.random(len(parts)) < 0.5)
    found = lifted(parts, floors)
    total = parts.sum()
    assert found.sum() == pytest.approx(total, rel=1e-12)
    assert (found >= floors * total * (1 - 1e-12)).all()
    free = found > floors * total * (1 + 1e-9)
    ratios = (found / parts)[free]
    if len(ratios):
        np.testing.assert_allclose(ratios, ratios[0], rtol=1e-9)  # the others keep their order


@given(st.integers(2, 6), st.integers(1, 4), SEEDS)
def test_lifted_replicates_equal_one_by_one(size, replicates, seed):
    rng = np.random.default_rng(seed)
    parts = rng.exponential(size=(replicates, size))
    floors = rng.dirichlet(np.ones(size + 1))[:-1]
    together = lifted(parts, floors)
    for row, expected in zip(parts, together, strict=True):
        np.testing.assert_allclose(lifted(row, floors), expected, rtol=1e-12)


@pytest.mark.parametrize("method", PRIVATE)
@settings(max_examples=15, deadline=None)
@given(network=networks(least=2, most=5), seed=SEEDS, data=st.data())
def test_floors_are_respected_and_the_sum_is_kept(method, network, seed, data):
    names = data.draw(st.lists(st.sampled_from(network.names), max_size=3, unique=True))
    floors = tuple((name, 0.9 / (len(names) + 1)) for name in names)
    weights = tuple((name, 3.0) for name in network.names[:2])
    options = Options(floors=floors, weights=weights)
    counts = source(network, seed)
    plan = one(method, network, counts, epsilon=0.7, options=options).plan
    plain = one(method, network, counts, epsilon=0.7).plan
    stage_two = 0.7 - plan.stage_one
    np.testing.assert_allclose(plan.parts.sum(axis=-1), stage_two, rtol=1e-12)
    np.testing.assert_allclose(plain.parts.sum(axis=-1), stage_two, rtol=1e-12)
    for name, floor in floors:
        part = plan.node_epsilon[..., network.position[name]]
        assert (part >= floor * stage_two * (1 - 1e-12)).all()


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(network=networks(most=5), seed=SEEDS)
def test_options_that_ask_for_nothing_change_nothing(method, network, seed):
    counts = source(network, seed)
    plain = one(method, network, counts)
    even = Options(weights=tuple((name, 1.0) for name in network.names))
    np.testing.assert_array_equal(
        plain.model.values, one(method, network, counts, options=even).model.values
    )


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(network=networks(most=5), seed=SEEDS)
def test_a_prior_without_noise_is_the_posterior_mean(method, network, seed):
    """(C + α) / (Σ C + r α) for every method when ε is infinite."""
    counts = source(network, seed)
    truth = Truth.of(network, counts)
    shifted = truth.counts + 2.5
    model = one(method, network, counts, epsilon=math.inf, options=Options(prior=2.5)).model
    for i, where in enumerate(network.layout.slices):
        rows = shifted[where].reshape(-1, network.layout.shapes[i][-1])
        expected = (rows / rows.sum(axis=-1, keepdims=True)).ravel()
        np.testing.assert_allclose(
            model.values[:, where], np.broadcast_to(expected, (3, expected.size)), atol=1e-9
        )


@pytest.mark.parametrize("method", PRIVATE)
def test_a_heavier_variable_gets_no_less(method):
    from sources.study import sampled_study

    study = sampled_study("sachs", None, records=2000, seed=0)
    options = Options(weights=(("PKC", 50.0),))
    place = study.network.position["PKC"]
    plain = one(method, study.network, study.counts).plan.node_epsilon[..., place]
    heavy = one(method, study.network, study.counts, options=options).plan.node_epsilon[..., place]
    assert (heavy > plain).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"prior": -1.0}, "prior is -1"),
        ({"prior": math.nan}, "prior is nan"),
        ({"floors": (("a", 1.0),)}, "floor of 'a' is 1"),
        ({"floors": (("a", 0.6), ("b", 0.4))}, "these locks ask for 100 %; keep them under 100 %"),
        ({"floors": (("a", 0.2), ("a", 0.2))}, "name 'a' twice"),
        ({"weights": (("a", 0.0),)}, "weight of 'a' is 0"),
    ],
)
def test_bad_options_are_refused(options, sentence):
    with pytest.raises(EquipoiseError, match=sentence):
        Options(**options)


@pytest.mark.parametrize("method", PRIVATE)
@pytest.mark.parametrize("which", ["floors", "weights"])
def test_an_unknown_name_is_refused_before_a_count_is_read(method, which):
    from tests.unit.test_methods import NETWORKS

    class Closed:
        records = 10

        def counts(self, families):
            raise AssertionError("counts were read")

    options = Options(**{which: (("nobody", 0.5),)})
    with pytest.raises(EquipoiseError, match="no variable 'nobody'"):
        one(method, NETWORKS["chain"], Closed(), options=options)
