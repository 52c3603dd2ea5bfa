"""Two columns together: how often each pair of states occurs, in several tables side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.table import Array
from figures.template import Data, Figure, above, layout, numbers, plain, tone

CELL, WIDEST = 26, 320


def heat_figure(
    tables: Mapping[str, Array],
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
    *,
    revision: str,
) -> Figure:
    """Shares of pairs ``(rows, columns)``; darker is more, by the square root, on one scale."""
    most = max(float(np.max(values)) for values in tables.values())
    count, gap = len(tables), 0.06
    width = (1 - gap * (count - 1)) / count
    data: list[Data] = []
    frame: Data = {}
    notes: list[Data] = []
    for i, (name, values) in enumerate(tables.items()):
        end = "" if i == 0 else str(i + 1)
        span = [i * (width + gap), i * (width + gap) + width]
        data.append(_trace(name, values, rows, columns, (f"x{end}", f"y{end}"), most))
        frame[f"xaxis{end}"] = _states(columns, domain=span, anchor=f"y{end}")
        frame[f"yaxis{end}"] = _states(rows, anchor=f"x{end}", autorange="reversed", shown=i == 0)
        notes.append(above(f"<b>{plain(name)}</b>", span[0], xref="paper", xanchor="left"))
    first, second = frame.pop("xaxis"), frame.pop("yaxis")
    high = min(WIDEST, CELL * len(rows[1]) + 110)
    margin = {"l": 8, "r": 12, "t": 24, "b": 8, "pad": 0}
    return {
        "data": data,
        "layout": layout(
            first, second, height=high, revision=revision, margin=margin, annotations=notes, **frame
        ),
    }


def _trace(
    name: str,
    values: Array,
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
    axes: tuple[str, str],
    most: float,
) -> Data:
    return {
        "type": "heatmap",
        "name": plain(name),
        "x": [plain(state) for state in columns[1]],
        "y": [plain(state) for state in rows[1]],
        "z": numbers(np.sqrt(values)),
        "customdata": numbers(values),
        "zmin": 0,
        "zmax": float(f"{most**0.5:.5g}"),
        "xaxis": axes[0],
        "yaxis": axes[1],
        "xgap": 1,
        "ygap": 1,
        "colorscale": [[0, tone("budget-low")], [1, tone("budget-high")]],
        "showscale": False,
        "showlegend": False,
        "hovertemplate": f"{plain(rows[0])} = %{{y}}, {plain(columns[0])} = %{{x}}<br>"
        f"%{{customdata:.2~%}} of the {plain(name)}<extra></extra>",
    }


def _states(named: tuple[str, Sequence[str]], *, shown: bool = True, **more: object) -> Data:
    return {
        "title": {"text": plain(named[0]) if shown else ""},
        "type": "category",
        "showgrid": False,
        "showticklabels": shown,
        **more,
    }
