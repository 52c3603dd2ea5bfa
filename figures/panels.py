"""Truth against estimate, cell by cell: one panel for each estimator, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.study.quantities import error
from core.table import Array
from figures.template import Data, Figure, above, layout, numbers, plain, tone
from figures.undirected import LOOKS, SHORT

ABREAST, HEIGHT = 3, 240
"""Panels beside each other, and how high one is with its title."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One estimator's cells, in the order of the truth, and their mean error; none yet if empty."""

    estimator: str
    learned: Array
    error: float

    @property
    def name(self) -> str:
        """As it stands on screen."""
        return SHORT[self.estimator]


def panels_figure(cells: Sequence[str], truth: Array, panels: Sequence[Panel]) -> Figure:
    """Truth across, estimate up: a panel for each estimator, every dot one cell of one table."""
    most = 1.03 * max(float(np.max(v)) for v in (truth, *(p.learned for p in panels)) if len(v))
    names = [plain(cell) for cell in cells]
    columns = min(ABREAST, len(panels))
    rows = -(-len(panels) // columns)
    frame: Data = {}
    data: list[Data] = []
    notes: list[Data] = []
    lines: list[Data] = []
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        end = "" if i == 0 else str(i + 1)
        wide, high = _part(column, columns, 0.07), _part(rows - 1 - row, rows, 0.34 / rows)
        last, first = i + columns >= len(panels), column == 0
        frame[f"xaxis{end}"] = _axis("true probability" if last else "", most, wide, f"y{end}")
        frame[f"yaxis{end}"] = _axis("learned" if first else "", most, high, f"x{end}")
        data.append(_cloud(panel, names, truth, (f"x{end}", f"y{end}")))
        notes.append(_title(panel, wide[0], high[1]))
        lines.append(_equal(f"x{end}", f"y{end}", most))
    across, up = frame.pop("xaxis"), frame.pop("yaxis")
    return {
        "data": data,
        "layout": layout(
            across,
            up,
            height=HEIGHT * rows + 40,
            revision="panels",
            showlegend=False,
            margin={"l": 8, "r": 12, "t": 26, "b": 8, "pad": 0},
            annotations=notes,
            shapes=lines,
            **frame,
        ),
    }


def _part(place: int, count: int, gap: float) -> list[float]:
    """Where one of so many panels lies between 0 and 1."""
    size = (1 - gap * (count - 1)) / count
    return [round(place * (size + gap), 4), round(place * (size + gap) + size, 4)]


def _axis(title: str, most: float, domain: list[float], anchor: str) -> Data:
    return {
        "title": {"text": title},
        "range": numbers([0, most]),
        "domain": domain,
        "anchor": anchor,
        "nticks": 5,
    }


def _cloud(panel: Panel, names: list[str], truth: Array, axes: tuple[str, str]) -> Data:
    hue = LOOKS[panel.estimator][0]
    shown = len(panel.learned) > 0
    return {
        "type": "scatter",
        "mode": "markers",
        "name": panel.name,
        "showlegend": False,
        "x": numbers(truth) if shown else [],
        "y": numbers(panel.learned),
        "text": names,
        "xaxis": axes[0],
        "yaxis": axes[1],
        "marker": {"color": tone(hue, 0.45), "size": 5},
        "hovertemplate": f"<b>%{{text}}</b><br>{panel.name}: %{{y:.3~r}}, truth %{{x:.3~r}}"
        "<extra></extra>",
    }


def _title(panel: Panel, left: float, top: float) -> Data:
    said = f"off by {error(panel.error)}" if len(panel.learned) else "not yet"
    return above(f"<b>{panel.name}</b> {said}", left, xref="paper", xanchor="left", y=top)


def _equal(across: str, up: str, most: float) -> Data:
    """The line on which truth and estimate are equal."""
    end = float(f"{most:.5g}")
    return {
        "type": "line", "x0": 0, "y0": 0, "x1": end, "y1": end,
        "xref": across, "yref": up, "layer": "below",
    }  # fmt: skip
