"""Folders of Parquet files counted without an engine: pyarrow reads batches, numpy counts codes.

Memory does not grow with the rows. Groups of rows are shared out between processes where there are
cores; results do not depend on who did what.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.packing import Family, encode
from core.parallel import cores, ordered
from core.table import Array
from sources.coding import ABSENT, Coding
from sources.columns import Stream
from sources.elsewhere import Elsewhere, PackedTally, RowsAsked, Weights, grouped
from sources.packed_counter import CodedColumn, Codes, PackedCounter
from sources.parquet_rows import open_parquet
from sources.schema import MISSING_STATE

BATCH = 2**17
"""Rows coded at a time."""

SHARE = 2**22
"""Rows that make a task of their own."""


@dataclass(frozen=True)
class RowGroups:
    """Some groups of rows of one file; ``seen`` is the file as it was: bytes, nanoseconds."""

    path: Path
    groups: tuple[int, ...]
    seen: tuple[int, int]
    rows: int


@dataclass(frozen=True)
class GroupsAsked:
    """What every task is asked: which tables, or which values to add up."""

    asked: RowsAsked
    tables: tuple[Family, ...]
    values: tuple[tuple[Array, Array], ...] = ()


@dataclass(eq=False)
class Folder(Elsewhere):
    """The Parquet files of a folder or a pattern, as one table."""

    files: tuple[Path, ...] = field(default=(), repr=False)
    workers: int = 0
    rows: int = SHARE

    def header(self) -> Stream:
        """The columns of the first file; the others must have the same."""
        streams = [open_parquet(path.name, path, {}) for path in self.files]
        for path, stream in zip(self.files, streams, strict=True):
            if dict(stream.types) != dict(streams[0].types):
                raise EquipoiseError(
                    f"{path.name} has other columns or types than {self.files[0].name}; count "
                    "files of one kind together"
                )
        return streams[0]

    def _counted(self, tables: Sequence[Family], asked: RowsAsked) -> PackedTally:
        if asked.unit:
            raise EquipoiseError(
                f"{self.name}: a bound on records of a unit needs an engine; write --data "
                "duckdb:///FOLDER/*.parquet"
            )
        parts = self._asked(GroupsAsked(asked, tuple(tables)), count_task)
        whole: PackedTally = parts[0]
        for part in parts[1:]:
            whole = PackedTally(
                tuple(a + b for a, b in zip(whole.tables, part.tables, strict=True)),
                tuple(a + b for a, b in zip(whole.totals, part.totals, strict=True)),
                whole.wrong | part.wrong,
                whole.missing | part.missing,
            )
        return whole

    def _weighed(self, tables: Sequence[Family], values: Sequence[tuple[Array, Array]]) -> Weights:
        parts = self._asked(GroupsAsked(self.asked, tuple(tables), tuple(values)), weigh_task)
        members: dict[int, tuple[int, float]] = {}
        for part in parts:
            for group, (n, total) in part.members.items():
                before = members.get(group, (0, 0.0))
                members[group] = (before[0] + n, before[1] + total)
        rarest = tuple(map(sum, zip(*(part.rarest for part in parts), strict=True)))
        return Weights(members, rarest, max(part.most for part in parts))

    def _asked(self, question: GroupsAsked, work: Any) -> list[Any]:  # noqa: ANN401 - either work
        tasks = list(self._tasks())
        self.watch.total += sum(task.rows for task in tasks)
        answers = []
        for task, answer in zip(
            tasks, ordered(work, question, tasks, workers=self.workers or cores()), strict=True
        ):
            answers.append(answer)
            self.watch.add(task.rows)
        for task in tasks:
            _unchanged(task)
        return answers

    def _tasks(self) -> Iterator[RowGroups]:
        for path in self.files:
            stat = path.stat()
            metadata = pa.parquet.read_metadata(path)
            groups: list[int] = []
            rows = 0
            for group in range(metadata.num_row_groups):
                groups.append(group)
                rows += metadata.row_group(group).num_rows
                if rows >= self.rows:
                    yield RowGroups(path, tuple(groups), (stat.st_size, stat.st_mtime_ns), rows)
                    groups, rows = [], 0
            if groups:
                yield RowGroups(path, tuple(groups), (stat.st_size, stat.st_mtime_ns), rows)


def _unchanged(task: RowGroups) -> None:
    stat = task.path.stat()
    if (stat.st_size, stat.st_mtime_ns) != task.seen:
        raise EquipoiseError(
            f"{task.path.name} changed while it was counted; nothing was used, so count again "
            "when nobody writes to it"
        )


def count_task(question: GroupsAsked, task: RowGroups) -> PackedTally:
    """The counts of some groups of rows."""
    counter = PackedCounter(question.tables, question.asked.cardinalities)
    wrong: set[int] = set()
    missing: set[int] = set()
    for columns, rows in _coded(question, task, wrong, missing):
        counter.add(columns, rows)
    return counter.tally(wrong, missing - question.asked.gaps)


def weigh_task(question: GroupsAsked, task: RowGroups) -> Weights:
    """Leverages and rarest cells of some groups of rows, grouped."""
    cards = question.asked.cardinalities
    members: dict[int, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    rarest, most = np.zeros(6, dtype=np.int64), 0.0

    def add(group: int, n: int, total: float) -> None:
        members[group] = (members[group][0] + n, members[group][1] + total)

    for columns, rows in _coded(question, task, set(), set()):
        leverages, least = np.zeros(rows), np.full(rows, 5.0)
        for table, (sums, few) in zip(question.tables, question.values, strict=True):
            code = encode([columns[j].by_row for j in table], [cards[j] for j in table], rows)
            leverages += sums.take(code)
            np.minimum(least, few.take(code), out=least)
        if rows:
            counted, largest = grouped(leverages, least, add)
            rarest, most = rarest + counted, max(most, largest)
    return Weights(dict(members), tuple(int(n) for n in rarest), most)


def _coded(
    question: GroupsAsked, task: RowGroups, wrong: set[int], missing: set[int]
) -> Iterator[tuple[dict[int, CodedColumn], int]]:
    """Codes of the columns that matter, batch by batch; rows that do not count are left out."""
    asked = question.asked
    needed = asked.needed(question.tables)
    names = [asked.codings[j].variable.name for j in needed]
    readers = {j: Reader(asked.codings[j]) for j in needed}
    _unchanged(task)
    types = open_parquet(task.path.name, task.path, {}).types
    texts = [n for n in names if pa.types.is_string(types[n]) or pa.types.is_large_string(types[n])]
    with pa.parquet.ParquetFile(task.path, read_dictionary=texts) as file:
        for batch in file.iter_batches(BATCH, list(task.groups), columns=names, use_threads=False):
            columns: dict[int, CodedColumn] = {}
            bad: NDArray[np.bool_] | None = None
            for j, name in zip(needed, names, strict=True):
                columns[j], odd = readers[j].read(batch.column(name))
                if odd is not None:
                    states, codes = asked.codings[j].variable.cardinality, columns[j].places
                    wrong |= {j} if (codes == states).any() else set()
                    missing |= {j} if (codes == states + 1).any() else set()
                    bad = odd if bad is None else bad | odd
            if bad is not None:
                columns = {j: c._replace(places=c.places[~bad]) for j, c in columns.items()}
            yield columns, batch.num_rows if bad is None else int((~bad).sum())


class Reader:
    """Codes of one column: states first, then one for values that are none, one for missing."""

    def __init__(self, coding: Coding) -> None:
        self._coding = coding
        states = coding.variable.cardinality
        self._kind = np.min_scalar_type(states + 1)
        absent = coding.variable.code_of[MISSING_STATE] if coding.missing == "state" else states + 1
        self._of = {ABSENT: absent}
        self._states = states
        self._plain = np.arange(states, dtype=self._kind)
        self._known: tuple[Any, Codes] = (None, np.zeros(0, dtype=self._kind))

    def read(self, array: pa.Array) -> tuple[CodedColumn, NDArray[np.bool_] | None]:
        """Codes of the cells, and which are none or missing, where any is."""
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        meaning = self._meaning(array.dictionary)
        indices = array.indices
        if not array.null_count and len(meaning) <= self._states + 1:
            states = meaning[:-1]
            if not len(states) or states.max() < self._states:
                return CodedColumn(indices.to_numpy().astype(self._kind), states), None
        if array.null_count:
            indices = indices.fill_null(len(meaning) - 1)
        codes = meaning.take(indices.to_numpy(zero_copy_only=False))
        odd = codes >= self._states
        return CodedColumn(codes, self._plain), odd if odd.any() else None

    def _meaning(self, values: pa.Array) -> Codes:
        """Code of each value and, at the end, of nothing."""
        before, meaning = self._known
        if before is None or not before.equals(values):
            codes = np.append(self._coding.meanings(values), np.int32(ABSENT))
            plain = np.where(codes < 0, self._states, codes)
            plain[codes == ABSENT] = self._of[ABSENT]
            meaning = plain.astype(self._kind)
            self._known = (values, meaning)
        return meaning
