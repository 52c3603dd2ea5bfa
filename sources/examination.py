"""A table against a domain, looked at as a whole: every column, every problem, nothing refused.

The domain is public and given, by a network file or a schema. A value counts as missing when it is
spelt as its dialect says, unless the domain has a state spelt so. The file is read piece by piece;
only codes are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.table import Variable
from sources.coding import ABSENT, WRONG, Coding, absent, texts
from sources.columns import Stream, check_codes
from sources.dialect import Dialect, unstated
from sources.opening import open_table
from sources.schema import MISSING_CHOICES, MISSING_STATE, Schema, SchemaColumn
from sources.text import Content, listed, shown
from sources.units import Unit, bounded, unnamed


@dataclass(frozen=True)
class Problem:
    """One reason to refuse a table, as a sentence; ``column`` is empty when it is about no one."""

    sentence: str
    column: str = ""


@dataclass(frozen=True, eq=False)
class Coded:
    """One column against its variable: ``missing`` cells, ``distinct`` states that occur."""

    variable: Variable
    codes: NDArray[np.signedinteger]
    distinct: int
    missing: int


@dataclass(frozen=True, eq=False)
class Examined:
    """Everything found out about a table, with every problem; nothing is refused yet.

    ``kept`` says which rows are used: those with no value missing where such rows are dropped
    (``dropped`` of them are not), and of each unit as many as it may have.
    """

    columns: tuple[Coded, ...]
    records: int
    dropped: int
    kept: NDArray[np.bool_]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    guessed: tuple[str, ...]
    """What of its dialect the records decide."""


@dataclass(eq=False)
class _Growing:
    """One column while it is read; of the refused values the first is remembered."""

    coding: Coding
    records: int = 0
    missing: int = 0
    wrong: int = 0
    first: tuple[int, str | None] = (0, None)
    codes: NDArray[np.signedinteger] = field(init=False)
    """Room for more rows than were read, in one piece: many small ones are never given back."""

    def __post_init__(self) -> None:
        smallest = np.min_scalar_type(-self.coding.variable.cardinality - 1)
        self.codes = np.empty(0, dtype=smallest)
        self.occurs = np.zeros(self.coding.variable.cardinality - WRONG, dtype=np.bool_)

    def add(self, array: pa.Array) -> None:
        codes = self.coding.of(array)
        gaps = codes == ABSENT
        self.missing += int(gaps.sum())
        if self.coding.missing == "state":
            codes[gaps] = self.coding.variable.code_of[MISSING_STATE]
        refused = codes < (ABSENT if self.coding.missing == "drop" else 0)
        if refused.any():
            if not self.wrong:
                row = int(refused.argmax())
                self.first = (
                    self.records + row,
                    texts(array.slice(row, 1).cast(pa.string()))[0].as_py(),
                )
            self.wrong += int(refused.sum())
        self.occurs[codes] = True  # missing and wrong ones stand at the end
        start, self.records = self.records, self.records + len(codes)
        if self.records > len(self.codes):
            self.codes.resize(self.records + self.records // 8, refcheck=False)
        self.codes[start : self.records] = codes

    def coded(self) -> Coded:
        """The column as it was read; nothing more can be added."""
        self.codes.resize(self.records, refcheck=False)
        states = int(self.occurs[:WRONG].sum())
        return Coded(self.coding.variable, self.codes, states, self.missing)


def examine(
    name: str,
    content: Content,
    domain: Sequence[Variable],
    *,
    schema: Schema | None = None,
    missing: str = "refuse",
    unit: Unit | None = None,
) -> Examined:
    """Every column of a file against a domain; only a file that cannot be read at all raises."""
    wanted = {v.name for v in domain} | ({unit.column} if unit else set())
    stated = schema.file if schema else None
    stream = open_table(name, content, wanted, stated=stated)
    codings = coded_by(domain, schema, stream.dialect, missing)
    problems = lacking(name, stream.header, domain, schema, unit)
    header = set(stream.header)
    growing = [_Growing(coding) for coding in codings if coding.variable.name in header]
    units = _read(name, stream, growing, unit, problems)
    problems += _refused(name, stream, growing)
    coded = tuple(column.coded() for column in growing)
    records = len(coded[0].codes) if coded else len(units)
    kept = np.ones(records, dtype=np.bool_)
    for column, read in zip(coded, growing, strict=True):
        if read.coding.missing == "drop":
            kept &= column.codes >= 0
    dropped = records - int(kept.sum())
    if dropped and dropped == records and not problems:
        problems.append(
            Problem(f"{name}: every row has a missing value; treat missing as a state instead")
        )
    if unit and len(units) == records:
        kept[kept] = bounded(units[kept], unit.most)
    notes = (*stream.dialect.told, *_ignored(stream, wanted))
    guessed = unstated(stream.dialect, stated, stream.sheets)
    return Examined(coded, records, dropped, kept, tuple(problems), notes, guessed)


def coded_by(
    domain: Sequence[Variable], schema: Schema | None, dialect: Dialect, missing: str
) -> tuple[Coding, ...]:
    """How the cells of each column become states; what a schema does not say is ``missing``'s."""
    if missing not in MISSING_CHOICES:
        raise EquipoiseError(
            f"missing values: {shown(missing)} is not known; choose {', '.join(MISSING_CHOICES)}"
        )
    declared = {} if schema is None else schema.by_name
    columns = [declared.get(variable.name) or SchemaColumn(variable) for variable in domain]
    return tuple(
        Coding(column.widened(variable, missing), column, dialect, column.missing or missing)
        for variable, column in zip(domain, columns, strict=True)
    )


