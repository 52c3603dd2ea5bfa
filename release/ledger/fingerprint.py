"""Fingerprints: the same records are known again whatever file they come in.

Equal for the same rows over the same columns, whatever the order of rows, columns or states, the
file's format, and whichever further states a schema allows. Keyed: without the ledger's key nobody
can test whether a guessed table is the one that was released. A table with other columns, other
bins or one changed record has another fingerprint; the bytes of the file tie bins and columns
together, and for the rest the steward says whose records they are (``release/people.py``).

Rows that stay elsewhere are not seen. Their table is known again by the counts of its columns,
whatever the graph, the order of columns and states and the further states, and by its place,
whatever its columns, bins and rows. Counts that agree by chance make one account of two, which
charges too much and never too little.
"""

import hmac
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.dataset import Codes, Dataset
from core.table import Table, Variable
from release.ledger.chain import canonical

WORD = 2**63
"""Most settings of columns that one word of a row can tell apart."""

BLOCK = 2**20
"""Rows whose places are looked up together."""

Words = NDArray[np.unsignedinteger]


def fingerprint(dataset: Dataset, *, key: bytes) -> str:
    """Keyed SHA-256 of the rows as a collection: names and states as text, rows sorted.

    Takes as many bytes a row, of most tables, as tell its settings apart, beside the codes.
    """
    header: list[tuple[str, list[str]]] = []
    words: list[Words] = [np.zeros(dataset.records, dtype=np.uint8)]
    settings = 1
    for j in sorted(range(len(dataset.variables)), key=lambda j: dataset.variables[j].name):
        labels, rank = _ranked(dataset.variables[j], dataset.codes[:, j])
        header.append((dataset.variables[j].name, labels))
        settings *= max(len(labels), 1)
        if settings > WORD:
            words.append(np.zeros(dataset.records, dtype=np.uint8))
            settings = max(len(labels), 1)
        wide = np.min_scalar_type(settings)
        words[-1] = words[-1].astype(wide, copy=False)
        words[-1] *= wide.type(len(labels))
        for part in _parts(dataset.records):
            words[-1][part] += rank[dataset.codes[part, j]].astype(wide)
    digest = hmac.new(key, f"rows\n{dataset.records}\n{canonical(header)}\n".encode(), "sha256")
    for word in _sorted(words):
        for part in _parts(dataset.records):
            digest.update(word[part].astype("<u8").tobytes())
    return digest.hexdigest()


def _parts(records: int) -> Iterator[slice]:
    """Rows that are worked on together."""
    return (slice(start, start + BLOCK) for start in range(0, records, BLOCK))


def _sorted(words: list[Words]) -> Iterator[Words]:
    """The words in the order of the rows, the last word deciding first."""
    if len(words) == 1:
        words[0].sort()
        yield words[0]
        return
    order = np.lexsort(words)
    yield from (word[order] for word in words)


def _ranked(variable: Variable, codes: Codes) -> tuple[list[str], Words]:
    """The states that occur, sorted, and the place of each state among them."""
    occurs = np.zeros(variable.cardinality, dtype=np.bool_)
    for part in _parts(len(codes)):
        occurs[codes[part]] = True
    labels = sorted(s for s, seen in zip(variable.states, occurs, strict=True) if seen)
    rank = np.zeros(variable.cardinality, dtype=np.uint64)
    rank[[variable.code_of[label] for label in labels]] = np.arange(len(labels))
    return labels, rank


def counts_fingerprint(tables: Sequence[Table], *, key: bytes) -> str:
    """Keyed SHA-256 of the counts of columns: names and states that occur, as text, sorted."""
    counted = sorted(
        (
            table.names[0],
            sorted(
                (state, int(n))
                for state, n in zip(table.variables[0].states, table.values.tolist(), strict=True)
                if n
            ),
        )
        for table in tables
    )
    return hmac.new(key, f"counts\n{canonical(counted)}".encode(), "sha256").hexdigest()


def place_fingerprint(identity: str, *, key: bytes) -> str:
    """Keyed SHA-256 of where a table is: engine, host, database and table, or files."""
    return hmac.new(key, f"place\n{identity}".encode(), "sha256").hexdigest()


def file_fingerprint(content_digest: str, *, key: bytes) -> str:
    """Keyed SHA-256 of a file's own digest: the same file under other bins or columns."""
    return hmac.new(key, f"file\n{content_digest}".encode(), "sha256").hexdigest()
