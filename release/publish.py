"""Publishing: pay, draw, write, record, in this order, once for each click.

1. The budget is proved from public facts; the tables are counted; the worker is ready; the whole
   release is tried once on zeros, with this worker and these files.
2. The spend is on disk. From here on the budget is gone, whatever happens.
3. The worker draws; the method that was rehearsed makes the model; acceptance criteria are drawn,
   and one that fails ends the release as lost; files are written under a hidden name and flushed.
4. The ledger records the files with their checksums; then the directory gets its name.

A process that dies between any two steps leaves a budget spent and shown as lost, or files that
the ledger knows and the next release puts in place. It never leaves a file without its entry.
"""

import contextlib
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.table import Table, Variable
from release import files
from release.ledger.account import Account, PaidItem
from release.ledger.book import Ledger, Reservation, now
from release.ledger.folders import check_receipts
from release.ledger.liveness import MAKING
from release.ledger.spending import Spend, graph_digest
from release.making import Extra, Making
from release.measurements import check_rebuilt
from release.meter import Drawer
from release.order import AS_MEASURED, Order, spend_of
from release.preview import Preview, nothing, preview
from release.process import SECONDS, Worker
from release.published import Published, Receipt

SYNTHETIC = 100
"""Synthetic records of a trial where noise will say how many there are."""


def tried(making: Making, ledger: Ledger, spend: Spend, drawer: Drawer, out: Path) -> None:
    """Make the release of nothing; what fails is one sentence, and nothing was spent."""
    order = making.order
    few = replace(order, synthetic=SYNTHETIC if order.synthetic == AS_MEASURED else order.synthetic)
    line, account = _as_if_paid(ledger, spend)
    directory = files.trial(out, line.id)
    try:
        trial = replace(making, order=few, trial=True)
        drawn = trial.made(nothing(order.method), line, account, drawer)
        files.write(directory, drawn.files)
        files.read_published(directory, files.listed(drawn.files))
        check_rebuilt(drawn.files)
    except EquipoiseError as problem:
        raise type(problem)(f"{problem}; nothing was spent") from None
    except Exception as problem:
        raise EquipoiseError(
            f"the release was tried on zeros and failed ({type(problem).__name__}: "
            f"{ascii(str(problem))[1:-1]}); nothing was spent"
        ) from problem
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _as_if_paid(ledger: Ledger, spend: Spend) -> tuple[PaidItem, Account]:
    """What the ledger would answer, made up: nothing is written."""
    account = ledger.charged(spend)
    line = PaidItem(
        secrets.token_hex(8),
        "release",
        now(),
        spend.method,
        spend.epsilon,
        spend.delta,
        "pending",
        False,
        Receipt(0, "0" * 64),
        token=spend.token,
        override=spend.override,
    )
    return line, replace(account, lines=[*account.lines, line])


