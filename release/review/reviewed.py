"""A request under review: its proposal, its checklist, its order, its papers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from release.audit.audited import Audit
from release.dossier.document import dossier, dossier_files
from release.ledger.account import Account
from release.ledger.spending import released_graph
from release.order import Order
from release.published import Document, Published
from release.review.checklist import Checklist, review
from release.review.command_line import command_line
from release.review.facts import Facts, Line
from release.review.passing import Passing, what_would_pass
from release.review.proposal import Proposal
from release.review.request import Reason, Request
from release.review.standin import StandInRehearsal


@dataclass(frozen=True, eq=False)
class Reviewed:
    """One request with everything a review says about it; no line looks at the records."""

    request: Request
    proposal: Proposal
    checklist: Checklist

    @cached_property
    def passing(self) -> Passing | None:
        """What would pass, where a check fails that depends on ε; from public things alone."""
        return what_would_pass(self.proposal, self.checklist.open)

    @property
    def refusal(self) -> str:
        """Why the release has to wait, and what would pass."""
        more = f" {self.passing.sentence}" if self.passing else ""
        return f"{self.checklist.sentence}{more}"

    @property
    def command(self) -> str:
        """The line for a shell that repeats this review."""
        return command_line(self.request, self.proposal, self.checklist)

    def document(
        self,
        *,
        published: Published | None = None,
        account: Account | None = None,
        study: tuple[Line, ...] = (),
    ) -> Document:
        """The dossier of the proposal, or of the release that came of it."""
        return dossier(
            self.proposal,
            self.checklist,
            published=published,
            account=account,
            study=study,
            command=self.command,
        )

    def papers(
        self, published: Published, account: Account, study: tuple[Line, ...] = ()
    ) -> Mapping[str, bytes]:
        """The files of the dossier that go with a release."""
        return dossier_files(self.document(published=published, account=account, study=study))

    def order(self, token: str) -> Order:
        """What is ordered of the ledger and the worker; ``token`` is the click that orders it.

        The ledger refuses it where it has charged the account since: the checklist would be old.
        """
        account = self.proposal.account
        return replace(
            self.request.order(token),
            override=recorded(self.request, self.checklist),
            failed=tuple(line.key for line in self.checklist.overridden),
            reviewed=None if account is None else account.spent,
        )


def reviewed(
    request: Request,
    account: Account | None,
    *,
    others: int = 0,
    rehearsal: StandInRehearsal | None = None,
    audit: Audit | None = None,
) -> Reviewed:
    """The review of a request; ``account`` is what the ledger has, none for data it has not.

    ``others`` is the number of accounts it has for other data.
    """
    facts = request.facts
    if account is not None:
        facts = known_graph(facts, account)
    name = request.name or (account.name if account is not None else facts.name)
    proposal = Proposal(
        facts=replace(facts, name=name),
        method=request.method,
        scenario=request.scenario,
        thresholds=request.thresholds,
        account=account or request.opening(others),
        rehearsal=rehearsal,
        audit=audit,
        study_runs=request.study_runs,
        acceptance=request.acceptance,
    )
    return Reviewed(request, proposal, _with_reasons(review(proposal), request))


def known_graph(facts: Facts, account: Account) -> Facts:
    """The facts with a graph that an earlier release has learned from the same data and paid."""
    line = released_graph(account, facts.network) if facts.structure != "learned" else None
    if line is None:
        return facts
    return replace(facts, structure="released", structure_epsilon=0.0, learned_by=line.id)


def _with_reasons(checklist: Checklist, request: Request) -> Checklist:
    """The list with every reason that was written and still fits."""
    for reason in request.reasons:
        if fits(checklist, reason):
            checklist = checklist.override(reason.key, reason.text, request.signed)
    if not request.override:
        return checklist
    return checklist.override_all(request.override, request.signed)


def fits(checklist: Checklist, reason: Reason) -> bool:
    """Whether a reason is still about what the line says; one about no finding always is."""
    if not reason.sentence:
        return True
    return any(
        line.key == reason.key and (line.number, line.sentence) == (reason.number, reason.sentence)
        for line in checklist.open
        if not line.final
    )


def recorded(request: Request, checklist: Checklist) -> str:
    """The reasons as the ledger records them: one for all as it is, others with their line."""
    passed = checklist.overridden
    if request.override and not request.reasons:
        return passed[0].reason if passed else ""
    return "; ".join(f"{line.title}: {line.reason}" for line in passed)
