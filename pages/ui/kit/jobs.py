"""Long work in the background: one thread for each job, stopped on demand, never past its time.

A job belongs to one visitor's session; its thread holds plain numbers and calls nothing of
Streamlit. A page starts it with :func:`start`, draws what is there, and asks again from a
fragment while it is alive. What was found before a stop is kept.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import MEMORY, EquipoiseError

SECONDS = 300.0
"""Longest a job may run: threads outlive the visitor who started them."""

SLOTS = 2
"""Visitors whose jobs compute at the same time on this server; the others wait."""

UNASKED = 10.0
"""Seconds without a look after which work that nobody asked for makes room for others."""

QUICK = 0.6
"""Seconds that a page waits for a job: what is quick is drawn once and whole."""

OVERTAKEN = 0.1
"""Seconds that a picture waits for others at most."""

POLL = 0.4
"""Seconds between two looks at a job."""


class Turns:
    """Who may compute: a slot is one visitor's, so nobody holds two of them.

    Who waits longest gets the next. A visitor's further jobs share his slot, unless somebody else
    waits: then they wait their turn too.
    """

    def __init__(self, slots: int) -> None:
        self._slots, self._changed = slots, threading.Condition()
        self._held: list[str] = []
        self._waiting: list[tuple[str, object]] = []

    def take(self, visitor: str, job: object, seconds: float) -> bool:
        """Whether the job may go on, after waiting at most this time; it keeps its place."""
        with self._changed:
            if (visitor, job) not in self._waiting:
                self._waiting.append((visitor, job))
            taken = self._changed.wait_for(lambda: self._may(visitor, job), seconds)
            if taken:
                self._waiting.remove((visitor, job))
                self._held.append(visitor)
                self._changed.notify_all()
            return taken

    def _may(self, visitor: str, job: object) -> bool:
        fresh = [waiting for waiting in self._waiting if waiting[0] not in self._held]
        if visitor in self._held:
            return not fresh
        return len(set(self._held)) < self._slots and fresh[0] == (visitor, job)

    def leave(self, visitor: str, job: object) -> None:
        """Wait no longer."""
        with self._changed:
            self._waiting.remove((visitor, job))
            self._changed.notify_all()

    def release(self, visitor: str) -> None:
        """A job has ended."""
        with self._changed:
            self._held.remove(visitor)
            self._changed.notify_all()


TURNS = Turns(SLOTS)
PICTURES = threading.Semaphore(SLOTS)


@contextlib.contextmanager
def one_by_one() -> Iterator[None]:
    """Draw a picture when those before are drawn: fifty at once would all come late.

    Nobody waits long: a picture that takes its time is overtaken.
    """
    mine = PICTURES.acquire(timeout=OVERTAKEN)
    try:
        yield
    finally:
        if mine:
            PICTURES.release()


Work = Callable[[], Iterator[int | None]]
"""The work of a job as a generator: each step yields, and between steps it may be stopped.

A step may yield how many there are in all, where that was not known at the start.
"""

End = Literal["", "done", "stopped", "late", "left", "failed"]


@dataclass(eq=False)
class Job:
    """One piece of work under way or ended; ``key`` says what it is the work for.

    It ends after ``seconds``, and when nobody has looked at its status for ``patience`` seconds.
    """

    key: Hashable
    total: int
    work: Work
    seconds: float = SECONDS
    patience: float = SECONDS
    done: int = 0
    end: End = ""
    message: str = ""
    visitor: str = ""
    began: float = 0.0
    seen: float = field(default_factory=time.monotonic)
    halt: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def run(self) -> None:
        """Begin in a thread of its own."""
        self.thread = threading.Thread(target=self._loop, daemon=True, name="equipoise-job")
        self.thread.start()

    @property
    def alive(self) -> bool:
        """Whether there is more to come."""
        return self.end == ""

    def wait(self, seconds: float) -> None:
        """Come back when it has ended, or after this time."""
        if self.thread is not None:
            self.thread.join(seconds)

    def stop(self) -> None:
        """Ask it to end after the step under way."""
        self.halt.set()

    @property
    def left(self) -> float | None:
        """Seconds to go at the pace so far, or none when nothing is done yet."""
        if not self.done or not self.began:
            return None
        return (time.monotonic() - self.began) / self.done * (self.total - self.done)

    def _loop(self) -> None:
        while not TURNS.take(self.visitor, self, POLL):
            if self.halt.is_set() or self.forgotten:
                TURNS.leave(self.visitor, self)
                self.end = "stopped" if self.halt.is_set() else "left"
                return
        try:
            self.began = time.monotonic()
            self.end = self._steps()
        except EquipoiseError as problem:
            self.message = str(problem)
        except MemoryError:
            self.message = MEMORY
        finally:
            self.work = lambda: iter(())  # lets go of what it held, other processes too
            TURNS.release(self.visitor)
            self.end = self.end or "failed"

    def _steps(self) -> End:
        for told in self.work():
            self.total = told or self.total
            self.done += 1
            if self.done < self.total and self.halt.is_set():
                return "stopped"
            if self.done < self.total and time.monotonic() - self.began > self.seconds:
                return "late"
            if self.done < self.total and self.forgotten:
                return "left"
        return "done"

    @property
    def forgotten(self) -> bool:
        """Whether nobody has looked at it for longer than it waits."""
        return time.monotonic() - self.seen > self.patience


def start(
    name: str,
    key: Hashable,
    total: int,
    work: Work,
    *,
    patience: float = SECONDS,
    seconds: float = SECONDS,
) -> Job:
    """A new job of this session; the one that had the name before is stopped."""
    jobs: dict[str, Job] = st.session_state.setdefault("jobs", {})
    if name in jobs:
        jobs[name].stop()
    context = get_script_run_ctx()
    visitor = "" if context is None else context.session_id
    jobs[name] = Job(key, total, work, seconds, patience, visitor=visitor)
    jobs[name].run()
    return jobs[name]


def current(name: str) -> Job | None:
    """The session's job of that name."""
    job: Job | None = st.session_state.get("jobs", {}).get(name)
    return job


def running(name: str) -> bool:
    """Whether the session's job of that name is under way."""
    job = current(name)
    return job is not None and job.alive


def unasked(name: str, key: Hashable, begin: Callable[[], Job | None]) -> Job | None:
    """The job for what a page lacks: begun at once, unless it was stopped by hand."""
    job = current(name)
    if job is not None and job.key == key and job.end != "left":
        return job
    if job is not None:
        job.stop()  # nobody looks at it any more
    job = begin()
    if job is not None:
        job.wait(QUICK)
    return job


def status(job: Job, what: str) -> str:
    """How far a job is, in words; whoever asks is looking at it."""
    job.seen = time.monotonic()
    so_far = f"{job.done} of {job.total} {what}"
    if job.end == "":
        if job.halt.is_set():
            return f"{so_far}, stopping after the one under way"
        left = job.left
        return f"{so_far}, {left:.0f} s left" if left is not None else f"{so_far}, starting"
    return {
        "done": f"{so_far} measured",
        "stopped": f"Stopped after {so_far}; they are kept",
        "late": f"Out of time after {so_far}; they are kept",
        "left": f"Nobody was looking after {so_far}; they are kept",
        "failed": f"Ended after {so_far}: {job.message or 'the server log says why'}",
    }[job.end]
