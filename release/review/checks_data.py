"""Checks of what is public about the data, and of what the steward states."""

from __future__ import annotations

from core.options import Options
from core.privacy import Neighbours
from release.review.line import Basis, Line
from release.review.proposal import Proposal
from release.words import counted, relation
from sources.text import listed


def domain(proposal: Proposal) -> Line:
    """Whether the states of every variable are public."""
    facts = proposal.facts
    number = counted(len(facts.network.variables), "variable")
    if facts.inferred:
        return Line(
            "domain",
            "Domain is public",
            "fail",
            number,
            "the states were read off the records, and a state that one person alone has would "
            "show that person",
            "Supply a schema, or write why these states are known without the records.",
        )
    if facts.seen:
        return Line(
            "domain",
            "Domain is public",
            "fail",
            number,
            f"the states or edges of {listed(facts.seen)} were seen in the records, and nobody "
            "says where they are known from without them",
            "Confirm each in the schema with the name of its source, or state it there.",
            basis="stated",
        )
    states = f"{sum(v.cardinality for v in facts.network.variables):,} states"
    if facts.public or facts.declared:
        sources = f", known from {listed(facts.known_from)}" if facts.known_from else ""
        told = f"{states} declared by a schema or a sample network{sources}"
        basis: Basis = "stated" if sources else "public"
        return Line("domain", "Domain is public", "pass", number, told, basis=basis)
    if facts.statements.domain == "public":
        told = f"{states} of the network file, known without the records"
        return Line("domain", "Domain is public", "pass", number, told, basis="stated")
    return Line(
        "domain",
        "Domain is public",
        "fail",
        number,
        f"{states} come with the network file, and nobody says that they are known without the "
        "records",
        "State that the domain is public, or supply a schema.",
        basis="stated",
    )


def bins(proposal: Proposal) -> Line:
    """Whether numeric columns were cut at edges that do not come from the records."""
    facts = proposal.facts
    seen = tuple(name for name in facts.binned if name in facts.seen)
    if seen:
        return Line(
            "bins",
            "Bins are public",
            "fail",
            counted(len(facts.binned), "binned column"),
            f"the edges of {listed(seen)} were seen in the records",
            "State limits, or confirm the edges in the schema with the name of their source.",
            basis="stated",
        )
    if facts.binned:
        return Line(
            "bins",
            "Bins are public",
            "pass",
            counted(len(facts.binned), "binned column"),
            "cut at the edges of the schema",
        )
    if facts.inferred:
        return Line(
            "bins",
            "Bins are public",
            "fail",
            "0 bin edges",
            "no schema says which values belong together, so each value that occurs is a state",
            "Give edges in a schema, or write why the values are known without the records.",
        )
    return Line("bins", "Bins are public", "pass", "0 binned columns", "nothing is cut into bins")


def known(proposal: Proposal) -> Line | None:
    """Which tables are stated instead of measured; none where all are measured."""
    options = proposal.scenario.options
    if not options.informed:
        return None
    return Line(
        "known",
        "Known tables are public",
        "note",
        counted(len(options.known), "table"),
        f"{known_words(options)}: stated public by whoever orders the release, not measured and "
        "not charged",
        "Make sure that nobody read it off these records; if it is wrong, so is the model.",
        basis="stated",
    )


def known_words(options: Options) -> str:
    """What is stated about tables, by name."""
    tables = [f"{one.name} ({one.source or 'as in the network file'})" for one in options.known]
    cells = [
        f"{counted(one.cells.count(0.0), 'impossible cell')} of {one.name} ({one.source})"
        for one in options.possible
    ]
    return ", ".join(tables + cells)


MISSING = {
    "refuse": ("pass", "none accepted", "a record with a missing value would have been refused"),
    "state": ("pass", "a state of its own", "every variable has the further state 'missing'"),
    "columns": (
        "note",
        "by column",
        "the schema says of each column whether a missing value is a state, is refused or leaves "
        "its record out, each by itself, so the guarantee holds",
    ),
    "drop": (
        "note",
        "left out",
        "records with a missing value are left out, each by itself, so the guarantee holds; the "
        "model speaks of complete records only",
    ),
}


def missing(proposal: Proposal) -> Line:
    """What is done with missing values."""
    policy = proposal.facts.missing
    if policy not in MISSING:
        return Line(
            "missing",
            "Missing values have a policy",
            "fail",
            "no policy",
            "nobody says what was done with missing values",
            "Load the records with refuse, drop or state.",
            basis="stated",
        )
    state, number, sentence = MISSING[policy]
    advice = "Say so where the model is published." if state == "note" else ""
    return Line(
        "missing",
        "Missing values have a policy",
        "note" if state == "note" else "pass",
        number,
        sentence,
        advice,
        basis="stated",
    )


def records(proposal: Proposal) -> Line:
    """Whether a public number of records is known."""
    facts = proposal.facts
    if not facts.records:
        return Line(
            "records",
            "Number of records is public",
            "fail",
            "not stated",
            "where a record is added or removed the exact number is itself private, and δ, the "
            "forecast and the risk are read against a public one",
            "State a public number of records; rounded is fine.",
            basis="stated",
        )
    if facts.public:
        why = "sampled from a public network"
    elif facts.statements.records:
        why = "stated by the steward"
    else:
        why = "public by definition where a record is replaced, those left out included"
    return Line(
        "records",
        "Number of records is public",
        "pass",
        counted(facts.records, "record"),
        why,
        basis="stated" if facts.statements.records and not facts.public else "public",
    )


def unit(proposal: Proposal) -> Line:
    """Whether it is stated what one record is, and what follows for one unit."""
    said = proposal.facts.statements
    title = f"Unit of protection is {'enforced' if proposal.facts.bounded else 'stated'}"
    basis: Basis = "public" if proposal.facts.bounded else "stated"
    number = relation(proposal.scenario.neighbours)
    if proposal.facts.public and not said.unit.strip():
        return Line("unit", title, "pass", number, "the records are made up and protect nobody")
    if not said.unit.strip():
        told = "nobody says whether one record is one person"
        advice = "State what is protected and how many records it has at most."
        return Line("unit", title, "fail", number, told, advice, basis="stated")
    cut = "; the file was cut to that before anything was counted" * proposal.facts.bounded
    if said.per_unit == 1:
        told = f"one record is one {said.unit}{cut}"
        return Line("unit", title, "pass", number, told, basis=basis)
    told = f"one {said.unit} has up to {said.per_unit} records{cut}"
    if proposal.facts.bounded and proposal.scenario.neighbours is Neighbours.REPLACE:
        told += ", and who takes its place may have fewer, which is more than replacing records"
        advice = "Choose neighbours that add or remove a record."
        return Line("unit", title, "fail", number, told, advice)
    epsilon, limit = proposal.unit_budget[0], proposal.thresholds.epsilon
    told += f", so the guarantee for it is ε = {epsilon:g}"
    if epsilon <= limit:
        advice = "Quote this ε, not that of one record."
        return Line("unit", title, "note", number, told, advice, basis=basis)
    told += f", above {limit:g}"
    advice = f"Keep fewer records of each {said.unit}, lower ε, or write why this is enough."
    return Line("unit", title, "fail", number, told, advice, basis=basis)