Workers = Callable[[], AbstractContextManager[Drawer]]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A release with its account; ``repeated`` when the click had been answered before."""

    published: Published
    account: Account
    directory: Path
    repeated: bool


@dataclass(frozen=True)
class _Whole:
    """Exact counts as whole numbers, counted once; the number of records is not to be had."""

    source: CountSource
    tables: dict[tuple[tuple[Variable, ...], ...], tuple[Table, ...]] = field(default_factory=dict)

    @property
    def records(self) -> int:
        raise EquipoiseError("a release may not use the number of records; it is private")

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        key = tuple(families)
        if key not in self.tables:
            self.tables[key] = _checked(self.source.counts(key))
        return self.tables[key]


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
    source, making = _counted(order, shown), Making(order, shown, extra)
    with workers() as drawer:
        tried(making, ledger, spend, drawer, out)
        reservation = ledger.spend(spend)
        if not reservation.fresh:  # the other click of a double click was faster
            return _again(reservation, ledger)
        with paid_for(ledger, out, reservation.line):
            drawn = making.made(source, reservation.line, reservation.account, drawer)
            drawn.check_accepted()
            files.write(files.hidden(out, drawn.published.id), drawn.files)
            everything = files.listed(drawn.files)
            learned = method_named(order.method).learns
            graph = graph_digest(drawn.published.model.network) if learned else ""
            ledger.complete(
                drawn.published.id, everything, directory=str(out.resolve()), graph=graph
            )
    directory = files.place(out, drawn.published.id)
    published = drawn.published.with_files(everything)
    return Outcome(published, reservation.account, directory, False)


@contextlib.contextmanager
def paid_for(ledger: Ledger, out: Path, line: PaidItem) -> Iterator[None]:
    """Around what follows a spend: whatever fails is recorded as lost, and stays spent."""
    try:
        yield
    except EquipoiseError as problem:
        _lose(ledger, out, line, str(problem))
        raise EquipoiseError(
            f"{problem}; release {line.id} is lost and its budget stays spent"
        ) from None
    except BaseException as problem:
        _lose(ledger, out, line, type(problem).__name__)
        raise
    finally:
        MAKING.discard(line.id)


def tidy(ledger: Ledger, out: Path) -> None:
    """Put files of complete releases in place, remove those of lost ones: what kills left.

    Trials that are older than any trial takes were killed as well.
    """
    lines = {line.id: line for account in ledger.accounts() for line in account.lines}
    for left in out.glob(".*.partial"):
        line = lines.get(left.name[1 : -len(".partial")])
        if line is not None and line.state == "complete":
            files.place(out, line.id)
        elif line is not None and line.state == "lost":
            files.discard(out, line.id)
    for left in out.glob(f".*{files.TRIAL}"):
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if time.time() - left.stat().st_mtime > SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def _counted(order: Order, shown: Preview) -> _Whole:
    """The tables the method will ask for, whole numbers. Reads the private counts.

    A method that learns its graph asks for others later; all records are counted here at least.
    """
    source = _Whole(order.study.counts)
    for asked in shown.families or (tuple((v,) for v in order.network.variables),):
        source.counts(asked)
    for criterion in order.acceptance.criteria:
        source.counts(criterion.families({v.name: v for v in order.network.variables}))
    return source


def _checked(tables: tuple[Table, ...]) -> tuple[Table, ...]:
    for table in tables:
        if not (table.values == np.rint(table.values)).all() or table.values.min() < 0:
            raise EquipoiseError(f"the counts over {table.names} are not whole numbers of records")
    return tables


def _lose(ledger: Ledger, out: Path, line: PaidItem, reason: str) -> None:
    """Remove its files, then record it: on a full disk they make room for the entry.

    Where even the ledger cannot be written, what nobody works at shows as lost all the same. A
    release that is complete keeps its files.
    """
    with contextlib.suppress(EquipoiseError):
        if ledger.line(line.id).settled:
            return
        files.discard(out, line.id)
        ledger.lose(line.id, reason)


def complete_line(ledger: Ledger, line: PaidItem) -> PaidItem:
    """What was paid for before, once it is complete and in place; refused where it is lost."""
    deadline = time.monotonic() + SECONDS
    while line.state == "pending" and time.monotonic() < deadline:
        time.sleep(0.05)
        line = ledger.line(line.id)
    if line.state != "complete":
        raise EquipoiseError(
            f"release {line.id} was paid for and came to nothing ({line.reason or 'no answer'}); "
            "its budget stays spent, and a new release costs again"
        )
    tidy(ledger, Path(line.directory))
    return line


def _again(paid: Reservation, ledger: Ledger) -> Outcome:
    """The release of a click that has paid before, once it is there."""
    line = complete_line(ledger, paid.line)
    place = Path(line.directory)
    published = files.read_published(
        place / line.id, line.files, dataset=paid.account.name, override=line.override
    )
    return Outcome(published, paid.account, place / line.id, repeated=True)
