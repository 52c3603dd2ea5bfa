"""Risk, asked further: the other way round, edges to drop, learned structures, appendix J."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import EquipoiseError
from core.membership.bound import (
    PublishedBound,
    complexity_for_auc,
    records_for_auc,
    records_for_power,
)
from core.membership.demonstrations import (
    DEMONSTRATIONS,
    POOLS,
    Demonstration,
    DemonstrationSetting,
)
from core.membership.structure import PARENT_LIMIT, edge_prices, learn
from core.network import Network
from figures.risk import ALARMS, edge_figure
from figures.template import numbers as rounded
from figures.tradeoff import Scale, Tradeoff, tradeoff_figure
from pages.ui.kit import compute, state, words
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.sheet import Words, figure_view, stacked
from pages.ui.kit.state import KEEP
from pages.ui.risk import numbers

POOL = 1_000
"""Members of a pool in the demonstrations, or a sixth of the people where there are fewer."""

EDGES = 12
"""Edges listed."""

SCALES: tuple[Scale, ...] = ("ratio", "log")


def show(choice: Choice) -> None:
    """The questions below the board, one at a time."""
    st.markdown("#### Ask further")
    asked = _switch("Question", list(QUESTIONS), persist_state="session")
    try:
        QUESTIONS[asked](choice)
    except EquipoiseError as problem:
        refuse(problem)


def _switch(label: str, options: list[str], **more: Any) -> str:  # noqa: ANN401
    """A row of options without its label, the first chosen before another is."""
    chosen: str = st.segmented_control(
        label, options, default=options[0], key=f"risk_{label.lower()}", required=True,
        label_visibility="collapsed", **more,
    )  # fmt: skip
    return chosen


def _inverse(choice: Choice) -> None:
    complexity, records = choice.measured.complexity, choice.study.records
    auc, power, alpha = st.columns(3)
    goal = auc.number_input("AUC at most", 0.501, 0.999, 0.6, 0.01, key="risk_auc", **KEEP)
    most = power.number_input(
        "Members found at most, %", 0.2, 99.0, 5.0, 0.5, key="risk_power", **KEEP
    )
    alarms = alpha.number_input(
        "at false alarms of, %", 0.1, 50.0, 1.0, 0.1, key="risk_alpha", **KEEP
    )
    auc.markdown(
        f"This graph (C = {complexity:,}) needs **{records_for_auc(complexity, goal):,} records**; "
        f"{records:,} records allow **C up to {complexity_for_auc(records, goal):,}**."
    )
    needed = records_for_power(complexity, alarms / 100, most / 100)
    power.markdown(f"This graph needs **{needed:,} records**.")
    st.caption("By the published bound: exact conditionals, many records.")


def _edges(choice: Choice) -> None:
    key = ("prices", choice.study.fingerprint, choice.network)
    prices = compute.remembered(key, lambda: edge_prices(choice.network, choice.study.counts))
    if not prices:
        st.info("The graph has no edges to drop.")
        return
    best = prices[0]
    chance = sum(p.by_chance for p in prices)
    st.markdown(
        f"Dropping **{literal(f'{best.parent} → {best.child}')}** takes away {best.saves:,} of "
        f"{choice.measured.complexity:,} parameters for {words.error(best.loses)} nats of fit. "
        f"{chance} of {len(prices)} edges fit no better than chance would."
    )
    left = [max(choice.measured.complexity - p.saves, 1) for p in prices]
    table: dict[str, list[Any]] = {
        "edge": [f"{p.parent} → {p.child}" for p in prices],
        "parameters saved": [p.saves for p in prices],
        "AUC without it": [round(PublishedBound(c, choice.study.records).auc, 4) for c in left],
        "fit lost (nats)": [round(p.loses, 1) for p in prices],
        "saved per nat": [round(p.bargain, 2) for p in prices],
    }
    texts = Words(
        title="What an edge costs and gives",
        subtitle="On the line an edge fits as well as chance alone would",
        caption="Fit is the log-likelihood of all records: study only. Remove edges on the graph "
        "above.",
        alt=f"Parameters saved against fit lost for {len(prices)} edges; {chance} fit no better "
        "than chance would.",
    )
    figure = edge_figure(
        table["edge"], np.array([p.loses for p in prices]), np.array([p.saves for p in prices])
    )
    stacked(figure_view("edges", texts, {"edges": figure}, table)).mount(key="risk_edges")
    number = st.column_config.NumberColumn
    told = "By the published bound: an estimate, not a guarantee."
    _grid(
        pd.DataFrame({name: column[:EDGES] for name, column in table.items()}),
        {
            "AUC without it": number(format="%.4f", help=told),
            "fit lost (nats)": number(format="%.1f"),
        },
    )
    st.caption("Most parameters saved per unit of fit first.")


def _grid(frame: pd.DataFrame, config: dict[str, Any] | None = None) -> None:
    st.dataframe(frame, hide_index=True, width="stretch", column_config=config)


def _structures(choice: Choice) -> None:
    study = choice.study
    graphs = [
        compute.remembered(
            ("learned", study.fingerprint, parents),
            functools.partial(learn, study.network.variables, study.counts, parents),
        )
        for parents in range(PARENT_LIMIT + 1)
    ]
    bounds = [PublishedBound(max(g.complexity, 1), choice.study.records) for g in graphs]
    st.markdown(
        f"From no edges to up to three parents the complexity grows from "
        f"{graphs[0].complexity:,} to **{graphs[-1].complexity:,}** and the published AUC from "
        f"{bounds[0].auc:.3f} to **{bounds[-1].auc:.3f}**; the graph on show has "
        f"{choice.measured.complexity:,}."
    )
    _structure_figure(bounds)
    columns = {
        "most parents η": range(PARENT_LIMIT + 1),
        "edges": [len(g.edges) for g in graphs],
        "complexity": [g.complexity for g in graphs],
        "published AUC": [round(b.auc, 4) for b in bounds],
        "advantage": [round(b.advantage, 4) for b in bounds],
        "found at 1 %": [words.share(b.power(0.01)) for b in bounds],
    }
    four = st.column_config.NumberColumn(format="%.4f")
    _grid(pd.DataFrame(columns), {"published AUC": four, "advantage": four})
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    parents = left.segmented_control(
        "Show on this page", range(PARENT_LIMIT + 1), default=1, key="risk_parents", required=True
    )
    right.button("Use this structure", on_click=_adopt, args=(graphs[parents],))
    st.caption(
        "Learned from pairwise tables of the records (appendix I), so the structure itself tells "
        "about them: study only, and part of the budget if it were released."
    )


def _structure_figure(bounds: Sequence[PublishedBound]) -> None:
    names = [words.counted(parents, "parent") for parents in range(len(bounds))]
    curves = [
        Tradeoff(f"at most {name}", "asymptotic", bound.powers(ALARMS), label=name)
        for name, bound in zip(names, bounds, strict=True)
    ]
    texts = Words(
        title="Members found, by structure",
        subtitle="Published bound of exact conditionals: an estimate, not a guarantee",
        caption="",
        alt=f"At 0.1 % false alarms the published bound grows from "
        f"{words.share(bounds[0].power(0.001))} without edges to "
        f"{words.share(bounds[-1].power(0.001))} with up to three parents.",
    )
    shown = [*curves, Tradeoff("guessing", "guessing", ALARMS)]
    look: dict[str, Any] = {"revision": "structures", "height": 300, "leaders": True}
    figures = {s: tradeoff_figure(ALARMS, shown, scale=s, **look) for s in SCALES}
    table = {"false alarms": rounded(ALARMS)}
    table |= {curve.name: rounded(curve.powers) for curve in curves}
    stacked(figure_view("structures", texts, figures, table)).mount(key="risk_structures")


def _adopt(graph: Network) -> None:
    edits = dict(state.load().edits)
    edits[st.session_state.network] = graph
    state.change(edits=edits, message="")


def _demonstrations(choice: Choice) -> None:
    which = _switch("Demonstration", list(DEMONSTRATIONS))
    study, seed = choice.study, choice.scenario.seed

    def make() -> Demonstration:
        size = max(2, min(POOL, study.records // 6))
        setting = DemonstrationSetting(numbers.population_of(study), study.counts, size)
        return DEMONSTRATIONS[which](setting, rng=np.random.default_rng([seed, 71]))

    with st.spinner("Drawing pools"):
        key = ("demonstration", which, study.fingerprint, seed)
        demonstration = compute.remembered(key, make)
    st.markdown(literal(demonstration.sentence))
    _grid(pd.DataFrame(demonstration.rows, columns=list(demonstration.head)).round(4))
    st.caption(f"{POOLS} pools, 95 % intervals over pools; exact conditionals; study only.")


QUESTIONS = {
    "The other way round": _inverse,
    "Edges to drop": _edges,
    "Learned structures": _structures,
    "Appendix J": _demonstrations,
}
