"""The sampler told what it draws: every word decides where it should, and limits are as asked."""

import io
import json
import resource
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from release import worker
from release.worker import READY, ExactSampler


@pytest.mark.parametrize("block", [1, 4, 7, 1000])
def test_each_record_has_its_own_coin_whatever_the_block(monkeypatch, block):
    """Twin: one word for each record in its turn, kept below three of four sides."""
    rng, given = np.random.default_rng(block), []

    def words(size):
        some = rng.integers(2**64, size=size // 8, dtype=np.uint64)
        given.extend(some.tolist())
        return some.astype("<u8").tobytes()

    monkeypatch.setattr(worker, "BLOCK", block)
    monkeypatch.setattr("release.worker.os.urandom", words)
    counts = np.array([0, 3, 1, 0, 9, 2])
    kept = ExactSampler().thinned(counts, Fraction(3, 4))
    heads = [cell for cell, word in zip(np.repeat(np.arange(6), counts), given, strict=True)
             if word % 4 < 3]  # fmt: skip
    assert kept.tolist() == [heads.count(cell) for cell in range(6)]


@pytest.mark.parametrize("law", [worker.EXPONENTIAL, worker.PERMUTE_AND_FLIP])
def test_at_the_rate_zero_whoever_is_proposed_is_chosen(monkeypatch, law):
    gaps = np.array([0, 3, 7], dtype=np.int64)
    for proposed, lot in ((0, lambda sides: 0), (2, lambda sides: sides - 1)):
        monkeypatch.setattr("release.worker.secrets.randbelow", lot)
        assert ExactSampler().chosen(law, gaps, Fraction(0)) == proposed


class Told:
    """A sampler whose answers say what it was asked."""

    def noise(self, kind, scales, cells):
        return np.repeat([int(2 * scale) for scale in scales], cells)

    def thinned(self, counts, rate):
        return counts * rate.numerator

    def chosen(self, law, gaps, rate):
        return int(gaps.sum() * rate.denominator)


def test_every_question_is_answered_in_its_turn_within_the_limits(monkeypatch):
    asked = [
        ({"ask": "discrete laplace", "scales": ["1/2", "7"], "cells": [1, 2]}, []),
        ({"ask": "thinned", "rate": "2/3", "cells": 2}, [5, 2**40]),
        ({"ask": "exponential", "rate": "1/9", "cells": 3}, [0, 4, 1]),
        ({"ask": "permute-and-flip", "rate": "1/8", "cells": 1}, [0]),
    ]
    sent = b"".join(
        json.dumps(question).encode() + b"\n" + np.array(data, dtype="<i8").tobytes()
        for question, data in asked
    )
    limits, answers = [], io.BytesIO()
    monkeypatch.setattr(worker, "limit", lambda *own: limits.append(own))
    monkeypatch.setattr(worker, "ExactSampler", Told)
    monkeypatch.setattr(sys, "argv", ["worker", "7", "123"])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(sent)))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=answers))
    worker.main()
    monkeypatch.undo()
    told = np.array([1, 14, 14, 10, 2**41, 45, 0], dtype="<i8").tobytes()
    assert answers.getvalue() == READY + told
    assert limits == [(7, 123)] * (1 + len(asked))  # once to start, and once for each question


@pytest.mark.parametrize(("hard", "until"), [(resource.RLIM_INFINITY, 9), (7, 7), (20, 9)])
def test_limits_count_from_now_and_leave_no_dump(monkeypatch, hard, until):
    given = {}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, hard))
    monkeypatch.setattr(resource, "setrlimit", given.__setitem__)
    monkeypatch.setattr("release.worker.time.process_time", lambda: 3.2)
    worker.limit(5, 2**33)
    monkeypatch.undo()
    assert given == {
        resource.RLIMIT_CPU: (until, hard),
        resource.RLIMIT_AS: (2**33, 2**33),
        resource.RLIMIT_CORE: (0, 0),
    }
