import json
from pathlib import Path

import pytest

import cli
from sources.formulas import neutral

DATA = "age,work,ok\n" + "\n".join(
    f"{20 + i % 40},{'=cmd' if i % 3 else 'private'},{'yes' if i % 40 < 20 else 'no'}"
    for i in range(600)
)
SCHEMA = {
    "columns": [
        {"name": "age", "bins": [0, 30, 40, 50, 60]},
        {"name": "work", "states": ["=cmd", "private", "none"]},
        {"name": "ok", "states": ["yes", "no"]},
    ]
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "data.csv").write_text(DATA)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    return tmp_path


def run(capsys, *arguments):
    code = cli.main(["synthesise", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_the_document(files, capsys):
    code, stdout, _ = run(
        capsys,
        "--data",
        files / "data.csv",
        "--schema",
        files / "schema.json",
        "--out",
        files / "synthetic.csv",
        "--study",
        "--json",
        "--epsilon",
        2,
        "--replicates",
        3,
    )
    assert code == 0
    document = json.loads(stdout)
    assert (document["rehearsal"], document["sampled"]) == (True, False)
    assert {row["name"] for row in document["network"]} == {"age", "work", "ok"}
    assert document["spent"]["total"] == pytest.approx(2)
    assert sum(document["spent"][k] for k in ("records", "structure", "conditionals")) == (
        pytest.approx(2)
    )
    assert document["score"] == "R"
    assert set(document["tvd"]) == {"2", "3"}
    assert document["intervals"]["2"]["low"] <= document["tvd"]["2"]
    lines = Path(document["file"]).read_text().splitlines()
    assert lines[0] == "age,work,ok,study_not_private"
    assert len(lines) == document["records"] + 1
    assert {line.split(",")[-3] for line in lines[1:]} <= {"'=cmd", "private", "none"}


def test_the_same_seed_gives_the_same_answer(files, capsys):
    one, again, other = (
        run(capsys, "--data", files / "data.csv", "--json", "--seed", seed)[1] for seed in (1, 1, 2)
    )
    assert one == again != other


def test_records_of_a_sample_network_can_be_synthesised(capsys):
    code, stdout, _ = run(
        capsys, "--network", "asia", "--score", "F", "--method", "privbayes", "--records", 2000
    )
    assert code == 0
    assert "mean distance of marginals" in stdout


def test_states_read_off_the_records_are_said(files, capsys):
    code, _, stderr = run(capsys, "--data", files / "data.csv", "--json")
    assert code == 0
    assert "not private: supply a schema" in stderr


@pytest.mark.parametrize(
    ("content", "more", "sentence"),
    [
        ("a\n1\n2\n", (), "there is 1 column to synthesise"),
        ("a,b\n" + "".join(f"{i},x\n" for i in range(2000)), (), "more than 100 distinct values"),
        (
            ",".join(f"c{i}" for i in range(500)) + "\n" + ",".join("0" * 500) + "\n",
            (),
            "500 columns to synthesise",
        ),
        ("a,b\n0.123,x\n" + "".join(f"{i}.5,y\n" for i in range(200)), (), "gives it bins"),
        ("a,b\n1,x\n2,y\n", ("--epsilon", "0"), "epsilon is 0"),
        ("a,b\n1,x\n2,y\n", ("--score", "I"), "score I grows"),
        ("a,b\n1,x\n2,y\n", ("--seed", "-1"), "the seed is -1"),
        ("a,b\n1,x\n2,y\n", ("--replicates", "0"), "the number of replicates is 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(tmp_path, capsys, content, more, sentence):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    code, stdout, stderr = run(capsys, "--data", path, *more)
    assert (code, stdout) == (2, "")
    assert sentence in stderr.splitlines()[-1]


def test_a_taxonomy_that_misses_a_value_is_refused(files, capsys):
    (files / "tree.json").write_text(json.dumps({"work": {"paid": ["=cmd", "private"]}}))
    code, _, stderr = run(
        capsys,
        "--data",
        files / "data.csv",
        "--schema",
        files / "schema.json",
        "--encoding",
        "hierarchical",
        "--taxonomy",
        files / "tree.json",
    )
    assert code == 2
    assert stderr.strip() == (
        "the taxonomy of 'work' misses the state 'none'; every state needs a place"
    )


@pytest.mark.parametrize("method", ["privbayes-plus", "equipoise-synthesis"])
def test_a_constant_column_is_kept_and_said(tmp_path, capsys, method):
    path, out = tmp_path / "c.csv", tmp_path / "made.csv"
    path.write_text("a,b,c\n" + "x,1,k\ny,2,k\n" * 50)
    code, _, stderr = run(
        capsys, "--data", path, "--method", method, "--out", out, "--study", "--json"
    )
    assert code == 0
    assert "Column 'c' has one state" in stderr
    (made,) = tmp_path.glob("made*.csv")
    header, *lines = made.read_text().splitlines()
    assert header.split(",")[:3] == ["a", "b", "c"]
    assert {line.split(",")[2] for line in lines} == {"k"}


def test_without_data_the_verb_says_what_to_give(capsys):
    code, _, stderr = run(capsys)
    assert code == 2
    assert "give --data FILE" in stderr


def test_numbers_are_not_taken_for_formulas():
    assert [neutral(t) for t in ("-1.5", "+3", "-x", "+x", "@a", "plain")] == [
        "-1.5",
        "+3",
        "'-x",
        "'+x",
        "'@a",
        "plain",
    ]
