"""An order: what it may ask for, and that all of it reaches the ledger."""

import json
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.knowledge import PublicTable
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import RECORD_LIMIT, Scenario
from core.table import Table, Variable
from release import making
from release.ledger.fingerprint import counts_fingerprint, place_fingerprint
from release.order import (
    AS_MEASURED,
    check_graph,
    check_learning,
    fingerprints,
    parts_of,
    spend_of,
    synthetic_wish,
)
from release.preview import preview
from release.publish import publish
from release.worker import ExactSampler
from sources.study import without_graph
from tests.release.ordering import here, order
from tests.release.test_acceptance import LOOSE, STRICT

GIVEN = Scenario(neighbours=Neighbours.REPLACE)


def test_records_are_drawn_as_many_as_are_ordered_and_none_otherwise(study):
    assert (order(study).synthetic, order(study).graph_epsilon) == (0, 0)
    for number in (AS_MEASURED, 0, 1, RECORD_LIMIT):
        assert order(study, synthetic=number).synthetic == number
    for number in (AS_MEASURED - 1, RECORD_LIMIT + 1):
        with pytest.raises(EquipoiseError, match="at most 10,000,000 are drawn"):
            order(study, synthetic=number)
    wishes = {name: synthetic_wish(name) for name in (METHODS | LEARNERS)}
    drawing = {*LEARNERS} - {"privbayes-structure"}
    assert wishes == {name: AS_MEASURED if name in drawing else 0 for name in wishes}


def test_a_click_without_a_token_is_refused(study):
    with pytest.raises(EquipoiseError, match="needs a token"):
        order(study, token="")


def test_a_table_whose_records_decide_how_it_is_read_is_refused(study):
    with pytest.raises(EquipoiseError, match="is read with a, b, which its records decide"):
        order(replace(study, guessed=("a", "b")))


def test_a_graph_alone_has_nothing_to_accept(study):
    with pytest.raises(EquipoiseError, match="no tables to accept"):
        order(without_graph(study), method="privbayes-structure", acceptance=LOOSE)


def test_a_learner_is_given_no_graph_and_others_need_one(study):
    bare = without_graph(study)
    check_graph(bare, bare.network, "privbayes", 0)
    check_graph(study, study.network, "equipoise", 0.5)
    refused = {
        "within its own ε": (bare, bare.network, "privbayes", 0.5),
        "has been given one": (bare, study.network, "privbayes", 0),
        "been given one": (study, bare.network, "privbayes", 0),
        "needs a graph": (bare, bare.network, "equipoise", 0),
    }
    for said, (own, network, method, epsilon) in refused.items():
        with pytest.raises(EquipoiseError, match=said):
            check_graph(own, network, method, epsilon)
        with pytest.raises(EquipoiseError, match=said):
            order(own, method=method, network=network, graph_epsilon=epsilon)


def test_a_learner_knows_only_a_delta_before_it_has_a_graph(study):
    prior = Scenario(options=Options(prior=1.0))
    with pytest.raises(EquipoiseError, match="no locks, weights or prior"):
        order(without_graph(study), method="privbayes", scenario=prior)
    check_learning(study, "privbayes", Scenario(options=Options(delta=1e-9)), 1)
    check_learning(study, "equipoise", prior, 1)


FEWER = {"missing": "drop"}, {"missing": "columns"}, {"unit": "name"}


@pytest.mark.parametrize(("fewer", "per_unit"), [*((one, 1) for one in FEWER), ({}, 2)])
def test_a_number_of_records_that_one_of_them_decides_is_not_public(study, fewer, per_unit):
    """Neither for a search that takes it as known nor for criteria, which are shares of it."""
    bare, moved = without_graph(study), {"per_unit": per_unit}
    for known, wish in ((bare, {"method": "privbayes"}), (study, {"acceptance": LOOSE})):
        order(known, **wish, scenario=GIVEN)
        order(replace(known, **fewer), **wish, **moved)
        with pytest.raises(EquipoiseError, match="the number of records as public"):
            order(replace(known, **fewer), **wish, **moved, scenario=GIVEN)
    order(replace(study, **fewer), **moved, scenario=GIVEN)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "\ud800"}, "^the name of the data holds"),
        ({"override": "\ud800"}, "^the reason for an override holds"),
        ({"token": "\ud800"}, "^the token holds"),
        (
            {"network": Network((Variable("\ud800", ("a", "b")),), ((),))},
            "^the name of the variable",
        ),
    ],
)
def test_a_text_that_no_file_can_hold_is_no_order(study, changes, said):
    with pytest.raises(EquipoiseError, match=said):
        order(study, **changes)


