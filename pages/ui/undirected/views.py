"""The pictures of Undirected: KL, marginals, slopes; each with its finding."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.table import Array
from core.undirected.estimators import ESTIMATORS, RANDOM_PENALTY
from core.undirected.sample import noise_scale
from core.undirected.study import TUNING
from core.undirected.views import slopes, true_marginals
from figures.band_table import band_table
from figures.bands import Band
from figures.template import Figure
from figures.template import numbers as plain_numbers
from figures.undirected import SHORT, Panel, estimator_band, panels_figure, records_figure, theory
from pages.ui.kit import compute, words
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view, table_view
from pages.ui.kit.words import Runs
from pages.ui.undirected import numbers
from pages.ui.undirected import words as say
from pages.ui.undirected.numbers import Asked, command

SHOWN = 700
"""Most cells of a scatter plot."""

KL_FORMULA = "KL = Σ_x p(x) log(p(x) / q(x)), exact on the junction tree; 0 is perfect."
SOURCE = "Bernstein, McKenna, Sun, Sheldon, Hay, Miklau 2017"


@dataclass(frozen=True)
class Page:
    """A finding with its pictures, and the rows they stand in where there is room."""

    finding: Runs
    views: list[View]
    areas: tuple[str, ...]


def study(
    asked: Asked, file: str, title: str, subtitle: str, alt: str, caption: str = "", **more: str
) -> Words:
    """Texts of one picture; ``more`` are details beside those that all share."""
    s = asked.setting
    return Words(
        title=title,
        subtitle=subtitle,
        caption=caption,
        alt=alt,
        details={
            **{heading.capitalize().replace("_", " "): text for heading, text in more.items()},
            "Bands": f"Line: median over {s.populations} populations x {s.repeats} noise draws; "
            "bands: 50, 80 and 95 % of them.",
            "Study only": "Compared with a truth that a publisher does not have.",
        },
        file=f"equipoise-study-{file}.csv",
    )


def band(
    curve: numbers.QuantileCurve, at_mark: Array | None = None, look: tuple[str, str] | None = None
) -> Band:
    """One curve; ``at_mark`` are the seven quantiles at the marked place."""
    return estimator_band(curve.name, curve.across, curve.bands, at_mark, look)


def curves_view(name: str, texts: Words, figure: Figure, across: str, bands: list[Band]) -> View:
    """A chart with its table; ``across`` heads the column of places."""
    return figure_view(name, texts, {"curves": figure}, band_table("curve", across, bands))


def learning(asked: Asked, epsilon: float) -> Page:
    """KL against N at the ε on show and at another: Fig. 2."""
    outcomes, records = dict(asked.store.curves), asked.setting.records
    curves = {n: numbers.learning_curve(outcomes, n, epsilon) for n in asked.estimators}
    known = [c.across for c in curves.values() if c.across]
    shown = int(min(max(records, known[0][0]), known[0][-1])) if known else records
    quantiles = {n: at for n, c in curves.items() if (at := c.at(shown)) is not None}
    finding = say.learning(quantiles, epsilon, shown, numbers.tally(outcomes))
    charts = [_learning_chart(asked, e, i) for i, e in enumerate((epsilon, asked.other))]
    views = [*charts, _relative(asked, curves, epsilon)]
    return Page(finding, views, ("first second", "relative relative"))


def _learning_chart(asked: Asked, epsilon: float, place: int) -> View:
    outcomes, sizes, budgets = dict(asked.store.curves), asked.sizes, numbers.around(epsilon)
    lines, spoken, read = [], [], False
    for name in asked.estimators:
        curve = numbers.learning_curve(outcomes, name, epsilon)
        quantiles = curve.at(asked.setting.records)
        lines.append(band(curve, quantiles))
        read = read or not curve.measured
        if quantiles is not None:
            spoken.append(f"{SHORT[name]} {words.error(float(quantiles[3]))}")
    between = " and ".join(f"{budget:g}" for budget in budgets)
    what = study(
        asked,
        f"learning-{place + 1}",
        f"How far the model is from the truth at ε = {epsilon:g}",
        f"KL divergence against the number of records, {asked.title}",
        f"KL against records at ε = {epsilon:g}. At {asked.setting.records:,} records: "
        f"{', '.join(spoken) or 'nothing yet'}.",
        caption=f"Read between the budgets {between}, straight on log scales." if read else "",
        formula=KL_FORMULA,
        what_changes="p(x) ∝ exp(Σ_C θ_C(x_C)): tables are not normalised one by one as in a "
        "Bayesian network. One normaliser A(θ) ties all of them together, so noisy tables that "
        "contradict each other have to be fitted jointly, and every step costs inference.",
        estimators="naive: noisy tables on their simplices, then maximum likelihood with λ|θ|². "
        "CGM: EM with the true tables hidden, started there. one Gaussian: as naive with Gaussian "
        "noise. DP-SGD: on the records. The last two promise (ε, δ) with δ = 1/N, which is weaker. "
        f"random: random tables, then maximum likelihood with λ = {RANDOM_PENALTY:g}.",
        tuning=TUNING,
        source=f"{SOURCE}, section 4.1 and Fig. 2; core.undirected.study.curve_steps",
        command_line=command(asked, budgets, sizes),
    )
    figure = records_figure(sizes, lines, records=asked.setting.records, revision=f"{place}")
    return curves_view(("first", "second")[place], what, figure, "records", lines)


def _relative(asked: Asked, curves: dict[str, numbers.QuantileCurve], epsilon: float) -> View:
    base = curves["naive"].middle if "naive" in curves else {}
    rows = []
    for name, curve in curves.items():
        own = curve.middle
        cells = [f"{own[n] / base[n]:.2f}×" if n in base and n in own else "–" for n in asked.sizes]
        rows.append([SHORT[name], ESTIMATORS[name].guarantee.text, *cells])
    what = study(
        asked,
        "relative",
        "What each estimator buys",
        f"Median KL as a multiple of naive's at ε = {epsilon:g}; below 1× is nearer to the truth",
        "KL of each estimator relative to the naive one for each number of records.",
        formula="median KL of the estimator / median KL of naive, on the same populations and, for "
        "CGM, the same noise.",
        source=f"{SOURCE}, section 4.1",
    )
    head = ["estimator", "promise", *(f"N = {n:,}" for n in asked.sizes)]
    return table_view("relative", what, dict(zip(head, zip(*rows, strict=True), strict=True)))


def marginal(asked: Asked, _: float) -> Page:
    """Edge marginals of one release against the truth: Fig. 3a."""
    place = asked.place
    truth = exact_marginals(asked)
    names = asked.pictured
    learned = {n: values for n in names
               if (values := asked.store.marginals.get((n, place))) is not None}  # fmt: skip
    errors = {n: float(np.abs(values - truth).mean()) for n, values in learned.items()}
    shown = np.unique(np.linspace(0, truth.size - 1, min(SHOWN, truth.size)).astype(int))
    panels = [
        Panel(n, learned[n][shown] if n in learned else np.empty(0), errors.get(n, 0.0))
        for n in names
    ]
    cells = asked.truth.field.size
    what = study(
        asked,
        "marginals",
        "Learned against true probabilities",
        f"cells of the tables of {asked.title}, and how far off they are on average; on the dotted "
        "line both are equal",
        f"true against learned probability of {len(shown)} cells.",
        caption=f"{len(shown)} of {cells:,} cells, evenly chosen; the averages are over all."
        if len(shown) < cells
        else "",
        formula="mean over cells of |μ̂_C(i) − μ_C(i)|, μ̂ the marginals of the learned model.",
        loopy_belief_propagation="the same cells of the true model itself, by messages that run "
        "around cycles (damping 0.5, 100 rounds): its error is no noise, and no data removes it.",
        tuning=TUNING,
        source=f"{SOURCE}, Fig. 3a; core.undirected.views.learned_marginals",
        command_line=command(asked, place[:1], place[1:]),
    )
    labels = [cell_name(asked, int(cell)) for cell in shown]
    table: dict[str, Sequence[object]] = {"cell": labels, "truth": plain_numbers(truth[shown])}
    table |= {p.name: plain_numbers(p.learned) for p in panels if len(p.learned)}
    variants = {"side by side": panels_figure(labels, truth[shown], panels)}
    if len(panels) > 1:
        variants |= {p.name: panels_figure(labels, truth[shown], [p]) for p in panels}
    view = figure_view("marginals", what, variants, table)
    return Page(say.marginal(errors, *place), [view], ("marginals",))


def exact_marginals(asked: Asked) -> Array:
    """Marginals of the true model."""
    key = ("undirected marginals", asked.truth)
    return compute.remembered(key, lambda: true_marginals(asked.truth))


def cell_name(asked: Asked, cell: int) -> str:
    """A cell by its variables and states."""
    field = asked.truth.field
    table = int(field.owner[cell])
    codes = np.unravel_index(cell - field.slices[table].start, field.shapes[table])
    held = [field.variables[v] for v in field.tables[table]]
    return ", ".join(f"{v.name}={v.states[k]}" for v, k in zip(held, codes, strict=True))


def falling(asked: Asked, epsilon: float) -> Page:
    """Mean squared error of marginals against N, with the two slopes: Fig. 1a."""
    sizes, truth = asked.sizes, exact_marginals(asked)
    spread = float(np.mean(truth * (1 - truth)))
    noise = 2 * noise_scale(asked.truth, replace(asked.setting, epsilon=epsilon)) ** 2
    squares = {
        n: s for (e, n), s in dict(asked.store.squares).items() if e == epsilon and n in sizes
    }
    lines = []
    for key in ("noisy", "naive", "cgm"):
        name, look = ("noisy tables", ("truth", "solid")) if key == "noisy" else (key, None)
        curve = numbers.collected(name, {float(n): s.each[key] for n, s in squares.items()})
        lines.append(band(curve, curve.at(asked.setting.records), look))
    across = np.array(sizes, dtype=float)
    lines += [
        theory("sampling, 1/N", across, spread / across),
        theory("privacy, 1/N²", across, noise / across**2),
    ]
    measured = {n: float(np.mean(s.noisy)) for n, s in squares.items()}
    ratios = [float(np.mean(s.noisy)) / s.predicted for s in squares.values()]
    what = study(
        asked,
        "slopes",
        "How fast the error of probabilities falls",
        f"mean squared error of a cell against the number of records, ε = {epsilon:g}, "
        f"{asked.title}",
        f"Mean squared error against records; privacy noise dominates up to {noise / spread:,.0f}.",
        formula="MSE = μ(1 − μ)/N + 2|C|²/(N²ε²), cell by cell, then the mean; |C| tables.",
        source=f"{SOURCE}, Proposition 4 and Fig. 1a; core.undirected.views.mean_squares",
        command_line=command(asked, [epsilon], sizes),
    )
    figure = records_figure(
        sizes, lines, "mean squared error (log scale)", records=asked.setting.records,
        revision="slopes", empty="measured when the slider rests",
    )  # fmt: skip
    view = curves_view("slopes", what, figure, "records", lines)
    finding = say.falling(measured, slopes(measured), noise / spread, ratios)
    return Page(finding, [view], ("slopes",))