def _read(
    name: str,
    stream: Stream,
    growing: Sequence[_Growing],
    unit: Unit | None,
    problems: list[Problem],
) -> NDArray[np.uint64]:
    """Read the file once, to its end; the units' hashes are returned."""
    owners = unit.column if unit and unit.column in stream.header else ""
    names = [column.coding.variable.name for column in growing]
    width = sum(column.codes.itemsize for column in growing) + 8 * bool(owners)
    hashes = [np.zeros(0, dtype=np.uint64)]
    records = 0
    for batch in stream.batches(list(dict.fromkeys([*names, *([owners] if owners else [])]))):
        check_codes(name, records + batch.num_rows, width)
        for column, own in zip(growing, names, strict=True):
            column.add(batch.column(own))
        if unit and owners:
            array = batch.column(owners)
            array = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
            dialect = unnamed(stream.dialect, array.dictionary.type)
            if array.null_count or absent(array.dictionary, dialect).any():
                owners = ""
                problems.append(
                    Problem(
                        f"{name}: a row names no unit in column {shown(unit.column)}, so it cannot "
                        "be bounded; fill it or leave such rows out",
                        unit.column,
                    )
                )
            else:
                hashes.append(unit.hashed(array))
        records += batch.num_rows
    return np.concatenate(hashes)


def lacking(
    name: str,
    columns: tuple[str, ...],
    domain: Sequence[Variable],
    schema: Schema | None,
    unit: Unit | None,
) -> list[Problem]:
    """Columns that the file lacks, and those whose states network and schema give differently.

    A schema that shares no column with the file is for another one.
    """
    header = set(columns)
    if schema and header.isdisjoint(schema.by_name):
        return [
            Problem(
                f"{schema.name} is a schema for another file: it describes "
                f"{listed(tuple(schema.by_name))}, and {name} has {listed(columns)}"
            )
        ]
    needed = [(v.name, "the schema" if schema else "the network") for v in domain]
    needed += [(unit.column, "the bound on records of a unit")] if unit else []
    problems = [
        Problem(
            f"{name} has no column {shown(column)}, which {who} needs; it has {listed(columns)}",
            column,
        )
        for column, who in needed
        if column not in header
    ]
    for variable in domain:
        column = schema.by_name.get(variable.name) if schema else None
        if schema is None or column is None:
            continue
        further = set(
            column.widened(column.variable, "state").states[column.variable.cardinality :]
        )
        if set(column.variable.states) - further != set(variable.states) - further:
            problems.append(
                Problem(
                    f"column {shown(variable.name)} has the states {listed(variable.states)} in "
                    f"the network and {listed(column.variable.states)} in {schema.name}; make them "
                    "equal",
                    variable.name,
                )
            )
    return problems


def _refused(name: str, stream: Stream, growing: Sequence[_Growing]) -> list[Problem]:
    """For each column with values that cannot be used, the first one and how many there are."""
    wrong = [column for column in growing if column.wrong]
    places = stream.places({column.first[0] for column in wrong}) if wrong else {}
    problems = []
    for column in wrong:
        own, (row, value) = column.coding.variable.name, column.first
        more = column.wrong - 1
        others = f" ({more:,} more {'row' if more == 1 else 'rows'} like it)" * (more > 0)
        why = column.coding.reason(value)
        problems.append(Problem(f"{name}, {places[row]}, column {shown(own)}: {why}{others}", own))
    return problems


def _ignored(stream: Stream, wanted: set[str]) -> tuple[str, ...]:
    ignored = tuple(c for c in stream.header if c not in wanted)
    if not ignored:
        return ()
    return (f"Columns not in the network or schema are ignored: {listed(ignored)}.",)


def counted_notes(records: int, dropped: int) -> tuple[str, ...]:
    """How many records were left out, where any was: for the keeper of the data only."""
    if not dropped:
        return ()
    return (f"{dropped:,} of {records:,} rows have a missing value: dropped.",)
