"""The table behind curves with bands, as a reader takes it away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.study.bands import MEDIAN
from figures.bands import QUANTILE_NAMES, Band
from figures.template import numbers


def band_table(curve: str, across: str, bands: Sequence[Band]) -> Mapping[str, Sequence[object]]:
    """One row for each point: whose, where, seven quantiles; a line of theory has a median only.

    ``curve`` and ``across`` head the first two columns; every curve has places of its own.
    """
    places = [numbers([] if band.places is None else band.places) for band in bands]
    columns: dict[str, Sequence[object]] = {
        curve: [band.name for band, own in zip(bands, places, strict=True) for _ in own],
        across: [place for own in places for place in own],
    }
    for row, name in enumerate(QUANTILE_NAMES):
        columns[name] = [value for band in bands for value in _quantile(band, row)]
    return columns


def _quantile(band: Band, row: int) -> list[object]:
    if band.theory and row != MEDIAN:
        return [None] * band.quantiles.shape[1]
    return numbers(band.quantiles[row])
