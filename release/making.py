"""Making: from counts to the files of a release, the same on zeros and on the records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.method import Release
from core.methods.registry import method_named
from core.parameters import Model
from core.scenario import RECORD_LIMIT
from release import files
from release.acceptance import failed, judged
from release.ledger.account import Account, PaidItem
from release.measurements import MEASUREMENTS, measurements_file
from release.meter import Drawer, Meter
from release.order import AS_MEASURED, Order
from release.preview import Preview, run
from release.published import Published
from release.rationals import decimal
from release.uncertainty import intervals_file, row_intervals
from release.versions import versions

Extra = Callable[[Published, Account], Mapping[str, bytes]]
"""Further files from the record of a release and its account, such as the dossier."""


@dataclass(frozen=True, eq=False)
class Made:
    """A release with the bytes of all its files."""

    published: Published
    files: Mapping[str, bytes]

    def check_accepted(self) -> None:
        """Refuse a model that its criteria, as drawn, do not accept."""
        reason = failed(self.published.acceptance)
        if reason:
            raise EquipoiseError(reason)


@dataclass(frozen=True, eq=False)
class Making:
    """What is ordered, as it was proved, and what else is written about it."""

    order: Order
    shown: Preview
    extra: Extra | None = None
    trial: bool = False

    def made(self, source: CountSource, line: PaidItem, account: Account, drawer: Drawer) -> Made:
        """The release of this source, paid for by this line; the drawer draws its noise."""
        order, shown = self.order, self.shown
        meter = Meter(shown.epsilon, shown.delta, order.scenario.neighbours, drawer)
        drawn = run(order.network, source, order.method, order.scenario, meter)
        published = _published(order, line, account, meter, drawn)
        intervals = row_intervals(published.model, meter.measurements, meter.kept.tables)
        tests = Meter(order.acceptance.epsilon, Fraction(0), order.scenario.neighbours, drawer)
        verdicts = judged(
            order.acceptance, published.model, source, order.scenario.neighbours, tests.test
        )
        if self.trial:  # of nothing: what its noise says of the criteria is nothing as well
            verdicts = tuple(replace(one, noisy=min(one.noisy, 0)) for one in verdicts)
        published = replace(published, intervals=intervals, acceptance=verdicts)
        written = {
            **files.model_files(published),
            **intervals_file(published),
            MEASUREMENTS: measurements_file(published, meter.kept),
        }
        published = published.with_files(files.listed(written))
        if self.extra is not None:
            written = {**written, **self.extra(published, account)}
        return Made(published, written)


def _published(
    order: Order, line: PaidItem, account: Account, meter: Meter, drawn: Release
) -> Published:
    """The record of a release; from here on everything is public."""
    scenario, network = order.scenario, drawn.model.network
    measured = min(max(1, _measured(drawn)), RECORD_LIMIT)
    return Published(
        id=line.id,
        time=line.time,
        dataset=account.name,
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
        graph_epsilon=decimal(order.graph_epsilon or order.study.spent),
        hidden=next((n for n in network.names if n not in order.network.position), ""),
    )


def _measured(drawn: Release) -> int:
    """How many records there are, as the noisy tables say."""
    if drawn.records is not None:
        return drawn.records
    tables = () if drawn.plan is None else drawn.plan.serving
    first = next((i for i, table in enumerate(tables) if table >= 0), 0)  # known: no counts
    return round(float(drawn.noisy[0, drawn.model.network.layout.slices[first]].sum()))
