"""Orders for tests, and workers that draw in the test's own process."""

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

from core.scenario import Scenario
from release.order import Order
from release.worker import ExactSampler


def order(study, token="click", method="equipoise", **changes):
    first = Order(
        study=study,
        network=study.network,
        method=method,
        scenario=Scenario(epsilon=0.5),
        token=token,
        budget=Fraction(2),
    )
    return replace(first, **changes)


def here(drawer=None):
    """Workers in this process."""
    return lambda: nullcontext(drawer or ExactSampler())
