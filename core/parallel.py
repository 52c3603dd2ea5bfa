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

Workers are fresh interpreters. A server with threads is never forked, and ``__main__``, which in
Streamlit is a page, is not run again. Starting them takes a moment, so a short list is done before
they would be there: the first tasks run in this process for ``PATIENCE`` seconds.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, TypeVar

from core.counts import CountSource
from core.errors import EquipoiseError
from core.table import Table, Variable

PATIENCE = 0.5
"""Seconds of work in this process before others are started."""

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
) -> Iterator[Result]:
    """``work(shared, task)`` for each task, in order; the first task that is refused ends it."""
    if workers < 1:
        raise EquipoiseError(f"the number of workers is {workers}; it must be at least 1")
    began, done = time.monotonic(), 0
    for task in tasks:
        if min(workers, len(tasks) - done) > 1 and time.monotonic() - began >= PATIENCE:
            break
        yield work(shared, task)
        done += 1
    rest = tasks[done:]
    if rest:
        yield from _spread(_packed((work, shared), source), rest, min(workers, len(rest)), source)


def _spread(
    opening: bytes, tasks: Sequence[Any], workers: int, source: CountSource | None
) -> Iterator[Any]:
    """The tasks on so many processes: a thread talks to each, whoever is free takes the next."""
    lock = threading.Lock()
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    crew = [_Worker(opening) for _ in range(workers)]
    for worker in crew:
        idle.put(worker)

    def counts(families: Families) -> tuple[Table, ...]:
        if source is None:
            raise EquipoiseError("a worker asked for tables and was lent no source")
        with lock:
            return source.counts(families)

    def ask(task: object) -> object:
        worker = idle.get()
        try:
            return worker.ask(task, counts)
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(workers, thread_name_prefix="equipoise-parallel")
    try:
        for answer in [pool.submit(ask, task) for task in tasks]:
            yield answer.result()
    finally:
        for worker in crew:
            worker.end()
        pool.shutdown(cancel_futures=True)
        for worker in crew:
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
        self._opening = opening

    def ask(self, task: object, counts: Callable[[Families], tuple[Table, ...]]) -> object:
        """The result of a task; questions for tables are answered on the way."""
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise EquipoiseError(ENDED)
        try:
            process.stdin.write(self._opening)
            self._opening = b""
            _send(process.stdin, task)
            while True:
                kind, value = pickle.load(process.stdout)
                if kind == "counts":
                    _send(process.stdin, _tried(counts, value))
                elif kind == "refused":
                    raise value
                else:
                    return value
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as problem:
            if isinstance(problem, EquipoiseError):
                raise
            raise EquipoiseError(ENDED) from None

    def end(self) -> None:
        """At once, whatever it is doing."""
        self._process.kill()

    def close(self) -> None:
        """Let go of an ended one."""
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:  # what it did not read any more
                    continue


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
