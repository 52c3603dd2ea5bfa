import json

import pytest

from core.errors import EquipoiseError
from sources.cuts import bin_labels
from sources.schema import read_schema


def read(*columns):
    return read_schema("s.json", json.dumps({"columns": columns}).encode())


def test_states_and_bins_become_variables():
    schema = read(
        {"name": "smoker", "states": ["yes", "no"]},
        {"name": "age", "bins": [0, 18, 40.5, 120]},
        {"name": "dose", "bins": [-1, 0, 1e6], "labels": ["low", "high"]},
    )
    assert [v.name for v in schema.variables] == ["smoker", "age", "dose"]
    assert schema.by_name["smoker"].edges == ()
    assert schema.by_name["age"].variable.states == ("[0, 18)", "[18, 40.5)", "[40.5, 120]")
    assert schema.by_name["dose"].variable.states == ("low", "high")
    assert schema.by_name["dose"].edges == (-1, 0, 1e6)


def test_labels_of_close_edges_differ():
    assert len(set(bin_labels((1000000.1, 1000000.2, 1000000.3, 1000000.4)))) == 3


AGE = {"name": "age"}


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ([], "there is no list 'columns'"),
        (["age"], "entry 1 of 'columns' needs a 'name'"),
        ([{"name": 3}], "entry 1 of 'columns' needs a 'name'"),
        ([AGE], "column 'age': it needs either 'states' or 'bins'"),
        ([AGE | {"states": ["a"], "bins": [0, 1]}], "needs either 'states' or 'bins'"),
        ([AGE | {"states": ["a"], "type": "text"}], "the key 'type' is not known; name, states"),
        ([AGE | {"states": "ab"}], "column 'age': 'states' must be a list of texts"),
        ([AGE | {"states": [0, 1]}], "column 'age': 'states' must be a list of texts"),
        ([AGE | {"states": []}], "variable 'age' has no states"),
        ([AGE | {"states": ["a", "a"]}], "lists the state 'a' twice"),
        ([{"name": "", "states": ["a"]}], "empty name"),
        ([AGE | {"bins": [0]}], "must be at least two numbers"),
        ([AGE | {"bins": [0, 18, 18]}], "each larger than the one before"),
        ([AGE | {"bins": [18, 0]}], "each larger than the one before"),
        ([AGE | {"bins": ["0", "18"]}], "must be at least two numbers"),
        ([AGE | {"bins": [False, True]}], "must be at least two numbers"),
        ([AGE | {"bins": 3}], "must be at least two numbers"),
        ([AGE | {"bins": [0, 1, 2], "labels": ["a"]}], "has 2 bins and 1 labels"),
        ([AGE | {"states": ["a"]}, AGE | {"states": ["b"]}], "column 'age' is described twice"),
    ],
)
def test_bad_schemas_are_refused(columns, words):
    with pytest.raises(EquipoiseError) as refused:
        read(*columns)
    assert words in str(refused.value) and str(refused.value).startswith("s.json: ")


def test_infinite_edges_are_refused():
    with pytest.raises(EquipoiseError, match="must be at least two numbers"):
        read_schema("s.json", b'{"columns": [{"name": "age", "bins": [0, 1e999]}]}')
    with pytest.raises(EquipoiseError, match="the number Infinity is not allowed"):
        read_schema("s.json", b'{"columns": [{"name": "age", "bins": [0, Infinity]}]}')
