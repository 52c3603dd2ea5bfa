"""The findings of Undirected in plain words, from the numbers on screen alone."""

from collections.abc import Mapping, Sequence

from core.notation import short
from core.table import Array
from figures.undirected import LOOKS, SHORT
from pages.ui.kit import words
from pages.ui.kit.words import Runs
from pages.ui.undirected.numbers import QuantileCurve, Tally

EQUAL = 0.01
"""Differences below one per cent are none."""

NAMES = {
    "naive": "naive maximum likelihood",
    "cgm": "the collective model (CGM)",
    "gaussian": "one Gaussian measurement",
    "dp-sgd": "DP-SGD",
    "non-private": "exact tables",
    "random": "random tables",
}
"""Estimators as they stand in a sentence."""


def waiting(what: str) -> Runs:
    """What stands above a view of which nothing is measured yet."""
    return [(f"Measuring: {what}", "")]


def value(number: float, name: str) -> str:
    """A number in the tone of its estimator."""
    return words.toned(words.error(number), LOOKS[name][0])


def compared(ratio: float) -> str:
    """How one number stands to another.

    >>> compared(0.9), compared(1.25), compared(1.004)
    ('10.0 % less', '25 % more', 'no difference')
    """
    if abs(ratio - 1) < EQUAL:
        return "no difference"
    return f"{words.share(abs(ratio - 1))} {'less' if ratio < 1 else 'more'}"


def factor(ratio: float) -> str:
    """A ratio as people say it.

    >>> factor(2.44), factor(178.2), factor(0.873)
    ('2.4 times', '178 times', '0.87 times')
    """
    return f"{words.error(ratio)} times"


def minus(number: float) -> str:
    """Two decimals with a real minus sign."""
    return f"{number:.2f}".replace("-", "−")


def learning(
    quantiles: Mapping[str, Array], epsilon: float, records: int, seen: Tally | None
) -> Runs:
    """KL of naive and collective, what the difference is worth, and DP-SGD beside them."""
    if "naive" not in quantiles:
        return waiting("does cleverer estimation buy anything, at which N and ε?")
    naive = float(quantiles["naive"][3])
    told = (
        f"At {words.strong(f'ε = {epsilon:g}')} and {records:,} records {NAMES['naive']} is off by "
        f"a KL of {value(naive, 'naive')}"
    )
    if "cgm" not in quantiles:
        return words.runs(f"{told}.")
    clever = float(quantiles["cgm"][3])
    beside = f" and {NAMES['cgm']} by {value(clever, 'cgm')}: {compared(clever / naive)}."
    return words.runs(f"{told}{beside}{_ahead(seen)}{_general(quantiles)}")


def _ahead(seen: Tally | None) -> str:
    """How often CGM was ahead, against the paper's "for all models, levels and sizes"."""
    if seen is None or seen.total < 3:
        return ""
    settings, most = words.counted(seen.total, "setting"), words.strong(words.share(seen.most))
    if seen.ahead == seen.total:
        return f" It is ahead in all {settings} measured, as in the paper, by at most {most}."
    if seen.ahead == 0:
        return f" It is ahead in none of {settings} measured; the paper has it ahead in all."
    return (
        f" It is ahead in {seen.ahead} of {settings} measured, by at most {most}; the paper has it "
        "ahead in all."
    )


def _general(quantiles: Mapping[str, Array]) -> str:
    """DP-SGD against both, which the paper has it lose to."""
    if "dp-sgd" not in quantiles:
        return ""
    sgd, *both = (float(quantiles[name][3]) for name in ("dp-sgd", "naive", "cgm"))
    verdict = "as in the paper, above both"
    if sgd < min(both):
        verdict = "contrary to the paper, below both"
    elif sgd < max(both):
        verdict = "between them"
    return (
        " DP-SGD, tuned on the truth and with the weaker promise δ = 1/N, is at "
        f"{value(sgd, 'dp-sgd')}, {verdict}."
    )


def marginal(errors: Mapping[str, float], epsilon: float, records: int) -> Runs:
    """How far the learned probabilities of one release are from the truth."""
    if "naive" not in errors:
        return waiting("how near to the truth are the probabilities of one release?")
    told = (
        f"In one release at {words.strong(f'ε = {epsilon:g}')} from {records:,} records a "
        f"probability is off by {value(errors['naive'], 'naive')} on average with {NAMES['naive']}"
    )
    if "cgm" in errors:
        ratio = errors["cgm"] / errors["naive"]
        claim = "as in" if ratio < 0.75 else "unlike"
        told += (
            f" and by {value(errors['cgm'], 'cgm')} with {NAMES['cgm']}, {compared(ratio)}: "
            f"{claim} the paper's picture, where it is much closer"
        )
    told += "."
    if "loopy" in errors:
        off = value(errors["loopy"], "loopy")
        told += f" Loopy belief propagation, on the true model and without noise, is off by {off}."
    if "non-private" in errors:
        told += f" Sampling alone costs {value(errors['non-private'], 'non-private')}."
    return words.runs(told)


def falling(
    curve: Mapping[int, float], steep: Sequence[float], crossing: float, ratios: Sequence[float]
) -> Runs:
    """Where privacy noise stops mattering, and the slopes on both sides."""
    most = words.strong(f"{float(f'{crossing:.2g}'):,.0f} records")
    told = (
        f"Privacy noise is the larger part of the error up to {most}; from there on it is sampling."
    )
    if crossing < 1:
        told = "Sampling is the larger part of the error with any number of records."
    if not steep:
        return words.runs(told)
    sizes = sorted(curve)
    told += (
        f" Between {sizes[0]:,} and {sizes[1]:,} records the error of noisy tables falls as N to "
        f"the {words.strong(minus(steep[0]))}"
    )
    if len(steep) > 1:
        last = words.strong(minus(steep[-1]))
        told += f", between {sizes[-2]:,} and {sizes[-1]:,} as N to the {last}"
    low, high = min(ratios), max(ratios)
    agreed = "as Proposition 4 says" if low > 0.8 and high < 1.25 else "not as Proposition 4 says"
    return words.runs(f"{told}, {agreed}: measured is {low:.2f} to {high:.2f} times its formula.")


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
