"""Records as a CSV file that a spreadsheet cannot mistake for formulas."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from sources.formulas import neutral
from sources.study import Study

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
