"""Release without a browser: computed lines, reasons that lapse, rehearsal, audit."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.scenario import Scenario
from pages.ui.release import rehearse
from release.ledger.account import Account
from release.review.checklist import review
from release.review.facts import Facts, Statements
from release.review.proposal import Proposal
from release.review.request import Reason, Request
from release.review.reviewed import reviewed
from sources.study import sampled_study
from tests.pages.releasing import (
    ROWS,
    confirm,
    everything,
    finding,
    letters,
    lines,
    overrule,
    page,
    paper,
    spend_button,
    stated,
    uploaded,
)

SAMPLES = Path(__file__).parent.parent.parent / "sample_networks"


def sheets(screen):
    """Keys of all that is drawn by the component."""
    return " ".join(e.proto.id for e in screen.at.get("bidi_component"))


def test_start_up_is_complete_and_looking_makes_no_file(open_app, ledger):
    screen = page(open_app, network="alarm")
    assert screen.errors == []
    assert "14 of 15 checks pass, one has a remark. Publishing would spend ε = 1 of the 4 left" in (
        finding(screen)
    )
    assert "A demonstration with public, sampled records" in finding(screen)
    assert screen.sheet("release_top")["badge"].startswith("Release: spends budget")
    plans = screen.sheet("release_plan")
    plan = dict(zip(*plans["plan"]["table"]["columns"], strict=True))
    assert plan["Tables"] == "20 histograms, 4 to 108 cells"
    assert plan["Proved sum"] == "ε = 1, at most 1"
    parts = sum(Fraction(part) for part in screen.at.dataframe[0].value["ε, exact"])
    assert 1 - Fraction(1, 10**12) < parts <= 1
    assert any(str(parts) in letters(c.value) for c in screen.at.caption)
    assert "Undo does not exist" in plans["meter"]["caption"]
    assert paper(screen).startswith("<!doctype html>")
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
    overrule(screen, "domain")
    assert lines(screen)["domain"]["reason"] == "agreed on 3 May (signed: Ana Kim)"
    assert "one passes for a written reason. " in finding(screen)
    assert "All 14" not in finding(screen)
    assert "agreed on 3 May" in paper(screen)
    screen.at.button(key="withdraw_domain").click().run()
    assert lines(screen)["domain"]["reason"] == ""
    assert "one fails. " in finding(screen)


def test_a_short_reason_is_refused_at_its_line(open_app):
    screen = stated(uploaded(open_app, schema=None, eps="0.2"))
    overrule(screen, "domain", reason="x")
    assert lines(screen)["domain"]["reason"] == ""
    (said,) = screen.errors
    assert "Not recorded: The reason for an override is 'x', too short" in letters(said)
    assert spend_button(confirm(screen, "0.2")).disabled
    overrule(screen, "domain")
    assert screen.errors == []
    assert lines(screen)["domain"]["reason"] == "agreed on 3 May (signed: Ana Kim)"


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
    assert "one passes for a written reason. " in finding(screen)
    screen.at.number_input(key="eps").set_value(2.0).run()
    assert lines(screen)["risk"]["reason"] == ""
    assert "one fails. " in finding(screen)
    confirm(screen, "2")
    assert spend_button(screen).disabled


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
            found.override("unit", blank, "Ana Kim")


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
    assert any("No private record was looked at" in letters(m.value) for m in screen.at.markdown)
    assert "release_rehearsed" in sheets(screen)
    screen.at.number_input(key="eps").set_value(0.3).run()
    assert "release_rehearsed" not in sheets(screen)  # another ε, another rehearsal


def test_a_rehearsal_needs_a_public_number_of_records_and_the_same_variables(open_app):
    screen = uploaded(open_app)
    screen.at.button(key="rehearse_run").click().run()
    assert any("public number of records" in e for e in screen.errors)
    screen.at.selectbox(key="rehearse_kind").set_value(rehearse.FILE).run()
    assert screen.at.button(key="rehearse_run").disabled
    other = (SAMPLES / "asia.bif").read_bytes()
    screen.at.file_uploader(key="rehearse_file").set_value(("asia.bif", other, "text/plain")).run()
    screen.at.button(key="rehearse_run").click().run()
    assert any("over the same variables" in e for e in screen.errors)


def test_a_planted_bug_is_caught_and_is_no_audit_of_the_method(open_app):
    screen = page(open_app)
    screen.at.selectbox(key="audit_trials").set_value(4_000)
    screen.at.selectbox(key="audit_bug_4").set_value("half-noise").run()
    screen.at.button(key="audit_run").click().run()
    screen.at.session_state["jobs"]["release_audit"].wait(60)
    screen.at.run()
    found = screen.sheet("release_audited")["audited"]
    assert found["title"] == "The claim is broken"
    _, bounds, claims = found["table"]["columns"]
    assert max(bounds) > claims[0] == 1
    assert lines(screen)["audited"]["number"] == "0 trials"
    screen.at.selectbox(key="audit_bug_4").set_value("").run()
    assert "release_audited" not in sheets(screen)


def test_the_study_section_is_off_and_enters_the_dossier_only_when_asked(open_app):
    screen = page(open_app)
    assert len(screen.at.dataframe) == 1  # the plan's tables
    screen.at.toggle(key="study_shown_0").set_value(True).run()
    assert len(screen.at.dataframe[1].value) == 8
    assert "Study section: private" not in paper(screen)
    screen.at.toggle(key="study_included_0").set_value(True).run()
    assert "Study section: private" in paper(screen)
    screen.at.toggle(key="study_shown_0").set_value(False).run()
    assert "Study section: private" not in paper(screen)


def test_thresholds_are_those_of_risk(open_app):
    screen = page(open_app)
    field = next(n for n in screen.at.number_input if n.label == "AUC, at most")
    field.set_value(0.9).run()
    assert screen.at.session_state["session"].limits[3] == 0.9
    assert "AUC" not in lines(screen)["risk"]["sentence"]


def test_inside_of_what_would_pass_nothing_fails(open_app):
    screen = stated(uploaded(open_app, eps="3"), budget=4)
    assert {key for key, line in lines(screen).items() if line["state"] == "fail"} == {"risk"}
    screen.at.toggle(key="release_passing").set_value(True).run()
    (told,) = [letters(i.value) for i in screen.at.info if "What would pass" in letters(i.value)]
    assert "no record was looked at" in told
    low, high = re.search(r"any ε from ([\d.]+) to ([\d.]+)\. ", told).groups()
    for epsilon, failing in ((low, False), (high, False), (float(high) + 0.01, True)):
        screen.at.number_input(key="eps").set_value(float(epsilon)).run()
        assert any(line["state"] == "fail" for line in lines(screen).values()) == failing


def test_a_reason_without_a_name_is_refused_at_its_line(open_app):
    screen = stated(uploaded(open_app, schema=None, eps="0.2"))
    overrule(screen, "domain", signed=" ")
    assert lines(screen)["domain"]["reason"] == ""
    (said,) = screen.errors
    assert "write the name of who gives it" in letters(said)
