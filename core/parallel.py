"""Many independent tasks on all cores, with the same numbers whatever the number of processes.

    def _point(shared: tuple[Truth, CountSource], task: tuple[str, float]) -> Errors: ...

    for errors in ordered(_point, (truth, counts), tasks, workers=cores(), source=counts):
        ...  # one result for each task, in the order of the tasks, as they come

``work`` is a function at the top of a module that can be imported; ``shared`` goes to each worker
once, tasks and results one by one, all through pipes. A task draws from a generator of its own
(seeded by what it is, never by who does it), so results do not depend on who did what. ``source``
is a ``CountSource`` inside ``shared`` that stays where it is: workers ask for its tables, and
neither its rows nor its connection leave this process. Leaving the loop ends the workers, which is
what a Stop button does; if this process dies they end too.

Workers are fresh interpreters: a server with threads is never forked, and ``__main__``, which in
Streamlit is a page, is not run again. While they start whoever asks does tasks too, for
``PATIENCE`` seconds alone; a shell, where nobody else waits for this process, goes on with it.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from core.counts import CountSource
from core.errors import EquipoiseError
from core.table import Table, Variable

PATIENCE = 0.2
"""Seconds of work in this process before others are started; at 0 it does no task itself."""

ENDED = (
    "a process that computed a part ended before its answer, perhaps for want of memory; what was "
    "done before is kept, so try again, or with fewer workers"
)

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")
Families = tuple[tuple[Variable, ...], ...]


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def ordered(
    work: Callable[[Shared, Task], Result],
    shared: Shared,
    tasks: Sequence[Task],
    *,
    workers: int = 1,
    source: CountSource | None = None,
    patience: float | None = None,
) -> Iterator[Result]:
    """``work(shared, task)`` for each task, in order; the first task that is refused ends it."""
    if workers < 1:
        raise EquipoiseError(f"the number of workers is {workers}; it must be at least 1")
    if min(workers, len(tasks)) < 2:
        yield from (work(shared, task) for task in tasks)
        return
    crew = _Crew(work, shared, tasks, source, PATIENCE if patience is None else patience)
    try:
        yield from crew.answers(workers)
    finally:
        crew.end()


@dataclass(eq=False)
class _Crew:
    """Processes that share tasks with the thread that asks: whoever is free takes the next."""

    work: Callable[[Any, Any], Any]
    shared: object
    tasks: Sequence[Any]
    source: CountSource | None
    alone: float

    def __post_init__(self) -> None:
        self._answers: list[Future[tuple[str, Any]]] = [Future() for _ in self.tasks]
        self._free = iter(range(len(self.tasks)))
        self._lock, self._counting = threading.Lock(), threading.Lock()
        self._over, self._there = threading.Event(), threading.Event()
        self._workers: list[_Worker] = []
        self._threads: list[threading.Thread] = []

    def answers(self, workers: int) -> Iterator[Any]:
        """The results in order; this thread takes tasks while that is of use."""
        helps = self.alone > 0
        always = helps and threading.current_thread() is threading.main_thread()
        for _ in range(min(workers - always, len(self.tasks))):
            self._threads.append(threading.Thread(target=self._helper, daemon=True))
            self._threads[-1].start()
        for answer in self._answers:
            while helps and not answer.done() and (always or not self._there.is_set()):
                at = self._next()
                if at is None:
                    break
                self._answers[at].set_result(_tried(self.work, self.shared, self.tasks[at]))
            kind, value = answer.result()
            if kind == "refused":
                raise value
            yield value

    def _next(self) -> int | None:
        with self._lock:
            return None if self._over.is_set() else next(self._free, None)

    def _helper(self) -> None:
        """A thread that starts a process when there is something for it, and talks to it."""
        self._over.wait(self.alone)
        worker: _Worker | None = None
        while (at := self._next()) is not None:
            try:
                worker = worker or self._started()
                self._answers[at].set_result(worker.ask(self.tasks[at], self._counts))
            except Exception as problem:  # noqa: BLE001 - whoever asks raises it
                self._answers[at].set_exception(problem)
                return
            self._there.set()

    def _started(self) -> _Worker:
        opening = _packed((self.work, self.shared), self.source)
        with self._lock, contextlib.suppress(OSError):  # no memory for another process
            if not self._over.is_set():
                self._workers.append(_Worker(opening))
                return self._workers[-1]
        raise EquipoiseError(ENDED)

    def _counts(self, families: Families) -> tuple[Table, ...]:
        if self.source is None:
            raise EquipoiseError("a worker asked for tables and was lent no source")
        with self._counting:
            return self.source.counts(families)

    def end(self) -> None:
        """Whatever they are doing."""
        with self._lock:
            self._over.set()
            for worker in self._workers:
                worker.end()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process that was told what to do and is given one task at a time."""

    def __init__(self, opening: bytes) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from core.parallel import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parent.parent,
        )
        self._told = cast(IO[bytes], self._process.stdin)
        self._heard = cast(IO[bytes], self._process.stdout)
        self._opening = opening

    def ask(self, task: object, counts: Callable[[Families], object]) -> tuple[str, object]:
        """What comes of a task; questions for tables are answered on the way."""
        try:
            self._told.write(self._opening)
            self._opening = b""
            _send(self._told, task)
            while True:
                kind, value = pickle.load(self._heard)
                if kind == "counts":
                    _send(self._told, _tried(counts, value))
                else:
                    return kind, value
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise EquipoiseError(ENDED) from None

    def end(self) -> None:
        """At once, whatever it is doing."""
        self._process.kill()

    def close(self) -> None:
        """Let go of an ended one."""
        self._process.wait()
        for pipe in (self._told, self._heard):
            with contextlib.suppress(BrokenPipeError):  # what it did not read any more
                pipe.close()


