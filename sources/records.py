"""Records whose structure is not known: a table, its public domain, its taxonomies."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.encoding import Encoding, Taxonomy, encoding, taxonomy_of
from core.privbayes.synthesis import Synthesis, plain_network
from sources.formulas import number_of
from sources.schema import read_schema
from sources.study import INFERRED, File, Study, TableFile
from sources.tables import infer_domain, read_table
from sources.text import digest, naming, read_json, shown
from sources.units import Unit

TAXONOMIES = 2**20
"""Most bytes of a file of taxonomies (1 MB)."""


@dataclass(frozen=True, eq=False)
class Records:
    """Coded records over a domain; ``ordered`` variables have states in a meaningful order.

    ``inferred`` says that the states were read off the records, which is not private. The last
    four are those of a ``Study``.
    """

    name: str
    rows: Rows
    ordered: frozenset[str]
    sampled: bool = False
    inferred: bool = False
    notes: tuple[str, ...] = ()
    missing: str = ""
    before_dropping: int = 0
    declared: bool = True
    source: str = ""

    def encoded(self, name: str, taxonomies: Mapping[str, Taxonomy] | None = None) -> Encoding:
        """The encoding of that name for these variables."""
        variables = self.rows.dataset.variables
        return encoding(name, variables, taxonomies=taxonomies, ordered=self.ordered)


def read_records(
    data: TableFile, schema: File | None, *, missing: str, explore: bool, unit: Unit | None = None
) -> Records:
    """Records of a file against a schema; without one only to explore, and then with a note."""
    if schema is None and not explore:
        raise EquipoiseError(
            f"{data[0]} comes without a schema, and states read off the records are not private; "
            "add a schema, or say that you only explore"
        )
    declared = None if schema is None else read_schema(*schema)
    domain = infer_domain(*data) if declared is None else declared.variables
    read = read_table(*data, domain, schema=declared, missing=missing, unit=unit)
    binned = {c.variable.name for c in declared.columns if c.edges} if declared else set()
    numeric = {v.name for v in domain if all(number_of(s) is not None for s in v.states)}
    constant = tuple(
        f"Column {v.name!r} has one state, {v.states[0]!r}: it is kept and tells nothing."
        for v in read.dataset.variables
        if v.cardinality == 1
    )
    whole = read.dataset.records + read.dropped
    notes = (*((INFERRED,) if declared is None else ()), *read.notes, *read.counted, *constant)
    return Records(
        data[0],
        Rows(read.dataset),
        frozenset(binned | numeric),
        False,
        declared is None,
        notes,
        missing,
        whole,
        declared is not None,
        digest(data[1]),
    )


def study_records(study: Study) -> Records:
    """The records of a study, whatever its network says."""
    numeric = {
        v.name
        for v in study.dataset.variables
        if v.cardinality > 2 and all(number_of(s) is not None for s in v.states)
    }
    return Records(
        study.name,
        Rows(study.dataset),
        frozenset(numeric.union(study.binned)),
        study.sampled,
        study.inferred,
        (*study.notes, *study.counted),
        study.missing,
        study.before_dropping,
        study.declared,
        study.source,
    )


def learned_study(records: Records, synthesis: Synthesis, of: Study | None = None) -> Study:
    """A rehearsed graph with the records it is about, for what is asked of a graph.

    An encoding in bits leaves a graph over bits, so the records become bits as well. Otherwise all
    that is known of the records stays known where they are those ``of`` a study.
    """
    network = plain_network(synthesis)
    encoded = synthesis.encoding.encode(records.rows).dataset
    names = set(network.names)
    columns = [j for j, v in enumerate(encoded.variables) if v.name in names]
    kept = replace(
        encoded,
        variables=tuple(encoded.variables[j] for j in columns),
        codes=encoded.codes[:, columns],
    )
    spent = synthesis.spending.structure + synthesis.spending.records
    note = (
        f"The graph was learned with ε = {spent:.3g} and a known seed: for study, not private. "
        "What is spent on tables comes on top."
    )
    if of is not None and kept.variables == of.dataset.variables:
        return replace(
            of,
            name=f"{records.name}, learned",
            network=network,
            notes=(*of.notes, note),
            spent=spent,
            graph="rehearsed",
            model=None,
            loading=(),
        )
    return Study(
        f"{records.name}, learned",
        network,
        kept,
        sampled=records.sampled,
        inferred=records.inferred,
        notes=(*records.notes, note),
        spent=spent,
        graph="rehearsed",
    )


def read_taxonomies(name: str, data: bytes) -> dict[str, Taxonomy]:
    """Taxonomies of a JSON file: one nested object or list for each column.

    ``{"work": {"government": ["federal", "state"], "other": ["private"]}}``
    """
    with naming(name):
        taxonomies: dict[str, Taxonomy] = {}
        for column, tree in read_json(name, data, limit=TAXONOMIES).items():
            with naming(f"the taxonomy of {shown(column)}"):
                taxonomies[column] = taxonomy_of(tree)
        return taxonomies
