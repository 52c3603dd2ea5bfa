"""What Release computes: the proposal, its review and its document. Looks at no row."""

from dataclasses import dataclass, replace

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.scenario import Scenario
from pages.ui.kit import compute, visitors
from pages.ui.kit.inputs import Choice
from pages.ui.release import place as places
from pages.ui.release.form import Stated, slot
from pages.ui.release.place import Place
from release.audit.audited import Audit
from release.audit.claims import about
from release.ledger.account import NOBODY, Account
from release.order import AS_MEASURED
from release.published import Document
from release.review.checklist import Checklist, check_reason
from release.review.facts import Line
from release.review.passing import Passing
from release.review.proposal import Proposal
from release.review.request import Reason, Request
from release.review.reviewed import Reviewed
from release.review.reviewed import reviewed as review
from release.review.standin import StandInRehearsal
from sources.study import without_graph

SIGNED = "release_signed"
"""Session key of the name of who gives the reasons."""


@dataclass(frozen=True, eq=False)
class Review:
    """One proposal under review, with the account it would be charged to.

    ``account`` is what the ledger has; the proposal's own is what the first release would open.
    ``obstacles`` are sentences: what besides the checklist stands in the way.
    """

    choice: Choice
    asked: Stated
    place: Place
    account: Account | None
    seen: Reviewed
    document: Document
    obstacles: tuple[str, ...]

    @property
    def proposal(self) -> Proposal:
        """What is proposed."""
        return self.seen.proposal

    @property
    def checklist(self) -> Checklist:
        """Every check of it."""
        return self.seen.checklist


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
    place = places.place_of(choice.study)
    try:
        account = places.account_of(choice.study, place)
        return Looked(place, account, places.others(choice.study, account, place))
    except EquipoiseError as problem:
        return Looked(place, None, problem=str(problem))


def _joined(choice: Choice, asked: Stated, looked: Looked) -> Looked:
    """With the account that the steward says the people in new data are in."""
    if not looked.others or asked.people in ("", NOBODY):
        return looked
    if not places.taken(asked.people, None, looked.place):
        problem = f"the ledger has no account {asked.people!r}; give the name it was opened with"
        return replace(looked, problem=problem)
    account = places.account_of(choice.study, looked.place, asked.people)
    return replace(looked, account=account)


def requested(choice: Choice, asked: Stated, looked: Looked) -> Request:
    """Everything that is asked for on the page and in the sidebar.

    A method that learns its graph is given none, as in a shell.
    """
    learns = method_named(asked.method).learns
    return Request(
        study=without_graph(choice.study) if learns else choice.study,
        network=None if learns else choice.network,
        method=asked.method,
        scenario=asked.scenario,
        statements=asked.statements,
        thresholds=asked.thresholds,
        name=asked.name,
        people=asked.people,
        budget=None if looked.account else asked.budget,
        delta_budget=None if looked.account else asked.delta_budget,
        synthetic=AS_MEASURED if asked.synthetic else 0,
        reasons=tuple(reasons(choice).values()) if signed() else (),
        signed=signed(),
        study_runs=study_runs(choice),
        acceptance=asked.acceptance,
        group_by=asked.group_by,
    )


def reviewed(choice: Choice, asked: Stated, looked: Looked, study: tuple[Line, ...] = ()) -> Review:
    """The proposal with its checklist and document. ``study`` lines were asked for by hand."""
    looked = _joined(choice, asked, looked)
    request = requested(choice, asked, looked)
    if looked.problem:
        request = replace(request, budget=None)
    audit = audits().get(audit_key(asked.method, asked.scenario))
    seen = review(
        request,
        looked.account,
        others=looked.others,
        rehearsal=rehearsals().get(rehearsal_key(request)),
        audit=audit if audit is not None and audit.verdict != "unfinished" else None,
    )
    obstacles = _unnamed(asked, looked)
    document = seen.document(study=study)
    return Review(choice, asked, looked.place, looked.account, seen, document, obstacles)


def _unnamed(asked: Stated, looked: Looked) -> tuple[str, ...]:
    if looked.problem or asked.refused:
        return (looked.problem or asked.refused,)
    if not asked.name:
        return ("these data have no name in the ledger yet; give one above",)
    if places.taken(asked.name, looked.account, looked.place):
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


def passing(review: Review) -> Passing | None:
    """What would pass; asked once for the same plans, limits and account."""
    request, account, seen = review.seen.request, review.proposal.account, review.proposal.rehearsal
    key = (
        "passing",
        *rehearsal_key(request),
        request.statements,
        request.thresholds,
        request.acceptance,
        None if account is None else (account.spent, account.budget, account.delta_remaining),
        None if seen is None else (seen.kind, seen.band),
        tuple(line.key for line in review.checklist.open),
    )
    return compute.latest("passing", key, lambda: review.seen.passing)


def reasons(choice: Choice) -> dict[str, Reason]:
    """Reasons written for this data, by line."""
    kept: dict[int, dict[str, Reason]] = st.session_state.setdefault("release_reasons", {})
    return kept.setdefault(slot(choice), {})


def accept(checklist: Checklist, choice: Choice, key: str, text: str) -> None:
    """Record why a line may pass; a blank reason or a line that may not pass is refused."""
    checklist.override(key, text, signed())
    line = next(line for line in checklist.lines if line.key == key)
    reasons(choice)[key] = Reason(key, check_reason(text), line.number, line.sentence)


def signed() -> str:
    """Who gives the reasons: who is logged in, or the name that was typed."""
    return visitors.visitor() or " ".join(str(st.session_state.get(SIGNED, "")).split())


def withdraw(choice: Choice, key: str) -> None:
    """Take a reason back, before anything is spent."""
    reasons(choice).pop(key, None)


def rehearsals() -> dict[tuple[object, ...], StandInRehearsal]:
    """Rehearsals of this session; none looked at a private row."""
    kept: dict[tuple[object, ...], StandInRehearsal]
    kept = st.session_state.setdefault("release_rehearsals", {})
    return kept


def rehearsal_key(request: Request) -> tuple[object, ...]:
    """What a rehearsal is about: another ε, method, graph or number of runs needs another."""
    about = (request.scenario, request.facts.records, request.group_by)
    return (request.graph, request.method, *about)


def audits() -> dict[tuple[object, ...], Audit]:
    """Audits of this session, on made-up records."""
    kept: dict[tuple[object, ...], Audit] = st.session_state.setdefault("release_audits", {})
    return kept


def audit_key(method: str, scenario: Scenario, bug: str = "") -> tuple[object, ...]:
    """What an audit is about: the mechanism with all its knobs, and the bug planted in it."""
    return (*about(method, scenario), bug)


def study_runs(choice: Choice) -> int:
    """How often errors on these private rows were looked at in this session."""
    return len(compute.looks_at(choice.study))
