"""What goes wrong around a release: one sentence that is true, and nothing lost."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from core.errors import EquipoiseError
from release import files, process
from release.ledger import book, store
from release.ledger.book import Ledger
from release.process import Worker
from release.publish import publish, tidy
from tests.release.killing import checked
from tests.release.ordering import here, order
from tests.release.paying import spend
from tests.release.ways import WAYS

PAGE = 4096
BUDGET = Fraction(100)
GREEDY = "import sys; print('ready', flush=True); sys.stdin.readline(); bytearray(2**62)"


@pytest.fixture
def disk(tmp_path):
    """A disk of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(disk, pages):
    """Leave so much room."""
    found = os.statvfs(disk)
    room = found.f_bavail * found.f_frsize
    with (disk / "ballast").open("wb") as ballast, contextlib.suppress(OSError):
        ballast.write(bytes(max(0, room - pages * PAGE)))
        ballast.flush()


def said(way, token, ledger, out):
    """What a release says that does not come about; nothing for one that does."""
    try:
        WAYS[way].act(token, BUDGET, ledger, out, workers=here())
    except EquipoiseError as problem:
        assert "\n" not in str(problem)
        return str(problem)
    return ""


@pytest.mark.parametrize("way", ["equipoise", "domain"])
@pytest.mark.parametrize("when", ["before it begins", "once it is paid"])
def test_a_disk_that_is_full_anywhere(disk, monkeypatch, way, when):
    """With no room at all, then with one page more each time, until it comes about."""
    ledger, out, pay, exits, found = Ledger(disk / "ledger.db"), disk / "out", Ledger.spend, {}, []
    exits["first"] = WAYS[way].once("first", BUDGET, ledger, out)
    pages = 0
    while not found or found[-1]:
        token, pages = f"{pages} pages", pages + 1

        def paying(self, spend, pages=pages):
            paid = pay(self, spend)
            fill(disk, pages - 1)
            return paid

        if when == "once it is paid":
            monkeypatch.setattr(Ledger, "spend", paying)
        else:
            fill(disk, pages - 1)
        found.append(said(way, token, ledger, out))
        monkeypatch.undo()
        (disk / "ballast").unlink(missing_ok=True)
        lines = {line.token: line for a in ledger.accounts() for line in a.lines}
        if token in lines:
            assert not found[-1] or "its budget stays spent" in found[-1]
        else:
            words = ("nothing was spent", "; choose another", "and the room on its disk")
            assert any(word in found[-1] for word in words), found[-1]
        exits[token] = 0 if not found[-1] else 4 if token in lines else None
    assert len(found) > 3
    assert any("space" in text or "full" in text for text in found)
    assert when == "before it begins" or all("stays spent" in text for text in found[:-1])
    assert WAYS[way].once("last", BUDGET, ledger, out) == 0
    checked(disk, exits, BUDGET)


def as_nobody(act):
    """What a child says that may write nothing: its sentence."""
    reading, writing = os.pipe()
    if not os.fork():
        try:
            os.setuid(65534)
            with contextlib.suppress(EquipoiseError):
                try:
                    act()
                except EquipoiseError as problem:
                    os.write(writing, str(problem).encode())
                    raise
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    os.wait()
    return text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody who may not write")
def test_folders_that_cannot_be_written_cost_nothing(study, monkeypatch):
    from tests.release.killing import room

    with room() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "own").mkdir()
        (root / "shut").mkdir(mode=0o755)
        (root / "own").chmod(0o777)
        ledger = Ledger(root / "own" / "ledger.db")
        (root / "own" / "ledger.db").chmod(0o666)
        text = as_nobody(lambda: publish(order(study), ledger, root / "shut", workers=here()))
        assert "shut cannot be written (permission denied); choose another" in text
        assert ledger.accounts() == ()
        closed = Ledger(root / "shut" / "ledger.db")
        (root / "shut" / "ledger.db").chmod(0o644)
        text = as_nobody(lambda: publish(order(study), closed, root / "own", workers=here()))
        assert "ledger.db cannot be used" in text and text.count("cannot") == 1
        assert closed.accounts() == () and not list((root / "own").glob("[!l]*"))
        text = as_nobody(lambda: Ledger(root / "shut" / "new.db"))
        assert "new.db cannot be used" in text and not (root / "shut" / "new.db").exists()


