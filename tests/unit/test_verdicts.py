"""The rules of verdicts, on numbers made by hand."""

import numpy as np
import pytest

from core.reproduce.item import Judged, Verdict
from core.reproduce.papers import PAPERS, TITLES
from core.reproduce.verdicts import (
    best,
    counted,
    exact,
    factor,
    holds,
    limit,
    matched,
    order,
    rank,
    together,
    weaker,
)

YES, SOME, NO = Verdict.REPRODUCES, Verdict.PARTLY, Verdict.FAILS
RIGHT, WRONG = np.array([0.9, 1.0, 1.1]), np.array([-0.9, -1.0, -1.1])
OPEN = np.array([-1.0, 1.0, 0.1])


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([(1.0, 1.0), (2.05, 2.0)], YES),
        ([(1.0, 1.0)] * 3 + [(3.0, 2.0)], SOME),
        ([(1.0, 1.0)] * 2 + [(3.0, 2.0)] * 2, NO),
    ],
)
def test_exact_counts_what_is_within_the_tolerance(pairs, verdict):
    assert exact(pairs, 0.1).verdict == verdict


@pytest.mark.parametrize(
    ("differences", "verdict", "why"),
    [
        ([RIGHT] * 9 + [OPEN], YES, "9 hold, 0 fail, 1 open"),
        ([RIGHT] * 8 + [OPEN] * 2, SOME, "8 hold, 0 fail, 2 open"),
        ([RIGHT] * 9 + [WRONG], SOME, "9 hold, 1 fail, 0 open"),
        ([RIGHT, WRONG], SOME, "1 hold, 1 fail, 0 open"),
        ([RIGHT, WRONG, WRONG], NO, "1 hold, 2 fail, 0 open"),
        ([OPEN], SOME, "0 hold, 0 fail, 1 open"),
    ],
)
def test_order_needs_nine_tenths_and_no_failure(differences, verdict, why):
    assert order(differences) == (verdict, why, ())


@pytest.mark.parametrize(
    ("uppers", "verdict"),
    [({"a": 0.219, "b": 0.1}, YES), ({"a": 0.23, "b": 0.1}, SOME), ({"a": 1, "b": 1, "c": 0}, NO)],
)
def test_limit_leaves_a_tenth_of_air(uppers, verdict):
    assert limit(uppers, 0.2).verdict == verdict


@pytest.mark.parametrize(
    ("epsilons", "verdict"),
    [
        ({"a": 1.0, "b": 1.2}, YES),
        ({"a": 1.0, "b": None}, SOME),
        ({"a": 2.9, "b": 2.5}, SOME),
        ({"a": 2.9, "b": 3.1}, NO),
        ({}, Verdict.UNTESTED),
    ],
)
def test_match_at_epsilon_one_with_a_fifth_of_air(epsilons, verdict):
    assert matched(epsilons).verdict == verdict


def test_holds_up_to_rounding():
    assert holds(1e-13, "x").verdict == Verdict.HOLDS
    assert holds(1e-11, "x").verdict == Verdict.VIOLATED
    assert holds(1e-11, "x", 1e-9).verdict == Verdict.HOLDS


def test_factor_two_or_the_same_order():
    assert factor({"a": 0.5, "b": 2.0}, False).verdict == YES
    assert factor({"a": 0.5, "b": 2.1}, True).verdict == SOME
    assert factor({"a": 0.5, "b": 2.1}, False).verdict == NO


def test_shapes_count_their_conditions():
    assert counted({"a": True, "b": True}).verdict == YES
    assert counted({"a": True, "b": False}).verdict == SOME
    assert counted({"a": False, "b": False, "c": True}).verdict == NO


def test_readings_take_the_kindest_and_parts_the_weakest():
    judged = {"one": Judged(NO, "x"), "two": Judged(SOME, "y"), "three": Judged(YES, "z")}
    assert best(judged).verdict == YES
    assert weaker(judged).verdict == NO
    assert together(judged).verdict == SOME
    for told in (best(judged), weaker(judged), together(judged)):
        assert told.parts == (("one", NO, "x"), ("two", SOME, "y"), ("three", YES, "z"))
    assert best(judged).why == "the kindest of 3 readings, three: z"


def test_together_is_all_none_or_some():
    assert together({"a": Judged(Verdict.HOLDS, ""), "b": Judged(YES, "")}).verdict == YES
    assert together({"a": Judged(NO, ""), "b": Judged(Verdict.VIOLATED, "")}).verdict == NO
    assert together({"a": Judged(Verdict.UNTESTED, "")}).verdict == Verdict.UNTESTED


def test_every_verdict_has_a_rank():
    assert [rank(v) for v in (YES, Verdict.HOLDS, SOME, NO, Verdict.VIOLATED)] == [0, 0, 1, 2, 2]
    assert {rank(v) for v in Verdict} == {0, 1, 2, 3}


def test_items_are_told_apart_and_say_what_they_are():
    assert set(PAPERS) <= set(TITLES)
    for items in PAPERS.values():
        keys = [item.key for item in items]
        assert len(keys) == len(set(keys))
        for item in items:
            assert item.claim
            assert item.rule
            assert item.setting
            assert item.source
