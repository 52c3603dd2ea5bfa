"""Background jobs: they end when asked to, keep what they found, and take turns."""

import threading
import time

from core.errors import EquipoiseError
from pages.ui.kit import jobs
from pages.ui.kit.jobs import Job, Turns


def finished(job):
    job.run()
    job.thread.join(timeout=60)
    assert not job.thread.is_alive()
    return job


def counting(found, limit):
    for number in range(limit):
        found.append(number)
        yield


def test_a_job_runs_to_its_end_and_says_how_far_it_is():
    found = []
    job = finished(Job("k", 3, lambda: counting(found, 3)))
    assert found == [0, 1, 2]
    assert (job.end, job.done, job.alive) == ("done", 3, False)
    assert jobs.status(job, "points") == "3 of 3 points measured"


def test_a_stopped_job_keeps_what_it_found():
    found, go = [], threading.Event()

    def work():
        for number in range(100):
            found.append(number)
            yield
            go.wait(60)

    job = Job("k", 100, work)
    job.run()
    while not found:
        time.sleep(0.01)
    job.stop()
    go.set()
    job.thread.join(timeout=60)
    assert job.end == "stopped"
    assert 1 <= len(found) < 100
    assert job.done in (len(found), len(found) - 1)
    assert "they are kept" in jobs.status(job, "points")


def test_a_job_ends_when_its_time_is_up():
    def slow():
        for _ in range(1000):
            time.sleep(0.01)
            yield

    job = finished(Job("k", 1000, slow, seconds=0.05))
    assert job.end == "late"
    assert job.done < 100


def test_what_the_engine_refuses_is_said():
    def refused():
        yield
        raise EquipoiseError("epsilon is 0; it must be positive")

    job = finished(Job("k", 2, refused))
    assert job.end == "failed"
    assert "epsilon is 0" in jobs.status(job, "points")


def test_work_that_takes_all_memory_says_so_and_makes_room():
    def greedy():
        yield
        held = bytearray(2**62)
        yield len(held)

    job = finished(Job("k", 2, greedy))
    assert job.end == "failed"
    assert "more memory than there is" in jobs.status(job, "points")
    assert finished(Job("k", 1, lambda: iter([None]))).end == "done"


def test_an_estimate_needs_one_finished_step():
    job = Job("k", 4, lambda: iter(()))
    assert job.left is None
    assert jobs.status(job, "points") == "0 of 4 points, starting"
    job.began, job.done = time.monotonic() - 2, 1
    assert 6 <= job.left <= 3 * (time.monotonic() - job.began)
    job.stop()
    assert jobs.status(job, "points") == "1 of 4 points, stopping after the one under way"


def test_no_more_jobs_compute_at_once_than_allowed():
    running, most, lock = [0], [0], threading.Lock()

    def work():
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        yield

    started = [Job(i, 1, work, visitor=str(i)) for i in range(6)]
    for job in started:
        job.run()
    for job in started:
        job.thread.join(timeout=60)
    assert all(job.end == "done" for job in started)
    assert most[0] == 2


def test_a_waiting_job_can_be_stopped():
    for visitor in "ab":
        assert jobs.TURNS.take(visitor, visitor, 60)
    try:
        job = Job("k", 1, lambda: counting([], 1))
        job.run()
        job.stop()
        job.thread.join(timeout=60)
        assert job.end == "stopped"
        assert job.done == 0
    finally:
        for visitor in "ab":
            jobs.TURNS.release(visitor)


def test_a_job_that_nobody_looks_at_makes_room():
    def slow():
        for _ in range(1000):
            time.sleep(0.01)
            yield

    job = finished(Job("k", 1000, slow, patience=0.05))
    assert job.end == "left"
    assert "they are kept" in jobs.status(job, "points")


def test_a_job_that_is_looked_at_goes_on():
    def steps(look):
        for _ in range(4):
            job.seen -= 400  # as if that many seconds had passed
            look()
            yield

    job = Job("k", 4, lambda: steps(lambda: jobs.status(job, "points")), patience=600)
    assert finished(job).end == "done"
    job = Job("k", 4, lambda: steps(lambda: None), patience=600)
    assert finished(job).end == "left" and job.done == 2


def test_work_that_nobody_asked_for_begins_again_when_someone_is_back(monkeypatch):
    session = {}
    monkeypatch.setattr(jobs.st, "session_state", session)
    started = []

    def begin():
        started.append(jobs.start("sweep", "key", 1, lambda: counting([], 1)))
        return started[-1]

    first = jobs.unasked("sweep", "key", begin)
    first.thread.join(timeout=60)
    assert jobs.unasked("sweep", "key", begin) is first
    first.end = "stopped"  # by hand: it stays so
    assert jobs.unasked("sweep", "key", begin) is first
    first.end = "left"
    assert jobs.unasked("sweep", "key", begin) is started[1]
    assert jobs.unasked("sweep", "other", begin) is started[2]


def test_no_visitor_holds_both_slots_and_who_waits_longest_is_next():
    turns = Turns(2)
    assert turns.take("one", "sweep", 1)
    assert turns.take("one", "attack", 1)  # nobody else waits: in the same slot
    assert turns.take("two", "sweep", 1)
    assert not turns.take("three", "sweep", 0)
    assert not turns.take("one", "more", 0)  # somebody waits for a slot
    turns.release("one")
    assert not turns.take("three", "sweep", 0)  # the attack is still under way
    turns.release("one")
    assert not turns.take("one", "more", 0)
    assert turns.take("three", "sweep", 0)
    turns.release("two")
    assert turns.take("one", "more", 0)


def test_who_waits_no_longer_is_forgotten():
    turns = Turns(1)
    assert turns.take("one", "sweep", 1)
    assert not turns.take("two", "sweep", 0)
    turns.leave("two", "sweep")
    turns.release("one")
    assert turns.take("three", "sweep", 0)


def test_an_ended_job_lets_go_of_what_it_held():
    found = []
    job = finished(Job("k", 2, lambda: counting(found, 2)))
    assert list(job.work()) == [] and found == [0, 1]


def test_a_picture_waits_for_two_others_and_not_for_long():
    """Two are drawn at a time; the third comes when one is done, or after a moment."""
    with jobs.one_by_one(), jobs.one_by_one():
        began = time.monotonic()
        with jobs.one_by_one():
            assert time.monotonic() - began >= jobs.OVERTAKEN
    with jobs.one_by_one(), jobs.one_by_one():  # all places are given back
        assert not jobs.PICTURES.acquire(blocking=False)
