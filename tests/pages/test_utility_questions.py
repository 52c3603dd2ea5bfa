"""Utility's questions: asked of the published model, played, and solved backwards."""

import pytest

from core.inference.evidence import Query
from core.inference.queries import most_probable, query
from core.scenario import Scenario
from core.study.answered import answered
from core.study.metrics import Truth
from core.study.solve import Goal, solve
from pages.ui.kit import words
from pages.ui.kit.link_reading import query_text
from pages.ui.utility.sweep import check_size
from sources.study import sampled_study
from tests.pages.conftest import curve
from tests.pages.measuring import answers, columns, page, rows


@pytest.fixture(scope="module")
def study():
    return sampled_study("asia", None, records=10_000, seed=0)


@pytest.fixture(scope="module")
def truth(study):
    return Truth.of(study.network, study.counts)


def test_the_question_shown_first_is_answered_as_the_engine_does(open_app, study, truth):
    screen = page(open_app, replicates="10", eps="0.5")
    data = answers(screen)
    exact = query(truth.model, ["dysp"], {"smoke": "yes"}).values
    assert data["title"] == "P(dysp | smoke = yes)"
    assert curve(data, "truth")["x"] == pytest.approx(exact.tolist(), rel=1e-4)
    drawn = data["variants"][0]["figure"]["data"]
    assert len([t for t in drawn if "name" in t]) == 5, "four methods and the truth"
    table = columns(data)
    for low, middle, high in zip(*(table[q] for q in ("2.5 %", "median", "97.5 %")), strict=True):
        assert low <= middle <= high
    command = dict(data["details"])["Command line"]
    assert "--target dysp" in command and "--given smoke=yes" in command


def test_nodes_that_play_no_part_are_marked_and_named(open_app, study):
    screen = page(open_app, replicates="10", ask=ask(study, "xray", either="yes", smoke="no"))
    part = screen.sheet("part")["part"]
    (measure,) = part["measures"]
    names = [node["name"] for node in part["nodes"]]
    assert dict(zip(names, measure["values"], strict=True)) == {
        "asia": "no part", "tub": "no part", "smoke": "given, no part", "lung": "no part",
        "bronc": "no part", "either": "given", "xray": "asked", "dysp": "no part",
    }  # fmt: skip
    faint = {n for n, mark in zip(names, measure["marks"], strict=True) if mark == "faint"}
    assert faint == set(names) - {"either", "xray"}
    assert part["subtitle"] == (
        "Of what is given, smoke changes nothing in P(xray | either = yes, smoke = no) once the "
        "rest is known. To know any of 5 nodes too would change nothing in "
        "P(xray | either = yes, smoke = no)."
    )


def test_every_node_may_matter(open_app, study):
    screen = page(open_app, replicates="10", ask=ask(study, "dysp", xray="yes"))
    part = screen.sheet("part")["part"]
    assert set(part["measures"][0]["values"]) == {"asked", "given", "matters"}
    assert part["subtitle"] == "Every node matters for P(dysp | xray = yes)."


def ask(study, *targets, **given):
    """A question as a link says it."""
    return query_text(Query(targets, given), study.network)


def test_the_most_probable_explanation(open_app, study, truth):
    screen = page(open_app, replicates="10")
    screen.at.segmented_control(key="ask_kind").set_value("the most probable explanation").run()
    data = answers(screen)
    codes, _ = most_probable(truth.model, {"smoke": "yes"})
    names = study.network.names
    expected = {n: study.network.variables[i].states[codes[i]] for i, n in enumerate(names)}
    table = columns(data)
    shown = dict(zip(table["variable"], table["truth"], strict=True))
    assert shown == {n: s for n, s in expected.items() if n != "smoke"}
    frame = screen.at.dataframe[0].value
    assert frame["true state"].tolist() == table["truth"]
    for method in ("uniform", "equipoise"):
        agreed = table[f"{method} agrees"]
        assert all(0 <= share <= 1 for share in agreed)
        assert frame[method].tolist() == pytest.approx(agreed, rel=1e-4)


def test_single_releases_are_played_one_after_the_other(open_app, study, truth):
    screen = page(open_app, replicates="10")
    screen.at.toggle(key="ask_play").set_value(True).run()
    asked = Query(("dysp",), {"smoke": "yes"})
    answer = answered(asked, "uniform", truth, study.counts, Scenario(replicates=10))
    for release in range(2):
        data = answers(screen)
        assert f"release {release + 1} of 10" in data["caption"]
        dots = [t for t in data["variants"][0]["figure"]["data"]
                if t.get("marker", {}).get("symbol") == "diamond"]  # fmt: skip
        assert len(dots) == 4
        assert dots[0]["x"] == pytest.approx(answer.private[release].tolist(), rel=1e-4)
        screen.at.button(key="ask_next").click().run()
    screen.at.toggle(key="ask_play").set_value(False).run()
    assert "release" not in answers(screen)["caption"].split()


def test_too_many_combinations_are_refused_in_a_sentence():
    network = sampled_study("alarm", None, records=50, seed=0).network
    with pytest.raises(ValueError, match=r"64 combinations .* at most 48"):
        check_size(network, ["VENTLUNG", "VENTALV", "MINVOL"])


def find(screen):
    next(b for b in screen.at.button if b.label == "Find the smallest ε").click().run()
    screen.at.session_state["jobs"]["solve"].thread.join(timeout=120)
    screen.at.run()
    assert not screen.at.exception
    return screen.sheet("solved")["solved"]


def test_solving_backwards_gives_the_engines_budget(open_app, study, truth):
    screen = page(open_app, replicates="20")
    screen.at.number_input(key="solve_limit_l1_row").set_value(0.05).run()
    view = find(screen)
    (expected,) = solve(
        truth, study.counts, Scenario(replicates=20), Goal(0.05, "l1_row"), methods=["equipoise"]
    )
    assert rows(view)["equipoise"][1] == words.budget(expected.epsilon)
    assert "reaches it with least" in view["subtitle"]
    assert "python cli.py solve" in dict(view["details"])["Command line"]


def test_what_no_budget_can_reach_is_said_with_the_reason(open_app):
    screen = page(open_app, replicates="20", records="200")
    screen.at.number_input(key="solve_limit_l1_row").set_value(0.01).run()
    screen.at.toggle(key="solve_population").set_value(True).run()
    view = find(screen)
    assert set(columns(view)["ε"]) == {"none"}
    assert "200 records alone are off by" in view["subtitle"]


def test_the_question_above_can_be_the_goal(open_app):
    screen = page(open_app, replicates="20")
    screen.at.selectbox(key="solve_kind").set_value("question").run()
    view = find(screen)
    assert "every probability of P(dysp | smoke = yes) within ±0.02" in view["caption"]
    assert "--ask 'dysp|smoke=yes'" in dict(view["details"])["Command line"]
