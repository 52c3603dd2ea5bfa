"""The findings of Undirected in plain words, from the numbers on screen alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.table import Array
from figures.undirected import LOOKS
from pages.ui.kit import words
from pages.ui.kit.words import Runs
from pages.ui.undirected.numbers import Tally

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
    verdict = "as in the paper above both"
    if sgd < min(both):
        verdict = "contrary to the paper below both"
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
