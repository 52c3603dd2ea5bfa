"""More pictures of Undirected: projection, λ, EM steps, mobility, time."""

import numpy as np

from core.undirected.estimators import ESTIMATORS
from core.undirected.study import Found, kept_at
from figures.undirected import (
    DASHED,
    LOOKS,
    SHORT,
    likelihood_figure,
    penalty_figure,
    records_figure,
    steps_figure,
    theory,
)
from pages.ui.kit import words
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import table_view
from pages.ui.undirected import numbers
from pages.ui.undirected import words as say
from pages.ui.undirected.numbers import Asked, command
from pages.ui.undirected.tasks import EM_STEPS
from pages.ui.undirected.views import KL_FORMULA, SOURCE, Page, band, curves_view, study

PUBLISHED = {"naive": "1×", "cgm": "4× to 8×", "dp-sgd": "27× to 40×"}
"""Times of the paper's own implementation, relative to naive: chain and random graph."""


def projection(asked: Asked, _: float) -> Page:
    """The naive estimator with and without projection against N: Fig. 1b."""
    sizes, epsilon = asked.sizes, asked.setting.epsilon
    measured = {n: both for (e, n), both in dict(asked.store.projected).items() if e == epsilon}
    lines, curves = [], {}
    for projected, name, look in (
        (True, "projected", ("uniform", "solid")),
        (False, "as they are", ("truth", DASHED)),
    ):
        points = {float(n): measured[n][projected].divergence for n in sizes if n in measured}
        curve = curves[projected] = numbers.collected(name, points)
        lines.append(band(curve, curve.at(asked.setting.records), look))
    both = [n for n in curves[True].across if n in curves[False].middle]
    ratios = {int(n): curves[False].middle[n] / curves[True].middle[n] for n in both}
    what = study(
        asked,
        "projection",
        "What projecting each noisy table is worth",
        f"KL of naive maximum likelihood, tables projected on the simplex or used as they are, "
        f"ε = {epsilon:g}, λ = {asked.setting.share:g} b/N",
        "KL of the naive estimator with and without projection against records.",
        formula="μ̃_C = argmin over the simplex of |μ − y_C / N|². " + KL_FORMULA,
        source=f"{SOURCE}, section 3.1 and Fig. 1b; Duchi et al. 2008; "
        "core.undirected.views.projected",
        command_line=command(asked, [epsilon], sizes),
    )
    figure = records_figure(sizes, lines, records=asked.setting.records, revision="projection")
    view = curves_view("projection", what, figure, "records", lines)
    return Page(say.projection(ratios, epsilon), [view], ("projection",))


def penalty(asked: Asked, _: float) -> Page:
    """KL against λ, from noisy and exact tables: Fig. 1c; and after each EM step."""
    measured = {s: both for (s, p), both in dict(asked.store.penalties).items() if p == asked.place}
    noisy, exact = (
        numbers.collected(f"{kind} tables", {s: both[kind] for s, both in measured.items()})
        for kind in ("noisy", "exact")
    )
    used = numbers.strength(asked.truth, asked.setting)
    steps = dict(asked.store.steps)
    walks = [
        numbers.collected(
            f"from {start}",
            {float(k): v for (z, k, p), v in steps.items() if (z, p) == (zero, asked.place)},
        )
        for zero, start in ((False, "naive"), (True, "zero"))
    ]
    finding = say.penalty(noisy, exact, used, asked.setting.share)
    finding += say.stopping(walks[0], asked.setting.steps)
    views = [_penalties(asked, noisy, exact, used), _em(asked, walks)]
    return Page(finding, views, ("penalty steps",))


def _penalties(
    asked: Asked, noisy: numbers.QuantileCurve, exact: numbers.QuantileCurve, used: float
) -> View:
    span = (min(1e-5, used), max(0.1, used))
    lines = [
        band(noisy, noisy.at(used), LOOKS["naive"]),
        band(exact, exact.at(used), LOOKS["non-private"]),
    ]
    what = study(
        asked,
        "penalty",
        "How much the penalty decides",
        f"KL of maximum likelihood against λ, ε = {asked.setting.epsilon:g}, "
        f"{asked.setting.records:,} records",
        "KL against the penalty λ with noisy and with exact tables.",
        formula="maximise θ·y/N − A(θ) − λ|θ|², b = |C|/ε the noise of a cell.",
        source=f"{SOURCE}, Fig. 1c; core.undirected.views.penalised",
        command_line=command(asked, [asked.setting.epsilon], [asked.setting.records]),
    )
    return curves_view("penalty", what, penalty_figure(span, lines, used), "lambda", lines)


def _em(asked: Asked, walks: list[numbers.QuantileCurve]) -> View:
    looks = (LOOKS["cgm"], ("data-dependent", DASHED))
    used = min(asked.setting.steps, EM_STEPS)
    lines = []
    for curve, look in zip(walks, looks, strict=True):
        at_mark = curve.bands[:, curve.across.index(used)] if used in curve.across else None
        lines.append(band(curve, at_mark, look))
    what = study(
        asked,
        "em",
        "When to stop EM",
        "KL of the collective model after each EM step, started from the naive solution or from "
        "θ = 0",
        "KL after each EM step.",
        formula="E-step: minimise A(θ + g) − g·y/N over |g| ≤ 1/b; M-step: θ ← θ + g. The limit is "
        "the L1 projection of y on the marginal polytope, which fits the noise.",
        source=f"{SOURCE}, Algorithm 2, with the E-step solved by its dual; "
        "core.markov.collective.em_steps",
        command_line=command(asked, [asked.setting.epsilon], [asked.setting.records]),
    )
    return curves_view("steps", what, steps_figure(EM_STEPS, lines, used), "steps", lines)


