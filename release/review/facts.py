"""Facts: what is public about the data, where it comes from, and what only the steward can say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from core.errors import EquipoiseError
from core.membership.guardrails import Guardrail
from core.network import Network
from core.privacy import EPSILON_LIMIT, Neighbours
from release.review.declared import Declared
from sources.study import Study

State = Literal["pass", "fail", "note"]

Basis = Literal["public", "stated", "ledger", "measured", "study"]
"""What a line is computed from; a ``study`` line looks at the rows and stays unpublished."""


@dataclass(frozen=True)
class Line:
    """One check: ``number`` with its unit, a sentence without full stop, and what to do.

    A line that failed blocks the release unless ``reason`` says why it may pass; a ``final`` one
    always blocks.
    """

    key: str
    title: str
    state: State
    number: str
    sentence: str
    advice: str = ""
    basis: Basis = "public"
    final: bool = False
    reason: str = ""

    @property
    def blocks(self) -> bool:
        """Whether the release has to wait for this line."""
        return self.state == "fail" and not self.reason


def study_lines(rails: tuple[Guardrail, ...]) -> tuple[Line, ...]:
    """Guardrails of Risk as lines, for the steward's eyes. Computed from the exact counts."""
    return tuple(
        Line(
            f"study-{rail.key}",
            rail.finding,
            "note" if rail.state != "fine" else "pass",
            rail.finding,
            rail.rest,
            rail.advice,
            basis="study",
        )
        for rail in rails
    )


Origin = Literal[
    "given", "unstated", "edited", "rehearsed", "rows", "private", "learned", "released"
]
ORIGINS: dict[Origin, str] = {
    "given": "known without the records",
    "unstated": "given with the files, and nobody says where it comes from",
    "edited": "edited on screen",
    "rows": "learned from the rows without privacy",
    "rehearsed": "learned from the rows by a seeded run",
    "private": "learned privately",
    "learned": "learned by this release itself, within its ε",
    "released": "learned privately by an earlier release of these data",
}


Stated = Literal["", "known", "private", "rows"]
"""Where the steward says the graph of an upload comes from; empty: not said."""

Known = Literal["", "public"]
"""Whether the steward says that states and bins are known without the records."""


@dataclass(frozen=True, kw_only=True)
class Statements:
    """What only the steward can say; nothing of it is guessed.

    ``unit`` is what the guarantee protects (a person, a household, a visit) and ``per_unit`` the
    most records it has. ``records`` is a public number of records, rounded if need be; the exact
    one is private where a record is added or removed. ``graph`` says where the graph comes from,
    and ``graph_epsilon`` what learning it from these records has cost. ``domain`` says that the
    states and bins of a network file are public knowledge. ``declared`` are texts for the dossier
    that decide nothing (:mod:`release.review.declared`). Empty or zero: not stated.
    """

    unit: str = ""
    per_unit: int = 1
    records: int = 0
    graph: Stated = ""
    graph_epsilon: float = 0.0
    domain: Known = ""
    declared: Declared = ()

    def __post_init__(self) -> None:
        if self.per_unit < 1:
            raise EquipoiseError(
                f"one unit has {self.per_unit} records; it has at least 1, so say how many"
            )
        stated = 0 < self.graph_epsilon <= EPSILON_LIMIT
        if (self.graph == "private") != stated or not (stated or self.graph_epsilon == 0):
            raise EquipoiseError(
                f"the graph is stated as {self.graph or 'nothing'!r} with ε = "
                f"{self.graph_epsilon:g}; a privately learned graph has a positive ε, others none"
            )
        if self.records < 0:
            raise EquipoiseError(f"the public number of records is {self.records}; give 1 or more")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is public about the data, and where it comes from.

    ``records`` is the public number of records, zero where none is known: what is stated, or where
    a record is replaced, the only one of its unit, the number in the file before any was left out.
    A graph that was learned
    ``private`` has cost ``structure_epsilon``. ``declared`` states come from a schema or a sample
    network; ``seen`` are columns that a schema has from the records and nobody has confirmed,
    ``known_from`` names what others are known from. ``bounded`` says that the file was cut to as
    many records of each unit as the statements name.
    """

    name: str
    network: Network
    public: bool
    inferred: bool
    binned: tuple[str, ...]
    missing: str
    structure: Origin
    structure_epsilon: float = 0.0
    statements: Statements = field(default_factory=Statements)
    records: int = 0
    declared: bool = True
    learned_by: str = ""
    """The earlier release that learned the graph, as the ledger says."""
    seen: tuple[str, ...] = ()
    known_from: tuple[str, ...] = ()
    bounded: bool = False

    @classmethod
    def of(
        cls,
        study: Study,
        statements: Statements,
        neighbours: Neighbours,
        network: Network | None = None,
    ) -> Facts:
        """Facts of a study; ``network`` is the graph to publish where it was edited since."""
        graph = study.network if network is None else network
        origin = _origin(study, graph, statements.graph)
        if study.unit:
            unit = statements.unit or study.unit
            statements = replace(statements, unit=unit, per_unit=study.per_unit)
        alone = neighbours is Neighbours.REPLACE and statements.per_unit == 1
        known = study.sampled or alone
        return cls(
            name=study.name,
            network=graph,
            public=study.sampled,
            inferred=study.inferred,
            binned=study.binned,
            missing=study.missing,
            structure=origin,
            structure_epsilon=statements.graph_epsilon or study.spent,
            statements=statements,
            records=statements.records or (study.before_dropping if known else 0),
            declared=study.declared,
            seen=study.seen,
            known_from=tuple(dict.fromkeys(source for _, source in study.known_from)),
            bounded=bool(study.unit),
        )


def _origin(study: Study, graph: Network, stated: Stated) -> Origin:
    """Where the graph comes from: a file alone does not say, so the steward does."""
    if graph != study.network:
        return "edited"
    if study.graph == "none":
        return "learned"
    if study.graph == "rehearsed":
        return "rehearsed"
    if study.sampled or stated == "known":
        return "given"
    return stated or "unstated"
