"""What Release shows of one proposal beside its checklist: top, plan, budget, tables, payments."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import streamlit as st

from figures.release import meter_figure
from pages.ui.kit import dragging, sheet
from pages.ui.kit.around import csv_button
from pages.ui.kit.markdown import literal
from pages.ui.kit.messages import View
from pages.ui.release import words
from pages.ui.release.numbers import Review
from release.ledger.account import Account
from release.ledger.spending import shown
from release.published import Document
from release.words import noise_name


def top(review: Review, released: int) -> sheet.Sheet:
    """What stands above everything."""
    return sheet.Sheet(
        [],
        top=sheet.Top(
            "Review and release",
            words.BADGE,
            words.finding(review, released),
            words.scenario(review),
            dragging.knobs(review.choice.scenario),
        ),
    )


def plan(review: Review) -> sheet.Sheet:
    """The plan in a few lines, and the budget of the data where one is stated."""
    account = review.proposal.account
    views = [_plan(review)]
    if account is not None:
        views.append(_meter(review, account))
    return sheet.stacked(*views)


def _plan(review: Review) -> View:
    texts = sheet.Words(
        title="Plan",
        subtitle="",
        caption="" if review.proposal.account else "State the total budget of these data above.",
        alt="The plan of this release.",
        details=words.plan_details(review.proposal),
        file="equipoise-plan.csv",
    )
    rows = words.plan_rows(review.proposal)
    return sheet.table_view(
        "plan", texts, {"what": [r[0] for r in rows], "plan": [r[1] for r in rows]}
    )


def _meter(review: Review, account: Account) -> View:
    cost = review.proposal.cost
    spent = [float(line.epsilon) for line in account.lines]
    texts = sheet.Words(
        title="Budget of these data",
        subtitle="ε spent on all releases together",
        caption=words.ledger_caption(review.account, review.place.lasting),
        alt=f"{shown(account.spent)} of {shown(account.budget)} is spent, this release costs "
        f"{shown(cost)}, {shown(account.remaining)} is left before it.",
        file="equipoise-budget.csv",
    )
    paid = (f"payment {i + 1}" for i in range(len(spent)))
    table: sheet.Columns = {
        "part": ["budget", *paid, "this release", "left after it"],
        "epsilon": [float(account.budget), *spent, float(cost), float(account.remaining - cost)],
    }
    figure = meter_figure(float(account.budget), spent, float(cost))
    return sheet.figure_view("meter", texts, {"budget": figure}, table)


def exact(review: Review) -> None:
    """Every table with its exact budget and scale, and every payment so far."""
    plan = review.document["plan"]
    shown = review.proposal.preview
    if shown is not None and shown.parts:
        parts_table(shown.parts, "ε" if shown.rho is None else "ρ")
    elif plan is not None:
        tables(plan)
    history = review.document["ledger"]
    if review.account is not None and history is not None:
        _payments(history)


def plan_table(plan: Document) -> dict[str, list[object]]:
    """Every table that is measured, with its exact budget and its noise."""
    unit, tables = plan["unit"], plan["tables"]
    return {
        "choice or table over" if plan["parts"] else "table over": [
            f"{'choice of ' if t['choice'] else ''}{words.table_name(t['variables'], 200)}"
            for t in tables
        ],
        "candidates or cells" if plan["parts"] else "cells": [f"{t['cells']:,}" for t in tables],
        unit: [f"{t['budget_decimal']:.6g}" for t in tables],
        f"{unit}, exact": [t["budget"] for t in tables],
        "noise scale": [f"{t['scale_decimal']:,.4g}" for t in tables],
    }


def parts_table(parts: Sequence[tuple[str, Fraction]], unit: str) -> None:
    """What each part of a release that learns its graph may cost, before it is drawn."""
    st.markdown("##### The plan, part by part")
    columns: dict[str, list[object]] = {
        "part": [name for name, _ in parts],
        unit: [f"{float(part):.6g}" for _, part in parts],
        f"{unit}, exact": [str(part) for _, part in parts],
    }
    st.dataframe(columns, hide_index=True, key="plan_parts", alt="What each part may cost.")
    _foot(
        "Which choices and tables these are follows from the graph that is drawn; the dossier of "
        "the release lists each with its exact part.",
        columns,
        "equipoise-plan-parts.csv",
    )


def tables(plan: Document, title: str = "The plan, table by table", name: str = "plan") -> None:
    """Every choice and table with its exact budget and noise."""
    caption = f"Proved sum {plan['cost']}, rounded {plan['cost_decimal']}, at most {plan['total']}."
    caption += "".join(f" {name.capitalize()}: {exact}." for name, _, exact in plan["parts"])
    if not plan["public"] and not plan["parts"]:
        caption += (
            " Tables of a sample cost less than their parts add up to, and how Stage II divides "
            "its part depends on the noisy tables of Stage I."
        )
    columns, tables, unit = plan_table(plan), plan["tables"], plan["unit"]
    over, cells, *_ = columns
    drawn = {
        **columns,
        cells: [t["cells"] for t in tables],
        unit: [t["budget_decimal"] for t in tables],
        "noise scale": [t["scale_decimal"] for t in tables],
    }
    number = st.column_config.NumberColumn
    st.markdown(f"##### {title}")
    laws = [f"{noise_name(plan['noise'])} noise"]
    laws += dict.fromkeys(f"choices by {t['noise']}" for t in tables if t["choice"])
    st.caption(literal(f"{', '.join(laws)}; budgets are exact fractions"))
    st.dataframe(
        drawn,
        hide_index=True,
        key=f"{name}_tables",
        alt="Every table that is measured, with its exact budget and its noise.",
        column_config={
            over: st.column_config.TextColumn(width="medium"),
            cells: number(format="localized"),
            unit: number(format="%.6g"),
            "noise scale": number(format="%.4g"),
        },
    )
    _foot(caption, columns, f"equipoise-{name}-tables.csv")


def _payments(ledger: Document) -> None:
    entries = ledger["entries"]
    columns = {
        "time (UTC)": [e["time"].replace("T", " ").rstrip("Z") for e in entries],
        "what": [e["what"] for e in entries],
        "method": [e["method"] for e in entries],
        "ε": [e["epsilon"] for e in entries],
        "left": [e["left"] for e in entries],
        "state": [{"lost": "lost, stays paid"}.get(e["state"], e["state"]) for e in entries],
        "overrides": [e["override"] or "none" for e in entries],
    }
    st.markdown("##### Payments so far")
    st.caption(literal(f"{ledger['spent']} of {ledger['budget']} is spent, {ledger['left']} left"))
    st.dataframe(
        columns, hide_index=True, key="payments",
        alt="Every payment from the budget of these data.",
    )  # fmt: skip
    _foot(
        "Entries are chained: a changed one shows when the ledger is read.",
        columns,
        "equipoise-payments.csv",
    )


def _foot(caption: str, columns: Mapping[str, list[object]], file: str) -> None:
    """A caption, and the table as a file: one that a spreadsheet takes for no formula."""
    with st.container(horizontal=True, vertical_alignment="top"):
        st.caption(literal(caption), width="stretch")
        csv_button(columns, file, key=f"file_{file}")


def paper(document: str) -> sheet.Sheet:
    """The dossier as its readers will see it."""
    return sheet.stacked(sheet.paper_view("paper", "Dossier, preview", document))


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
