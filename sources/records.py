"""Records whose structure is not known: a table, its public domain, its taxonomies."""

from collections.abc import Mapping
from dataclasses import replace

from core.errors import EquipoiseError
from core.privbayes.encoding import Encoding, Taxonomy, encoding, taxonomy_of
from core.privbayes.synthesis import Synthesis, plain_network
from sources.formulas import number_of
from sources.schema import MISSING_STATE
from sources.study import File, Study, TableFile, uploaded_study
from sources.text import naming, read_json, shown
from sources.units import Unit

TAXONOMIES = 2**20
"""Most bytes of a file of taxonomies (1 MB)."""


def ordered(study: Study) -> frozenset[str]:
    """Columns whose states have a meaningful order: cut into bins, or all numbers but missing."""
    states = {v.name: set(v.states) - {MISSING_STATE} for v in study.dataset.variables}
    numeric = (name for name, own in states.items() if None not in map(number_of, own))
    return frozenset((*study.binned, *numeric))


def encoded(study: Study, name: str, taxonomies: Mapping[str, Taxonomy] | None = None) -> Encoding:
    """The encoding of that name for the columns of a study, whatever its network says."""
    variables = study.dataset.variables
    return encoding(name, variables, taxonomies=taxonomies, ordered=ordered(study))


def read_records(
    data: TableFile, schema: File | None, *, missing: str, explore: bool, unit: Unit | None = None
) -> Study:
    """Records of a file against a schema; without one only to explore, and then with a note."""
    if schema is None and not explore:
        raise EquipoiseError(
            f"{data[0]} comes without a schema, and states read off the records are not private; "
            "add a schema, or say that you only explore"
        )
    study = uploaded_study(
        None, None, data=data, schema=schema, missing=missing, unit=unit, explore=True
    )
    constant = (
        f"Column {v.name!r} has one state, {v.states[0]!r}: it is kept and tells nothing."
        for v in study.dataset.variables
        if v.cardinality == 1
    )
    return replace(study, notes=(*study.notes, *constant))


def learned_study(study: Study, synthesis: Synthesis) -> Study:
    """A rehearsed graph with the records it is about, for what is asked of a graph.

    An encoding in bits leaves a graph over bits, so the records become bits as well. All that is
    known of them stays known: a release asks for it.
    """
    network = plain_network(synthesis)
    bits = synthesis.encoding.encode(study.rows).dataset
    columns = [j for j, v in enumerate(bits.variables) if v.name in network.position]
    kept = tuple(bits.variables[j] for j in columns)
    spent = synthesis.spending.structure + synthesis.spending.records
    note = (
        f"The graph was learned with ε = {spent:.3g} and a known seed: for study, not private. "
        "What is spent on tables comes on top."
    )
    people = study.people
    if kept != study.dataset.variables:
        people = replace(bits, variables=kept, codes=bits.codes[:, columns])
    return replace(
        study,
        name=f"{study.name}, learned",
        network=network,
        people=people,
        notes=(*study.notes, note),
        spent=spent,
        graph="rehearsed",
        model=None,
        loading=(),
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
