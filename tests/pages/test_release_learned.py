"""Release of records whose graph is not known: learned, paid, shown, used, as in a shell."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction

import pytest

from cli import main
from pages.ui.kit import state
from pages.ui.release import result
from release.ledger.book import Ledger
from release.ledger.spending import graph_digest
from sources.study import uploaded_study
from tests.pages.releasing import confirm, finding, letters, lines, published, spend_button

NAMES = ("first", "second", "third")
SCHEMA = json.dumps({"columns": [{"name": n, "states": ["no", "yes"]} for n in NAMES]}).encode()
ROWS = b"first,second,third\n" + b"yes,yes,no\n" * 420 + b"no,no,yes\n" * 400 + b"no,yes,no\n" * 80
EPSILON = "2"


@pytest.fixture
def bare():
    """Records with a schema and no graph."""
    data, schema = ("people.csv", ROWS), ("s.json", SCHEMA)
    return uploaded_study(None, None, data=data, schema=schema, missing="refuse")


def opened(open_app, study, method, **query):
    """Release with these records in use, everything stated, that method chosen."""
    knobs = {"network": "figure-one", "records": "100", "replicates": "10", "eps": EPSILON}
    screen = open_app(**(knobs | query))
    screen.visit("load_data")
    held = screen.at.session_state["session"]
    screen.at.session_state["session"] = replace(held, upload=study)
    screen.at.run()
    screen.at.selectbox(key="network").set_value(state.UPLOADED).run()
    screen.visit("review_release")
    at = screen.at
    at.text_input(key="release_name_0").set_value("visits")
    at.number_input(key="release_budget_0").set_value(9.0)
    at.text_input(key="release_unit_0").set_value("person")
    at.number_input(key="release_records_0").set_value(900)
    at.selectbox(key="release_learner_0").set_value(method)
    at.run()
    assert screen.errors == []
    return screen


def failing(screen):
    return [key for key, line in lines(screen).items() if line["state"] == "fail"]


def reasons(screen, keys):
    """A reason at each of these lines."""
    screen.at.text_input(key="release_signed").set_value("Ana Kim")
    for key in keys:
        screen.at.text_input(key=f"reason_{key}_0").set_value("agreed on 3 May")
        screen.at.button(key=f"accept_{key}").click().run()
    assert failing(screen) == [] or all(lines(screen)[k]["reason"] for k in failing(screen))
    return screen


def rehearsed(screen):
    screen.at.button(key="rehearse_run").click().run()
    screen.at.session_state["jobs"]["release_rehearsal"].wait(60)
    screen.at.run()
    return screen


def test_the_plan_tells_the_choices_of_the_way_that_is_forecast(open_app, ledger):
    names = "abcdef"
    wide = {"columns": [{"name": n, "states": [*"uvwxyz"]} for n in names]}
    rows = "\n".join((",".join(names), *["u,v,w,x,y,z"] * 500, *["z,z,z,u,u,u"] * 400))
    data, schema = ("people.csv", rows.encode()), ("s.json", json.dumps(wide).encode())
    study = uploaded_study(None, None, data=data, schema=schema, missing="refuse")
    screen = opened(open_app, study, "equipoise-synthesis", eps="1")
    plan = dict(zip(*screen.sheet("release_plan")["plan"]["table"]["columns"], strict=True))
    assert plan["Way"].startswith("tree, ")
    assert plan["Choices"].startswith("5 of the graph, each by "), "not those of no records"
    screen.at.selectbox(key="release_learner_0").set_value("adaptive").run()
    plan = dict(zip(*screen.sheet("release_plan")["plan"]["table"]["columns"], strict=True))
    assert plan["Choices"].startswith("as many as are expected to pay, each by ")


@pytest.mark.parametrize("method", ["privbayes", "privbayes-plus"])
def test_a_whole_release_is_reviewed_rehearsed_paid_and_shown(open_app, ledger, bare, method):
    screen = opened(open_app, bare, method)
    assert lines(screen)["structure"]["state"] == "pass"
    assert not any(s.key.startswith("release_graph") for s in screen.at.selectbox)
    plan = dict(zip(*screen.sheet("release_plan")["plan"]["table"]["columns"], strict=True))
    assert plan["Number of records"] == "ε = 0.04" and "Choices" in plan
    exact = screen.at.dataframe[0].value["ε, exact"]
    assert sum(Fraction(part) for part in exact) == 2
    rehearsed(screen)
    assert "the distribution of a pair of variables is off by" in " ".join(
        letters(m.value) for m in screen.at.markdown
    )
    reasons(screen, [key for key in failing(screen)])
    confirm(screen, EPSILON)
    assert not spend_button(screen).disabled
    published(screen)
    (account,) = Ledger(ledger).accounts()
    (line,) = account.lines
    assert line.method == method and sum(part for _, part in line.parts) == 2
    view = screen.sheet("release_result")
    paper = json.loads((ledger.parent / "releases" / line.id / "dossier.json").read_text())
    drawn = {(edge["parent"], edge["child"]) for edge in view["graph"]["edges"]}
    edges = {(p, row["variable"]) for row in paper["graph"] for p in row["parents"]}
    assert drawn == edges and edges
    costs = next(d.value for d in screen.at.dataframe if "noise scale" in d.value)
    assert sum(Fraction(part) for part in costs["ε, exact"]) == Fraction(paper["plan"]["cost"])
    shown = next(d.value for d in screen.at.dataframe if set(d.value) == set(NAMES))
    assert len(shown) == result.FEW
    labels = {b.proto.label for b in screen.at.get("download_button")}
    assert {"model.bif", "model.json", "records.csv", "dossier.html"} <= labels
    child = view["table"]["title"].removeprefix("Table of ")
    assert child in {child for _, child in edges}


def test_the_printed_line_gives_the_same_review(open_app, bare, tmp_path, monkeypatch, capsys):
    screen = opened(open_app, bare, "privbayes-plus")
    (line,) = [c.value for c in screen.at.code if c.value.startswith("python cli.py release")]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.csv").write_bytes(ROWS)
    (tmp_path / "s.json").write_bytes(SCHEMA)
    assert main([*shlex.split(line)[2:], "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    shell = {x["key"]: (x["state"], x["number"], x["sentence"]) for x in said["checklist"]}
    page = {k: (x["state"], x["number"], x["sentence"]) for k, x in lines(screen).items()}
    assert shell == page


def test_a_graph_alone_is_used_and_charged_once(open_app, ledger, bare):
    screen = opened(open_app, bare, "privbayes-structure")
    reasons(screen, failing(screen))
    published(confirm(screen, EPSILON))
    (account,) = Ledger(ledger).accounts()
    (line,) = account.lines
    screen.at.button(key="release_use_graph").click().run()
    assert screen.errors == []
    study = screen.at.session_state["session"].upload
    assert graph_digest(study.network) == line.graph and study.graph == "given"
    assert screen.at.selectbox(key="release_method_0").value == "equipoise"
    structure = lines(screen)["structure"]
    assert structure["state"] == "pass" and line.id in structure["sentence"]
    assert not any(s.key.startswith("release_graph") for s in screen.at.selectbox)
    assert "would spend ε = 2 of the 7 left" in finding(screen)
    assert any("charged once" in s.value for s in screen.at.success)
    assert "--dag graph.json" in screen.at.code[0].value


def test_a_sampled_network_may_be_learned_anew(open_app, ledger):
    screen = open_app(network="asia", records="500", replicates="10").visit("review_release")
    screen.at.selectbox(key="release_method_0").set_value("privbayes-plus").run()
    assert screen.errors == []
    assert lines(screen)["structure"]["number"] == "to be learned"
    screen.at.selectbox(key="audit_trials").set_value(4_000).run()
    screen.at.button(key="audit_run").click().run()
    screen.at.session_state["jobs"]["release_audit"].wait(60)
    screen.at.run()
    assert lines(screen)["audited"]["state"] == "pass"
