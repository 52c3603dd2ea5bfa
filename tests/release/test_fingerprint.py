"""The same records are known again, and only with the ledger's key."""

import numpy as np
import pytest

from core.dataset import Dataset
from core.table import Variable
from release.ledger.fingerprint import file_fingerprint, fingerprint
from sources.study import sampled_study


def test_a_fingerprint_forgets_order_and_unused_states_and_nothing_else():
    data = sampled_study("asia", None, records=300, seed=1).dataset
    own = fingerprint(data, key=b"key")
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(300), rng.permutation(len(data.variables))
    moved = Dataset(tuple(data.variables[j] for j in columns), data.codes[rows][:, columns])
    assert fingerprint(moved, key=b"key") == own
    turned = tuple(Variable(v.name, ("unused", *reversed(v.states))) for v in data.variables)
    sizes = np.array([v.cardinality for v in data.variables])
    assert fingerprint(Dataset(turned, sizes - data.codes), key=b"key") == own
    assert fingerprint(data, key=b"other") != own
    changed = data.codes.copy()
    changed[0, 0] = 1 - changed[0, 0]
    assert fingerprint(Dataset(data.variables, changed), key=b"key") != own
    assert fingerprint(Dataset(data.variables, data.codes[1:]), key=b"key") != own
    renamed = (Variable("x", data.variables[0].states), *data.variables[1:])
    assert fingerprint(Dataset(renamed, data.codes), key=b"key") != own
    assert file_fingerprint("1", key=b"key") != file_fingerprint("1", key=b"other")


@pytest.mark.parametrize("records", [0, 1, 50])
def test_rows_of_many_columns_are_told_apart(records):
    variables = tuple(Variable(f"v{j:02}", ("a", "b", "c")) for j in range(60))  # two words
    codes = np.random.default_rng(1).integers(3, size=(records, 60))
    own = fingerprint(Dataset(variables, codes), key=b"")
    assert own == fingerprint(Dataset(variables, codes[::-1]), key=b"")
    if records > 1:
        mixed = np.column_stack([codes[:, :30], codes[::-1, 30:]])  # the same columns, other rows
        assert own != fingerprint(Dataset(variables, mixed), key=b"")
