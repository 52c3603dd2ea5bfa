"""The frontier in words, the same behind both doors: what is given away, and who asks for least."""

from collections.abc import Mapping, Sequence

from core.methods.registry import METHODS
from core.notation import short
from core.study.frontier import Frontier, Offer
from core.study.frontier_points import Price
from core.study.quantities import share

PRICE_NAMES: dict[Price, str] = {"epsilon": "ε", "power": "members found", "auc": "AUC"}
"""What is given away, as a choice is called."""


NAMED = 3
"""Most methods that a sentence names in one row."""


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
        return f"ε = {short(value, 3)}"
    return (
        f"an AUC of {value:.3f}" if price == "auc" else f"{short(100 * value, 3)} % of the members"
    )


def left_out() -> dict[str, str]:
    """Methods that have no place on a frontier, and why."""
    return {
        name: method.refused or "it promises nothing"
        for name, method in METHODS.items()
        if not method.guarantee.private
    }


def too_early(frontiers: Mapping[str, Frontier]) -> str:
    """What is said while a method has not been measured at three budgets; nothing afterwards."""
    curves = [curve for one in frontiers.values() for curve in one.curves if not curve.why]
    few = [curve for curve in curves if len(curve.epsilons) < 3]
    if not few:
        return ""
    points = sum(len(curve.epsilons) for curve in curves)
    return (
        f"Measuring, {points} points so far: who is cheapest is told when every method has been "
        "measured at three budgets."
    )


def cheapest_sentence(frontier: Frontier, error: float) -> str:
    """Who asks for least to reach an error, in each kind of promise."""
    goal = f"{frontier.quantity.name} = {error_text(frontier, error)}"
    told = [cheapest_of(offers, frontier.price) for offers in frontier.cheapest(error) if offers]
    if not told:
        return f"No method reaches {goal} within what is measured."
    return f"Cheapest for {goal}: {'; '.join(told)}."


def cheapest_of(offers: Sequence[Offer], price: Price) -> str:
    """The first of some offers and the next two; those that need less than is measured together."""
    first, *others = offers
    if first.most:
        names = [offer.method for offer in offers if offer.most]
        who = ", ".join(names) if len(names) <= NAMED else f"{len(names)} methods"
        each = "each " if len(names) > 1 else ""
        return f"{who}, {each}{priced_text(price, first)} ({first.promise})"
    told = [f"{o.method} {price_text(price, o.price)}" for o in others[:2]]
    return f"{first.method}, {price_text(price, first.price)} ({first.promise}){_then(told)}"


def _then(told: Sequence[str]) -> str:
    return f", then {', '.join(told)}" if told else ""


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
    goal = f"{first.quantity.name} = {error_text(first, error)}"
    return f"Cheapest for {goal}: {'; '.join(told) or 'nobody within what is measured'}."


def best_sentence(frontier: Frontier, place: float) -> str:
    """Who errs least at a price, in each kind of promise."""
    goal, said = price_text(frontier.price, place), []
    for offers in frontier.best(place):
        told = [f"{o.method} {error_text(frontier, o.error)}" for o in offers[:3]]
        said += [f"{told[0]} ({offers[0].promise}){_then(told[1:])}"] if told else []
    if not said:
        return f"Nothing is measured at {goal}."
    most = "Most" if frontier.rising else "Least"
    return f"{most} {frontier.quantity.name} at {goal}: {'; '.join(said)}."


def error_text(frontier: Frontier, value: float) -> str:
    """One value of the error."""
    return share(value) if frontier.quantity.kind == "share" else short(value, 3)


def absences(frontier: Frontier) -> list[str]:
    """Why a method has no curve, one sentence each."""
    missing = {curve.method: curve.why for curve in frontier.curves if curve.why} | left_out()
    return [f"{method} has no curve: {why}." for method, why in missing.items()]
