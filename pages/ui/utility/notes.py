"""Beside the curves: the forecast that needs no data, and what the published bounds are worth."""

from __future__ import annotations

import functools

import streamlit as st

from core.study.error_curves import (
    BOUNDED_RELEASES,
    BoundsWorth,
    NoiseForecast,
    bounds_worth,
    noise_forecast,
)
from figures.utility import forecast_figure, forecast_table
from pages.ui.kit import compute, words
from pages.ui.kit.markdown import literal
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Room, Sheet, Words, figure_view, table_view
from pages.ui.utility import words as say
from pages.ui.utility.sweep import Sweep, lighter


def section(asked: Sweep) -> None:
    """The notes of this scenario; without answers there are no bounds of answers."""
    views = []
    forecasts = _forecasts(asked)
    if forecasts:
        views.append(_forecast(asked, forecasts))
    else:
        st.info(literal(f"{say.forecast('', asked.choice.scenario.epsilon, 0.0)}."))
    if not compute.unanswerable(asked.choice.network):
        views.append(_bounds(asked))
    if views:
        names = [view["name"] for view in views]
        wide = Room((" ".join((names * 2)[:2]),), "repeat(2, minmax(0, 1fr))")
        Sheet(views, wide, Room(tuple(names), "minmax(0, 1fr)")).mount(key="notes")


def _forecasts(asked: Sweep) -> dict[str, NoiseForecast]:
    """By method, for those that know their noise beforehand."""
    choice = lighter(asked.choice)
    known = {}
    for method in asked.methods:
        forecast = compute.remembered(
            ("forecast", method, choice.study.fingerprint, choice.network, choice.scenario),
            functools.partial(
                noise_forecast, method, asked.truth, choice.study.counts, choice.scenario
            ),
        )
        if forecast is not None:
            known[method] = forecast
    return known


def _forecast(asked: Sweep, forecasts: dict[str, NoiseForecast]) -> View:
    names = asked.choice.network.names
    listed = " and ".join(forecasts)
    off = max(forecast.off for forecast in forecasts.values())
    texts = Words(
        title="Forecast against measured",
        subtitle=say.forecast(listed, asked.choice.scenario.epsilon, off),
        caption="One dot for each node: standard deviation of a cell of its table, in records. On "
        "the dotted line both are equal.",
        alt=f"Forecast noise against measured noise for {len(names)} nodes with {listed}; they "
        f"differ by at most {words.share(off)} on average.",
        details=(
            (
                "Formula",
                "Var_i = Σ_{B ⊆ family i} Π_{j ∈ B} (r_j − 1) / (d_i² S_B), "
                "S_B = Σ_{t ⊇ B} 1 / (sd_t² d_t), for tables made consistent by least squares",
            ),
            ("Source", "This project; the forecast of each method in core.methods.registry"),
        ),
        file="equipoise-study-forecast.csv",
    )
    figure = forecast_figure(forecasts, names)
    return figure_view("forecast", texts, {"noise": figure}, forecast_table(forecasts, names))


def _measured(asked: Sweep, method: str) -> BoundsWorth:
    """The bounds of a method's releases, and the error of their answers."""
    choice = asked.choice
    key = ("bounds", choice.study.fingerprint, choice.network, choice.scenario, method)
    return compute.remembered(
        key, lambda: bounds_worth(method, asked.truth, choice.study.counts, choice.scenario)
    )


def _bounds(asked: Sweep) -> View:
    worth = {method: _measured(asked, method) for method in asked.methods}
    bounds = next(iter(worth.values())).bounds
    releases = min(asked.choice.scenario.replicates, BOUNDED_RELEASES)
    texts = Words(
        title="What the published bounds are worth",
        subtitle=say.worth(max(each.medians[2] for each in worth.values())),
        caption=f"η = {bounds.eta}, κ = {bounds.kappa}, d = {bounds.domain}: most neighbours of a "
        f"node plus one, treewidth, most states. Medians over {releases} releases. Place between: "
        "0 at the lower bound, 1 at the upper.",
        alt="Lower bound, measured error and upper bound of an answer for each method.",
        details=(
            (
                "Formula",
                "lower √(η − 1) · δ_min · φ_min^(η − 2); upper 2 η d^κ δ_max; place = (error − "
                "lower) / (upper − lower), called μ in the paper",
            ),
            ("Source", "Chowdhury et al. 2020 (ICML), Theorems 4.1 and 4.2; core.study.bounds"),
        ),
        file="equipoise-study-bounds.csv",
    )
    heads = ("at least", "measured", "at most", "place between")
    columns = zip(heads, zip(*(each.medians for each in worth.values()), strict=True), strict=True)
    told = {head: [words.error(median) for median in medians] for head, medians in columns}
    return table_view("bounds", texts, {"method": list(worth), **told})
