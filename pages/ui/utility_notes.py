"""Beside the curves: the forecast that needs no data, and what the published bounds are worth."""

from __future__ import annotations

from core.study.error_curves import (
    BOUNDED_RELEASES,
    BoundsWorth,
    bounds_worth,
    noise_forecast,
)
from pages.ui import board, compute, utility_board, words
from pages.ui import utility_words as say
from pages.ui.utility import Sweep, lighter


def views(here: Sweep) -> list[board.Data]:
    """The notes of this scenario; without answers there are no bounds of answers."""
    answered = not compute.unanswerable(here.choice.network)
    return [_forecast(here), *([_bounds(here)] if answered else [])]


def _forecast(here: Sweep) -> board.Data:
    choice = lighter(here.choice)
    series, off = [], []
    for method in here.methods:
        found = compute.remembered(
            ("forecast", method, choice.study.fingerprint, choice.network, choice.scenario),
            lambda method=method: noise_forecast(
                method, here.truth, choice.study.counts, choice.scenario
            ),
        )
        if found is not None:
            series.append((method, found.forecast, found.measured))
            off.append(found.off)
    named = " and ".join(method for method, _, _ in series)
    texts = board.Words(
        title="Forecast against measured",
        subtitle=say.forecast(named, choice.scenario.epsilon, max(off, default=0.0)),
        caption="One dot for each node: standard deviation of a cell of its table, in records. On "
        "the dotted line both are equal."
        if series
        else "",
        alt=f"Forecast noise against measured noise for {len(choice.network.names)} nodes with "
        f"{named or 'no method'}.",
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
    return utility_board.points(texts, choice.network.names, series)


def _measured(here: Sweep, method: str) -> BoundsWorth:
    """The bounds of a method's releases, and the error of their answers."""
    choice = here.choice
    key = ("bounds", choice.study.fingerprint, choice.network, choice.scenario, method)
    return compute.remembered(
        key, lambda: bounds_worth(method, here.truth, choice.study.counts, choice.scenario)
    )


def _bounds(here: Sweep) -> board.Data:
    rows, worst = [], 0.0
    for method in here.methods:
        worth = _measured(here, method)
        rows.append([method, *(words.error(median) for median in worth.medians)])
        bounds = worth.bounds
        facts = f"η = {bounds.eta}, κ = {bounds.kappa}, d = {bounds.domain}"
        worst = max(worst, worth.medians[2])
    texts = board.Words(
        title="What the published bounds are worth",
        subtitle=say.worth(worst),
        caption=f"{facts}: most neighbours of a node plus one, treewidth, most states. Medians "
        f"over {min(here.choice.scenario.replicates, BOUNDED_RELEASES)} releases; μ is where the "
        "measured error stands between the bounds.",
        alt="Lower bound, measured error and upper bound of an answer for each method.",
        details=(
            (
                "Formula",
                "lower √(η − 1) · δ_min · φ_min^(η − 2); upper 2 η d^κ δ_max; μ = (error − lower) "
                "/ (upper − lower)",
            ),
            ("Source", "Chowdhury et al. 2020 (ICML), Theorems 4.1 and 4.2; core.study.bounds"),
        ),
        file="equipoise-study-bounds.csv",
    )
    head = ("method", "at least", "measured", "at most", "μ")
    return utility_board.facts(texts, head, rows)
