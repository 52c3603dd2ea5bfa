"""The same records are known again, and only with the ledger's key."""

import hashlib
import hmac

import numpy as np
import pytest

import release.ledger.fingerprint
from core.dataset import Dataset
from core.table import Table, Variable
from release.ledger.chain import canonical
from release.ledger.fingerprint import (
    counts_fingerprint,
    file_fingerprint,
    fingerprint,
    place_fingerprint,
)
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


def obvious(dataset, key):
    """The same from tuples of words, row by row: ledgers know data by it, so it never changes."""
    header, rows, size = [], [[0] for _ in dataset.codes], 1
    for j in sorted(range(len(dataset.variables)), key=lambda j: dataset.variables[j].name):
        variable = dataset.variables[j]
        column = [variable.states[code] for code in dataset.codes[:, j]]
        labels = sorted(set(column))
        header.append((variable.name, labels))
        size *= max(len(labels), 1)
        if size > 2**63:
            rows, size = [[*row, 0] for row in rows], len(labels)
        for row, state in zip(rows, column, strict=True):
            row[-1] = row[-1] * len(labels) + labels.index(state)
    rows.sort(key=lambda row: row[::-1])
    told = f"rows\n{dataset.records}\n{canonical(header)}\n".encode()
    words = [word for column in zip(*rows, strict=True) for word in column]
    return hmac.new(key, told + b"".join(w.to_bytes(8, "little") for w in words), "sha256")


@pytest.mark.parametrize(("columns", "records"), [(1, 0), (3, 7), (8, 300), (60, 40), (100, 25)])
def test_a_fingerprint_is_what_ledgers_know(columns, records, monkeypatch):
    monkeypatch.setattr(release.ledger.fingerprint, "BLOCK", 16)
    variables = tuple(Variable(f"v{j * 7 % columns}", ("b", "a", "c")) for j in range(columns))
    dataset = Dataset(variables, np.random.default_rng(2).integers(3, size=(records, columns)))
    assert fingerprint(dataset, key=b"key") == obvious(dataset, b"key").hexdigest()


@pytest.mark.parametrize("records", [0, 1, 50])
def test_rows_of_many_columns_are_told_apart(records):
    variables = tuple(Variable(f"v{j:02}", ("a", "b", "c")) for j in range(60))  # two words
    codes = np.random.default_rng(1).integers(3, size=(records, 60))
    own = fingerprint(Dataset(variables, codes), key=b"")
    assert own == fingerprint(Dataset(variables, codes[::-1]), key=b"")
    if records > 1:
        mixed = np.column_stack([codes[:, :30], codes[::-1, 30:]])  # the same columns, other rows
        assert own != fingerprint(Dataset(variables, mixed), key=b"")


@pytest.mark.parametrize("columns", [62, 63, 64])
def test_a_word_is_filled_to_its_last_setting(columns):
    """2^63 settings still fit; columns of one state that occurs take no room."""
    several = (Variable(f"v{j:02}", ("a", "b")) for j in range(columns))
    variables = (Variable("alone", ("only", "never")), *several)
    codes = np.random.default_rng(3).integers(2, size=(50, columns + 1))
    codes[:, 0] = 0
    dataset = Dataset(variables, codes)
    assert fingerprint(dataset, key=b"key") == obvious(dataset, b"key").hexdigest()


def keyed(key, text):
    """Twin: RFC 2104 by hand, for a key of one block at most."""
    inner, outer = (bytes(k ^ pad for k in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return hashlib.sha256(outer + hashlib.sha256(inner + text.encode()).digest()).hexdigest()


def test_a_file_and_a_place_are_what_ledgers_know():
    key = bytes(range(32))
    assert file_fingerprint("abc", key=key) == keyed(key, "file\nabc")
    assert place_fingerprint("abc", key=key) == keyed(key, "place\nabc")


def test_counts_are_known_by_the_states_that_occur():
    tables = [
        Table((Variable("b", ("y", "x", "unused")),), np.array([3.0, 4.0, 0.0])),
        Table((Variable("a", ("n", "m")),), np.array([5.0, 2.0])),
    ]
    told = f"counts\n{canonical([['a', [['m', 2], ['n', 5]]], ['b', [['x', 4], ['y', 3]]]])}"
    own = hmac.new(b"key", told.encode(), "sha256").hexdigest()
    assert counts_fingerprint(tables, key=b"key") == own
