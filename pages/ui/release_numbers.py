"""What Release computes: the proposal, its review and its document. Looks at no row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from pages.ui import inputs, release_place, words
from pages.ui.inputs import Choice
from pages.ui.release_inputs import Asked, slot
from pages.ui.release_place import Place
from release.audit.auditing import Audit
from release.dossier.document import dossier
from release.ledger.account import NOBODY, SAMPLED, Account
from release.ledger.spending import shown
from release.published import Document
from release.review.checklist import Checklist, check_reason, review
from release.review.facts import Facts
from release.review.line import Line
from release.review.proposal import Proposal
from release.review.standin import Rehearsal


@dataclass(frozen=True)
class Reason:
    """Why a failed line may pass; it holds for the finding it was written about."""

    number: str
    sentence: str
    text: str


@dataclass(frozen=True, eq=False)
class Review:
    """One proposal under review, with the account it would be charged to.

    ``account`` is what the ledger has; the proposal's own is what the first release would open.
    ``obstacles`` are sentences: what besides the checklist stands in the way.
    """

    choice: Choice
    asked: Asked
    place: Place
    account: Account | None
    proposal: Proposal
    checklist: Checklist
    document: Document
    obstacles: tuple[str, ...]


@dataclass(frozen=True)
class Looked:
    """What the ledger says of the data on show; ``problem`` where it cannot be read.

    ``others`` are the accounts in which people of new data may be.
    """

    place: Place
    account: Account | None
    others: int = 0
    problem: str = ""


def look_up(choice: Choice) -> Looked:
    """The ledger for the data on show."""
    place = release_place.place_of(choice.study)
    try:
        account = release_place.account_of(choice.study, place)
        return Looked(place, account, release_place.others(choice.study, account, place))
    except EquipoiseError as problem:
        return Looked(place, None, problem=str(problem))


def _joined(choice: Choice, asked: Asked, looked: Looked) -> Looked:
    """With the account that the steward says the people in new data are in."""
    if not looked.others or asked.people in ("", NOBODY):
        return looked
    if not release_place.taken(asked.people, None, looked.place):
        problem = f"the ledger has no account {asked.people!r}; give the name it was opened with"
        return replace(looked, problem=problem)
    found = release_place.account_of(choice.study, looked.place, asked.people)
    return replace(looked, account=found)


def reviewed(
    choice: Choice, asked: Asked, looked: Looked, study: tuple[Line, ...] = ()
) -> Review:
    """The proposal with its checklist and document. ``study`` lines were asked for by hand."""
    looked = _joined(choice, asked, looked)
    facts, obstacles = _facts(choice, asked)
    facts = replace(facts, name=asked.name or facts.name)
    proposal = Proposal(
        facts=facts,
        method=asked.method,
        scenario=asked.scenario,
        thresholds=asked.thresholds,
        account=None if looked.problem else looked.account or _opening(choice, asked, looked),
        rehearsal=rehearsals().get(rehearsal_key(choice, asked, facts.records)),
        audit=_audit(asked),
        study_runs=study_runs(choice),
    )
    checklist = with_reasons(review(proposal), reasons(choice))
    return Review(
        choice,
        asked,
        looked.place,
        looked.account,
        proposal,
        checklist,
        dossier(proposal, checklist, study=study, command=command(choice, asked)),
        (*obstacles, *_unnamed(asked, looked)),
    )


def _facts(choice: Choice, asked: Asked) -> tuple[Facts, tuple[str, ...]]:
    """The public facts; a number of records that cannot be right is left out and said."""
    neighbours, said = choice.scenario.neighbours, asked.statements
    try:
        return Facts.of(choice.study, said, neighbours, choice.network), ()
    except EquipoiseError as problem:
        rest = replace(said, records=0)
        return Facts.of(choice.study, rest, neighbours, choice.network), (str(problem),)


def _opening(choice: Choice, asked: Asked, looked: Looked) -> Account | None:
    """The account that the first release would open, once there is a budget."""
    if asked.budget is None:
        return None
    neighbours = choice.scenario.neighbours
    return Account(
        asked.name,
        [],
        asked.budget,
        asked.delta_budget,
        neighbours,
        people=SAMPLED if choice.study.sampled else asked.people,
        apart=looked.others,
    )


def _unnamed(asked: Asked, looked: Looked) -> tuple[str, ...]:
    if looked.problem:
        return (looked.problem,)
    if not asked.name:
        return ("these data have no name in the ledger yet; give one above",)
    if release_place.taken(asked.name, looked.account, looked.place):
        return (
            f"the name {asked.name!r} belongs to other data; give another, or state that their "
            "people are in the account of this name",
        )
    if looked.others and not asked.people:
        return (
            "the ledger does not know these data, and may know their people; state above whether "
            "they are in an account of it",
        )
    return ()


def reasons(choice: Choice) -> dict[str, Reason]:
    """Reasons written for this data, by line."""
    kept: dict[int, dict[str, Reason]] = st.session_state.setdefault("release_reasons", {})
    return kept.setdefault(slot(choice), {})


def with_reasons(checklist: Checklist, written: Mapping[str, Reason]) -> Checklist:
    """The list with the reasons that still fit: another finding needs another reason."""
    found = checklist
    for line in checklist.open:
        reason = written.get(line.key)
        fits = reason and (reason.number, reason.sentence) == (line.number, line.sentence)
        if reason and fits and not line.final:
            found = found.override(line.key, reason.text)
    return found


def accept(checklist: Checklist, choice: Choice, key: str, text: str) -> None:
    """Record why a line may pass; a blank reason or a line that may not pass is refused."""
    checklist.override(key, check_reason(text))
    line = next(line for line in checklist.lines if line.key == key)
    reasons(choice)[key] = Reason(line.number, line.sentence, check_reason(text))


def withdraw(choice: Choice, key: str) -> None:
    """Take a reason back, before anything is spent."""
    reasons(choice).pop(key, None)


def override_text(checklist: Checklist) -> str:
    """Every reason with its line, as the ledger records them."""
    return "; ".join(f"{line.title}: {line.reason}" for line in checklist.overridden)


def rehearsals() -> dict[tuple[object, ...], Rehearsal]:
    """Rehearsals of this session; none looked at a private row."""
    found: dict[tuple[object, ...], Rehearsal]
    found = st.session_state.setdefault("release_rehearsals", {})
    return found


def rehearsal_key(choice: Choice, asked: Asked, records: int) -> tuple[object, ...]:
    """What a rehearsal is about: another ε, method or graph needs another."""
    scenario = replace(asked.scenario, replicates=1, seed=0)
    return (choice.network, asked.method, scenario, records)


def audits() -> dict[tuple[object, ...], Audit]:
    """Audits of this session, on made-up records."""
    found: dict[tuple[object, ...], Audit] = st.session_state.setdefault("release_audits", {})
    return found


def audit_key(method: str, scenario: inputs.Scenario, bug: str = "") -> tuple[object, ...]:
    """What an audit is about."""
    claim = (scenario.epsilon, scenario.split, scenario.rate, scenario.neighbours)
    return (method, claim, bug)


def _audit(asked: Asked) -> Audit | None:
    """The audit of the method as it is proposed; one that was stopped proves a violation only."""
    found = audits().get(audit_key(asked.method, asked.scenario))
    return found if found is not None and found.verdict != "unfinished" else None


def study_runs(choice: Choice) -> int:
    """How often errors on these private rows were looked at in this session."""
    runs: Mapping[str, set[object]] = st.session_state.get("study_runs", {})
    return len(runs.get(choice.study.fingerprint, ()))


def command(choice: Choice, asked: Asked) -> str:
    """The same release from a shell."""
    said = asked.statements
    told = [("method", asked.method), ("unit", said.unit), ("name", asked.name)]
    told += [("people", asked.people)]
    told += [("budget", shown(asked.budget) if asked.budget else "")]
    told += [("per-unit", str(said.per_unit) if said.per_unit > 1 else "")]
    told += [("public-records", str(said.records) if said.records else "")]
    told += [("graph", said.graph)]
    told += [("graph-epsilon", f"{said.graph_epsilon:g}" if said.graph_epsilon else "")]
    if METHODS[asked.method].guarantee.has_delta:
        told += [("delta", f"{asked.scenario.options.delta:g}")]
    more = [f"--{name} {words.quoted(value)}" for name, value in told if value]
    more += ["--synthetic" if asked.synthetic else ""]
    more += ["--ledger FILE --out DIR"]
    meant = replace(choice, scenario=asked.scenario)
    return inputs.command("release", meant, " ".join(part for part in more if part))
