"""The privacy-utility frontier: the error each method leaves for what it gives away.

What is given away is ε, or the most that any attacker gains by the composed guarantee: members
found at a false-alarm rate, or the area under that curve. Guarantees of two kinds are not one
currency: over ε, pure ε and (ε, δ) are ranked apart. Over the composed guarantee they are ranked
together, because it says the same of all of them. Errors compare with the truth: study only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.membership.bound import check_alpha
from core.methods.registry import method_named
from core.notation import short
from core.privacy import Guarantee
from core.scenario import Scenario
from core.study.bands import MEDIAN, bands, read_off
from core.study.experiments import crossing
from core.study.frontier_points import PRICES, FrontierPoint, Price
from core.study.metrics import RISING, check_metrics
from core.study.quantities import QUANTITIES, Quantity
from core.table import Array


@dataclass(frozen=True, eq=False)
class FrontierCurve:
    """One method's error over what is given away, as far as it is measured.

    ``places`` rise; ``bands`` are quantiles ``(7, places)``; ``pareto`` marks points that no other
    measured point of the same currency beats in both. ``why`` says why there is no curve, and is
    empty where there is one.
    """

    method: str
    guarantee: Guarantee
    delta: float
    epsilons: tuple[float, ...]
    places: Array
    bands: Array
    pareto: NDArray[np.bool_]
    why: str = ""

    @property
    def medians(self) -> Array:
        """The middle of its bands."""
        return np.asarray(self.bands[MEDIAN])

    @property
    def promise(self) -> str:
        """What it promises, in words."""
        delta = f", δ = {short(self.delta, 6)}" if self.delta else ""
        return f"{self.guarantee.text}{delta}"

    def at(self, place: float) -> Array | None:
        """Its quantiles between measured points, on log scales; none outside them."""
        if not self.places.size or not self.places[0] <= place <= self.places[-1]:
            return None
        return read_off(self.bands, self.places, place)


@dataclass(frozen=True)
class Offer:
    """What one method gives: the error at a price, or the price of an error.

    ``most`` says that the price is an upper limit: the method needs less than was measured.
    """

    method: str
    promise: str
    price: float
    error: float
    most: bool = False


@dataclass(frozen=True, eq=False)
class Frontier:
    """One network's curves in one currency, for one metric; made from points by `frontier`."""

    quantity: Quantity
    price: Price
    alpha: float
    curves: tuple[FrontierCurve, ...]

    @property
    def rising(self) -> bool:
        """Whether more of the quantity is better."""
        return self.quantity.key in RISING

    @property
    def currencies(self) -> tuple[tuple[FrontierCurve, ...], ...]:
        """Curves that may be ranked together: over ε those of one kind of guarantee."""
        drawn = [curve for curve in self.curves if curve.places.size]
        return tuple(
            tuple(curve for curve in drawn if self._currency(curve) == kind)
            for kind in dict.fromkeys(map(self._currency, drawn))
        )

    def _currency(self, curve: FrontierCurve) -> Guarantee | None:
        return curve.guarantee if self.price == "epsilon" else None

    def cheapest(self, error: float) -> tuple[tuple[Offer, ...], ...]:
        """In each currency the price of an error, method by method, the least first."""
        return tuple(
            tuple(sorted(filter(None, (self._priced(c, error) for c in some)),
                         key=lambda offer: (offer.price, not offer.most)))
            for some in self.currencies
        )  # fmt: skip

    def _priced(self, curve: FrontierCurve, error: float) -> Offer | None:
        worth = curve.medians[0] >= error if self.rising else curve.medians[0] <= error
        if worth:
            return Offer(curve.method, curve.promise, float(curve.places[0]), error, most=True)
        points = list(zip(curve.places.tolist(), curve.medians.tolist(), strict=True))
        place = crossing(points, error)
        return None if place is None else Offer(curve.method, curve.promise, place, error)

    def best(self, place: float) -> tuple[tuple[Offer, ...], ...]:
        """In each currency the error at a price, method by method, the best first."""
        sign = -1 if self.rising else 1
        return tuple(
            tuple(sorted((Offer(c.method, c.promise, place, float(at[MEDIAN]))
                          for c in some if (at := c.at(place)) is not None),
                         key=lambda offer: sign * offer.error))
            for some in self.currencies
        )  # fmt: skip


def frontier(
    points: Sequence[FrontierPoint],
    scenario: Scenario,
    *,
    methods: Sequence[str],
    metric: str,
    price: Price = "epsilon",
    alpha: float = 0.01,
) -> Frontier:
    """The curves of these methods from the points measured so far, the Pareto set marked."""
    check_metrics([metric])
    check_alpha(alpha)
    if price not in PRICES:
        raise EquipoiseError(f"no price {price!r}; there are {', '.join(PRICES)}")
    drawn = tuple(_curve(points, scenario, m, metric, (price, alpha)) for m in methods)
    unmarked = Frontier(QUANTITIES[metric], price, alpha, drawn)
    marked = {
        curve.method: curve
        for some in unmarked.currencies
        for curve in _marked(some, rising=unmarked.rising)
    }
    return replace(unmarked, curves=tuple(marked.get(c.method, c) for c in drawn))


def _curve(
    points: Sequence[FrontierPoint],
    scenario: Scenario,
    method: str,
    metric: str,
    price: tuple[Price, float],
) -> FrontierCurve:
    guarantee = method_named(method).guarantee
    own = sorted((p for p in points if p.method == method), key=lambda p: p.epsilon)
    priced = [(p, at) for p in own if metric in p.errors and (at := p.price(*price)) is not None]
    return FrontierCurve(
        method,
        guarantee,
        scenario.options.delta if guarantee.has_delta else 0.0,
        tuple(p.epsilon for p, _ in priced),
        np.array([at for _, at in priced]),
        np.stack([bands(p.errors[metric]) for p, _ in priced], axis=1)
        if priced
        else np.empty((7, 0)),
        np.zeros(len(priced), dtype=bool),
        _absence(guarantee, measured=bool(own), priced=bool(priced)),
    )


def _absence(guarantee: Guarantee, *, measured: bool, priced: bool) -> str:
    """Why a method has no curve."""
    if not measured or priced:
        return ""
    if guarantee.has_delta:
        return (
            "no composed guarantee is known: the graph was learned with pure ε, which is not "
            "composed with (ε, δ) here"
        )
    return "no composed guarantee is known of its noise"


def _marked(curves: Sequence[FrontierCurve], *, rising: bool) -> list[FrontierCurve]:
    """The same with the points that no other beats: as cheap and as good, and better in one."""
    sign = -1.0 if rising else 1.0
    every = np.concatenate([np.stack([c.places, sign * c.medians], axis=-1) for c in curves])
    worse = np.all(every[:, None] >= every[None], axis=-1)
    beaten = np.any(worse & np.any(every[:, None] > every[None], axis=-1), axis=1)
    ends = np.cumsum([curve.places.size for curve in curves])
    return [
        replace(curve, pareto=~part)
        for curve, part in zip(curves, np.split(beaten, ends[:-1]), strict=True)
    ]


def common_places(frontier: Frontier, count: int = 25) -> Array:
    """Prices at which curves are read beside each other: the measured ε, else evenly on logs."""
    if frontier.price == "epsilon":
        return np.array(sorted({e for curve in frontier.curves for e in curve.epsilons}))
    ends = [end for c in frontier.curves if c.places.size for end in (c.places[0], c.places[-1])]
    if not ends:
        return np.empty(0)
    low, high = math.log10(min(ends)), math.log10(max(ends))
    return np.logspace(low, high, count)
