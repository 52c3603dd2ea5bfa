"""More findings of Undirected in plain words: projection, λ, EM steps, mobility, time."""

from __future__ import annotations

from collections.abc import Mapping

from core.table import Array
from figures.template import short
from figures.undirected import LOOKS, SHORT
from pages.ui.kit import words
from pages.ui.kit.words import Runs
from pages.ui.undirected.numbers import QuantileCurve
from pages.ui.undirected.words import EQUAL, factor, minus, value, waiting


def projection(ratios: Mapping[int, float], epsilon: float) -> Runs:
    """What putting each table on its simplex is worth, at the smallest and the largest N."""
    if not ratios:
        return waiting("what is it worth to put each noisy table on its simplex first?")
    sizes = sorted(ratios)
    first, last = ratios[sizes[0]], ratios[sizes[-1]]
    runs: Runs = [
        ("At ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (f" and {sizes[0]:,} records KL without projection is ", ""),
        (factor(first), "strong"),
        (" the KL with it", ""),
    ]
    if len(sizes) > 1:
        runs += [(f", at {sizes[-1]:,} records ", ""), (factor(last), "strong")]
    if min(ratios.values()) > 1 + EQUAL:
        verdict = ": projecting always pays, as in the paper"
    elif max(ratios.values()) > 1 + EQUAL:
        verdict = ": unlike in the paper, projecting does not pay everywhere"
    else:
        verdict = ": contrary to the paper, with this λ projecting does not pay"
    return [*runs, (f"{verdict}.", "")]


def penalty(noisy: QuantileCurve, exact: QuantileCurve, used: float, share: float) -> Runs:
    """How much λ decides, on noisy and on exact tables, and where the λ in use stands."""
    if not noisy.across:
        return waiting("how much does the penalty λ decide?")
    middle = noisy.middle
    best = min(middle, key=lambda place: middle[place])
    least = min(middle)
    quantiles = noisy.at(used)
    runs: Runs = [
        ("On noisy tables λ decides: KL is ", ""),
        value(middle[least], "naive"),
        (f" at λ = {short(least)}, ", ""),
        value(middle[best], "naive"),
        (f" at the best of those tried, {short(best)}", ""),
    ]
    if quantiles is not None:
        runs += [
            (f", and with the λ in use ({share:g} b/N = {short(used)}) ", ""),
            value(float(quantiles[3]), "naive"),
        ]
    runs.append((".", ""))
    if exact.across and least in exact.middle:
        kept = min(exact.middle.values())
        worse = exact.middle[least] / kept
        runs += [
            (" On exact tables the smallest λ gives ", ""),
            value(exact.middle[least], "non-private"),
            (f", {factor(worse)} the best: no overfitting there." if worse < 1.5 else
             f", {factor(worse)} the best.", ""),
        ]  # fmt: skip
    return runs


def stopping(naive: QuantileCurve, steps: int) -> Runs:
    """After how many EM steps the collective model is best, and what waiting costs."""
    if len(naive.across) < 2:
        return []
    middle = naive.middle
    best = min(middle, key=lambda place: middle[place])
    last = max(middle)
    if best == last:
        text = f" From the naive start KL still falls after {int(last)} EM steps, to "
        return [(text, ""), value(middle[last], "cgm"), (f"; {steps} are in use.", "")]
    taken = words.counted(int(best), "EM step")
    where = "before the first EM step" if best == 0 else f"after {taken}"
    return [
        (f" From the naive start KL is least {where} (", ""),
        value(middle[best], "cgm"),
        (") and ", ""),
        value(middle[last], "cgm"),
        (f" after {int(last)}; {steps} are in use.", ""),
    ]


def mobility(
    quantiles: Mapping[str, Array], epsilon: float, people: int, ahead: tuple[int, int]
) -> Runs:
    """Holdout log-likelihood of the generated town."""
    if "naive" not in quantiles:
        return waiting("how well do models of generated people predict people they never saw?")
    runs: Runs = [
        ("At ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (
            f" a model of {people:,} generated people gives a segment of unseen people a "
            "log-likelihood of ",
            "",
        ),
        (minus(float(quantiles["naive"][3])), LOOKS["naive"][0]),
        (" (naive)", ""),
    ]
    for name in ("cgm", "non-private"):
        if name in quantiles:
            runs += [
                (", ", ""),
                (minus(float(quantiles[name][3])), LOOKS[name][0]),
                (f" ({SHORT[name]})", ""),
            ]
    runs.append((".", ""))
    won, of = ahead
    if of:
        verdict = "as in the paper" if won == of else "the paper has it ahead at all of them"
        runs.append((f" CGM is ahead of naive at {won} of {of} budgets; {verdict}.", ""))
    return runs


def times(ratios: Mapping[str, float], records: int, naive: float | None) -> Runs:
    """How long each estimator takes, in units of the naive one."""
    if naive is None:
        return waiting("how long does each estimator take?")
    runs: Runs = [
        (f"With {records:,} records naive maximum likelihood takes ", ""),
        (f"{words.error(naive)} s", LOOKS["naive"][0]),
        (" for all replicates", ""),
    ]
    if "cgm" in ratios:
        runs += [("; CGM takes ", ""), (factor(ratios["cgm"]), LOOKS["cgm"][0]),
                 (" as long (paper: 4 to 8)", "")]  # fmt: skip
    if "dp-sgd" in ratios:
        text = " (paper: 27 to 40)"
        runs += [(", DP-SGD ", ""), (factor(ratios["dp-sgd"]), "strong"), (text, "")]
    return [*runs, (".", "")]
