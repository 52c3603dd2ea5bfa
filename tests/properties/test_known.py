"""Known tables and impossible cells: free, exact, and nothing changes without them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.knowledge import PublicTable, settled, tabled
from core.membership.bound import complexity_span
from core.methods.registry import METHODS
from core.network import Network
from core.options import Options
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth, node_errors
from core.table import Variable
from tests.properties.test_relabelling import records, reordered
from tests.strategies import SEEDS, networks, random_model

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]
EVEN = ("uniform", "one-table", "privbayes-tables", "mrf-naive", "cgm")
"""Methods that share ε evenly over families."""


def source(network, seed, size=200):
    return Rows(Dataset(network.variables, records(network, seed, size)))


def run(method, network, counts, **knobs):
    (release,) = rehearsals(method, network, counts, Scenario(**{"replicates": 3, **knobs}))
    return release


def table_of(model, i):
    return PublicTable(
        model.network.families[i], tuple(model.conditional(i).values.ravel().tolist())
    )


@st.composite
def informed(draw):
    """A network, some but not all of whose tables are known, and cells that are impossible."""
    network = draw(networks(least=2, most=5, most_states=3))
    rng = np.random.default_rng(draw(SEEDS))
    model = random_model(network, rng=rng, zeros=True)
    chosen = draw(st.permutations(range(len(network.names))))
    count = draw(st.integers(1, len(chosen) - 1))
    closed = (rng.random(network.layout.shapes[chosen[-1]]) < 0.5).astype(float)
    closed[..., rng.integers(closed.shape[-1])] = 1
    support = PublicTable(network.families[chosen[-1]], tuple(closed.ravel().tolist()))
    known = tuple(table_of(model, i) for i in chosen[:count])
    return network, Options(known=known, possible=(support,))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6, deadline=None)
@given(asked=informed(), seed=SEEDS)
def test_known_tables_are_free_exact_and_published_as_stated(method, asked, seed):
    network, options = asked
    counts = source(network, seed)
    release = run(method, network, counts, epsilon=0.5, options=options)
    truth = Truth.of(network, counts, options)
    errors = node_errors(truth, release.model)
    for one in options.known:
        place = network.position[one.name]
        own = release.model.values[:, network.layout.slices[place]]
        assert own.tobytes() == np.tile(one.on(network), (3, 1)).tobytes()
        assert not errors[:, place].any()
    for one in options.possible:
        own = release.model.values[:, network.layout.slices[network.position[one.name]]]
        assert not own[:, one.on(network) == 0].any()
    np.testing.assert_allclose(network.layout.row_totals(release.model.values), 1, atol=1e-9)
    if release.plan is None:
        return
    known = {one.name for one in options.known}
    assert release.plan.spent == pytest.approx(0.5, rel=1e-12)
    for name, part, table in zip(
        network.names, np.atleast_2d(release.plan.node_epsilon).T, release.plan.serving, strict=True
    ):
        assert (table < 0) == (name in known)
        assert bool((part > 0).all()) == (name not in known)
        if table >= 0:
            held = set(release.plan.tables[table])
            assert {name, *network.parents[network.position[name]]} <= held


@pytest.mark.parametrize("method", EVEN)
@settings(max_examples=15, deadline=None)
@given(asked=informed())
def test_the_others_share_what_a_known_table_leaves(method, asked):
    network, options = asked
    counts = source(network, 0, 20)
    plain = run(method, network, counts).plan.node_epsilon
    left = run(method, network, counts, options=options).plan.node_epsilon
    grown = len(network.names) / (len(network.names) - len(options.known))
    np.testing.assert_allclose(left[left > 0], grown * plain[left > 0], rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=6, deadline=None)
@given(asked=informed(), seed=SEEDS)
def test_without_noise_the_model_is_exact(method, asked, seed):
    network, options = asked
    counts = source(network, seed)
    release = run(method, network, counts, epsilon=math.inf, options=options)
    truth = Truth.of(network, counts, options)
    gap = network.layout.row_totals(np.abs(release.model.values - truth.model.values))
    np.testing.assert_allclose(gap[:, truth.seen], 0, atol=1e-9)


@pytest.mark.parametrize("method", [m for m in PRIVATE if not METHODS[m].needs_stage_one])
@settings(max_examples=6, deadline=None)
@given(asked=informed(), data=st.data())
def test_another_order_permutes_plan_and_statements(method, asked, data):
    network, options = asked
    order = data.draw(st.permutations(range(len(network.names))))
    turned = []
    for one in options.known:  # the parents in another order, too
        axes = data.draw(st.permutations(range(len(one.family) - 1)))
        axes = [*axes, len(one.family) - 1]
        values = np.array(one.cells).reshape([v.cardinality for v in one.family])
        cells = tuple(values.transpose(axes).ravel().tolist())
        turned.append(PublicTable(tuple(one.family[a] for a in axes), cells))
    codes = records(network, 0, size=5)
    plain = run(method, network, source(network, 0, 5), options=options)
    other = reordered(network, order)
    counts = Rows(replace(source(other, 0, 5).dataset, codes=codes[:, order]))
    moved = run(method, other, counts, options=replace(options, known=tuple(turned)))
    assert sorted(plain.plan.cells) == sorted(moved.plan.cells)
    np.testing.assert_allclose(sorted(plain.plan.parts), sorted(moved.plan.parts), rtol=1e-9)
    for one in options.known:
        where = (network.position[one.name], other.position[one.name])
        np.testing.assert_array_equal(
            plain.model.conditional(where[0]).values, moved.model.conditional(where[1]).values
        )


@settings(max_examples=40, deadline=None)
@given(asked=informed())
def test_only_what_is_measured_counts_for_the_bound(asked):
    network, options = asked
    part = tabled(network, options.known)
    known = {network.position[one.name] for one in options.known}
    rest = [c for i, c in enumerate(network.complexities) if i not in known]
    assert part.complexity == sum(rest)
    assert complexity_span(part) <= complexity_span(network)
    assert set(part.edges) == set(network.edges)


@settings(max_examples=40, deadline=None)
@given(asked=informed(), seed=SEEDS)
def test_conditioning_is_the_nearest_distribution_on_the_support(asked, seed):
    """By Kullback-Leibler divergence: no other distribution on the support is nearer."""
    network, options = asked
    rng = np.random.default_rng(seed)
    model = random_model(network, rng=rng)
    (support,) = options.possible
    found = settled(model.values.copy(), network, (), options.possible)
    place = network.position[support.name]
    states = network.variables[place].cardinality
    own, old = (v[network.layout.slices[place]].reshape(-1, states) for v in (found, model.values))
    marks = support.on(network).reshape(-1, states)
    rival = rng.standard_exponential(own.shape) * marks
    rival /= rival.sum(axis=1, keepdims=True)

    def divergence(q):
        return (q * np.log(np.where(q > 0, q, 1) / old)).sum(axis=1)

    assert (divergence(own) <= divergence(rival) + 1e-12).all()


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=5, deadline=None)
@given(network=networks(least=2, most=5, most_states=3), seed=SEEDS)
def test_stating_nothing_changes_no_number(method, network, seed):
    """Also where all is stated as possible: the plan and the noise are the same."""
    counts = source(network, seed)
    family = network.families[0]
    every = PublicTable(family, (1.0,) * math.prod(v.cardinality for v in family))
    plain = run(method, network, counts, epsilon=0.5)
    same = run(method, network, counts, epsilon=0.5, options=Options(possible=(every,)))
    np.testing.assert_allclose(plain.model.values, same.model.values, rtol=1e-12, atol=1e-300)


@settings(max_examples=20, deadline=None)
@given(asked=informed())
def test_a_locked_known_table_is_refused(asked):
    _, options = asked
    name = options.known[0].name
    for named in ({"floors": ((name, 0.1),)}, {"weights": ((name, 2.0),)}):
        with pytest.raises(EquipoiseError, match="takes no budget"):
            replace(options, **named)


@settings(max_examples=20, deadline=None)
@given(network=networks(least=2, most=4), seed=SEEDS)
def test_a_table_of_another_family_is_refused(network, seed):
    model = random_model(network, rng=np.random.default_rng(seed))
    child = next((i for i, p in enumerate(network.parents) if p), None)
    assume(child is not None)
    options = Options(known=(table_of(model, child),))
    name = network.names[child]
    cut = Network(
        network.variables, tuple(() if i == child else p for i, p in enumerate(network.parents))
    )
    with pytest.raises(EquipoiseError, match="state it for this family"):
        run("uniform", cut, source(cut, 0), options=options)
    assert options.within(cut).known == ()
    assert options.within(network).known[0].name == name


def test_every_table_known_is_refused():
    network = Network((Variable("a", ("x", "y")), Variable("b", ("x", "y"))), ((), ("a",)))
    model = random_model(network, rng=np.random.default_rng(0))
    options = Options(known=tuple(table_of(model, i) for i in range(len(network.names))))
    with pytest.raises(EquipoiseError, match="leave at least one"):
        run("uniform", network, source(network, 0), options=options)
