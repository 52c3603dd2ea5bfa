"""Pools selected against a state, and outsiders selected alike: appendix J.4 with its control.

An attack on a selected pool can tell who belongs to the group that was selected, or who was in the
pool. Outsiders selected like the members are of the same group: what is left against them is about
the person. Source: Murakonda, Shokri, Theodorakopoulos 2021, appendix J.4, Eqs. 37 and 38; the
control is ours. Study only: reads rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.membership.intervals import Outsiders, over_pools
from core.membership.population import Draw
from core.study.experiments import Interval
from core.table import Array


@dataclass(frozen=True)
class BiasedSelection:
    """Pr(select | that state of that variable) = 1 - bias; all others are selected."""

    variable: int
    state: int
    bias: float

    def selected(self, people: Dataset, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Who is selected: one uniform number is drawn for each person."""
        others = people.codes[:, self.variable] != self.state
        return np.asarray(others | (rng.random(people.records) >= self.bias))

    def members(self, draw: Draw, records: int, *, rng: np.random.Generator) -> Draw:
        """The same draw with pools cut to ``records`` members, selected among those drawn."""
        taken = _first(self.selected(draw.members, rng=rng), draw.pools, records)
        if taken is None:
            raise EquipoiseError(
                f"fewer than {records:,} of {draw.members.records // draw.pools:,} people are left "
                f"after selection with bias {self.bias:g}, so take smaller pools"
            )
        return replace(draw, members=draw.members.part(taken))

    def reference(self, draw: Draw, *, rng: np.random.Generator) -> Draw:
        """The same draw with a reference selected like the members."""
        chosen = self.selected(draw.reference, rng=rng)
        parts = draw.reference_pools
        fewest = int(chosen.reshape(parts, -1).sum(axis=1).min())
        taken = _first(chosen, parts, fewest)
        if taken is None or fewest == 0:
            raise EquipoiseError(
                f"nobody of the reference is left after selection with bias {self.bias:g}; use "
                "more records"
            )
        return replace(draw, reference=draw.reference.part(taken))

    def outsiders(self, draw: Draw, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Which outsiders are selected like the members, ``(pools, outsiders)``."""
        chosen = self.selected(draw.outsiders, rng=rng).reshape(draw.pools, -1)
        if not chosen.any(axis=1).all():
            raise EquipoiseError(
                f"a pool has no outsider left after selection with bias {self.bias:g}; use more "
                "records"
            )
        return chosen


def _first(chosen: NDArray[np.bool_], parts: int, count: int) -> NDArray[np.intp] | None:
    """Places of the first ``count`` chosen people of each part; none where a part has fewer."""
    size = len(chosen) // parts
    places = [np.flatnonzero(chosen[p * size : (p + 1) * size])[:count] + p * size
              for p in range(parts)]  # fmt: skip
    return None if min(len(own) for own in places) < count else np.concatenate(places)


@dataclass(frozen=True)
class Tracing:
    """How well an attack tells members from some outsiders: AUC, and power at ``alpha``."""

    area: Interval
    power: Interval

    @classmethod
    def of(cls, inside: Sequence[Array], outside: Sequence[Array], alpha: float) -> Tracing:
        """Over pools: scores of the members and of the outsiders of each."""
        rate = np.array([alpha])
        pools = [(Outsiders(out), own) for own, out in zip(inside, outside, strict=True)]
        return cls(
            over_pools(np.array([others.area(own) for others, own in pools])),
            over_pools(np.array([float(others.powers(own, rate)[0]) for others, own in pools])),
        )


def difference(one: Interval, other: Interval) -> Interval:
    """One mean less another measured on other pools, with its 95 % interval."""
    half = math.hypot(one.high - one.mean, other.high - other.mean)
    mean = one.mean - other.mean
    return Interval(mean, mean - half, mean + half)


def about_whom(fair: Interval, anyone: Interval, matched: Interval) -> str:
    """What the AUC says of an excess: that of the group, of the person, of both, or none.

    ``fair`` is measured without selection; ``anyone`` and ``matched`` with it, against outsiders
    of the whole population and against outsiders selected like the members.
    """
    if difference(anyone, fair).low <= 0:
        return "That is no measurable excess, so there is nothing to explain."
    told = (
        f"Against outsiders selected the same way it is {matched.mean:.3f} "
        f"({matched.low:.3f} to {matched.high:.3f})"
    )
    left = difference(matched, fair)
    if left.low <= 0:
        return (
            f"{told}, not measurably above {fair.mean:.3f}: the excess is inference about the "
            "group that was selected, not about the person."
        )
    if difference(anyone, matched).low <= 0:
        return (
            f"{told}, not measurably below {anyone.mean:.3f}: the excess is inference about the "
            "person, not about the group."
        )
    return (
        f"{told}, still {left.mean:.3f} above {fair.mean:.3f}: so much of the excess is inference "
        "about the person, the rest about the group that was selected."
    )
