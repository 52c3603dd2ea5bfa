"""Pictures of a lesson: what was computed, and what a class predicted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.lessons.lesson import Bar
from figures.bars import Bars, bar_figure
from figures.template import Figure


def answer_figure(bars: Sequence[Bar], title: str, *, revision: str) -> Figure:
    """What is revealed, with ranges where there are some."""
    values = np.array([bar.value for bar in bars])
    ends = [
        np.array([bar.value if end is None else end for bar, end in zip(bars, side, strict=True)])
        for side in ([bar.low for bar in bars], [bar.high for bar in bars])
    ]
    ranged = any(bar.low is not None for bar in bars)
    low, high = ends if ranged else (None, None)
    group = Bars("computed", values, "equipoise", low, high)
    return bar_figure([bar.name for bar in bars], [group], title, revision=revision)


def predictions_figure(counted: Sequence[tuple[str, int]], unit: str, *, revision: str) -> Figure:
    """How many predicted what."""
    group = Bars("predictions", np.array([float(count) for _, count in counted]), "uniform")
    names = [f"{name} {unit}".strip() for name, _ in counted]
    figure = bar_figure(names, [group], "predictions", revision=revision)
    most = max([5, *(count for _, count in counted)])
    step = 10 ** (len(str(most)) - 1) if most > 10 else 1  # whole people
    figure["layout"]["xaxis"] |= {"range": [0, most * 1.02], "dtick": step}
    return figure
