"""Files given to the command line: each bad one gets one sentence and exit 2."""

import itertools
import json

import pytest

from cli import main

EDGES = "parent,child\na,b\n"
ROWS = "a,b\nyes,no\nno,yes\nyes,yes\n"
PAIR = """network x {
}
variable a {
  type discrete [ 2 ] { yes, no };
}
variable b {
  type discrete [ 2 ] { yes, no };
}
probability ( a ) {
  table 0.5, 0.5;
}
probability ( b | a ) {
  (yes) 0.9, 0.1;
  (no) 0.2, 0.8;
}
"""
STATES = ", ".join(f"s{k}" for k in range(216))
WIDE = "\n".join(
    ["network x {", "}"]
    + [f"variable v{i} {{\n  type discrete [ 216 ] {{ {STATES} }};\n}}" for i in range(3)]
    + [
        "probability ( v0 ) {",
        "}",
        "probability ( v1 ) {",
        "}",
        "probability ( v2 | v0, v1 ) {",
        "}",
    ]
)


def run(tmp_path, files, arguments):
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return main([*(a.replace("@", f"{tmp_path}/") for a in arguments)])


def test_records_against_a_network_file(tmp_path, capsys):
    code = run(
        tmp_path, {"n.bif": PAIR, "d.csv": ROWS},
        ["query", "--dag", "@n.bif", "--data", "@d.csv", "--target", "a", "--json"],
    )  # fmt: skip
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert found["truth"][0]["probability"] == pytest.approx(2 / 3)


def test_an_inferred_domain_is_said_to_be_not_private(tmp_path, capsys):
    code = run(
        tmp_path, {"e.csv": EDGES, "d.csv": ROWS},
        ["describe", "--dag", "@e.csv", "--data", "@d.csv", "--json"],
    )  # fmt: skip
    captured = capsys.readouterr()
    assert code == 0
    assert "not private" in captured.err
    assert any("not private" in note for note in json.loads(captured.out)["notes"])


def test_a_schema_with_bins_makes_states(tmp_path, capsys):
    schema = {"columns": [{"name": "a", "bins": [0, 10, 20]}, {"name": "b", "states": ["x", "y"]}]}
    code = run(
        tmp_path, {"e.csv": EDGES, "d.csv": "a,b\n3,x\n20,y\n10,x\n", "s.json": json.dumps(schema)},
        ["describe", "--dag", "@e.csv", "--data", "@d.csv", "--schema", "@s.json", "--json"],
    )  # fmt: skip
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert json.loads(captured.out)["nodes"][0]["states"] == ["[0, 10)", "[10, 20]"]
    assert captured.err == ""


@pytest.mark.parametrize(("missing", "records", "states"), [("drop", 3, 2), ("state", 4, 3)])
def test_missing_values_are_dropped_or_become_a_state(tmp_path, capsys, missing, records, states):
    code = run(
        tmp_path, {"n.bif": PAIR, "d.csv": ROWS + ",no\n"},
        ["describe", "--dag", "@n.bif", "--data", "@d.csv", "--missing", missing, "--json"],
    )  # fmt: skip
    captured = capsys.readouterr()
    assert code == 0, captured.err
    found = json.loads(captured.out)
    assert found["records"] == records
    assert len(found["nodes"][0]["states"]) == states
    assert ("1 of 4 rows" in captured.err) == (missing == "drop")


