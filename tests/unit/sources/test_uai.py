import itertools

import numpy as np
import pytest

from core.errors import EquipoiseError
from sources.foreign import read_uai
from sources.networks import read_network, sample

COLLIDER = """BAYES
3
2 3 2   # sizes
3
1 0
1 1
3 0 1 2 # the child last

2
 0.25 0.75
3
 0.5 0.25 0.25
12
 1.0 0.0   0.9 0.1   0.8 0.2
 0.3 0.7   0.2 0.8   0.1 0.9
"""


def test_the_last_variable_of_a_scope_varies_fastest():
    loaded = read_uai("c.uai", COLLIDER)
    assert loaded.network.parents == ((), (), ("var_0", "var_1"))
    assert loaded.network.variables[1].states == ("0", "1", "2")
    values = loaded.model.conditional(2).values
    assert values[0].tolist() == [[1, 0], [0.9, 0.1], [0.8, 0.2]]
    assert values[1].tolist() == [[0.3, 0.7], [0.2, 0.8], [0.1, 0.9]]


def written(model):
    """A UAI file, one number at a time as the format says."""
    network = model.network
    lines = ["BAYES", str(len(network.variables))]
    lines.append(" ".join(str(v.cardinality) for v in network.variables))
    lines.append(str(len(network.variables)))
    scopes = [(*network.parent_indices[i], i) for i in network.order]
    lines += [" ".join(map(str, (len(scope), *scope))) for scope in scopes]
    for scope in scopes:
        table = model.conditional(scope[-1]).values
        lines.append(str(table.size))
        settings = itertools.product(*(range(network.variables[i].cardinality) for i in scope))
        lines.append(" ".join(repr(float(table[setting])) for setting in settings))
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["asia", "child", "alarm"])
def test_a_written_network_reads_back(name):
    model = sample(name).model
    loaded = read_network("n.uai", written(model).encode())
    assert loaded.network.parent_indices == model.network.parent_indices
    assert np.array_equal(loaded.model.values, model.values)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("BAYES", "MARKOV", "line 1: found 'MARKOV'; only BAYES networks"),
        ("BAYES\n3", "BAYES\nthree", "line 2: 'three' is not the number of variables"),
        ("BAYES\n3", "BAYES\n999999", "a whole number up to 2,000"),
        ("2 3 2", "2 3 4000000", "c.uai, line 16: the file ends before the tables"),
        ("3 0 1 2", "3 0 1 3", "line 7: '3' is not a variable, a whole number up to 2"),
        ("1 1\n", "1 0\n", "line 6: every variable must be the last one of exactly one scope"),
        ("\n3\n1 0", "\n2\n1 0", "line 7: variable 2 has no table"),
        ("\n12\n", "\n11\n", "line 13: a table of 12 entries must stand here"),
        ("0.1 0.9\n", "0.1\n", "line 16: the file ends where 12 table entries must stand"),
        ("0.1 0.9\n", "0.1 0.9 5\n", "line 15: there is more text after the last table"),
        ("0.25 0.75", "0.25 x", "line 9: an entry of this table is not a number"),
        ("0.25 0.75", "0.25 0.7", "the probabilities of 'var_0' sum to 0.95"),
        ("3 0 1 2", "4 0 1 0 2", "line 7: '4' is not the size of a scope"),
        ("3 0 1 2", "3 0 0 2", "lists a parent twice"),
    ],
)
def test_bad_files_are_refused(old, new, words):
    assert COLLIDER.count(old) == 1
    with pytest.raises(EquipoiseError) as refused:
        read_uai("c.uai", COLLIDER.replace(old, new))
    assert words in str(refused.value) and str(refused.value).startswith("c.uai")


def test_six_digits_are_enough():
    text = COLLIDER.replace("0.5 0.25 0.25", "0.333333 0.333333 0.333333")
    values = read_network("c.uai", text.encode()).model.conditional(1).values
    assert values.tolist() == pytest.approx([1 / 3] * 3, abs=1e-15)
