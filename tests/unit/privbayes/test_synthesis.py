import dataclasses
import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.methods.method import packed_counts
from core.parameters import fit
from core.privacy import Neighbours
from core.privbayes import conditionals
from core.privbayes.attributes import Attribute
from core.privbayes.conditionals import nested_head, network_of, published_model
from core.privbayes.encoding import encoding
from core.privbayes.rules import Rules
from core.privbayes.scores import Score
from core.privbayes.settings import PLUS, PRIVBAYES, RECIPES, Exact, Settings, Spending
from core.privbayes.structure import Pair, Structure
from core.privbayes.synthesis import plain_network, synthesise
from core.table import Variable

ENCODINGS = ("vanilla", "hierarchical", "binary", "gray")


def noisy_chain(records=3000, sizes=(2, 5, 3, 8), seed=0):
    """Variables of which each follows the one before, most of the time."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, sizes[0], records)]
    for size in sizes[1:]:
        follow = (codes[-1] * 7 + 1) % size
        codes.append(np.where(rng.random(records) < 0.8, follow, rng.integers(0, size, records)))
    variables = tuple(
        Variable(f"v{i}", tuple(str(s) for s in range(size))) for i, size in enumerate(sizes)
    )
    return Rows(Dataset(variables, np.array(codes).T))


ROWS = noisy_chain()
BITS = noisy_chain(sizes=(2, 2, 2, 2, 2))


SEARCHED = [recipe for recipe in RECIPES.values() if not recipe.way]


def made(rows, name="vanilla", seed=0, **knobs):
    how = encoding(name, rows.dataset.variables, ordered={v.name for v in rows.dataset.variables})
    return synthesise(how.encode(rows), how, Settings(**knobs), rng=np.random.default_rng(seed))


@pytest.mark.parametrize("recipe", SEARCHED, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_recipe_gives_records_of_the_domain(recipe, neighbours, name):
    found = made(ROWS, name, recipe=recipe, neighbours=neighbours, epsilon=2.0)
    rows = found.draw(rng=np.random.default_rng(1))
    assert rows.dataset.variables == ROWS.dataset.variables
    assert rows.records == found.records
    assert found.spending.total == pytest.approx(2.0)
    order = [pair.child for pair in found.structure.pairs]
    for place, pair in enumerate(found.structure.pairs):
        assert {a for a, _ in pair.parents} <= set(order[:place])


@pytest.mark.parametrize("recipe", SEARCHED, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("neighbours", Neighbours)
def test_an_infinite_budget_gives_the_maximum_likelihood_model(recipe, neighbours):
    found = made(ROWS, recipe=recipe, neighbours=neighbours, epsilon=math.inf, degree=2)
    network = network_of(found.structure)
    counts = packed_counts(network, ROWS)
    seen = network.layout.row_totals(counts) > 0  # what stands in for the others is not specified
    for block in network.layout.blocks:
        own, exact = (
            network.layout.rows(values, block)[seen[block.rows]]
            for values in (found.model.values, fit(network, counts.copy()).values)
        )
        np.testing.assert_allclose(own, exact, atol=1e-9)
    assert found.records == ROWS.records


def test_an_exact_structure_is_the_greedy_one():
    """Chow and Liu's tree for one parent: every next edge has the largest information."""
    found = made(
        BITS,
        recipe=PRIVBAYES,
        score=Score.INFORMATION,
        neighbours=Neighbours.REPLACE,
        degree=1,
        exact=Exact.STRUCTURE,
        epsilon=1.0,
    )
    edges = {frozenset((p.child, p.parents[0][0])) for p in found.structure.pairs if p.parents}
    assert edges == {frozenset((i, i + 1)) for i in range(4)}


def test_the_same_seed_gives_the_same_synthesis_and_another_does_not():
    one, again, other = (made(ROWS, epsilon=0.5, seed=s) for s in (3, 3, 4))
    assert one.structure == again.structure
    assert (one.model.values == again.model.values).all()
    assert (
        one.model.values.shape != other.model.values.shape
        or (one.model.values != other.model.values).any()
    )


def test_renaming_states_does_not_change_what_is_learned():
    shown = tuple(
        Variable(f"{v.name}x", tuple(f"s{s}" for s in v.states)) for v in ROWS.dataset.variables
    )
    renamed = Rows(Dataset(shown, ROWS.dataset.codes))
    assert made(ROWS).structure.pairs == made(renamed).structure.pairs


def test_budgets_are_checked_before_anything_is_counted():
    class Refusing:
        records = 100

        def counts(self, families):
            raise AssertionError("counted before the budget was checked")

    how = encoding("vanilla", ROWS.dataset.variables)
    with pytest.raises(EquipoiseError, match="beta"):
        synthesise(Refusing(), how, Settings(split=1.5), rng=np.random.default_rng(0))
    with pytest.raises(EquipoiseError, match="add up to"):
        Spending(1.0, 0.0, 0.6, 0.6)
    with pytest.raises(EquipoiseError, match="part of the budget"):
        conditionals.noisy_tables(
            Refusing(),
            [ROWS.dataset.variables[:1]],
            np.array([-1.0]),
            Neighbours.REPLACE,
            rng=np.random.default_rng(0),
        )


def pairs(*families):
    return tuple(
        Pair(child, tuple((p, 0) for p in parents), 0.0, 0.0, 1.0, 1) for child, parents in families
    )


