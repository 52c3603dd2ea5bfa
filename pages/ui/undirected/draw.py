"""Curves of Undirected as a sheet takes them: bands, pictures and the tables behind them."""

from __future__ import annotations

from core.table import Array
from figures.band_table import band_table
from figures.bands import Band
from figures.template import Figure
from figures.undirected import estimator_band
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view
from pages.ui.undirected.numbers import QuantileCurve


def band(
    curve: QuantileCurve, at_mark: Array | None = None, look: tuple[str, str] | None = None
) -> Band:
    """One curve; ``at_mark`` are the seven quantiles at the marked place."""
    return estimator_band(curve.name, curve.across, curve.bands, at_mark, look)


def curves_view(name: str, texts: Words, figure: Figure, across: str, bands: list[Band]) -> View:
    """A chart with its table; ``across`` heads the column of places."""
    return figure_view(name, texts, {"curves": figure}, band_table("curve", across, bands))
