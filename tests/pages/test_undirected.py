"""Undirected without a browser."""

import doctest
import json
import time
from dataclasses import asdict

import numpy as np
import pytest

import cli
from core.undirected import estimators
from core.undirected.estimators import ESTIMATORS
from core.undirected.sample import Setting, draw, synthetic
from core.undirected.study import EstimatorOutcome, kept_at, measure
from figures import undirected as undirected_figures
from pages.ui.kit import words
from pages.ui.undirected import numbers as undirected_numbers
from pages.ui.undirected import page as undirected
from pages.ui.undirected import words as undirected_words
from pages.ui.undirected.numbers import BUDGETS, Store, Tally, around, learning_curve
from tests.pages.conftest import curve
from tests.pages.test_data import SECRET
from tests.unit.test_cli_files import PAIR

FILE = "compare_undirected"
SMALL = (200, 2_000)


@pytest.fixture
def page(open_app, monkeypatch):
    """The page with a model, populations and curves that take no time."""
    monkeypatch.setattr(undirected_numbers, "SIZES", SMALL)
    monkeypatch.setattr(undirected, "START", ["naive", "cgm", "non-private"])
    screen = open_app(network="asia", records="2000").visit("start_here")
    screen.at.session_state["und_nodes"] = 4
    screen.at.session_state["und_states"] = 2
    screen.at.session_state["und_town_people"] = 200
    screen.at.session_state["und_town_places"] = 2
    return screen.visit(FILE)


def board(page):
    return page.sheet("undirected")


def finding(page):
    return "".join(text for text, _ in board(page)["finding"])


def store(page):
    return next(s for s in page.at.session_state["computed"].values() if isinstance(s, Store))


def finished(page):
    for _ in range(200):
        page.at.run()
        assert not page.errors
        job = page.at.session_state["jobs"].get(undirected.JOB)
        if job is None or job.end == "done":
            return page
        time.sleep(0.05)
    raise AssertionError("the job did not end")


def look(page, view):
    page.at.segmented_control(key="und_view").set_value(view).run()
    return finished(page)


def test_the_finding_says_what_the_engine_measures(page):
    finished(page)
    truth = synthetic("chain", 4, 2, seed=0)
    sample = draw(truth, Setting(epsilon=1.0, records=2000))
    for name in ("naive", "cgm"):
        expected = words.error(float(np.median(measure(name, sample).divergence)))
        assert [expected, undirected_figures.LOOKS[name][0]] in board(page)["finding"]
    assert "At ε = 1 and 2,000 records" in finding(page)


