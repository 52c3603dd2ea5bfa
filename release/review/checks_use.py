"""Checks of use: how large the error is, who bears it, what the model must be good for."""

from functools import partial

import numpy as np

from core.methods.registry import method_named
from core.privbayes.learners import STRUCTURE
from core.study.quantities import ROW_ALIKE
from release.review.facts import Line, State
from release.review.proposal import Proposal
from release.review.standin import Group
from release.words import counted, share
from release.words import error as error_text

SIZES = (10, 100, 1_000)
"""Records of the groups that a forecast is told for."""


def error(proposal: Proposal) -> Line:
    """Whether the forecast noise is within the steward's limit."""
    line = partial(Line, "error", "Forecast error is acceptable")
    noise, records = proposal.noise, proposal.facts.records
    if proposal.planned is None:
        return line("note", "±0 records", "no noise is added")
    if proposal.method == STRUCTURE:
        return line("pass", "no table", "the graph alone is published")
    if noise is None or (noise.most and proposal.rehearsal is not None):
        return _rehearsed_error(proposal, line)
    largest, median = float(noise.deviations.max()), float(np.median(noise.deviations))
    number = f"{'at most ' if noise.most else ''}±{largest:,.3g} records"
    told = f"largest noise of a family's cell, median {median:,.3g}, from public facts only"
    if not records:
        return line("note", number, told, "A share needs a public number.")
    portion, limit = largest / records, proposal.thresholds.noise
    told += f"; {share(portion)} of the records, limit {share(limit)}"
    far = proposal.rehearsal
    row, most = far.bands["l1_row"].median if far else 0.0, proposal.thresholds.row_error
    if far and row > most:
        told += f"; {ROW_ALIKE.name}: {error_text(row)} on {far.title}, limit {error_text(most)}"
    if portion > limit or row > most:
        advice = "Raise ε, choose another method, or write why so much noise is acceptable."
        return line("fail", number, told, advice)
    return line("pass", number, told)


def _rehearsed_error(proposal: Proposal, line: partial[Line]) -> Line:
    """The error on a stand-in, for methods whose plan looks at the records."""
    rehearsal, limit = proposal.rehearsal, proposal.thresholds.row_error
    if rehearsal is None:
        told = "the plan depends on the records, so public facts do not give the noise"
        advice = "Rehearse on a public stand-in, or write why the error does not matter."
        return line("fail", "no forecast", told, advice)
    quantity, middle = rehearsal.quantity, rehearsal.band.median
    told = f"{quantity.name}, median on {rehearsal.title}, limit {error_text(limit)}"
    state: State = "pass" if middle <= limit else "fail"
    advice = "" if state == "pass" else "Raise ε, or write why so large an error is acceptable."
    return line(state, error_text(middle), told, advice, basis="measured")


DEPENDS = (
    "the plan depends on the records, so only a rehearsal tells who bears the error",
    "Rehearse on a public stand-in, by the states of a variable.",
)
LEARNED = (
    "the graph is learned, and its tables are known once it is drawn",
    "To tell before, release the graph alone first, then its tables.",
)
"""Why nothing is said about groups, and what to do."""


def groups(proposal: Proposal) -> Line:
    """Whether groups that are not too small are told well enough, by the steward's limit."""
    line = partial(Line, "groups", "Small groups are told")
    limits, noise = proposal.thresholds, proposal.noise
    if proposal.planned is None:
        return line("note", "±0 %", "no noise is added")
    if proposal.method == STRUCTURE:
        return line("pass", "no table", "the graph alone is published")
    worst, told = _rehearsed(proposal)
    if noise is None:
        if worst is None:
            learns = method_named(proposal.method).learns
            return line("note", "no forecast", *(LEARNED if learns else DEPENDS))
        number, portion = f"error {error_text(worst.error)}", 0.0
    else:
        largest = float(noise.deviations.max())
        sizes = ", ".join(f"{size:,}" for size in SIZES)
        parts = ", ".join(f"±{share(largest / size)}" for size in SIZES)
        most = "at most " if noise.most else ""
        told = f"noise of a cell, against groups of {sizes} records: {most}{parts}{told}"
        if not proposal.facts.records:
            advice = "A limit needs a public number of records."
            return line("note", f"±{largest:,.3g} records", told, advice)
        smallest = limits.group * proposal.facts.records
        portion = largest / smallest
        number = f"{most}±{share(portion)} of {smallest:,.0f}"
        told += f"; limit {share(limits.group_error)} of a group with {share(limits.group)} of all"
    unfair = worst is not None and worst.error > limits.row_error
    if portion > limits.group_error or unfair:
        advice = "Raise ε, merge states of small groups, or write why their error is acceptable."
        return line("fail", number, told, advice)
    return line("pass", number, told)


def _rehearsed(proposal: Proposal) -> tuple[Group | None, str]:
    """The group of the least exact answers among those that count, and what was rehearsed."""
    seen, limits = proposal.rehearsal, proposal.thresholds
    large = [g for g in seen.groups if g.share >= limits.group and g.state] if seen else []
    if not large:
        return None, ""
    worst = max(large, key=lambda group: group.error)
    side = "too rare" if worst.bias < 0 else "too common"
    return worst, (
        f"; rehearsed, the worst told is {worst.name}: mean difference of other variables "
        f"{error_text(worst.error)}, itself {share(abs(worst.bias))} {side}, limit "
        f"{error_text(limits.row_error)}"
    )


def accepted(proposal: Proposal) -> Line | None:
    """What the model must be good for, and how often noise decides that; none where not stated."""
    wanted = proposal.acceptance
    if not wanted.criteria:
        return None
    kinds = "; ".join(criterion.words for criterion in wanted.criteria)
    forecast = wanted.forecast(proposal.scenario.neighbours, proposal.facts.records)
    number = f"{counted(len(wanted.criteria), 'test')}, ε = {float(wanted.epsilon):g}"
    line = partial(Line, "accepted", "Acceptance is tested privately", "note", basis="stated")
    advice = "If one fails, nothing is published and all of ε stays spent."
    return line(number, f"{kinds}; {forecast}", advice)
