"""Beside the curves: forecasts without data, what bounds are worth, who bears the error."""

import functools
from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.notation import short
from core.study.bands import MEDIAN
from core.study.error_curves import (
    BOUNDED_RELEASES,
    NoiseForecast,
    bounds_worth,
    noise_forecast,
)
from core.study.quantities import QUANTITIES
from core.study.subgroups import Subgroup, by_size, by_state
from core.study.subsample import COMPARED, as_a_sample, sample_equivalents, sampling_curves
from figures.ranges import Ranges, range_figure
from figures.template import numbers
from figures.utility import forecast_figure, forecast_table
from pages.ui.kit import compute, words
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Columns, Sheet, Words, abreast, figure_view, stacked, table_view
from pages.ui.utility import words as say
from pages.ui.utility.sweep import Sweep, lighter


def notes(asked: Sweep) -> None:
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
        Sheet(views, abreast([view["name"] for view in views])).mount(key="notes")


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
        details={
            "Formula": "Var_i = Σ_{B ⊆ family i} Π_{j ∈ B} (r_j − 1) / (d_i² S_B), "
            "S_B = Σ_{t ⊇ B} 1 / (sd_t² d_t), for tables made consistent by least squares",
            "Source": "This project; the forecast of each method in core.methods.registry",
        },
    )
    figure = forecast_figure(forecasts, names)
    return figure_view("forecast", texts, {"noise": figure}, forecast_table(forecasts, names))


def _bounds(asked: Sweep) -> View:
    study, network, scenario = asked.choice.study, asked.choice.network, asked.choice.scenario
    worth = {
        method: compute.remembered(
            ("bounds", study.fingerprint, network, scenario, method),
            functools.partial(bounds_worth, method, asked.truth, study.counts, scenario),
        )
        for method in asked.methods
    }
    bounds = next(iter(worth.values())).bounds
    releases = min(scenario.replicates, BOUNDED_RELEASES)
    texts = Words(
        title="What the published bounds are worth",
        subtitle=say.worth(max(each.medians[2] for each in worth.values())),
        caption=f"η = {bounds.eta}, κ = {bounds.kappa}, d = {bounds.domain}: most neighbours of a "
        f"node plus one, treewidth, most states. Medians over {releases} releases. Place between: "
        "0 at the lower bound, 1 at the upper.",
        alt="Lower bound, measured error and upper bound of an answer for each method.",
        details={
            "Formula": "lower √(η − 1) · δ_min · φ_min^(η − 2); upper 2 η d^κ δ_max; place = "
            "(error − lower) / (upper − lower), called μ in the paper",
            "Source": "Chowdhury et al. 2020 (ICML), Theorems 4.1 and 4.2; core.study.bounds",
        },
    )
    heads = ("at least", "measured", "at most", "place between")
    columns = zip(*(each.medians for each in worth.values()), strict=True)
    named, medians = {"method": list(worth)}, dict(zip(heads, columns, strict=True))
    told = {head: [short(median) for median in values] for head, values in medians.items()}
    kept = {head: numbers(values) for head, values in medians.items()}
    return table_view("bounds", texts, {**named, **told}, {**named, **kept})


ROWS = "rows of tables, by their records"
ERROR, BIAS = "error", "signed bias"
Groups = Mapping[str, tuple[Subgroup, ...]]


def section(asked: Sweep) -> None:
    """Widgets and both views; nothing where this network cannot be asked."""
    silent = compute.unanswerable(asked.choice.network)
    st.markdown("#### Who bears the error")
    names = [] if silent else list(asked.choice.network.names)
    by = st.selectbox("Groups", [ROWS, *names], key="utility_groups", persist_state="session")
    choice = lighter(asked.choice)
    try:
        groups = _groups(asked, choice, "" if by == ROWS else by)
        views = [_bearing(choice, groups, "" if by == ROWS else by)]
        if not silent:
            views.append(_samples(asked, choice))
    except EquipoiseError as problem:
        refuse(problem)
        return
    stacked(*views).mount(key="groups")


def _groups(asked: Sweep, choice: Choice, by: str) -> Groups:
    counts, scenario, truth = choice.study.counts, choice.scenario, asked.truth
    key = ("groups", by, asked.methods, choice.study.fingerprint, choice.network, scenario)
    return compute.remembered(key, lambda: {
        m: by_state(by, m, truth, counts, scenario) if by else by_size(m, truth, counts, scenario)
        for m in asked.methods
    })  # fmt: skip