def _tried(work: Callable[..., object], *given: object) -> tuple[str, object]:
    """What comes of it, or the sentence that refuses it."""
    try:
        return "done", work(*given)
    except EquipoiseError as problem:
        return "refused", problem


def _send(pipe: IO[bytes], value: object) -> None:
    pickle.dump(value, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _packed(value: object, source: CountSource | None) -> bytes:
    """As bytes, with a stand-in for the source."""
    buffer = io.BytesIO()
    _Packing(buffer, source).dump(value)
    return buffer.getvalue()


class _Packing(pickle.Pickler):
    """pickle, in which what is lent becomes a question."""

    def __init__(self, buffer: IO[bytes], source: CountSource | None) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._source = source

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - as pickle has it
        if value is self._source and self._source is not None:
            return DistantCounts, (self._source.records,)
        return NotImplemented


class DistantCounts:
    """A source of counts in a worker: the process that started it answers; tables are kept."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._kept: dict[Families, tuple[Table, ...]] = {}

    @property
    def records(self) -> int:
        """Number of records."""
        return self._records

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Asked for once."""
        key = tuple(families)
        if key not in self._kept:
            if len(self._kept) >= 8:
                self._kept.pop(next(iter(self._kept)))
            _send(_answers, ("counts", key))
            kind, value = _questions.get()
            if kind == "refused":
                raise value
            self._kept[key] = value
        return self._kept[key]


_questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
_answers: IO[bytes] = io.BytesIO()
"""A worker's pipes."""


def serve() -> None:
    """What a worker does until it is ended, or until whoever asks is gone."""
    global _answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it decides
    _answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a task prints is no answer
    threading.Thread(target=_until_it_ends, args=(_listen,), daemon=True).start()
    _until_it_ends(_do)


def _listen() -> None:
    """Take questions while others are being answered, so that the end of them ends the work."""
    while True:
        _questions.put(pickle.load(sys.stdin.buffer))


def _do() -> None:
    work, shared = _questions.get()
    while True:
        _send(_answers, _tried(work, shared, _questions.get()))


def _until_it_ends(loop: Callable[[], None]) -> None:
    """The process ends with either loop; the log says why, unless whoever asks is gone."""
    try:
        loop()
    except (EOFError, BrokenPipeError):
        os._exit(0)
    finally:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
