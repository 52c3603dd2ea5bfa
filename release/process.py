"""The worker process: started for one release, asked through pipes, ended with it.

OpenDP stays out of this process. A worker that fails, hangs or is killed ends in one sentence and
takes nothing with it but the budget that was spent before it drew.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np

from core.errors import EquipoiseError
from release.meter import Whole

SECONDS = 120
"""Longest that one answer may take, and all drawing of a release together."""

MEMORY = 4 * 2**30
"""Bytes of address space of the worker."""

READY = b"ready\n"
ENDED = "the process that draws noise ended before its answer"


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
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            bufsize=0,
        )
        self._questions, self._answers = _pipes(self._process)
        try:
            if self._read(len(READY)) != READY:
                raise EquipoiseError("the process that draws noise did not start; try again")
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
        question = {"ask": kind, "scales": [str(s) for s in scales], "cells": list(cells)}
        return self._ask(question, b"", sum(cells))

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """How many of each count a Poisson sample keeps."""
        question = {"ask": "thinned", "rate": str(rate), "cells": len(counts)}
        return self._ask(question, counts.astype("<i8").tobytes(), len(counts))

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


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise EquipoiseError("the process that draws noise has no pipes; try again")
    os.set_blocking(process.stdin.fileno(), False)
    return process.stdin, process.stdout
