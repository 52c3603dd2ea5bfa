"""What Release computes: the proposal, its review and its document. Looks at no row."""

from dataclasses import dataclass, replace

import streamlit as st

from core.scenario import Scenario
from pages.ui.kit import compute, visitors
from pages.ui.kit.inputs import Choice
from pages.ui.release.fields import SIGNED, reasons
from pages.ui.release.place import Looked, Place
from release.audit.audited import Audit
from release.audit.claims import about
from release.ledger.account import Account
from release.published import Document
from release.review.checklist import Checklist, check_reason
from release.review.facts import Line
from release.review.passing import Passing
from release.review.proposal import Proposal
from release.review.request import Reason, Request
from release.review.reviewed import Reviewed
from release.review.reviewed import reviewed as review
from release.review.standin import StandInRehearsal


@dataclass(frozen=True, eq=False)
class Review:
    """One proposal under review, with the account it would be charged to.

    ``account`` is what the ledger has; the proposal's own is what the first release would open.
    ``obstacles`` are sentences: what besides the checklist stands in the way.
    """

    choice: Choice
    place: Place
    account: Account | None
    seen: Reviewed
    document: Document
    obstacles: tuple[str, ...]

    @property
    def asked(self) -> Request:
        """What the steward orders."""
        return self.seen.request

    @property
    def proposal(self) -> Proposal:
        """What is proposed."""
        return self.seen.proposal

    @property
    def checklist(self) -> Checklist:
        """Every check of it."""
        return self.seen.checklist


def reviewed(
    choice: Choice, asked: Request, refused: str, looked: Looked, study: tuple[Line, ...] = ()
) -> Review:
    """The proposal with its checklist and document. ``study`` lines were asked for by hand.

    ``refused`` is why its criteria cannot be tested.
    """
    looked = looked.joined(asked.people)
    account = looked.account
    request = replace(
        asked,
        budget=None if account or looked.problem else asked.budget,
        delta_budget=None if account else asked.delta_budget,
        reasons=tuple(reasons(choice.study.fingerprint).values()) if signed() else (),
        signed=signed(),
        study_runs=len(compute.looks_at(choice.study)),
    )
    audit = audits().get(audit_key(asked.method, asked.scenario))
    seen = review(
        request,
        account,
        others=looked.others,
        rehearsal=rehearsals().get(rehearsal_key(request)),
        audit=audit if audit is not None and audit.verdict != "unfinished" else None,
    )
    obstacles = (refused,) if refused and not looked.problem else _unnamed(asked, looked)
    return Review(choice, looked.place, account, seen, seen.document(study=study), obstacles)


def _unnamed(asked: Request, looked: Looked) -> tuple[str, ...]:
    if looked.problem:
        return (looked.problem,)
    if not asked.name:
        return ("these data have no name in the ledger yet; give one above",)
    if looked.taken(asked.name):
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


def accept(checklist: Checklist, choice: Choice, key: str, text: str) -> None:
    """Record why a line may pass; a blank reason or a line that may not pass is refused."""
    checklist.override(key, text, signed())
    line = next(line for line in checklist.lines if line.key == key)
    reasons(choice.study.fingerprint)[key] = Reason(
        key, check_reason(text), line.number, line.sentence
    )


def signed() -> str:
    """Who gives the reasons: who is logged in, or the name that was typed."""
    return visitors.visitor() or " ".join(str(st.session_state.get(SIGNED, "")).split())


def withdraw(choice: Choice, key: str) -> None:
    """Take a reason back, before anything is spent."""
    reasons(choice.study.fingerprint).pop(key, None)


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
