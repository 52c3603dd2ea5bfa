"""Utility without a browser: measured in the background, equal to the engine."""

import json
import threading

import numpy as np
import pytest

from core.inference.queries import most_probable, query
from core.scenario import Scenario
from core.study.bounds import error_bounds
from core.study.error_curves import ErrorCurve, error_curve
from core.study.experiments import match, measure, rehearsals, sweep
from core.study.metrics import Truth
from core.study.solve import Goal, solve
from pages.ui import utility_words as say
from pages.ui import words
from pages.ui.utility_board import dashes
from pages.ui.utility_numbers import GRID, ORDER, check_size, todo
from sources.study import sampled_study


def page(open_app, **query):
    screen = open_app(**query).visit("measure_utility")
    return finish(screen)


def finish(screen):
    """Wait for the job in the background, then look again."""
    job = screen.at.session_state["jobs"]["sweep"]
    job.thread.join(timeout=120)
    assert job.end == "done", (job.end, job.message)
    screen.at.run()
    assert not screen.at.exception
    return screen


def board(screen):
    return screen.component("equipoise_utility")


def answers(screen):
    return screen.component("equipoise_answers")


def text(runs):
    return "".join(part for part, _ in runs)


@pytest.fixture(scope="module")
def study():
    return sampled_study("asia", None, records=10_000, seed=0)


@pytest.fixture(scope="module")
def truth(study):
    return Truth.of(study.network, study.counts)


def test_the_page_measures_by_itself_and_is_complete(open_app):
    data = board(page(open_app, replicates="10"))
    assert [c["metric"] for c in data["charts"]] == [m.name for m in say.METRICS]
    for chart in data["charts"]:
        assert chart["alt"] and "python cli.py sweep" in dict(chart["details"])["Command line"]
        for series in chart["series"]:
            assert series["epsilons"] == list(GRID)
            assert len(series["bands"]) == 7
    assert "At ε = 1 the answer to a question is off by" in text(data["finding"])
    assert data["notice"] == ""


def test_curves_and_matches_are_the_engines(open_app, study, truth):
    data = board(page(open_app, replicates="20", seed="3"))
    scenario = Scenario(replicates=20, seed=3)
    points = sweep(
        truth, study.counts, scenario, methods=["uniform", "equipoise"], epsilons=GRID,
        metrics=["l1_row", "query_l1"],
    )  # fmt: skip
    chart = next(c for c in data["charts"] if c["metric"] == "query_l1")
    series = next(s for s in chart["series"] if s["method"] == "equipoise")
    expected = [
        np.median(p.values) for p in points if (p.method, p.metric) == ("equipoise", "query_l1")
    ]
    assert series["bands"][3] == pytest.approx(expected, rel=1e-4)
    found = next(
        m for m in match(points, "uniform", 3.0) if (m.method, m.metric) == ("equipoise", "l1_row")
    )
    row = next(r for r in data["matches"]["rows"] if r[0] == "equipoise")
    assert row[1].endswith(f"({found.ratio:.2f}×)")
    reference = next(r for r in data["matches"]["rows"] if r[0] == "uniform")
    assert reference[1] == "3.00 (1.00×)"


def test_moving_epsilon_measures_nothing_again(open_app):
    screen = page(open_app, replicates="10")
    job = screen.at.session_state["jobs"]["sweep"]
    before = board(screen)
    screen.at.number_input(key="eps").set_value(0.2).run()
    after = board(screen)
    assert screen.at.session_state["jobs"]["sweep"] is job
    assert after["epsilon"] == 0.2
    assert after["charts"][0]["series"][0]["bands"] == before["charts"][0]["series"][0]["bands"]
    assert after["charts"][0]["series"][0]["now"][3] > before["charts"][0]["series"][0]["now"][3]


def test_another_method_measures_only_itself(open_app):
    screen = page(open_app, replicates="10")
    screen.at.session_state["utility_methods"] = ["uniform", "equipoise", "data-dependent-arxiv"]
    screen.at.run()
    finish(screen)
    assert screen.at.session_state["jobs"]["sweep"].total == len(GRID)
    assert [s["method"] for s in board(screen)["charts"][0]["series"]] == [
        "uniform", "data-dependent-arxiv", "equipoise",
    ]  # fmt: skip


def test_guarantees_of_two_kinds_are_never_mixed_without_a_word(open_app):
    screen = page(open_app, replicates="10")
    screen.at.session_state["utility_methods"] = ["equipoise", "equipoise-zcdp"]
    screen.at.run()
    data = board(finish(screen))
    assert "equipoise-zcdp is (ε, δ)-DP with δ = 1e-06" in data["notice"]
    assert [r[0] for r in data["matches"]["rows"]] == ["equipoise", "equipoise-zcdp (not pure ε)"]


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
    shown = sum(len(s["epsilons"]) for s in board(screen)["charts"][0]["series"])
    assert shown == job.done
    next(b for b in screen.at.button if b.label == "Measure the rest").click().run()
    rest = screen.at.session_state["jobs"]["sweep"]
    assert rest.total == job.total - job.done
    finish(screen)


