"""What would pass: the stated range is the range, and where nothing would, that is said."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.network import Network
from core.scenario import Scenario
from core.table import Variable
from release.review.checklist import review
from release.review.facts import Statements
from release.review.passing import grid, what_would_pass
from release.review.standin import random_tables
from release.review.thresholds import Thresholds
from tests.release.reviewing import account, private_study, proposal
from tests.wholes import rehearse

STUDIES = {name: private_study(name, 100) for name in ("figure-one", "asia", "sachs", "alarm")}


def proposed(name="asia", records=1000, epsilon=1.0, per_unit=1, **more):
    stated = Statements(unit="person", per_unit=per_unit, records=records, graph="known")
    return proposal(STUDIES[name], stated=stated, scenario=Scenario(epsilon=epsilon), **more)


def asked(found):
    return what_would_pass(found, review(found).open)


def failing(found, epsilon, records=None, network=None):
    """Keys that the whole review fails there: the slow twin, which knows nothing of ranges."""
    facts = replace(
        found.facts, records=records or found.facts.records, network=network or found.facts.network
    )
    scenario = replace(found.scenario, epsilon=epsilon)
    return {line.key for line in review(replace(found, facts=facts, scenario=scenario)).open}


def changed(network, way):
    """The network as a way says, made by hand."""
    keep = dict(way.merge)
    variables = [Variable(v.name, v.states[: keep.get(v.name)]) for v in network.variables]
    pairs = zip(network.names, network.parents, strict=True)
    parents = [tuple(p for p in own if (p, name) not in way.drop) for name, own in pairs]
    return Network(tuple(variables), tuple(parents))


def beside(found, value, step):
    values = grid(found)
    place = values.index(value) + step
    return values[place] if 0 <= place < len(values) else None


@settings(max_examples=10)
@given(
    name=st.sampled_from(["figure-one", "asia"]),
    method=st.sampled_from(["equipoise", "uniform", "one-table", "equipoise-zcdp"]),
    records=st.integers(20, 5000),
    epsilon=st.sampled_from([0.01, 1.0, 12.0]),
    budget=st.fractions("0.01", "20", max_denominator=100),
    per_unit=st.integers(1, 3),
    noise=st.sampled_from([0.005, 0.02, 0.3]),
    inside=st.floats(0, 1),
)
def test_inside_the_range_everything_passes_and_outside_something_fails(
    name, method, records, epsilon, budget, per_unit, noise, inside
):
    found = proposed(
        name, records, epsilon, per_unit, method=method, account=account(budget),
        thresholds=Thresholds(noise=noise),
    )  # fmt: skip
    answer = asked(found)
    if answer is None:
        assert not failing(found, epsilon)
        return
    for way in answer.ways:
        network = changed(found.facts.network, way)
        within = way.low + inside * (way.high - way.low)
        for value in (way.low, within, way.high):
            assert not failing(found, value, way.records, network), (way, value)
        for value in (beside(found, way.low, -1), beside(found, way.high, 1)):
            if value is not None and not way.records:
                assert failing(found, value, None, network), (way, value)
        if way.records:
            assert failing(found, way.high, way.records - 1) <= {"error", "groups"}
    if not any(way for way in answer.ways if not (way.records or way.drop or way.merge)):
        assert all(failing(found, value) for value in grid(found)[::400])


def test_two_checks_that_contradict_each_other_get_records_edges_or_states():
    answer = asked(proposed(records=960))
    assert answer.why == "No ε passes: above 0.437 risk fails, below 0.453 error."
    assert [bool(way.records) for way in answer.ways] == [True, False]
    assert answer.ways[0].records == 994
    assert answer.ways[1].drop == (("asia", "tub"), ("either", "xray"))
    assert answer.sentence.endswith("Forecast from public facts; no record was looked at.")
    merged = asked(proposed("sachs", 2000)).ways[-1]
    assert set(dict(merged.merge).values()) == {2} and not merged.drop


def test_few_records_of_a_large_network_ask_for_more_records_alone():
    answer = asked(proposed("alarm", 189))
    (way,) = answer.ways
    assert way.records > 4000 and "dropped edges or merged variables fails too" in answer.why


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"account": account(Fraction(1, 10000))}, "this release costs"),
        ({"thresholds": Thresholds(powers=(0.0005, 0.025, 0.2))}, "above the limit at 0.1 %"),
        ({"method": "exact"}, "exact cannot be released"),
    ],
)
def test_nothing_would_and_why(more, why):
    answer = asked(proposed(records=189, **more))
    assert answer.ways == ()
    assert why in answer.why and "No ε, however small, mends it." in answer.why
    assert "Nothing would pass but" in answer.sentence


def test_a_plan_that_looks_at_the_records_waits_for_a_rehearsal():
    method = "data-dependent-icml"
    found = proposed("figure-one", 4000, 0.2, method=method)
    assert "Only a rehearsal on a stand-in tells more." in asked(found).sentence
    seen = rehearse(
        random_tables(found.facts.network), method, Scenario(epsilon=0.1, replicates=8),
        records=4000,
    )  # fmt: skip
    tight = Thresholds(row_error=seen.bands["l1_row"].median / 2)
    assert asked(replace(found, rehearsal=seen, thresholds=tight)).ways == ()
    again = asked(replace(found, rehearsal=seen, thresholds=tight)).sentence
    assert "Rehearse again" not in again  # nothing would pass, so there is no place to try
    loose = Thresholds(row_error=2 * seen.bands["l1_row"].median)
    over = replace(found, rehearsal=seen, thresholds=loose, account=account(Fraction(3, 20)))
    assert (asked(over).ways[0].low, asked(over).ways[0].high) == (0.1, 0.15)


def test_a_failed_rehearsal_is_no_promise_for_more():
    found = proposed("asia", 10_000, 0.1)
    seen = rehearse(
        random_tables(found.facts.network), found.method, found.scenario, records=10_000
    )
    tight = Thresholds(row_error=seen.bands["l1_row"].median / 2)
    answer = asked(replace(found, rehearsal=seen, thresholds=tight))
    assert answer.ways[0].low > 0.1
    assert " Rehearse again there: at ε = 0.1 the error on a stand-in was" in answer.sentence


def test_statements_wait_and_no_number_mends_them():
    assert asked(proposed(records=960, epsilon=12.0)).waiting == ()
    bare = proposal(
        STUDIES["asia"], stated=Statements(records=2000), scenario=Scenario(epsilon=12.0),
        account=None,
    )  # fmt: skip
    answer = asked(bare)
    assert answer.waiting == ("structure", "unit", "budget")
    assert "Other checks wait for you: structure, unit, budget." in answer.sentence
    assert (answer.ways[0].low, answer.ways[0].high) == (0.218, 0.437)


def test_no_record_is_looked_at():
    """The answer is the same for other records."""
    stated = Statements(unit="person", records=960, graph="known")
    first, second = (asked(proposal(private_study("asia", n), stated=stated)) for n in (50, 700))
    assert first == second
    assert asked(proposed(records=50_000, epsilon=0.3)) is None
