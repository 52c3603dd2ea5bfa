"""The sampler told what it draws: every word decides where it should, and limits are as asked."""

import io
import itertools
import json
import resource
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from release import worker
from release.published import GAUSSIAN, LAPLACE
from release.worker import READY, ExactSampler
from tests.release.test_worker import ALARM, chances, fit


@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_noise_has_the_law_of_its_name_around_zero(kind):
    drawn = ExactSampler().noise(kind, [Fraction(3, 2)], [8000])
    assert fit(drawn, lambda whole: chances(kind, 1.5, whole)) > ALARM


@pytest.mark.parametrize(("kind", "scale", "why"), [
    (LAPLACE, Fraction(1, 3), "the scale 1/3 is not a double"),
    ("discrete uniform", Fraction(1, 2), "no noise 'discrete uniform'"),
])  # fmt: skip
def test_noise_that_could_not_be_exact_or_has_no_law_is_refused(kind, scale, why):
    with pytest.raises(ValueError, match=why):
        ExactSampler().noise(kind, [scale], [1])


def test_as_many_numbers_are_drawn_as_are_asked_for_and_each_is_used_once(monkeypatch):
    asked = []

    def drawn(kind, scale, size):
        asked.append((kind, scale, size))
        return range(int(10 * scale), int(10 * scale) + size)

    monkeypatch.setattr(worker, "_drawn", drawn)
    noise = ExactSampler().noise(LAPLACE, [Fraction(1), Fraction(5), Fraction(1)], [2, 1, 3])
    assert noise.tolist() == [10, 11, 50, 12, 13, 14]
    assert asked == [(LAPLACE, 1, 5), (LAPLACE, 5, 1)]


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


def test_a_word_that_would_make_a_coin_unfair_is_drawn_again(monkeypatch):
    """2^64 is no multiple of three: its last number would be heads once too often."""
    told = iter([2**64 - 1, 2**64 - 1, 1])

    def words(size):
        return np.full(size // 8, next(told), dtype="<u8").tobytes()

    monkeypatch.setattr("release.worker.os.urandom", words)
    assert ExactSampler().thinned(np.array([2, 3]), Fraction(1, 3)).tolist() == [0, 0]
    assert next(told, None) is None


@pytest.mark.parametrize("sides", [3, 4, 10, 2**62 - 1, 2**62])
def test_exactly_the_words_that_would_make_a_coin_unfair_are_drawn_again(monkeypatch, sides):
    """Those from the last multiple of its sides on: there are none where it is 2^64."""
    limit = 2**64 // sides * sides
    told = [limit - 1, *([limit] if limit < 2**64 else [])]

    def words(size):
        assert size % 8 == 0
        return np.array([told.pop(0) for _ in range(size // 8)], dtype="<u8").tobytes()

    monkeypatch.setattr("release.worker.os.urandom", words)
    sampler, rate = ExactSampler(), Fraction(sides - 1, sides)
    assert sampler.thinned(np.array([1]), rate).tolist() == [0]  # its last side, kept
    if told:
        told.append(sides)
        assert sampler.thinned(np.array([1]), rate).tolist() == [1]  # drawn again: its first side
    assert not told


def test_a_coin_with_too_many_sides_or_no_chance_is_refused():
    for rate in (Fraction(0), Fraction(1), Fraction(3, 2), Fraction(1, 2**62 + 1)):
        with pytest.raises(ValueError, match="is not a share"):
            ExactSampler().thinned(np.array([1]), rate)
    assert ExactSampler().thinned(np.array([0, 0]), Fraction(1, 2**62)).tolist() == [0, 0]


@pytest.mark.parametrize("law", [worker.EXPONENTIAL, worker.PERMUTE_AND_FLIP])
def test_at_the_rate_zero_whoever_is_proposed_is_chosen(monkeypatch, law):
    gaps = np.array([0, 3, 7], dtype=np.int64)
    for proposed, lot in ((0, lambda sides: 0), (2, lambda sides: sides - 1)):
        monkeypatch.setattr("release.worker.secrets.randbelow", lot)
        assert ExactSampler().chosen(law, gaps, Fraction(0)) == proposed


@pytest.mark.parametrize(
    ("law", "orders"),
    [(worker.EXPONENTIAL, [*itertools.product(range(4), repeat=4)]),
     (worker.PERMUTE_AND_FLIP, [*itertools.permutations(range(4))])],
)  # fmt: skip
def test_candidates_are_proposed_in_every_order_that_the_law_knows(monkeypatch, law, orders):
    """Four are proposed; the coins of three show tails. Each run of lots gives another order."""
    gaps, found = np.array([0, 3, 8, 6], dtype=np.int64), []
    sides = [4, 4, 4, 4] if law == worker.EXPONENTIAL else [4, 3, 2, 1]
    for lots in itertools.product(*map(range, sides)):
        seen, told = [], iter(zip(sides, lots, strict=True))

        def lot(of, told=told):
            known, drawn = next(told)
            assert of == known
            return drawn

        def coin(exponent, seen=seen):
            seen.append(gaps.tolist().index(2 * exponent))
            return len(seen) == 4

        monkeypatch.setattr("release.worker.secrets.randbelow", lot)
        monkeypatch.setattr(worker, "kept", coin)
        assert ExactSampler().chosen(law, gaps, Fraction(1, 2)) == seen[-1]
        found.append(tuple(seen))
    monkeypatch.undo()
    assert sorted(found) == orders


@pytest.mark.parametrize(
    ("exponent", "lots", "heads"),
    [((2, 5), [(5, 2)], True),
     ((2, 5), [(5, 1), (10, 2)], False),
     ((2, 5), [(5, 1), (10, 1), (15, 2)], True),
     ((1, 1), [(1, 0), (2, 1)], False),
     ((7, 5), [(1, 0), (2, 1)], False),
     ((7, 5), [(1, 0), (2, 0), (3, 1), (5, 1), (10, 2)], False),
     ((7, 5), [(1, 0), (2, 0), (3, 1), (5, 2)], True)],
)  # fmt: skip
def test_a_coin_is_tossed_with_the_sides_of_its_algorithm(monkeypatch, exponent, lots, heads):
    """On whole numbers just below and just at the exponent; above one, for each one first."""
    told = iter(lots)

    def lot(of):
        sides, drawn = next(told)
        assert of == sides
        return drawn

    monkeypatch.setattr("release.worker.secrets.randbelow", lot)
    assert worker.kept(Fraction(*exponent)) is heads
    assert next(told, None) is None


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
    limits, read, answers = [], [], io.BytesIO()
    written = io.BufferedWriter(answers)

    class Questions(io.BytesIO):
        def readline(self):
            read.append(len(answers.getvalue()))  # what has left the process by now
            return super().readline()

    monkeypatch.setattr(worker, "limit", lambda *own: limits.append(own))
    monkeypatch.setattr(worker, "ExactSampler", Told)
    monkeypatch.setattr(sys, "argv", ["worker", "7", "123"])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Questions(sent)))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=written))
    worker.main()
    monkeypatch.undo()
    told = np.array([1, 14, 14, 10, 2**41, 45, 0], dtype="<i8").tobytes()
    assert answers.getvalue() == READY + told
    assert read == [6, 6 + 24, 6 + 40, 6 + 48, 6 + 56]
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
