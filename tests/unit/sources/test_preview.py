import json

from sources.networks import read_network, sample
from sources.schema import read_schema
from sources.tables import ColumnPreview, preview

ASIA = sample("asia")
HEADER = ",".join(ASIA.network.names)
EDGES = read_network("e.csv", b"parent,child\nage,ill\nsex,ill\n")
ROWS = b"age,sex,ill,id\n20,f,no,1\n30,m,,2\n70,f,yes,3\n"


def test_a_good_table_has_no_problems():
    data = f"{HEADER}\n{','.join(['yes'] * 8)}\n{','.join(['no'] * 8)}\n".encode()
    found = preview("t.csv", data, ASIA)
    assert found.problems == () and found.notes == ()
    assert {c.origin for c in found.columns} == {"network"}
    assert found.records == 2
    assert found.largest == ("either", 8)
    assert found.columns[0] == ColumnPreview("asia", 2, 2, 0, "network", "")


def test_every_problem_is_listed_and_nothing_is_raised():
    names = [n for n in ASIA.network.names if n != "dysp"]
    row = dict.fromkeys(names, "yes") | {"smoke": "maybe", "lung": ""}
    data = (",".join(names) + ",id\n" + ",".join(row.values()) + ",7\n").encode()
    found = preview("t.csv", data, ASIA)
    assert len(found.problems) == 3
    assert found.problems[0].startswith("t.csv has no column 'dysp'")
    columns = {column.name: column for column in found.columns}
    assert "'maybe' is not one of its states" in columns["smoke"].problem
    assert columns["smoke"].problem in found.problems
    assert "a value is missing" in columns["lung"].problem and columns["lung"].missing == 1
    assert columns["asia"].problem == ""
    assert found.notes == ("Columns not in the network or schema are ignored: id.",)


def test_a_table_that_cannot_be_read_is_one_problem():
    found = preview("t.csv", b"", ASIA)
    assert found.problems == ("t.csv is empty; choose a file that has content",)
    assert found.records == 0 and found.columns == () and found.largest is None


def test_edges_without_a_schema_take_states_from_the_rows_and_say_so():
    found = preview("t.csv", ROWS, EDGES, missing="drop")
    assert found.problems == ()
    assert [c.origin for c in found.columns] == ["inferred"] * 3
    assert [(c.name, c.states, c.missing) for c in found.columns] == [
        ("age", 3, 0),
        ("ill", 2, 1),
        ("sex", 2, 0),
    ]
    assert "1 of 3 rows have a missing value: dropped." in found.notes


def test_edges_with_a_schema_take_its_bins():
    columns = [
        {"name": "age", "bins": [0, 18, 65, 120]},
        {"name": "sex", "states": ["f", "m"]},
        {"name": "ill", "states": ["yes", "no"]},
    ]
    schema = read_schema("s.json", json.dumps({"columns": columns}).encode())
    found = preview("t.csv", ROWS, EDGES, schema=schema, missing="state")
    assert found.problems == ()
    assert [c.states for c in found.columns] == [4, 3, 3]
    assert {c.origin for c in found.columns} == {"schema"}
    assert found.largest == ("ill", 36), "the state for missing values counts"
    lacking = read_schema("s.json", json.dumps({"columns": columns[:2]}).encode())
    words = "e.csv names ill, for which no states are known"
    assert words in preview("t.csv", ROWS, EDGES, schema=lacking).problems[0]


def test_a_network_too_large_with_missing_states_is_one_problem():
    names = [f"p{i}" for i in range(20)]
    edges = "parent,child\n" + "".join(f"{name},x\n" for name in names)
    header = ",".join([*names, "x"])
    data = f"{header}\n{','.join('0' * 21)}\n{','.join('1' * 21)}\n".encode()
    wide = read_network("e.csv", edges.encode())
    assert preview("t.csv", data, wide).problems == ()
    found = preview("t.csv", data, wide, missing="state")
    assert len(found.problems) == 1 and "cells; at most 4,194,304 are allowed" in found.problems[0]