def test_a_ledger_that_another_holds_is_one_sentence(study, ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(store, "PATIENCE", 0.05)
    other = sqlite3.connect(ledger.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(EquipoiseError, match=r"another process writes .* nothing was spent"):
        publish(order(study), ledger, tmp_path / "out", workers=here())
    other.execute("ROLLBACK")
    assert ledger.accounts() == () and list((tmp_path / "out").iterdir()) == []

    def held(*arguments, **named):
        other.execute("BEGIN IMMEDIATE")
        return drawn(*arguments, **named)

    drawn = files.write
    paid = Ledger.spend
    monkeypatch.setattr(
        Ledger, "spend",
        lambda *a: (monkeypatch.setattr(files, "write", held), paid(*a))[1],
    )  # fmt: skip
    with pytest.raises(EquipoiseError, match=r"another process writes .* its budget stays spent"):
        publish(order(study), ledger, tmp_path / "out", workers=here())
    other.close()
    monkeypatch.undo()
    (line,) = ledger.accounts()[0].lines
    assert list((tmp_path / "out").iterdir()) == []
    assert line.state == "lost" and not line.settled  # though this process lives
    publish(order(study, "next"), ledger, tmp_path / "out", workers=here())
    assert ledger.line(line.id).settled


def test_a_worker_that_finds_no_memory(study, ledger, tmp_path, monkeypatch):
    """It cannot be started, or takes all with its first question: both before anything is paid."""

    def refused(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as poor:
        poor.setattr(process.subprocess, "Popen", refused)
        with pytest.raises(EquipoiseError, match="draws noise did not start; try again"):
            publish(order(study), ledger, tmp_path / "out")
    assert ledger.accounts() == ()
    greedy = partial(Worker, command=(sys.executable, "-c", GREEDY))
    with pytest.raises(EquipoiseError, match=r"ended before its answer; nothing was spent"):
        publish(order(study), ledger, tmp_path / "out", workers=greedy)
    assert ledger.accounts() == () and list((tmp_path / "out").iterdir()) == []
    assert not publish(order(study), ledger, tmp_path / "out").repeated


def test_a_disk_that_fails_in_the_last_step_says_where_to_look(ledger, monkeypatch):
    class Failing(sqlite3.Connection):
        def execute(self, text, *values):
            if text == "COMMIT":
                problem = sqlite3.OperationalError("disk I/O error")
                problem.sqlite_errorcode = 1034  # while flushing
                raise problem
            return super().execute(text, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Failing, **k))
    said = r"ledger\.db cannot be used \(disk I/O error\); .*drawn, the ledger says whether it paid"
    with pytest.raises(EquipoiseError, match=said):
        ledger.spend(spend())
    monkeypatch.undo()
    assert ledger.accounts() == ()


def test_a_clock_that_is_set_back_changes_no_order(study, ledger, tmp_path, monkeypatch):
    """Entries count, times do not."""
    for token, year in (("a", 2031), ("b", 2019), ("c", 1970)):
        monkeypatch.setattr(book, "now", lambda year=year: f"{year}-01-01T00:00:00Z")
        monkeypatch.setattr("release.publish.time.time", lambda year=year: (year - 1970) * 3e7)
        publish(order(study, token), ledger, tmp_path, workers=here())
    assert ledger.verify().sound
    (account,) = ledger.accounts()
    assert [line.token for line in account.lines] == ["a", "b", "c"]
    assert [line.time[:4] for line in account.lines] == ["2031", "2019", "1970"]
    assert account.spent == Fraction(3, 2)
    assert publish(order(study, "a"), ledger, tmp_path, workers=here()).repeated


def test_a_folder_that_cannot_be_named_is_put_in_place_later(study, ledger, tmp_path, monkeypatch):
    def refused(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(EquipoiseError, match=r"is paid and complete, .* \(read-only file system\)"):
        publish(order(study), ledger, tmp_path / "out", workers=here())
    monkeypatch.undo()
    (line,) = ledger.accounts()[0].lines
    assert line.state == "complete"
    again = publish(order(study), ledger, tmp_path / "out", workers=here())
    assert again.repeated and again.directory.name == line.id and again.account.spent == 0.5
    tidy(ledger, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [line.id]
