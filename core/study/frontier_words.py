"""The frontier in words, the same behind both doors: what is given away, and who asks for least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.methods.registry import METHODS
from core.study.frontier import Frontier, Offer
from core.study.frontier_points import Price
from core.study.quantities import share

PRICE_NAMES: dict[Price, str] = {
    "epsilon": "ε",
    "power": "members found",
    "auc": "AUC",
}
"""What is given away, as a choice is called."""


def price_axis(price: Price, alpha: float) -> str:
    """What is given away, in full: the title of an axis."""
    if price == "epsilon":
        return "ε, total budget (log scale)"
    if price == "auc":
        return "AUC of any attacker, at most (composed guarantee)"
    return f"members found at {share(alpha)} false alarms, at most (composed guarantee)"


def price_text(price: Price, value: float) -> str:
    """One price.

    >>> price_text("epsilon", 0.51234), price_text("power", 0.051), price_text("auc", 0.6128)
    ('ε = 0.512', '5.1 % of the members', 'an AUC of 0.613')
    """
    if price == "epsilon":
        return f"ε = {value:.3g}"
    return f"an AUC of {value:.3f}" if price == "auc" else f"{100 * value:.3g} % of the members"


def left_out() -> dict[str, str]:
    """Methods that have no place on a frontier, and why."""
    return {
        name: method.refused or "it promises nothing"
        for name, method in METHODS.items()
        if not method.guarantee.private
    }


def cheapest_sentences(frontier: Frontier, error: float) -> list[str]:
    """Who asks for least to reach an error: one sentence for each kind of promise."""
    goal = f"{frontier.quantity.name} of {error_text(frontier, error)}"
    said = []
    for offers in frontier.cheapest(error):
        if offers:
            said.append(f"Cheapest for {goal}: {cheapest_of(offers, frontier.price)}.")
    return said or [f"No method reaches {goal} within what is measured."]


def cheapest_of(offers: Sequence[Offer], price: Price) -> str:
    """The first of some offers and the next two; those that need less than is measured together."""
    first, *others = offers
    if first.most:
        names = ", ".join(offer.method for offer in offers if offer.most)
        return f"{names}, each {priced_text(price, first)} ({first.promise})"
    told = [f"{o.method} {price_text(price, o.price)}" for o in others[:2]]
    rest = f"; next {', '.join(told)}" if told else ""
    return f"{first.method}, {price_text(price, first.price)} ({first.promise}){rest}"


def priced_text(price: Price, offer: Offer) -> str:
    """What one method asks for."""
    return f"{price_text(price, offer.price)}{' or less' if offer.most else ''}"


def cheapest_everywhere(frontiers: Mapping[str, Frontier], error: float) -> str:
    """Who asks for least to reach an error on each of several networks."""
    first = next(iter(frontiers.values()))
    told = [
        f"on {name} {cheapest_of(offers[:1], one.price)}"
        for name, one in frontiers.items()
        for offers in one.cheapest(error)
        if offers
    ]
    goal = f"{first.quantity.name} of {error_text(first, error)}"
    return f"Cheapest for {goal}: {'; '.join(told) or 'nobody within what is measured'}."


def best_sentences(frontier: Frontier, place: float) -> list[str]:
    """Who errs least at a price: one sentence for each kind of promise."""
    goal = price_text(frontier.price, place)
    said = []
    for offers in frontier.best(place):
        if offers:
            first, *others = offers
            told = [f"{o.method} {error_text(frontier, o.error)}" for o in others[:2]]
            rest = f"; next {', '.join(told)}" if told else ""
            said.append(
                f"Best at {goal}: {first.method}, {frontier.quantity.name} "
                f"{error_text(frontier, first.error)} ({first.promise}){rest}."
            )
    return said or [f"Nothing is measured at {goal}."]


def error_text(frontier: Frontier, value: float) -> str:
    """One value of the error."""
    return share(value) if frontier.quantity.kind == "share" else f"{value:.3g}"


def absences(frontier: Frontier) -> list[str]:
    """Why a method has no curve, one sentence each."""
    missing = {curve.method: curve.why for curve in frontier.curves if curve.why} | left_out()
    return [f"{method} has no curve: {why}." for method, why in missing.items()]
