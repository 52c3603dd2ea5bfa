"""``--people`` and the checks of ``ledger``: whose records, which files, from a shell."""

import json
import shutil
from pathlib import Path

import pytest

from tests.unit.test_cli_release import STATED, drawn_here, shell

__all__ = ["drawn_here", "shell"]

ROWS = [("x", "n"), ("n", "n"), ("x", "x")] * 30


@pytest.fixture
def graph(tmp_path):
    described = [
        {"name": "a", "states": ["x", "n"]},
        {"name": "b", "states": ["x", "n"], "parents": ["a"]},
    ]
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"variables": described}))
    return path


@pytest.fixture
def release(shell, graph, tmp_path):
    def run(rows, *words):
        data = tmp_path / f"{len(rows)}.csv"
        data.write_text("\n".join(["a,b", *(f"{a},{b}" for a, b in rows)]))
        stated = ("--dag", str(graph), "--data", str(data), "--graph", "known", "--unit", "person")
        more = ("--domain", "public", "--public-records", "90", "--epsilon", "0.5", "--json")
        return shell("release", *STATED, *stated, *more, *words)

    return run


def test_one_row_less_is_asked_whose_it_is(release, shell):
    assert release(ROWS, "--budget", "2", "--name", "visits")[0] == 0
    fewer = ROWS[:-1]
    code, out, err = release(fewer, "--budget", "2")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "state in which account they are ('visits'), or that they are in none of them" in err
    code, out, _ = release(fewer, "--people", "visits")
    assert (code, json.loads(out)["remaining"]) == (0, 1.0)
    code, out, _ = release(ROWS[:-2], "--people", "none", "--budget", "2")
    found = json.loads(out)
    assert (code, found["dataset"]) == (0, "data 2")
    paper = next(Path(path) for path in found["files"] if path.endswith("dossier.json"))
    told = json.loads(paper.read_text())
    assert any("which had 1 other account" in text for text in told["assumptions"])
    assert "--people none" in told["reproducibility"]["command"]
    text = shell("ledger")[1]
    assert "stated: nobody of it is in the 1 account before it" in text


def test_the_ledger_names_files_that_were_changed_or_are_gone(release, shell):
    files = json.loads(release(ROWS, "--budget", "2")[1])["files"]
    assert "Files: as they were released" in shell("ledger")[1]
    model = next(Path(path) for path in files if path.endswith("model.json"))
    model.write_text(model.read_text().replace("0.", "0.0", 1))
    code, out, _ = shell("ledger")
    assert (code, f"{model} is not as it was released" in out) == (0, True)
    code, out, err = shell("ledger", "--check")
    assert (code, out, err.count("\n")) == (2, "", 1)
    code, _, err = shell(
        "release", *STATED, "--rehearse", str(model), "--dag", str(model.parents[2] / "graph.json"),
        "--data", str(model.parents[2] / "90.csv"), "--public-records", "90", "--preview",
    )  # fmt: skip
    assert (code, "model.json says it is of release" in err) == (2, True)
    model.unlink()
    assert f"{model} is missing" in shell("ledger")[1]


def test_the_ledger_says_that_it_is_an_old_copy(release, shell, tmp_path):
    release(ROWS, "--budget", "2")
    shutil.copy(tmp_path / "l.db", tmp_path / "copy.db")
    release(ROWS)
    for path in tmp_path.glob("l.db*"):
        path.unlink()
    shutil.copy(tmp_path / "copy.db", tmp_path / "l.db")
    code, out, err = shell("ledger")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "an older copy of the ledger was put back" in err
    code, out, err = release(ROWS)
    assert (code, "an older copy of the ledger was put back" in err) == (2, True)
