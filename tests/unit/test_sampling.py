"""Sampling: the documented draws, frequencies, and the odd cases."""

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.queries import marginals
from core.inference.sampling import sample
from core.network import Network
from core.parameters import Model
from core.table import Variable
from sources import networks
from tests.strategies import random_model


def slowly(model, records, *, rng):
    """The twin: the documented order of draws, one record at a time."""
    network = model.network
    codes = np.zeros((records, len(network.variables)), dtype=int)
    for node in network.order:
        for record, number in enumerate(rng.random(records)):
            row = tuple(codes[record, p] for p in network.parent_indices[node])
            cumulative = 0.0
            for state, probability in enumerate(model.conditional(node).values[row]):
                cumulative += probability
                if number < cumulative:
                    codes[record, node] = state
                    break
    return codes


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_draws_as_documented(name):
    model = networks.sample(name).model
    found = sample(model, 40, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(found.codes, slowly(model, 40, rng=np.random.default_rng(3)))
    assert found.variables == model.network.variables


def test_same_seed_same_rows_and_another_seed_other_rows():
    model = networks.sample("alarm").model
    first, again, other = (sample(model, 50, rng=np.random.default_rng(s)) for s in (1, 1, 2))
    assert first.fingerprint == again.fingerprint != other.fingerprint


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_frequencies_are_within_five_standard_errors(name):
    model = networks.sample(name).model
    records = 20_000
    codes = sample(model, records, rng=np.random.default_rng(0)).codes
    for node, expected in enumerate(marginals(model)):
        found = np.bincount(codes[:, node], minlength=len(expected)) / records
        error = np.sqrt(expected * (1 - expected) / records)
        assert (np.abs(found - expected) <= 5 * error + 1e-12).all(), model.network.names[node]


def test_pairs_follow_the_conditional():
    parent, child = Variable("p", ("a", "b")), Variable("c", ("x", "y", "z"))
    network = Network((child, parent), (("p",), ()))
    rows = np.array([[0.7, 0.2, 0.1], [0.1, 0.0, 0.9]])
    model = Model.from_conditionals(network, [rows, np.array([0.25, 0.75])])
    records = 20_000
    codes = sample(model, records, rng=np.random.default_rng(5)).codes
    for state in range(2):
        chosen = codes[codes[:, 1] == state, 0]
        found = np.bincount(chosen, minlength=3) / len(chosen)
        error = np.sqrt(rows[state] * (1 - rows[state]) / len(chosen))
        assert (np.abs(found - rows[state]) <= 5 * error).all()


def test_impossible_states_never_appear():
    """Rows such as ten times 0.1 add up to less than one; a last state of zero must stay away."""

    class Largest(np.random.Generator):
        """Draws the largest number below one."""

        def random(self, size=None, dtype=np.float64, out=None):
            out[:] = np.nextafter(1.0, 0.0)
            return out

    states = tuple(map(str, range(12)))
    network = Network((Variable("v", states),), ((),))
    values = np.array([0.0, *[0.1] * 10, 0.0])
    assert np.cumsum(values)[-1] < 1
    model = Model(network, values)
    found = sample(model, 3, rng=Largest(np.random.PCG64(0)))
    assert found.codes[:, 0].tolist() == [10, 10, 10]
    drawn = sample(model, 5_000, rng=np.random.default_rng(0)).codes
    assert 1 <= drawn.min() <= drawn.max() <= 10


def test_more_than_a_byte_of_states():
    big = Variable("big", tuple(map(str, range(300))))
    network = Network((big, Variable("one", ("only",))), (("one",), ()))
    model = random_model(network, rng=np.random.default_rng(1))
    found = sample(model, 2_000, rng=np.random.default_rng(2))
    assert found.codes.dtype == np.uint16
    assert found.codes[:, 0].max() > 255


def test_no_records():
    assert sample(networks.sample("asia").model, 0, rng=np.random.default_rng(0)).records == 0


def test_replicates_are_refused():
    model = networks.sample("asia").model
    many = Model(model.network, np.stack([model.values] * 3))
    with pytest.raises(EquipoiseError, match=r"replicate axes of shape \(3,\)"):
        sample(many, 5, rng=np.random.default_rng(0))


def test_a_negative_number_of_records_is_refused():
    with pytest.raises(EquipoiseError, match="records is -1"):
        sample(networks.sample("asia").model, -1, rng=np.random.default_rng(0))
