"""Risk's pictures: every claim about a release, accusations, nodes and edges with the risk."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.membership.curves import Curve
from core.membership.outcomes import SMOOTHED, AttackResult
from core.study.quantities import share
from core.table import Array
from figures.bars import Bars, Dots, bar_figure, dot_figure
from figures.template import Data, Figure, axis, layout, plain, shortened, tone, trace
from figures.tradeoff import MeasuredPoints, Scale, Style, Tradeoff, tradeoff_figure

SIDE = 10
"""Accusations in one row of the picture."""

LONGEST = 22
"""Letters of a node's name beside its bar; names often begin alike, so the middle goes."""

LOOKS: dict[str, tuple[str, Data]] = {
    "right by guessing": ("●", {"symbol": "circle", "color": tone("second")}),
    "more, at most, because of this release": ("◆", {"symbol": "diamond", "color": tone("risk")}),
    "still wrong": ("○", {"symbol": "circle-open", "color": tone("second")}),
}
"""Kind of accusation -> its sign in words and its mark: shapes differ, not colours alone."""


def counted_accusations(guessed: float, right: float) -> tuple[int, int, int]:
    """Of a hundred: right by guessing, more at most because of the release, wrong.

    What is right at most is rounded up: a picture must not promise less than the guarantee.

    >>> counted_accusations(0.01, 0.0231)
    (1, 2, 97)
    """
    first = round(100 * guessed)
    all_right = max(first, min(100, math.ceil(100 * right - 1e-6)))
    return first, all_right - first, 100 - all_right


def accusation_figure(guessed: float, right: float) -> Figure:
    """A hundred accusations as marks, those that are right first."""
    first, more, _ = counted_accusations(guessed, right)
    limits = (0, first, first + more, 100)
    return {
        "data": [
            _marks(kind, range(limits[i], limits[i + 1])) for i, kind in enumerate(LOOKS)
        ],
        "layout": layout(
            axis("each mark is one of 100 accusations", range=[-0.6, SIDE - 0.4], **_bare()),
            axis("", range=[SIDE - 0.4, -0.6], scaleanchor="x", constrain="domain", **_bare()),
            height=290,
            revision="accusations",
            showlegend=False,
            dragmode=False,
        ),
    }  # fmt: skip


def _bare() -> Data:
    return {"showticklabels": False, "showgrid": False, "fixedrange": True, "ticks": ""}


