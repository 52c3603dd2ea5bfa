"""Utility in plain words: how wrong, what ε buys, what a question's answers look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.methods.registry import METHODS as REGISTRY
from core.options import PLAIN
from core.study.answered import Answered, Explained
from core.study.bands import MEDIAN
from core.study.error_curves import ErrorCurve
from core.study.experiments import Match
from core.study.solve import Solution
from pages.ui import palette, words
from pages.ui.utility_numbers import GRID
from pages.ui.words import Runs


@dataclass(frozen=True)
class Metric:
    """How one metric is shown; ``needs_answers`` when it asks the model questions."""

    name: str
    kind: Literal["error", "share"]
    title: str
    subtitle: str
    formula: str
    column: str
    needs_answers: bool = True


METRICS = (
    Metric(
        "l1_row",
        "error",
        "How wrong the parameters are",
        "Mean L1 distance of a published row of probabilities; 0 is exact, 2 the most",
        "mean over rows seen in the data of Σ_x |P(x | row) − P̃(x | row)|",
        "parameters",
        needs_answers=False,
    ),
    Metric(
        "marginal_l1",
        "error",
        "How wrong single variables are",
        "Mean L1 distance of P(variable) over all variables",
        "mean over variables X of Σ_x |P(x) − P̃(x)|",
        "marginals",
    ),
    Metric(
        "query_l1",
        "error",
        "How wrong answers to questions are",
        "Mean L1 distance over 20 fixed questions: one to three targets, half with evidence",
        "mean over questions of Σ |P(targets | evidence) − P̃(targets | evidence)|",
        "questions",
    ),
    Metric(
        "map_accuracy",
        "share",
        "How often the best explanation is right",
        "Share of 20 most probable explanations equal to those of the exact model",
        "mean over 20 sets of evidence of [argmax P̃ = argmax P], all variables at once",
        "explanations",
    ),
)


def pure(method: str) -> bool:
    """Whether the guarantee is ε alone."""
    return REGISTRY[method].guarantee.pure


def notice(methods: Sequence[str]) -> str:
    """A warning that guarantees of two kinds stand in one chart, or nothing."""
    other = [m for m in methods if not pure(m)]
    if not other:
        return ""
    kinds = "; ".join(
        f"{m} is {REGISTRY[m].guarantee.text} with δ = {PLAIN.delta:g}" for m in other
    )
    return (
        f"Not the same promise: {kinds}. The others are pure ε, which is stronger. Compare them "
        "at one ε only with that in mind."
    )


def finding(
    curves: Mapping[str, ErrorCurve],
    epsilon: float,
    found: Mapping[tuple[str, str], Match],
    metric: str,
) -> Runs:
    """Error of an answer with each method, and the ε that does the same."""
    now = {m: at for m, c in curves.items() if (at := c.at(epsilon)) is not None}
    if not now:
        return [("Measuring: how wrong will parameters and answers be, at which ε?", "")]
    ranked = sorted(now, key=lambda m: float(now[m][MEDIAN]))
    best, others = ranked[0], ranked[1:]
    what = "a published row" if metric == "l1_row" else "the answer to a question"
    runs: Runs = [
        ("At ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (f" {what} is off by ", ""),
        (words.error(float(now[best][MEDIAN])), palette.hue(best)),
        (f" in total with {best}", ""),
    ]
    for place, method in enumerate(others):
        joint = " and " if place == len(others) - 1 else ", "
        runs += [
            (joint, ""),
            (words.error(float(now[method][MEDIAN])), palette.hue(method)),
            (f" with {method}", ""),
        ]
    runs.append((".", ""))
    return runs + _saved(best, found.get((best, metric)))


def _saved(best: str, match: Match | None) -> Runs:
    if match is None or match.epsilon is None or match.method == match.reference:
        return []
    return [
        (f" What {match.reference} reaches at ε = {match.reference_epsilon:g}, ", ""),
        (f"{best} reaches at ", ""),
        (f"ε = {words.budget(match.epsilon)}", palette.hue(best)),
        (".", ""),
    ]


def needed(match: Match | None, curve: ErrorCurve) -> str:
    """The ε that gives the same error, with its ratio, or why there is none."""
    if match is None:
        return "–"
    if match.saturated:
        return "saturated: left out"
    if match.epsilon is not None and match.ratio is not None:
        return f"{words.budget(match.epsilon)} ({match.ratio:.2f}×)"
    if not curve.epsilons or curve.epsilons[-1] < GRID[-1] or curve.epsilons[0] > GRID[0]:
        return "not measured yet"
    return f"outside {GRID[0]:g} to {GRID[-1]:g}"


def forecast(methods: str, epsilon: float, off: float) -> str:
    """How well the noise was known beforehand."""
    if not methods:
        return "None of these methods knows its noise beforehand; add uniform or equipoise"
    return (
        f"The noise of {methods} at ε = {epsilon:g} is known before a record is read, on average "
        f"within {words.share(off)} of what releases show"
    )


def worth(upper: float) -> str:
    """What an upper bound on the L1 error of an answer says."""
    if upper >= 2:
        return (
            f"They promise an error of at most {upper:,.0f}. An answer cannot be off by more than "
            "2, so they are true and say nothing"
        )
    return f"They promise an error of at most {words.error(upper)}; the most possible is 2"


def question(targets: Sequence[str], given: Mapping[str, str]) -> str:
    """A question as people write it.

    >>> question(["lung"], {"smoke": "yes"})
    'P(lung | smoke = yes)'
    """
    evidence = ", ".join(f"{k} = {v}" for k, v in given.items())
    return f"P({', '.join(targets)}{' | ' + evidence if evidence else ''})"


def asked(method: str, answer: Answered, epsilon: float) -> str:
    """The answer in a sentence: truth, and where most private answers lie."""
    top = int(answer.truth.argmax())
    low, high = answer.bands[0, top], answer.bands[-1, top]
    return (
        f"In truth {label(answer, top)} has probability {answer.truth[top]:.2f}; at ε = "
        f"{epsilon:g}, 95 % of the releases of {method} say {low:.2f} to {high:.2f}."
    )


def label(answer: Answered, row: int) -> str:
    """The states of one row of an answer."""
    return ", ".join(answer.states[row])


def explained(method: str, found: Explained, epsilon: float) -> str:
    """How often releases agree on the whole explanation."""
    return (
        f"At ε = {epsilon:g}, {words.share(found.whole)} of the releases of {method} give exactly "
        f"the true explanation of all {len(found.variables)} variables."
    )


def goal(metric: str, limit: float, asked: str, population: bool) -> str:
    """What is asked for when solving backwards."""
    against = "the population" if population else "the records"
    if asked:
        return (
            f"every probability of {asked} within ±{limit:g} of {against}, in 95 % of the releases"
        )
    named = next(m for m in METRICS if m.name == metric)
    kind = "at least" if named.kind == "share" else "at most"
    return f"{named.column}: {kind} {limit:g} on average against {against}"


def solved(solutions: Sequence[Solution]) -> str:
    """The cheapest way to the goal, or that there is none."""
    found = [s for s in solutions if s.epsilon is not None]
    if not solutions:
        return "Nothing was found before the search was stopped."
    if not found:
        reason = solutions[0].reason
        return f"No method reaches it. {reason[:1].upper()}{reason[1:]}."
    best = min(found, key=lambda s: s.epsilon)
    return f"{best.method.capitalize()} reaches it with least: ε = {words.budget(best.epsilon)}."