def mobility(asked: Asked, epsilon: float) -> Page:
    """Holdout log-likelihood of generated people against ε: Fig. 3b."""
    town, holdouts = asked.town, dict(asked.store.holdouts)
    curves: dict[str, numbers.QuantileCurve] = {
        name: numbers.collected(
            name,
            {e: h.log_likelihood for (t, n, e), h in holdouts.items() if (t, n) == (town, name)},
        )
        for name in ("naive", "cgm", "non-private")
        if name in asked.estimators
    }
    quantiles = {n: at for n, c in curves.items() if (at := c.at(epsilon, log=False)) is not None}
    naive, clever = (curves[n].middle if n in curves else {} for n in ("naive", "cgm"))
    both = [e for e in naive if e in clever]
    ahead = (sum(clever[e] > naive[e] for e in both), len(both))
    budgets = (*numbers.BUDGETS, epsilon)
    what = study(
        asked,
        "mobility",
        "How well unseen people are predicted",
        f"mean log-likelihood of a segment of {town.slots} slots from people held out, against ε; "
        f"{town.people:,} generated people, {town.places} places",
        f"Holdout log-likelihood against ε for {', '.join(SHORT[n] for n in curves)}.",
        formula="Σ_segments (θ·n(x) − A(θ)) / segments, over the 25 % of people held out.",
        generator=f"people {town.people}, places {town.places}, slots {town.slots}, segments "
        f"{town.segments}, stay {town.stay:g}, leave {town.leave:g}, arrive {town.arrive:g}, "
        f"unevenness {town.unevenness:g}, presence {town.presence:g}, seed {asked.setting.seed}",
        privacy="A person counts one in each of two tables, each move with weight 1/K, so the "
        "tables change by at most 2 when a person is added or removed, by 4 when one is replaced.",
        source=f"{SOURCE}, section 4.2 and Fig. 3b, on wifi records that are not public; "
        "core.undirected.mobility.holdout",
    )
    lines = [band(c, quantiles.get(n)) for n, c in curves.items()]
    figure = likelihood_figure(sorted(budgets), lines, epsilon)
    view = curves_view("mobility", what, figure, "epsilon", lines)
    return Page(say.mobility(quantiles, epsilon, town.people, ahead), [view], ("mobility",))


def times(asked: Asked, epsilon: float) -> Page:
    """Seconds of each estimator in units of the naive one."""
    outcomes, sizes = dict(asked.store.curves), asked.sizes
    records = min(sizes, key=lambda n: abs(np.log(n / asked.setting.records)))
    budget = numbers.around(epsilon)[0]
    curves = {n: numbers.slower(outcomes, n, epsilon) for n in asked.estimators}
    ratios = {n: c.middle[records] for n, c in curves.items() if records in c.middle}
    base = outcomes.get(("naive", budget, records))
    what = study(
        asked,
        "time",
        "How long each estimator takes",
        f"seconds as a multiple of naive maximum likelihood's, against records, {asked.title}",
        "Time of each estimator relative to naive against records.",
        formula="processor seconds for all replicates / those of naive on the same populations, "
        "one run on this machine; CGM includes its naive start, DP-SGD neither its grid search nor "
        "its accountant.",
        source=f"{SOURCE}, section 4.1; core.undirected.study.measure",
        command_line=command(asked, [budget], sizes),
    )
    lines = [band(c) for n, c in curves.items() if n != "naive"]
    lines.append(theory("naive", sizes, np.ones(len(sizes))))
    title = "time relative to naive (log scale)"
    figure = records_figure(sizes, lines, title, records=None, revision="time")
    finding = say.times(ratios, records, None if base is None else base.seconds)
    chart = curves_view("time", what, figure, "records", lines)
    return Page(finding, [chart, _seconds(asked, outcomes, budget, records)], ("time seconds",))


def _seconds(asked: Asked, outcomes: Found, budget: float, records: int) -> View:
    rows = []
    base = outcomes.get(("naive", budget, records))
    for name in asked.estimators:
        one = outcomes.get((name, kept_at(name, budget), records))
        taken = f"{words.error(one.seconds)} s" if one else "not yet"
        ratio = f"{words.error(one.seconds / base.seconds)}×" if one and base else "–"
        own = [SHORT[name], ESTIMATORS[name].guarantee.text]
        rows.append([*own, taken, ratio, PUBLISHED.get(name, "–")])
    what = study(
        asked,
        "seconds",
        f"With {records:,} records",
        f"all {asked.setting.populations * asked.setting.repeats} replicates at ε = {budget:g}",
        "Seconds of each estimator.",
        source=f"{SOURCE}, section 4.1 for the last column",
    )
    head = ["estimator", "promise", "time", "over naive", "paper"]
    return table_view("seconds", what, dict(zip(head, zip(*rows, strict=True), strict=True)))
