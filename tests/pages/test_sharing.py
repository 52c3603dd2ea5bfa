"""Two visitors: what is public is computed once for both, what is one's own stays with him."""

import gc
from dataclasses import replace

from pages.ui.kit import compute
from sources.study import Study
from tests.pages.releasing import uploaded


def held(store):
    """Every result in the store, and every study."""
    slots = [slot for kind in store._kinds.values() for slot in kind.values()]
    return [slot.value for slot in slots], list(store._drawn.values())


def reachable(things):
    """Every object that can be reached from these, classes and modules left out."""
    seen, waiting = {}, list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen and not isinstance(thing, type) and not hasattr(thing, "__spec__"):
            seen[id(thing)] = thing
            waiting.extend(gc.get_referents(thing))
    return seen


def test_the_second_visitor_of_a_public_scenario_computes_nothing(open_app, monkeypatch):
    first = open_app(network="asia", replicates="10")
    assert first.errors == []
    monkeypatch.setattr(compute, "glance", None)
    monkeypatch.setattr(compute, "node_error_bands", None)
    monkeypatch.setattr(compute, "draw", None)
    second = open_app(network="asia", replicates="10")
    assert second.errors == []
    for name in ("graph", "error", "risk", "panel"):
        assert second.board[name] == first.board[name]


def test_another_seed_is_another_scenario(open_app):
    first, second = (open_app(network="asia", replicates="10", seed=seed) for seed in "01")
    assert first.board["error"]["table"] != second.board["error"]["table"]


def test_nothing_of_an_upload_gets_into_the_store(open_app):
    screen = uploaded(open_app).visit("explore_tradeoff")
    own = screen.at.session_state["session"].upload
    assert screen.board["error"]["table"]
    assert own is not None and not own.sampled
    results, studies = held(compute.COMMONS)
    assert all(study.sampled and study.name == "figure-one" for study in studies)
    objects = reachable([*results, *studies])
    assert id(own) not in objects and id(own.network) not in objects
    assert not [o for o in objects.values() if isinstance(o, Study) and not o.sampled]
    texts = {o for o in objects.values() if isinstance(o, str)}
    assert not {"first", "second"} & texts  # its columns
    other = open_app(network="asia", replicates="10")
    assert "first" not in str(other.board)


def test_an_edited_graph_stays_with_who_edited_it(open_app):
    screen = open_app(network="asia", replicates="10")
    assert screen.errors == []
    before = sum(map(len, compute.COMMONS._kinds.values()))
    session = screen.at.session_state["session"]
    study = compute.COMMONS.study("asia", 10_000)
    edited = study.network.without_edge(*study.network.edges[0])
    screen.at.session_state["session"] = replace(session, edits={"asia": edited})
    screen.at.run()
    assert screen.board["graph"]["edited"]
    assert sum(map(len, compute.COMMONS._kinds.values())) == before
