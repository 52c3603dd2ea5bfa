"""Where the theory stops being safe: numbers from one pool, and what to do about each.

Computed from the exact counts of the records: study only, never for publication.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.membership.bound import PublishedBound, complexity_span, records_for_auc
from core.membership.leverage import Support
from core.notation import short
from core.study.metrics import Truth
from core.table import Array

State = Literal["look", "fine", "unknown"]

FEW_IN_ROW = 50
FEW_IN_CELL = 5
EXTREME = 0.01
SHIFTED = 4.0
"""Standard errors by which a marginal must differ before the sample is called biased."""

_GRID = np.geomspace(1e-4, 0.5, 200)


@dataclass(frozen=True)
class Guardrail:
    """One check: ``finding`` is the number, ``rest`` what it is about, ``advice`` what to do."""

    key: str
    state: State
    finding: str
    rest: str
    advice: str

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        return f"{self.finding} {self.rest}. {self.advice}"


def guardrails(
    truth: Truth, support: Support, *, expected: Sequence[Array] | None = None
) -> tuple[Guardrail, ...]:
    """Every check for one pool; ``expected`` are the population's marginals where known."""
    network = truth.network
    bound = PublishedBound(network.complexity, truth.records)
    most, high = support.most, support.quantile(0.99)
    return (
        _rows(truth),
        _cells(truth, support),
        Guardrail(
            "leverage",
            _state(most > 1),
            f"Leverage up to {short(most)},",
            f"99th percentile {short(high)}, mean {short(support.mean)}",
            "Above 1 a record is most of its own cells: the attacker reads it off."
            if most > 1
            else "No record is most of its own cells.",
        ),
        _crossing(bound, support),
        _extremes(truth),
        _load(bound),
        _joint(network.complexity, complexity_span(network)),
        _bias(truth, expected),
    )


def _state(look: bool) -> State:
    return "look" if look else "fine"


def _rows(truth: Truth) -> Guardrail:
    few = int((truth.row_counts < FEW_IN_ROW).sum())
    return Guardrail(
        "rows",
        _state(few > 0),
        f"{few:,} of {truth.row_counts.size:,} rows",
        f"rest on fewer than {FEW_IN_ROW} records",
        "A sign of thin support, not a bound: merge states or drop parents of these nodes."
        if few
        else "Support is not the problem here.",
    )


def _cells(truth: Truth, support: Support) -> Guardrail:
    thin = int(((truth.counts > 0) & (truth.counts < FEW_IN_CELL)).sum())
    inside = sum(support.rarest[:FEW_IN_CELL])
    alone = support.rarest[1]
    share = inside / max(truth.records, 1)
    return Guardrail(
        "cells",
        _state(thin > 0),
        f"{thin:,} of {truth.counts.size:,} cells",
        f"hold 1 to {FEW_IN_CELL - 1} records; {inside:,} members ({_percent(share)}) are in "
        f"one, {alone:,} alone",
        "These people are found far more often than the bound says: add noise, or merge states."
        if thin
        else "Nobody stands in a nearly empty cell.",
    )


def _percent(share: float) -> str:
    """Two decimals below 1 %: a few members of many are not none."""
    return f"{100 * share:.{2 if share < 0.01 else 1}f} %"


def _crossing(bound: PublishedBound, support: Support) -> Guardrail:
    above = support.mixture.powers(_GRID) > 1.01 * bound.powers(_GRID)
    if not above.any():
        return Guardrail(
            "crossing", "fine", "Published bound holds", "against the leverage curve everywhere",
            "Records are alike enough for Theorem 1.",
        )  # fmt: skip
    highest = float(_GRID[above].max())
    return Guardrail(
        "crossing",
        "look",
        "Published bound is too low",
        f"under {100 * highest:.2g} % false alarms: rare records stand out more",
        "Read the leverage curve there, or rely on the guarantee from ε.",
    )


def _extremes(truth: Truth) -> Guardrail:
    layout = truth.network.layout
    rows = [layout.rows(truth.model.values, b)[truth.seen[b.rows]].ravel() for b in layout.blocks]
    values = np.concatenate(rows)
    many = int(((values < EXTREME) | (values > 1 - EXTREME)).sum())
    return Guardrail(
        "extremes",
        _state(many > 0),
        f"{many:,} of {truth.counts.size:,} parameters",
        f"lie below {EXTREME} or above {1 - EXTREME} in the model",
        "Theorem 1 asks for parameters away from 0 and 1: smooth or merge them."
        if many
        else "Theorem 1 may be applied.",
    )


def _load(bound: PublishedBound) -> Guardrail:
    load = bound.complexity / bound.records
    need = records_for_auc(bound.complexity, 0.6)
    return Guardrail(
        "load",
        _state(load > 1),
        f"C/n is {short(load)},",
        "more parameters than records" if load > 1 else "below 1",
        f"An AUC of 0.6 needs {need:,} records.",
    )


def _joint(complexity: int, span: int) -> Guardrail:
    return Guardrail(
        "joint",
        _state(False),
        "No joint tables are published;",
        f"they would raise C from {complexity:,} to {span:,}"
        if span > complexity
        else f"with them C would be {span:,} as well",
        "Keep it that way.",
    )


def _bias(truth: Truth, expected: Sequence[Array] | None) -> Guardrail:
    if expected is None:
        return Guardrail(
            "bias", "unknown", "Sampling bias is not checked;",
            "it needs the population's marginals",
            "A pool unlike its population is found more easily; J.4 below says about whom.",
        )  # fmt: skip
    gaps = []
    for i, shares in enumerate(expected):
        own = truth.network.layout.unpack(truth.counts, i)
        seen = own.reshape(-1, own.shape[-1]).sum(axis=0) / truth.records
        errors = np.sqrt(np.maximum(shares * (1 - shares), 1e-12) / truth.records)
        gaps.append(float((np.abs(seen - shares) / errors)[shares > 0].max(initial=0.0)))
    worst = max(gaps)
    name = truth.network.names[int(np.argmax(gaps))]
    return Guardrail(
        "bias",
        _state(worst > SHIFTED),
        f"Marginals differ by {worst:.1f} standard errors",
        f"from the population's at most ({name})",
        "A pool unlike its population is found more easily; J.4 below says about whom."
        if worst > SHIFTED
        else "The pool looks like its population.",
    )
