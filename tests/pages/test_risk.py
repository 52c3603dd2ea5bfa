"""Risk without a browser: complete, equal to the engine, silent about individuals."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.membership.attack import run_attack
from core.membership.bound import PublishedBound
from core.membership.curves import find, release_curves
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation
from core.scenario import Scenario
from core.study.experiments import rehearsals
from pages.ui import risk_numbers
from pages.ui.risk_board import read_limits
from pages.ui.risk_words import attack_sentence, sorted_right
from sources.networks import sample
from sources.study import sampled_study

LABELS = ("zq-never", "zq-often", "zq-always")


def page(open_app, **query):
    return open_app(**query).visit("assess_risk")


def board(screen):
    return screen.component("equipoise_risk")


def text(data):
    return "".join(part for part, _ in data["finding"])


def rows(data, group):
    return {r["key"]: r for r in data["review"]["groups"][group]["rows"]}


def with_session(screen, **changes):
    session = screen.at.session_state["session"]
    screen.at.session_state["session"] = replace(session, **changes)
    screen.at.run()
    assert not screen.at.exception
    return board(screen)


def put(screen, *found):
    """Results as a finished attack leaves them."""
    held = next(v for k, v in screen.at.session_state["computed"].items() if k[0] == "attacks")
    held.update({result.attack.release: result for result in found})
    screen.at.run()
    assert not screen.at.exception
    return board(screen)


def test_start_up_is_complete(open_app):
    screen = page(open_app)
    data = board(screen)
    assert screen.errors == []
    assert "the best attacker on this release sorts at most" in text(data)
    assert [c["key"] for c in data["roc"]["curves"]] == [
        "published", "leverage", "pure_epsilon", "composed", "noisy",
    ]  # fmt: skip
    assert {c["claim"] for c in data["roc"]["curves"]} == {"asymptotic", "heuristic", "guarantee"}
    assert set(rows(data, 0)) == {"pure_epsilon", "composed", "noisy"}
    assert set(rows(data, 1)) == {"published", "reference", "leverage"}
    assert len(data["rails"]["list"]) == 8
    assert data["graph"]["editable"]
    for view in ("roc", "accuse", "review"):
        assert "python cli.py" in dict(data[view]["details"])["Command line"]


def test_the_numbers_are_the_engines(open_app):
    data = board(page(open_app, network="alarm", eps="0.5"))
    study = sampled_study("alarm", None, records=10_000, seed=0)
    scenario = Scenario(epsilon=0.5, replicates=10)
    release = next(rehearsals("equipoise", study.network, study.counts, scenario))
    curves = release_curves(release.plan, release.noise, study.network, 10_000)
    best = find(curves, "composed")
    shown = [c["value"] for c in rows(data, 0)["composed"]["cells"]]
    assert shown == pytest.approx([*best.powers(np.array([0.001, 0.01, 0.1])), best.auc])
    assert f"at most {sorted_right(best.advantage)} correctly" in text(data)
    bound = PublishedBound(509, 10_000)
    assert rows(data, 1)["published"]["cells"][3]["value"] == pytest.approx(bound.auc)
    assert sum(b["count"] for b in data["nodes"]["bars"]) == 509


def test_alarm_shows_the_published_bound_exceeded_and_why(open_app):
    data = board(page(open_app, network="alarm"))
    curves = {c["key"]: c["found"][0] for c in data["roc"]["curves"]}
    assert curves["leverage"] > 1.5 * curves["published"]
    assert "the published bound (0.21 %) is exceeded" in data["roc"]["caption"]
    rail = next(r for r in data["rails"]["list"] if "too low" in r["finding"])
    assert rail["state"] == "look"


def test_moving_epsilon_and_the_method_moves_the_release_only(open_app):
    screen = page(open_app)
    before = board(screen)
    screen.at.number_input(key="eps").set_value(0.1).run()
    after = board(screen)
    composed = [rows(d, 0)["composed"]["cells"][0]["value"] for d in (before, after)]
    assert composed[1] < composed[0]
    assert rows(before, 1) == rows(after, 1)
    uniform = with_session(screen, method="uniform")
    assert rows(uniform, 0)["composed"]["estimate"] == "composed over 16 tables"
    staged = with_session(screen, method="data-dependent")
    assert rows(staged, 0)["composed"]["estimate"] == "two stages composed"


def test_thresholds_decide_marks_and_the_finding(open_app):
    screen = page(open_app, network="alarm")
    strict = with_session(screen, limits=(0.0015, 0.011, 0.11, 0.51))
    marks = [c["passes"] for c in rows(strict, 0)["composed"]["cells"]]
    assert marks == [False] * 4
    assert "misses four of four thresholds" in text(strict)
    loose = with_session(screen, limits=(1.0, 1.0, 1.0, 1.0))
    assert all(c["passes"] for c in rows(loose, 0)["pure_epsilon"]["cells"])
    assert "All four thresholds hold" in text(loose)
    assert "would break none" in text(loose)


@pytest.mark.parametrize(
    "sent",
    [None, [], [0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.4], [0, 0.1, 0.1, 0.6], [0.1, 0.1, True, 0.6],
     [0.1, 0.1, float("nan"), 0.6], ["a", 0.1, 0.1, 0.6], {"a": 1}],
)  # fmt: skip
def test_thresholds_that_make_no_sense_are_ignored(sent):
    assert read_limits(sent) is None
    assert read_limits([0.001, 0.01, 1, 0.5]) == (0.001, 0.01, 1.0, 0.5)


def test_an_attack_no_better_than_guessing_is_a_result(open_app):
    screen = page(open_app, network="alarm", eps="0.1", records="1000")
    with_session(screen, method="uniform")
    model = sample("alarm").model
    population = ModelPopulation(model)
    found = [
        run_attack(population, model.network, Attack(r, 1000, 10), Scenario(epsilon=0.1))
        for r in ("uniform", "exact")
    ]
    data = put(screen, *found)
    assert found[0].guessing
    assert not found[1].guessing
    assert "is no better than guessing" in data["review"]["caption"]
    assert data["accuse"]["guessing"] is True
    assert {m["about"] for m in data["roc"]["measured"]} == {"release", "exact"}
    own = rows(data, 0)["uniform"]
    assert own["claim"] == "measured"
    assert own["cells"][3]["value"] == found[0].auc.mean
    assert attack_sentence(found[0]) in data["review"]["caption"]
    assert "of members alone in a cell" in data["review"]["caption"]


def test_one_click_attacks_release_exact_and_smoothed_in_steps():
    study = sampled_study("asia", None, records=100, seed=0)
    from pages.ui.inputs import Choice

    choice = Choice(study, study.network, Scenario())
    attacks = risk_numbers.planned(choice, "uniform", 20)
    assert [a.release for a in attacks] == ["uniform", "exact", "smoothed"]
    found = {}
    steps = sum(1 for _ in risk_numbers.work(choice, attacks, found))
    assert steps == risk_numbers.steps_of(attacks) == 12
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
    assert board(screen)["graph"]["edited"]


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
        shown = json.dumps(board(screen)) + "".join(
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
        data_file=("d.csv", "a,b\n" + "x,y\n" * 20), dag_file=("e.csv", "parent,child\na,b\n")
    )
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    screen.visit("assess_risk")
    assert len(screen.errors) == 1
    assert "no free parameters" in screen.errors[0]
