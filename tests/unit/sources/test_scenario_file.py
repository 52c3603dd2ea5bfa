"""Scenario files: what is written reads back alike, and what is no scenario gets one sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.knowledge import PublicTable
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from sources.networks import sample
from sources.scenario_file import (
    SavedScenario,
    edited_parents,
    network_digest,
    read_scenario,
    write_scenario,
)

ASIA = sample("asia").network
TABLE = PublicTable((ASIA.variables[0],), (0.25, 0.75), "codes.json")
SHARES = st.floats(0.01, 0.4)


def saved(**changes):
    start = SavedScenario("asia", network_digest(ASIA), Scenario())
    return SavedScenario(**{**vars(start), **changes})


@given(
    epsilon=st.floats(1e-3, 1e3),
    split=SHARES,
    rate=SHARES,
    neighbours=st.sampled_from(Neighbours),
    replicates=st.integers(1, 10_000),
    seed=st.integers(0, 2**40),
    floor=SHARES,
    weight=st.floats(0.1, 10),
    delta=st.floats(1e-9, 0.1),
    records=st.integers(1, 10_000_000),
    question=st.sampled_from([None, Query(("dysp",), {"smoke": "yes"}), Query((), {})]),
)
def test_every_double_comes_back(question, records, floor, weight, delta, **knobs):
    options = Options(0.5, (("lung", floor),), (("xray", weight),), delta, (TABLE,))
    one = saved(
        scenario=Scenario(options=options, **knobs), records=records, question=question, data_seed=3
    )
    assert read_scenario("s.json", write_scenario(one)) == one


def test_an_edited_graph_comes_back_on_its_network_alone():
    edited = ASIA.without_edge("asia", "tub")
    one = saved(parents=edited_parents(ASIA, edited))
    again = read_scenario("s.json", write_scenario(one))
    assert again.graph(ASIA) == edited
    assert saved().graph(ASIA) == ASIA
    with pytest.raises(EquipoiseError, match="saved for 'asia' with another graph"):
        again.graph(sample("child").network)


def test_records_of_ones_own_are_asked_for():
    with pytest.raises(EquipoiseError, match="records that are not in it"):
        saved(network=None).study()
    assert saved(records=70).study().records == 70


DAMAGE = {
    "not JSON": (b"{", "not valid JSON"),
    "empty": (b"", "is empty"),
    "a list": (b"[]", "one object in braces"),
    "foreign": (b'{"a": 1}', "is no scenario"),
    "another version": (b'{"equipoise-scenario": 2}', "is no scenario"),
    "binary": (b"\xff\xfe\x00", "UTF-16"),
    "deep": (b'{"a":' * 100_000, "nested too deeply"),
    "huge": (b" " * (2**20 + 1), "larger than 1 MB"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_what_is_no_scenario_gets_one_sentence(kind):
    data, said = DAMAGE[kind]
    with pytest.raises(EquipoiseError, match=said) as refused:
        read_scenario("s.json", data)
    assert "\n" not in str(refused.value)


CHANGES = {
    "epsilon": [0, -1, "1", None, True, 1e300, [1]],
    "network": ["../../etc/passwd", 3, "<script>", ["asia"]],
    "replicates": [0, 1e9, 2.5, "many"],
    "records": [0, 1e12, -4],
    "neighbours": ["nobody", 1],
    "floors": [{"lung": 2}, {"lung": "x"}, [1], {"a": 0.6, "b": 0.6}],
    "method": ["magic", 1, "<b>"],
    "question": [{"targets": "dysp"}, {"targets": ["dysp"]}, 4],
    "known": [[{"family": [], "cells": [], "source": ""}], [3], {"a": 1}],
    "parents": [{"asia": "tub"}, [1]],
    "delta": [0, 1, "x"],
    "digest": [1],
    "seed": [-1, 0.5],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in CHANGES.items() for value in values]
)
def test_a_changed_file_gets_one_sentence(key, value):
    document = json.loads(write_scenario(saved()))
    document[key] = value
    with pytest.raises(EquipoiseError) as refused:
        read_scenario("s.json", json.dumps(document).encode()).study()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


@pytest.mark.parametrize("key", json.loads(write_scenario(saved())))
def test_a_file_that_lacks_something_gets_one_sentence(key):
    document = json.loads(write_scenario(saved()))
    del document[key]
    with pytest.raises(EquipoiseError, match=r"lacks|is no scenario"):
        read_scenario("s.json", json.dumps(document).encode())


def test_an_infinite_budget_is_not_saved():
    with pytest.raises(EquipoiseError, match="infinite"):
        write_scenario(saved(scenario=Scenario(epsilon=float("inf"))))
