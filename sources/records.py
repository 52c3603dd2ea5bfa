"""Records whose structure is not known: a table, its domain and taxonomies; synthetic ones as CSV.

A file is written so that a spreadsheet does not mistake a state for a formula.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.encoding import Encoding, Taxonomy, encoding, taxonomy_of
from core.privbayes.synthesis import Synthesis, plain_network
from sources.formulas import neutral, number_of
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


STUDY_COLUMN = "study_not_private"
"""Last column of a study file. A column of its own, because a line of comment breaks readers and is
the first thing a copy loses, and a column that is renamed no longer fits its schema."""

STUDY_CELL = "seeded"
"""What stands in it: why the records are not private."""

STUDY_ENDING = "-study"


@dataclass(frozen=True)
class RecordsFile:
    """A file of synthetic records, ready to be written."""

    path: Path
    content: bytes


def check_study(records: Study, *, study: bool) -> None:
    """Refuse synthetic records of private ones unless they are asked for as a study.

    Whoever knows the seed repeats the synthesis without one record and sees whether it was there.
    """
    if not records.sampled and not study:
        raise EquipoiseError(
            "the records are private and a synthesis with a known seed is not: anyone who repeats "
            "it without a record learns whether it was there; ask for a study file with --study"
        )


def synthetic_file(path: Path, rows: Rows, records: Study, *, study: bool) -> RecordsFile:
    """Synthetic ``rows`` made from ``records``: plain where those are public, else a study file.

    A study file says so in its name, which ends in ``-study``, and in its header.
    """
    check_study(records, study=study)
    if not study:
        return RecordsFile(path, records_csv(rows))
    return RecordsFile(study_path(path), records_csv(rows, study=True))


def study_path(path: Path) -> Path:
    """The same path with a name that ends in ``-study`` before its extension.

    >>> study_path(Path("synthetic.csv")).name
    'synthetic-study.csv'
    """
    if f"-{path.stem}".endswith(STUDY_ENDING):
        return path
    return path.with_name(f"{path.stem}{STUDY_ENDING}{path.suffix}")


def records_csv(rows: Rows, *, study: bool = False) -> bytes:
    """States by name, one line per record, header first, UTF-8; a study has one column more."""
    dataset = rows.dataset
    columns = [
        np.array([neutral(s, variable.code_of) for s in variable.states], dtype=object)[codes]
        for variable, codes in zip(dataset.variables, dataset.codes.T, strict=True)
    ]
    names = [variable.name for variable in dataset.variables]
    header = [neutral(name, names) for name in names]
    if study and STUDY_COLUMN not in names:
        header.append(STUDY_COLUMN)
        columns.append(np.full(rows.records, STUDY_CELL, dtype=object))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=_quoting(rows))
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode()


def _quoting(rows: Rows) -> Literal[0, 1]:
    """Quotes round every cell where one holds what other writers separate by."""
    texts = (text for v in rows.dataset.variables for text in (v.name, *v.states))
    odd = any(not {";", "\t", "|", "\r"}.isdisjoint(text) for text in texts)
    return csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL
