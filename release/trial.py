"""Trial: the whole release once on zeros, before money moves.

Whatever can fail fails here: the worker's answers, the method, every writer, the papers, the
directory. It asks the same worker through the same protocol, writes the same files under a hidden
name of the same length, reads them back, rebuilds the model from its measurements and removes
all of them. What the noise of a trial was added to
is zero, and all of it is thrown away.
"""

from __future__ import annotations

import secrets
import shutil
from dataclasses import replace
from pathlib import Path

from core.errors import EquipoiseError
from release import files
from release.ledger.account import PaidItem
from release.ledger.book import Ledger, Reservation, now
from release.ledger.spending import Spend
from release.making import Making
from release.measurements import check_rebuilt
from release.meter import Drawer
from release.order import AS_MEASURED
from release.preview import nothing
from release.published import Receipt

SYNTHETIC = 100
"""Synthetic records of a trial where noise will say how many there are."""


def tried(making: Making, ledger: Ledger, spend: Spend, drawer: Drawer, out: Path) -> None:
    """Make the release of nothing; what fails is one sentence, and nothing was spent."""
    order = making.order
    few = replace(order, synthetic=SYNTHETIC if order.synthetic == AS_MEASURED else order.synthetic)
    paid = _as_if_paid(ledger, spend)
    directory = files.trial(out, paid.line.id)
    try:
        drawn = replace(making, order=few, trial=True).made(nothing(order.method), paid, drawer)
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


def _as_if_paid(ledger: Ledger, spend: Spend) -> Reservation:
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
    return Reservation(line, replace(account, lines=[*account.lines, line]), fresh=True)
