"""Curves of Undirected as a sheet takes them: bands, pictures and the tables behind them."""

from __future__ import annotations

import numpy as np

from core.table import Array
from figures.band_table import band_table
from figures.bands import Band
from figures.template import Figure
from figures.undirected import LOOKS, SHORT
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view
from pages.ui.undirected.numbers import QuantileCurve


def band(
    curve: QuantileCurve, at_mark: Array | None = None, look: tuple[str, str] | None = None
) -> Band:
    """One curve; ``at_mark`` are the seven quantiles at the marked place."""
    hue, dash = look or LOOKS[curve.name]
    name = SHORT.get(curve.name, curve.name)
    places = np.array(curve.across, dtype=np.float64)
    return Band(name, curve.bands, at_mark, colour=hue, dash=dash, places=places)


def curves_view(name: str, texts: Words, figure: Figure, across: str, bands: list[Band]) -> View:
    """A chart with its table; ``across`` heads the column of places."""
    return figure_view(name, texts, {"curves": figure}, band_table("curve", across, bands))
