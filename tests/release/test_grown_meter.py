"""A synthesis drawn by a meter: exact choices, exact noise, never more than its budget."""

import math
from fractions import Fraction

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.methods.randomness import Candidates
from core.privacy import Neighbours
from core.synthesis.measuring import Purse
from core.synthesis.ways import made
from core.table import Variable
from release.meter import Meter
from release.rationals import choosing_epsilon
from release.worker import ExactSampler

BITS = tuple(Variable(name, ("0", "1")) for name in "abcd")
ROWS = Rows(Dataset(BITS, np.random.default_rng(0).integers(0, 2, (300, 4))))


@pytest.mark.parametrize("way", ["adaptive", "views"])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_metered_synthesis_spends_its_budget_exactly_and_no_more(way, delta, neighbours):
    meter = Meter(Fraction(1), delta, neighbours, ExactSampler())
    purse = Purse(1.0, float(delta), neighbours)
    grown = made(way, ROWS, BITS, purse, rng=meter)
    assert sum(m.budget for m in meter.measurements) == meter.cost <= meter.total
    assert meter.left <= meter.total / 10**6
    chosen = [step.columns for step in grown.steps if step.candidates > 1]
    laws = [m for m in meter.measurements if "discrete" not in m.noise]
    assert len(laws) >= len(chosen)
    assert all(np.isnan(step.score) for step in grown.steps if step.candidates > 1)
    assert np.isfinite(grown.model.values).all()


def test_a_choice_costs_a_sixteenth_of_pi_of_its_square_of_rho():
    meter = Meter(Fraction(1), Fraction(1, 10**6), Neighbours.ADD_REMOVE, ExactSampler())
    two = Candidates((("a",), ("b",)), np.array([0, 5]), Fraction(1), "exponential")
    assert meter.kept.places == [meter.choice(two, 0.1)]
    assert meter.cost >= math.pi * 0.1**2 / 16
    assert meter.cost == pytest.approx(math.pi * 0.1**2 / 16, rel=1e-5)
    own = choosing_epsilon(meter.cost, Fraction(1, 8))
    assert own**2 / 8 <= meter.cost
    flip = Candidates((("a",), ("b",)), np.array([0, 5]), Fraction(1), "permute-and-flip")
    with pytest.raises(EquipoiseError, match="only the exponential mechanism"):
        meter.choice(flip, 0.1)
