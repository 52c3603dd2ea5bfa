"""Records of a unit: the fast bound against an obvious one, and what privacy needs of it."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from sources import units
from sources.tables import infer_domain, read_table
from sources.units import Unit, bounded

OWNERS = st.lists(st.sampled_from("abcdefgh"), max_size=40)
WORD = 2**64 - 1


def rank(key, owner, place):
    """SplitMix64's finaliser on Python's own integers."""
    digest = hashlib.blake2b(owner.encode(), key=hashlib.sha256(key).digest(), digest_size=8)
    z = (int.from_bytes(digest.digest(), "little") + 0x9E3779B97F4A7C15 * place) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def obvious(owners, unit):
    """Of each unit the records with the smallest ranks, one unit after the other."""
    kept = set()
    for owner in set(owners):
        rows = [row for row, who in enumerate(owners) if who == owner]
        ranked = sorted((rank(unit.key, owner, place), row) for place, row in enumerate(rows))
        kept |= {row for _, row in ranked[: unit.most]}
    return kept


def chosen(owners, unit):
    return set(np.flatnonzero(bounded(unit.hashed(pa.array(owners, pa.string())), unit.most)))


@given(OWNERS, st.integers(1, 5), st.binary(max_size=8))
def test_the_bound_is_the_obvious_one(owners, most, key):
    unit = Unit("who", most, key)
    kept = chosen(owners, unit)
    assert kept == obvious(owners, unit)
    for owner in set(owners):
        own = [row for row, who in enumerate(owners) if who == owner]
        assert len(kept & set(own)) == min(most, len(own))


def test_units_are_ranked_part_by_part(monkeypatch):
    owners = [f"{i * i % 97}" for i in range(500)]
    unit = Unit("who", 2)
    whole = chosen(owners, unit)
    monkeypatch.setattr(units, "PART", 50)
    assert chosen(owners, unit) == whole == obvious(owners, unit)


@given(OWNERS, st.integers(1, 3))
def test_a_unit_that_leaves_changes_nothing_for_the_others(owners, most):
    unit = Unit("who", most)
    rest = [row for row, who in enumerate(owners) if who != "a"]
    alone = chosen([owners[row] for row in rest], unit)
    assert {rest[row] for row in alone} == {r for r in chosen(owners, unit) if owners[r] != "a"}


def test_each_record_of_a_unit_is_kept_as_often_as_the_others():
    owners = [f"{i % 4000}" for i in range(20_000)]
    kept = chosen(owners, Unit("who", 2))
    places = np.bincount([row // 4000 for row in kept], minlength=5) / 4000
    assert np.abs(places - 2 / 5).max() < 5 * (0.4 * 0.6 / 4000) ** 0.5


TABLE = b"who,a\n" + b"".join(f"{i % 7},{'xy'[i % 2]}\n".encode() for i in range(50))


def test_a_table_is_bounded_and_nobody_learns_by_how_much():
    domain = infer_domain("t.csv", TABLE, ["a"])
    found = read_table("t.csv", TABLE, domain, unit=Unit("who", 3))
    assert found.dataset.records == 21
    assert found.dropped == 0
    other = read_table("t.csv", TABLE, domain, unit=Unit("who", 3, b"another key"))
    assert not np.array_equal(found.dataset.codes, other.dataset.codes)


def test_rows_without_a_unit_are_refused():
    domain = infer_domain("t.csv", TABLE, ["a"])
    with pytest.raises(EquipoiseError, match="a row names no unit in column 'who'"):
        read_table("t.csv", b"who,a\n1,x\n,y\n", domain, unit=Unit("who"))
    with pytest.raises(EquipoiseError, match="no column 'whom', which the bound on records"):
        read_table("t.csv", TABLE, domain, unit=Unit("whom"))
    with pytest.raises(EquipoiseError, match="0 records are to be kept"):
        Unit("who", 0)
