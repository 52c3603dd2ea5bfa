"""Charts of a dossier as SVG: the plan, the risk curves, the forecast. No script, no style."""

import math
import textwrap
from collections.abc import Callable, Sequence

from core.study.quantities import QUANTITIES
from figures.palette import PALETTE, hue
from release.dossier.markup import Markup, element
from release.published import Document
from release.words import error

WIDTH, HEIGHT = 640, 250
LEFT, RIGHT, TOP, BOTTOM = 46, 20, 14, 34
DOT = 4.0


def colour(name: str) -> str:
    """The palette's colour on paper."""
    return PALETTE[name][0]


def _svg(height: float, label: str, *parts: Markup) -> Markup:
    box = f"0 0 {WIDTH} {height:g}"
    return element("svg", parts, viewBox=box, role="img", aria_label=label, class_="chart")


def _text(x: float, y: float, words: str, **more: str | float | None) -> Markup:
    given = {"fill": colour("second"), "font_size": 12, **more}
    return element("text", words, x=x, y=y, **given)


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str, **more: str | float) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour(stroke), **more)


def plan_chart(plan: Document, method: str) -> Markup:
    """One bar for each measured table, largest budget first."""
    tables = sorted(plan["tables"], key=lambda t: -t["budget_decimal"])
    what = "choices and tables" if any(t["choice"] for t in tables) else "tables"
    most = tables[0]["budget_decimal"]
    wide = WIDTH - LEFT - RIGHT
    step = min(wide / len(tables), 40)
    floor, room = HEIGHT - BOTTOM, HEIGHT - TOP - BOTTOM - 18
    bars = [
        element(
            "rect",
            x=LEFT + i * step,
            y=floor - room * t["budget_decimal"] / most,
            width=max(step - 2, 1),
            height=room * t["budget_decimal"] / most,
            fill=colour(hue(method)),
        )
        for i, t in enumerate(tables)
    ]
    top = f"{plan['unit']} = {error(most)}: {_names(tables[0]['variables'])}"
    return _svg(
        HEIGHT,
        "Budget of each measured table, largest first",
        *bars,
        _line(LEFT, floor, WIDTH - RIGHT, floor, "border"),
        _text(LEFT, TOP + 8, top, fill=colour("ink")),
        _text(LEFT, floor + 18, f"{len(tables)} {what}, largest budget first"),
        _text(LEFT - 6, floor, "0", text_anchor="end"),
        _text(LEFT - 6, floor - room + 10, error(most), text_anchor="end"),
    )


def _names(variables: Sequence[str]) -> str:
    text = ", ".join(variables) or "number of records"
    return text if len(text) <= 60 else text[:57] + "..."


def risk_chart(risk: Document) -> Markup:
    """Members found against false alarms on log scales, with the steward's limits."""
    height, low = 300, 0.001
    floor = height - BOTTOM

    def x(alarm: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT - 90) * math.log(alarm / low) / -math.log(low)

    def y(power: float) -> float:
        return floor - (floor - TOP) * math.log(max(power, low) / low) / -math.log(low)

    ticks = [
        part
        for value in (0.001, 0.01, 0.1, 1.0)
        for part in (
            _line(x(low), y(value), x(1), y(value), "line"),
            _text(x(value), floor + 18, f"{100 * value:g} %", text_anchor="middle"),
            _text(LEFT - 6, y(value) + 4, f"{100 * value:g} %", text_anchor="end"),
        )
    ]
    curves = [_curve(c, i, x, y) for i, c in enumerate(risk["curves"])]
    marks = [
        part
        for row in risk["grid"]
        for part in (
            _line(x(row["alarms"]) - 9, y(row["limit"]), x(row["alarms"]) + 9, y(row["limit"]),
                  "ink", stroke_width=2),
            element("circle", cx=x(row["alarms"]), cy=y(row["found"]), r=DOT,
                    fill=colour("risk")),
        )
    ]  # fmt: skip
    names = _curve_names(risk["curves"], y, x(1) + 8)
    guess = element(
        "path", d=f"M{x(low):.1f} {y(low):.1f}L{x(1):.1f} {y(1):.1f}", fill="none",
        stroke=colour("third"), stroke_dasharray="2 3",
    )  # fmt: skip
    told = "false alarms; upwards: members found; dashes: limits; dotted: guessing"
    axis = _text(x(low), height - 1, told)
    return _svg(height + 4, "Members found at most, against false alarms", *ticks, guess, *curves,
                *marks, *names, axis)  # fmt: skip


