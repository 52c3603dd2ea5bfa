"""Release, for use: criteria that are tested, groups that are rehearsed, a release that answers."""

import json
import shlex

import pytest

from cli import main
from tests.pages.releasing import confirm, finding, letters, lines, page, published

QUICK = {"network": "asia", "records": "2000"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2:asia,nobody<=0.05", "names the column 'nobody', which the model has not"),
        ("two-way tables of asia", "is no criterion; write WAYS:COLUMN"),
        ("\n".join(["2:asia,tub<=0.05"] * 9), "9 acceptance criteria are stated; at most 8"),
        ("2:asia,tub<=1.5", "give a share above 0.000001 and below 1"),
    ],
)
def test_a_wrong_criterion_is_said_and_nothing_can_be_spent(open_app, typed, said):
    screen = page(open_app, **QUICK)
    screen.at.text_area(key="release_accept_0").set_value(typed).run()
    (warned,) = [w.value.replace("\\", "") for w in screen.at.warning]
    assert said in warned
    assert "one decision is still yours" in finding(screen) and "accepted" not in lines(screen)
    confirm(screen)
    assert next(b for b in screen.at.button if b.label == "Spend 1 and publish").disabled


def test_a_criterion_is_charged_and_the_release_answers_with_an_interval(open_app, capsys):
    screen = page(open_app, **QUICK)
    screen.at.text_area(key="release_accept_0").set_value("2:asia,tub,smoke<=0.2\n1:all<=0.5")
    screen.at.number_input(key="release_accept_epsilon_0").set_value(0.5).run()
    line = lines(screen)["accepted"]
    assert line["number"] == "2 tests, ε = 0.5" and "ε = 1.5" in finding(screen)
    (outcomes,) = published(confirm(screen, "1.5")).at.session_state["release_outcomes"].values()
    done = outcomes[0]
    assert [test.passed for test in done.published.acceptance] == [True, True]
    key = done.published.id
    screen.at.selectbox(key=f"released_target_{key}").set_value("dysp").run()
    screen.at.selectbox(key=f"released_given_{key}_dysp").set_value("bronc").run()
    (shown,) = [d.value for d in screen.at.dataframe if "90 % from" in d.value.columns]
    (command,) = [c.value for c in screen.at.code if "query --model" in c.value]
    words = shlex.split(command.replace("model.json", str(done.directory / "model.json")))
    assert main([*words[2:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["answers"]  # one answer, two doors
    for name, key in (("released", "probability"), ("90 % from", "low"), ("to", "high")):
        assert list(shown[name]) == [f"{row[key]:.4f}" for row in told]
    assert all(row["low"] < row["high"] for row in told)


def test_groups_are_rehearsed_by_the_states_of_a_variable(open_app):
    screen = page(open_app, **QUICK)
    screen.at.selectbox(key="release_group_by_0").set_value("smoke").run()
    screen.at.button(key="rehearse_run").click().run()
    screen.at.session_state["jobs"]["release_rehearsal"].wait(30)
    screen.at.run()
    assert screen.errors == []
    (groups,) = [table.value for table in screen.at.table]
    assert {"smoke = yes", "smoke = no"} < set(map(letters, groups["group"]))
    assert any(m.value.startswith("Who bears the error") for m in screen.at.caption)
    assert "rehearsed, the worst told is smoke" in lines(screen)["groups"]["sentence"]
