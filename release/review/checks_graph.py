"""The check of where the graph comes from."""

from __future__ import annotations

from release.review.facts import ORIGINS, Facts
from release.review.line import Basis, Line, State
from release.review.proposal import Proposal
from release.words import counted


def structure(proposal: Proposal) -> Line:
    """Whether the graph is given, or was paid for."""
    facts = proposal.facts
    number = counted(len(facts.network.edges), "edge")
    if facts.structure == "learned":
        number = "to be learned"
    state, more, advice = _told(facts)
    sentence = f"{ORIGINS[facts.structure]}{more}"
    if facts.structure in ("learned", "released"):
        return Line("structure", "Graph is public", state, number, sentence, basis="ledger")
    read_off = facts.public or facts.structure in ("edited", "rehearsed")
    basis: Basis = "public" if read_off else "stated"
    return Line("structure", "Graph is public", state, number, sentence, advice, basis=basis)


def _told(facts: Facts) -> tuple[State, str, str]:
    """State, what else is to say, and what to do."""
    named = f" (ε = {facts.structure_epsilon:g} named)" if facts.structure_epsilon else ""
    answers: dict[str, tuple[State, str, str]] = {
        "given": ("pass", "", ""),
        "learned": (
            "pass",
            ": every choice is drawn exactly from fresh entropy and paid for before",
            "",
        ),
        "released": ("pass", f" ({facts.learned_by}, which the ledger has charged)", ""),
        "private": (
            "pass",
            f" with ε = {facts.structure_epsilon:g}, which the ledger is charged once",
            "",
        ),
        "unstated": (
            "fail",
            "",
            "State whether the graph was known without the records, or learned from them and how.",
        ),
        "edited": (
            "fail",
            ", next to errors computed from the rows",
            "Publish the given graph, or write from which knowledge outside the rows the edits "
            "come.",
        ),
        "rows": (
            "fail",
            ": an edge can be there because of one person, and no noise hides it",
            "Learn the graph privately, give one known without the rows, or write why this one "
            "may be shown.",
        ),
        "rehearsed": (
            "fail",
            f"{named}: a rehearsal is not private, because its seed is known and its ε is in no "
            "ledger",
            "Give a graph known without the rows, or write why this one may be shown.",
        ),
    }
    return answers[facts.structure]
