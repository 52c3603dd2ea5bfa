"""Who asks the drawing process: what it hands over, waits for and leaves behind."""

import itertools
import os
import signal
import sys
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from release import process
from release.process import Worker
from release.published import LAPLACE

START = "import struct, sys, time\nout = sys.stdout.buffer\n"


def told(*lines):
    """A process that does as it is told, instead of drawing."""
    return (sys.executable, "-c", START + "\n".join(lines))


READY = "out.write(b'ready\\n'); out.flush()"
IDLE = "time.sleep(60)"


def gone(number):
    """Whether the process has ended and was waited for."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(("seconds", "whole"), [(1.9, 1), (60.9, 60)])
def test_a_worker_is_told_its_limits(seconds, whole):
    """In whole seconds, one at least: no seconds at all would be no limit."""
    limits = "out.write(struct.pack('<2q', *map(int, sys.argv[1:]))); out.flush()"
    command = told(READY, "sys.stdin.readline()", limits, IDLE)
    with Worker(seconds=seconds, memory=12345, command=command) as own:
        assert own.noise("any", [Fraction(1)], [2]).tolist() == [whole, 12345]


def test_an_answer_in_pieces_is_read_to_its_last_byte_and_no_further():
    pieces = ("out.write(b'rea'); out.flush()", "time.sleep(0.1)",
              "out.write(b'dy\\n' + struct.pack('<q', 77)); out.flush()", IDLE)  # fmt: skip
    with Worker(command=told(*pieces)) as own:
        assert own.noise("any", [Fraction(1)], [1]).tolist() == [77]


def test_a_worker_is_ended_with_its_block():
    with Worker(command=told(READY, IDLE)) as own:
        assert not gone(own.number)
    assert gone(own.number)


def test_a_process_that_the_system_does_not_start_is_one_sentence():
    with (
        pytest.raises(EquipoiseError, match="draws noise did not start; try again"),
        Worker(command=("/no/such/program",)),
    ):
        pass


def test_a_process_that_is_no_worker_is_refused_and_ended():
    own = Worker(command=told("out.write(b'hello\\n'); out.flush()", IDLE))
    with pytest.raises(EquipoiseError, match="did not start"), own:
        raise AssertionError("it was believed")
    assert gone(own.number)


def test_a_worker_that_has_ended_leaves_no_pipe_open():
    lowest = os.dup(0)  # the first number that is free, and so it is again afterwards
    os.close(lowest)
    with Worker(command=told(READY, IDLE)) as own:
        pass
    again = os.dup(0)
    os.close(again)
    assert again == lowest and own.number


def test_every_answer_is_waited_for_from_its_own_question_on(monkeypatch):
    """Hours may pass between two: nothing but the clock of this process says so."""
    late, clock = [0.0], process.time.monotonic
    monkeypatch.setattr(process.time, "monotonic", lambda: clock() + late[0])
    reply = "while sys.stdin.readline(): out.write(struct.pack('<q', 5)); out.flush()"
    with Worker(command=told(READY, reply)) as own:
        for _ in range(3):
            late[0] += 3600
            assert own.noise("any", [Fraction(1)], [1]).tolist() == [5]


def test_of_nothing_one_question_is_asked(monkeypatch):
    """A trial on zeros tries what a release will ask."""
    asked = []

    def told_so(own, question, data, numbers):
        asked.append((question["ask"], numbers))
        return np.zeros(numbers, dtype=np.int64)

    monkeypatch.setattr(process, "NUMBERS", 1)
    monkeypatch.setattr(process, "RECORDS", 1)
    monkeypatch.setattr(Worker, "_ask", told_so)
    assert Worker().noise("any", [Fraction(1)], [0]).tolist() == []
    assert Worker().thinned(np.zeros(2, dtype=np.int64), Fraction(1, 2)).tolist() == [0, 0]
    assert asked == [("any", 0), ("thinned", 2)]


def test_after_the_deadline_nothing_is_waited_for(monkeypatch):
    waited = []

    def select(reading, writing, other, seconds):
        waited.append(seconds)
        return [], [], []

    monkeypatch.setattr(process.select, "select", select)
    with pytest.raises(EquipoiseError, match="took too long"), Worker(seconds=0):
        raise AssertionError("it was waited for")
    assert waited == [0.0]


def test_a_choice_among_more_than_the_pipe_holds_is_sent_whole():
    gaps = np.arange(50_000)
    last = "out.write(sys.stdin.buffer.read(8 * 50000)[-8:]); out.flush()"
    with Worker(command=told(READY, "sys.stdin.buffer.readline()", last, IDLE)) as own:
        assert own.chosen("any", gaps, Fraction(1, 2)) == 49_999


def test_large_tables_and_long_files_are_asked_for_in_pieces(monkeypatch):
    monkeypatch.setattr(process, "NUMBERS", 700)
    monkeypatch.setattr(process, "RECORDS", 90)
    with Worker() as worker:
        sizes = [3, 0, 2000, 1, 700]
        drawn = worker.noise(LAPLACE, [Fraction(1, 1024 * (t % 2) or 1) for t in range(5)], sizes)
        assert len(drawn) == sum(sizes)
        assert not drawn[3 + 2000]  # its scale is tiny, and so far all before are in place
        assert np.count_nonzero(drawn[3:2003]) > 1000
        counts = np.array([0, 1, 500, 0, 60])
        kept = worker.thinned(counts, Fraction(99, 100))
        assert (kept <= counts).all() and kept.sum() > 500
        assert worker.thinned(np.zeros(3, dtype=np.int64), Fraction(1, 2)).tolist() == [0, 0, 0]
        assert worker.noise(LAPLACE, [Fraction(1)], [0]).tolist() == []


def test_a_killed_worker_is_one_sentence():
    with Worker() as own:
        os.kill(own.number, signal.SIGKILL)
        with pytest.raises(EquipoiseError, match="ended before its answer"):
            own.noise(LAPLACE, [Fraction(2)], [10])


def test_a_worker_that_listens_no_more_is_one_sentence():
    with (
        Worker(command=told("import os; os.close(0)", READY, IDLE)) as own,
        pytest.raises(EquipoiseError, match="ended before its answer"),
    ):
        own.noise("any", [Fraction(1)], [1])


def test_a_worker_that_hangs_is_ended():
    silent = (sys.executable, "-c", "import time; time.sleep(60)")
    with pytest.raises(EquipoiseError, match="took too long"), Worker(seconds=0.3, command=silent):
        pass


def test_a_worker_that_hangs_after_it_was_ready_is_ended(monkeypatch):
    """More than its pipe holds, and every look at the clock comes too late."""
    silent = (sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(60)")
    with Worker(command=silent) as own, pytest.raises(EquipoiseError, match="took too long"):
        monkeypatch.setattr(process.time, "monotonic", itertools.count(0, 1000).__next__)
        own.thinned(np.zeros(200_000, dtype=np.int64) + 1, Fraction(1, 2))


def test_a_worker_that_cannot_start_is_one_sentence():
    broken = (sys.executable, "-c", "raise SystemExit(1)")
    with pytest.raises(EquipoiseError, match="ended before"), Worker(command=broken):
        pass
