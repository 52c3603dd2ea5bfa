"""The one look of all charts: axes, fonts, hover, colours that follow light and dark.

A figure is plain data, ``{"data": [...], "layout": {...}}`` as plotly.js takes it: checking every
attribute with ``graph_objects`` costs 13 to 16 ms, too much for a slider that is being dragged. The
tests check every figure that way once.

Colours are names of the palette, ``var(--uniform)``; the browser resolves them by the theme in
force, :func:`resolved` does so for a file.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from core.notation import short
from core.table import Array
from figures.palette import PALETTE

Data = dict[str, Any]
Figure = dict[str, Any]
FONT = '"Source Sans", "Source Sans Pro", sans-serif'
_TONE = re.compile(r"var\(--([a-z-]+)(?:, ([0-9.]+))?\)")


def tone(name: str, strength: float = 1.0) -> str:
    """A colour of the palette, as strong as that.

    >>> tone("uniform"), tone("risk", 0.2)
    ('var(--uniform)', 'var(--risk, 0.2)')
    """
    return f"var(--{name})" if strength == 1 else f"var(--{name}, {strength:g})"


def resolved(figure: Any, scheme: int = 0) -> Any:  # noqa: ANN401 - any JSON
    """The figure with colours as they are in a scheme: 0 light, 1 dark."""
    if isinstance(figure, dict):
        return {key: resolved(value, scheme) for key, value in figure.items()}
    if isinstance(figure, list | tuple):
        return [resolved(value, scheme) for value in figure]
    known = _TONE.fullmatch(figure) if isinstance(figure, str) else None
    return figure if known is None else _rgba(known[1], float(known[2] or 1), scheme)


def _rgba(name: str, strength: float, scheme: int) -> str:
    pair = PALETTE[name] if name in PALETTE else PALETTE[name.removesuffix("-text")]
    red, green, blue = (int(pair[scheme][i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength:g})"


def axis(title: str, *, ticks: Sequence[tuple[float, str]] | None = None, **more: object) -> Data:
    """An axis with its title and unit; ``ticks`` are (value, text)."""
    drawn: Data = {"title": {"text": title}, **more}
    if ticks is not None:
        drawn |= {"tickvals": [t for t, _ in ticks], "ticktext": [text for _, text in ticks]}
    return drawn


def log_axis(title: str, low: float, high: float, **more: object) -> Data:
    """A logarithmic axis from ``low`` to ``high`` with ticks at 1, 3, 10."""
    return axis(
        title,
        ticks=[(t, short(t, 6)) for t in log_ticks(low, high)],
        type="log",
        range=[math.log10(low), math.log10(high)],
        **more,
    )


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten and three times those, within the limits; over many decades the powers alone.

    >>> log_ticks(0.05, 10), log_ticks(0.04, 0.3)
    ([0.1, 0.3, 1.0, 3.0, 10.0], [0.05, 0.1, 0.2, 0.3])
    """
    digits = (1,) if high / low > 5000 else (1, 3) if high / low > 15 else (1, 2, 3, 5)
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{digit}e{decade}") for decade in decades for digit in digits]
    return [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]


AXIS: Data = {
    "title": {"standoff": 8, "font": {"color": tone("second"), "size": 12.5}},
    "gridcolor": tone("faint"),
    "linecolor": tone("border"),
    "tickcolor": tone("border"),
    "tickfont": {"color": tone("second")},
    "zeroline": False,
    "automargin": True,
}
TEXT: Data = {"family": FONT, "size": 12.5, "color": tone("ink")}
TEMPLATE: Data = {
    "layout": {
        "xaxis": AXIS,
        "yaxis": AXIS,
        "font": TEXT,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": tone("page"),
            "bordercolor": tone("border"),
            "font": TEXT,
            "align": "left",
            "namelength": 0,
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "bgcolor": "rgba(0,0,0,0)",
            "itemwidth": 30,
        },
        "dragmode": "zoom",
        "modebar": {
            "bgcolor": tone("page", 0.7),
            "color": tone("third"),
            "activecolor": tone("ink"),
        },
        "annotationdefaults": {"showarrow": False, "font": {"size": 12, "color": tone("ink")}},
        "shapedefaults": {"line": {"color": tone("ink"), "width": 1, "dash": "2px,3px"}},
    }
}
"""What all charts have in common; part of every figure, so that a figure stands alone."""


def layout(x: Data, y: Data, *, height: int, revision: str, **more: object) -> Data:
    """The frame of one chart; zoom and hidden traces live as long as ``revision`` is the same."""
    return {
        "template": TEMPLATE,
        "xaxis": x,
        "yaxis": y,
        "height": height,
        "uirevision": revision,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8, "pad": 0},
        **more,
    }


def trace(kind: str, name: str, x: Sequence[Any], y: Sequence[Any]) -> Data:
    """What every trace in the legend has; one that is hidden takes its like along."""
    return {"type": kind, "x": x, "y": y, "name": name, "legendgroup": name}


