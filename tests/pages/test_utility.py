"""Utility without a browser: measured in the background, equal to the engine."""

import threading

import numpy as np
import pytest

from core.scenario import Scenario
from core.study.bounds import error_bounds
from core.study.error_curves import ErrorCurve, error_curve
from core.study.experiments import match, measure, rehearsals
from core.study.metrics import Truth
from pages.ui.utility.sweep import GRID, MEASURED, ORDER, todo
from sources.study import sampled_study
from tests.pages.conftest import curve
from tests.pages.measuring import CHARTS, board, columns, finish, page, rows, shown_at, text
from tests.wholes import sweep


@pytest.fixture(scope="module")
def study():
    return sampled_study("asia", None, records=10_000, seed=0)


@pytest.fixture(scope="module")
def truth(study):
    return Truth.of(study.network, study.counts)


def test_the_page_measures_by_itself_and_is_complete(open_app):
    data = board(page(open_app, replicates="10"))
    assert [v["name"] for v in data["views"]] == [*CHARTS, "matches"]
    for name in CHARTS:
        view = data[name]
        assert "at ε = 1: " in view["alt"]
        assert "python cli.py sweep" in dict(view["details"])["Command line"]
        for variant in view["variants"]:
            curves = [t for t in variant["figure"]["data"] if "name" in t]
            assert len(curves) == 4
            assert all(trace["x"] == list(GRID) for trace in curves)
    shown = {v["figure"]["layout"]["uirevision"] for n in CHARTS for v in data[n]["variants"]}
    assert shown == {quantity.key for quantity in MEASURED}
    assert "At ε = 1 the answer to a question is off by" in text(data["finding"])
    assert data["live"] and data["knobs"]["epsilon"] == 1


def test_curves_and_matches_are_the_engines(open_app, study, truth):
    data = board(page(open_app, replicates="20", seed="3"))
    scenario = Scenario(replicates=20, seed=3)
    points = sweep(
        truth, study.counts, scenario, methods=["uniform", "equipoise"], epsilons=GRID,
        metrics=["l1_row", "query_l1"],
    )  # fmt: skip
    expected = [
        np.median(p.values) for p in points if (p.method, p.metric) == ("equipoise", "query_l1")
    ]
    assert curve(data["query_l1"], "equipoise")["y"] == pytest.approx(expected, rel=1e-4)
    found = next(
        m for m in match(points, "uniform", 3.0) if (m.method, m.metric) == ("equipoise", "l1_row")
    )
    assert rows(data["matches"])["equipoise"][1].endswith(f"({found.ratio:.2f}×)")
    assert rows(data["matches"])["uniform"][1] == "3.00 (1.00×)"


def test_moving_epsilon_measures_nothing_again(open_app):
    screen = page(open_app, replicates="10")
    job = screen.at.session_state["jobs"]["sweep"]
    before = board(screen)
    screen.at.number_input(key="eps").set_value(0.2).run()
    after = board(screen)
    assert screen.at.session_state["jobs"]["sweep"] is job
    assert after["knobs"]["epsilon"] == 0.2
    figures = [[v["figure"] for v in data["l1_row"]["variants"]] for data in (before, after)]
    for first, second in zip(*figures, strict=True):
        assert second["data"] == first["data"], "curves stay while the mark moves"
        moved = {k for k in second["layout"] if second["layout"][k] != first["layout"][k]}
        assert moved == {"shapes", "annotations", "meta"}
    assert shown_at(after["l1_row"], "uniform") > shown_at(before["l1_row"], "uniform")


def test_another_method_measures_only_itself(open_app):
    screen = page(open_app, replicates="10")
    screen.at.session_state["utility_methods"] = ["uniform", "equipoise", "data-dependent-arxiv"]
    screen.at.run()
    finish(screen)
    assert screen.at.session_state["jobs"]["sweep"].total == len(GRID)
    drawn = board(screen)["l1_row"]["variants"][0]["figure"]["data"]
    assert [t["name"] for t in drawn if "name" in t] == [
        "uniform", "data-dependent-arxiv", "equipoise",
    ]  # fmt: skip


