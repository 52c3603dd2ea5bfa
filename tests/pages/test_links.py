"""A link restores the whole scenario; what it cannot restore is said in a sentence."""

import pytest

from sources.networks import sample
from tests.pages.releasing import letters

WHOLE = {
    "network": "asia", "eps": "2", "method": "uniform", "plan": "one-table", "node": "lung",
    "edges": "3-", "locks": "7-0.3_1-0.1", "weights": "2-4", "prior": "0.5",
    "limits": "0.005_0.03_0.25_0.7", "replicates": "10", "showing": "answers",
    "evidence": "2.1-6.0",
}  # fmt: skip
BESIDE = (
    "method",
    "plan",
    "node",
    "edges",
    "locks",
    "weights",
    "prior",
    "limits",
    "showing",
    "evidence",
)


def notes(screen):
    return [letters(warning.value) for warning in screen.at.main.warning]


def test_a_link_restores_everything_and_says_the_same_again(open_app):
    screen = open_app(**WHOLE)
    assert screen.errors == []
    assert notes(screen) == []
    board = screen.board
    assert board["graph"]["method"] == "uniform"
    assert board["graph"]["selected"] == board["panel"]["node"] == "lung"
    assert board["graph"]["edited"] is True
    names = sample("asia").network.names
    session = screen.at.session_state["session"]
    assert session.explained == "one-table"
    options = session.options["asia"]
    assert options.floors == ((names[7], 0.3), (names[1], 0.1))
    assert options.weights == ((names[2], 4.0),)
    assert options.prior == 0.5
    asia = sample("asia").network
    known = {asia.names[2]: asia.variables[2].states[1], asia.names[6]: asia.variables[6].states[0]}
    assert (session.showing, session.evidence["asia"]) == ("answers", known)
    assert {n["given"] for n in board["graph"]["answers"]["nodes"]} == {"", *known.values()}
    assert session.limits == (0.005, 0.03, 0.25, 0.7)
    assert {key: board["link"][key] for key in BESIDE} == {key: WHOLE[key] for key in BESIDE}


def test_the_usual_scenario_adds_nothing_to_the_address(open_app):
    assert not any(open_app(replicates="10").board["link"].values())


def test_a_question_in_a_link_is_asked_on_utility(open_app):
    asia = sample("asia").network
    target, given = asia.index("dysp"), asia.index("smoke")
    states = asia.variables[given].states
    screen = open_app(ask=f"{target}-{given}.1", replicates="10").visit("measure_utility")
    assert notes(screen) == []
    chosen = [box.value for box in screen.at.multiselect]
    assert ["dysp"] in chosen
    assert ["smoke"] in chosen
    assert states[1] in [box.value for box in screen.at.selectbox if box.label == "smoke is"]


def test_the_most_probable_explanation_in_a_link(open_app):
    screen = open_app(ask="-0.1", replicates="10").visit("measure_utility")
    assert screen.at.segmented_control(key="ask_kind").value == "the most probable explanation"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"network": "Alarm"}, "perhaps alarm is meant). So asia is shown."),
        ({"network": "your upload"}, "The upload is not in this server"),
        ({"eps": "99999"}, "ε goes from 0.001 to 1,000. So 1 is shown."),
        ({"eps": "x"}, "So 1 is shown."),
        ({"neighbours": "nobody"}, "So added or removed is shown."),
        ({"records": "5"}, "the number of records goes from 50 to 1,000,000. So 10,000 is shown."),
        ({"method": "unifrom"}, "perhaps uniform is meant). So equipoise is shown."),
        ({"plan": "exact"}, "So equipoise's plan is explained."),
        ({"node": "nosuch"}, "So the page chooses a node."),
        ({"edges": "0-0"}, "not acyclic: asia -> asia; remove one of these edges. So the graph"),
        ({"locks": "0-0.7_1-0.7"}, "So no node is locked."),
        ({"weights": "0--1"}, "So all nodes matter alike."),
        ({"prior": "-1"}, "So no prior is added."),
        ({"limits": "2_2_2_2"}, "So the usual thresholds hold."),
        ({"limits": "0.1_0.1_0.1_0.3"}, "the last of them at least 0.5. So the usual thresholds"),
        ({"ask": "99"}, "So the usual question is asked."),
        ({"showing": "answer"}, "perhaps answers is meant). So the nodes show their budget."),
        ({"evidence": "0.7"}, "names a state by a place that is not there. So nothing is known"),
        ({"evidence": "99.0"}, "names a node by a place that is not there. So nothing is known"),
        ({"evidence": "x"}, "So nothing is known of any node."),
        ({"look": "<b>"}, "So every view shows its first variant."),
        ({"colour": "red"}, "is not known here and changes nothing."),
    ],
)
def test_what_cannot_be_used_is_named_with_what_is_shown_instead(open_app, query, said):
    screen = open_app(replicates="10", **query)
    assert screen.errors == []
    (note,) = notes(screen)
    assert said in note
    ((key, value),) = query.items()
    assert f'"{key}={value}"' in note or value == "your upload"
    assert screen.board["graph"]["nodes"]


def test_the_sentence_goes_when_something_is_changed(open_app):
    screen = open_app(eps="99999", replicates="10")
    screen.at.run()
    assert len(notes(screen)) == 1
    screen.at.number_input(key="eps").set_value(3.0).run()
    assert notes(screen) == []


def test_a_parameter_is_shown_as_it_stands_and_never_as_markup(open_app):
    (note,) = notes(open_app(node="`![x](http://example.org/x.png)", replicates="10"))
    assert note.count('"') == 2
    assert note.index("![x]") > note.index('"')


def test_nothing_of_an_upload_goes_into_the_address(open_app):
    csv = "parent,child\nsecret_a,secret_b\n"
    rows = "secret_a,secret_b\n" + "yes,no\nno,yes\nyes,yes\n" * 40
    screen = open_app(replicates="10", method="uniform").visit("load_data")
    screen.upload(data_file=("d.csv", rows), dag_file=("g.csv", csv))
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    screen.visit("explore_tradeoff")
    screen.at.session_state["session"] = type(screen.at.session_state["session"])(
        **{
            **vars(screen.at.session_state["session"]),
            "selected": "secret_b",
            "showing": "answers",
            "evidence": {"your upload": {"secret_a": "yes"}},
        }
    )
    screen.at.run()
    board = screen.board
    assert board["graph"]["selected"] == "secret_b"
    assert "yes" in [node["given"] for node in board["graph"]["answers"]["nodes"]]
    assert "secret" not in str(board["link"])
    said = {key: value for key, value in board["link"].items() if value}
    assert said == {"showing": "answers"}
    assert "upload-eps1" in board["files"]


def test_files_are_named_after_page_network_epsilon_and_seed(open_app):
    screen = open_app(network="sachs", eps="0.25", seed="3", replicates="10")
    assert screen.board["files"] == "equipoise-study-sachs-eps0.25-seed3-explore-"


@pytest.mark.parametrize("name", ["eps", "beta", "records", "replicates", "seed"])
@pytest.mark.parametrize("value", ["inf", "-inf", "1e400", "nan"])
def test_a_number_that_is_none_is_said_and_left_out(open_app, name, value):
    screen = open_app(**{name: value})
    assert not screen.at.exception
    said = [letters(w.value) for w in screen.at.warning]
    assert any(f"{name}={value}" in one and "cannot be used" in one for one in said), said
