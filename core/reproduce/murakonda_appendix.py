"""Appendix J of Murakonda et al. and the strongest attack: M11 to M15."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import NormalDist

import numpy as np

from core.counts import Rows
from core.inference.sampling import sample
from core.membership.bias import difference
from core.membership.demonstrations import (
    ALPHAS,
    Demonstration,
    DemonstrationSetting,
    biased_sampling,
    random_edges,
    richer_population,
    stronger_attack,
    thresholds,
)
from core.membership.population import ModelPopulation
from core.reproduce.item import Finding, Inquiry, Judged, OwnNumber, Steps, mean, value
from core.reproduce.verdicts import best, counted, order
from core.study.experiments import Interval

NETWORKS = ("child", "alarm")
RECORDS, SEEN = 1_000, 10_000
"""Records of a pool, and of the table that structures are learned from."""

Show = Callable[..., Demonstration]
Judge = Callable[[Demonstration], Judged]


def _setting(inquiry: Inquiry, name: str) -> DemonstrationSetting:
    model = inquiry.laboratory.model(name)
    seen = Rows(sample(model, SEEN, rng=np.random.default_rng(inquiry.seed)))
    return DemonstrationSetting(ModelPopulation(model), seen, RECORDS, inquiry.size(10, 50))


def demonstrated(inquiry: Inquiry, show: Show, judge: Judge, notes: tuple[str, ...] = ()) -> Steps:
    """One demonstration on each network, judged by its rows."""
    ours: list[OwnNumber] = []
    judged = {}
    for name in NETWORKS:
        setting = _setting(inquiry, name)
        shown = show(setting, rng=np.random.default_rng([inquiry.seed, 31]))
        ours += _numbers(name, shown, setting.pools)
        judged[name] = judge(shown)
        yield len(NETWORKS)
    return Finding(tuple(ours), best(judged), notes)


def _numbers(reading: str, shown: Demonstration, pools: int) -> Iterable[OwnNumber]:
    """Every number of a demonstration, AUCs with their intervals."""
    for row in shown.rows:
        cells = dict(zip(shown.head, row, strict=True))
        label = ", ".join(str(c) for c in row if isinstance(c, str)) or str(row[0])
        if "bias" in cells:
            label = f"bias {cells['bias']}, {cells['outsiders']}"
        if "false alarms" in cells:
            label = f"{cells['model']}, α = {cells['false alarms']}"
            for key in ("threshold by theory", "estimated"):
                yield value(reading, f"{label}: {key}", float(cells[key]), pools)
            continue
        yield mean(reading, f"{label}: AUC", _area(row, shown.head), pools)
        if "published" in cells:
            yield value(reading, f"{label}: AUC, bound", float(cells["published"]))


def _area(row: tuple[str | float, ...], head: tuple[str, ...]) -> Interval:
    cells = dict(zip(head, row, strict=True))
    return Interval(*(float(cells[key]) for key in ("AUC", "low", "high")))


def equal_edges(inquiry: Inquiry) -> Steps:
    """M11: random edges leak as much as learned ones."""

    def judge(shown: Demonstration) -> Judged:
        learned, random = (_area(row, shown.head).mean for row in shown.rows)
        gap = abs(learned - random)
        return counted({f"AUC differ by {gap:.3f}": gap <= 0.02})

    return demonstrated(inquiry, random_edges, judge)


def theory_thresholds(inquiry: Inquiry) -> Steps:
    """M12: thresholds by theory and by the reference."""

    def judge(shown: Demonstration) -> Judged:
        stated, seen = np.array([[float(row[2]), float(row[3])] for row in shown.rows]).T
        low, high = (NormalDist().inv_cdf(alpha) for alpha in (ALPHAS[0], ALPHAS[-1]))
        each = stated.reshape(2, -1)  # thresholds are μ²/2 + z μ: two of them tell μ
        deviations = (each[:, -1] - each[:, 0]) / (high - low)
        bare, rich = (stated - seen).reshape(2, -1) / deviations[:, None]
        conditions = {f"theory above estimated at α = {a:g} without edges": bool(gap > 0)
                      for a, gap in zip(ALPHAS, bare, strict=True)}  # fmt: skip
        closer = float(np.abs(rich).mean() / np.abs(bare).mean())
        conditions[f"gap in deviations with three parents is {closer:.2f} of that without"] = (
            closer <= 0.5
        )
        return counted(conditions)

    return demonstrated(inquiry, thresholds, judge)


def richer_model(inquiry: Inquiry) -> Steps:
    """M13: a richer population model weakens the attack."""

    def judge(shown: Demonstration) -> Judged:
        plain, rich = (_area(row, shown.head) for row in shown.rows)
        return order([difference(plain, rich)])

    return demonstrated(inquiry, richer_population, judge, (
        "The histograms of Fig. 3 are images; the claim that power falls is tested.",
    ))  # fmt: skip


def selected_pools(inquiry: Inquiry) -> Steps:
    """M14: biased sampling raises power above the bound."""

    def judge(shown: Demonstration) -> Judged:
        anyone = [row for row in shown.rows if row[1] == "anyone"]
        areas = [_area(row, shown.head) for row in anyone]
        bound = float(dict(zip(shown.head, anyone[-1], strict=True))["published"])
        steps = [difference(more, areas[0]) for more in areas[1:]]
        above = Interval(areas[-1].mean - bound, areas[-1].low - bound, areas[-1].high - bound)
        return order([*steps, above])

    return demonstrated(inquiry, biased_sampling, judge, (
        "Rows for the same group are our control: outsiders selected like the members. What is "
        "left against them is about the person, the rest about the group.",
    ))  # fmt: skip


def strongest_attack(inquiry: Inquiry) -> Steps:
    """M15: whether the likelihood ratio cannot be beaten without edges."""

    def judge(shown: Demonstration) -> Judged:
        ratio, white = (_area(row, shown.head) for row in shown.rows)
        return order([difference(ratio, white)])

    return demonstrated(inquiry, stronger_attack, judge, (
        "A test whitened with the population's covariance is compared; the likelihood ratio takes "
        "variables for independent where they are not.",
    ))  # fmt: skip