def test_the_question_shown_first_is_answered_as_the_engine_does(open_app, study, truth):
    screen = page(open_app, replicates="10", eps="0.5")
    data = answers(screen)
    exact = query(truth.model, ["dysp"], {"smoke": "yes"}).values
    assert data["title"] == "P(dysp | smoke = yes)"
    assert data["truth"] == pytest.approx(exact.tolist(), rel=1e-4)
    assert len(data["methods"]) == 4
    for method in data["methods"]:
        assert len(method["releases"]) == 10
        assert sum(method["releases"][0]) == pytest.approx(1, abs=1e-3)
        low, middle, high = (method["bands"][q][0] for q in (0, 3, 6))
        assert low <= middle <= high
    command = dict(data["details"])["Command line"]
    assert "--target dysp" in command and "--given smoke=yes" in command


def test_the_most_probable_explanation(open_app, study, truth):
    screen = page(open_app, replicates="10")
    screen.at.segmented_control(key="ask_kind").set_value("the most probable explanation").run()
    data = answers(screen)
    codes, _ = most_probable(truth.model, {"smoke": "yes"})
    names = study.network.names
    expected = {n: study.network.variables[i].states[codes[i]] for i, n in enumerate(names)}
    shown = {
        n: states[code]
        for n, states, code in zip(data["labels"], data["states"], data["truth"], strict=True)
    }
    assert shown == {n: s for n, s in expected.items() if n != "smoke"}
    assert all(0 <= share <= 1 for m in data["methods"] for share in m["agree"])


def test_too_many_combinations_are_refused_in_a_sentence():
    network = sampled_study("alarm", None, records=50, seed=0).network
    with pytest.raises(ValueError, match=r"64 combinations .* at most 48"):
        check_size(network, ["VENTLUNG", "VENTALV", "MINVOL"])


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


def test_variants_of_one_hue_differ_in_their_dashes():
    found = dashes(["uniform", "data-dependent-arxiv", "data-dependent-icml", "equipoise"])
    assert found["uniform"] == found["data-dependent-arxiv"] == found["equipoise"] == ""
    assert found["data-dependent-icml"]


def test_one_sessions_sweep_is_unknown_to_another(open_app):
    first = page(open_app, replicates="10")
    second = open_app(replicates="10")
    assert "jobs" not in second.at.session_state
    assert first.at.session_state["jobs"]


def notes(screen, key):
    found = [e.proto for e in screen.at.get("bidi_component")
             if e.proto.component_name == "equipoise_notes"]  # fmt: skip
    views = [view for proto in found for view in json.loads(proto.json)["views"]]
    return next((v for v in views if key in v["file"]), None)


def test_the_forecast_is_close_to_what_releases_show(open_app):
    view = notes(page(open_app, replicates="200"), "forecast")
    assert {"uniform", "equipoise"} <= {s["method"] for s in view["series"]}
    for series in view["series"]:
        ratios = np.array(series["up"]) / np.array(series["across"])
        assert len(ratios) == 8
        assert abs(ratios - 1).mean() < 0.1, series["method"]


def test_the_published_bounds_are_shown_with_what_they_are_worth(open_app, study, truth):
    view = notes(page(open_app, replicates="20"), "bounds")
    model = next(rehearsals("equipoise", study.network, study.counts, Scenario(replicates=20)))
    bounds = error_bounds(truth.model, model.model)
    row = next(r for r in view["rows"] if r[0] == "equipoise")
    assert float(row[3]) == pytest.approx(np.median(bounds.upper), rel=0.05)
    assert f"η = {bounds.eta}, κ = {bounds.kappa}, d = {bounds.domain}" in view["caption"]
    assert "say nothing" in view["subtitle"]


def find(screen):
    next(b for b in screen.at.button if b.label == "Find the smallest ε").click().run()
    screen.at.session_state["jobs"]["solve"].thread.join(timeout=120)
    screen.at.run()
    assert not screen.at.exception
    return notes(screen, "solved")


def test_solving_backwards_gives_the_engines_budget(open_app, study, truth):
    screen = page(open_app, replicates="20")
    screen.at.number_input(key="solve_limit_l1_row").set_value(0.05).run()
    view = find(screen)
    (expected,) = solve(
        truth, study.counts, Scenario(replicates=20), Goal(0.05, "l1_row"), methods=["equipoise"]
    )
    row = next(r for r in view["rows"] if r[0] == "equipoise")
    assert row[1] == words.budget(expected.epsilon)
    assert "reaches it with least" in view["subtitle"]
    assert "python cli.py solve" in dict(view["details"])["Command line"]


def test_what_no_budget_can_reach_is_said_with_the_reason(open_app):
    screen = page(open_app, replicates="20", records="200")
    screen.at.number_input(key="solve_limit_l1_row").set_value(0.01).run()
    screen.at.toggle(key="solve_population").set_value(True).run()
    view = find(screen)
    assert {row[1] for row in view["rows"]} == {"none"}
    assert "200 records alone are off by" in view["subtitle"]


def test_the_question_above_can_be_the_goal(open_app):
    screen = page(open_app, replicates="20")
    screen.at.selectbox(key="solve_kind").set_value("question").run()
    view = find(screen)
    assert "every probability of P(dysp | smoke = yes) within ±0.02" in view["caption"]
    assert "--ask 'dysp|smoke=yes'" in dict(view["details"])["Command line"]
