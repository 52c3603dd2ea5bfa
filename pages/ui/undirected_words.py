"""The findings of Undirected in plain words, from the numbers on screen alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.table import Array
from pages.ui import words
from pages.ui.undirected_board import LOOKS, SHORT
from pages.ui.undirected_numbers import Curve, Tally
from pages.ui.words import Runs

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


def value(number: float, name: str) -> tuple[str, str]:
    """A number in the tone of its estimator."""
    return words.error(number), LOOKS[name][0]


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
    now: Mapping[str, Array], epsilon: float, records: int, seen: Tally | None
) -> Runs:
    """KL of naive and collective, what the difference is worth, and DP-SGD beside them."""
    if "naive" not in now:
        return waiting("does cleverer estimation buy anything, at which N and ε?")
    naive = float(now["naive"][3])
    runs: Runs = [
        ("At ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (f" and {records:,} records {NAMES['naive']} is off by a KL of ", ""),
        value(naive, "naive"),
    ]
    if "cgm" in now:
        clever = float(now["cgm"][3])
        runs += [
            (" and ", ""),
            (f"{NAMES['cgm']} by ", ""),
            value(clever, "cgm"),
            (f": {compared(clever / naive)}", ""),
        ]
    runs.append((".", ""))
    return runs + _ahead(seen) + _general(now)


def _ahead(seen: Tally | None) -> Runs:
    """How often CGM was ahead, against the paper's "for all models, levels and sizes"."""
    if seen is None:
        return []
    settings = words.counted(seen.total, "setting")
    if seen.ahead == seen.total:
        text = f" It is ahead in all {settings} measured, as in the paper, by at most "
        return [(text, ""), (words.share(seen.most), "strong"), (".", "")]
    if seen.ahead == 0:
        text = f" It is ahead in none of {settings} measured; the paper has it ahead in all."
        return [(text, "")]
    return [
        (f" It is ahead in {seen.ahead} of {settings} measured, by at most ", ""),
        (words.share(seen.most), "strong"),
        ("; the paper has it ahead in all.", ""),
    ]


def _general(now: Mapping[str, Array]) -> Runs:
    """DP-SGD against both, which the paper has it lose to."""
    if "dp-sgd" not in now or "cgm" not in now:
        return []
    sgd, best = float(now["dp-sgd"][3]), min(float(now[n][3]) for n in ("naive", "cgm"))
    verdict = "contrary to the paper below both" if sgd < best else "as in the paper above both"
    if best <= sgd < max(float(now[n][3]) for n in ("naive", "cgm")):
        verdict = "between them"
    return [
        (" DP-SGD, with the weaker promise δ = 1/N, is at ", ""),
        value(sgd, "dp-sgd"),
        (f", {verdict}.", ""),
    ]


def marginal(errors: Mapping[str, float], epsilon: float, records: int) -> Runs:
    """How far the learned probabilities of one release are from the truth."""
    if "naive" not in errors:
        return waiting("how near to the truth are the probabilities of one release?")
    runs: Runs = [
        ("In one release at ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (f" from {records:,} records a probability is off by ", ""),
        value(errors["naive"], "naive"),
        (f" on average with {NAMES['naive']}", ""),
    ]
    if "cgm" in errors:
        ratio = errors["cgm"] / errors["naive"]
        claim = "as in" if ratio < 0.75 else "unlike"
        runs += [
            (" and by ", ""),
            value(errors["cgm"], "cgm"),
            (f" with {NAMES['cgm']}, {compared(ratio)}: {claim} the paper's picture, where it is "
             "much closer", ""),
        ]
    runs.append((".", ""))
    if "non-private" in errors:
        sampling = value(errors["non-private"], "non-private")
        runs += [(" Sampling alone costs ", ""), sampling, (".", "")]
    return runs


def falling(
    curve: Mapping[int, float], steep: Sequence[float], crossing: float, ratios: Sequence[float]
) -> Runs:
    """Where privacy noise stops mattering, and the slopes on both sides."""
    runs: Runs = [
        ("Privacy noise is the larger part of the error up to ", ""),
        (f"{crossing:,.0f} records", "strong"),
        ("; from there on it is sampling.", ""),
    ]
    if not steep:
        return [*runs, *waiting(" the slopes on both sides.")]
    sizes = sorted(curve)
    runs += [
        (" Between ", ""),
        (f"{sizes[0]:,} and {sizes[1]:,} records the error of noisy tables falls as N to the ", ""),
        (minus(steep[0]), "strong"),
    ]
    if len(steep) > 1:
        runs += [
            (f", between {sizes[-2]:,} and {sizes[-1]:,} as N to the ", ""),
            (minus(steep[-1]), "strong"),
        ]
    low, high = min(ratios), max(ratios)
    agreed = "as Proposition 4 says" if low > 0.9 and high < 1.1 else "not quite Proposition 4"
    return [*runs, (f": {agreed}, {low:.2f} to {high:.2f} times its formula.", "")]


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


def penalty(noisy: Curve, exact: Curve, used: float, share: float) -> Runs:
    """How much λ decides, on noisy and on exact tables, and where the λ in use stands."""
    if not noisy.across:
        return waiting("how much does the penalty λ decide?")
    middle = noisy.middle
    best = min(middle, key=lambda place: middle[place])
    least = min(middle)
    now = noisy.at(used)
    runs: Runs = [
        ("On noisy tables λ decides: KL is ", ""),
        value(middle[least], "naive"),
        (f" at λ = {least:g}, ", ""),
        value(middle[best], "naive"),
        (f" at the best of those tried, {best:g}", ""),
    ]
    if now is not None:
        runs += [
            (f", and with the λ in use ({share:g} b/N = {words.error(used)}) ", ""),
            value(float(now[3]), "naive"),
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


def stopping(naive: Curve, steps: int) -> Runs:
    """After how many EM steps the collective model is best, and what waiting costs."""
    if len(naive.across) < 2:
        return []
    middle = naive.middle
    best = min(middle, key=lambda place: middle[place])
    last = max(middle)
    taken = words.counted(int(best), "EM step")
    where = "before the first EM step" if best == 0 else f"after {taken}"
    return [
        (f" From the naive start KL is least {where} (", ""),
        value(middle[best], "cgm"),
        (") and ", ""),
        value(middle[last], "cgm"),
        (f" after {int(last)}; {steps} are in use.", ""),
    ]


def mobility(now: Mapping[str, Array], epsilon: float, people: int, ahead: tuple[int, int]) -> Runs:
    """Holdout log-likelihood of the generated town."""
    if "naive" not in now:
        return waiting("how well do models of generated people predict people they never saw?")
    runs: Runs = [
        ("At ", ""),
        (f"ε = {epsilon:g}", "strong"),
        (f" a model of {people:,} generated people gives a segment of unseen people a "
         "log-likelihood of ", ""),
        (minus(float(now["naive"][3])), LOOKS["naive"][0]),
        (" (naive)", ""),
    ]
    for name in ("cgm", "non-private"):
        if name in now:
            runs += [
                (", ", ""),
                (minus(float(now[name][3])), LOOKS[name][0]),
                (f" ({SHORT[name]})", ""),
            ]
    runs.append((".", ""))
    won, of = ahead
    if of:
        verdict = "as in the paper" if won == of else "the paper has it ahead at all"
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

