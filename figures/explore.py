"""Explore's pictures: error against ε, and the table behind it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from core.study.quantities import ROW_WEIGHTED
from core.table import Array
from figures.bands import EPSILON_AXIS, QUANTILE_NAMES, Axes, Band, band_figure
from figures.template import Figure, numbers


def error_figure(epsilons: Array, bands: Sequence[Band], epsilon: float) -> Figure:
    """How wrong the rows become over ε, the ε on show marked."""
    return band_figure(
        epsilons, bands, Axes(EPSILON_AXIS, ROW_WEIGHTED.axis, mark=epsilon), revision="error"
    )


def error_table(
    epsilons: Array, whose: Mapping[str, Sequence[Band]]
) -> Mapping[str, Sequence[object]]:
    """Method, nodes, ε and seven quantiles, one row for each point of each curve."""
    shown = [
        (band, nodes)
        for pair in zip(*whose.values(), strict=True)
        for nodes, band in zip(whose, pair, strict=True)
    ]
    places = [epsilons if band.places is None else band.places for band, _ in shown]
    each = list(zip(shown, places, strict=True))
    told = [b.once("table", functools.partial(numbers, b.quantiles)) for b, _ in shown]
    columns: dict[str, Sequence[object]] = {
        "method": [band.name for (band, _), there in each for _ in there],
        "nodes": [nodes for (_, nodes), there in each for _ in there],
        "epsilon": [e for there in places for e in numbers(there)],
    }
    for row, name in enumerate(QUANTILE_NAMES):
        columns[name] = [v for quantiles in told for v in quantiles[row]]
    return columns
