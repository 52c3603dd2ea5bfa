"""The ledger's file: on disk when it says so, one state at a time, and silent of what it holds."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from core.errors import EquipoiseError
from release.ledger import store
from release.ledger.book import Ledger
from tests.release.paying import change, spend


@pytest.fixture
def flushed(monkeypatch):
    """Files and directories that were put on disk, in order."""
    found, own = [], os.fsync

    def fsync(number):
        found.append(Path(f"/proc/self/fd/{number}").readlink())
        own(number)

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def connecting(monkeypatch, kind):
    """Connections of another kind."""
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=kind, **k))


def test_a_new_ledger_is_on_disk_with_its_name(tmp_path, flushed):
    first = Ledger(tmp_path / "l.db").key()
    assert flushed == [tmp_path]
    assert Ledger(tmp_path / "l.db").key() == first
    assert flushed == [tmp_path] and len(first) == 32  # bytes: nobody tries them all


def test_every_new_directory_is_on_disk_with_its_name(tmp_path, flushed):
    (tmp_path / "a").mkdir()
    store.make_directory(tmp_path / "a" / "b" / "c")
    assert flushed == [tmp_path / "a", tmp_path / "a" / "b"]
    store.make_directory(tmp_path / "a" / "b" / "c")
    assert flushed[2:] == []


def test_a_directory_is_open_to_whom_it_should_be(tmp_path):
    before = os.umask(0)
    try:
        store.make_directory(tmp_path / "shared")
        store.make_directory(tmp_path / "own", mode=0o700)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("shared", "own")]
    assert modes == [0o777, 0o700]


def open_files():
    return len([*Path("/proc/self/fd").iterdir()])


def test_no_file_is_left_open(tmp_path):
    before = open_files()
    ledger = Ledger(tmp_path / "l.db")
    ledger.spend(spend())
    ledger.accounts()
    assert open_files() <= before


def test_readers_never_wait_and_a_commit_is_on_disk(ledger, monkeypatch):
    """Whatever SQLite itself would do: its defaults are its builder's."""
    committed = []

    class Careless(sqlite3.Connection):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            super().execute("PRAGMA synchronous=OFF")

        def execute(self, text, *values):
            if text == "COMMIT":
                (full,) = super().execute("PRAGMA synchronous").fetchone()
                (journal,) = super().execute("PRAGMA journal_mode").fetchone()
                committed.append((full, journal))
            return super().execute(text, *values)

    connecting(monkeypatch, Careless)
    ledger.spend(spend())
    assert committed == [(2, "wal")]


def test_what_is_written_while_the_file_is_read_is_not_seen_by_half(ledger, monkeypatch):
    """Entries and head are of one moment, though another process writes between them."""
    ledger.spend(spend("a", "0.1"))
    writer = Ledger(ledger.path)
    whole, waiting = sqlite3.connect, ["b"]

    class Slow(sqlite3.Connection):
        def execute(self, text, *values):
            if "FROM head" in text and waiting:
                monkeypatch.setattr(sqlite3, "connect", whole)
                writer.spend(spend(waiting.pop(), "0.1"))
            return super().execute(text, *values)

    connecting(monkeypatch, Slow)
    held = store.contents(ledger.path)
    assert (len(held.entries), held.head.number) == (3, 3)
    assert not waiting and store.contents(ledger.path).head.number == 4


STRANGE = {
    "no head": ["DELETE FROM head"],
    "no key": ["DELETE FROM secret"],
    "an entry of bytes": [
        "ALTER TABLE entries RENAME TO old",
        "CREATE TABLE entries AS SELECT number, digest, CAST(text AS BLOB) AS text FROM old",
    ],
    "a key of text": [
        "ALTER TABLE secret RENAME TO old",
        "CREATE TABLE secret AS SELECT only, hex(key) AS key FROM old",
    ],
}


@pytest.mark.parametrize("statements", STRANGE.values(), ids=STRANGE)
def test_a_file_that_lacks_its_parts_is_one_sentence(ledger, statements):
    ledger.spend(spend())
    change(ledger, *statements)
    said = "is missing" if len(statements) == 1 else "of another type"
    with pytest.raises(EquipoiseError, match=rf"cannot be used \(.* {said}\); check the file"):
        ledger.accounts()
    with pytest.raises(EquipoiseError, match="nothing was spent"):
        ledger.spend(spend("b"))


def test_what_the_file_holds_is_not_quoted(ledger):
    change(ledger, "UPDATE entries SET text = CAST(x'5365637265745761726421ff' AS TEXT)")
    with pytest.raises(EquipoiseError, match=r"cannot be used \(Could not decode") as refused:
        ledger.accounts()
    assert "SecretWard" not in str(refused.value)


def test_a_name_of_several_lines_is_told_in_one(tmp_path):
    (tmp_path / "x\ny.db").write_bytes(b"no database at all, and long enough to be read" * 99)
    with pytest.raises(EquipoiseError, match=r"x y\.db cannot be used"):
        Ledger(tmp_path / "x\ny.db").accounts()
