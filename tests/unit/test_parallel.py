"""Tasks on several processes: same results, in order, stopped and broken."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core import parallel
from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.parallel import cores, ordered
from core.table import Variable
from tests.unit.working import breaks, dies, drawn, fails, greedy, sleeps, slowly, tables


def rows_of(*names):
    variables = tuple(Variable(name, ("a", "b")) for name in names)
    codes = np.random.default_rng(3).integers(2, size=(50, len(names)))
    return Rows(Dataset(variables, codes))


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Without the first tasks in this process."""
    monkeypatch.setattr(parallel, "PATIENCE", 0.0)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_numbers_do_not_depend_on_the_number_of_workers(workers):
    alone = [drawn(7, task)[1] for task in range(6)]
    results = list(ordered(drawn, 7, range(6), workers=workers))
    np.testing.assert_array_equal([values for _, values in results], alone)
    others = {process for process, _ in results} - {os.getpid()}
    assert bool(others) == (workers > 1)


def test_rows_stay_and_tables_are_asked_for():
    rows = rows_of("x", "y", "z")
    families = tuple((v,) for v in rows.dataset.variables)
    opening = parallel._packed((tables, (rows, families)), rows)
    assert b"Dataset" not in opening
    assert b"Dataset" in parallel._packed((tables, (rows, families)), None)
    results = list(ordered(tables, (rows, families), range(3), workers=2, source=rows))
    for task, (records, values) in enumerate(results):
        assert records == 50
        np.testing.assert_array_equal(values, [t.values for t in rows.counts(families[task:])])


@pytest.mark.parametrize("workers", [1, 2])
def test_the_first_task_in_order_that_is_refused_ends_it(workers):
    results = ordered(fails, 2, range(5), workers=workers)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(EquipoiseError, match="task 2 is bad"):
        next(results)


def test_what_nobody_expected_is_told_in_the_log_and_ends_in_one_sentence(capfd):
    with pytest.raises(EquipoiseError, match="ended before its answer"):
        list(ordered(breaks, 1, range(3), workers=2))
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_killed_worker_is_one_sentence_and_a_retry_succeeds():
    with pytest.raises(EquipoiseError, match="ended before its answer"):
        list(ordered(dies, 1, range(4), workers=2))
    assert list(ordered(dies, 9, range(4), workers=2)) == [0, 1, 2, 3]


def test_where_no_process_can_be_started_is_one_sentence(monkeypatch):
    def refused(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(parallel.subprocess, "Popen", refused)
    with pytest.raises(EquipoiseError, match="ended before its answer, perhaps for want of memory"):
        list(ordered(slowly, 1, range(4), workers=2))


def test_a_worker_that_takes_all_memory_is_one_sentence(capfd):
    with pytest.raises(EquipoiseError, match="ended before its answer, perhaps for want of memory"):
        list(ordered(greedy, 1, range(4), workers=2))
    assert "MemoryError" in capfd.readouterr().err
    assert list(ordered(greedy, 9, range(4), workers=2)) == [0, 1, 2, 3]


def gone(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_leaving_the_loop_ends_the_workers(tmp_path):
    began = time.monotonic()
    for _ in ordered(sleeps, (tmp_path, 600.0), range(4), workers=2):
        break
    assert time.monotonic() - began < 300
    assert all(gone(int(path.name)) for path in tmp_path.iterdir())


def test_a_source_that_refuses_is_heard_in_the_worker():
    rows = rows_of("x")
    other = ((Variable("unknown", ("a",)),),)
    with pytest.raises(EquipoiseError, match="no column 'unknown'"):
        list(ordered(tables, (rows, other), [0, 0], workers=2, source=rows))


def test_a_short_list_stays_here(monkeypatch):
    monkeypatch.setattr(parallel, "PATIENCE", 60.0)
    assert {p for p, _ in ordered(drawn, 1, range(4), workers=2)} == {os.getpid()}


def doers():
    """Who did each task, until another process did as many as a long start would leave to this."""
    told = []
    for process in ordered(slowly, 0.01, range(10_000), workers=2, patience=0.01):
        told.append(process)
        if len([p for p in told if p != os.getpid()]) == 40:
            break
    return told


def test_a_shell_is_one_of_the_workers():
    told = doers()
    assert len(set(told)) == 2
    assert os.getpid() in told[-10:]


def test_a_server_works_along_until_the_workers_are_there():
    with ThreadPoolExecutor(1) as thread:
        told = thread.submit(doers).result()
    assert os.getpid() in told[:3]  # a task each may be put aside for the workers
    assert os.getpid() not in told[-10:]
    assert len(set(told)) in (2, 3)


def test_there_is_at_least_one_worker():
    assert cores() >= 1
    with pytest.raises(EquipoiseError, match="number of workers is 0"):
        next(ordered(fails, 0, [1], workers=0))
