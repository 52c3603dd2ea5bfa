"""Utility in plain words: how wrong, what ε buys, what a question's answers look like."""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from core.methods.registry import METHODS as REGISTRY
from core.notation import short
from core.study.answered import Answered, Explained
from core.study.bands import MEDIAN
from core.study.error_curves import ErrorCurve
from core.study.experiments import Match
from core.study.quantities import (
    ANSWERS,
    EXPLANATIONS,
    QUANTITIES,
    ROW_ALIKE,
    SINGLE_VARIABLES,
    Quantity,
)
from core.study.solve import Solution
from figures import palette
from pages.ui.kit import words
from pages.ui.kit.words import Runs
from pages.ui.utility.sweep import GRID

TITLES = {
    ROW_ALIKE.key: "How wrong the parameters are",
    SINGLE_VARIABLES.key: "How wrong single variables are",
    ANSWERS.key: "How wrong answers to questions are",
    EXPLANATIONS.key: "How often the best explanation is right",
}
"""What stands above the chart of a quantity."""


def value(quantity: Quantity, number: float) -> str:
    """One value of a quantity."""
    return words.share(number) if quantity.kind == "share" else words.error(number)


def subtitle(quantities: Sequence[Quantity]) -> str:
    """What a chart shows; where the reader chooses, the names that differ after a comma."""
    if len(quantities) == 1:
        return quantities[0].sentence
    units = dict.fromkeys(quantity.unit for quantity in quantities)
    told = {unit: [q.name for q in quantities if q.unit == unit] for unit in units}
    return "; ".join(f"{_joined(names)} ({unit})" for unit, names in told.items())


def _joined(names: Sequence[str]) -> str:
    """Names between which a reader chooses; what they begin with is said once.

    >>> _joined(["error of pairs", "error of answers"])
    'error of pairs, or answers'
    """
    split = [name.split() for name in names]
    same = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*split, strict=False)))
    return ", or ".join([names[0], *(" ".join(words[same:]) for words in split[1:])])


def alt(quantity: Quantity, curves: Sequence[ErrorCurve], epsilon: float) -> str:
    """What a chart of a quantity shows at the ε on show."""
    known = [(c.method, at) for c in curves if (at := c.at(epsilon)) is not None]
    if not known:
        return f"{quantity.name} against ε: nothing measured at ε = {epsilon:g} yet."
    told = ", ".join(f"{value(quantity, float(at[MEDIAN]))} with {m}" for m, at in known)
    return f"{quantity.name} against ε; at ε = {epsilon:g}: {told}."


def promising(method: str) -> str:
    """A method's name, marked where its guarantee is not ε alone."""
    return method if REGISTRY[method].guarantee.pure else f"{method} (not pure ε)"


def notice(methods: Sequence[str], delta: float) -> str:
    """A warning that guarantees of two kinds stand in one chart, or nothing."""
    other = [m for m in methods if not REGISTRY[m].guarantee.pure]
    if not other:
        return ""
    told = short(delta, 6)
    kinds = "; ".join(f"{m} is {REGISTRY[m].guarantee.text} with δ = {told}" for m in other)
    return (
        f"Not the same promise: {kinds}. The others are pure ε, which is stronger. Compare them "
        "at one ε only with that in mind."
    )


def finding(
    curves: Mapping[str, ErrorCurve],
    epsilon: float,
    matches: Mapping[tuple[str, str], Match],
    quantity: Quantity,
) -> Runs:
    """The quantity with each method, and the ε that does the same."""
    quantiles = {m: at for m, c in curves.items() if (at := c.at(epsilon)) is not None}
    if not quantiles:
        return [("Measuring: how wrong will parameters and answers be, at which ε?", "")]
    best, *others = sorted(quantiles, key=lambda m: float(quantiles[m][MEDIAN]))
    off = {m: words.toned(words.error(float(q[MEDIAN])), palette.hue(m))
           for m, q in quantiles.items()}  # fmt: skip
    told = f"{off[best]} ({quantity.unit}) with {best}"
    for method in others:
        joint = " and " if method == others[-1] else ", "
        told += f"{joint}{off[method]} with {method}"
    saved = _saved(best, matches.get((best, quantity.key)))
    return words.runs(f"At {words.strong(f'ε = {epsilon:g}')} {quantity.subject} {told}.{saved}")


def _saved(best: str, match: Match | None) -> str:
    if match is None or match.epsilon is None or match.method == match.reference:
        return ""
    reached = words.toned(f"ε = {words.budget(match.epsilon)}", palette.hue(best))
    return (
        f" What {match.reference} reaches at ε = {match.reference_epsilon:g}, {best} reaches at "
        f"{reached}."
    )


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
        f"In truth {', '.join(answer.states[top])} has probability {answer.truth[top]:.2f}; at ε = "
        f"{epsilon:g}, 95 % of the releases of {method} say {low:.2f} to {high:.2f}."
    )


def likeliest(method: str, parts: Explained) -> str:
    """How often releases agree on the likeliest states of what is asked about."""
    named = ", ".join(f"{name} = {state}" for name, state in parts.states.items())
    return f" The likeliest, {named}, is the likeliest in {words.share(parts.whole)} of them."


def explained(method: str, parts: Explained, epsilon: float) -> str:
    """How often releases agree on the whole explanation."""
    return (
        f"At ε = {epsilon:g}, {words.share(parts.whole)} of the releases of {method} give exactly "
        f"the true explanation of all {len(parts.variables)} variables."
    )


def goal(metric: str, limit: float, asked: str, population: bool) -> str:
    """What is asked for when solving backwards."""
    against = "the population" if population else "the records"
    if asked:
        return (
            f"every probability of {asked} within ±{limit:g} of {against}, in 95 % of the releases"
        )
    named = QUANTITIES[metric]
    kind = "at least" if named.kind == "share" else "at most"
    return f"{named.name}: {kind} {limit:g} on average against {against}"


def solved(solutions: Sequence[Solution]) -> str:
    """The cheapest way to the goal, or that there is none."""
    reached = [(s.epsilon, s.method) for s in solutions if s.epsilon is not None]
    if not solutions:
        return "Nothing was found before the search was stopped."
    if not reached:
        reason = solutions[0].reason
        return f"No method reaches it. {reason[:1].upper()}{reason[1:]}."
    epsilon, method = min(reached, key=lambda pair: pair[0])
    return f"{method.capitalize()} reaches it with least: ε = {words.budget(epsilon)}."
