"""The ledger's file: SQLite in WAL mode, entries that are only ever added.

Everything is written in one transaction that holds the write lock from its first read on, and is
on disk (synchronous FULL) when it returns. A connection lives for one operation, so threads and
forked processes share nothing.
"""

import contextlib
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import EquipoiseError, brief
from release.ledger.chain import GENESIS, Stored, chained
from release.published import Receipt

PATIENCE = 30.0
"""Seconds to wait for another process that writes."""

_SCHEMA = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
CREATE TABLE secret (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL) STRICT;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never changed'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never deleted'); END;
CREATE TRIGGER secret_remains BEFORE DELETE ON secret
    BEGIN SELECT RAISE(ABORT, 'the key of the ledger is never deleted'); END;
CREATE TRIGGER secret_stays BEFORE UPDATE ON secret
    BEGIN SELECT RAISE(ABORT, 'the key of the ledger is never changed'); END;
"""


@dataclass(frozen=True)
class Contents:
    """What the file holds."""

    entries: tuple[Stored, ...]
    head: Receipt
    key: bytes


_REMEDIES = {
    sqlite3.SQLITE_BUSY: "another process writes to it, try again when it is done",
    sqlite3.SQLITE_FULL: "make room on its disk and try again",
}


class UnusableError(EquipoiseError):
    """The file could not be read or written; ``unchanged`` unless it may have been after all."""

    def __init__(self, message: str, *, unchanged: bool = True) -> None:
        super().__init__(message)
        self.unchanged = unchanged


def _unusable(path: Path, problem: Exception) -> str:
    remedy = _REMEDIES.get(_code(problem), "check the file and the room on its disk")
    said = str(problem).partition(" with text ")[0]  # SQLite would quote what it cannot read
    return f"the ledger {brief(str(path))} cannot be used ({said}); {remedy}"


def _code(problem: Exception) -> int:
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF  # without what was being done


class Writing:
    """A transaction that holds the write lock: what is there, and what is added."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        contents = _contents(connection)
        self.key, self.entries, self._head = contents.key, list(contents.entries), contents.head

    @property
    def contents(self) -> Contents:
        """What the file will hold."""
        return Contents(tuple(self.entries), self._head, self.key)

    def add(self, facts: dict[str, Any]) -> Receipt:
        """Put an entry behind the last one."""
        entry = chained(self._head.number + 1, self._head.digest, facts)
        self._connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?)", (entry.number, entry.digest, entry.text)
        )
        self._connection.execute(
            "INSERT OR REPLACE INTO head VALUES (1, ?, ?)", (entry.number, entry.digest)
        )
        self.entries.append(entry)
        self._head = Receipt(entry.number, entry.digest)
        return self._head


def key_digest(key: bytes) -> str:
    """What the first entry says of the key, so that another one shows."""
    return hashlib.sha256(b"key of a ledger\n" + key).hexdigest()


def create(path: Path, facts: dict[str, Any]) -> None:
    """Make the file unless it exists: complete under another name first, then linked."""
    if path.exists():
        return
    own = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with _readable(path):
        os.close(os.open(own, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with contextlib.closing(sqlite3.connect(own, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_SCHEMA)
            key = secrets.token_bytes(32)
            connection.execute("INSERT INTO secret VALUES (1, ?)", (key,))
            first = chained(1, GENESIS, {**facts, "key": key_digest(key)})
            connection.execute("INSERT INTO entries VALUES (1, ?, ?)", (first.digest, first.text))
            connection.execute("INSERT INTO head VALUES (1, 1, ?)", (first.digest,))
        with contextlib.suppress(FileExistsError):  # another process was first
            os.link(own, path)
        own.unlink()
        flush(path.parent)


def flush(directory: Path) -> None:
    """Put the names in a directory on disk."""
    number = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def make_directory(directory: Path, *, mode: int = 0o777) -> None:
    """Make a directory and those above it that are missing, their names on disk afterwards."""
    missing = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True, mode=mode)
    for path in reversed(missing):
        flush(path.parent)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Writing]:
    """One transaction; committed and on disk when it ends without an exception.

    A connection that is closed without a commit has changed nothing.
    """
    with _connected(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield Writing(connection)
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as problem:
            full = _code(problem) == sqlite3.SQLITE_FULL
            raise UnusableError(_unusable(path, problem), unchanged=full) from None


def contents(path: Path) -> Contents:
    """What the file holds now."""
    with _connected(path) as connection:
        connection.execute("BEGIN")
        return _contents(connection)


def _contents(connection: sqlite3.Connection) -> Contents:
    rows = connection.execute("SELECT number, digest, text FROM entries ORDER BY number")
    entries = tuple(Stored(*row) for row in rows)
    head = connection.execute("SELECT number, digest FROM head").fetchone()
    key = connection.execute("SELECT key FROM secret").fetchone()
    if head is None or key is None:
        raise sqlite3.DatabaseError("head or key is missing")
    strange = any(not isinstance(e.text, str) for e in entries)
    if strange or not isinstance(key[0], bytes):
        raise sqlite3.DatabaseError("a text or the key is of another type")
    return Contents(entries, Receipt(*head), key[0])


@contextlib.contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with _readable(path):
        if not path.is_file():
            raise EquipoiseError(f"there is no ledger {brief(str(path))}; check the name")
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        with contextlib.closing(connection):
            connection.execute("PRAGMA synchronous=FULL")
            yield connection


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in one sentence that the file cannot be used."""
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeError) as problem:
        raise UnusableError(_unusable(path, problem)) from None
