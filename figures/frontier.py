"""Compare's pictures: error against what is given away, by method, the Pareto set marked."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.notation import short
from core.study.bands import MEDIAN
from core.study.frontier import Frontier, FrontierCurve, common_places
from core.study.frontier_words import price_axis, price_text
from core.study.quantities import share
from figures.bands import LEVELS, Axes, Band, band_figure, quantile_columns
from figures.palette import dashes
from figures.template import Data, Figure, above, numbers, plain, tone, trace
from figures.utility import Columns

PARETO = "Pareto set"
EDGE = 0.1
"""Share of a grid of panels that is left between two of them."""

COLUMNS = 2


def frontier_figure(frontier: Frontier, epsilon: float | None = None) -> Figure:
    """One curve for each method with a band of half its releases; the ε on show is marked."""
    share_of = frontier.quantity.kind == "share"
    drawn = [curve for curve in frontier.curves if curve.places.size]
    patterns = dashes([curve.method for curve in frontier.curves])
    mark = epsilon if frontier.price == "epsilon" else None
    bands = []
    for curve in drawn:
        at, pattern = None if mark is None else curve.at(mark), patterns[curve.method]
        tones = Band(curve.method, curve.bands).tone  # by the method's name, without its δ
        bands.append(Band(_name(curve), curve.bands, at, tones, pattern, curve.places))
    axes = Axes(
        price_axis(frontier.price, frontier.alpha),
        frontier.quantity.axis,
        mark=mark,
        scale="share" if share_of else "log",
        across="linear" if frontier.price == "auc" else "log",
        height=470,
        points=True,
        levels=((*LEVELS[-1][:2], 0.16),),
    )
    places = common_places(frontier)
    revision = f"{frontier.quantity.key} {frontier.price}"
    figure = band_figure(
        places if places.size else np.array([0.1, 10.0]), bands, axes, revision=revision
    )
    if drawn:
        for curve in figure["data"]:
            curve["hoverinfo"] = "skip"
            curve.pop("hovertemplate", None)
            if curve["mode"] == "text":  # clear of the diamonds
                curve["text"] = [f"\u2003{text}" for text in curve["text"]]
        figure["data"] += [_pareto(drawn), _numbers(frontier, places)]
        figure["layout"] |= {"hovermode": "x", "hoverdistance": -1}  # wherever the pointer is
        figure["layout"]["showlegend"] = True
    return figure


def _name(curve: FrontierCurve) -> str:
    """A method with its δ, where its promise has one."""
    return f"{curve.method} (δ = {short(curve.delta, 6)})" if curve.delta else curve.method


def _pareto(curves: Sequence[FrontierCurve]) -> Data:
    """A diamond around each point that no other beats in both."""
    x = [x for c in curves for x in numbers(c.places[c.pareto])]
    y = [y for c in curves for y in numbers(c.medians[c.pareto])]
    line = {"width": 1.6, "color": tone("ink")}
    return {
        **trace("scatter", PARETO, x, y),
        "mode": "markers",
        "marker": {"symbol": "diamond-open", "size": 13, "color": tone("ink"), "line": line},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _numbers(frontier: Frontier, places: Sequence[float] | np.ndarray) -> Data:
    """What the hover says: every method at one place, the best first."""
    told = [(float(place), _told(frontier, float(place))) for place in places]
    told = [(place, text) for place, text in told if text[1]]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": numbers([place for place, _ in told]),
        "y": numbers([least for _, (least, _) in told]),
        "customdata": [[text] for _, (_, text) in told],
        "marker": {"size": 8, "opacity": 0, "color": tone("ink")},
        "hovertemplate": "%{customdata[0]}<extra></extra>",
        "showlegend": False,
    }


def _told(frontier: Frontier, place: float) -> tuple[float, str]:
    known = [(c, at) for c in frontier.curves if (at := c.at(place)) is not None]
    known.sort(key=lambda pair: float(pair[1][MEDIAN]), reverse=frontier.rising)
    if not known:
        return 0.0, ""
    said = share if frontier.quantity.kind == "share" else short
    lines = [
        f"{plain(_name(c))}: <b>{said(float(at[MEDIAN]))}</b> "
        f"({said(float(at[0]))} to {said(float(at[-1]))})"
        for c, at in known
    ]
    head = f"<b>{price_text(frontier.price, place)}</b>, median (95 % of releases)"
    return float(known[0][1][MEDIAN]), "<br>".join([head, *lines])


def frontier_table(frontiers: Mapping[str, Frontier]) -> Columns:
    """Every measured point of every network."""
    rows = [
        (network, frontier, curve, place)
        for network, frontier in frontiers.items()
        for curve in frontier.curves
        for place in range(len(curve.epsilons))
    ]
    quantiles = [curve.bands[:, place] for _, _, curve, place in rows]
    return {
        "network": [network for network, _, _, _ in rows],
        "method": [curve.method for _, _, curve, _ in rows],
        "promise": [curve.promise for _, _, curve, _ in rows],
        "epsilon": [curve.epsilons[place] for _, _, curve, place in rows],
        "price": [frontier.price for _, frontier, _, _ in rows],
        "paid": numbers([curve.places[place] for _, _, curve, place in rows]),
        "metric": [frontier.quantity.key for _, frontier, _, _ in rows],
        "pareto": [bool(curve.pareto[place]) for _, _, curve, place in rows],
        **quantile_columns(np.reshape(quantiles, (-1, 7)).T),
    }


def frontier_grid(frontiers: Mapping[str, Frontier]) -> Figure:
    """One figure for several networks, side by side; curves are named in one legend."""
    panels = {name: frontier_figure(one) for name, one in frontiers.items()}
    if len(panels) == 1:
        return next(iter(panels.values()))
    count = math.ceil(len(panels) / COLUMNS)
    first = next(iter(panels.values()))["layout"]
    grid: Figure = {
        "data": [],
        "layout": {
            **{k: v for k, v in first.items() if k not in ("xaxis", "yaxis", "annotations")},
            "height": 330 * count,
            "margin": {"l": 8, "r": 12, "t": 22, "b": 8, "pad": 0},
            "annotations": [],
        },
    }
    seen: set[str] = set()
    for at, (name, figure) in enumerate(panels.items()):
        _placed(grid, figure, (name, at, count), seen)
    return grid


def _placed(grid: Figure, figure: Figure, where: tuple[str, int, int], seen: set[str]) -> None:
    """One panel put in its place; a name stands in the legend once."""
    title, at, rows = where
    row, column = divmod(at, COLUMNS)
    number = "" if at == 0 else str(at + 1)
    width, height = (1 - EDGE * (COLUMNS - 1)) / COLUMNS, (1 - 1.2 * EDGE * (rows - 1)) / rows
    left, top = column * (width + EDGE), 1 - row * (height + 1.2 * EDGE)
    frame, layout = figure["layout"], grid["layout"]
    for own, other, low, high in (
        ("x", "y", left, left + width), ("y", "x", top - height, top),
    ):  # fmt: skip
        domain = [round(max(low, 0.0), 6), round(min(high, 1.0), 6)]  # rounding must not leave it
        axis = {**frame[f"{own}axis"], "domain": domain, "anchor": f"{other}{number}"}
        layout[f"{own}axis{number}"] = axis
    name_of = above(f"<b>{plain(title)}</b>", left, xref="paper", xanchor="left", y=top)
    layout["annotations"].append(name_of)
    for drawn in figure["data"]:
        if drawn["mode"] == "text":
            continue
        name = drawn.get("name", "")
        listed = bool(name) and name not in seen and drawn.get("showlegend", True)
        seen.add(name)
        grid["data"].append(
            {**drawn, "xaxis": f"x{number}", "yaxis": f"y{number}", "showlegend": listed,
             "legendgroup": name or drawn.get("legendgroup", "")}
        )  # fmt: skip
