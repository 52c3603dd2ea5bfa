"""Release's pictures: the budget of the data, a rehearsal against its limit, an audit's bounds."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from core.table import Array
from figures.bands import quantile_columns
from figures.bars import Bars, bar_figure
from figures.palette import hue
from figures.ranges import Ranges, range_figure
from figures.template import Data, Figure, above, axis, layout, numbers, plain, tone, upright

DIFFERENCE = "total difference of probabilities (0: none, 2: the most)"


def meter_figure(budget: float, spent: Sequence[float], cost: float) -> Figure:
    """One bar from 0 to the budget: what is paid, what this release would cost, what is left."""
    before = sum(spent)
    left = budget - before - cost
    starts = [0.0, *accumulate(spent)]
    parts = [
        _part(f"payment {i + 1}", starts[i], value, {"color": tone("second")})
        for i, value in enumerate(spent)
    ]
    stripes = {"shape": "/", "fgcolor": tone("risk"), "bgcolor": tone("page"), "size": 7}
    edge = {"color": tone("risk"), "width": 1}
    mine = {"color": tone("risk"), "pattern": stripes, "line": edge}
    parts.append(_part("this release", before, cost, mine))
    if left > 0:
        free = {"color": tone("faint"), "line": {"color": tone("border"), "width": 1}}
        parts.append(_part("left after it", before + cost, left, free))
    most = max(budget, before + cost)
    middle = min(max((before + cost / 2) / most, 0.36), 0.6)  # between the words at either end
    end = {"color": tone("ink"), "width": 2, "dash": "solid"}
    ending = f"left after {left:.6g}" if left >= 0 else f"short by {-left:.6g}"
    return {
        "data": parts,
        "layout": layout(
            axis("ε", range=[0, 1.002 * most], showgrid=False),
            {"visible": False, "fixedrange": True},
            height=112,
            revision="meter",
            barmode="overlay",
            showlegend=False,
            margin={"l": 8, "r": 8, "t": 24, "b": 8, "pad": 0},
            shapes=[{**upright(budget), "line": end}],
            annotations=[
                _above(f"spent {before:.6g}", 0, "left", "second"),
                _above(f"this release {cost:.6g}", middle, "center", "risk-text"),
                _above(ending, 1, "right", "second" if left >= 0 else "risk-text"),
            ],
        ),
    }


def _part(name: str, start: float, size: float, marker: Data) -> Data:
    return {
        "type": "bar",
        "orientation": "h",
        "y": [0],
        "base": numbers([start]),
        "x": numbers([size]),
        "width": 0.9,
        "name": name,
        "showlegend": False,
        "marker": marker,
        "hovertemplate": f"<b>{name}</b>: ε = %{{x:.6~g}}<extra></extra>",
    }


def _above(text: str, place: float, side: str, colour: str) -> Data:
    return above(text, place, xref="paper", xanchor=side, font={"color": tone(colour)})


def rehearsal_figure(rows: Sequence[str], quantiles: Array, method: str, limit: float) -> Figure:
    """Ranges ``(7, rows)`` of errors over runs; the limit is that of the first row alone."""
    most = 1.12 * max(limit, float(quantiles[-1].max()))
    figure = range_figure(
        rows,
        [Ranges(method, quantiles, hue(method))],
        DIFFERENCE,
        revision="rehearsal",
        limit=(limit, f"its limit, {limit:g}"),
        spread="runs",
        span=(0.0, most),
    )
    frame = figure["layout"]
    frame["shapes"][0] |= {"yref": "y", "y0": -0.5, "y1": 0.5}
    frame["annotations"] += [
        {"text": f"<b>{median:#.2g}</b>", "x": x, "y": i, "xanchor": "left", "xshift": 6}
        for i, (median, x) in enumerate(zip(*numbers(quantiles[[3, 6]]), strict=True))
    ]
    return figure


def rehearsal_table(rows: Sequence[str], quantiles: Array) -> dict[str, list[object]]:
    """Seven quantiles of each error."""
    return {"error of": list(rows), **quantile_columns(quantiles)}


def audit_figure(pairs: Sequence[str], bounds: Sequence[float], claim: float, unit: str) -> Figure:
    """What the runs prove of each pair of neighbours, against the claim."""
    figure = bar_figure(
        pairs,
        [Bars("proven at least", np.array(bounds), "second")],
        unit,
        revision="audit",
        reference=(claim, f"claim ε = {claim:g}"),
    )
    (bars,) = figure["data"]
    over = [bound > claim for bound in bounds]
    bars["marker"]["color"] = [tone("risk" if broken else "second") for broken in over]
    bars["text"] = [
        f"{bound:.2f} above" if broken else f"{bound:.2f}"
        for bound, broken in zip(bounds, over, strict=True)
    ]
    # at the bar's end, where it is clear of the claim's line
    inside = {"insidetextanchor": "end", "insidetextfont": {"color": tone("page")}}
    bars |= {"textposition": "auto", "constraintext": "none", "cliponaxis": False, **inside}
    claimed = plain(f"{claim:g}")
    bars["hovertemplate"] = f"<b>%{{y}}</b>: ε of at least %{{x:.3~g}} is proven, {claimed} claimed"
    bars["hovertemplate"] += "<extra></extra>"
    figure["layout"]["xaxis"]["range"] = [0, 1.15 * max(claim, *bounds)]
    return figure
