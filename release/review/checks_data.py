"""Checks of what is public about the data, and of what the steward states."""

from functools import partial

from core.options import Options
from core.privacy import Neighbours
from release.review.facts import Basis, Line, State
from release.review.proposal import Proposal
from release.words import counted, relation
from sources.text import listed


def domain(proposal: Proposal) -> Line:
    """Whether the states of every variable are public."""
    facts, line = proposal.facts, partial(Line, "domain", "Domain is public")
    number = counted(len(facts.network.variables), "variable")
    if facts.inferred:
        told = "the states were read off the records, and a state that one person alone has would "
        advice = "Supply a schema, or write why these states are known without the records."
        return line("fail", number, f"{told}show that person", advice)
    if facts.seen:
        told = f"the states or edges of {listed(facts.seen)} were seen in the records, and nobody "
        told += "says where they are known from without them"
        advice = "Confirm each in the schema with the name of its source, or state it there."
        return line("fail", number, told, advice, basis="stated")
    states = f"{sum(v.cardinality for v in facts.network.variables):,} states"
    if facts.public or facts.declared:
        sources = f", known from {listed(facts.known_from)}" if facts.known_from else ""
        told = f"{states} declared by a schema or a sample network{sources}"
        basis: Basis = "stated" if sources else "public"
        return line("pass", number, told, basis=basis)
    if facts.statements.domain == "public":
        told = f"{states} of the network file, known without the records"
        return line("pass", number, told, basis="stated")
    told = f"{states} come with the network file, and nobody says that they are known without the "
    advice = "State that the domain is public, or supply a schema."
    return line("fail", number, f"{told}records", advice, basis="stated")


def bins(proposal: Proposal) -> Line:
    """Whether numeric columns were cut at edges that do not come from the records."""
    facts, line = proposal.facts, partial(Line, "bins", "Bins are public")
    seen = tuple(name for name in facts.binned if name in facts.seen)
    number = counted(len(facts.binned), "binned column")
    if seen:
        told = f"the edges of {listed(seen)} were seen in the records"
        advice = "State limits, or confirm the edges in the schema with the name of their source."
        return line("fail", number, told, advice, basis="stated")
    if facts.binned:
        return line("pass", number, "cut at the edges of the schema")
    if facts.inferred:
        told = "no schema says which values belong together, so each value that occurs is a state"
        advice = "Give edges in a schema, or write why the values are known without the records."
        return line("fail", "0 bin edges", told, advice)
    return line("pass", number, "nothing is cut into bins")


def known(proposal: Proposal) -> Line | None:
    """Which tables are stated instead of measured; none where all are measured."""
    options = proposal.scenario.options
    if not options.informed:
        return None
    told = f"{known_words(options)}: stated public by whoever orders the release, not measured and "
    told += "not charged"
    advice = "Make sure that nobody read it off these records; if it is wrong, so is the model."
    number = counted(len(options.known), "table")
    return Line("known", "Known tables are public", "note", number, told, advice, basis="stated")


def known_words(options: Options) -> str:
    """What is stated about tables, by name."""
    tables = [f"{one.name} ({one.source or 'as in the network file'})" for one in options.known]
    cells = [
        f"{counted(one.cells.count(0.0), 'impossible cell')} of {one.name} ({one.source})"
        for one in options.possible
    ]
    return ", ".join(tables + cells)


_SAY = "Say so where the model is published."
MISSING: dict[str, tuple[State, str, str, str]] = {
    "refuse": (
        "pass",
        "none accepted",
        "a record with a missing value would have been refused",
        "",
    ),
    "state": ("pass", "a state of its own", "every variable has the further state 'missing'", ""),
    "columns": (
        "note",
        "by column",
        "the schema says of each column whether a missing value is a state, is refused or leaves "
        "its record out, each by itself, so the guarantee holds",
        _SAY,
    ),
    "drop": (
        "note",
        "left out",
        "records with a missing value are left out, each by itself, so the guarantee holds; the "
        "model speaks of complete records only",
        _SAY,
    ),
}
_NO_POLICY: tuple[State, str, str, str] = (
    "fail",
    "no policy",
    "nobody says what was done with missing values",
    "Load the records with refuse, drop or state.",
)


def missing(proposal: Proposal) -> Line:
    """What is done with missing values."""
    told = MISSING.get(proposal.facts.missing, _NO_POLICY)
    return Line("missing", "Missing values have a policy", *told, basis="stated")


def records(proposal: Proposal) -> Line:
    """Whether a public number of records is known."""
    facts, line = proposal.facts, partial(Line, "records", "Number of records is public")
    if not facts.records:
        told = "where a record is added or removed, or a unit has several, the exact number is "
        told += "itself private, and δ, the forecast and the risk are read against a public one"
        advice = "State a public number of records; rounded is fine."
        return line("fail", "not stated", told, advice, basis="stated")
    number = counted(facts.records, "record")
    if facts.public:
        return line("pass", number, "sampled from a public network")
    if facts.statements.records:
        return line("pass", number, "stated by the steward", basis="stated")
    told = "public by definition where a record is replaced, those left out included"
    return line("pass", number, told)


def unit(proposal: Proposal) -> Line:
    """Whether it is stated what one record is, and what follows for one unit."""
    said = proposal.facts.statements
    title = f"Unit of protection is {'enforced' if proposal.facts.bounded else 'stated'}"
    line = partial(Line, "unit", title)
    basis: Basis = "public" if proposal.facts.bounded else "stated"
    number = relation(proposal.scenario.neighbours)
    if proposal.facts.public and not said.unit.strip():
        return line("pass", number, "the records are made up and protect nobody")
    if not said.unit.strip():
        told = "nobody says whether one record is one person"
        advice = "State what is protected and how many records it has at most."
        return line("fail", number, told, advice, basis="stated")
    cut = "; the file was cut to that before anything was counted" * proposal.facts.bounded
    if said.per_unit == 1:
        told = f"one record is one {said.unit}{cut}"
        return line("pass", number, told, basis=basis)
    told = f"one {said.unit} has up to {said.per_unit} records{cut}"
    if proposal.scenario.neighbours is Neighbours.REPLACE:
        told += ", and who takes its place may have fewer, which is more than replacing records"
        advice = "Choose neighbours that add or remove a record."
        return line("fail", number, told, advice)
    epsilon, limit = proposal.unit_budget[0], proposal.thresholds.epsilon
    told += f", so the guarantee for it is ε = {epsilon:g}"
    if epsilon <= limit:
        advice = "Quote this ε, not that of one record."
        return line("note", number, told, advice, basis=basis)
    told += f", above {limit:g}"
    advice = f"Keep fewer records of each {said.unit}, lower ε, or write why this is enough."
    return line("fail", number, told, advice, basis=basis)
