"""Acceptance: sensitivity by brute force, verdicts covered by ε, failures that publish nothing."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.membership.intervals import clopper_pearson
from core.privacy import Neighbours
from core.scenario import Scenario
from release.acceptance import STEPS, Acceptance, Criterion, in_steps, read_criterion
from release.dossier.verified import problems
from release.measurements import MEASUREMENTS, rebuilt
from release.meter import Meter
from release.publish import publish
from release.review.request import Request
from release.worker import ExactSampler
from tests.release.ordering import here, order

TENTH = Fraction(1, 10)
LOOSE = Acceptance((Criterion(("smoke", "lung", "bronc"), 2, Fraction(1, 2)),), TENTH)
REPLACED = Scenario(epsilon=0.5, neighbours=Neighbours.REPLACE)
STRICT = Acceptance((Criterion(("smoke", "lung"), 2, Fraction(1, 10**5)),), Fraction(1))


def test_what_is_typed_is_read():
    read = read_criterion("2: age, sex ,income<=0.01")
    assert read == Criterion(("age", "sex", "income"), 2, Fraction(1, 100))
    assert read_criterion(read.text) == read
    exact = read_criterion("1:age<=0.1234567891")  # a token or a command of fewer is of another
    assert read_criterion(exact.text) == exact
    assert read_criterion("1:all<=0.1", ["a", "b"]).columns == ("a", "b")
    many = ",".join(map(str, range(30)))
    for wrong in ("", "2:a,b", "x:a,b<=0.1", "2:a<=0.1", "2:a,a<=0.1", "4:a,b,c,d<=0.1",
                  "1:a<=0", "1:a<=1", "1:a<=nan", f"2:{many}<=0.1"):  # fmt: skip
        with pytest.raises(EquipoiseError):
            read_criterion(wrong)
    with pytest.raises(EquipoiseError, match="both or neither"):
        Acceptance(LOOSE.criteria)
    with pytest.raises(EquipoiseError, match="at most 8"):
        Acceptance(LOOSE.criteria * 9, TENTH)


@given(
    st.lists(st.integers(0, 30), min_size=2, max_size=5),
    st.lists(st.floats(0, 1), min_size=5, max_size=5),
    st.fractions(Fraction(1, 1000), Fraction(9, 10)),
    st.integers(0, 4),
    st.integers(0, 4),
)
@settings(max_examples=300)
def test_no_record_moves_the_statistic_by_more(counts, weights, limit, to, off):
    """Brute force over both neighbours, in exact steps, with one table and with two."""
    own = np.array(counts, dtype=float)
    chance = np.array(weights[: len(own)]) + 1e-9
    chance /= chance.sum()
    criterion = Criterion(("a",), 1, limit)
    more = own.copy()
    more[to % len(own)] += 1
    pairs = {Neighbours.ADD_REMOVE: (own, more)}
    if own[off % len(own)]:
        moved = more.copy()
        moved[off % len(own)] -= 1
        pairs[Neighbours.REPLACE] = (own, moved)
    for neighbours, (one, other) in pairs.items():
        both = [criterion.excess([x, x[::-1]], [chance, chance]) for x in (one, other)]
        assert abs(both[0] - both[1]) <= criterion.sensitivity(neighbours)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_steps_add_up(weights):
    chance = (np.array(weights) + 1e-9) / (sum(weights) + 1e-9 * len(weights))
    assert in_steps(chance).sum() == STEPS
    assert (in_steps(chance) >= 0).all()


def lower_epsilon(passes, trials):
    """The ε that passing and failing prove: the larger of the log ratios, from below."""
    found = 0.0
    for one, other in (passes, passes[::-1]):
        for hits, of in ((one, other), (trials - one, trials - other)):
            low, high = (
                clopper_pearson(hits, trials, 0.999)[0],
                clopper_pearson(of, trials, 0.999)[1],
            )
            if low > 0:
                found = max(found, math.log(low / high))
    return found


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_the_verdict_tells_no_more_than_its_epsilon(neighbours):
    """100,000 draws on each of the two tables that differ most; less noise is caught."""
    trials, epsilon = 100_000, Fraction(1, 2)
    criterion = Criterion(("a",), 1, TENTH)
    chance = np.array([1e-9, 1.0])
    sides = ([18.0, 163.0], [19.0, 163.0 - (neighbours is Neighbours.REPLACE)])
    excess = [criterion.excess([np.array(x)], [chance]) for x in sides]
    meter = Meter(epsilon, Fraction(0), neighbours, ExactSampler())
    scale, _ = meter.test(criterion.sensitivity(neighbours), epsilon)
    assert meter.left == 0
    with pytest.raises(EquipoiseError, match="is left"):
        meter.test(1, epsilon)

    def proven(actual):
        noise = ExactSampler().noise("discrete laplace", [actual], [2 * trials]).reshape(2, trials)
        passes = [int((x + n <= 0).sum()) for x, n in zip(excess, noise, strict=True)]
        return lower_epsilon(passes, trials)

    assert 0.3 < proven(scale) <= float(epsilon)
    assert proven(scale / 4) > float(epsilon)
    sharp = [trials * (x <= 0) for x in excess]  # a copy without any noise
    assert lower_epsilon(sharp, trials) > float(epsilon)


def test_a_good_model_is_published_with_its_verdict(study, ledger, tmp_path):
    asked = order(study, acceptance=LOOSE, scenario=Scenario(epsilon=1.0))
    done = publish(asked, ledger, tmp_path, workers=here())
    assert done.published.epsilon == Fraction(11, 10) == done.account.spent
    assert done.account.lines[-1].parts == (("model", Fraction(1)), ("acceptance", TENTH))
    (verdict,) = done.published.acceptance
    assert verdict.passed and verdict.epsilon == TENTH
    again = rebuilt((done.directory / MEASUREMENTS).read_bytes())
    assert all((done.directory / name).read_bytes() == data for name, data in again.items())


def test_a_failed_release_publishes_nothing_and_stays_spent(study, ledger, tmp_path):
    asked = order(study, acceptance=STRICT, scenario=Scenario(epsilon=0.01))
    with pytest.raises(EquipoiseError, match=r"nothing is published.*its budget stays spent"):
        publish(asked, ledger, tmp_path / "out", workers=here())
    (account,) = ledger.accounts()
    (line,) = account.lines
    assert line.state == "lost" and "not accepted" in line.reason
    assert account.spent == Fraction(101, 100)
    assert list((tmp_path / "out").iterdir()) == []
    with pytest.raises(EquipoiseError, match="came to nothing"):  # the same click draws no more
        publish(asked, ledger, tmp_path / "out", workers=here())
    assert ledger.accounts()[0].spent == Fraction(101, 100)


def test_another_criterion_is_another_order(study, ledger, tmp_path):
    publish(order(study, acceptance=LOOSE), ledger, tmp_path, workers=here())
    with pytest.raises(EquipoiseError):
        publish(order(study), ledger, tmp_path, workers=here())


def test_criteria_that_cannot_be_tested_are_refused(study):
    elsewhere = Acceptance((Criterion(("nobody",), 1, TENTH),), TENTH)
    with pytest.raises(EquipoiseError, match="nobody"):
        order(study, acceptance=elsewhere)


@pytest.mark.parametrize("left_out", [{"missing": "drop"}, {"missing": "columns"}, {"unit": "who"}])
def test_criteria_are_refused_where_a_record_replaced_may_be_one_less(study, left_out):
    """One record less moves the statistic by 1.4, more than the 1 of a record replaced."""
    criterion, chance = Criterion(("smoke",), 1, Fraction(1, 2)), [np.array([0.1, 0.9])]
    one, less = (criterion.excess([np.array([n, 19.0])], chance) for n in (1.0, 0.0))
    assert abs(one - less) > criterion.sensitivity(Neighbours.REPLACE)
    wish = {"acceptance": Acceptance((criterion,), TENTH)}
    fewer = replace(study, **left_out)
    order(fewer, **wish)
    order(study, **wish, scenario=REPLACED)
    order(fewer, scenario=REPLACED)
    with pytest.raises(EquipoiseError, match="acceptance criteria take the number of records"):
        order(fewer, **wish, scenario=REPLACED)
    with pytest.raises(EquipoiseError, match="acceptance criteria take the number of records"):
        Request(study=fewer, method="equipoise", **wish, scenario=REPLACED)


def test_a_rewritten_verdict_is_noticed(study, ledger, tmp_path):
    done = publish(order(study, acceptance=LOOSE), ledger, tmp_path, workers=here())
    path = done.directory / MEASUREMENTS
    text = path.read_text()
    for old, new in (
        ('"passed": true', '"passed": false'),
        ('"epsilon": "1/10"', '"epsilon": "1/2"'),
    ):
        assert old in text
        with pytest.raises(EquipoiseError):
            rebuilt(text.replace(old, new, 1).encode())
    path.write_text(text.replace('"passed": true', '"passed": false'))
    assert problems(done.directory, ledger=ledger)


@pytest.mark.parametrize("method", ["equipoise-zcdp", "privbayes-plus"])
def test_other_guarantees_add_up_too(study, ledger, tmp_path, method):
    from sources.study import without_graph

    own = without_graph(study) if method == "privbayes-plus" else study
    done = publish(order(own, method=method, acceptance=LOOSE), ledger, tmp_path, workers=here())
    assert done.account.spent == Fraction(1, 2) + TENTH
    again = rebuilt((done.directory / MEASUREMENTS).read_bytes())
    assert all((done.directory / name).read_bytes() == data for name, data in again.items())
