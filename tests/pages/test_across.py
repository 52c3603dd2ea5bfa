"""What one page or a file takes, the next page shows, or says why it cannot."""

from dataclasses import replace

import pytest

from core.scenario import Scenario
from sources.networks import sample
from sources.scenario_file import SavedScenario, network_digest, write_scenario
from tests.pages.releasing import QUICK, SCHEMA, letters, lines, uploaded


@pytest.mark.parametrize(
    ("place", "typed", "shown"), [(0, 0.05, 0.05), (2, 100.0, 100.0), (3, 0.5, 0.5), (3, 1.0, 1.0)]
)
def test_a_threshold_of_risk_is_one_of_release(open_app, place, typed, shown):
    """Release broke at a threshold below 0.1 %, and refused 100 % as a false-alarm rate."""
    screen = open_app(**QUICK).visit("assess_risk")
    screen.at.number_input(key=f"risk_limit_{place}").set_value(typed).run()
    screen.visit("review_release")
    assert screen.errors == [] and lines(screen)["risk"]["number"]
    (field,) = [n for n in screen.at.number_input if n.label == FIELDS[place]]
    assert field.value == shown


FIELDS = ("Found at 0.1 %, at most", "Found at 1 %, at most", "Found at 10 %, at most",
          "AUC, at most")  # fmt: skip


@pytest.mark.parametrize("method", ["exact", "privbayes", "mrf-naive"])
def test_a_scenario_of_any_method_leaves_allocate_with_a_choice(open_app, method):
    """A method without a plan left a sentence alone: choose another, and nothing to choose with."""
    digest = network_digest(sample("figure-one").network)
    saved = SavedScenario("figure-one", digest, Scenario(replicates=10), 100, method=method)
    screen = open_app(**QUICK)
    screen.upload(scenario_file=("s.json", write_scenario(saved)))
    screen.at.button(key="open_scenario").click().run()
    screen.visit("allocate_budget")
    explained = method if method == "mrf-naive" else "equipoise"
    assert screen.errors == [] and screen.at.selectbox(key="allocate_method").value == explained


def promised(screen):
    """What Allocate says that it checked, and what it says is no part of the promise."""
    (held,) = [m.value for m in screen.at.markdown if ":material/check:" in m.value]
    apart = [letters(c.value).partition(":material/warning: ")[2] for c in screen.at.caption]
    return held, "".join(apart)


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_allocate_promises_nothing_of_what_the_records_decided(open_app, schema):
    """It said that states read off the records, and a graph learned from them, were given."""
    screen = uploaded(open_app, schema=schema, eps="3").visit("allocate_budget")
    held, apart = promised(screen)
    assert ("states and graph given, not learned" in held) == bool(schema)
    assert ("states were read off the records" in apart) == (not schema)
    screen.visit("synthesise_data")
    next(b for b in screen.at.button if b.label == "Use this structure").click().run()
    held, apart = promised(screen.visit("allocate_budget"))
    assert "graph given" not in held and "the graph was learned from the records" in apart


def test_a_graph_edited_here_is_not_called_given(open_app):
    screen = open_app(**QUICK).visit("allocate_budget")
    assert promised(screen)[1] == ""
    session, network = screen.at.session_state["session"], sample("figure-one").network
    edited = network.without_edge(*network.edges[0])
    screen.at.session_state["session"] = replace(session, edits={"figure-one": edited})
    screen.at.run()
    held, apart = promised(screen)
    assert "states given, not learned" in held and "the graph was edited here" in apart


def test_release_leads_to_where_states_are_said(open_app):
    """It asked for a schema, which a steward on screen has never seen."""
    for schema, times in ((None, 1), (SCHEMA, 0)):
        screen = uploaded(open_app, schema=schema)
        labels = [link.proto.label for link in screen.at.get("page_link")]
        assert labels.count("Say it on Data, 2 Columns") == times
