"""Publishing: pay, draw, write, record, in this order, once for each click.

1. The budget is proved from public facts; the tables are counted; the worker is ready.
2. The spend is on disk. From here on the budget is gone, whatever happens.
3. The worker draws; the method that was rehearsed makes the model; files are written under a
   hidden name and flushed.
4. The ledger records the files with their checksums; then the directory gets its name.

A process that dies between any two steps leaves a budget spent and shown as lost, or files that
the ledger knows and the next release puts in place. It never leaves a file without its entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import EquipoiseError
from core.methods.method import Release
from core.methods.registry import method_named
from core.parameters import Model
from core.scenario import RECORD_LIMIT
from core.table import Table, Variable
from release import files
from release.folders import check_receipts
from release.ledger.account import Account, Line
from release.ledger.book import Ledger, Reservation
from release.meter import Drawer, Meter
from release.order import AS_MEASURED, Order, spend_of
from release.preview import Preview, preview, run
from release.process import SECONDS, Worker
from release.published import Published
from release.versions import versions

Workers = Callable[[], AbstractContextManager[Drawer]]
Extra = Callable[[Published, Account], Mapping[str, bytes]]
"""Further files from the record of a release and its account, such as the dossier."""

@dataclass(frozen=True, eq=False)
class Outcome:
    """A release with its account; ``repeated`` when the click had been answered before."""

    published: Published
    account: Account
    directory: Path
    repeated: bool


@dataclass(frozen=True)
class _Whole:
    """Exact counts as whole numbers; the number of records is not to be had."""

    tables: Mapping[tuple[tuple[Variable, ...], ...], tuple[Table, ...]]

    @property
    def records(self) -> int:
        raise EquipoiseError("a release may not use the number of records; it is private")

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        return self.tables[tuple(families)]


def publish(
    order: Order,
    ledger: Ledger,
    out: Path,
    *,
    workers: Workers = Worker,
    extra: Extra | None = None,
) -> Outcome:
    """Release, or give the release that this click has paid for before.

    Refused without cost: what the budget, the method or the directory do not allow. A failure
    after the spend is recorded as lost and raised.
    """
    shown = preview(order.network, order.method, order.scenario)
    files.check_writable(out)
    check_receipts(ledger, out)
    tidy(ledger, out)
    spend = spend_of(order, shown, ledger)
    before = ledger.foresee(spend)
    if before is not None:
        return _again(before, ledger)
    source = _counted(order, shown)
    with workers() as drawer:
        reservation = ledger.spend(spend)
        if not reservation.fresh:  # the other click of a double click was faster
            return _again(reservation, ledger)
        try:
            meter = Meter(shown.epsilon, shown.delta, order.scenario.neighbours, drawer)
            found = run(order.network, source, order.method, order.scenario, meter)
            published = _published(order, reservation, meter, found)
            made = files.model_files(published)
            published = published.with_files(files.listed(made))
            if extra is not None:
                made = {**made, **extra(published, reservation.account)}
            files.write(out, published.id, made)
            everything = files.listed(made)
            ledger.complete(published.id, everything, directory=str(out.resolve()))
        except EquipoiseError as problem:
            _lose(ledger, out, reservation.line, str(problem))
            raise EquipoiseError(
                f"{problem}; release {reservation.line.id} is lost and its budget stays spent"
            ) from None
        except BaseException as problem:
            _lose(ledger, out, reservation.line, type(problem).__name__)
            raise
    directory = files.place(out, published.id)
    return Outcome(published.with_files(everything), reservation.account, directory, False)


def tidy(ledger: Ledger, out: Path) -> None:
    """Put files of complete releases in place, remove those of lost ones: what kills left."""
    lines = {line.id: line for account in ledger.accounts() for line in account.lines}
    for left in out.glob(".*.partial"):
        line = lines.get(left.name[1 : -len(".partial")])
        if line is not None and line.state == "complete":
            files.place(out, line.id)
        elif line is not None and line.state == "lost":
            files.discard(out, line.id)


def _counted(order: Order, shown: Preview) -> _Whole:
    """The tables the method will ask for, whole numbers. Reads the private counts."""
    found = {asked: order.study.counts.counts(asked) for asked in shown.families}
    for table in (table for tables in found.values() for table in tables):
        if not (table.values == np.rint(table.values)).all() or table.values.min() < 0:
            raise EquipoiseError(f"the counts over {table.names} are not whole numbers of records")
    return _Whole(found)


def _published(order: Order, paid: Reservation, meter: Meter, found: Release) -> Published:
    """The record of a release; from here on everything is public."""
    scenario, line = order.scenario, paid.line
    total = float(found.noisy[0, order.network.layout.slices[0]].sum())
    measured = min(max(1, round(total)), RECORD_LIMIT)
    return Published(
        id=line.id,
        time=line.time,
        dataset=paid.account.name,
        method=order.method,
        guarantee=method_named(order.method).guarantee.text,
        neighbours=scenario.neighbours,
        epsilon=line.epsilon,
        delta=line.delta,
        rho=meter.rho,
        cost=meter.cost,
        split=scenario.split,
        rate=scenario.rate,
        options=scenario.options,
        measurements=tuple(meter.measurements),
        model=Model(order.network, found.model.values[0]),
        synthetic=measured if order.synthetic == AS_MEASURED else order.synthetic,
        versions=versions(),
        receipt=line.receipt,
        override=order.override,
    )


def _lose(ledger: Ledger, out: Path, line: Line, reason: str) -> None:
    ledger.lose(line.id, reason)  # refused for one that is complete: its files stay
    files.discard(out, line.id)


def _again(paid: Reservation, ledger: Ledger) -> Outcome:
    """The release of a click that has paid before, once it is there."""
    line, deadline = paid.line, time.monotonic() + SECONDS
    while line.state == "pending" and time.monotonic() < deadline:
        time.sleep(0.05)
        line = ledger.line(line.id)
    if line.state != "complete":
        raise EquipoiseError(
            f"release {line.id} was paid for and came to nothing ({line.reason or 'no answer'}); "
            "its budget stays spent, and a new release costs again"
        )
    place = Path(line.directory)
    tidy(ledger, place)
    found = files.read_published(
        place / line.id, line.files, dataset=paid.account.name, override=line.override
    )
    return Outcome(found, paid.account, place / line.id, repeated=True)