def _marks(kind: str, places: Sequence[int]) -> Data:
    look = LOOKS[kind][1]
    return {
        **trace("scatter", kind, [p % SIDE for p in places], [p // SIDE for p in places]),
        "mode": "markers",
        "showlegend": False,
        "marker": {**look, "size": 16, "line": {"width": 1.6, "color": look["color"]}},
        "hovertemplate": f"<b>{kind}</b>: {len(places)} of 100<extra></extra>",
    }


def carrier_figure(
    names: Sequence[str], shares: Sequence[float], counts: Sequence[int], *, rest: bool
) -> Figure:
    """How much of the complexity each node has; with ``rest`` the last bar is all others."""
    percent = 100 * np.asarray(shares, dtype=np.float64)
    figure = bar_figure(
        names, [Bars("share", percent, "risk")], "share of the complexity C (%)", revision="nodes"
    )
    (every,) = figure["data"]
    every |= {
        "customdata": [f"{count:,}" for count in counts],
        "text": [f"{_percent(v)}  {count:,}" for v, count in zip(percent, counts, strict=True)],
    }
    own = len(names) - rest
    figure["data"] = [
        _bars(every, slice(0, own), tone("risk", 0.85)),
        *([_bars(every, slice(own, None), tone("border"))] if rest else []),
    ]
    figure["layout"] |= {"barmode": "overlay", "showlegend": False}
    figure["layout"]["yaxis"] |= {
        "tickvals": every["y"],
        "ticktext": [plain(shortened(name, LONGEST)) for name in names],
    }
    figure["layout"]["xaxis"]["range"] = [0, float(f"{1.25 * percent.max():.4g}")]
    return figure


def _bars(every: Data, part: slice, colour: str) -> Data:
    return {
        **every,
        **{key: every[key][part] for key in ("x", "y", "text", "customdata")},
        "marker": {"color": colour},
        "showlegend": False,
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "<b>%{y}</b>: %{x:.3~g} % of the complexity, %{customdata} free "
        "parameters<extra></extra>",
    }


def _percent(value: float) -> str:
    return f"{value:.{1 if value < 20 else 0}f} %"


LEAST_FIT = 0.1
"""Nats; a logarithmic axis has no place for an edge that loses nothing."""


def edge_figure(edges: Sequence[str], loses: Array, saves: Array) -> Figure:
    """What each edge saves against the fit it loses; above the line chance alone explains it."""
    lost = np.maximum(loses, LEAST_FIT)
    chance = loses <= saves
    groups = (
        ("fits better than chance would", ~chance, "equipoise"),
        ("fits no better than chance would", chance, "risk"),
    )
    named = np.array(edges)
    sets = [Dots(name, lost[w], saves[w], hue, list(named[w])) for name, w, hue in groups]
    titles = (f"fit lost (nats, {LEAST_FIT:g} or more)", "parameters saved")
    return dot_figure(sets, titles, revision="edges", height=300)


ALARMS = np.concatenate([np.geomspace(0.001, 0.1, 41), np.linspace(0.11, 0.999, 60)])
"""False-alarm rates at which curves are drawn."""

CLAIMS = {
    "pure_epsilon": "guarantee, ε alone",
    "composed": "guarantee, composed",
    "gaussian": "guarantee, appendix H",
    "noisy": "heuristic, this noise",
    "published": "asymptotic, published bound",
    "reference": "asymptotic, limited reference",
    "leverage": "heuristic, rare records",
}
"""What stands at the end of a curve: the kind of claim, then which."""

CLAIM_HUES = {"release": "risk", "exact": "second"}
"""Hue says what is published; the style of a line says how sure the claim is."""

STYLES: dict[str, Style] = {"asymptotic": "asymptotic", "heuristic": "heuristic"}

Drawn = tuple[Curve, Array]
"""A claim, and the members found at ``ALARMS``."""


def drawn_curves(curves: Sequence[Curve], known: Mapping[str, Array] | None = None) -> list[Drawn]:
    """The claims on show with their powers; ``known`` ones, by key, are not computed again."""
    powers = {} if known is None else known
    return [
        (c, powers[c.key] if c.key in powers else c.powers(ALARMS))
        for c in curves
        if c.key != "reference"
    ]


def exposure_figure(
    drawn: Sequence[Drawn],
    runs: Sequence[AttackResult] = (),
    *,
    scale: Scale,
    mark: tuple[float, float] | None = None,
) -> Figure:
    """Members found against false alarms, with the attacks that were run."""
    return tradeoff_figure(
        ALARMS,
        [*(_curve(*pair) for pair in drawn), Tradeoff("guessing", "guessing", ALARMS)],
        scale=scale,
        mark=mark,
        revision="tradeoff",
        measured=[measured(ran) for ran in runs],
        height=430,
        leaders=True,
    )


def _curve(curve: Curve, powers: Array) -> Tradeoff:
    name = CLAIMS[curve.key]
    style = STYLES.get(curve.claim, "guarantee" if curve.key == "composed" else "loose")
    label = f"{name} {share(float(powers[0]))}"
    return Tradeoff(name, style, powers, CLAIM_HUES[curve.about], label)


def measured(ran: AttackResult) -> MeasuredPoints:
    """What an attack found, under the name of what it attacked."""
    attack = ran.attack
    exact = "smoothed tables" if attack.release == SMOOTHED else "exact tables"
    name = f"measured, {'this release' if attack.private else exact}"
    points = [[a, p.mean, p.low, p.high] for a, p in zip(attack.alphas, ran.powers, strict=True)]
    hue = CLAIM_HUES["release" if attack.private else "exact"]
    return MeasuredPoints(name, np.array(points), hue, f"{name} {share(ran.powers[0].mean)}")
