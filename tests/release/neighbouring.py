"""Files of neighbours, and everything that a preview says about one of them."""

import json

from hypothesis import strategies as st

from cli import main
from release.dossier import dossier_files

GRAPH = ("graph.csv", "parent,child\nage,smoker\nsmoker,cough\n")
SCHEMA = ("schema.json", json.dumps({"columns": [
    {"name": "age", "bins": [0, 18, 65, 120]},
    {"name": "smoker", "states": ["yes", "no"]},
    {"name": "cough", "states": ["yes", "no"]},
]}))  # fmt: skip

fine = st.tuples(
    st.integers(0, 120).map(str), st.sampled_from(["yes", "no"]), st.sampled_from(["yes", "no"])
)
missing = st.tuples(fine, st.sets(st.integers(0, 2), min_size=1)).map(
    lambda drawn: tuple("" if at in drawn[1] else value for at, value in enumerate(drawn[0]))
)
unknown_state = fine.map(lambda row: (row[0], "perhaps", row[2]))
out_of_range = fine.map(lambda row: ("121", row[1], row[2]))
KINDS = {"fine": fine, "missing": missing, "unknown": unknown_state, "outside": out_of_range}


@st.composite
def pairs(draw):
    """Two lists of records that differ in one: added, or replaced; with the relation."""
    rows = draw(st.lists(st.one_of(fine, missing), min_size=1, max_size=12))
    rows.append(draw(fine))  # a table has a complete record
    one = draw(st.one_of(*KINDS.values(), st.sampled_from(rows)))
    at = draw(st.integers(0, len(rows) - 1))
    if draw(st.booleans()):
        return "add-remove", rows, [*rows[:at], one, *rows[at:]]
    return "replace", rows, [*rows[:at], one, *rows[at + 1 :]]


def fits(rows, policy):
    """Whether the file is a table over the domain: its format, record by record."""
    usable = all(
        value in ("", "yes", "no") or (value.isdecimal() and int(value) <= 120)
        for row in rows
        for value in row
    )
    complete = sum("" not in row for row in rows)
    least = {"refuse": len(rows), "drop": 1, "state": 0}[policy]
    return usable and complete >= least


def said(folder, rows, capsys, *words):
    """Exit code, printed text and papers of a preview of these records."""
    for name, text in (GRAPH, SCHEMA):
        (folder / name).write_text(text)
    lines = ["age,smoker,cough", *(",".join(row) for row in rows)]
    (folder / "records.csv").write_text("\n".join(lines) + "\n")
    ledger = folder / "ledger.db"
    ledger.unlink(missing_ok=True)
    found = []
    for how in ((), ("--json",)):
        code = main([
            "release", "--dag", str(folder / GRAPH[0]), "--schema", str(folder / SCHEMA[0]),
            "--data", str(folder / "records.csv"), "--ledger", str(ledger),
            "--out", str(folder / "out"), "--preview", *words, *how,
        ])  # fmt: skip
        found.append((code, *capsys.readouterr()))
    code, out, _ = found[1]
    papers = dossier_files(json.loads(out)["dossier"]) if code == 0 else {}
    return found, papers
