"""The worker process: started for one release, asked through pipes, ended with it.

OpenDP stays out of this process. A worker that fails, hangs or is killed ends in one sentence and
takes nothing with it but the budget that was spent before it drew.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

import numpy as np

from core.errors import EquipoiseError
from release.meter import Whole

SECONDS = 120
"""Longest that one answer may take."""

MEMORY = 4 * 2**30
"""Bytes of address space of the worker."""

NUMBERS, RECORDS = 2**20, 2**26
"""Most numbers drawn and most records thinned for one question: seconds of work, so that no table
is too large and no file too long to be answered in time."""

READY = b"ready\n"
ENDED = "the process that draws noise ended before its answer"
UNSTARTED = "the process that draws noise did not start; try again"


class Worker:
    """A drawer (``release.meter.Drawer``) in a process of its own; use it in a ``with`` block.

    Entering waits until it is ready, so that a release never pays for a worker that cannot start.
    """

    def __init__(
        self, *, seconds: float = SECONDS, memory: int = MEMORY, command: Sequence[str] = ()
    ) -> None:
        limits = [str(max(1, int(seconds))), str(memory)]
        self._command = [*(command or (sys.executable, "-m", "release.worker")), *limits]
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds

    def __enter__(self) -> Self:
        root = Path(__file__).parent.parent
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=root,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                bufsize=0,
            )
        except OSError:  # no memory for another process, or no more of them
            raise EquipoiseError(UNSTARTED) from None
        self._questions = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        os.set_blocking(self._questions.fileno(), False)
        try:
            if self._read(len(READY)) != READY:
                raise EquipoiseError(UNSTARTED)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._questions.close()
        self._answers.close()
        self._process.wait()

    @property
    def number(self) -> int:
        """The process number."""
        return self._process.pid

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """Exact whole numbers, ``cells[t]`` of ``scales[t]`` for each t."""
        texts, drawn = [str(scale) for scale in scales], [np.zeros(0, dtype=np.int64)]
        for some in _pieces(np.array(cells, dtype=np.int64), NUMBERS):
            question = {"ask": kind, "scales": texts, "cells": some.tolist()}
            drawn.append(self._ask(question, b"", int(some.sum())))
        return np.concatenate(drawn)

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """How many of each count a Poisson sample keeps."""
        question = {"ask": "thinned", "rate": str(rate), "cells": len(counts)}
        kept = np.zeros(len(counts), dtype=np.int64)
        for some in _pieces(counts, RECORDS):
            kept += self._ask(question, some.astype("<i8").tobytes(), len(counts))
        return kept

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """The place of one candidate."""
        question = {"ask": law, "rate": str(rate), "cells": len(gaps)}
        return int(self._ask(question, gaps.astype("<i8").tobytes(), 1)[0])

    def _ask(self, question: Mapping[str, object], data: bytes, numbers: int) -> Whole:
        self._deadline = time.monotonic() + self._seconds
        self._write(json.dumps(question).encode() + b"\n" + data)
        return np.frombuffer(self._read(8 * numbers), dtype="<i8").astype(np.int64)

    def _write(self, data: bytes) -> None:
        """All of it, before the deadline: a process that does not read holds nobody up."""
        rest = memoryview(data)
        while rest:
            self._wait([], [self._questions])
            try:
                rest = rest[os.write(self._questions.fileno(), rest) :]
            except BrokenPipeError:
                raise EquipoiseError(ENDED) from None

    def _read(self, size: int) -> bytes:
        """Exactly so many bytes, before the deadline."""
        received = bytearray()
        while len(received) < size:
            self._wait([self._answers], [])
            part = self._answers.read(size - len(received))
            if not part:
                raise EquipoiseError(ENDED)
            received += part
        return bytes(received)

    def _wait(self, reading: list[IO[bytes]], writing: list[IO[bytes]]) -> None:
        left = max(0.0, self._deadline - time.monotonic())
        if not any(select.select(reading, writing, [], left)):
            raise EquipoiseError("the process that draws noise took too long and was ended")


def _pieces(sizes: Whole, most: int) -> Iterator[Whole]:
    """Sizes that add up to those given, in their order, each time at most so many in all.

    Of nothing there is one piece, so that a trial on zeros asks what a release will ask.
    """
    before = np.cumsum(sizes) - sizes
    for start in range(0, int(sizes.sum()) or 1, most):
        yield np.clip(start + most - before, 0, sizes) - np.clip(start - before, 0, sizes)
