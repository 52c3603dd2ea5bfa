"""The same numbers on every processor, and from one commit to the next.

The tolerance is 1e-9, relative. Processors differ in how they add: with fused products, and in what
order a vector's parts are summed, which moves a sum by 1e-16 of its terms' sizes. Direct methods
amplify that by at most the condition of their sums (a difference of counts of up to 2,000 that is
of the order of one: 2e3) over some thousand terms: 1e-10 at most. Iterated ones (mrf-naive, cgm and
the estimators) could also take another round where a gradient meets its tolerance to 1e-16; the
scenario has so much noise that some ten rounds are enough, and none ends that close.
"""

import pytest

from core.methods.registry import METHODS
from tests.golden import numbers

KEPT = numbers.kept()


def test_every_method_has_its_numbers():
    assert set(KEPT["methods"]) == set(METHODS)
    assert set(KEPT["estimators"]) == set(numbers.ESTIMATORS)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_gives_the_same_errors_as_ever(name):
    assert numbers.of_method(name) == pytest.approx(KEPT["methods"][name], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", numbers.ESTIMATORS)
def test_an_estimator_gives_the_same_divergence_as_ever(name):
    assert numbers.of_estimator(name) == pytest.approx(KEPT["estimators"][name], rel=1e-9)
