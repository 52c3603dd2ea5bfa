"""Release without a browser: computed lines, reasons that lapse, rehearsal, audit."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.scenario import Scenario
from pages.ui import release_rehearse
from pages.ui.release_board import read_override
from pages.ui.release_words import plain
from release.account import Account
from release.checklist import review
from release.facts import Facts, Statements
from release.proposal import Proposal
from release.review.request import Reason, Request
from release.review.reviewed import reviewed
from sources.study import sampled_study
from tests.pages.releasing import (
    ROWS,
    confirm,
    everything,
    finding,
    lines,
    overrule,
    page,
    spend_button,
    stated,
    uploaded,
)

SAMPLES = Path(__file__).parent.parent.parent / "sample_networks"


def test_start_up_is_complete_and_looking_makes_no_file(open_app, ledger):
    screen = page(open_app, network="alarm")
    assert screen.errors == []
    assert "All 14 checks pass. Publishing would spend ε = 1 of the 4 left" in finding(screen)
    assert "A demonstration with public, sampled records" in finding(screen)
    assert screen.component("equipoise_release")["badge"].startswith("Release: spends budget")
    plan = dict(screen.component("equipoise_plan")["plan"]["rows"])
    assert plan["Tables"] == "20 histograms, 4 to 108 cells"
    assert plan["Proved sum"] == "ε = 1, at most 1"
    exact = screen.component("equipoise_exact")["views"][0]
    parts = sum(Fraction(row[3]) for row in exact["rows"])
    assert 1 - Fraction(1, 10**12) < parts <= 1
    assert str(parts) in exact["caption"]
    assert "Undo does not exist" in screen.component("equipoise_plan")["meter"]["caption"]
    assert screen.component("equipoise_paper")["html"].startswith("<!doctype html>")
    assert not ledger.parent.exists()


def test_the_lines_are_the_engines(open_app):
    shown = lines(page(open_app, eps="0.5"))
    study = sampled_study("asia", None, records=10_000, seed=0)
    facts = Facts.of(study, Statements(unit="made-up person"), Neighbours.ADD_REMOVE)
    account = Account("asia sample", [], Fraction(4), Fraction(1, 10**6), Neighbours.ADD_REMOVE)
    proposal = Proposal(
        facts=facts, method="equipoise", scenario=Scenario(epsilon=0.5), account=account
    )
    expected = review(proposal).lines
    assert list(shown) == [line.key for line in expected]
    for line in expected:
        assert shown[line.key]["number"] == line.number
        assert shown[line.key]["state"] == line.state


def test_statements_open_the_way_and_no_private_number_is_shown(open_app):
    screen = uploaded(open_app, eps="0.2")
    failing = [key for key, line in lines(screen).items() if line["state"] == "fail"]
    assert failing == ["structure", "records", "unit", "budget"]
    assert "no budget for these data is stated yet" in finding(screen)
    assert spend_button(screen).disabled
    stated(screen)
    assert [k for k, line in lines(screen).items() if line["state"] == "fail"] == []
    shown = everything(screen)
    assert "1,200 records" in shown
    assert str(ROWS) not in shown and f"{ROWS:,}" not in shown
    assert "people.csv" not in shown


def test_a_bad_statement_is_one_sentence_and_blocks(open_app):
    screen = uploaded(open_app, eps="0.2")
    for change, said in (
        ({"name": "  "}, "have no name in the ledger yet"),
        ({"budget": 0.0}, "no budget for these data is stated yet"),
        ({"budget": 0.1}, "only 0.1 is left on these data: refused"),
    ):
        confirm(stated(screen, **change), "0.2")
        words = finding(screen) + "".join(w.value for w in screen.at.warning)
        assert said in words.replace("\\", "")
        assert spend_button(screen).disabled
    confirm(stated(screen), "0.2")
    assert not spend_button(screen).disabled


def test_states_read_off_the_records_block_until_a_reason_is_written(open_app):
    screen = stated(uploaded(open_app, schema=None, eps="0.2"))
    assert lines(screen)["domain"]["state"] == "fail"
    overrule(screen, "domain", "bins")
    assert lines(screen)["domain"]["reason"] == "agreed on 3 May"
    assert "All 14 checks pass" in finding(screen)
    assert "agreed on 3 May" in screen.component("equipoise_paper")["html"]


def test_a_graph_learned_privately_is_charged_and_one_learned_otherwise_blocks(open_app):
    screen = stated(uploaded(open_app, eps="0.2"))
    here = len(screen.at.session_state["release_slots"]) - 1
    graph = screen.at.selectbox(key=f"release_graph_{here}")
    graph.set_value("private").run()
    screen.at.number_input(key=f"release_graph_epsilon_{here}").set_value(0.3).run()
    assert lines(screen)["structure"]["state"] == "pass"
    assert "spend ε = 0.5 of the 1.5 left" in finding(screen)
    screen.at.selectbox(key=f"release_graph_{here}").set_value("rows").run()
    assert lines(screen)["structure"]["state"] == "fail"
    assert "spend ε = 0.2 of" in finding(screen)


def test_a_sample_above_the_limits_of_risk_is_noted_and_not_blocked(open_app):
    found = lines(page(open_app))["risk"]
    assert (found["state"], "the records are made up" in found["sentence"]) == ("note", True)


def test_a_reason_holds_for_the_finding_it_was_written_about(open_app):
    screen = overrule(stated(uploaded(open_app, eps="1"), budget=4), "risk")
    assert "All 14 checks pass" in finding(screen)
    screen.at.number_input(key="eps").set_value(2.0).run()
    assert lines(screen)["risk"]["reason"] == ""
    assert "13 of 14 checks pass" in finding(screen)
    confirm(screen, "2")
    assert spend_button(screen).disabled


@pytest.mark.parametrize("sent", [None, "risk", {"key": "risk"}, {"key": "x", "reason": "y"},
                                  {"key": ["risk"], "reason": "y"}])  # fmt: skip
def test_only_reasons_for_known_lines_are_read(sent):
    assert read_override(sent, {"risk"}) is None
    assert read_override({"key": "risk", "reason": "why"}, {"risk"}) == ("risk", "why")


def test_blank_reasons_and_final_lines_are_not_overridden():
    study = sampled_study("asia", None, records=100, seed=0)
    request = Request(study=study, method="uniform", scenario=Scenario())
    found = reviewed(request, None).checklist
    budget = next(line for line in found.lines if line.key == "budget")
    assert budget.final
    written = Reason("budget", "why not", budget.number, budget.sentence)
    assert reviewed(replace(request, reasons=(written,)), None).checklist == found
    for blank in ("", "  ", "--- !"):
        with pytest.raises(EquipoiseError, match="blank"):
            found.override("unit", blank)


def test_looks_at_errors_on_the_rows_are_counted(open_app):
    screen = stated(uploaded(open_app, eps="0.2"))
    assert lines(screen)["rehearsed"]["number"] == "0 rehearsals"
    screen.visit("explore_tradeoff")
    screen.visit("review_release")
    assert lines(screen)["rehearsed"]["state"] == "fail"
    assert lines(screen)["rehearsed"]["number"] == "1 study run"
    screen.at.button(key="rehearse_run").click().run()
    screen.at.session_state["jobs"]["release_rehearsal"].wait(30)
    screen.at.run()
    found = lines(screen)["rehearsed"]
    assert found["state"] == "note"
    assert "uniformly random tables" in found["sentence"]
    said = "".join(t for t, _ in screen.component("equipoise_rehearsed")["finding"])
    assert "No private record was looked at" in said
    screen.at.number_input(key="eps").set_value(0.3).run()
    assert screen.component("equipoise_rehearsed") is None  # another ε, another rehearsal


def test_a_rehearsal_needs_a_public_number_of_records_and_the_same_variables(open_app):
    screen = uploaded(open_app)
    screen.at.button(key="rehearse_run").click().run()
    assert any("public number of records" in e for e in screen.errors)
    screen.at.selectbox(key="rehearse_kind").set_value(release_rehearse.FILE).run()
    assert screen.at.button(key="rehearse_run").disabled
    other = (SAMPLES / "asia.bif").read_bytes()
    screen.at.file_uploader(key="rehearse_file").set_value(("asia.bif", other, "text/plain")).run()
    screen.at.button(key="rehearse_run").click().run()
    assert any("over the same variables" in e for e in screen.errors)


def test_a_planted_bug_is_caught_and_is_no_audit_of_the_method(open_app):
    screen = page(open_app)
    screen.at.selectbox(key="audit_trials").set_value(4_000)
    screen.at.selectbox(key="audit_bug").set_value("half-noise").run()
    screen.at.button(key="audit_run").click().run()
    screen.at.session_state["jobs"]["release_audit"].wait(60)
    screen.at.run()
    found = screen.component("equipoise_audited")
    assert found["title"] == "The claim is broken"
    assert max(row["bound"] for row in found["rows"]) > found["claim"] == 1
    assert lines(screen)["audited"]["number"] == "0 trials"
    screen.at.selectbox(key="audit_bug").set_value("").run()
    assert screen.component("equipoise_audited") is None


def test_the_study_section_is_off_and_enters_the_dossier_only_when_asked(open_app):
    screen = page(open_app)

    def paper():
        return screen.component("equipoise_paper")["html"]

    assert not screen.at.dataframe
    screen.at.toggle(key="study_shown_0").set_value(True).run()
    assert len(screen.at.dataframe[0].value) == 8
    assert "Study section: private" not in paper()
    screen.at.toggle(key="study_included_0").set_value(True).run()
    assert "Study section: private" in paper()
    screen.at.toggle(key="study_shown_0").set_value(False).run()
    assert "Study section: private" not in paper()


def test_thresholds_are_those_of_risk(open_app):
    screen = page(open_app)
    field = next(n for n in screen.at.number_input if n.label == "AUC, at most")
    field.set_value(0.9).run()
    assert screen.at.session_state["session"].limits[3] == 0.9
    assert "AUC" not in lines(screen)["risk"]["sentence"]


def test_names_from_files_are_shown_letter_by_letter():
    assert plain("![x](http://a) *b*") == r"\!\[x\]\(http\://a\) \*b\*"
