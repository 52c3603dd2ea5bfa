"""Run as ``python -m release.worker``: exact noise on standard output for what standard input asks.

The only place that imports OpenDP and the only one that draws release noise. It draws from the
operating system's entropy and keeps no seed. It is asked for numbers of given scales and adds them
to nothing: counts come here only to be thinned, and scores only to be chosen by, through the pipe,
never by disk or command line.

A question is one line of JSON, for ``thinned`` followed by the counts as 64-bit integers, for a
choice by how far each candidate is behind the best; an answer is the numbers asked for, 64-bit, as
many as the question implies. The end of the questions ends the process, so it never outlives
whoever asks.
"""

import json
import math
import os
import secrets
import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from opendp.domains import atom_domain, vector_domain
from opendp.measurements import make_gaussian, make_laplace
from opendp.metrics import l1_distance, l2_distance
from opendp.mod import enable_features

from release.rationals import MOST_SIDES

Whole = NDArray[np.int64]

BLOCK = 2**20
"""Records thinned at a time."""

READY = b"ready\n"
EXPONENTIAL, PERMUTE_AND_FLIP = "exponential", "permute-and-flip"

enable_features("contrib")


class ExactSampler:
    """Draws with OpenDP's exact samplers; a scale is a fraction that a double holds exactly."""

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """``cells[t]`` whole numbers of ``scales[t]`` for each t; one batch for each scale."""
        wanted: dict[Fraction, int] = {}
        for scale, size in zip(scales, cells, strict=True):
            wanted[scale] = wanted.get(scale, 0) + size
        drawn = {scale: iter(_drawn(kind, scale, size)) for scale, size in wanted.items()}
        return np.array(
            [next(drawn[s]) for s, size in zip(scales, cells, strict=True) for _ in range(size)],
            dtype=np.int64,
        )

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """How many of each count remain if each is kept with probability ``rate``, exactly."""
        if not 0 < rate < 1 or rate.denominator > MOST_SIDES:
            raise ValueError(f"the rate {rate} is not a share with a denominator of 62 bits")
        ends = np.cumsum(counts)
        kept = np.zeros(len(counts), dtype=np.int64)
        total = int(counts.sum())
        for start in range(0, total, BLOCK):
            heads = _heads(min(BLOCK, total - start), rate)
            cell = np.searchsorted(ends, start + np.flatnonzero(heads), side="right")
            kept += np.bincount(cell, minlength=len(counts))
        return kept

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """One candidate: any of those left is proposed, and kept with chance exp(-rate · gap).

        Proposing again those that were not kept is the exponential mechanism, by rejection; leaving
        them out is permute-and-flip, a random order. Source: McKenna and Sheldon 2020, section 4.
        """
        if law not in (EXPONENTIAL, PERMUTE_AND_FLIP) or rate < 0 or gaps.min(initial=1) != 0:
            raise ValueError(f"no choice {law!r} at the rate {rate}")
        left = [*enumerate(gaps.tolist())]
        while True:
            at = secrets.randbelow(len(left))
            place, gap = left[at]
            if kept(rate * gap):
                return place
            if law == PERMUTE_AND_FLIP:
                left[at] = left[-1]
                left.pop()


def kept(exponent: Fraction) -> bool:
    """A coin of chance exp(-exponent), exactly, in whole numbers.

    Source: Canonne, Kamath, Steinke 2020, Algorithm 1.
    """
    while exponent > 1:
        if not kept(Fraction(1)):
            return False
        exponent -= 1
    tries = 1
    while secrets.randbelow(exponent.denominator * tries) < exponent.numerator:
        tries += 1
    return tries % 2 == 1


def _drawn(kind: str, scale: Fraction, size: int) -> list[int]:
    value = float(scale)
    if Fraction(value) != scale:
        raise ValueError(f"the scale {scale} is not a double")
    space = vector_domain(atom_domain(T="i64"))
    if kind == "discrete laplace":
        measurement = make_laplace(space, l1_distance(T="i64"), scale=value)
    elif kind == "discrete gaussian":
        measurement = make_gaussian(space, l2_distance(T="f64"), scale=value)
    else:
        raise ValueError(f"no noise {kind!r}")
    return list(measurement([0] * size))


def _heads(size: int, rate: Fraction) -> NDArray[np.bool_]:
    """Coins of probability ``rate``: uniform numbers below its denominator, biased ones redrawn."""
    sides = rate.denominator
    limit = 2**64 - 2**64 % sides
    words = np.frombuffer(os.urandom(8 * size), dtype="<u8").copy()
    while (biased := words >= limit).any():
        words[biased] = np.frombuffer(os.urandom(8 * int(biased.sum())), dtype="<u8")
    return np.asarray(words % np.uint64(sides) < rate.numerator)


def answer(question: dict[str, object], pipe: BinaryIO, source: ExactSampler) -> Whole:
    """The numbers that one question asks for."""
    if question["ask"] in ("thinned", EXPONENTIAL, PERMUTE_AND_FLIP):
        sent = np.frombuffer(pipe.read(8 * int(str(question["cells"]))), dtype="<i8")
        rate = Fraction(str(question["rate"]))
        if question["ask"] == "thinned":
            return source.thinned(sent, rate)
        return np.array([source.chosen(str(question["ask"]), sent, rate)])
    scales = [Fraction(text) for text in question["scales"]]  # type: ignore[attr-defined]
    return source.noise(str(question["ask"]), scales, question["cells"])  # type: ignore[arg-type]


def limit(seconds: int, memory: int) -> None:
    """End this process when an answer takes too long or too much memory, where possible.

    Seconds count from now on: what was drawn for a trial takes none from the release.
    """
    try:
        import resource
    except ImportError:  # not a Unix system: whoever asks waits for a limited time only
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = math.ceil(time.process_time()) + seconds
    until = until if hard == resource.RLIM_INFINITY else min(until, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a dump would hold counts or noise


def main() -> None:
    """Answer questions until there are no more."""
    limits = int(sys.argv[1]), int(sys.argv[2])
    limit(*limits)
    questions, answers, source = sys.stdin.buffer, sys.stdout.buffer, ExactSampler()
    answers.write(READY)
    answers.flush()
    for line in iter(questions.readline, b""):
        limit(*limits)
        answers.write(answer(json.loads(line), questions, source).astype("<i8").tobytes())
        answers.flush()


if __name__ == "__main__":
    main()
