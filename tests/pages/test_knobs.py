"""β and γ: what moves, what is said where nothing does, and γ = 1."""

import numpy as np
import pytest

from core.scenario import Scenario
from core.study.error_curves import node_error_bands
from core.study.metrics import Truth
from pages.ui.kit import commons, compute, dragging, limits
from sources.study import sampled_study
from tests.pages.conftest import curve


def note(screen):
    return next((c.value for c in screen.at.sidebar.caption if c.value.startswith("β and γ")), "")


def knobs(screen):
    return [screen.at.number_input(key=key).disabled for key in ("beta", "gamma")]


@pytest.mark.parametrize(
    ("file", "idle", "said"),
    [
        ("explore_tradeoff", False, "β and γ move the data-dependent-icml curve only."),
        ("allocate_budget", False, "β and γ move the data-dependent-icml plan only."),
        ("assess_risk", True, "β and γ do nothing here: equipoise has no Stage I."),
        ("load_data", True, "β and γ do nothing here: no method on show has a Stage I."),
        ("synthesise_data", True, "β and γ do nothing here: Synthesise has one β, the structure's"),
    ],
)
def test_knobs_that_move_nothing_say_so(open_app, file, idle, said):
    screen = open_app(replicates="10").visit(file)
    assert knobs(screen) == [idle, idle]
    assert note(screen).startswith(said)


def test_one_click_shows_the_method_that_has_a_stage_one(open_app):
    screen = open_app(replicates="10")
    screen.at.button(key="show_stage_one").click().run()
    assert screen.errors == []
    assert screen.board["graph"]["method"] == "data-dependent-icml"
    assert note(screen) == "" and knobs(screen) == [False, False]
    screen.visit("assess_risk")
    assert note(screen) == "" and knobs(screen) == [False, False]


@pytest.mark.parametrize("file", ["load_data", "synthesise_data", "review_release"])
def test_one_click_leads_to_explore_from_pages_without_a_stage_one(open_app, file):
    screen = open_app(replicates="10").visit(file)
    links = [link.proto for link in screen.at.sidebar.get("page_link")]
    assert any("on Explore" in link.label for link in links)


def test_every_letter_is_told_apart(open_app):
    text = " ".join(m.value for m in open_app(replicates="10").at.sidebar.markdown)
    for whose in ("Chowdhury et al. call it β", "PrivBayes's β", "Murakonda et al.'s β", "γ = 1"):
        assert whose in text


@pytest.mark.parametrize(("key", "value"), [("beta", 0.5), ("gamma", 1.0)])
def test_a_knob_moves_the_data_dependent_curve_and_no_other(open_app, key, value):
    screen = open_app(replicates="10")
    before = screen.board["error"]
    screen.at.number_input(key=key).set_value(value).run()
    assert screen.errors == []
    after = screen.board["error"]
    moved = {n for n in ("data-dependent-icml", "uniform", "equipoise")
             if curve(before, n)["y"] != curve(after, n)["y"]}  # fmt: skip
    assert moved == {"data-dependent-icml"}


def test_without_sampling_the_numbers_are_the_engines(open_app):
    board = open_app(gamma="1", beta="0.3", replicates="12", records="500").board
    assert board["knobs"] == {"epsilon": 1, "split": 0.3, "rate": 1.0}
    study = sampled_study("asia", None, records=500, seed=0)
    truth = Truth.of(study.network, study.counts)
    shown = curve(board["error"], "data-dependent-icml")
    at = Scenario(epsilon=shown["x"][-1], split=0.3, rate=1.0, replicates=12)
    expected = node_error_bands("data-dependent-icml", truth, study.counts, at)[3, -1]
    assert shown["y"][-1] == pytest.approx(expected, rel=1e-4)


def test_a_curve_is_rough_while_a_knob_moves_and_whole_at_rest(open_app):
    screen = open_app(replicates="20")
    whole = curve(screen.board["error"], "data-dependent-icml")
    screen.at.session_state["beta"] = 0.4
    screen.at.session_state[dragging.MOVING] = "split"
    screen.at.run()
    error = screen.board["error"]
    rough = curve(error, "data-dependent-icml")
    assert len(rough["x"]) == limits.ROUGH_POINTS < len(whole["x"]) == limits.CURVE_POINTS
    assert rough["line"]["dash"] == "dash"
    assert "rough while you drag: data-dependent-icml" in error["caption"]
    assert len(curve(error, "uniform")["x"]) == limits.CURVE_POINTS
    study = sampled_study("asia", None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    few = Scenario(epsilon=rough["x"][0], split=0.4, replicates=limits.ROUGH)
    expected = node_error_bands("data-dependent-icml", truth, study.counts, few)[3, -1]
    assert rough["y"][0] == pytest.approx(expected, rel=1e-4)
    heads = error["table"]["head"]
    columns = dict(zip(heads, error["table"]["columns"], strict=True))
    assert len({len(values) for values in columns.values()}) == 1
    del screen.at.session_state[dragging.MOVING]
    screen.at.run()
    settled = screen.board["error"]
    assert len(curve(settled, "data-dependent-icml")["x"]) == limits.CURVE_POINTS
    assert "rough" not in settled["caption"]


def test_results_of_a_moving_knob_do_not_push_others_out(open_app):
    screen = open_app(replicates="10")
    for beta in np.linspace(0.2, 0.8, 12):
        screen.at.session_state["beta"] = float(beta)
        screen.at.session_state[dragging.MOVING] = "split"
        screen.at.run()
    assert "computed" not in screen.at.session_state  # all of it is public
    kinds = compute.COMMONS._kinds
    assert {"drawing", "truth", "points", "glance"} <= set(kinds)
    assert max(map(len, kinds.values())) <= commons.RESULTS
    assert [name for name in screen.at.session_state["latest"] if name.startswith("rough")] == [
        "rough data-dependent-icml"
    ]


def test_a_prior_of_a_link_is_shown_as_it_holds(open_app):
    screen = open_app(replicates="10", prior="5000").visit("allocate_budget")
    assert "prior 5000 in every cell" in screen.sheet("board")["scenario"]
    assert screen.at.number_input(key="allocate_prior").value == 5000.0