def by_shell(page, capsys):
    """Rows of the command that the page prints beside its first picture."""
    line = dict(board(page)["views"][0]["details"])["Command line"].split()[2:]
    assert cli.main([*line, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["rows"]


def agree(page, rows):
    """Every number of the shell is one of the page's, and the other way round."""
    found = store(page).curves
    for row in rows:
        name, records = row["estimator"], row["records"]
        mine = found[name, kept_at(name, row["epsilon"]), records]
        assert mine.interval.mean == pytest.approx(row["kl"], rel=1e-12)
        assert mine.interval.low == pytest.approx(row["low"], rel=1e-12)
        assert (None if mine.training is None else asdict(mine.training)) == row["training"]
        assert mine.unfinished == row["unfinished"]


def test_the_page_and_the_shell_agree(page, capsys):
    page.at.pills(key="und_estimators").set_value(list(ESTIMATORS)).run()
    finished(page)
    rows = by_shell(page, capsys)
    assert {row["records"] for row in rows} == set(SMALL)
    assert {row["estimator"] for row in rows} == set(ESTIMATORS)
    agree(page, rows)


@pytest.mark.parametrize(
    ("knobs", "url"),
    [
        ({"und_projected": False, "und_share_synthetic": 0.15}, {}),
        ({"und_zero": True, "und_steps": 5, "und_populations": 2}, {"neighbours": "replaced"}),
        ({"und_kind": "moral"}, {}),
        ({"und_kind": "random"}, {"eps": "0.5"}),
    ],
)
def test_the_page_and_the_shell_agree_whatever_is_set(open_app, monkeypatch, capsys, knobs, url):
    """Also between two budgets, where the page reads off what the shell then measures."""
    monkeypatch.setattr(undirected_numbers, "SIZES", SMALL)
    monkeypatch.setattr(undirected, "START", ["naive", "cgm", "non-private"])
    screen = open_app(network="asia", records="2000", **url).visit("start_here")
    for key, value in {"und_nodes": 4, "und_states": 2, **knobs}.items():
        screen.at.session_state[key] = value
    screen.visit(FILE)
    finished(screen)
    rows = by_shell(screen, capsys)
    assert {row["epsilon"] for row in rows} == set(around(float(url.get("eps", 1.0))))
    agree(screen, rows)


def test_the_shell_takes_the_pages_penalty_for_a_moral_graph(capsys):
    line = "undirected --network asia --records 300 --estimators naive --json"
    assert cli.main(line.split()) == 0
    plain = json.loads(capsys.readouterr().out)["rows"][0]["kl"]
    assert cli.main([*line.split(), "--penalty", "0.1"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["kl"] == plain


@pytest.mark.parametrize("view", undirected.VIEWS)
def test_every_view_states_a_finding_and_is_whole(page, view):
    look(page, view)
    assert "Measuring" not in finding(page)
    for chart in board(page)["views"]:
        assert chart["alt"] and chart["details"] and chart["file"].endswith(".csv")
        assert all(len(c) == len(chart["table"]["columns"][0]) for c in chart["table"]["columns"])
        if chart["kind"] == "figure":
            drawn = chart["variants"][0]["figure"]
            assert drawn["layout"]["xaxis"]["title"]["text"] or view == "Edge marginals"
            assert drawn["layout"]["yaxis"]["title"]["text"]
            assert all(len(t["x"]) >= 2 for t in drawn["data"] if "name" in t)


def test_a_view_is_measured_only_when_it_is_looked_at(page):
    finished(page)
    assert not store(page).squares
    look(page, "Slopes")
    assert {n for _, n in store(page).squares} == set(SMALL)
    assert not store(page).holdouts


def test_a_model_too_large_is_refused_in_a_sentence_and_nothing_is_lost(page):
    finished(page)
    before = board(page)["first"]["table"]
    page.at.number_input(key="und_nodes").set_value(20)
    page.at.number_input(key="und_states").set_value(20).run()
    assert "a junction tree of 2,720,000 cells" in page.errors[0]
    assert "with at most 18 for each variable" in page.errors[0]
    assert not page.at.get("bidi_component")[3:]  # the sidebar's three sliders, no sheet
    page.at.number_input(key="und_nodes").set_value(4)
    page.at.number_input(key="und_states").set_value(2).run()
    assert not page.errors
    assert board(page)["first"]["table"] == before


def test_a_town_that_cannot_be_is_refused_in_a_sentence(page):
    page.at.segmented_control(key="und_view").set_value("Mobility").run()
    page.at.number_input(key="und_town_leave").set_value(0.5).run()
    assert page.errors == ["stay and leave add up to 1.2; keep their sum below 1"]


def test_the_moral_graph_of_the_network_has_its_own_penalty(page):
    page.at.selectbox(key="und_kind").set_value("moral").run()
    finished(page)
    assert "the moral graph of asia" in board(page)["scenario"]
    assert "λ 0.1 b/N" in board(page)["scenario"]
    assert page.at.number_input(key="und_nodes").disabled


def test_an_uploaded_network_is_learned_without_naming_its_files(page):
    page.visit("load_data").upload(data_file=("d.csv", SECRET), dag_file=("n.bif", PAIR))
    next(b for b in page.at.button if b.label == "Use this data").click().run()
    page.visit(FILE)
    page.at.selectbox(key="und_kind").set_value("moral").run()
    finished(page)
    assert board(page)["scenario"].startswith("the moral graph of your upload (2 tables")
    assert "63 records" in board(page)["scenario"]
    assert "--dag FILE" in dict(board(page)["views"][0]["details"])["Command line"]


def test_without_estimators_it_asks_for_one(page):
    page.at.pills(key="und_estimators").set_value([]).run()
    assert [i.value for i in page.at.info] == ["Choose at least one estimator."]


def test_what_cannot_be_measured_is_left_out_with_its_reason(page, monkeypatch):
    monkeypatch.setattr(estimators, "ROW_LIMIT", 5)
    page.at.pills(key="und_estimators").set_value(["naive", "dp-sgd"]).run()
    finished(page)
    notice = next(c.value for c in page.at.main.caption if c.value.startswith("Left out"))
    assert "dp-sgd at ε = 1 and 200 records, because DP-SGD would hold" in notice
    assert notice.endswith("(3 more like it).")
    naive, sgd = (curve(board(page)["first"], name) for name in ("naive", "DP-SGD"))
    assert (naive["x"], sgd["x"]) == (list(SMALL), [])
    values = board(page)["first"]["variants"][0]["figure"]["layout"]["meta"]["values"]
    assert values["DP-SGD"] == "not yet"


def test_loopy_messages_are_shown_on_demand(page):
    page.at.toggle(key="und_loopy").set_value(True)
    look(page, "Edge marginals")
    assert board(page)["marginals"]["table"]["head"][-1] == "loopy BP, no noise"
    assert "Loopy belief propagation" in finding(page)


def test_between_budgets_a_curve_is_read_on_log_scales():
    low, high = BUDGETS[2], BUDGETS[3]
    found = {
        ("naive", low, 100): EstimatorOutcome(np.full(4, 8.0), 1.0),
        ("naive", high, 100): EstimatorOutcome(np.full(4, 2.0), 1.0),
        ("naive", high, 300): EstimatorOutcome(np.full(4, 1.0), 1.0),
    }
    middle = float(np.sqrt(low * high))
    assert around(middle) == (low, high)
    between = learning_curve(found, "naive", middle)
    assert between.across == (100,)
    assert between.bands[:, 0] == pytest.approx(np.full(7, 4.0))
    exact = learning_curve(found, "naive", high)
    assert exact.measured and not between.measured
    assert exact.at(100 * np.sqrt(3)) == pytest.approx(np.full(7, np.sqrt(2)))


def said(runs):
    return "".join(text for text, _ in runs)


@pytest.mark.parametrize(
    ("seen", "sgd", "expected"),
    [
        (Tally(10, 10, 0.2, -0.05), 3.0, ["ahead in all 10 settings", "in the paper, above both"]),
        (Tally(4, 10, 0.2, 0.1), 0.5, ["in 4 of 10", "at most 20 %", "contrary to the paper"]),
        (Tally(0, 3, 0.0, 0.1), 1.5, ["ahead in none of 3", "between them"]),
    ],
)
def test_agreement_with_the_paper_is_said_as_measured(seen, sgd, expected):
    now = {"naive": np.full(7, 2.0), "cgm": np.full(7, 1.0), "dp-sgd": np.full(7, sgd)}
    text = said(undirected_words.learning(now, 1.0, 1000, seen))
    assert "50 % less" in text
    for part in expected:
        assert part in text


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ({100: 3.0, 1000: 1.2}, "always pays, as in the paper"),
        ({100: 3.0, 1000: 0.9}, "does not pay everywhere"),
        ({100: 1.0, 1000: 0.9}, "contrary to the paper"),
    ],
)
def test_projection_is_judged_by_what_was_measured(ratios, expected):
    assert expected in said(undirected_words.projection(ratios, 1.0))


def test_examples_in_the_words_hold():
    for module in (undirected_words, undirected_numbers):
        assert doctest.testmod(module).failed == 0