def test_guarantees_of_two_kinds_are_never_mixed_without_a_word(open_app):
    screen = page(open_app, replicates="10")
    assert not screen.at.warning
    screen.at.session_state["utility_methods"] = ["equipoise", "equipoise-zcdp"]
    screen.at.run()
    data = board(finish(screen))
    assert "equipoise-zcdp is (ε, δ)-DP with δ = 10⁻⁶" in screen.at.warning[0].value.replace(
        "\\", ""
    )
    assert list(rows(data["matches"])) == ["equipoise", "equipoise-zcdp (not pure ε)"]


def test_no_method_is_an_empty_state_with_a_sentence(open_app):
    screen = page(open_app, replicates="10")
    screen.at.session_state["utility_methods"] = []
    screen.at.run()
    assert "at least one method" in screen.at.info[0].value


def test_a_stopped_job_keeps_its_points_and_goes_on_when_asked(open_app, monkeypatch):
    gate, slow = threading.Event(), measure

    def held(*arguments):
        gate.wait(10)
        return slow(*arguments)

    monkeypatch.setattr("core.study.experiments.measure", held)
    screen = open_app(replicates="10").visit("measure_utility")
    job = screen.at.session_state["jobs"]["sweep"]
    next(b for b in screen.at.button if b.label == "Stop").click().run()
    gate.set()
    job.thread.join(timeout=60)
    assert job.end == "stopped" and 0 < job.done < job.total
    screen.at.run()
    assert screen.at.session_state["jobs"]["sweep"] is job, "it must not start again by itself"
    table = columns(board(screen)["l1_row"])
    assert table["metric"].count("l1_row") == job.done
    next(b for b in screen.at.button if b.label == "Measure the rest").click().run()
    rest = screen.at.session_state["jobs"]["sweep"]
    assert rest.total == job.total - job.done
    finish(screen)


def test_every_budget_is_measured_and_a_coarse_curve_first():
    assert sorted(ORDER) == list(GRID)
    points = todo({}, ["a", "b"])
    assert points[:4] == [("a", 1.0), ("b", 1.0), ("a", 3.0), ("b", 3.0)]
    assert todo({("a", 1.0): {}}, ["a"])[0] == ("a", 3.0)


def test_a_curve_is_read_between_its_points_on_log_scales():
    found = {("a", 1.0): {"m": np.array([1.0, 1.0])}, ("a", 4.0): {"m": np.array([0.25, 0.25])}}
    read = error_curve(found, "a", "m")
    assert read.at(2.0) == pytest.approx([0.5] * 7)
    assert read.at(0.5) is None
    assert ErrorCurve("a", (), np.empty((7, 0))).at(1.0) is None


def test_one_sessions_sweep_is_unknown_to_another(open_app):
    first = page(open_app, replicates="10")
    second = open_app(replicates="10")
    assert "jobs" not in second.at.session_state
    assert first.at.session_state["jobs"]


def test_the_forecast_is_close_to_what_releases_show(open_app):
    table = columns(page(open_app, replicates="200").sheet("notes")["forecast"])
    assert set(table["method"]) == {"uniform", "equipoise"}
    for method in ("uniform", "equipoise"):
        own = [i for i, name in enumerate(table["method"]) if name == method]
        ratios = np.array(table["measured"])[own] / np.array(table["forecast"])[own]
        assert len(ratios) == 8
        assert abs(ratios - 1).mean() < 0.1, method


def test_the_published_bounds_are_shown_with_what_they_are_worth(open_app, study, truth):
    view = page(open_app, replicates="20").sheet("notes")["bounds"]
    model = next(rehearsals("equipoise", study.network, study.counts, Scenario(replicates=20)))
    bounds = error_bounds(truth.model, model.model)
    row = rows(view)["equipoise"]
    assert float(row[3]) == pytest.approx(np.median(bounds.upper), rel=0.05)
    assert f"η = {bounds.eta}, κ = {bounds.kappa}, d = {bounds.domain}" in view["caption"]
    assert "say nothing" in view["subtitle"]


def test_methods_without_a_forecast_are_told_so(open_app):
    screen = page(open_app, replicates="10")
    screen.at.session_state["utility_methods"] = ["data-dependent-icml"]
    screen.at.run()
    finish(screen)
    assert "add uniform or equipoise" in screen.at.info[0].value
    assert [v["name"] for v in screen.sheet("notes")["views"]] == ["bounds"]