def test_data_are_known_by_rows_and_file_or_by_counts_and_place(study, ledger):
    key = ledger.key()
    assert len(fingerprints(study, ledger)) == 1
    rows, file = fingerprints(replace(study, source="abc"), ledger)
    assert (rows,) == fingerprints(study, ledger) and file != rows
    margin = Table(study.network.variables[:1], np.array([3.0, 4.0]))
    elsewhere = SimpleNamespace(margins=[margin], identity="host/table")
    assert fingerprints(replace(study, people=elsewhere), ledger) == (
        counts_fingerprint([margin], key=key),
        place_fingerprint("host/table", key=key),
    )


def spent(study, ledger, **changes):
    asked = order(study, **changes)
    return spend_of(asked, preview(asked.network, asked.method, asked.scenario), ledger)


def test_a_graph_learned_before_is_charged_whoever_says_so(study, ledger):
    assert spent(study, ledger).graph is None
    known = spent(replace(study, spent=0.25), ledger)
    assert known.graph.epsilon == Fraction(1, 4)
    stated = spent(study, ledger, graph_epsilon=0.25)
    assert (stated.graph, stated.order) == (known.graph, known.order)
    assert known.order != spent(study, ledger).order


def test_acceptance_is_a_part_of_what_is_spent(study, ledger):
    plain = spent(study, ledger)
    assert (plain.parts, plain.epsilon) == ((), Fraction(1, 2))
    tenth = ("acceptance", Fraction(1, 10))
    accepted = spent(study, ledger, acceptance=LOOSE)
    assert accepted.parts == (("model", Fraction(1, 2)), tenth)
    assert accepted.epsilon == Fraction(6, 10)
    bare = without_graph(study)
    shown = preview(bare.network, "privbayes", Scenario(epsilon=0.5))
    assert parts_of(LOOSE, shown) == (*shown.parts, tenth)


class Lifting(ExactSampler):
    """One number on the first cell of a table, twice on the next one's; first is the trial."""

    def __init__(self, *lifts):
        self.lifts = [*lifts]

    def noise(self, kind, scales, cells):
        noise, lift = np.zeros(sum(cells), np.int64), self.lifts.pop(0)
        noise[np.cumsum([0, *cells[:-1]])] = lift * np.arange(1, len(cells) + 1)
        return noise


@pytest.mark.parametrize(("lift", "drawn"), [(0, 2000), (10**6, 5000), (-(10**6), 1)])
def test_as_many_records_are_drawn_as_the_noisy_tables_say(
    study, ledger, tmp_path, monkeypatch, lift, drawn
):
    """At least one and at most the limit, whatever the noise is."""
    monkeypatch.setattr(making, "RECORD_LIMIT", 5000)
    asked = order(study, method="uniform", synthetic=AS_MEASURED)
    found = publish(asked, ledger, tmp_path, workers=here(Lifting(0, lift)))
    assert found.published.synthetic == drawn
    assert found.published.hidden == ""


def test_the_number_of_records_is_that_of_the_first_table_that_is_measured(study, ledger, tmp_path):
    """Tables as they were measured, each with other noise; where one is stated, the next."""
    first = study.network.variables[0]
    for token, stated in (("a", ()), ("b", (PublicTable((first,), (0.5, 0.5)),))):
        asked = order(
            study, token, method="privbayes-tables", synthetic=AS_MEASURED,
            scenario=Scenario(epsilon=0.5, options=Options(known=stated)),
        )  # fmt: skip
        found = publish(asked, ledger, tmp_path, workers=here(Lifting(0, 5))).published
        kept = json.loads((tmp_path / found.id / "measurements.json").read_text())
        assert sum(kept["measurements"][0]["values"]) == found.synthetic == study.records + 5


class Last(Lifting):
    """Chooses the last candidate, so that the first variable is in the last table, the fourth."""

    def chosen(self, law, gaps, rate):
        return len(gaps) - 1


def test_a_learned_graph_has_as_many_as_the_table_of_its_first_variable(study, ledger, tmp_path):
    asked = order(without_graph(study), method="privbayes", synthetic=AS_MEASURED)
    found = publish(asked, ledger, tmp_path, workers=here(Last(0, 0, 0, 5))).published
    kept = json.loads((tmp_path / found.id / "measurements.json").read_text())["measurements"]
    own = [m for m in kept if "values" in m and study.network.names[0] in m["variables"]]
    assert [sum(m["values"]) for m in own] == [found.synthetic] == [study.records + 20]


def test_noise_on_a_trial_accepts_and_refuses_nothing(study, ledger, tmp_path):
    """Of no records the criteria say nothing, however high their noise is."""
    high = Lifting(0, 2**60, 0, -(2**60))
    asked = order(study, acceptance=STRICT, budget=Fraction(9))
    done = publish(asked, ledger, tmp_path, workers=here(high))
    (verdict,) = done.published.acceptance
    assert verdict.noisy < -(2**59) and not high.lifts
    low = Lifting(0, -(2**60), 0, 2**60)
    with pytest.raises(EquipoiseError, match="nothing is published"):
        publish(replace(asked, token="b"), ledger, tmp_path, workers=here(low))
