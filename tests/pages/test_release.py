"""Release without a browser: computed lines, reasons that lapse, one payment for one click."""

import json
import threading
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.scenario import Scenario
from pages.ui import release_place, release_publish
from pages.ui.release_board import read_override
from pages.ui.release_numbers import Reason, with_reasons
from pages.ui.release_publish import confirmed
from pages.ui.release_words import plain
from release.account import Account
from release.checklist import review
from release.ledger import Ledger
from release.proposal import Facts, Proposal, Statements
from release.publish import publish
from sources.study import sampled_study

EDGES = ("e.csv", "parent,child\nfirst,second\n")
SCHEMA = ("s.json", json.dumps({"columns": [
    {"name": "first", "states": ["zq-no", "zq-yes"]},
    {"name": "second", "states": ["zq-no", "zq-yes"]},
]}))  # fmt: skip
ROWS = 1237


@pytest.fixture(autouse=True)
def ledger(monkeypatch, tmp_path):
    """A ledger of its own in a directory that is not there yet."""
    path = tmp_path / "new" / "ledger.sqlite"
    monkeypatch.setenv(release_place.VARIABLE, str(path))
    return path


def records(seed=0):
    picked = np.random.default_rng(seed).integers(0, 2, (ROWS, 2))
    lines = [",".join("zq-yes" if v else "zq-no" for v in row) for row in picked]
    return ("people.csv", "first,second\n" + "\n".join(lines))


QUICK = {"network": "figure-one", "records": "100", "replicates": "10"}
"""A first screen that costs little; what is tested comes after it."""


def page(open_app, **query):
    return open_app(**{"replicates": "10", **query}).visit("review_release")


def uploaded(open_app, schema=SCHEMA, seed=0, **query):
    screen = open_app(**QUICK, **query).visit("load_data")
    files = {"data_file": records(seed), "dag_file": EDGES}
    screen.upload(**files, **({"schema_file": schema} if schema else {}))
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    return screen.visit("review_release")


def stated(screen, name="visits", budget=1.5, unit="person", records=1200):
    at, here = screen.at, len(screen.at.session_state["release_slots"]) - 1
    at.text_input(key=f"release_name_{here}").set_value(name)
    at.number_input(key=f"release_budget_{here}").set_value(budget)
    at.text_input(key=f"release_unit_{here}").set_value(unit)
    at.number_input(key=f"release_records_{here}").set_value(records)
    at.run()
    return screen


def lines(screen):
    return {line["key"]: line for line in screen.component("equipoise_checks")["lines"]}


def finding(screen):
    return "".join(text for text, _ in screen.component("equipoise_release")["finding"])


def everything(screen):
    """All that the page sends to the browser, except the frame's sidebar."""
    boards = [e.proto.json for e in screen.at.get("bidi_component")]
    texts = [str(getattr(e, "value", "")) for kind in ("markdown", "warning", "error", "dataframe")
             for e in screen.at.main.get(kind)]  # fmt: skip
    return "".join([*boards, *texts, *(c.value for c in screen.at.main.caption)])


def overrule(screen, *keys):
    """Reasons as the checklist's board sends them."""
    shown = lines(screen)
    kept = {k: Reason(shown[k]["number"], shown[k]["sentence"], "agreed on 3 May") for k in keys}
    here = len(screen.at.session_state["release_slots"]) - 1
    screen.at.session_state["release_reasons"] = {here: kept}
    screen.at.run()
    return screen


def confirm(screen, typed="1"):
    box = next(c for c in screen.at.checkbox if "read the dossier" in c.label)
    box.check()
    next(t for t in screen.at.text_input if t.label.startswith("Type the")).set_value(typed)
    screen.at.run()
    return screen


def spend_button(screen):
    return next(b for b in screen.at.button if b.label.startswith("Spend "))


def published(screen):
    """Click, wait for the job, see the page it leaves."""
    spend_button(screen).click().run()
    screen.at.session_state["jobs"]["release_publish"].wait(30)
    screen.at.run()
    assert not screen.at.exception
    return screen


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
    assert failing == ["records", "unit", "budget"]
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
        ({"records": 9}, "not near the number of records"),
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


def test_a_reason_holds_for_the_finding_it_was_written_about(open_app):
    screen = overrule(page(open_app), "risk")
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


def test_blank_reasons_and_final_lines_are_not_overridden(open_app):
    study = sampled_study("asia", None, records=100, seed=0)
    facts = Facts.of(study, Statements(), Neighbours.ADD_REMOVE)
    found = review(Proposal(facts=facts, method="uniform", scenario=Scenario()))
    budget = next(line for line in found.lines if line.key == "budget")
    assert budget.final
    written = {"budget": Reason(budget.number, budget.sentence, "why not")}
    assert with_reasons(found, written) == found
    for blank in ("", "  ", "--- !"):
        with pytest.raises(EquipoiseError, match="blank"):
            found.override("unit", blank)


