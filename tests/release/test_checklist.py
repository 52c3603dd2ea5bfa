"""The checklist: every line in every state, what blocks, and what a written reason may do."""

import functools
from dataclasses import asdict, replace
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.membership.curves import release_curves
from core.membership.guardrails import Guardrail
from core.methods.registry import METHODS
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit.auditing import Ask, audit
from release.ledger.account import PaidItem as Entry
from release.ledger.spending import learned_graph
from release.published import Receipt
from release.review.checklist import CHECKS, NAME_LIMIT, REASON_LIMIT, Checklist, review
from release.review.facts import Facts, Line, Statements, study_lines
from release.review.standin import random_tables, rehearsing
from release.review.thresholds import Thresholds
from sources.study import sampled_study, uploaded_study
from tests.release.reviewing import account, private_study, proposal

STUDY = private_study()
PERSON = Statements(unit="person", records=1000, graph="known")
EPSILON = {e: Scenario(epsilon=e) for e in (0.3, 1.0, 2.0, 12.0)}
GAUSSIAN = Scenario(epsilon=1.0, options=Options(delta=1e-6))
LOOSE = Scenario(epsilon=1.0, options=Options(delta=0.01))
SPENT = Entry(
    "1", "release", "then", "uniform", Fraction(7, 2), Fraction(0), "complete", True,
    Receipt(1, "a" * 64),
)  # fmt: skip


def of(study=STUDY, **changes):
    return Facts.of(replace(study, **changes), PERSON, Neighbours.ADD_REMOVE)


def stated_domain():
    said = replace(PERSON, domain="public")
    return Facts.of(replace(STUDY, declared=False), said, Neighbours.ADD_REMOVE)


def edited():
    kept = STUDY.network.parents[:-1]
    return Network(STUDY.network.variables, (*kept, ()))


@functools.cache
def rehearsed(method="equipoise", by=""):
    scenario = Scenario(epsilon=1.0, replicates=8)
    *_, last = rehearsing(random_tables(STUDY.network), method, scenario, records=500, by=by)
    return last


@functools.cache
def audited(bug=""):
    return audit(Ask(method="equipoise", scenario=EPSILON[1.0], trials=1000, bug=bug))


