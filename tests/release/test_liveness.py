"""Whether a process still releases: as the system says, and without touching it."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from release.ledger import liveness
from release.ledger.liveness import Process, alive, at_work, this_process

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux tells of it")


@pytest.fixture
def idle():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as own:
        yield own
        own.kill()


def told(number):
    return Process(number, liveness._started(number), this_process().boot)


def test_a_process_is_known_by_its_number_and_its_start(idle):
    own = told(idle.pid)
    assert alive(own) is True
    assert alive(replace(own, started=str(int(own.started) + 1))) is False
    assert alive(replace(own, boot="another")) is False
    idle.kill()
    os.waitid(os.P_PID, idle.pid, os.WEXITED | os.WNOWAIT)
    assert alive(own) is False  # ended, though its number is not free yet
    assert told(idle.pid).started == told(2**22 + 1).started == ""


def test_a_start_is_the_time_of_the_start(idle):
    """In clock ticks since the machine started."""
    seconds = int(told(idle.pid).started) / os.sysconf("SC_CLK_TCK")
    assert abs(seconds - time.clock_gettime(time.CLOCK_BOOTTIME)) < 60


def test_a_name_with_brackets_and_blanks_hides_nothing():
    own, before = Path("/proc/self/comm"), this_process()
    name = own.read_text()
    try:
        own.write_text("a) Z 1 (b")
        assert this_process() == before
    finally:
        own.write_text(name)


def test_where_no_start_is_known_the_number_decides_and_no_signal_is_sent(idle, monkeypatch):
    own = replace(told(idle.pid), started="")
    assert alive(own) is True
    time.sleep(0.05)
    assert idle.poll() is None
    sent = []
    monkeypatch.setattr(os, "kill", lambda *asked: sent.append(asked))
    assert alive(own) is True
    assert sent == [(idle.pid, 0)]
    for problem, found in ((ProcessLookupError, False), (PermissionError, True)):

        def refused(*_, problem=problem):
            raise problem

        monkeypatch.setattr(os, "kill", refused)
        assert alive(own) is found


def test_where_the_system_tells_no_start_of_the_machine_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(liveness, "_BOOT", tmp_path / "none")
    assert this_process().boot == ""


def test_this_process_works_at_what_it_says(monkeypatch):
    monkeypatch.setattr(liveness, "MAKING", {"mine"})
    assert at_work(this_process(), "mine") is True
    assert at_work(this_process(), "lost before") is False
    parent = Process(os.getppid(), liveness._started(os.getppid()), this_process().boot)
    assert at_work(parent, "theirs") is True
