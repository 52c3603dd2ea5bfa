"""Synthesise's pictures: methods and baselines against ε, and two columns side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.table import Array
from figures.bands import EPSILON_AXIS, Axes, Band, band_figure
from figures.template import Figure, numbers

HUES = {
    "privbayes-plus": "equipoise", "privbayes": "data-dependent",
    "equipoise-synthesis": "equipoise", "equipoise-synthesis-zcdp": "equipoise",
    "best network": "truth", "best marginals": "truth",
}  # fmt: skip
"""Green and blue the methods, ink those with one phase exact; baselines are orange."""

DASHES = {
    "uniform": "2px,3px", "laplace": "6px,4px", "fourier": "8px,3px,2px,3px",
    "contingency": "1px,4px", "mwem": "4px,2px", "best network": "6px,4px",
    "best marginals": "2px,3px", "privbayes-plus": "6px,4px",
    "equipoise-synthesis-zcdp": "2px,3px",
}  # fmt: skip


def method_band(
    method: str, epsilons: Sequence[float], quantiles: Array, at_mark: Array | None
) -> Band:
    """One method's curve where it was measured; ``at_mark`` are its quantiles at the ε on show."""
    hue, dash = HUES.get(method, "uniform"), DASHES.get(method, "solid")
    return Band(method, quantiles, at_mark, hue, dash, np.array(epsilons, dtype=np.float64))


def comparison_figure(
    epsilons: Sequence[float], bands: Sequence[Band], epsilon: float, *, revision: str
) -> Figure:
    """How far marginals are off, against ε."""
    axes = Axes(
        EPSILON_AXIS,
        "total variation distance (log scale)",
        mark=epsilon,
        height=300,
        spread="runs",
        points=True,
        ranges=True,
    )
    return band_figure(np.array(epsilons), bands, axes, revision=revision)


def share_table(
    states: Mapping[str, Sequence[str]], tables: Mapping[str, Array]
) -> dict[str, Sequence[object]]:
    """Every pair of states of two columns with its share in each table.

    A column that is called like a table keeps its name, and the table's is said in full.
    """
    (first, rows), (second, columns) = states.items()
    shown: dict[str, Sequence[object]] = {
        first: [row for row in rows for _ in columns],
        second: [column for _ in rows for column in columns],
    }
    for name, values in tables.items():
        head = f"share of {name}" if name in states else name
        shown[head] = numbers(np.ravel(values))
    return shown
