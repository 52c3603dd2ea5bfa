"""More findings of Undirected in plain words: projection, λ, EM steps, mobility, time."""

from __future__ import annotations

from collections.abc import Mapping

from core.notation import short
from core.table import Array
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
    told = (
        f"At {words.strong(f'ε = {epsilon:g}')} and {sizes[0]:,} records KL without projection is "
        f"{words.strong(factor(first))} the KL with it"
    )
    if len(sizes) > 1:
        told += f", at {sizes[-1]:,} records {words.strong(factor(last))}"
    if min(ratios.values()) > 1 + EQUAL:
        verdict = "projecting always pays, as in the paper"
    elif max(ratios.values()) > 1 + EQUAL:
        verdict = "unlike in the paper, projecting does not pay everywhere"
    else:
        verdict = "contrary to the paper, with this λ projecting does not pay"
    return words.runs(f"{told}: {verdict}.")


def penalty(noisy: QuantileCurve, exact: QuantileCurve, used: float, share: float) -> Runs:
    """How much λ decides, on noisy and on exact tables, and where the λ in use stands."""
    if not noisy.across:
        return waiting("how much does the penalty λ decide?")
    middle = noisy.middle
    best = min(middle, key=lambda place: middle[place])
    least = min(middle)
    quantiles = noisy.at(used)
    told = (
        f"On noisy tables λ decides: KL is {value(middle[least], 'naive')} at λ = {short(least)}, "
        f"{value(middle[best], 'naive')} at the best of those tried, {short(best)}"
    )
    if quantiles is not None:
        used_text = f"{share:g} b/N = {short(used)}"
        told += f", and with the λ in use ({used_text}) {value(float(quantiles[3]), 'naive')}"
    told += "."
    if exact.across and least in exact.middle:
        worse = exact.middle[least] / min(exact.middle.values())
        told += (
            f" On exact tables the smallest λ gives {value(exact.middle[least], 'non-private')}, "
            f"{factor(worse)} the best{': no overfitting there' if worse < 1.5 else ''}."
        )
    return words.runs(told)


def stopping(naive: QuantileCurve, steps: int) -> Runs:
    """After how many EM steps the collective model is best, and what waiting costs."""
    if len(naive.across) < 2:
        return []
    middle = naive.middle
    best = min(middle, key=lambda place: middle[place])
    last = max(middle)
    least, end = value(middle[best], "cgm"), value(middle[last], "cgm")
    if best == last:
        return words.runs(
            f" From the naive start KL still falls after {int(last)} EM steps, to {end}; {steps} "
            "are in use."
        )
    taken = words.counted(int(best), "EM step")
    where = "before the first EM step" if best == 0 else f"after {taken}"
    return words.runs(
        f" From the naive start KL is least {where} ({least}) and {end} after {int(last)}; {steps} "
        "are in use."
    )


def mobility(
    quantiles: Mapping[str, Array], epsilon: float, people: int, ahead: tuple[int, int]
) -> Runs:
    """Holdout log-likelihood of the generated town."""
    if "naive" not in quantiles:
        return waiting("how well do models of generated people predict people they never saw?")
    told = (
        f"At {words.strong(f'ε = {epsilon:g}')} a model of {people:,} generated people gives a "
        f"segment of unseen people a log-likelihood of {_likelihood(quantiles, 'naive')}"
    )
    for name in ("cgm", "non-private"):
        if name in quantiles:
            told += f", {_likelihood(quantiles, name)}"
    told += "."
    won, of = ahead
    if of:
        verdict = "as in the paper" if won == of else "the paper has it ahead at all of them"
        told += f" CGM is ahead of naive at {won} of {of} budgets; {verdict}."
    return words.runs(told)


def _likelihood(quantiles: Mapping[str, Array], name: str) -> str:
    number = words.toned(minus(float(quantiles[name][3])), LOOKS[name][0])
    return f"{number} ({SHORT[name]})"


def times(ratios: Mapping[str, float], records: int, naive: float | None) -> Runs:
    """How long each estimator takes, in units of the naive one."""
    if naive is None:
        return waiting("how long does each estimator take?")
    seconds = words.toned(f"{words.error(naive)} s", LOOKS["naive"][0])
    told = f"With {records:,} records naive maximum likelihood takes {seconds} for all replicates"
    if "cgm" in ratios:
        clever = words.toned(factor(ratios["cgm"]), LOOKS["cgm"][0])
        told += f"; CGM takes {clever} as long (paper: 4 to 8)"
    if "dp-sgd" in ratios:
        told += f", DP-SGD {words.strong(factor(ratios['dp-sgd']))} (paper: 27 to 40)"
    return words.runs(f"{told}.")