DATA = ["describe", "--dag", "@n.bif", "--data", "@d.csv"]
DAG = ["describe", "--dag", "@n.bif"]
BAD = {
    "a cycle": ({"n.csv": "parent,child\na,b\nb,c\nc,a\n", "d.csv": ROWS},
                ["describe", "--dag", "@n.csv", "--data", "@d.csv"], ["n.csv", "->", "acyclic"]),
    "an unknown parent": ({"n.bif": PAIR.replace("( b | a )", "( b | z )")}, DAG, ["n.bif", "z"]),
    "a duplicate variable": ({"n.bif": PAIR.replace("variable b", "variable a")}, DAG,
                             ["n.bif", "'a'"]),
    "an unknown state in the data": ({"n.bif": PAIR, "d.csv": ROWS + "maybe,no\n"}, DATA,
                                     ["d.csv", "line 5", "'a'", "'maybe'"]),
    "a column missing": ({"n.bif": PAIR, "d.csv": "a\nyes\n"}, DATA, ["d.csv", "'b'"]),
    "a duplicate column": ({"n.bif": PAIR, "d.csv": "a,a,b\nyes,yes,no\n"}, DATA,
                           ["d.csv", "'a'"]),
    "rows that do not sum to one": ({"n.bif": PAIR.replace("0.9, 0.1", "0.9, 0.3")}, DAG,
                                    ["n.bif", "'b'", "1.2"]),
    "an empty file": ({"n.bif": PAIR, "d.csv": ""}, DATA, ["d.csv", "empty"]),
    "an empty network": ({"n.bif": ""}, DAG, ["n.bif", "empty"]),
    "a header only": ({"n.bif": PAIR, "d.csv": "a,b\n"}, DATA, ["d.csv"]),
    "a letter of another encoding": ({"n.bif": PAIR, "d.csv": "a,b\nyés,no\n".encode("latin-1")},
                                     DATA, ["d.csv", "line 2", "'yés'"]),
    "a ragged row": ({"n.bif": PAIR, "d.csv": ROWS + "yes\n"}, DATA, ["d.csv", "line 5"]),
    "a missing value": ({"n.bif": PAIR, "d.csv": ROWS + ",no\n"}, DATA, ["d.csv", "line 5", "'a'"]),
    "ten million cells in one table": ({"n.bif": WIDE}, DAG, ["n.bif", "10,077,696", "v2"]),
    "a network that never ends": ({"n.bif": PAIR[:-2]}, DAG, ["n.bif", "line"]),
    "a BIF of one endless token": ({"n.bif": "network " + "x" * 3_000_000}, DAG, ["n.bif"]),
    "an unknown ending": ({"n.bif": PAIR, "n.doc": PAIR}, ["describe", "--dag", "@n.doc"],
                          ["n.doc", ".bif"]),
    "edges without records": ({"n.csv": EDGES}, ["describe", "--dag", "@n.csv"],
                              ["n.csv", "probabilities"]),
    "a schema that is no JSON": ({"n.bif": PAIR, "d.csv": ROWS, "s.json": "{"},
                                 [*DATA, "--schema", "@s.json"], ["s.json", "JSON"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_gets_one_sentence_that_names_it(tmp_path, capsys, case):
    files, arguments, words = BAD[case]
    assert run(tmp_path, files, arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1, captured.err
    for word in words:
        assert word in captured.err


def test_two_hundred_megabytes_without_a_line_are_refused(tmp_path, capsys):
    with (tmp_path / "d.csv").open("wb") as file:
        file.truncate(200 * 2**20)
    assert run(tmp_path, {"n.bif": PAIR}, DATA) == 2
    assert "d.csv, line 1: it has more than 4,194,304 characters" in capsys.readouterr().err


def test_two_thousand_nodes_answer(tmp_path, capsys):
    names = [f"v{i}" for i in range(2000)]
    blocks = [f"variable {n} {{\n  type discrete [ 2 ] {{ y, n }};\n}}" for n in names]
    blocks += ["probability ( v0 ) {\n  table 0.5, 0.5;\n}"]
    blocks += [
        f"probability ( {b} | {a} ) {{\n  (y) 0.9, 0.1;\n  (n) 0.3, 0.7;\n}}"
        for a, b in itertools.pairwise(names)
    ]
    text = "network x {\n}\n" + "\n".join(blocks)
    arguments = ["query", "--dag", "@n.bif", "--records", "100", "--replicates", "2",
                 "--target", "v1999", "--json"]  # fmt: skip
    assert run(tmp_path, {"n.bif": text}, arguments) == 0
    assert len(json.loads(capsys.readouterr().out)["truth"]) == 2
