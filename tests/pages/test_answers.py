"""Answers in the nodes of Explore: every node's posterior, equal to the engine's."""

import numpy as np
import pytest

from core.scenario import Scenario
from core.study.answered import beliefs
from core.study.bands import MEDIAN
from core.study.metrics import Truth
from pages.ui.kit import limits
from pages.ui.kit.acting import Observation, read_observation
from pages.ui.kit.graph_view import MOST_STATES
from sources.study import sampled_study


def showing(screen, evidence=None, **changes):
    session = screen.at.session_state["session"]
    fields = {**vars(session), "showing": "answers", "evidence": evidence or {}, **changes}
    screen.at.session_state["session"] = type(session)(**fields)
    screen.at.run()
    return screen.board["graph"]


@pytest.mark.parametrize("given", [{}, {"xray": "yes"}, {"tub": "no", "smoke": "yes"}])
def test_every_node_shows_what_the_engine_says(open_app, given):
    screen = open_app(network="asia", eps="0.5", replicates="20", seed="4")
    graph = showing(screen, {"asia": given})
    assert screen.errors == []
    study = sampled_study("asia", None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    scenario = Scenario(epsilon=0.5, replicates=20, seed=4)
    expected = beliefs(given, "equipoise", truth, study.counts, scenario)
    for i, node in enumerate(graph["answers"]["nodes"]):
        assert node["states"] == list(study.network.variables[i].states)
        assert node["given"] == given.get(study.network.names[i], "")
        np.testing.assert_allclose(node["truth"], expected.truth[i], rtol=1e-4)
        band = expected.private[i][[0, MEDIAN, -1]]
        np.testing.assert_allclose(node["bands"], band, rtol=1e-4)


def test_evidence_fades_what_it_cannot_reach_and_says_so(open_app):
    screen = open_app(network="asia", replicates="20")
    graph = showing(screen, {"asia": {"asia": "yes"}}, selected="smoke")
    names = [n["name"] for n in graph["nodes"]]
    faint = {n for n, a in zip(names, graph["answers"]["nodes"], strict=True) if a["faint"]}
    assert faint == {"smoke", "lung", "bronc"}
    assert "Known: asia = yes. 3 faint nodes cannot be influenced" in graph["caption"]
    graph = showing(screen, {"asia": {"either": "yes", "asia": "yes"}}, selected="xray")
    assert "For xray, asia does not matter given the rest." in graph["caption"]


def test_boxes_hold_their_states_and_the_page_its_width(open_app):
    screen = open_app(network="alarm", replicates="10")
    before = screen.board["graph"]
    assert before["kinds"] == ["budget", "answers"] and before["answers"] is None
    graph = showing(screen)
    assert graph["showing"] == "answers"
    for node, answer in zip(graph["nodes"], graph["answers"]["nodes"], strict=True):
        assert node["height"] >= graph["answers"]["head"] + 15 * len(answer["states"])
    assert graph["box_width"] > before["box_width"]
    assert screen.board["rooms"]["wide"]["areas"][0] == "graph graph"
    assert "python cli.py query" in dict(graph["details"])["Command line"]


def test_a_network_too_large_says_why(open_app, monkeypatch):
    monkeypatch.setattr(limits, "LIVE_CELLS", 3)
    screen = open_app(network="asia", replicates="10")
    graph = showing(screen)
    assert screen.errors == []
    assert graph["answers"] is None and graph["showing"] == "budget"
    assert graph["message"].startswith("The nodes hold no answers: they need")


def test_impossible_evidence_is_said_and_left_out(open_app):
    given = {"either": "no", "lung": "yes", "tub": "no"}
    screen = open_app(network="asia", replicates="10")
    graph = showing(screen, {"asia": given})
    assert "has probability 0" in graph["message"]
    assert all(node["given"] == "" for node in graph["answers"]["nodes"])


STATES = {"a": ("yes", "no"), "b": ("1", "2")}


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"node": "a", "state": "yes", "nonce": 3}, Observation("a", "yes")),
        ({"node": "b", "state": ""}, Observation("b")),
        ({"node": "", "state": ""}, Observation("")),
        ({"node": "a", "state": "2"}, None),
        ({"node": "c", "state": "yes"}, None),
        ({"node": ["a"], "state": "yes"}, None),
        ("a", None),
        (None, None),
    ],
)
def test_only_known_states_are_read(sent, read):
    assert read_observation(sent, STATES) == read


def test_a_node_of_many_states_says_how_many_are_left_out():
    from core.network import Network
    from core.study.answered import Beliefs
    from core.table import Variable
    from pages.ui.kit.graph_view import answer_boxes, answers_in_nodes

    wide = Variable("wide", tuple(f"s{i}" for i in range(MOST_STATES + 8)))
    network = Network((wide,), ((),))
    share = np.full(wide.cardinality, 1 / wide.cardinality)
    believed = Beliefs((share,), (np.tile(share, (7, 1)),))
    (node,) = answers_in_nodes(network, believed, {}, ())["nodes"]
    assert node["more"] == 8 and len(node["states"]) == len(node["truth"]) == MOST_STATES
    assert answer_boxes(network).own[0] >= 24 + 15 * (MOST_STATES + 1)
