"""Risk's curves: every claim about one release, guessing, and attacks that were run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.membership.curves import Curve
from core.membership.outcomes import SMOOTHED, AttackResult
from core.study.quantities import share
from core.table import Array
from figures.template import Figure
from figures.tradeoff import MeasuredPoints, Scale, Style, Tradeoff, tradeoff_figure

ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 41), np.linspace(0.11, 0.999, 60)])
"""False-alarm rates at which curves are drawn."""

CLAIMS = {
    "pure_epsilon": "guarantee, ε alone",
    "composed": "guarantee, composed",
    "gaussian": "guarantee, appendix H",
    "noisy": "heuristic, this noise",
    "published": "asymptotic, published bound",
    "reference": "asymptotic, limited reference",
    "leverage": "heuristic, rare records",
}
"""What stands at the end of a curve: the kind of claim, then which."""

HUES = {"release": "risk", "exact": "second"}
"""Hue says what is published; the style of a line says how sure the claim is."""

STYLES: dict[str, Style] = {"asymptotic": "asymptotic", "heuristic": "heuristic"}

Drawn = tuple[Curve, Array]
"""A claim, and the members found at ``ALARMS``."""


def drawn_curves(curves: Sequence[Curve], known: Mapping[str, Array] | None = None) -> list[Drawn]:
    """The claims on show with their powers; ``known`` ones, by key, are not computed again."""
    powers = {} if known is None else known
    return [
        (c, powers[c.key] if c.key in powers else c.powers(ALARMS))
        for c in curves
        if c.key != "reference"
    ]


def exposure_figure(
    drawn: Sequence[Drawn],
    runs: Sequence[AttackResult] = (),
    *,
    scale: Scale,
    mark: tuple[float, float] | None = None,
) -> Figure:
    """Members found against false alarms, with the attacks that were run."""
    return tradeoff_figure(
        ALARMS,
        [*(_curve(*pair) for pair in drawn), Tradeoff("guessing", "guessing", ALARMS)],
        scale=scale,
        mark=mark,
        revision="tradeoff",
        measured=[measured(ran) for ran in runs],
        height=430,
        leaders=True,
    )


def _curve(curve: Curve, powers: Array) -> Tradeoff:
    name = CLAIMS[curve.key]
    strong: Style = "guarantee" if curve.key == "composed" else "loose"
    return Tradeoff(
        name,
        STYLES.get(curve.claim, strong),
        powers,
        HUES[curve.about],
        f"{name} {share(float(powers[0]))}",
    )


def measured(ran: AttackResult) -> MeasuredPoints:
    """What an attack found, under the name of what it attacked."""
    attack = ran.attack
    exact = "smoothed tables" if attack.release == SMOOTHED else "exact tables"
    name = f"measured, {'this release' if attack.private else exact}"
    points = [[a, p.mean, p.low, p.high] for a, p in zip(attack.alphas, ran.powers, strict=True)]
    hue = HUES["release" if attack.private else "exact"]
    return MeasuredPoints(name, np.array(points), hue, f"{name} {share(ran.powers[0].mean)}")
