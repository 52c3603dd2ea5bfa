"""Compare: what a person sets, one frontier for each network, who is cheapest, who has none."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core.study import frontier_words
from core.study.frontier import Frontier
from core.study.frontier_points import GRID, PRICES, Price, frontier_methods
from core.study.quantities import QUANTITIES, Quantity
from figures.frontier import frontier_figure, frontier_table
from pages.ui.compare.points import Compared, FrontierChoice, answerable
from pages.ui.kit import inputs, limits, state
from pages.ui.kit.inputs import command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Sheet, Words, abreast, figure_view, study_top
from sources.named_numbers import number_text
from sources.networks import sample_names

MOST = 4
"""Most networks beside each other."""

PAID: dict[Price, float] = {"epsilon": 1.0, "power": 0.05, "auc": 0.6}
"""The price that is asked about first."""


class Goals(NamedTuple):
    """An error and a price that a person has in mind."""

    error: float
    paid: float


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
    known = answerable(inputs.chosen().network)
    metric = left.selectbox(
        "Error", known, known.index("query_l1") if "query_l1" in known else 0,
        format_func=lambda key: QUANTITIES[key].name, key="compare_metric", **state.KEEP,
    )  # fmt: skip
    price = middle.segmented_control(
        "against", PRICES, default=PRICES[0], format_func=frontier_words.PRICE_NAMES.__getitem__,
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
        "Who errs least at this " + frontier_words.PRICE_NAMES[asked.price] + "?", 0.001, 1000.0,
        PAID[asked.price], step=0.01, format="%.4g", key=f"compare_paid_{asked.price}",
        **state.KEEP,
    )  # fmt: skip
    return Goals(error, paid)


DIAMONDS = (
    "Diamonds: the Pareto set, points that no other beats in both. Hover for the numbers of all."
)
APART = (
    "Over ε, pure ε and (ε, δ) are different promises and are ranked apart; over the composed "
    "guarantee all are ranked together, because it says the same of each."
)


def sheet(several: Mapping[str, Compared], wanted: FrontierChoice, goals: Goals) -> Sheet:
    """What is measured so far."""
    frontiers = {name: one.frontier(wanted) for name, one in several.items()}
    views = [
        _view(name, several[name], one, wanted, goals, place)
        for place, (name, one) in enumerate(frontiers.items())
    ]
    choice, one = next(iter(several.values())).choice, next(iter(frontiers.values()))
    finding = frontier_words.too_early(frontiers) or (
        frontier_words.cheapest_everywhere(frontiers, goals.error)
        if len(frontiers) > 1
        else frontier_words.cheapest_sentence(one, goals.error)
    )
    top = study_top("Compare every method", [(finding, "")], choice)
    return Sheet(views, abreast([view["name"] for view in views]), top=top)


def _view(
    name: str, one: Compared, drawn: Frontier, wanted: FrontierChoice, goals: Goals, place: int
) -> View:
    scenario = one.choice.scenario
    said = frontier_words.best_sentence(drawn, goals.paid)
    axis = frontier_words.price_axis(wanted.price, wanted.alpha)
    texts = Words(
        title=f"Frontier of {name}",
        subtitle=said,
        caption=" ".join((DIAMONDS, *frontier_words.absences(drawn))),
        alt=f"{drawn.quantity.name} against {axis} for {len(wanted.methods)} methods. {said}",
        details={
            "Error": f"{drawn.quantity.sentence}: {drawn.quantity.formula}",
            "Given away": axis,
            "Ranking": APART,
            "Reading": f"Line: median of {scenario.replicates} releases at each of {len(GRID)} "
            "budgets; band: 50 % of them. Between the dots the line is drawn straight on these "
            "scales.",
            "Study only": "Measured against the exact counts, so it is not private.",
            "Command line": _command(one, wanted, goals),
        },
        file=f"equipoise-study-frontier-{place + 1}.csv",
    )
    figure = frontier_figure(drawn, scenario.epsilon)
    return figure_view(
        f"frontier{place}",
        texts,
        {"frontier": figure},
        frontier_table({name: drawn}),
        _summary(drawn, goals),
    )


Rows = tuple[Sequence[str], Sequence[Sequence[str]]]


def _summary(drawn: Frontier, goals: Goals) -> Rows:
    """What the hover says, for whoever has no pointer: both goals, method by method."""
    priced = {offer.method: offer for some in drawn.cheapest(goals.error) for offer in some}
    errors = {offer.method: offer for some in drawn.best(goals.paid) for offer in some}
    paid, error = frontier_words.price_text(drawn.price, goals.paid), number_text(goals.error)
    heads = ("method", "promise", f"error at {paid}", f"price of error {error}")
    said = {m: frontier_words.error_text(drawn, offer.error) for m, offer in errors.items()}
    price = {m: frontier_words.priced_text(drawn.price, offer) for m, offer in priced.items()}
    rows = [
        [c.method, c.promise, said.get(c.method, "–"), price.get(c.method, "–")]
        for c in drawn.curves
    ]
    return heads, rows


def _command(one: Compared, wanted: FrontierChoice, goals: Goals) -> str:
    more = (
        f"--methods {','.join(wanted.methods)} --metric {wanted.metric} --price {wanted.price} "
        f"--alpha {number_text(wanted.alpha)} --error {number_text(goals.error)} "
        f"--paid {number_text(goals.paid)}"
    )
    return command("compare", one.choice, more)