def test_the_first_tables_are_derived_only_where_they_nest():
    variables = BITS.dataset.variables
    a, b, c, _, _ = variables
    assert nested_head([(a,), (a, b), (a, b, c)], 2) == 2
    assert nested_head([(a,), (b,), (a, c), (a, b, c)], 2) == 0
    assert nested_head([(a,), (a, b)], 0) == 0


def test_algorithm_1_derives_the_first_conditionals_from_the_next_table():
    """With k = 2 the tables of the first two pairs are sums of the third's, before noise shows."""
    attributes = tuple(Attribute((v,)) for v in BITS.dataset.variables)
    structure = Structure(
        attributes, pairs((0, ()), (1, (0,)), (2, (0, 1)), (3, (1, 2)), (4, (2, 3))), degree=2
    )
    seen = []

    class Watching:
        records = BITS.records

        def counts(self, families):
            seen.extend(families)
            return BITS.counts(families)

    model = published_model(
        Watching(),
        structure,
        epsilon=0.5,
        neighbours=Neighbours.REPLACE,
        rng=np.random.default_rng(0),
    ).model
    assert [len(f) for f in seen] == [3, 3, 3]
    joint = conditionals.noisy_tables(
        BITS, seen, np.full(3, 0.5 / 3), Neighbours.REPLACE, rng=np.random.default_rng(0)
    )[0][0]
    joint = np.maximum(joint, 0)
    first = joint.sum(axis=(1, 2))
    np.testing.assert_allclose(model.conditional(0).values[0], first / first.sum())
    second = joint.sum(axis=2)
    np.testing.assert_allclose(
        model.conditional(1).values[0], second / second.sum(axis=1, keepdims=True)
    )


def test_without_useful_tables_nothing_is_spent_on_structure():
    few = noisy_chain(records=40)
    for recipe in SEARCHED:
        found = made(few, recipe=recipe, epsilon=0.2, neighbours=Neighbours.REPLACE)
        assert all(not pair.parents for pair in found.structure.pairs)
        assert found.spending.structure == 0
        assert found.spending.tables == pytest.approx(0.2)


def test_no_structure_is_chosen_when_it_is_predicted_to_be_better():
    """Wide, few records, small ε: public facts alone decide."""
    attributes = [Attribute((Variable(f"x{i}", tuple("abcd")),)) for i in range(40)]
    wide = Settings(epsilon=0.1, recipe=PLUS)
    assert Rules.of(attributes, wide, 5_000).degree == 0
    assert Rules.of(attributes, dataclasses.replace(wide, epsilon=10.0), 500_000).degree == 2


def test_records_are_counted_with_noise_only_where_they_are_private():
    assert made(ROWS, neighbours=Neighbours.REPLACE, epsilon=0.5).records == ROWS.records
    counted = {made(ROWS, epsilon=0.5, seed=s).records for s in range(6)}
    assert len(counted) > 1


def test_coarse_parents_are_deterministic_children_of_their_attribute():
    found = made(ROWS, "hierarchical", recipe=PRIVBAYES, epsilon=1.0, seed=2, theta=12.0)
    network = found.model.network
    coarse = [n for n in network.names if "level" in n]
    assert coarse
    for name in coarse:
        position = network.position[name]
        assert set(np.unique(found.model.conditional(position).values)) <= {0.0, 1.0}
    assert set(plain_network(found).names) == {v.name for v in ROWS.dataset.variables}


@pytest.mark.parametrize(
    ("rows", "knobs", "sentence"),
    [
        (noisy_chain(sizes=(2,)), {}, "there is 1 column to synthesise"),
        (ROWS, {"score": Score.PEAK}, "score F needs variables of two states and 'v1' has 5"),
        (ROWS, {"theta": 0.0}, "theta is 0; it must be positive"),
        (ROWS, {"degree": -1}, "the most parents are -1"),
        (ROWS, {"epsilon": -1.0}, "epsilon is -1"),
        (ROWS, {"score": Score.INFORMATION}, "score I grows with the number of records"),
    ],
)
def test_bad_requests_are_refused_in_a_sentence(rows, knobs, sentence):
    with pytest.raises(EquipoiseError, match=sentence):
        made(rows, **knobs)


def test_too_many_columns_and_states_are_refused():
    wide = [Attribute((Variable(f"x{i}", ("0", "1")),)) for i in range(500)]
    with pytest.raises(EquipoiseError, match="500 columns to synthesise"):
        Rules.of(wide, Settings(), 100)
    long = Attribute((Variable("id", tuple(str(i) for i in range(2000))),))
    with pytest.raises(EquipoiseError, match="'id' has 2,000 states; at most 1,000"):
        Rules.of([wide[0], long], Settings(), 100)


def test_a_constant_column_is_kept():
    variables = (*ROWS.dataset.variables, Variable("always", ("same",)))
    codes = np.column_stack([ROWS.dataset.codes, np.zeros(ROWS.records, dtype=int)])
    rows = Rows(Dataset(variables, codes))
    for name in ENCODINGS:
        for recipe in (*SEARCHED, RECIPES["equipoise-synthesis"]):
            drawn = made(rows, name, recipe=recipe).draw(rng=np.random.default_rng(0))
            assert drawn.dataset.variables[-1].states == ("same",)
