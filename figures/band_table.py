"""The table behind curves with bands, as a reader takes it away."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.study.bands import MEDIAN
from core.study.quantities import ROW_WEIGHTED
from core.table import Array
from figures.bands import EPSILON_AXIS, QUANTILE_NAMES, Axes, Band, band_figure
from figures.template import Figure, numbers


def band_table(curve: str, across: str, bands: Sequence[Band]) -> Mapping[str, Sequence[object]]:
    """One row for each point: whose, where, seven quantiles; a line of theory has a median only.

    ``curve`` and ``across`` head the first two columns; every curve has places of its own.
    """
    places = [numbers([] if band.places is None else band.places) for band in bands]
    columns: dict[str, Sequence[object]] = {
        curve: [band.name for band, own in zip(bands, places, strict=True) for _ in own],
        across: [place for own in places for place in own],
    }
    told = [band.once("table", functools.partial(numbers, band.quantiles)) for band in bands]
    for row, name in enumerate(QUANTILE_NAMES):
        columns[name] = [
            None if band.theory and row != MEDIAN else value
            for band, quantiles in zip(bands, told, strict=True)
            for value in quantiles[row]
        ]
    return columns


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
        (nodes, band if band.places is not None else replace(band, places=epsilons))
        for pair in zip(*whose.values(), strict=True)
        for nodes, band in zip(whose, pair, strict=True)
    ]
    told = dict(band_table("method", "epsilon", [band for _, band in shown]))
    nodes = [nodes for nodes, band in shown for _ in band.quantiles[MEDIAN]]
    return {"method": told.pop("method"), "nodes": nodes, **told}
