"""What Release shows: checklist, plan, meter and history of one proposal, for its boards."""

from __future__ import annotations

import streamlit as st

from core.errors import EquipoiseError
from pages.ui import board, release_numbers, release_words
from pages.ui.release_numbers import Review
from release.ledger.account import Account
from release.ledger.spending import shown
from release.published import Document
from release.review.line import Line

ACTIONS = {
    "rehearsed": ("Rehearse on a stand-in", "rehearse"),
    "error": ("Rehearse on a stand-in", "rehearse"),
    "audited": ("Audit the method", "audit"),
}
"""Where on this page a line that is not passed can be dealt with."""


def top(review: Review, released: int) -> board.Data:
    """What stands above everything."""
    return {
        "epsilon": review.choice.scenario.epsilon,
        "scenario": release_words.scenario(review),
        "heading": "Review and release",
        "badge": release_words.BADGE,
        "finding": [list(run) for run in release_words.finding(review, released)],
    }


def checks(review: Review) -> board.Data:
    """The checklist."""
    texts = board.Words(
        title="Checklist",
        subtitle="Computed from public facts, your statements and the ledger; no line looks at "
        "the records",
        caption="",
        alt="Checks of the proposed release.",
        details=(
            (
                "Reading",
                "A circle with a tick passes, a dashed circle is a remark that does not block, a "
                "triangle fails and blocks. A failed line passes only for a reason that you write "
                "and the ledger keeps; a reason holds for the finding it was written about.",
            ),
            ("Source", "release/review/checklist.py: every line is one function of the proposal."),
            ("Command line", review.document["reproducibility"]["command"]),
        ),
        file="equipoise-checklist.csv",
    )
    refusals: dict[str, str] = st.session_state.get("release_refusals", {})
    lines = [_line(line, refusals.get(line.key, "")) for line in review.checklist.lines]
    return {**vars(texts), "lines": lines}


def _line(line: Line, refusal: str) -> board.Data:
    useful = line.state == "fail" or (line.state == "note" and line.key != "error")
    action = ACTIONS.get(line.key) if useful else None
    return {
        "key": line.key,
        "title": line.title,
        "state": line.state,
        "number": line.number,
        "sentence": line.sentence,
        "advice": line.advice,
        "basis": release_words.BASES[line.basis],
        "final": line.final,
        "reason": line.reason,
        "refusal": refusal if line.blocks else "",
        "action": list(action) if action else None,
    }


def override(review: Review, key: str, text: str) -> None:
    """The steward wrote a reason on the board; one that does not count is said at its line."""
    refusals: dict[str, str] = st.session_state.setdefault("release_refusals", {})
    refusals.pop(key, None)
    try:
        release_numbers.accept(review.checklist, review.choice, key, text)
    except EquipoiseError as problem:
        refusals[key] = str(problem)


def plan(review: Review) -> board.Data:
    """The plan in a few lines, and the meter."""
    texts = board.Words(
        title="Plan",
        subtitle="",
        caption="",
        alt="The plan of this release.",
        details=release_words.plan_details(review.proposal),
        file="equipoise-plan.csv",
    )
    return {
        "plan": {**vars(texts), "rows": release_words.plan_rows(review.proposal)},
        "meter": _meter(review),
    }


def _meter(review: Review) -> board.Data:
    account, cost = review.proposal.account, review.proposal.cost
    spent = [float(line.epsilon) for line in account.lines] if account else []
    texts = board.Words(
        title="Budget of these data",
        subtitle="ε spent on all releases together",
        caption=release_words.ledger_caption(review.account, review.place.lasting),
        alt=_meter_alt(account, shown(cost)),
        file="equipoise-budget.csv",
    )
    return {
        **vars(texts),
        "budget": None if account is None else float(account.budget),
        "spent": spent,
        "cost": float(cost),
        "left": None if account is None else float(account.remaining),
        "after": None if account is None else float(account.remaining - cost),
    }


def _meter_alt(account: Account | None, cost: str) -> str:
    if account is None:
        return f"No budget is stated; this release would cost {cost}."
    after = account.remaining
    return (
        f"{shown(account.spent)} of {shown(account.budget)} is spent, this release costs {cost}, "
        f"{shown(after)} is left before it."
    )


def exact(review: Review) -> board.Data:
    """Every table with its exact budget and scale, and every payment so far."""
    found = review.document["plan"]
    noise = release_words.noise_name(review.proposal)
    views = [] if found is None else [_tables(found, noise)]
    history = review.document["ledger"]
    if review.account is not None and history is not None:
        views.append(_history(history))
    return {"views": views}


def _tables(found: Document, noise: str) -> board.Data:
    unit = found["unit"]
    caption = f"Proved sum {found['cost']} = {found['cost_decimal']}, at most {found['total']}."
    if not found["public"]:
        caption += (
            " Tables of a sample cost less than their parts add up to, and how Stage II divides "
            "its part depends on the noisy tables of Stage I."
        )
    texts = board.Words(
        title="The plan, table by table",
        subtitle=f"{noise} noise; budgets are exact fractions",
        caption=caption,
        alt="Every table that is measured, with its exact budget and its noise.",
        file="equipoise-plan-tables.csv",
    )
    rows = [
        [
            release_words.table_name(t["variables"], 200),
            f"{t['cells']:,}",
            f"{t['budget_decimal']:.6g}",
            t["budget"],
            f"{t['scale_decimal']:,.4g}",
        ]
        for t in found["tables"]
    ]
    head = ["table over", "cells", unit, f"{unit}, exact", "noise scale"]
    return {**vars(texts), "kind": "facts", "head": head, "rows": rows}


def _history(ledger: Document) -> board.Data:
    texts = board.Words(
        title="Payments so far",
        subtitle=f"{ledger['spent']} of {ledger['budget']} is spent, {ledger['left']} left",
        caption="Entries are chained: a changed one shows when the ledger is read.",
        alt="Every payment from the budget of these data.",
        file="equipoise-payments.csv",
    )
    rows = [
        [
            e["time"].replace("T", " ").rstrip("Z"),
            e["what"],
            e["method"],
            e["epsilon"],
            e["left"],
            {"lost": "lost, stays paid"}.get(e["state"], e["state"]),
            e["override"] or "none",
        ]
        for e in ledger["entries"]
    ]
    head = ["time (UTC)", "what", "method", "ε", "left", "state", "overrides"]
    return {**vars(texts), "kind": "facts", "head": head, "rows": rows}


def left_over(review: Review) -> str:
    """What the ledger has left for these data."""
    return "nothing" if review.account is None else shown(review.account.remaining)


def waits_for(review: Review) -> str:
    """Why nothing can be published yet; empty when only the confirmation is missing."""
    blocked = review.checklist.open
    if blocked:
        number = review.checklist.lines.index(blocked[0]) + 1
        more = f" and {len(blocked) - 1} more" if len(blocked) > 1 else ""
        return f"Waits for check {number}{more}: {blocked[0].title}."
    if review.obstacles:
        return f"{review.obstacles[0]}."
    return ""
