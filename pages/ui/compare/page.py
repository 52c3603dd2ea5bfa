"""Compare's sheet: one frontier for each network, who is cheapest, who has no curve and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.study.frontier import Frontier, Offer
from core.study.frontier_points import GRID
from core.study.frontier_words import (
    absences,
    best_sentence,
    cheapest_everywhere,
    cheapest_sentence,
    error_text,
    price_axis,
    price_text,
    priced_text,
    too_early,
)
from figures.frontier import frontier_figure, frontier_table
from pages.ui.compare.points import Compared, FrontierChoice
from pages.ui.kit import dragging, inputs
from pages.ui.kit.inputs import command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Room, Sheet, Top, Words, figure_view
from pages.ui.kit.words import exactly

APART = (
    "Over ε, pure ε and (ε, δ) are different promises and are ranked apart; over the composed "
    "guarantee all are ranked together, because it says the same of each."
)


@dataclass(frozen=True)
class Goals:
    """An error and a price that a person has in mind."""

    error: float
    paid: float


def sheet(several: Mapping[str, Compared], wanted: FrontierChoice, goals: Goals) -> Sheet:
    """What is measured so far."""
    frontiers = {name: one.frontier(wanted) for name, one in several.items()}
    views = [
        _view(name, several[name], one, wanted, goals, place)
        for place, (name, one) in enumerate(frontiers.items())
    ]
    names = [view["name"] for view in views]
    rows = [names] if len(names) == 1 else [names[i : i + 2] for i in range(0, len(names), 2)]
    wide = Room(tuple(" ".join((row * 2)[:2]) for row in rows), "repeat(2, minmax(0, 1fr))")
    choice = next(iter(several.values())).choice
    return Sheet(
        views,
        wide,
        Room(tuple(names), "minmax(0, 1fr)"),
        Top(
            "Compare every method",
            "Study: compares with the truth, not for publication",
            [(_finding(frontiers, goals), "")],
            inputs.describe(choice),
            dragging.knobs(choice.scenario),
        ),
    )


def _finding(frontiers: Mapping[str, Frontier], goals: Goals) -> str:
    if early := too_early(frontiers):
        return early
    if len(frontiers) > 1:
        return cheapest_everywhere(frontiers, goals.error)
    (one,) = frontiers.values()
    return cheapest_sentence(one, goals.error)


def _view(
    name: str, one: Compared, drawn: Frontier, wanted: FrontierChoice, goals: Goals, place: int
) -> View:
    scenario = one.choice.scenario
    said = best_sentence(drawn, goals.paid)
    axis = price_axis(wanted.price, wanted.alpha)
    texts = Words(
        title=f"Frontier of {name}",
        subtitle=said,
        caption=" ".join(["Diamonds: the Pareto set, points that no other beats in both. Hover for "
                          "the numbers of all.", *absences(drawn)]),
        alt=f"{drawn.quantity.name} against {axis} for {len(wanted.methods)} methods. {said}",
        details=(
            ("Error", f"{drawn.quantity.sentence}: {drawn.quantity.formula}"),
            ("Given away", axis),
            ("Ranking", APART),
            (
                "Reading",
                f"Line: median of {scenario.replicates} releases at each of {len(GRID)} budgets; "
                "band: 50 % of them. Between the dots the line is drawn straight on these scales.",
            ),
            ("Study only", "Measured against the exact counts, so it is not private."),
            ("Command line", _command(one, wanted, goals)),
        ),
        file=f"equipoise-study-frontier-{place + 1}.csv",
    )  # fmt: skip
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
    heads = (
        "method",
        "promise",
        f"error at {price_text(drawn.price, goals.paid)}",
        f"price of error {exactly(goals.error)}",
    )
    rows = [
        [
            curve.method,
            curve.promise,
            _said(errors.get(curve.method), lambda offer: error_text(drawn, offer.error)),
            _said(priced.get(curve.method), lambda offer: priced_text(drawn.price, offer)),
        ]
        for curve in drawn.curves
    ]
    return heads, rows


def _said(offer: Offer | None, text: Callable[[Offer], str]) -> str:
    return "–" if offer is None else text(offer)


def _command(one: Compared, wanted: FrontierChoice, goals: Goals) -> str:
    more = (
        f"--methods {','.join(wanted.methods)} --metric {wanted.metric} --price {wanted.price} "
        f"--alpha {exactly(wanted.alpha)} --error {exactly(goals.error)} "
        f"--paid {exactly(goals.paid)}"
    )
    return command("compare", one.choice, more)
