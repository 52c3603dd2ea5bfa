"""Making: from counts to the files of a release, the same on zeros and on the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.counts import CountSource
from core.methods.method import Release
from core.methods.registry import method_named
from core.parameters import Model
from core.scenario import RECORD_LIMIT
from release import files
from release.ledger.account import Account
from release.ledger.book import Reservation
from release.measurements import MEASUREMENTS, measurements_file
from release.meter import Drawer, Meter
from release.order import AS_MEASURED, Order
from release.preview import Preview, run
from release.published import Published
from release.versions import versions

Extra = Callable[[Published, Account], Mapping[str, bytes]]
"""Further files from the record of a release and its account, such as the dossier."""


@dataclass(frozen=True, eq=False)
class Made:
    """A release with the bytes of all its files."""

    published: Published
    files: Mapping[str, bytes]


@dataclass(frozen=True, eq=False)
class Making:
    """What is ordered, as it was proved, and what else is written about it."""

    order: Order
    shown: Preview
    extra: Extra | None = None

    def made(self, source: CountSource, paid: Reservation, drawer: Drawer) -> Made:
        """The release of this source; the drawer draws its noise."""
        order, shown = self.order, self.shown
        meter = Meter(shown.epsilon, shown.delta, order.scenario.neighbours, drawer)
        drawn = run(order.network, source, order.method, order.scenario, meter)
        published = _published(order, paid, meter, drawn)
        written = {
            **files.model_files(published),
            MEASUREMENTS: measurements_file(published, meter.kept),
        }
        published = published.with_files(files.listed(written))
        if self.extra is not None:
            written = {**written, **self.extra(published, paid.account)}
        return Made(published, written)


def _published(order: Order, paid: Reservation, meter: Meter, drawn: Release) -> Published:
    """The record of a release; from here on everything is public."""
    scenario, line, network = order.scenario, paid.line, drawn.model.network
    tables = () if drawn.plan is None else drawn.plan.serving
    first = next((i for i, table in enumerate(tables) if table >= 0), 0)  # known: no counts
    total = float(drawn.noisy[0, network.layout.slices[first]].sum())
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
        model=Model(network, drawn.model.values[0]),
        synthetic=measured if order.synthetic == AS_MEASURED else order.synthetic,
        versions=versions(),
        receipt=line.receipt,
        override=order.override,
    )
