"""What a meter lets through: all of its budget and no more, each draw paid before it is made."""

from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.gaussian_noise import MOST_CHANGED
from core.methods.randomness import STEPS, Candidates, Histograms
from core.privacy import Neighbours
from release.meter import Meter
from release.published import LAPLACE


class Told:
    """A drawer that gives sevens and keeps what it was asked, with what was left then."""

    def __init__(self):
        self.asked, self.meter = [], None

    def noise(self, kind, scales, cells):
        self.asked.append((kind, scales, cells, self.meter.left))
        return np.full(sum(cells), 7)

    def thinned(self, counts, rate):
        self.asked.append((counts.tolist(), rate))
        return counts // 2

    def chosen(self, law, gaps, rate):
        self.asked.append((law, gaps.tolist(), rate, self.meter.left))
        return 1


def meter(epsilon=1, delta=Fraction(0), neighbours=Neighbours.ADD_REMOVE):
    drawer = Told()
    drawer.meter = Meter(Fraction(epsilon), delta, neighbours, drawer)
    return drawer.meter, drawer.asked


def tables(count):
    return Histograms((("a",),) * count, np.arange(count))


def test_a_test_is_paid_before_it_is_drawn_and_may_take_all_that_is_left():
    own, asked = meter()
    assert own.test(3, Fraction(1, 4)) == (Fraction(12), 7)
    assert asked == [(LAPLACE, [12], [1], Fraction(3, 4))]
    assert own.test(3, Fraction(3, 4)) == (Fraction(4), 7) and own.left == 0
    with pytest.raises(EquipoiseError, match="a test costs 1e-09 and 0 is left"):
        own.test(3, Fraction(1, 10**9))
    gaussian, asked = meter(delta=Fraction(1, 10**6))
    with pytest.raises(EquipoiseError, match="correct the acceptance"):
        gaussian.test(3, gaussian.left / 2)
    assert asked == [] and gaussian.cost == 0


def test_tables_may_take_all_that_is_left():
    own, asked = meter()
    own.laplace(tables(4), np.full(4, 4.0), 1.0)
    assert own.left == 0 and asked[0][3] == 0
    assert [(m.budget, m.scale, m.rate) for m in own.measurements] == [(Fraction(1, 4), 4, 1)] * 4


def test_a_sample_is_drawn_at_its_rate_and_none_is_drawn_of_all_records():
    own, asked = meter()
    counts = np.array([5.0, 0.0, 2.0])
    assert own.thinned(counts, 1.0).tolist() == [5, 0, 2] and asked == []
    assert own.thinned(counts, 0.1).tolist() == [2, 0, 1]
    assert asked == [([5, 0, 2], Fraction(1, 10))] and own.cost == 0


def test_gaussian_tables_are_told_as_tables_of_all_records():
    own, _ = meter(delta=Fraction(1, 10**6))
    own.gaussian(tables(2), np.full(2, 50.0))
    assert [m.rate for m in own.measurements] == [1, 1]


def test_as_many_cells_change_as_are_proved_for_and_beyond_rounding_any_number():
    most = MOST_CHANGED // 2  # where a record is replaced
    own, _ = meter(delta=Fraction(1, 10**6), neighbours=Neighbours.REPLACE)
    own.gaussian(tables(most), np.full(most, 1e5))
    with pytest.raises(EquipoiseError, match="one record changes 4,098 cells"):
        own.gaussian(tables(1), np.full(1, 1e5))
    concentrated, _ = meter(20, Fraction(1, 10**6), Neighbours.REPLACE)
    concentrated.gaussian(tables(most + 1), np.full(most + 1, 1e5))


def test_gaussian_noise_within_its_own_rounding_is_refused_and_without_any_is_not():
    own, asked = meter(delta=Fraction(1, 10**3))
    for deviation in (0.5, 1.0):
        with pytest.raises(EquipoiseError, match="below what is proved"):
            own.gaussian(tables(1), np.array([deviation]))
    with pytest.raises(EquipoiseError, match="does not fit"):
        own.gaussian(tables(1), np.array([1.2]))
    assert asked == [] and own.cost == 0
    concentrated, _ = meter(20, Fraction(1, 10**6))
    concentrated.gaussian(tables(1), np.array([0.8]))
    assert float(concentrated.cost) == pytest.approx(1 / (2 * 0.8**2))


def test_a_choice_is_drawn_with_the_epsilon_that_its_part_of_rho_allows():
    own, asked = meter(delta=Fraction(1, 10**6))
    among = Candidates((("a",), ("b",)), np.array([9, 5]), Fraction(3), "exponential")
    assert own.choice(among, 0.1) == 1
    ((law, gaps, rate, left),) = asked
    epsilon = rate * 2 * STEPS
    assert (law, gaps, left) == ("exponential", [0, 4], own.left)
    assert epsilon > 0.1 * (1 - 1e-9) and epsilon**2 * Fraction("0.19635") <= own.cost
    (paid,) = own.measurements
    assert paid.variables == ("b",) and paid.scale == 6 / epsilon


def test_noisy_tables_are_kept_whole_and_in_order_after_a_public_number():
    own, _ = meter()
    own.keep(Histograms(((),), np.zeros(1, dtype=int)), np.array([41.0]))
    assert own.kept.records == 41 and own.kept.tables == []
    mixed = Histograms((("a",), ("b",)), np.array([1, 0, 1]))
    own.laplace(mixed, np.full(2, 2.0), 1.0)
    own.keep(mixed, np.array([5.0, -6.0, 7.0]))
    assert [table.tolist() for table in own.kept.tables] == [[-6], [5, 7]]
    assert {table.dtype for table in own.kept.tables} == {np.dtype(np.int64)}
    assert own.kept.records == 41
