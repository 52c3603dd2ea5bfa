"""Three facts about the published formulas, shown on Allocate with this scenario's numbers."""

from __future__ import annotations

import numpy as np

from core.methods.plans import sensitivities
from core.network import Network
from core.study.allocated import printed_error, relative_noise
from core.study.quantities import ROW_WEIGHTED
from core.study.trace import Spread
from figures.printed_facts import printed_figure, sampling_figure, sensitivity_figure
from figures.template import numbers
from pages.ui.allocate import words as say
from pages.ui.allocate.compared import Plans
from pages.ui.kit import words
from pages.ui.kit.inputs import Choice
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view

RATES = np.geomspace(0.01, 1, 41)
READINGS = ("as printed", "in counts, as here")


def facts(plans: Plans) -> list[View]:
    """Sensitivity is a constant; sampling does not help; the printed table formula fails."""
    choice = plans.choice
    printed = printed_error(plans.truth, choice.study.counts, choice.scenario)
    return [
        _constant(plans.network),
        _sampling(choice),
        _literal(choice.scenario.epsilon, printed, plans.shown[-1].row_error),
    ]


def _constant(network: Network) -> View:
    values = sensitivities(network)
    node = max(
        range(len(values)),
        key=lambda i: (len(network.children[i]) * (1 + len(network.parents[i])), values[i]),
    )
    some = bool(values.any())
    name = network.names[node]
    texts = Words(
        title="Sensitivity is a constant",
        subtitle="Eq. 7 weighs a node by how much its parameters move the others. Written out, no "
        "record is left in it.",
        caption="" if some else "No node has children: every Δ is 0.",
        alt=f"Sensitivity of every node; written out, that of {name} is {values[node]:.4g}.",
        details=(
            ("Source", "Chowdhury et al. 2020 (ICML), Eq. 7; core/methods/plans.py: sensitivities"),
        ),
        file="equipoise-study-sensitivity.csv",
    )
    return figure_view(
        "constant",
        texts,
        {"Δ": sensitivity_figure(network.names, values, node if some else None)},
        {"node": list(network.names), "sensitivity": numbers(values)},
        (("Eq. 7 for", name), say.constant(network, node, float(values[node]))) if some else None,
    )


def _sampling(choice: Choice) -> View:
    scenario = choice.scenario
    stage = scenario.split * scenario.epsilon
    ratio = relative_noise(stage, scenario.rate)
    texts = Words(
        title="Sampling does not help",
        subtitle=say.sampling(scenario, ratio),
        caption="",
        alt=f"Relative noise of Stage I against the sampling rate: {ratio:.2f} times at γ = "
        f"{scenario.rate:g}.",
        details=(
            ("Formula", "βε / (γ · ln((e^βε − 1)/γ + 1)): at γ = 1 it is 1, below it is more."),
            ("Source", "Chowdhury et al. 2020 (ICML), Algorithm 1, line 1; core.privacy.inflated"),
        ),
        file="equipoise-study-sampling.csv",
    )
    ratios = np.array([relative_noise(stage, rate) for rate in RATES.tolist()])
    return figure_view(
        "sampling",
        texts,
        {"noise": sampling_figure(RATES, ratios, (scenario.rate, ratio))},
        {"gamma": numbers(RATES), "relative noise": numbers(ratios)},
    )


def _literal(epsilon: float, printed: Spread, counted: Spread) -> View:
    texts = Words(
        title="The printed table formula fails",
        subtitle=say.printed(epsilon, printed.median, counted.median),
        caption=f"{ROW_WEIGHTED.name}; thin line: 95 % of releases.",
        alt=f"{ROW_WEIGHTED.name}: {words.error(printed.median)} with the printed formula, "
        f"{words.error(counted.median)} when tables stay counts.",
        details=(
            ("Formula", "M[x, pa] = (T[x, pa]/T_pa) / Σ_v (T[v, pa]/T_pa): T_pa cancels."),
            ("Source", "Chowdhury et al. 2020 (ICML), Procedure 1; core/methods/literal.py"),
        ),
        file="equipoise-study-printed-formula.csv",
    )
    low, middle, high = (
        np.array([getattr(error, part) for error in (printed, counted)])
        for part in ("low", "median", "high")
    )
    pairs = zip(READINGS, (printed, counted), strict=True)
    return figure_view(
        "literal",
        texts,
        {"error": printed_figure(READINGS, low, middle, high)},
        {
            "reading": list(READINGS),
            "median": numbers(middle),
            "2.5 %": numbers(low),
            "97.5 %": numbers(high),
        },
        (
            ("", ROW_WEIGHTED.short),
            [[name, _said(error)] for name, error in pairs],
        ),
    )


def _said(error: Spread) -> str:
    return f"{words.error(error.median)} ({words.error(error.low)} to {words.error(error.high)})"
