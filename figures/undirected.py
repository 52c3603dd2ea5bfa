"""Undirected's curves: what each estimator makes of noisy tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from core.table import Array
from figures.bands import Axes, Band, band_figure
from figures.template import Figure

DIVERGENCE = "KL from the truth, nats (log scale)"
DASHED, DOTTED = "6px,4px", "2px,3px"
LOOKS = {
    "naive": ("uniform", "solid"),
    "cgm": ("data-dependent", "solid"),
    "gaussian": ("uniform", DASHED),
    "dp-sgd": ("truth", DASHED),
    "non-private": ("truth", "solid"),
    "random": ("truth", DOTTED),
    "loopy": ("truth", "solid"),
}
"""Hue and dash of each estimator: orange naive, blue collective, ink for what is neither."""

SHORT = {
    "naive": "naive",
    "cgm": "CGM",
    "gaussian": "one Gaussian",
    "dp-sgd": "DP-SGD",
    "non-private": "non-private",
    "random": "random",
    "loopy": "loopy BP, no noise",
}
"""Estimators by the names that fit beside a curve."""

MEASURED = Axes(
    "records N (log scale)",
    DIVERGENCE,
    symbol="N",
    height=300,
    spread="replicates",
    points=True,
    ranges=True,
    place_format=",.6~r",
    value_format=".3~r",
)
"""What all of them have in common."""


def estimator_band(
    name: str,
    places: Sequence[float],
    quantiles: Array,
    at_mark: Array | None = None,
    look: tuple[str, str] | None = None,
) -> Band:
    """One curve where it was measured; ``at_mark`` are the seven quantiles at the marked place."""
    hue, dash = look or LOOKS[name]
    across = np.array(places, dtype=np.float64)
    return Band(SHORT.get(name, name), quantiles, at_mark, colour=hue, dash=dash, places=across)


def theory(name: str, places: ArrayLike, values: ArrayLike) -> Band:
    """A dotted line that nobody measured."""
    row = np.asarray(values, dtype=np.float64)
    where = np.asarray(places, dtype=np.float64)
    return Band(name, np.tile(row, (7, 1)), colour="third", dash=DOTTED, places=where, theory=True)


def records_figure(
    sizes: Sequence[int],
    bands: Sequence[Band],
    title: str = DIVERGENCE,
    *,
    records: int | None,
    revision: str,
    empty: str = MEASURED.empty,
) -> Figure:
    """A quantity against the number of records, the number on show marked."""
    mark = None if records is None else float(records)
    axes = replace(MEASURED, y=title, mark=mark, empty=empty)
    return band_figure(np.array(sizes, dtype=np.float64), bands, axes, revision=revision)


def penalty_figure(span: tuple[float, float], bands: Sequence[Band], used: float) -> Figure:
    """KL against λ, the λ in use marked."""
    axes = replace(MEASURED, x="penalty λ (log scale)", mark=used, symbol="λ", place_format=".2~r")
    return band_figure(np.array(span), bands, axes, revision="penalty")


def steps_figure(most: int, bands: Sequence[Band], used: int) -> Figure:
    """KL after each EM step, the number of steps in use marked."""
    axes = replace(MEASURED, x="EM steps", mark=float(used), symbol="steps", across="linear")
    return band_figure(np.array([0.0, float(most)]), bands, axes, revision="steps")


def likelihood_figure(budgets: Sequence[float], bands: Sequence[Band], epsilon: float) -> Figure:
    """Log-likelihood of people held out against ε, the ε on show marked."""
    axes = replace(
        MEASURED,
        x="total budget ε (log scale)",
        y="log-likelihood of a segment, nats",
        mark=epsilon,
        symbol="ε",
        scale="linear",
        value_format=".2f",
    )
    return band_figure(np.array(budgets), bands, axes, revision="likelihood")
