"""Undirected's pictures: curves of each estimator, and truth against estimate, cell by cell."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.study.quantities import error
from core.table import Array
from figures.bands import Axes, Band, band_figure
from figures.template import Data, Figure, above, layout, numbers, plain, tone

DIVERGENCE = "KL from the truth, nats (log scale)"
DASHED, DOTTED = "6px,4px", "2px,3px"
LOOKS = {
    "naive": ("uniform", "solid"),
    "cgm": ("data-dependent", "solid"),
    "gaussian": ("uniform", DASHED),
    "dp-sgd": ("truth", DASHED),
    "non-private": ("truth", "solid"),
    "random": ("truth", DOTTED),
    "loopy": ("truth", "solid"),
}
"""Hue and dash of each estimator: orange naive, blue collective, ink for what is neither."""

SHORT = {
    "naive": "naive",
    "cgm": "CGM",
    "gaussian": "one Gaussian",
    "dp-sgd": "DP-SGD",
    "non-private": "non-private",
    "random": "random",
    "loopy": "loopy BP, no noise",
}
"""Estimators by the names that fit beside a curve."""

MEASURED = Axes(
    "records N (log scale)",
    DIVERGENCE,
    symbol="N",
    height=300,
    spread="replicates",
    points=True,
    ranges=True,
    place_format=",.6~r",
    value_format=".3~r",
)
"""What all of them have in common."""


def estimator_band(
    name: str,
    places: Sequence[float],
    quantiles: Array,
    at_mark: Array | None = None,
    look: tuple[str, str] | None = None,
) -> Band:
    """One curve where it was measured; ``at_mark`` are the seven quantiles at the marked place."""
    hue, dash = look or LOOKS[name]
    across = np.array(places, dtype=np.float64)
    return Band(SHORT.get(name, name), quantiles, at_mark, colour=hue, dash=dash, places=across)


def theory(name: str, places: ArrayLike, values: ArrayLike) -> Band:
    """A dotted line that nobody measured."""
    row = np.asarray(values, dtype=np.float64)
    where = np.asarray(places, dtype=np.float64)
    return Band(name, np.tile(row, (7, 1)), colour="third", dash=DOTTED, places=where, theory=True)


def records_figure(
    sizes: Sequence[int],
    bands: Sequence[Band],
    title: str = DIVERGENCE,
    *,
    records: int | None,
    revision: str,
    empty: str = MEASURED.empty,
) -> Figure:
    """A quantity against the number of records, the number on show marked."""
    mark = None if records is None else float(records)
    axes = replace(MEASURED, y=title, mark=mark, empty=empty)
    return band_figure(np.array(sizes, dtype=np.float64), bands, axes, revision=revision)


def penalty_figure(span: tuple[float, float], bands: Sequence[Band], used: float) -> Figure:
    """KL against λ, the λ in use marked."""
    axes = replace(MEASURED, x="penalty λ (log scale)", mark=used, symbol="λ", place_format=".2~r")
    return band_figure(np.array(span), bands, axes, revision="penalty")


def steps_figure(most: int, bands: Sequence[Band], used: int) -> Figure:
    """KL after each EM step, the number of steps in use marked."""
    axes = replace(MEASURED, x="EM steps", mark=float(used), symbol="steps", across="linear")
    return band_figure(np.array([0.0, float(most)]), bands, axes, revision="steps")


def likelihood_figure(budgets: Sequence[float], bands: Sequence[Band], epsilon: float) -> Figure:
    """Log-likelihood of people held out against ε, the ε on show marked."""
    axes = replace(
        MEASURED,
        x="total budget ε (log scale)",
        y="log-likelihood of a segment, nats",
        mark=epsilon,
        symbol="ε",
        scale="linear",
        value_format=".2f",
    )
    return band_figure(np.array(budgets), bands, axes, revision="likelihood")


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
