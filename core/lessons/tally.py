"""What a class predicted, counted: numbers alone, of nobody."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from core.lessons.lesson import Answer, LessonStep, Prediction

BINS = 10


def tallied(step: LessonStep, answer: Answer, sent: Sequence[Prediction]) -> list[tuple[str, int]]:
    """Predictions in each part of the slider (or bands that reach into it), or of each option.

    Of an order, the option that was put first counts.
    """
    if step.kind in ("choice", "order"):
        first = [int(one[0]) for one in sent]
        return [(name, first.count(i)) for i, name in enumerate(answer.options)]
    low, high, _ = answer.span
    edges = np.linspace(low, high, BINS + 1)
    names = [f"{a:.3g} to {b:.3g}" for a, b in itertools.pairwise(edges)]
    if step.kind == "band":
        ends = np.array(sent, dtype=np.float64).reshape(-1, 2)
        reach = (ends[:, :1] <= edges[1:]) & (ends[:, 1:] >= edges[:-1])
        return list(zip(names, reach.sum(axis=0).tolist(), strict=True))
    counts, _ = np.histogram([one[0] for one in sent], edges)
    return list(zip(names, counts.tolist(), strict=True))
