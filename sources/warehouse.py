"""Warehouse: a ``CountSource`` over Ibis. Coding, bounding and packed counts run in the engine.

Each packed table is one whole number per row; their grouped counts come back as one UNION ALL, so
that every table is of the same snapshot. Cells that nobody is in are filled with zeros here.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.packing import Family
from core.table import Array
from sources.coding import Coding
from sources.elsewhere import OCTAVE, Elsewhere, PackedTally, RowsAsked, Weights
from sources.engines import DuckDB, Engine, Ibis, ibis
from sources.pushed import coded, kind_of, of_nobody
from sources.streamed import streamed
from sources.units import Unit

NOBODY = -1
"""Number of the table that counts rows of no unit."""

REFUSED = -2
"""Number of the table that counts rows by their first column that is no state."""


@dataclass(eq=False, kw_only=True)
class Warehouse(Elsewhere):
    """A table of an engine, which hears the same watch."""

    engine: Engine

    def _counted(self, tables: Sequence[Family], asked: RowsAsked) -> PackedTally:
        if isinstance(self.engine, DuckDB):
            tally = streamed(self.engine, tables, asked)
            if tally is not None:
                return tally
        columns, rows = self._coded(asked, asked.needed(tables))
        radices = [states + 2 for states in asked.cardinalities]
        parts = [
            _grouped(rows, at, _packed([columns[j] for j in table], [radices[j] for j in table]))
            for at, table in enumerate(tables)
        ]
        if asked.unit:
            parts += self._unit_parts(asked)
        whole = ibis.union(*parts, distinct=False) if len(parts) > 1 else parts[0]
        return _tallied(self.engine.ask(whole), tables, asked, radices)

    def _column(self, rows: Ibis, coding: Coding) -> Ibis:
        column = rows[coding.variable.name]
        return coded(column, kind_of(column), coding, self.engine.dialect)

    def _coded(
        self, asked: RowsAsked, needed_columns: Sequence[int]
    ) -> tuple[dict[int, Ibis], Ibis]:
        """The codes of columns, and the rows that they are of."""
        rows = self.engine.expression()
        codes = {j: self._column(rows, asked.codings[j]) for j in needed_columns}
        if not asked.unit:
            for j in sorted(asked.gaps):
                states = asked.cardinalities[j]
                rows = rows.filter(codes[j] != states + 1)
            return codes, rows
        table = _bounded(rows, codes, asked, asked.unit)
        return {j: table[f"c{j}"] for j in codes}, table

    def _unit_parts(self, asked: RowsAsked) -> list[Ibis]:
        """Rows of nobody, and rows that are refused although a bound might leave them out."""
        rows = self.engine.expression()
        unit: Ibis = asked.unit
        nobody = of_nobody(rows[unit.column], asked.codings[0].dialect)
        first = [
            (self._column(rows, coding) == states, j)
            for j, (coding, states) in enumerate(
                zip(asked.codings, asked.cardinalities, strict=True)
            )
        ]
        refused = ibis.cases(*first, else_=-1)
        lost = ibis.cases((nobody, 1), else_=0)
        return [_grouped(rows, NOBODY, lost), _grouped(rows, REFUSED, refused)]

    def _weighed(self, tables: Sequence[Family], values: Sequence[tuple[Array, Array]]) -> Weights:
        columns, rows = self._coded(self.asked, self.asked.needed(tables))
        cards = self.asked.cardinalities
        leverage, least = ibis.literal(0.0), ibis.literal(5, "int32")
        for table, (sums, few) in zip(tables, values, strict=True):
            code = _packed([columns[j] for j in table], [cards[j] for j in table])
            leverage = leverage + ibis.array(sums.tolist())[code]
            least = ibis.least(least, ibis.array(few.astype(int).tolist())[code])
        held = rows.select(h=leverage, few=least)
        group = (ibis.greatest(held.h, 2.0**-40).log2() * OCTAVE).floor().cast("int64")
        answer = held.group_by(group=group, few=held.few).agg(
            n=held.count(), total=held.h.sum(), most=held.h.max()
        )
        members: dict[int, tuple[int, float]] = {}
        rarest, most = [0] * 6, 0.0
        for at, fewest, n, total, largest in self.engine.ask(answer):
            before = members.get(int(at), (0, 0.0))
            members[int(at)] = (before[0] + int(n), before[1] + float(total))
            rarest[int(fewest)] += int(n)
            most = max(most, float(largest))
        return Weights(members, tuple(rarest), most)


def _packed(codes: Sequence[Ibis], radices: Sequence[int]) -> Ibis:
    """One whole number for a row, last column fastest."""
    size = int(np.prod([float(r) for r in radices])) if radices else 1
    kind = "int32" if size < 2**31 else "int64"
    whole = ibis.literal(0, kind)
    for at, (code, radix) in enumerate(zip(codes, radices, strict=True)):
        whole = code.cast(kind) if not at else whole * ibis.literal(radix, kind) + code
    return whole.cast(kind)


def _grouped(rows: Ibis, number: int, code: Ibis) -> Ibis:
    counted = rows.group_by(code=code.cast("int64")).agg(n=rows.count())
    return counted.select(part=ibis.literal(number, "int32"), code=counted.code, n=counted.n)


def _bounded(rows: Ibis, codes: dict[int, Ibis], asked: RowsAsked, unit: Unit) -> Ibis:
    """At most so many records of each unit, those with the smallest keyed hashes.

    A record's rank follows from the key, its unit and its own codes: records of others do not
    change it, and records that are equal in all of these count alike whichever stays. The key that
    the statement holds is derived, so a query log never has the ledger's.
    """
    key = hmac.new(unit.key, b"bound on records of a unit", hashlib.sha256).hexdigest()

    def md5(text: str) -> str:
        """Every engine has it."""
        raise NotImplementedError

    hashed = ibis.udf.scalar.builtin(md5)
    owner = rows[unit.column].cast("string")
    table = rows.select(owner=owner, **{f"c{j}": code for j, code in codes.items()})
    for j in sorted(asked.gaps):
        table = table.filter(table[f"c{j}"] != asked.cardinalities[j] + 1)
    text = ibis.literal(key) + table.owner
    for j in codes:
        text = text + "," + table[f"c{j}"].cast("string")
    ranked = table.mutate(
        place=ibis.row_number().over(ibis.window(group_by=table.owner, order_by=hashed(text)))
    )
    return ranked.filter(ranked.place < unit.most)


def _tallied(
    answers: Sequence[tuple[Ibis, ...]],
    tables: Sequence[Family],
    asked: RowsAsked,
    radices: Sequence[int],
) -> PackedTally:
    """Counts as arrays; codes that are no state become the columns that they are of."""
    cards = asked.cardinalities
    wrong: set[int] = set()
    missing: set[int] = set()
    rows = np.array([[int(v) for v in row] for row in answers], dtype=np.int64).reshape(-1, 3)
    counted, totals = [], []
    for at, table in enumerate(tables):
        own = rows[rows[:, 0] == at]
        places = np.unravel_index(own[:, 1], [radices[j] for j in table]) if table else ()
        fine = np.ones(len(own), dtype=np.bool_)
        for j, place in zip(table, places, strict=True):
            fine &= place < cards[j]
            wrong |= {j} if (place == cards[j]).any() else set()
            missing |= {j} if (place == cards[j] + 1).any() else set()
        values = np.zeros([cards[j] for j in table], dtype=np.int64)
        values[tuple(place[fine] for place in places)] = own[fine, 2]
        counted.append(values)
        totals.append(int(own[:, 2].sum()))
    special = {(int(part), int(code)) for part, code, _ in rows if part < 0}
    wrong |= {code for part, code in special if part == REFUSED and code >= 0}
    nobody = (NOBODY, 1) in special
    return PackedTally(tuple(counted), tuple(totals), frozenset(wrong), frozenset(missing), nobody)
