"""What is known of records stays known when a graph is learned from them, whatever they become."""

import json

import numpy as np
import pytest

from core.privbayes.settings import Settings
from core.privbayes.synthesis import synthesise
from sources.records import encoded, learned_study, read_records
from sources.study import uploaded_study
from sources.text import digest
from sources.units import Unit

DATA = (
    "visits.csv",
    b"who;age;ill\n" + b"1;1,5;yes\n1;70,5;no\n2;20,5;yes\n3;;no\n4;9,5;no\n" * 40,
)
SCHEMA = ("schema.json", json.dumps({"columns": [
    {"name": "age", "bins": [0, 18, 65, 120], "missing": "drop"},
    {"name": "ill", "states": ["yes", "no"], "seen": True},
]}).encode())  # fmt: skip
GRAPH = ("graph.csv", b"parent,child\nage,ill\n")
WAY = {"missing": "refuse", "unit": Unit("who", 3)}
KNOWN = {
    "missing": "columns",
    "binned": ("age",),
    "seen": ("ill",),
    "source": digest(DATA[1]),
    "guessed": ("decimal ','",),
    "unit": "who",
    "per_unit": 3,
    "declared": True,
    "inferred": False,
    "sampled": False,
    "graph": "rehearsed",
    "model": None,
    "loading": (),
}


def facts(study):
    return {name: getattr(study, name) for name in KNOWN}


def learned(study, way):
    own, rng = encoded(study, way), np.random.default_rng(0)
    return learned_study(study, synthesise(own.encode(study.rows), own, Settings(), rng=rng))


@pytest.mark.parametrize("way", ["vanilla", "binary"])
def test_a_learned_graph_keeps_all_that_is_known_of_a_study(way):
    study = uploaded_study(None, GRAPH, data=DATA, schema=SCHEMA, **WAY)
    found = learned(study, way)
    assert facts(found) == KNOWN
    assert found.records == study.records and found.spent > 0
    assert (found.people is study.people) == (way == "vanilla")
    assert found.network.names == tuple(v.name for v in found.dataset.variables)


@pytest.mark.parametrize("way", ["vanilla", "binary"])
def test_and_of_records_without_a_study(way):
    """Their file, their bound, their unconfirmed states; a release asks for each."""
    found = learned(read_records(DATA, SCHEMA, explore=False, **WAY), way)
    assert facts(found) == KNOWN


def test_states_read_off_the_records_stay_so():
    found = learned(read_records(DATA, None, missing="drop", explore=True), "vanilla")
    assert found.inferred and not found.declared
    assert (found.missing, found.before_dropping) == ("drop", 200)
    assert found.source == digest(DATA[1])
