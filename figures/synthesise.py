"""Synthesise's pictures: methods and baselines against ε, and two columns side by side."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.study.quantities import share
from core.table import Array
from figures.bands import EPSILON_AXIS, Axes, Band, band_figure
from figures.template import Data, Figure, above, layout, numbers, plain, tone

HUES = {
    "privbayes-plus": "equipoise", "privbayes": "data-dependent",
    "equipoise-synthesis": "equipoise", "equipoise-synthesis-zcdp": "equipoise",
    "best network": "truth", "best marginals": "truth",
}  # fmt: skip
"""Green and blue the methods, ink those with one phase exact; baselines are orange."""

DASHES = {
    "uniform": "2px,3px", "laplace": "6px,4px", "fourier": "8px,3px,2px,3px",
    "contingency": "1px,4px", "mwem": "4px,2px", "best network": "6px,4px",
    "best marginals": "2px,3px", "privbayes-plus": "6px,4px",
    "equipoise-synthesis-zcdp": "2px,3px",
}  # fmt: skip


def method_band(
    method: str, epsilons: Sequence[float], quantiles: Array, at_mark: Array | None
) -> Band:
    """One method's curve where it was measured; ``at_mark`` are its quantiles at the ε on show."""
    hue, dash = HUES.get(method, "uniform"), DASHES.get(method, "solid")
    return Band(method, quantiles, at_mark, hue, dash, np.array(epsilons, dtype=np.float64))


def comparison_figure(
    epsilons: Sequence[float], bands: Sequence[Band], epsilon: float, *, revision: str
) -> Figure:
    """How far marginals are off, against ε."""
    axes = Axes(
        EPSILON_AXIS,
        "total variation distance (log scale)",
        mark=epsilon,
        height=300,
        spread="runs",
        points=True,
        ranges=True,
    )
    return band_figure(np.array(epsilons), bands, axes, revision=revision)


def share_table(
    states: Mapping[str, Sequence[str]], tables: Mapping[str, Array]
) -> dict[str, Sequence[object]]:
    """Every pair of states of two columns with its share in each table.

    A column that is called like a table keeps its name, and the table's is said in full.
    """
    (first, rows), (second, columns) = states.items()
    shown: dict[str, Sequence[object]] = {
        first: [row for row in rows for _ in columns],
        second: [column for _ in rows for column in columns],
    }
    for name, values in tables.items():
        head = f"share of {name}" if name in states else name
        shown[head] = numbers(np.ravel(values))
    return shown


CELL, WIDEST = 26, 320
WRITTEN = 36
"""Most cells of a map whose shares are written in them."""


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
        **(_written(values) if values.size <= WRITTEN else {}),
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


def _written(values: Array) -> Data:
    """Shares in their cells, where there are few enough to be read."""
    return {
        "text": [[share(float(value)) for value in row] for row in values],
        "texttemplate": "%{text}",
        "textfont": {"color": tone("ink")},
    }


def _states(named: tuple[str, Sequence[str]], *, shown: bool = True, **more: object) -> Data:
    return {
        "title": {"text": plain(named[0]) if shown else ""},
        "type": "category",
        "showgrid": False,
        "showticklabels": shown,
        **more,
    }
