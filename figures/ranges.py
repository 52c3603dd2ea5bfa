"""Ranges over runs: nested 50, 80 and 95 % bars, the median, the truth, a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.study.bands import MEDIAN
from core.table import Array
from figures.bands import LEVELS
from figures.palette import dashes, hue
from figures.template import (
    Data,
    Figure,
    axis,
    beside,
    layout,
    marked,
    numbers,
    plain,
    tone,
    trace,
)

THICK = 12
ROW = 30
HATCHED: Data = {"shape": "/", "fillmode": "overlay", "size": 6, "fgcolor": tone("page")}


@dataclass(frozen=True, eq=False)
class Ranges:
    """Seven quantiles of each row ``(7, rows)``; ``dash`` tells those of one colour apart."""

    name: str
    quantiles: Array
    colour: str
    dash: str = "solid"

    @classmethod
    def by_method(cls, quantiles: Mapping[str, Array]) -> list[Ranges]:
        """Each method in its hue."""
        patterns = dashes(list(quantiles))
        return [cls(m, values, hue(m), patterns[m]) for m, values in quantiles.items()]


def range_figure(  # noqa: PLR0913 - a maker that three pages share
    rows: Sequence[str],
    groups: Sequence[Ranges],
    title: str,
    *,
    revision: str,
    truth: Array | None = None,
    limit: tuple[float, str] | None = None,
    spread: str = "releases",
    span: tuple[float, float] | None = None,
) -> Figure:
    """One row for each name, the methods beneath each other in it; a black tick is the truth.

    ``limit`` is a line that values should stay below, with its words.
    """
    names = [plain(row) for row in rows]
    step = 0.8 / max(1, len(groups))
    data: list[Data] = []
    for group, places in zip(groups, group_places(len(rows), len(groups)), strict=True):
        data += _bars(names, group, places, step, spread)
    if truth is not None:
        data.append(_truth(names, truth, max(24, THICK * len(groups))))
    upward = {
        "tickvals": list(range(len(rows))),
        "ticktext": names,
        "range": [len(rows) - 0.5, -0.5],
        "showgrid": False,
        "ticksuffix": " ",
    }
    across = axis(title) if span is None else axis(title, range=list(span))
    return {
        "data": data,
        "layout": layout(
            across,
            {**axis(""), **upward},
            height=round(max(ROW, 14 * len(groups) + 10) * max(2, len(rows)) + 64),
            revision=revision,
            showlegend=len(groups) > 1,
            barmode="overlay",
            margin={"l": 8, "r": 12, "t": 22 if limit else 8, "b": 8, "pad": 0},
            **({} if limit is None else marked(*limit)),
        ),
    }


def group_places(rows: int, groups: int) -> Array:
    """Where each group's bars stand on the vertical axis: ``(groups, rows)``."""
    within = 0.8 / max(1, groups) * (np.arange(groups) + 0.5) - 0.4
    return np.asarray(np.arange(rows) + within[:, None])


def _bars(names: list[str], group: Ranges, places: Array, step: float, spread: str) -> list[Data]:
    hatched = {} if group.dash == "solid" else {"pattern": HATCHED}
    traces: list[Data] = [
        beside(
            plain(group.name), numbers(group.quantiles[high] - group.quantiles[low]),
            numbers(places), type="bar", orientation="h", base=numbers(group.quantiles[low]),
            width=0.72 * step,
            marker={"color": tone(group.colour, strength), "line": {"width": 0}, **hatched},
        )
        for low, high, strength in LEVELS
    ]  # fmt: skip
    limits = np.stack([group.quantiles[0], group.quantiles[6]], axis=-1)
    traces.append(
        {
            **trace(
                "scatter", plain(group.name), numbers(group.quantiles[MEDIAN]), numbers(places)
            ),
            "mode": "markers",
            "text": names,
            "customdata": numbers(limits),
            "line": {"dash": group.dash},
            "marker": _tick(THICK, tone(f"{group.colour}-text"), 2),
            "hovertemplate": f"<b>%{{text}}</b>, {plain(group.name)}: %{{x:.3~g}}<br>95 % of "
            f"{spread} %{{customdata[0]:.3~g}} to %{{customdata[1]:.3~g}}<extra></extra>",
        }
    )
    return traces


def _tick(tall: int, colour: str, width: float) -> Data:
    line = {"width": width, "color": colour}
    return {"symbol": "line-ns", "size": tall, "color": colour, "line": line}


def _truth(names: list[str], truth: Array, tall: int) -> Data:
    return {
        **trace("scatter", "truth", numbers(truth), list(range(len(names)))),
        "mode": "markers",
        "text": names,
        "marker": _tick(tall, tone("truth"), 2.4),
        "hovertemplate": "<b>%{text}</b>, truth: %{x:.4~g}<extra></extra>",
    }
