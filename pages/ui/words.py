"""Numbers and findings in plain words."""

from __future__ import annotations

import math

from core.allocation import BudgetPlan
from core.membership.bound import PublishedBound, guaranteed_power
from core.privacy import Neighbours
from core.scenario import Scenario

Runs = list[tuple[str, str]]
"""Text with roles: ("0.026", "uniform") is written in the method's tone."""


def error(value: float) -> str:
    """An error with two significant digits.

    >>> error(0.02638), error(0.5), error(0.0)
    ('0.026', '0.50', '0')
    """
    if value == 0:
        return "0"
    digits = max(0, 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{digits}f}"


def budget(value: float) -> str:
    """An ε: two decimals from 1 on, three below, significant digits for the very small.

    >>> budget(1.0), budget(0.125), budget(0.0004)
    ('1.00', '0.125', '0.00040')
    """
    if value >= 1:
        return f"{value:.2f}" if value < 100 else f"{value:.0f}"
    return f"{value:.3f}" if value >= 0.01 else error(value)


def share(value: float) -> str:
    """A share in per cent: two decimals below 1 %, one below 20 %, else none.

    >>> share(0.0021), share(0.0735), share(0.4)
    ('0.21 %', '7.3 %', '40 %')
    """
    percent = 100 * value
    decimals = 2 if percent < 1 else 1 if percent < 20 else 0
    return f"{percent:.{decimals}f} %"


def of_hundred(value: float) -> str:
    """Members found, as a number out of a hundred."""
    return share(value).removesuffix(" %")


def relation(neighbours: Neighbours) -> str:
    """The neighbouring relation as a clause."""
    return "one record added or removed" if neighbours is Neighbours.ADD_REMOVE else (
        "one record replaced"
    )


def finding(
    method: str, scenario: Scenario, row_error: float, answer_error: float, bound: PublishedBound
) -> Runs:
    """The sentence at the top: condition, error, attacker, baseline."""
    alarm = 0.01
    found = guaranteed_power(alarm, scenario.epsilon, scenario.neighbours)
    return [
        ("At ", ""), (f"ε = {scenario.epsilon:g}", "strong"),
        (" a published row of probabilities is off by ", ""), (error(row_error), method),
        (" in total, and nine of ten answers by less than ", ""), (error(answer_error), method),
        (". An attacker who accepts 1 false alarm in 100 finds at most ", ""),
        (of_hundred(found), "risk"), (" of 100 members, whatever they know (", ""),
        (of_hundred(bound.power(alarm)), "strong"),
        (" by the published bound for exact tables); guessing finds 1.", ""),
    ]


def alarms(scenario: Scenario, bound: PublishedBound, rates: tuple[float, ...]) -> list[list[str]]:
    """Rows of the small table: false alarms, guarantee, published bound, guessing."""
    rows = []
    for rate in rates:
        base = 100 if rate >= 0.01 else 1000
        rows.append([
            f"{base * rate:g} of {base:,}",
            _found(guaranteed_power(rate, scenario.epsilon, scenario.neighbours), base),
            _found(bound.power(rate), base),
        ])
    return rows


def _found(power: float, base: int) -> str:
    return f"{of_hundred(power * base / 100)} of {base:,}"


def guarantee(plan: BudgetPlan) -> str:
    """Why the plan keeps its promise, with its own numbers."""
    first = plan.measurements[0]
    return (
        f"Between neighbours ({relation(plan.neighbours)}) each of the {len(plan.measurements)} "
        f"tables changes by at most {plan.neighbours.histogram_sensitivity}, so Laplace noise of "
        f"scale {plan.scales[0]:,.4g} records makes a table {budget(first.epsilon)}-private; the "
        f"parts add up to {plan.spent:.6f}, and composition gives ε = {plan.epsilon:g} for all."
    )
