"""What is chosen, measured and spent on the way to a model; sensitivities by brute force."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.gaussian_noise import gaussian_budget
from core.methods.randomness import STEPS
from core.privacy import Neighbours
from core.privbayes.encoding import encoding
from core.privbayes.rehearsal import rehearse
from core.privbayes.settings import GROWN, RECIPES, Exact, Settings
from core.privbayes.synthesis import memory_of, plain_network, synthesise
from core.synthesis import ways
from core.synthesis.adaptive import CELLS, Growth
from core.synthesis.classes import fit_numbers
from core.synthesis.empirical import filtered
from core.synthesis.fitting import fitted
from core.synthesis.forecast import forecasts
from core.synthesis.measuring import Bench, Purse
from core.synthesis.ways import made
from core.table import Variable
from sources.study import sampled_study

ASIA = Rows(sampled_study("asia", None, records=2_000, seed=0).dataset)
CHILD = Rows(sampled_study("child", None, records=2_000, seed=0).dataset)
THREE = tuple(Variable(n, tuple("abc"[:s])) for n, s in (("x", 2), ("y", 3), ("z", 2)))


def source(codes):
    return Rows(Dataset(THREE, np.array(codes, dtype=int).reshape(-1, 3)))


def pair_scores(codes, neighbours):
    """Scores of all pairs against one fixed model, as the method computes them."""
    bench = Bench(source(codes), THREE, Purse(1.0, 0.0, neighbours), np.random.default_rng(0))
    model = fitted(THREE, {(i,): np.full(s, 1 / s) for i, s in enumerate((2, 3, 2))}, sweeps=1,
                   tolerance=1e-3)  # fmt: skip
    pairs = list(itertools.combinations(range(3), 2))
    return Growth(bench, None).scores(pairs, model, 7.4, 0.5)


RECORD = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 1))


@given(st.lists(RECORD, min_size=1, max_size=7), RECORD)
def test_one_record_moves_a_score_by_its_sensitivity_at_most(records, other):
    for neighbours, changed in (
        (Neighbours.ADD_REMOVE, [*records, other]),
        (Neighbours.REPLACE, [other, *records[1:]]),
    ):
        moved = pair_scores(records, neighbours) - pair_scores(changed, neighbours)
        assert np.abs(moved).max() <= neighbours.l1_sensitivity


def test_a_score_can_move_by_its_whole_sensitivity():
    few, more = [(0, 0, 0)] * 6, [(0, 0, 0)] * 7
    assert (
        np.abs(
            pair_scores(few, Neighbours.ADD_REMOVE) - pair_scores(more, Neighbours.ADD_REMOVE)
        ).max()
        == 1
    )
    changed = [(1, 2, 1), *few[1:]]
    whole = [[(0, 0, 0)] * 6, changed]
    moved = np.subtract(*(pair_scores(codes, Neighbours.REPLACE) for codes in whole))
    assert np.abs(moved).max() >= 1


@pytest.mark.parametrize("recipe", GROWN, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_way_spends_what_it_is_given_and_no_more(recipe, neighbours):
    rows = ASIA
    how = encoding("vanilla", rows.dataset.variables)
    settings = Settings(recipe=recipe, neighbours=neighbours, epsilon=2.0)
    found = synthesise(rows, how, settings, rng=np.random.default_rng(0))
    grown = found.grown
    total = gaussian_budget(2.0, 1e-6).rho if recipe.gaussian else 2.0
    spent = sum(grown.amounts) + grown.choices
    assert total * 0.999 < spent <= total * (1 + 1e-9)
    assert found.spending.total == pytest.approx(2.0, rel=1e-3)
    assert sum(found.costs) <= 2.0 + 1e-9
    rows = found.draw(rng=np.random.default_rng(1))
    assert rows.dataset.variables == ASIA.dataset.variables
    again = synthesise(ASIA, how, settings, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(again.model.values, found.model.values)


def test_nothing_is_measured_beyond_the_purse():
    bench = Bench(
        source([(0, 0, 0)]), THREE, Purse(1.0, 0.0, Neighbours.REPLACE), np.random.default_rng(0)
    )
    bench.measure([(0,)], [0.6])
    with pytest.raises(EquipoiseError, match="is left"):
        bench.measure([(1,), (2,)], [0.3, 0.3])
    with pytest.raises(EquipoiseError, match="is left"):
        bench.choose([(0, 1)], np.zeros(1, dtype=np.int64), 0.5)
    assert len(bench.tables) == 1


def test_much_budget_gives_tables_as_they_are():
    """With hardly any noise a tree and all pairs that fit leave little of the two-way error."""
    grown = made("adaptive", CHILD, CHILD.dataset.variables, Purse(1e4, 0.0, Neighbours.REPLACE),
                 rng=np.random.default_rng(0))  # fmt: skip
    assert grown.model.network.layout.size <= 2 * CELLS
    how = encoding("vanilla", CHILD.dataset.variables)
    own = Settings(recipe=RECIPES["equipoise-synthesis"], epsilon=1e4)
    found = synthesise(CHILD, how, own, rng=np.random.default_rng(0))
    pair = CHILD.dataset.variables[:2]
    drawn = found.draw(rng=np.random.default_rng(0)).counts([pair])[0].values
    assert np.abs(drawn - CHILD.counts([pair])[0].values).sum() < 0.02 * CHILD.records


def test_the_forecast_is_public_and_takes_views_for_few_states_only():
    purse = Purse(1.0, 1e-6, Neighbours.ADD_REMOVE)
    ways = {plan.way: plan for plan in forecasts(ASIA.dataset.variables, purse, 10_000)}
    assert set(ways) == {"independent", "tree", "adaptive", "views"}
    ways = {plan.way: plan for plan in forecasts(CHILD.dataset.variables, purse, 10_000)}
    assert "views" not in ways
    poor = Purse(1e-4, 0.0, Neighbours.ADD_REMOVE)
    plans = forecasts(CHILD.dataset.variables, poor, 1_000)
    assert min(plans, key=lambda plan: plan.error).way == "independent"


def test_views_of_many_states_are_refused_in_a_sentence():
    with pytest.raises(EquipoiseError, match="at most 2 states"):
        made("views", CHILD, CHILD.dataset.variables, Purse(1.0, 0.0, Neighbours.REPLACE),
             rng=np.random.default_rng(0))  # fmt: skip


def test_a_column_of_one_state_stays():
    variables = (*THREE, Variable("only", ("a",)))
    codes = np.random.default_rng(0).integers(0, [2, 3, 2, 1], (300, 4))
    grown = made("adaptive", Rows(Dataset(variables, codes)), variables,
                 Purse(5.0, 0.0, Neighbours.ADD_REMOVE), rng=np.random.default_rng(0))  # fmt: skip
    assert grown.model.network.variables == variables


def test_graphs_and_phases_that_are_not_there():
    how = encoding("vanilla", ASIA.dataset.variables)
    views = synthesise(ASIA, how, Settings(recipe=RECIPES["views"]), rng=np.random.default_rng(0))
    with pytest.raises(EquipoiseError, match="hidden classes"):
        plain_network(views)
    with pytest.raises(EquipoiseError, match="without noise"):
        Settings(recipe=RECIPES["adaptive"], exact=Exact.TABLES)


@pytest.mark.parametrize("gaussian", [True, False])
def test_a_filtered_table_is_nearer_than_a_clipped_one(gaussian):
    """A sparse table: its noise is taken off empty cells and not put on the others."""
    rng = np.random.default_rng(0)
    truth = np.diag(rng.integers(200, 2_000, 12)).astype(float)
    expected = np.outer(truth.sum(axis=1), truth.sum(axis=0)) / truth.sum()
    noise = rng.normal(0, 60, truth.shape) if gaussian else rng.laplace(0, 60 / 2**0.5, truth.shape)
    own = filtered(truth + noise, expected, 60.0, gaussian=gaussian)
    assert (own >= 0).all()
    clipped = np.maximum(truth + noise, 0)
    assert np.abs(own - truth).sum() < 0.5 * np.abs(clipped - truth).sum()
    np.testing.assert_array_equal(filtered(truth, expected, 0.0, gaussian=gaussian), truth)


def test_memory_stays_within_what_is_stated_before():
    how = encoding("vanilla", CHILD.dataset.variables)
    own = Settings(recipe=RECIPES["equipoise-synthesis-zcdp"], epsilon=20.0)
    tracemalloc.start()
    try:
        rng = np.random.default_rng(0)
        found = synthesise(CHILD, how, own, rng=rng)
        found.draw(rng=rng)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    stated = memory_of(how, own, CHILD.records)
    assert stated / 20 < most <= stated


def test_of_many_columns_too():
    """Every state given what cliques share is the larger part there."""
    rng = np.random.default_rng(1)
    hidden = rng.integers(0, 3, 1_000)
    columns = tuple(Variable(f"c{i}", ("a", "b", "c")) for i in range(40))
    codes = [np.where(rng.random(1_000) < 0.7, hidden, rng.integers(0, 3, 1_000)) for _ in columns]
    rows = Rows(Dataset(columns, np.stack(codes, axis=1)))
    own = Settings(recipe=RECIPES["adaptive-zcdp"], epsilon=0.3)
    tracemalloc.start()
    try:
        synthesise(rows, how := encoding("vanilla", columns), own, rng=rng).draw(rng=rng)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most <= memory_of(how, own, rows.records)
    assert memory_of(how, own, rows.records) < memory_of(how, own, 10 * rows.records)


def test_of_hidden_classes_too():
    columns = tuple(Variable(f"c{i}", ("a", "b")) for i in range(24))
    assert fit_numbers([2] * 24, 1_000) > 28 * 25 * 1_000  # the slope of each cell, at least
    rng = np.random.default_rng(2)
    rows = Rows(Dataset(columns, rng.integers(0, 2, (500, 24))))
    own, how = Settings(recipe=RECIPES["views"], epsilon=20.0), encoding("vanilla", columns)
    tracemalloc.start()
    try:
        synthesise(rows, how, own, rng=rng).draw(rng=rng)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most <= memory_of(how, own, rows.records)


@pytest.mark.parametrize("recipe", ["privbayes-plus", "adaptive", "adaptive-zcdp"])
@pytest.mark.parametrize("epsilon", [1e-9, 1e-45])
def test_hardly_any_budget_draws_a_bounded_number_of_records(recipe, epsilon, monkeypatch):
    """The noise in their number is then 10^11 and more."""
    monkeypatch.setattr(ways, "DRAWN", 3_000)
    own = Settings(recipe=RECIPES[recipe], epsilon=epsilon)
    for seed in range(3):
        found = rehearse(ASIA, encoding("vanilla", ASIA.dataset.variables), own, seed=seed)
        assert found.rows.records == found.synthesis.records <= 20_000
        assert all(np.isfinite(values).all() for values in found.errors.values())


def test_scores_end_where_noise_has_buried_everything():
    bench = Bench(source([(0, 0, 0)]), THREE, Purse(1e-30, 0.0, Neighbours.REPLACE),
                  np.random.default_rng(0))  # fmt: skip
    shares = {(i,): np.full(s, 1 / s) for i, s in enumerate((2, 3, 2))}
    model = fitted(THREE, shares, sweeps=1, tolerance=1e-3)
    growth, pairs = Growth(bench, None), list(itertools.combinations(range(3), 2))
    for records, noise in ((1e30, 0.0), (1e30, 1e30), (1.0, 1e30), (1e13, 1e5)):
        scores = growth.scores(pairs, model, records, noise)
        steps = scores.astype(np.int64) * STEPS
        np.testing.assert_array_equal(steps.astype(float), scores * STEPS)  # nothing wrapped round


def test_more_pairs_of_states_than_are_held_are_refused_before_anything_is_counted():
    columns = tuple(Variable(n, tuple(map(str, range(12_000)))) for n in "xy")
    rows = Rows(Dataset(columns, np.zeros((1, 2), dtype=int)))
    with pytest.raises(EquipoiseError, match="144,000,000 pairs of states"):
        made("best", rows, columns, Purse(1.0, 0.0, Neighbours.REPLACE), rng=None)


@pytest.mark.parametrize("states", [["ab"], ["ab", "c"], ["a"]])
def test_fewer_than_two_columns_are_refused_with_a_way_out(states):
    columns = tuple(Variable(f"c{i}", tuple(own)) for i, own in enumerate(states))
    rows = Rows(Dataset(columns, np.zeros((10, len(columns)), dtype=int)))
    with pytest.raises(EquipoiseError, match="at least two; add a column, or release a single one"):
        made("best", rows, columns, Purse(1.0, 0.0, Neighbours.REPLACE),
             rng=np.random.default_rng(0))  # fmt: skip
