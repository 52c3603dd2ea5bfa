import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.privbayes.encoding import encoding, taxonomy_of
from core.recoding import Derivation
from core.table import Variable

WORK = Variable("work", ("federal", "private", "state", "without"))
TREE = {"government": ["federal", "state"], "other": ["private", "without"]}
AGE = Variable("age", tuple(str(i) for i in range(8)))


def test_gray_neighbours_differ_in_one_bit():
    how = encoding("gray", [AGE])
    rows = how.encode(Rows(Dataset((AGE,), np.arange(8)[:, None])))
    changed = np.abs(np.diff(rows.dataset.codes.astype(int), axis=0)).sum(axis=1)
    assert changed.tolist() == [1] * 7


def test_binary_bits_are_the_position_highest_first():
    how = encoding("binary", [AGE])
    rows = how.encode(Rows(Dataset((AGE,), np.array([[6]]))))
    assert rows.dataset.codes.tolist() == [[1, 1, 0]]
    assert rows.dataset.variables[0].name == "age (bit 1)"


def test_patterns_that_are_no_state_spread_over_states():
    five = Variable("five", tuple("abcde"))
    how = encoding("binary", [five])
    patterns = Rows(Dataset(how.backward[0].sources, np.array([[1, 0, 1], [1, 1, 1]])))
    assert how.decode(patterns).dataset.codes.ravel().tolist() == [1, 3]


def test_levels_of_an_ordered_variable_halve_it():
    (attribute,) = encoding("hierarchical", [AGE], ordered=["age"]).attributes
    assert [v.cardinality for v in attribute.levels] == [8, 4, 2]
    assert attribute.levels[1].states[0] == "0 to 1"
    assert attribute.maps[1] == (0, 0, 0, 0, 1, 1, 1, 1)


def test_levels_of_a_taxonomy_are_its_groups():
    taxonomies = {"work": taxonomy_of(TREE)}
    (attribute,) = encoding("hierarchical", [WORK], taxonomies=taxonomies).attributes
    assert attribute.levels[1].states == ("government", "other")
    assert attribute.maps == ((0, 1, 0, 1),)
    np.testing.assert_array_equal(attribute.generalisation(1), [[1, 0], [0, 1], [1, 0], [0, 1]])


def test_a_shallow_leaf_stays_itself_at_every_cut():
    tree = {"north": {"cold": ["a", "b"], "mild": ["c"]}, "south": ["d"]}
    variable = Variable("place", ("a", "b", "c", "d"))
    taxonomies = {"place": taxonomy_of(tree)}
    (attribute,) = encoding("hierarchical", [variable], taxonomies=taxonomies).attributes
    assert [v.cardinality for v in attribute.levels] == [4, 3, 2]
    assert attribute.maps == ((0, 0, 1, 2), (0, 0, 0, 1))


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ({"government": ["federal"]}, "the taxonomy of 'work' misses the state 'private'"),
        ({**TREE, "more": ["moon"]}, "the taxonomy of 'work' names 'moon'"),
        ({**TREE, "more": ["federal"]}, "names the state 'federal' twice"),
        ({"government": [1.0]}, "a taxonomy holds 1.0"),
    ],
)
def test_a_wrong_taxonomy_is_refused(tree, sentence):
    with pytest.raises(EquipoiseError, match=sentence):
        encoding("hierarchical", [WORK], taxonomies={"work": taxonomy_of(tree)})


def test_unknown_names_are_refused():
    with pytest.raises(EquipoiseError, match="no encoding 'ternary'"):
        encoding("ternary", [AGE])
    with pytest.raises(EquipoiseError, match="taxonomy of 'job' belongs to no column"):
        encoding("hierarchical", [WORK], taxonomies={"job": {}})
    with pytest.raises(EquipoiseError, match="gives 2 states for 8 settings"):
        Derivation(AGE, (AGE,), np.array([0, 1]))


def test_a_level_has_the_name_of_no_column():
    other = Variable("age (level 1)", ("no", "yes"))
    own = encoding("hierarchical", [AGE, other], ordered=["age"])
    names = [level.name for attribute in own.attributes for level in attribute.levels]
    assert len(set(names)) == len(names) and other.name in names