@pytest.mark.parametrize(
    ("read", "typed", "said"),
    [
        (False, "1", "Read the dossier"),
        (True, " ", "Type 1"),
        (True, "one", "not a number"),
        (True, "1/0", "not a number"),
        (True, "0.5", "You typed 0.5, and this release costs 1"),
        (True, "1.0", ""),
        (True, "1,0", ""),
        (True, "1", ""),
    ],
)
def test_the_price_is_typed(read, typed, said):
    found = confirmed(read, typed, Fraction(1))
    assert said in found
    assert bool(found) == bool(said)


def test_one_click_pays_once_and_a_rerun_draws_nothing(open_app, ledger):
    screen = confirm(stated(uploaded(open_app, eps="1"), budget=1.5))
    overrule(screen, "risk")
    published(confirm(screen))
    entries = Ledger(ledger).accounts()[0].lines
    assert [(str(e.epsilon), e.state) for e in entries] == [("1", "complete")]
    assert "Risk is below the thresholds: agreed on 3 May" in entries[0].override
    done = screen.at.session_state["release_outcomes"]
    first = next(iter(done.values()))[0].published
    assert any(f"Released {first.id}" in m.value for m in screen.at.markdown)
    assert {f.name for f in first.files} == {"model.bif", "model.json", "dossier.html",
                                             "dossier.json"}  # fmt: skip
    for _ in range(2):
        screen.at.run()
    assert len(Ledger(ledger).accounts()[0].lines) == 1
    assert "only 0.5 is left on these data: refused" in finding(screen)
    assert lines(screen)["budget"]["final"]
    assert spend_button(screen).disabled
    assert any("A further one costs ε = 1 again" in c.value for c in screen.at.caption)
    assert not any(b.label.startswith("Spend 0.5") for b in screen.at.button)
    screen.at.number_input(key="eps").set_value(0.5).run()
    assert lines(screen)["budget"]["state"] == "pass"


def test_while_a_release_is_made_there_is_nothing_to_click(open_app, ledger, monkeypatch):
    orders, go = [], threading.Event()

    def slow(order, *rest, **more):
        orders.append(order.token)
        go.wait(20)
        return publish(order, *rest, **more)

    monkeypatch.setattr(release_publish, "publish", slow)
    screen = overrule(page(open_app), "risk")
    confirm(screen)
    spend_button(screen).click().run()
    job = screen.at.session_state["jobs"]["release_publish"]
    assert job.alive
    assert not any(b.label.startswith("Spend ") for b in screen.at.button)
    screen.at.run()
    go.set()
    job.wait(30)
    screen.at.run()
    assert len(orders) == 1
    assert len(next(iter(screen.at.session_state["release_outcomes"].values()))) == 1
    assert not ledger.exists()  # public records: the session's own ledger
    assert lines(screen)["budget"]["number"] == "3 left"


def test_one_session_sees_nothing_of_another_but_that_a_name_is_taken(open_app, ledger):
    first = overrule(stated(uploaded(open_app, seed=1), name="clinic north"), "risk")
    published(confirm(first))
    other = stated(uploaded(open_app, seed=2), name="clinic south")
    assert "clinic north" not in everything(other)
    assert lines(other)["budget"]["number"] == "1.5 left"
    stated(other, name="clinic north")
    told = [w.value.replace("\\", "") for w in other.at.warning]
    assert any("belongs to other data" in text for text in told)
    shown = screen_without(everything(other), "clinic north")
    assert "complete" not in shown and "0.5 left" not in shown
    again = uploaded(open_app, seed=1)
    assert again.at.text_input(key="release_name_known_0").value == "clinic north"
    assert lines(again)["budget"]["number"] == "0.5 left"
    assert again.at.get("download_button")
    assert not any("Released" in m.value for m in again.at.markdown)


def screen_without(text, name):
    """What is left besides the name that this visitor typed."""
    return text.replace(name, "")


@pytest.mark.parametrize("kind", ["garbage", "directory", "parent is a file"])
def test_a_ledger_that_cannot_be_used_is_one_sentence(open_app, ledger, monkeypatch, kind):
    if kind == "parent is a file":
        ledger.parent.write_text("", encoding="utf-8")
    else:
        ledger.parent.mkdir()
        ledger.mkdir() if kind == "directory" else ledger.write_bytes(b"not a database" * 99)
    screen = confirm(stated(uploaded(open_app, eps="0.2")), "0.2")
    if kind == "parent is a file":  # nothing to read: said when it would be written
        published(screen)
        assert any("cannot hold a ledger" in e.replace("\\", "") for e in screen.errors)
        return
    assert spend_button(screen).disabled
    assert any("ledger" in w.value for w in screen.at.warning)
    assert lines(screen)["budget"]["state"] == "fail"


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


def test_a_rehearsal_needs_a_public_number_of_records(open_app):
    screen = uploaded(open_app)
    screen.at.button(key="rehearse_run").click().run()
    assert any("public number of records" in e for e in screen.errors)


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


def test_the_ledger_is_named_by_the_environment_or_lies_in_the_data_directory(
    monkeypatch, tmp_path
):
    assert release_place.default_path().name == "ledger.sqlite"
    monkeypatch.delenv(release_place.VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert release_place.default_path() == tmp_path / "equipoise" / "ledger.sqlite"


def test_names_from_files_are_shown_letter_by_letter():
    assert plain("![x](http://a) *b*") == r"\!\[x\]\(http\://a\) \*b\*"