CASES = [
    ("domain", "pass", {}),
    ("domain", "fail", {"facts": of(inferred=True)}),
    ("domain", "fail", {"facts": of(declared=False)}),
    ("domain", "pass", {"facts": stated_domain()}),
    ("domain", "fail", {"facts": of(seen=("smoke",))}),
    ("domain", "pass", {"facts": of(known_from=(("smoke", "form B-7"),))}),
    ("bins", "fail", {"facts": of(binned=("smoke",), seen=("smoke",))}),
    ("missing", "note", {"facts": of(missing="columns")}),
    ("unit", "pass", {"facts": of(unit="patient")}),
    ("unit", "fail", {"facts": of(unit="patient", per_unit=2),
                      "scenario": Scenario(epsilon=0.3, neighbours=Neighbours.REPLACE)}),
    ("unit", "note", {"facts": of(unit="patient", per_unit=2), "scenario": EPSILON[0.3]}),
    ("bins", "pass", {}),
    ("bins", "pass", {"facts": of(binned=("smoke",))}),
    ("bins", "fail", {"facts": of(inferred=True)}),
    ("structure", "pass", {}),
    ("structure", "pass", {"stated": replace(PERSON, graph="private", graph_epsilon=0.1)}),
    ("structure", "fail", {"stated": replace(PERSON, graph="rows")}),
    ("structure", "fail", {"stated": replace(PERSON, graph="")}),
    ("structure", "fail", {"facts": of(graph="rehearsed", spent=0.5)}),
    ("structure", "fail", {"network": edited()}),
    ("missing", "pass", {}),
    ("missing", "pass", {"facts": of(missing="state")}),
    ("missing", "note", {"facts": of(missing="drop")}),
    ("missing", "fail", {"facts": of(missing="")}),
    ("records", "pass", {}),
    ("records", "pass", {"stated": Statements(unit="person"),
                         "scenario": Scenario(neighbours=Neighbours.REPLACE)}),
    ("records", "fail", {"stated": Statements(unit="person")}),
    ("unit", "pass", {}),
    ("unit", "fail", {"stated": Statements(records=1000)}),
    ("unit", "note", {"stated": replace(PERSON, per_unit=3), "scenario": EPSILON[0.3]}),
    ("unit", "fail", {"stated": replace(PERSON, per_unit=3)}),
    ("guarantee", "pass", {}),
    ("guarantee", "pass", {"method": "equipoise-zcdp", "scenario": GAUSSIAN}),
    ("guarantee", "fail", {"method": "equipoise-zcdp", "scenario": LOOSE}),
    ("guarantee", "fail", {"method": "equipoise-zcdp", "stated": Statements(unit="person")}),
    ("guarantee", "fail", {"method": "exact"}),
    ("guarantee", "fail", {"scenario": Scenario(epsilon=float("inf"))}),
    ("plan", "pass", {}),
    ("plan", "pass", {"method": "data-dependent-icml"}),
    ("plan", "fail", {"method": "exact"}),
    ("usual", "pass", {}),
    ("usual", "note", {"scenario": EPSILON[2.0]}),
    ("usual", "note", {"account": account(10, [SPENT])}),
    ("usual", "fail", {"scenario": EPSILON[12.0]}),
    ("budget", "pass", {}),
    ("budget", "fail", {"account": None}),
    ("budget", "fail", {"account": account(4, [SPENT])}),
    ("budget", "fail", {"account": account(neighbours=Neighbours.REPLACE)}),
    ("budget", "fail", {"method": "equipoise-zcdp", "scenario": LOOSE}),
    ("risk", "pass", {"scenario": EPSILON[0.3]}),
    ("risk", "fail", {"scenario": EPSILON[2.0]}),
    ("risk", "fail", {"method": "exact"}),
    ("error", "pass", {"thresholds": Thresholds(noise=0.5)}),
    ("error", "fail", {"thresholds": Thresholds(noise=1e-6)}),
    ("error", "note", {"stated": Statements(unit="person")}),
    ("error", "note", {"method": "exact"}),
    ("error", "fail", {"method": "data-dependent-icml"}),
    ("error", "pass", {"method": "uniform", "rehearsal": rehearsed("uniform"),
                       "thresholds": Thresholds(noise=0.5)}),
    ("error", "fail", {"method": "uniform", "rehearsal": rehearsed("uniform"),
                       "thresholds": Thresholds(noise=0.5, row_error=1e-6)}),
    ("error", "fail", {"method": "data-dependent-icml", "thresholds": Thresholds(row_error=1e-6),
                       "rehearsal": rehearsed("data-dependent-icml")}),
    ("error", "pass", {"method": "data-dependent-icml", "thresholds": Thresholds(row_error=2),
                       "rehearsal": rehearsed("data-dependent-icml")}),
    ("groups", "pass", {"thresholds": Thresholds(group_error=0.5)}),
    ("groups", "fail", {"thresholds": Thresholds(group=1e-4)}),
    ("groups", "note", {"stated": Statements(unit="person")}),
    ("groups", "note", {"method": "exact"}),
    ("groups", "note", {"method": "data-dependent-icml"}),
    ("groups", "fail", {"method": "data-dependent-icml", "thresholds": Thresholds(row_error=1e-6),
                        "rehearsal": rehearsed("data-dependent-icml", by="smoke")}),
    ("groups", "pass", {"method": "data-dependent-icml", "thresholds": Thresholds(row_error=2),
                        "rehearsal": rehearsed("data-dependent-icml", by="smoke")}),
    ("rehearsed", "pass", {"rehearsal": rehearsed()}),
    ("rehearsed", "note", {"rehearsal": rehearsed(), "study_runs": 2}),
    ("rehearsed", "note", {}),
    ("rehearsed", "fail", {"study_runs": 6}),
    ("rehearsed", "pass", {"study": sampled_study("asia", None, records=1000, seed=0),
                           "study_runs": 6}),
    ("audited", "note", {}),
    ("audited", "pass", {"audit": audited()}),
    ("audited", "fail", {"audit": audited("observed-cells")}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "state", "asked"), CASES)
def test_each_line_is_computed(key, state, asked):
    line = next(line for line in review(proposal(**asked)).lines if line.key == key)
    assert line.state == state, line
    assert line.number
    assert line.sentence
    assert not line.sentence.endswith(".")
    assert line.advice or state != "fail"
    assert line.basis != "study"


def test_every_check_has_a_case_in_which_it_fails():
    keys = {check.__name__ for check in CHECKS}
    assert keys == {line.key for line in review(proposal()).lines}
    assert keys == {key for key, state, _ in CASES if state == "fail"}


@pytest.mark.parametrize("method", METHODS)
def test_no_line_depends_on_the_records(method):
    """Same public facts, other records: the same list, word for word."""
    lists = []
    for seed in (1, 2):
        study = replace(sampled_study("asia", None, records=1000, seed=seed), sampled=False)
        lists.append(review(proposal(study, method=method)))
    assert lists[0] == lists[1]


def test_the_risk_is_that_of_the_noise_that_a_release_draws():
    """A release draws whole numbers; their loss is larger than that of rehearsed Laplace noise."""
    found = proposal(method="uniform")
    rehearsed_curves = release_curves(found.planned.plan, "laplace", found.facts.network, 1000, 0.0)
    alarms = np.array([0.01, 0.1])
    assert (found.curve.powers(alarms) > rehearsed_curves[1].powers(alarms)).all()


def test_a_unit_of_several_records_costs_as_many_times():
    one, three = (proposal(stated=replace(PERSON, per_unit=k)) for k in (1, 3))
    assert three.unit_budget == (3 * one.unit_budget[0], 0.0)
    assert three.curve.auc > one.curve.auc
    zcdp = proposal(method="equipoise-zcdp", stated=replace(PERSON, per_unit=2))
    assert zcdp.unit_budget[1] == pytest.approx(1e-6 * (1 + np.e))


