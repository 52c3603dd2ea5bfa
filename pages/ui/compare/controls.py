"""What a person sets on Compare: networks, methods, what is given away for which error."""

from __future__ import annotations

import streamlit as st

from core.study.frontier_points import PRICES, Price, frontier_methods
from core.study.frontier_words import PRICE_NAMES
from core.study.metrics import METRICS
from core.study.quantities import QUANTITIES, Quantity
from pages.ui.compare.page import Goals
from pages.ui.compare.points import FrontierChoice
from pages.ui.kit import compute, inputs, limits, state
from sources.networks import sample_names

MOST = 4
"""Most networks beside each other."""

PAID: dict[Price, float] = {"epsilon": 1.0, "power": 0.05, "auc": 0.6}
"""The price that is asked about first."""


def networks() -> list[str]:
    """The network on show and others to set beside it; an upload stands alone."""
    on_show = st.session_state.network
    if on_show == state.UPLOADED:
        return [on_show]
    others = st.multiselect(
        "Networks beside it",
        [name for name in sample_names() if name != on_show],
        key="compare_networks",
        max_selections=MOST - 1,
        placeholder="none",
        **state.KEEP,
    )
    return [on_show, *(name for name in others if name != on_show)]


def wanted() -> FrontierChoice:
    """Methods, error and price."""
    private = frontier_methods()
    methods = st.pills(
        "Methods", private, selection_mode="multi", default=private, key="compare_methods",
        wrap=True, **state.KEEP,
    )  # fmt: skip
    left, middle, right = st.columns([2, 1.6, 1], vertical_alignment="bottom")
    silent = compute.unanswerable(inputs.chosen().network)
    known = [m for m in METRICS if not (silent and QUANTITIES[m].needs_answers)]
    metric = left.selectbox(
        "Error", known, known.index("query_l1") if "query_l1" in known else 0,
        format_func=lambda key: QUANTITIES[key].name, key="compare_metric", **state.KEEP,
    )  # fmt: skip
    price = middle.segmented_control(
        "against", PRICES, default=PRICES[0], format_func=PRICE_NAMES.__getitem__,
        key="compare_price", required=True, **state.KEEP,
    )  # fmt: skip
    alpha = right.selectbox(
        "at false alarms", limits.FALSE_ALARMS, 1, format_func=lambda a: f"{100 * a:g} %",
        key="compare_alpha", disabled=price != "power", **state.KEEP,
    )  # fmt: skip
    return FrontierChoice(tuple(m for m in private if m in methods), metric, price, alpha)


def goals(asked: FrontierChoice) -> Goals:
    """The error and the price that a person has in mind."""
    quantity: Quantity = QUANTITIES[asked.metric]
    start = 0.9 if quantity.kind == "share" else 5.0 if quantity.key == "l1_sum" else 0.02
    left, right, _ = st.columns([1, 1, 2], vertical_alignment="bottom")
    error = left.number_input(
        "Who reaches this error cheapest?", 0.0001, 1000.0, start, step=0.01, format="%.4g",
        key=f"compare_error_{quantity.kind}_{quantity.key == 'l1_sum'}", **state.KEEP,
    )  # fmt: skip
    paid = right.number_input(
        "Who errs least at this " + PRICE_NAMES[asked.price] + "?", 0.001, 1000.0,
        PAID[asked.price], step=0.01, format="%.4g", key=f"compare_paid_{asked.price}",
        **state.KEEP,
    )  # fmt: skip
    return Goals(error, paid)
