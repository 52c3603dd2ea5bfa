"""At most k records of each unit: which ones stay is decided by a keyed hash.

A record's rank follows from the key, its unit and its place among the unit's own records, and from
nothing else: records of other units do not change it, so a unit that comes or goes changes at most
k records of what is counted. The bound needs no secret. The key hides from a reader of the release
which of somebody's records were used; a release from a shell takes the ledger's, so that the next
release uses the same records again and the ledger knows them again. The page takes the public one.
"""

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import EquipoiseError
from sources.coding import texts
from sources.dialect import Dialect

PUBLIC_KEY = b"exploration"
"""For exploration, which is repeatable and not private."""

PER_UNIT = 1000
"""Most records of one unit that may be kept."""

PART = 2**20
"""About how many records, all of their units, are ranked together: memory follows this."""


@dataclass(frozen=True)
class Unit:
    """The column that names whose record it is, and how many of one unit are kept."""

    column: str
    most: int = 1
    key: bytes = field(default=PUBLIC_KEY, repr=False)

    def __post_init__(self) -> None:
        if not self.column:
            raise EquipoiseError("the unit column has no name; name the column of the units")
        if not 1 <= self.most <= PER_UNIT:
            raise EquipoiseError(
                f"{self.most:,} records are to be kept of each unit; give 1 to {PER_UNIT:,}"
            )

    def hashed(self, array: pa.Array) -> NDArray[np.uint64]:
        """A keyed hash of the unit in each cell; cells have no nulls."""
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        values = texts(array.dictionary).to_pylist()
        key = hashlib.sha256(self.key).digest()
        digests = b"".join(
            hashlib.blake2b(value.encode(), key=key, digest_size=8).digest() for value in values
        )
        hashes = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
        return np.asarray(hashes[array.indices.to_numpy(zero_copy_only=False)])


def unnamed(dialect: Dialect, kind: pa.DataType) -> Dialect:
    """How a file writes that a record is nobody's: blank or no number as well, whatever it states.

    Records of nobody in particular are not one unit, and are refused.
    """
    more = ("nan",) if pa.types.is_floating(kind) else ()
    return replace(dialect, missing=(*dialect.missing, "", *more))


def bounded(units: NDArray[np.uint64], most: int) -> NDArray[np.bool_]:
    """Which records stay: of each unit those of the ``most`` smallest ranks."""
    parts = 1 + len(units) // PART
    part = (units % np.uint64(parts)).astype(np.uint16)
    kept = np.zeros(len(units), dtype=np.bool_)
    for one in range(parts):
        rows = np.flatnonzero(part == one)
        kept[rows] = _bounded(units[rows], most)
    return kept


def _bounded(units: NDArray[np.uint64], most: int) -> NDArray[np.bool_]:
    order = np.argsort(units, kind="stable")
    ranks = mixed(units[order] + np.uint64(0x9E3779B97F4A7C15) * _places(units[order]))
    within = np.lexsort((ranks, units[order]))
    kept = np.zeros(len(units), dtype=np.bool_)
    kept[order[within]] = _places(units[order]) < most
    return kept


def _places(units: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Place of each record among its unit's own, where units stand together."""
    if not len(units):
        return np.zeros(0, dtype=np.uint64)
    first = np.concatenate(([True], units[1:] != units[:-1]))
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, len(units)))
    return (np.arange(len(units)) - np.repeat(starts, lengths)).astype(np.uint64)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each word with its bits mixed. Source: Steele, Lea, Flood 2014, SplitMix64's finaliser."""
    z = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
