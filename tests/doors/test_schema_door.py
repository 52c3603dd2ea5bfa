"""A schema that the shell writes is the one that the Data page reads."""

from sources.schema import read_schema

ROWS = b"who;age;ill\n" + b"".join(b"%d;%d,5;%s\n" % (i % 40, i % 90, (b"yes", b"NA")[i % 2])
                                   for i in range(200))  # fmt: skip
EDGES = b"parent,child\nage,ill\n"


def test_both_doors_read_a_file_with_the_same_schema(page, shell, tmp_path):
    data, dag, out = tmp_path / "t.csv", tmp_path / "e.csv", tmp_path / "s.json"
    data.write_bytes(ROWS)
    dag.write_bytes(EDGES)
    asked = ["schema", "--data", str(data), "--limits", "age=0:120:6", "--leave-out", "who"]
    asked += ["--missing", "state", "--states", "ill=yes,no"]
    document = shell([*asked, "--out", str(out)])
    assert [c["name"] for c in document["columns"]] == ["age", "ill"]
    assert document["left_out"] == ["who"] and document["file"]["decimal"] == ","
    again = shell(["schema", "--schema", str(out), "--confirm", "ill=form B-7"])
    assert again["columns"][1]["source"] == "form B-7"
    files = ["--dag", str(dag), "--data", str(data), "--schema", str(out)]
    told = shell(["describe", *files])
    screen = page("load_data")
    screen.upload(
        data_file=("t.csv", ROWS),
        dag_file=("e.csv", EDGES),
        schema_file=("s.json", out.read_bytes()),
    )
    (button,) = [b for b in screen.at.button if b.label == "Use this data"]
    button.click().run()
    study = screen.at.session_state["session"].upload
    assert study.records == told["records"]
    assert [list(v.states) for v in study.network.variables] == [n["states"] for n in told["nodes"]]
    assert study.missing == "state" and study.binned == ("age",) and study.seen == ()
    schema = read_schema("s.json", out.read_bytes())
    assert dict(study.known_from) == {c.variable.name: c.source for c in schema.columns}


def test_a_bounded_file_has_no_more_records_of_a_unit(shell, tmp_path):
    data, out = tmp_path / "t.csv", tmp_path / "s.json"
    data.write_bytes(ROWS)
    (tmp_path / "e.csv").write_bytes(EDGES)
    shell(["schema", "--data", str(data), "--missing", "state", "--out", str(out)])
    files = ["--dag", str(tmp_path / "e.csv"), "--data", str(data), "--schema", str(out)]
    told = shell(["describe", *files, "--unit-column", "who", "--per-unit", "2"])
    assert told["records"] == 80
    assert not [note for note in told["notes"] if "rows have" in note]


def test_a_review_says_what_is_enforced_and_what_was_only_seen(shell, tmp_path):
    data, out = tmp_path / "t.csv", tmp_path / "s.json"
    data.write_bytes(ROWS)
    (tmp_path / "e.csv").write_bytes(EDGES)
    shell(["schema", "--data", str(data), "--missing", "state", "--out", str(out)])
    asked = ["release", "--dag", str(tmp_path / "e.csv"), "--data", str(data), "--schema", str(out)]
    asked += ["--unit-column", "who", "--ledger", str(tmp_path / "l.db"), "--preview"]
    asked += ["--out", str(tmp_path / "r"), "--budget", "1", "--public-records", "40"]
    lines = {line["key"]: line for line in shell(asked)["checklist"]}
    assert lines["domain"]["state"] == lines["bins"]["state"] == "fail"
    assert "age, ill were seen in the records" in lines["domain"]["sentence"]
    assert lines["unit"]["state"] == "pass" and lines["unit"]["title"].endswith("enforced")
    confirm = ["--confirm", "all=form B-7", "--out", str(out)]
    shell(["schema", "--schema", str(out), *confirm])
    document = shell(asked)
    lines = {line["key"]: line for line in document["checklist"]}
    assert lines["domain"]["state"] == lines["bins"]["state"] == "pass"
    assert "known from form B-7" in lines["domain"]["sentence"]
    assert "--unit-column who --per-unit 1" in str(document["dossier"])
