"""Criteria in the small: limits of what is taken, the statistic by plain integers, what is said."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.table import Variable
from release.acceptance import (
    MOST,
    STEPS,
    TABLES,
    Acceptance,
    AcceptanceTest,
    Criterion,
    acceptance_document,
    failed,
    in_steps,
    read_criterion,
    read_tests,
)

TENTH = Fraction(1, 10)
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")


def test_the_least_and_the_most_that_a_criterion_takes():
    assert Criterion(("a",), 1, Fraction(1, STEPS)).sensitivity(Neighbours.ADD_REMOVE) == STEPS + 1
    for limit in (Fraction(1, STEPS + 1), Fraction(0), Fraction(1), Fraction(-1, 2)):
        with pytest.raises(EquipoiseError, match=r"a share above 0\.000001 and below 1"):
            Criterion(("a",), 1, limit)
    with pytest.raises(EquipoiseError, match=r"^a criterion allows 1\.5 of the records"):
        Criterion(("a",), 1, Fraction(3, 2))
    assert math.comb(25, 2) == TABLES and Criterion(LETTERS[:25], 2, TENTH).ways == 2
    with pytest.raises(EquipoiseError, match=r"^a criterion has 325 tables; at most 300"):
        Criterion(LETTERS, 2, TENTH)
    with pytest.raises(EquipoiseError, match=r"^tables of 0 columns are asked of 2; .*one to 3"):
        Criterion(("a", "b"), 0, TENTH)
    assert len(Acceptance((Criterion(("a",), 1, TENTH),) * MOST, TENTH).criteria) == MOST
    with pytest.raises(EquipoiseError, match="ε of the acceptance"):
        Acceptance((Criterion(("a",), 1, TENTH),), Fraction(-1))
    with pytest.raises(EquipoiseError, match=r"are not stated and ε = 0\.1 for them"):
        Acceptance((), TENTH)
    with pytest.raises(EquipoiseError, match="are stated and ε = 0 for them"):
        Acceptance((Criterion(("a",), 1, TENTH),))


def test_what_a_criterion_says():
    six, seven = (Criterion(LETTERS[:n], 3, Fraction(1, 100)) for n in (6, 7))
    assert six.words == "every three-way table of a, b, c, d, e, f off by at most 1.0 %"
    assert (
        Criterion(LETTERS[:8], 1, Fraction(1, 100)).words
        == "every one-way table of a, b, c, d, e, f and 2 more columns off by at most 1.0 %"
    )
    assert seven.words.startswith("every three-way table of a, b, c, d, e, f and 1 more column off")
    assert seven.text == "3:a,b,c,d,e,f,g<=0.01"
    with pytest.raises(EquipoiseError) as refused:
        read_criterion("x")
    assert " is no criterion; write WAYS:" in str(refused.value)
    for wrong in ("0:a<=0.1", "1:a", "1a<=0.1", "x:a<=0.1", "1:a<=y"):
        with pytest.raises(EquipoiseError, match="is no criterion"):
            read_criterion(wrong)
    assert read_criterion("1:all,b<=0.1", ["a", "b"]).columns == ("all", "b")
    assert read_criterion("1:all<=0.1").columns == ("all",)


def test_tables_of_a_criterion_are_those_of_its_columns():
    known = {name: Variable(name, ("0", "1")) for name in LETTERS}
    criterion = Criterion(("c", "a", "b"), 2, TENTH)
    names = [tuple(v.name for v in family) for family in criterion.families(known)]
    assert names == [("c", "a"), ("c", "b"), ("a", "b")]
    whole = Acceptance((criterion, Criterion(("z",), 1, TENTH)), TENTH)
    assert len(whole.families(list(known.values()))) == 4
    with pytest.raises(EquipoiseError, match=r"column 'nobody', .*one of a, b, c, d, e, f$"):
        Criterion(("nobody",), 1, TENTH).families(known)


TABLE = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 50)), min_size=1, max_size=6)


@given(st.lists(TABLE, min_size=1, max_size=3), st.fractions(Fraction(1, 1000), Fraction(1, 2)))
def test_the_statistic_is_what_plain_integers_say(tables, limit):
    """U is the largest of the tables, not the sum; t n of the last; nothing is below zero."""
    counts = [[float(c) for c, _ in table] for table in tables]
    chances = [np.array([w + 0.5 for _, w in t]) / sum(w + 0.5 for _, w in t) for t in tables]
    worst = 0
    for table, chance in zip(counts, chances, strict=True):
        records, steps = int(sum(table)), in_steps(chance).tolist()
        off = [int(c) * STEPS - records * p for c, p in zip(table, steps, strict=True)]
        worst = max(worst, sum(max(0, x) for x in off))
    told = Criterion(("a",), 1, limit).excess([np.array(t) for t in counts], chances)
    assert told == worst - math.floor(limit * STEPS) * records


def test_an_exact_model_has_the_limit_to_spare():
    """No cell is off: V = -t n, and no more."""
    criterion = Criterion(("a",), 1, Fraction(1, 4))
    assert criterion.excess([np.array([3.0, 1.0])], [np.array([0.75, 0.25])]) == -STEPS
    one_step = criterion.excess([np.array([1.0, 0.0])], [np.array([1 - 2**-20, 2**-20])])
    assert one_step == 1 - STEPS // 4
    one_off = criterion.excess([np.array([4.0, 0.0])], [np.array([0.75, 0.25])])
    assert one_off == STEPS - STEPS
    assert in_steps(np.array([-0.5, 1.5])).tolist() == [0, STEPS]
    assert in_steps(np.array([0.25, 0.5 - 1e-9, 0.25])).tolist() == [
        STEPS // 4,
        STEPS // 2,
        STEPS // 4,
    ]


@pytest.mark.parametrize(
    ("neighbours", "moved"), [(Neighbours.REPLACE, 1.0), (Neighbours.ADD_REMOVE, 1.25)]
)
def test_how_often_noise_decides(neighbours, moved):
    """The tail of a Laplace law of scale sensitivity / ε, in records."""
    criterion = Criterion(("a",), 1, Fraction(1, 4))
    assert criterion.sensitivity(neighbours) == int(moved * STEPS)
    for slack in (0.0, 1.0, 7.5):
        told = criterion.failing(Fraction(1, 2), neighbours, slack)
        assert told == pytest.approx(0.5 * math.exp(-slack * 0.5 / moved))
    assert criterion.failing(Fraction(1, 2), neighbours, 1e9) > 0


def test_what_is_forecast():
    pair = Acceptance(
        (Criterion(("a",), 1, Fraction(1, 4)), Criterion(("b",), 1, Fraction(1, 2))), TENTH
    )
    assert pair.each == Fraction(1, 20)
    assert "without a public number" in pair.forecast(Neighbours.REPLACE, 0)
    tails = [0.5 * math.exp(-limit * 20 * part) for limit in (0.25, 0.5) for part in (0.5, 1.0)]
    assert pair.forecast(Neighbours.REPLACE, 400) == (
        "a model twice as good as every limit fails by noise alone with chance "
        f"{100 * (1 - (1 - tails[0]) * (1 - tails[2])):.2g} %, one twice as bad as a limit passes "
        f"it with chance {100 * tails[1]:.2g} %, one that just meets it with one half"
    )


def drawn(criterion, noisy, epsilon=TENTH, scale=None):
    scale = (
        Fraction(criterion.sensitivity(Neighbours.REPLACE)) / epsilon if scale is None else scale
    )
    return AcceptanceTest(criterion, epsilon, scale, noisy)


def test_what_is_written_of_a_verdict_is_read():
    good = drawn(Criterion(("a", "b"), 2, TENTH), -5)
    assert good.passed and drawn(good.criterion, 0).passed and not drawn(good.criterion, 1).passed
    (row,) = acceptance_document([good])
    assert row == {
        "columns": ["a", "b"],
        "ways": 2,
        "limit": "1/10",
        "epsilon": "1/10",
        "noise": "discrete laplace",
        "scale": str(good.scale),
        "steps": STEPS,
        "noisy": -5,
        "passed": True,
    }
    assert read_tests([row, row], Neighbours.REPLACE) == (good, good)
    for change in ({"scale": "1"}, {"noisy": 1}, {"passed": False}, {"epsilon": "1/5"}):
        with pytest.raises(
            EquipoiseError, match=f"not accepted as it says: {good.criterion.words}"
        ):
            read_tests([row, {**row, **change}], Neighbours.REPLACE)
    with pytest.raises(EquipoiseError, match="not accepted as it says"):
        read_tests([row], Neighbours.ADD_REMOVE)


def test_only_criteria_that_failed_are_named():
    one, two = Criterion(("a",), 1, TENTH), Criterion(("b",), 1, TENTH)
    assert failed([drawn(one, 0), drawn(two, -1)]) == ""
    assert failed([drawn(one, 1), drawn(two, -1)]) == (
        f"not accepted, so nothing is published: as far as noise tells, not {one.words}"
    )
    assert failed([drawn(one, 1), drawn(two, 2)]).endswith(f"not {one.words}; not {two.words}")
