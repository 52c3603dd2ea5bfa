"""A paid domain: the states of one column above a noisy threshold, charged to the ledger.

As a release is: planned and proved from public facts, counted, charged on disk, and only then
drawn by the worker (``release/publish.py`` says what a kill leaves at each step). What is published
are states, in an order that their texts decide, and no counts.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from pathlib import Path

from core.errors import EquipoiseError
from core.methods.threshold import Threshold, passing, threshold
from core.notation import short
from core.privacy import Neighbours
from release import files
from release.ledger.account import Account, PaidItem
from release.ledger.book import Ledger, Reservation
from release.ledger.chain import canonical
from release.ledger.fingerprint import file_fingerprint
from release.ledger.folders import check_receipts
from release.ledger.spending import Spend, shown
from release.meter import Meter
from release.order import check_reading
from release.process import Worker
from release.publish import Workers, complete_line, paid_for, tidy
from release.published import Document
from release.rationals import amount, floored, laplace_scale, portion
from release.versions import check_text
from sources.domain import File, column_counts, ordered, with_domain

METHOD = "domain"
SCHEMA, FACTS = "schema.json", "domain.json"


@dataclass(frozen=True, kw_only=True)
class DomainOrder:
    """One column's domain as the steward orders it; ``token`` is the click that orders it.

    The guarantee is (``epsilon``, ``delta``) for one person with at most ``per_unit`` records.
    ``schema`` is the file that the column is added to. Name, people and budgets as in an
    :class:`release.order.Order`.
    """

    data: File
    column: str
    epsilon: Fraction
    delta: Fraction
    neighbours: Neighbours
    token: str
    per_unit: int = 1
    schema: File | None = None
    name: str = ""
    people: str = ""
    budget: Fraction | None = None
    delta_budget: Fraction | None = None

    def __post_init__(self) -> None:
        amount("ε of a domain", self.epsilon)
        if not portion("δ of a domain", self.delta):
            raise EquipoiseError("δ of a domain is 0; without a δ no state that occurs may be told")
        if self.per_unit < 1:
            raise EquipoiseError(
                f"one person has {self.per_unit} records; there is at least 1 record of each"
            )
        check_text("the name of the column", self.column)
        check_text("the name of the data", self.name)
        check_text("the token", self.token)


@dataclass(frozen=True, eq=False)
class Domain:
    """The states that were paid for, and where they are written; ``repeated`` as in a release."""

    states: tuple[str, ...]
    line: PaidItem
    account: Account
    directory: Path
    repeated: bool


def planned(order: DomainOrder) -> Threshold:
    """Noise and threshold, from public facts alone."""
    asked, drawn = _scales(order)
    return replace(threshold(drawn, order.delta, order.per_unit), scale=float(asked))


def _scales(order: DomainOrder) -> tuple[Fraction, Fraction]:
    """The scale that is asked for, and the one a meter makes of it: it rounds up once more."""
    one = order.neighbours.l1_sensitivity
    asked = laplace_scale(one * order.per_unit, order.epsilon)
    return asked, laplace_scale(one, floored(one / asked))


def publish_domain(
    order: DomainOrder, ledger: Ledger, out: Path, *, workers: Workers = Worker
) -> Domain:
    """Pay, draw, write, record; or give what this click has paid for before."""
    limit = planned(order)
    with_domain(order.schema, order.column, (), "")  # a schema that cannot be read is refused now
    files.check_writable(out)
    check_receipts(ledger, out)
    tidy(ledger, out)
    spend = _spend(order, ledger)
    before = ledger.foresee(spend)
    if before is not None:
        return _again(before, ledger)
    column = column_counts(*order.data, order.column, order.schema)
    check_reading(column.guessed)
    with workers() as drawer:
        reservation = ledger.spend(spend)
        if not reservation.fresh:
            return _again(reservation, ledger)
        line = reservation.line
        with paid_for(ledger, out, line):
            meter = Meter(order.epsilon, Fraction(0), order.neighbours, drawer)
            shows = passing(order.column, column.records, limit, replicates=1, rng=meter)[0]
            if [m.scale for m in meter.measurements] != [_scales(order)[1]]:
                raise EquipoiseError("the noise was not of the scale that the threshold is for")
            states = ordered(list(compress(column.values, shows)))
            written = _files(order, limit, line, states)
            files.write(files.hidden(out, line.id), written)
            ledger.complete(line.id, files.listed(written), directory=str(out.resolve()))
    return Domain(states, line, reservation.account, files.place(out, line.id), False)


def _spend(order: DomainOrder, ledger: Ledger) -> Spend:
    content = hashlib.sha256(order.data[1]).hexdigest()
    told = {
        "domain": order.column,
        "epsilon": str(order.epsilon),
        "delta": str(order.delta),
        "neighbours": order.neighbours.value,
        "per_unit": order.per_unit,
        "schema": None if order.schema is None else hashlib.sha256(order.schema[1]).hexdigest(),
    }
    return Spend(
        fingerprints=(file_fingerprint(content, key=ledger.key()),),
        method=METHOD,
        epsilon=order.epsilon,
        delta=order.delta,
        neighbours=order.neighbours,
        token=order.token,
        order=hashlib.sha256(canonical(told).encode()).hexdigest(),
        name=order.name,
        people=order.people,
        budget=order.budget,
        delta_budget=order.delta_budget,
    )


def _files(
    order: DomainOrder, limit: Threshold, line: PaidItem, states: tuple[str, ...]
) -> dict[str, bytes]:
    source = (
        f"paid: ε = {shown(order.epsilon)}, δ = {short(float(order.delta), 6)}, release {line.id}, "
        f"entry {line.receipt.number} of the ledger"
    )
    facts: Document = {
        "id": line.id,
        "time": line.time,
        "column": order.column,
        "states": list(states),
        "guarantee": "(ε, δ)-DP",
        "epsilon": str(order.epsilon),
        "delta": str(order.delta),
        "neighbours": order.neighbours.value,
        "per_unit": order.per_unit,
        "scale": limit.scale,
        "threshold": limit.least,
        "receipt": {"number": line.receipt.number, "digest": line.receipt.digest},
    }
    text = json.dumps({"release": facts}, ensure_ascii=False, indent=1) + "\n"
    schema = with_domain(order.schema, order.column, states, source)
    return {SCHEMA: schema, FACTS: text.encode()}


def _again(paid: Reservation, ledger: Ledger) -> Domain:
    """The domain of a click that has paid before."""
    line = complete_line(ledger, paid.line)
    place = Path(line.directory) / line.id
    problems = tuple(files.differing(place, line.files))
    if problems:
        raise EquipoiseError(f"{problems[0]}; restore the files from where they went")
    facts = json.loads((place / FACTS).read_bytes())["release"]
    return Domain(tuple(facts["states"]), line, paid.account, place, True)
