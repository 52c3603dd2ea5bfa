"""Explore without a browser: complete at start-up, and equal to the engine."""

import numpy as np
import pytest

from core.membership.bound import PublishedBound
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import Truth
from core.study.quantities import error
from sources.study import sampled_study
from tests.pages.conftest import curve


def text(board):
    return "".join(part for part, _ in board["finding"])


def test_start_up_shows_asia_at_epsilon_one_complete(open_app):
    screen = open_app()
    board = screen.board
    assert screen.errors == []
    assert board["knobs"] == {"epsilon": 1, "split": 0.1, "rate": 0.1}
    assert {n["name"] for n in board["graph"]["nodes"]} >= {"asia", "dysp", "either"}
    assert len(board["graph"]["edges"]) == 8
    named = [t["name"] for t in board["error"]["variants"][0]["figure"]["data"] if "name" in t]
    assert named == ["data-dependent-icml", "uniform", "equipoise"]
    assert len(board["risk"]["summary"]["rows"]) == 4
    assert board["panel"]["truth"]
    assert "At ε = 1 a row of a published probability table, weighted by how common" in text(board)
    for view in ("graph", "error", "risk", "panel"):
        assert board[view]["alt"]
        assert "python cli.py" in dict(board[view]["details"])["Command line"]


@pytest.mark.parametrize("network", ["figure-one", "sachs", "alarm"])
def test_a_link_restores_the_scenario(open_app, network):
    screen = open_app(network=network, eps="2.5", replicates="20", neighbours="replaced", seed="3")
    assert screen.board["knobs"]["epsilon"] == 2.5
    assert screen.at.selectbox(key="network").value == network
    assert any("replace, 20 replicates, seed 3" in c.value for c in screen.at.sidebar.caption)


def test_the_numbers_are_the_engines_for_the_same_seed(open_app):
    board = open_app(network="sachs", eps="0.5", replicates="30", seed="7").board
    study = sampled_study("sachs", None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(epsilon=0.5, replicates=30, seed=7)
    values = measure("equipoise", truth, study.counts, scenario, ["l1_weighted"])["l1_weighted"]
    marks = board["error"]["variants"][0]["figure"]["layout"]["meta"]["values"]
    assert marks["equipoise"] == error(float(np.median(values)))
    bound = PublishedBound(178, 10_000)
    published = curve(board["risk"], "published bound, exact tables")
    assert published["y"][0] == pytest.approx(bound.power(published["x"][0]), rel=1e-4)


def test_moving_epsilon_moves_budget_error_and_risk_together(open_app):
    screen = open_app()
    before = screen.board
    screen.at.number_input(key="eps").set_value(0.2).run()
    after = screen.board
    assert after["graph"]["measures"][0]["values"][0] == pytest.approx(
        0.2 * before["graph"]["measures"][0]["values"][0], rel=1e-3
    )
    then, now = (b["error"]["variants"][0]["figure"] for b in (before, after))
    for name, value in then["layout"]["meta"]["values"].items():
        assert float(now["layout"]["meta"]["values"][name]) > float(value)
    assert now["data"] == then["data"]
    assert curve(after["risk"], "composed")["y"][5] < curve(before["risk"], "composed")["y"][5]


@pytest.mark.parametrize(
    "query",
    [
        {"eps": "0"}, {"eps": "-1"}, {"eps": "nan"}, {"eps": "1e9"}, {"eps": "x"},
        {"beta": "0"}, {"beta": "1"}, {"gamma": "2"}, {"network": "nosuch"}, {"seed": "-3"},
        {"records": "0"}, {"replicates": "1000000"}, {"neighbours": "nobody"},
    ],
)  # fmt: skip
def test_a_link_with_a_bad_value_falls_back_to_a_good_one(open_app, query):
    screen = open_app(**query)
    assert screen.errors == []
    board = screen.board
    assert 0.001 <= board["knobs"]["epsilon"] <= 1000
    assert board["graph"]["nodes"]
    assert 0 < screen.at.number_input(key="beta").value < 1
    assert 0 < screen.at.number_input(key="gamma").value <= 1


def test_edits_follow_through_and_stay_with_their_network(open_app):
    screen = open_app(replicates="20")
    session = screen.at.session_state["session"]
    network = sampled_study("asia", None, records=50, seed=0).network
    edited = network.without_edge("smoke", "lung")
    screen.at.session_state["session"] = type(session)(edits={"asia": edited})
    screen.at.run()
    assert len(screen.board["graph"]["edges"]) == 7
    assert screen.board["graph"]["edited"] is True
    assert any("edited" in c.value for c in screen.at.sidebar.caption)
    screen.at.selectbox(key="network").set_value("figure-one").run()
    assert screen.board["graph"]["edited"] is False