def _bearing(choice: Choice, groups: Groups, by: str) -> View:
    method, last = list(groups.items())[-1]
    most = max(last, key=lambda group: float(group.error[MEDIAN]))
    least = min(last, key=lambda group: float(group.error[MEDIAN]))
    what = f"People by {by}" if by else "Rows by their records"
    lead = (
        f"With {method} at ε = {choice.scenario.epsilon:g} the error is "
        f"{words.error(float(most.error[MEDIAN]))} for {most.name} ({words.share(most.share)} of "
        "the records)"
        + (f" and {words.error(float(least.error[MEDIAN]))} for {least.name}." if last[1:] else ".")
    )
    meaning = (
        "Error: mean L1 distance of the other variables among these people; bias: of their share."
        if by
        else "Error: mean L1 distance of a row (0 to 2); bias: of the probability of the state "
        "that is usual in the row, below zero where the release says too little of it."
    )
    texts = Words(
        title=what,
        subtitle=lead,
        caption=meaning,
        alt=f"{what}: error and signed bias of each group by method. {lead}",
        details={
            "Study only": "Measured against the exact counts, so it is not private.",
            "Command line": command("groups", choice, _more(method, by)),
        },
    )
    labels = [f"{g.name} ({words.share(g.share)})" for g in last]
    drawn = {
        name: range_figure(
            labels,
            Ranges.by_method({
                m: np.stack([g.error if name == ERROR else g.bias for g in some], axis=1)
                for m, some in groups.items()
            }),
            f"{name} (L1, 0 to 2)" if name == ERROR else "signed bias of a probability",
            revision=f"groups {name} {by}",
        )
        for name in (ERROR, BIAS)
    }  # fmt: skip
    rows = [(m, g) for m, some in groups.items() for g in some]
    table: Columns = {
        "method": [m for m, _ in rows],
        "group": [g.name for _, g in rows],
        "members": [g.members for _, g in rows],
        "share": numbers([g.share for _, g in rows]),
        "error": numbers([g.error[MEDIAN] for _, g in rows]),
        "error, 97.5 %": numbers([g.error[-1] for _, g in rows]),
        "bias": numbers([g.bias[MEDIAN] for _, g in rows]),
    }
    return figure_view("groups", texts, drawn, table)


def _more(method: str, by: str) -> str:
    return f"--method {method}" + (f" --by {words.quoted(by)}" if by else "")


def _samples(asked: Sweep, choice: Choice) -> View:
    counts, scenario, truth = choice.study.counts, choice.scenario, asked.truth
    base = (choice.study.fingerprint, choice.network, scenario)
    curves = compute.remembered(
        ("samples", *base[:2], scenario.options), lambda: sampling_curves(truth, COMPARED)
    )
    shares = compute.remembered(("alike", asked.methods, *base), lambda: {
        m: sample_equivalents(m, truth, counts, scenario, curves) for m in asked.methods
    })  # fmt: skip
    method, own = list(shares.items())[-1]
    first = own[COMPARED[0]] or 0.0
    texts = Words(
        title="As accurate as a random sample",
        subtitle=f"At ε = {scenario.epsilon:g} the tables of {method} are "
        f"{as_a_sample(first, words.share(first))}, published exactly "
        f"({QUANTITIES[COMPARED[0]].name})",
        caption="Each record kept by chance, the tables published without noise: what the noise "
        "costs, in records. A sample of this size has no privacy at all.",
        alt="Share of the records whose exact tables err as each method does.",
        details={
            "Formula": "the share s at which the mean error of exact tables of a random s of the "
            "records equals the release's; 40 samples at each of 13 sizes, between them on log "
            "scales",
            "Command line": command("groups", choice, _more(method, "")),
        },
    )
    named = {"method": list(shares)}
    columns = {metric: [own[metric] or 0.0 for own in shares.values()] for metric in COMPARED}
    told = {QUANTITIES[metric].name: list(map(words.share, c)) for metric, c in columns.items()}
    kept = {metric: numbers(column) for metric, column in columns.items()}
    return table_view("samples", texts, {**named, **told}, {**named, **kept})