def test_a_failed_line_blocks_until_a_reason_is_written():
    mild = Thresholds(noise=0.5, powers=(0.9,) * 3, auc=0.99)
    found = review(proposal(facts=of(inferred=True), thresholds=mild))
    assert [line.key for line in found.open] == ["domain", "bins"]
    assert found.verdict == "fail"
    assert found.sentence.startswith(
        "11 of 15 checks pass, two have a remark, two fail (domain, bins): "
    )
    once = found.override("domain", "  The states are those\n of form B-7. ", " Ana\tKim ")
    assert [line.key for line in once.open] == ["bins"]
    assert once.overridden[0].reason == "The states are those of form B-7. (signed: Ana Kim)"
    both = once.override_all("Printed in the code book of 2019", "Ana Kim")
    assert both.verdict == "overridden"
    assert not both.open
    assert both.counted == (
        "11 of 15 checks pass, two have a remark, two pass for a written reason"
    )
    assert both.sentence == f"{both.counted} (domain is public, bins are public)."


def test_only_ticks_are_counted_as_passed():
    ticks = Line("a", "A", "pass", "1", "fine")
    assert Checklist((ticks, ticks)).sentence == "All 2 checks pass."
    noted = Checklist((ticks, replace(ticks, state="note")))
    assert noted.sentence == "One of 2 checks passes, one has a remark."
    assert noted.verdict == "pass"


@pytest.mark.parametrize("reason", ["", "   ", "\n\t", "...", "1234", "x", "it is fine",
                                    "acceptable-enough", "y" * 20 + " z",
                                    "x" * (REASON_LIMIT + 1)])  # fmt: skip
def test_a_reason_has_words_and_an_end(reason):
    found = review(proposal(facts=of(inferred=True)))
    with pytest.raises(EquipoiseError, match="reason"):
        found.override("domain", reason, "Ana Kim")


@pytest.mark.parametrize("name", ["", "  ", "x", "--", "n" * (NAME_LIMIT + 1)])
def test_a_reason_has_a_name_under_it(name):
    found = review(proposal(facts=of(inferred=True)))
    with pytest.raises(EquipoiseError, match="write the name of who gives it"):
        found.override("domain", "Printed in the code book of 2019", name)


def test_what_passed_or_may_not_pass_is_not_overridden():
    found = review(proposal(account=account(4, [SPENT])))
    with pytest.raises(EquipoiseError, match="nothing to override"):
        found.override("domain", "because I say so", "Ana Kim")
    with pytest.raises(EquipoiseError, match="cannot be overridden"):
        found.override("budget", "because I say so", "Ana Kim")
    assert [line.key for line in found.override_all("The board agreed", "Ana Kim").open] == [
        "budget"
    ]


def test_the_budget_line_adds_a_graph_that_is_not_paid_for():
    learned = of(graph="rehearsed", spent=0.5)
    assert proposal(facts=learned).cost == Fraction(3, 2)
    named = learned_graph(learned.network, 0.5)
    paid = replace(SPENT, what="structure", id=named.digest, epsilon=named.epsilon)
    assert proposal(facts=learned, account=account(4, [paid])).cost == 1


@pytest.mark.parametrize("stated", [1, 400, 2500])
def test_a_stated_number_is_not_compared_with_the_exact_one(stated):
    """Refusing it near some n would tell that n."""
    found = Facts.of(STUDY, Statements(records=stated), Neighbours.ADD_REMOVE)
    assert found.records == stated


def test_an_audit_of_another_method_does_not_count():
    with pytest.raises(EquipoiseError, match="audited"):
        proposal(method="uniform", audit=audited())


def test_guardrails_of_the_exact_rows_are_marked_as_study():
    rails = (Guardrail("rows", "look", "3 of 4 rows", "rest on fewer", "Merge states."),)
    line = study_lines(rails)[0]
    assert (line.basis, line.state, line.blocks) == ("study", "note", False)


def test_an_uploaded_table_says_how_it_was_read():
    data = b"age,smoker\n3,yes\n40,no\n,no\n"
    schema = (
        b'{"columns": [{"name": "age", "bins": [0, 18, 99]}, '
        b'{"name": "smoker", "states": ["yes", "no"]}]}'
    )
    dag = ("edges.csv", b"parent,child\nage,smoker\n")
    study = uploaded_study(
        None, dag, data=("rows.csv", data), schema=("schema.json", schema), missing="drop"
    )
    assert (study.binned, study.missing, study.graph) == (("age",), "drop", "given")
    lines = {x.key: asdict(x) for x in review(proposal(study)).lines}
    assert lines["bins"]["number"] == "1 binned column"
    assert lines["missing"]["state"] == "note"


def test_the_limits_that_are_exceeded_are_named_in_one_list():
    strict = Thresholds(powers=(0.0001, 0.01, 0.1), auc=0.5)
    (told,) = (line.sentence for line in review(proposal(thresholds=strict)).lines
               if line.key == "risk")  # fmt: skip
    assert told.endswith("; above the limit at 0.1, 1 and 10 % false alarms and in AUC")
