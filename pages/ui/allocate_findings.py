"""Three facts about the published formulas, shown on Allocate with this scenario's numbers."""

from __future__ import annotations

import numpy as np

from core.methods.plans import sensitivities
from core.network import Network
from core.scenario import Scenario
from core.study.allocated import Allocated, printed_error, relative_noise
from core.study.metrics import Truth
from core.study.quantities import ROW_WEIGHTED
from core.study.trace import Spread
from pages.ui import allocate_words as say
from pages.ui import board, words
from pages.ui.inputs import Choice

RATES = np.geomspace(0.01, 1, 41)


def views(choice: Choice, truth: Truth, scenario: Scenario, uniform: Allocated) -> list[board.Data]:
    """Sensitivity is a constant; sampling does not help; the printed table formula fails."""
    printed = printed_error(truth, choice.study.counts, scenario)
    return [_constant(choice.network), _sampling(choice), _literal(choice, printed, uniform)]


def _constant(network: Network) -> board.Data:
    values = sensitivities(network)
    node = max(
        range(len(values)),
        key=lambda i: (len(network.children[i]) * (1 + len(network.parents[i])), values[i]),
    )
    texts = board.Words(
        title="Sensitivity is a constant",
        subtitle="Eq. 7 weighs a node by how much its parameters move the others. Written out, no "
        "record is left in it.",
        caption="" if values.any() else "No node has children: every Δ is 0.",
        alt="Sensitivity of one node written out",
        details=(
            ("Source", "Chowdhury et al. 2020 (ICML), Eq. 7; core/methods/plans.py: sensitivities"),
        ),
        file="equipoise-study-sensitivity.csv",
    )
    table = [["node", "sensitivity"], *zip(network.names, board.numbers(values), strict=True)]
    lines = say.constant(network, node, float(values[node])) if values.any() else []
    return {**vars(texts), "kind": "constant", "lines": lines, "table": table}


def _sampling(choice: Choice) -> board.Data:
    scenario = choice.scenario
    stage = scenario.split * scenario.epsilon
    ratio = relative_noise(stage, scenario.rate)
    texts = board.Words(
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
    ratios = [relative_noise(stage, r) for r in RATES.tolist()]
    return {
        **vars(texts),
        "kind": "sampling",
        "rates": board.numbers(RATES),
        "ratios": board.numbers(ratios),
        "mark": board.numbers((scenario.rate, ratio)),
    }


def _literal(choice: Choice, printed: Spread, counted: Allocated) -> board.Data:
    texts = board.Words(
        title="The printed table formula fails",
        subtitle=say.printed(choice.scenario.epsilon, printed.median, counted.row_error.median),
        caption=f"{ROW_WEIGHTED.name}; thin line: 95 % of releases.",
        alt=f"{ROW_WEIGHTED.name}: {words.error(printed.median)} with the printed formula, "
        f"{words.error(counted.row_error.median)} when tables stay counts.",
        details=(
            ("Formula", "M[x, pa] = (T[x, pa]/T_pa) / Σ_v (T[v, pa]/T_pa): T_pa cancels."),
            ("Source", "Chowdhury et al. 2020 (ICML), Procedure 1; core/methods/literal.py"),
        ),
        file="equipoise-study-printed-formula.csv",
    )
    bars = [
        {"name": name, "hue": hue, **dict(zip(("low", "value", "high"), _limits(e), strict=True))}
        for name, hue, e in (
            ("as printed", "truth", printed),
            ("in counts, as here", "uniform", counted.row_error),
        )
    ]
    return {**vars(texts), "kind": "literal", "bars": bars}


def _limits(error: Spread) -> list[float]:
    return board.numbers((error.low, error.median, error.high))
