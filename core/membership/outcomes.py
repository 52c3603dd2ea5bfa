"""What an attack found: outcomes of pools, and their summary with intervals.

Numbers over all pools together; nothing about anyone.
"""

from dataclasses import dataclass

import numpy as np

from core.errors import EquipoiseError
from core.membership.bound import check_alpha
from core.membership.intervals import Outsiders, over_pools, power_interval
from core.methods.registry import METHODS
from core.scenario import RECORD_LIMIT, check_count
from core.study.experiments import Interval
from core.table import Array

POOL_LIMIT = 1_000
SMOOTHED = "smoothed"
ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 31), np.linspace(0.12, 0.999, 45)])
"""False-alarm rates at which curves are kept."""

SUPPORT_ALARM = 0.01

GUESSING = 0.5
"""AUC of a coin: an attack is called guessing only when its interval holds it."""


@dataclass(frozen=True)
class Attack:
    """What is attacked: ``release`` is ``smoothed`` (Dirichlet(1)) or a name of ``METHODS``."""

    release: str = "exact"
    records: int = 1_000
    pools: int = 20
    alphas: tuple[float, ...] = (0.001, 0.01, 0.05, 0.1)

    def __post_init__(self) -> None:
        if self.release != SMOOTHED and self.release not in METHODS:
            raise EquipoiseError(
                f"no release {self.release!r} to attack; there are {SMOOTHED}, {', '.join(METHODS)}"
            )
        check_count("the number of records", self.records, RECORD_LIMIT, least=2)
        check_count("the number of pools", self.pools, POOL_LIMIT)
        for alpha in self.alphas:
            check_alpha(alpha)

    @property
    def private(self) -> bool:
        """Whether the release carries noise that the attacker has to see through."""
        return self.release not in (SMOOTHED, "exact")


@dataclass(frozen=True, eq=False)
class AttackResult:
    """What the attack found; numbers over all pools, nothing about anyone."""

    attack: Attack
    pools: int
    auc: Interval
    powers: tuple[Interval, ...]
    alarms: Array
    found: Array
    plain_auc: float | None
    by_support: tuple[float | None, float | None, float | None]
    """Power at 1 % false alarms of members alone in a cell, in cells of 2 to 4, and of 5 or more;
    exact releases only."""
    scored: int
    seconds: float

    @property
    def guessing(self) -> bool:
        """Whether the attack is no better than guessing, as far as these pools can tell."""
        return self.auc.low <= GUESSING

    @property
    def per_second(self) -> float:
        """Records scored each second."""
        return self.scored / max(self.seconds, 1e-9)


@dataclass(frozen=True, eq=False)
class Pool:
    """One pool's outcome; ``deviation`` is the standard error of its area, by itself."""

    area: float
    deviation: float
    outsiders: int
    powers: Array
    found: Array
    plain: float | None
    support: tuple[tuple[float, int], ...]


def by_support(inside: Array, outside: Outsiders, rarest: Array) -> tuple[tuple[float, int], ...]:
    """Power at 1 % and number of the members alone in a cell, among 2 to 4, among more."""
    groups = (rarest == 1, (rarest > 1) & (rarest < 5), rarest >= 5)
    alarm = np.array([SUPPORT_ALARM])
    return tuple(
        (float(outside.powers(inside[g], alarm)[0]) if g.any() else 0.0, int(g.sum()))
        for g in groups
    )


def outcome(
    inside: Array,
    outside: Outsiders,
    attack: Attack,
    plain: float | None,
    support: tuple[tuple[float, int], ...],
) -> Pool:
    """What the scores of one pool's members and outsiders say."""
    alphas = np.array(attack.alphas)
    return Pool(
        outside.area(inside),
        outside.area_deviation(inside),
        outside.size,
        outside.powers(inside, alphas),
        outside.powers(inside, ALARMS),
        plain,
        support,
    )


def summarise(attack: Attack, pools: list[Pool], scored: int, seconds: float) -> AttackResult:
    """All pools together, with 95 % intervals.

    Powers: over all members and outsiders of all pools (:func:`power_interval`). AUC: Student's
    over pools, of a single one by its own scores.
    """
    powers = np.mean([p.powers for p in pools], axis=0)
    people = {
        "members": attack.records * len(pools),
        "outsiders": sum(p.outsiders for p in pools),
    }
    intervals = [
        power_interval(p, alpha, **people)
        for p, alpha in zip(powers.tolist(), attack.alphas, strict=True)
    ]
    plain = [p.plain for p in pools if p.plain is not None]
    return AttackResult(
        attack,
        len(pools),
        _area(pools),
        tuple(Interval(float(p), *i) for p, i in zip(powers, intervals, strict=True)),
        ALARMS,
        np.mean([p.found for p in pools], axis=0),
        float(np.mean(plain)) if plain else None,
        _support_means(pools),
        scored,
        seconds,
    )


def _area(pools: list[Pool]) -> Interval:
    """Mean area over pools with its 95 % interval."""
    if len(pools) > 1:
        return over_pools(np.array([p.area for p in pools]))
    (only,) = pools
    half = 1.96 * only.deviation
    return Interval(only.area, max(0.0, only.area - half), min(1.0, only.area + half))


def _support_means(pools: list[Pool]) -> tuple[float | None, float | None, float | None]:
    means: list[float | None] = []
    for group in range(3):
        parts = [p.support[group] for p in pools if p.support]
        members = sum(size for _, size in parts)
        hits = sum(power * size for power, size in parts)
        means.append(hits / members if members else None)
    return means[0], means[1], means[2]
