"""Risk, asked further: attacks in steps, the four questions, and silence about individuals."""

import json

import numpy as np
import pytest

from core.scenario import Scenario
from pages.ui.kit.inputs import Choice
from pages.ui.risk import numbers
from sources.study import sampled_study
from tests.pages.test_risk import SHEETS, page

LABELS = ("zq-never", "zq-often", "zq-always")


def test_one_click_attacks_release_exact_and_smoothed_in_steps():
    study = sampled_study("asia", None, records=100, seed=0)
    choice = Choice(study, study.network, Scenario())
    attacks = numbers.planned(choice, "uniform", 20)
    assert [a.release for a in attacks] == ["uniform", "exact", "smoothed"]
    found = {}
    steps = sum(1 for _ in numbers.work(choice, attacks, found))
    assert steps == numbers.steps_of(attacks) == 12
    assert {r: f.pools for r, f in found.items()} == {"uniform": 20, "exact": 20, "smoothed": 20}


def test_the_other_way_round_and_bad_goals(open_app):
    screen = page(open_app, network="alarm")
    assert any("3,966 records" in m.value for m in screen.at.markdown)
    screen.at.number_input(key="risk_alpha").set_value(10.0).run()
    assert any("share of members found is 0.05" in e for e in screen.errors)


@pytest.mark.parametrize("question", ["Edges to drop", "Learned structures", "Appendix J"])
def test_further_questions_are_answered(open_app, question):
    screen = page(open_app, records="600")
    screen.at.segmented_control(key="risk_question").set_value(question).run()
    assert screen.errors == []
    assert len(screen.at.dataframe[0].value) >= 2


def test_biased_pools_are_shown_with_their_control(open_app):
    screen = page(open_app, records="600")
    screen.at.segmented_control(key="risk_question").set_value("Appendix J").run()
    screen.at.segmented_control(key="risk_demonstration").set_value("J.4 biased sampling").run()
    assert screen.errors == []
    table = screen.at.dataframe[0].value
    assert set(table["outsiders"]) == {
        "anyone", "the same group", "the same group, known as such",
    }  # fmt: skip
    assert any("outsiders selected the same way" in m.value for m in screen.at.markdown)


def test_a_learned_structure_can_be_put_in_place(open_app):
    screen = page(open_app, records="600")
    screen.at.segmented_control(key="risk_question").set_value("Learned structures").run()
    next(b for b in screen.at.button if b.label == "Use this structure").click().run()
    assert screen.errors == []
    assert screen.sheet("risk_causes")["graph"]["edited"]


def test_no_state_or_row_of_anyone_is_on_the_page(open_app):
    rng = np.random.default_rng(0)
    picked = rng.integers(0, 3, (90, 2))
    lines = [f"{LABELS[a]},{LABELS[b]}" for a, b in picked]
    screen = open_app().visit("load_data")
    screen.upload(
        data_file=("people.csv", "first,second\n" + "\n".join(lines)),
        dag_file=("e.csv", "parent,child\nfirst,second\n"),
    )
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    screen.visit("assess_risk")
    assert screen.errors == []
    questions = ("The other way round", "Edges to drop", "Learned structures", "Appendix J")
    for question in questions:
        screen.at.segmented_control(key="risk_question").set_value(question).run()
        shown = json.dumps([screen.sheet(key) for key in SHEETS]) + "".join(
            str(getattr(e, "value", "")) for kind in ("markdown", "caption", "dataframe", "error")
            for e in screen.at.get(kind)
        )  # fmt: skip
        assert "first" in shown
        for label in LABELS:
            assert label not in shown
        assert "people.csv" not in shown


def test_a_graph_without_parameters_is_one_sentence(open_app):
    screen = open_app().visit("load_data")
    screen.upload(
        data_file=("d.csv", "a,b\n" + "x,z\n" * 20), dag_file=("e.csv", "parent,child\na,b\n")
    )
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    screen.visit("assess_risk")
    assert len(screen.errors) == 1
    assert "no free parameters" in screen.errors[0]


def test_one_value_is_guessed_with_and_without_the_person(open_app):
    screen = page(open_app, records="600")
    screen.at.selectbox(key="risk_attribute").set_value("smoke").run()
    screen.at.button(key="risk_guess").click().run()
    screen.at.session_state["jobs"]["attribute"].wait(60)
    screen.at.run()
    assert screen.errors == []
    (shown,) = [d.value for d in screen.at.dataframe if "share right" in d.value.columns]
    shares = dict(
        zip(shown["guessed from a release"], shown["share right"].astype(float), strict=True)
    )
    most = shares["with them, at most"]
    assert 0 < shares["with them"] <= most <= 1
    assert any("guesses smoke right for" in m.value for m in screen.at.markdown)
    screen.at.selectbox(key="risk_attribute").set_value("lung").run()
    assert not [d for d in screen.at.dataframe if "share right" in d.value.columns]
