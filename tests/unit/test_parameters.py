import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import Model, fit
from core.table import Variable
from tests.strategies import SEEDS, networks

A, B = Variable("A", ("0", "1")), Variable("B", ("x", "y", "z"))
PAIR = Network((A, B), ((), ("A",)))


def pack(a, b):
    return PAIR.layout.pack([np.array(a, dtype=float), np.array(b, dtype=float)])


def test_rows_are_clipped_and_normalised_by_hand():
    model = fit(PAIR, pack([3, 1], [[2, 2, -5], [1, 0, 3]]))
    np.testing.assert_allclose(model.conditional(0).values, [0.75, 0.25])
    np.testing.assert_allclose(model.conditional(1).values, [[0.5, 0.5, 0], [0.25, 0, 0.75]])


def test_an_empty_row_takes_the_variables_own_marginal():
    model = fit(PAIR, pack([3, 1], [[-1, -2, 0], [1, 0, 3]]))
    np.testing.assert_allclose(model.conditional(1).values[0], [0.25, 0, 0.75])


def test_a_variable_without_mass_becomes_uniform():
    model = fit(PAIR, pack([0, 0], np.zeros((2, 3))))
    np.testing.assert_allclose(model.conditional(0).values, [0.5, 0.5])
    np.testing.assert_allclose(model.conditional(1).values, np.full((2, 3), 1 / 3))


def slow_fit(network, tables):
    """The obvious twin: one row at a time, one replicate at a time."""
    out = []
    for table in tables:
        rows = np.maximum(table, 0).reshape(-1, table.shape[-1])
        own = rows.sum(axis=0)
        own = own / own.sum() if own.sum() > 0 else np.full(len(own), 1 / len(own))
        done = [row / row.sum() if row.sum() > 0 else own for row in rows]
        out.append(np.array(done).reshape(table.shape))
    return network.layout.pack(out)


@given(networks(), SEEDS, st.integers(1, 4))
def test_fit_equals_its_slow_twin_in_every_replicate(network, seed, replicates):
    rng = np.random.default_rng(seed)
    flat = rng.integers(-3, 3, (replicates, network.layout.size)).astype(float)
    slow = [
        slow_fit(network, [network.layout.unpack(row, i) for i in range(len(network.names))])
        for row in flat
    ]
    np.testing.assert_allclose(fit(network, flat.copy()).values, slow, atol=1e-12)


@given(networks(), SEEDS)
def test_scaling_all_counts_changes_nothing(network, seed):
    flat = np.random.default_rng(seed).integers(0, 9, network.layout.size).astype(float)
    np.testing.assert_allclose(
        fit(network, flat.copy()).values, fit(network, 7 * flat).values, atol=1e-12
    )


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[0.5, 0.5, 0.1], [1, 0, 0]], r"'B' given A=0 sum to 1\.1"),
        ([[1, 0, 0], [0.2, 0.2, 0.2]], r"'B' given A=1 sum to 0\.6"),
        ([[1.5, -0.5, 0], [1, 0, 0]], "negative probability"),
        ([[np.nan, 0.5, 0.5], [1, 0, 0]], "sum to nan"),
    ],
)
def test_conditionals_that_are_none_are_refused_with_the_row(rows, words):
    with pytest.raises(EquipoiseError, match=words):
        Model.from_conditionals(PAIR, [np.array([0.5, 0.5]), np.array(rows)])


def test_a_model_survives_pickling_read_only():
    model = fit(PAIR, pack([3, 1], np.ones((2, 3))))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.values, model.values)
    assert not again.values.flags.writeable