def beside(name: str, x: Sequence[Any], y: Sequence[Any], **more: object) -> Data:
    """What is drawn beside a trace: neither in the legend nor on hover, and hidden with it."""
    own = {"type": "scatter", "hoverinfo": "skip", "legendgroup": name, "showlegend": False}
    return {**own, "x": x, "y": y, **more}


def named_at(name: str, text: str, x: Sequence[Any], y: float, colour: str) -> Data:
    """Words at the end of a curve, to the left of it or, where they begin with a blank, right."""
    side = "right" if text.startswith(" ") else "left"
    return beside(
        name, x, [y], mode="text", text=[text], textposition=f"middle {side}",
        textfont={"color": tone(colour), "size": 12}, cliponaxis=False,
    )  # fmt: skip


def upright(place: float) -> Data:
    """A dotted line at one place of the horizontal axis."""
    return {"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "paper"}


def above(text: str, x: float, **more: object) -> Data:
    """Words above the chart at one place of the horizontal axis."""
    return {"text": text, "x": x, "y": 1, "yref": "paper", "yanchor": "bottom", **more}


def marked(place: float, text: str) -> Data:
    """A dotted line across the chart, with its words at the upper end."""
    return {"shapes": [upright(place)], "annotations": [above(plain(text), place)]}


def whiskers(low: ArrayLike, middle: ArrayLike, high: ArrayLike, **more: object) -> Data:
    """The range around each value, drawn as a thin line with ends."""
    return {
        "type": "data",
        "symmetric": False,
        "array": numbers(np.subtract(high, middle)),
        "arrayminus": numbers(np.subtract(middle, low)),
        **more,
    }


def dot(x: float, y: float, colour: str) -> Data:
    """A dot on a curve; on a logarithmic axis a place is its logarithm to base ten.

    A note and not a trace: moving it touches nothing else in the chart. (A circle would do, but
    plotly 7.1 draws one of fixed size wrongly on logarithmic axes.)
    """
    return {
        "text": "●",
        "x": round(x, 5),
        "y": round(y, 5),
        "font": {"size": 15, "color": tone(colour)},
    }


def note(text: str) -> Data:
    """Words in the middle of a chart."""
    return {"text": text, "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5,
            "font": {"color": tone("second")}}  # fmt: skip


def plain(text: str) -> str:
    """A name as plotly shows it letter by letter: names come from files and are never markup.

    >>> plain("<b>smoke</b>")
    '&lt;b&gt;smoke&lt;/b&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def numbers(values: ArrayLike) -> list[Any]:
    """Nested lists at five significant digits; what is not finite becomes null, as JSON needs."""
    array = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(array)
    safe = np.where(finite & (array != 0), np.abs(array), 1.0)
    scale = 10.0 ** (4 - np.floor(np.log10(safe)))
    rounded = np.where(finite, np.rint(np.where(finite, array, 0.0) * scale) / scale, math.nan)
    if finite.all():
        return list(rounded.tolist())
    known = rounded.astype(object)
    known[~finite] = None
    return list(known.tolist())


def spread_apart(places: Sequence[float], room: float, low: float, high: float) -> list[float]:
    """The places moved as little as needed so that none is nearer than ``room`` to another.

    >>> spread_apart([1.0, 1.1, 5.0], 1.0, 0.0, 10.0)
    [1.0, 2.0, 5.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    spread = list(places)
    floor = low
    for i in order:
        spread[i] = max(spread[i], floor)
        floor = spread[i] + room
    ceiling = high
    for i in reversed(order):
        spread[i] = min(spread[i], ceiling)
        ceiling = spread[i] - room
    return spread


def shortened(name: str, most: int) -> str:
    """A long name without its middle: its ends tell it from its neighbours.

    >>> shortened("respondent_age_group", 12)
    'respon…group'
    """
    if len(name) <= most:
        return name
    kept = most - 1
    return f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"


Scale = Literal["log", "linear", "share"]
SPAN = 1e4
"""Largest over smallest value that a logarithmic axis shows: what is next to nothing would stretch
it until nothing else can be told apart."""


def value_limits(drawn: Sequence[Array], scale: Scale) -> tuple[float, float] | None:
    """The ends of the vertical axis; none where a logarithmic one has nothing above zero."""
    if scale == "share":
        return (-0.02, 1.02)
    known = np.concatenate([np.ravel(values) for values in drawn])
    known = known[np.isfinite(known) & ((known > 0) | (scale == "linear"))]
    if not known.size:
        return None
    low, high = float(known.min()), float(known.max())
    if scale == "linear":
        air = 0.06 * (high - low) or 0.5
        return low - air, high + air
    low = max(low, high / SPAN)
    air = max((high / low) ** 0.06, 1.1)
    return low / air, high * air