def _curve(
    curve: Document, rank: int, x: Callable[[float], float], y: Callable[[float], float]
) -> Markup:
    points = zip(curve["alarms"], curve["powers"], strict=True)
    path = "M" + "L".join(f"{x(a):.1f} {y(p):.1f}" for a, p in points)
    return element(
        "path", d=path, fill="none", stroke=colour("risk" if rank == 0 else "second"),
        stroke_width=2 if rank == 0 else 1.2,
    )  # fmt: skip


LETTERS = 14
"""Letters of a curve's name on one line: more would be cut at the edge of the paper."""


def _curve_names(
    curves: Sequence[Document], y: Callable[[float], float], at: float
) -> list[Markup]:
    """Names at the right, where the curves are furthest apart at 10 % false alarms."""
    names, last = [], 0.0
    for curve in sorted(curves, key=lambda c: -_at(c, 0.1)):
        lines = textwrap.wrap(curve["estimate"], LETTERS)
        place = max(y(_at(curve, 0.1)), last + 13)
        last = place + 13 * (len(lines) - 1)
        tone = "risk-text" if curve is curves[0] else "second"
        names += [
            _text(at, place + 13 * row, line, fill=colour(tone)) for row, line in enumerate(lines)
        ]
    return names


def _at(curve: Document, alarm: float) -> float:
    pairs = zip(curve["alarms"], curve["powers"], strict=True)
    return float(next((p for a, p in pairs if a >= alarm), 1.0))


def noise_chart(noise: Sequence[Document], method: str) -> Markup:
    """One dot for each variable: the noise to expect in its table, in records."""
    values = sorted(row["deviation"] for row in noise)
    most = values[-1] or 1.0
    wide = WIDTH - LEFT - RIGHT
    stacks: dict[int, int] = {}
    dots = []
    columns = int(wide / (2 * DOT + 2))
    tallest = 0
    for value in values:
        column = round(columns * value / (1.05 * most))
        stacks[column] = stacks.get(column, 0) + 1
        tallest = max(tallest, stacks[column])
        dots.append((LEFT + column * wide / columns, stacks[column]))
    floor = TOP + 10 + tallest * (2 * DOT + 2)
    marks = [
        element("circle", cx=x, cy=floor - (2 * DOT + 2) * (n - 0.5), r=DOT,
                fill=colour(hue(method)))
        for x, n in dots
    ]  # fmt: skip
    ticks = [
        _text(LEFT + wide * value / (1.05 * most), floor + 16, f"{value:g}", text_anchor="middle")
        for value in _ticks(1.05 * most)
    ]
    return _svg(
        floor + 40,
        "Noise of each variable's table in records",
        *marks,
        _line(LEFT, floor, WIDTH - RIGHT, floor, "border"),
        *ticks,
        _text(LEFT, floor + 34, "records (standard deviation of a cell); one dot, one variable"),
    )


def _ticks(most: float) -> list[float]:
    step = 10 ** math.floor(math.log10(most))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if most / s <= 6)
    return [round(i * step, 12) for i in range(math.floor(most / step) + 1)]


def band_chart(bands: Document, method: str) -> Markup:
    """Nested 50, 80 and 95 % ranges of each metric of a rehearsal, the median on top."""
    most = max(band["high"] for band in bands.values()) or 1.0
    start, wide, row = 150, WIDTH - 150 - 90, 34

    def x(value: float) -> float:
        return start + wide * value / most

    parts = []
    for i, (name, band) in enumerate(bands.items()):
        y = TOP + i * row
        ranges = (("low", "high"), ("low_80", "high_80"), ("low_50", "high_50"))
        parts += [
            element(
                "rect", x=x(band[a]), y=y, width=max(x(band[b]) - x(band[a]), 1), height=16,
                fill=colour(hue(method)), fill_opacity=opacity,
            )
            for (a, b), opacity in zip(ranges, (0.2, 0.3, 0.5), strict=True)
        ]  # fmt: skip
        parts += [
            _line(x(band["median"]), y, x(band["median"]), y + 16, "ink", stroke_width=2),
            _text(start - 10, y + 13, QUANTITIES[name].short, text_anchor="end"),
            _text(x(band["high"]) + 8, y + 13, error(band["median"]), fill=colour("ink")),
        ]
    floor = TOP + len(bands) * row
    return _svg(
        floor + 24,
        "Errors to expect on the stand-in",
        *parts,
        _line(start, floor - 8, start + wide, floor - 8, "border"),
        _text(start, floor + 8, "0", text_anchor="middle"),
        _text(start + wide, floor + 8, error(most), text_anchor="middle"),
    )
