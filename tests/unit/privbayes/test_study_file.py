"""Synthetic records of private ones are for study, and every file of them says so."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import cli
from core.counts import Rows
from core.dataset import Dataset
from core.table import Variable
from sources.records import STUDY_CELL, STUDY_COLUMN, records_csv, study_path

ROWS = [("yes", "low"), ("no", "high"), ("yes", "high"), ("no", "low")] * 60
SCHEMA = {
    "columns": [
        {"name": "ill", "states": ["yes", "no"]},
        {"name": "income", "states": ["low", "high"]},
    ]
}


@pytest.fixture
def files(tmp_path):
    lines = ["ill,income", *(",".join(row) for row in ROWS)]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "graph.csv").write_text("parent,child\nill,income\n")
    return tmp_path


def private(files):
    return ["--data", files / "data.csv", "--schema", files / "schema.json"]


def run(capsys, *arguments):
    code = cli.main(["synthesise", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.mark.parametrize("graph", [(), ("--dag", "graph.csv")])
def test_private_records_are_not_written_unless_for_study(files, capsys, graph):
    graph = [files / part if part.endswith(".csv") else part for part in graph]
    out = files / "synthetic.csv"
    code, stdout, stderr = run(capsys, *private(files), *graph, "--out", out)
    assert (code, stdout) == (2, "")
    assert "ask for a study file with --study" in stderr.splitlines()[-1]
    assert not list(files.glob("synthetic*"))


def test_a_study_file_says_so_in_name_and_header(files, capsys):
    out = files / "synthetic.csv"
    code, stdout, _ = run(capsys, *private(files), "--study", "--out", out)
    assert code == 0
    assert not out.exists()
    written = files / "synthetic-study.csv"
    assert f"written: {written}" in stdout
    assert "nothing of this is private" in stdout
    with written.open(newline="") as file:
        read = list(csv.DictReader(file))
    assert set(read[0]) == {"ill", "income", "study_not_private"}
    assert {row["study_not_private"] for row in read} == {"seeded"}
    assert {row["ill"] for row in read} == {"yes", "no"}


def test_who_repeats_a_seeded_synthesis_learns_who_was_there(files, capsys):
    """Why: the file without the last record differs, with it the file is the same."""
    original = (files / "data.csv").read_text()
    texts = []
    for text in (original, original, original.rpartition("\n")[0]):
        (files / "data.csv").write_text(text)
        code, *_ = run(capsys, *private(files), "--study", "--out", files / "s.csv", "--seed", 5)
        assert code == 0
        texts.append((files / "s-study.csv").read_bytes())
    assert texts[0] == texts[1] != texts[2]


def test_records_sampled_from_a_network_are_public(tmp_path, capsys):
    public = ["--network", "asia", "--records", 500, "--out"]
    code, stdout, _ = run(capsys, *public, tmp_path / "asia.csv")
    assert code == 0
    assert "the records are public" in stdout
    header = (tmp_path / "asia.csv").read_text().splitlines()[0]
    assert header == "asia,tub,smoke,lung,bronc,either,xray,dysp"
    code, *_ = run(capsys, *public, tmp_path / "asked.csv", "--study")
    assert code == 0
    assert STUDY_COLUMN in (tmp_path / "asked-study.csv").read_text().splitlines()[0]


def test_a_study_file_can_be_read_again(files, capsys):
    assert run(capsys, *private(files), "--study", "--out", files / "s.csv")[0] == 0
    again = ["--data", files / "s-study.csv", "--schema", files / "schema.json"]
    code, stdout, stderr = run(capsys, *again, "--json")
    assert code == 0
    assert {row["name"] for row in json.loads(stdout)["network"]} == {"ill", "income"}
    assert STUDY_COLUMN in stderr  # named as a column that is ignored


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("synthetic.csv", "synthetic-study.csv"),
        ("a/b.study.csv", "a/b.study-study.csv"),
        ("s-study.csv", "s-study.csv"),
        ("study.csv", "study.csv"),
        ("understudy.csv", "understudy-study.csv"),
        ("plain", "plain-study"),
    ],
)
def test_names_end_in_study(given, written):
    assert study_path(Path(given)) == Path(written)


def test_the_study_column_is_not_written_twice():
    columns = (Variable(STUDY_COLUMN, (STUDY_CELL, "other")), Variable("b", ("0", "1")))
    rows = Rows(Dataset(columns, np.zeros((2, 2), dtype=int)))
    assert records_csv(rows, study=True).decode().splitlines()[0] == f"{STUDY_COLUMN},b"


def test_the_command_lines_of_the_readme_say_study():
    text = (Path(cli.__file__).parent / "README.md").read_text(encoding="utf-8")
    lines = [x for x in text.splitlines() if x.startswith("python cli.py synthesise")]
    assert lines
    for line in lines:
        assert "--data" not in line or "--out" not in line or "--study" in line, line
