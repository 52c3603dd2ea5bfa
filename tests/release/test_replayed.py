"""What was drawn is given again in its order, and nothing else passes for it."""

import json

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.methods.randomness import Candidates, Histograms
from core.privacy import Neighbours
from core.scenario import Scenario
from release import measurements
from release.measurements import (
    MEASUREMENTS,
    Replayed,
    check_rebuilt,
    measurements_file,
    not_rebuilt,
    rebuilt,
)
from release.meter import Kept
from release.publish import publish
from sources.study import sampled_study, without_graph
from tests.release.ordering import here, order

TWO = Histograms((("a",), ("b",)), np.array([1, 0, 1]))
THREE = Candidates((("a",), ("b",), ("c",)), np.zeros(3, dtype=np.int64), 1, "exponential")


def replayed(*tables, places=()):
    return Replayed([np.array(table, dtype=float) for table in tables], [*places])


def test_tables_come_again_in_their_order_and_each_number_in_its_cell():
    own, counts = replayed([5], [6, 7], [8], [9, 10]), np.array([3.0])
    assert own.spawn(2) == [own, own]
    assert own.laplace(TWO, np.ones(2), 0.5).tolist() == [6, 5, 7]
    assert own.gaussian(TWO, np.ones(2)).tolist() == [9, 8, 10]
    assert own.thinned(counts, 0.5) is counts


@pytest.mark.parametrize("tables", [[[5, 6], [7]], [[5, 6, 7]], [[5], [6, 7, 8]], []])
def test_tables_of_other_sizes_are_refused(tables):
    with pytest.raises(EquipoiseError, match="not those that the method asks for"):
        replayed(*tables).gaussian(TWO, np.ones(2))


def test_places_come_again_in_their_order_and_are_of_candidates():
    own = replayed(places=[0, 2, 1])
    assert [own.choice(THREE, 0.1) for _ in range(3)] == [0, 2, 1]
    for places in ((), (3,), (-1,)):
        with pytest.raises(EquipoiseError, match="not those that the method makes"):
            replayed(places=places).choice(THREE, 0.1)


def released(method, ledger, out, neighbours=Neighbours.ADD_REMOVE):
    """A release of few columns, with its files."""
    study = sampled_study("figure-one", None, records=500, seed=0)
    own = without_graph(study) if method.startswith("privbayes") else study
    scenario = Scenario(epsilon=1.0, neighbours=neighbours)
    done = publish(order(own, method=method, scenario=scenario), ledger, out, workers=here())
    return done.published, {path.name: path.read_bytes() for path in done.directory.iterdir()}


@pytest.fixture
def learned(ledger, tmp_path):
    """Its number of records is measured, then choices, then tables."""
    return released("privbayes-plus", ledger, tmp_path)


@pytest.fixture
def files(ledger, tmp_path):
    return released("equipoise", ledger, tmp_path)[1]


def changed(files, change):
    whole = json.loads(files[MEASUREMENTS])
    change(whole)
    return json.dumps(whole).encode()


def test_a_learned_release_is_made_again_from_its_tables_and_places(learned):
    _, files = learned
    whole = json.loads(files[MEASUREMENTS])
    assert whole["places"] and whole["measurements"][0]["variables"] == []
    assert all(not v["parents"] for v in whole["given"]["variables"])
    assert not_rebuilt(files) == ()
    check_rebuilt(files)


def test_a_number_of_records_that_is_public_is_told_again(ledger, tmp_path):
    _, files = released("privbayes-plus", ledger, tmp_path, Neighbours.REPLACE)
    assert json.loads(files[MEASUREMENTS])["records"] == 500
    assert not_rebuilt(files) == ()


def test_no_choice_and_no_table_is_too_many(learned):
    def choice(whole):
        whole["places"].append(0)

    def table(whole):
        whole["measurements"].append(whole["measurements"][-1])

    for change in (choice, table):
        with pytest.raises(EquipoiseError, match="holds more than the method asks for"):
            rebuilt(changed(learned[1], change))


def test_a_number_of_one_table_is_none_of_the_next(files):
    def moved(whole):
        first, second = whole["measurements"][:2]
        second["values"].insert(0, first["values"].pop())

    with pytest.raises(EquipoiseError, match="not those that the method asks for"):
        rebuilt(changed(files, moved))


def test_a_file_of_another_format_or_none_is_one_sentence(files):
    other = changed(files, lambda whole: whole.update(format="equipoise measurements 0"))
    with pytest.raises(EquipoiseError, match="not of the format 'equipoise measurements 1'"):
        rebuilt(other)
    with pytest.raises(EquipoiseError, match=f"^{MEASUREMENTS}.*take it as it was released"):
        rebuilt(b"{")


def test_a_file_of_more_parts_than_any_release_has_is_not_parsed(files, monkeypatch):
    monkeypatch.setattr("sources.text.MOST_PARTS", 10)
    with pytest.raises(EquipoiseError, match=r"measurements\.json has more than 10 parts"):
        rebuilt(files[MEASUREMENTS])


def test_a_table_that_was_drawn_and_not_noted_is_missed(learned):
    published, files = learned
    rows = json.loads(files[MEASUREMENTS])
    tables = [np.array(row["values"]) for row in rows["measurements"] if "values" in row]
    assert measurements_file(published, Kept(tables, rows["places"])) == files[MEASUREMENTS]
    said = rf"has drawn {len(tables)} tables and noted {len(tables) - 1} \("
    with pytest.raises(EquipoiseError, match=said):
        measurements_file(published, Kept(tables[1:], rows["places"]))


def test_a_model_that_its_measurements_do_not_give_is_refused_by_name(files):
    files["model.bif"] += b"\n"
    with pytest.raises(EquipoiseError, match="is not what the method makes of m") as no:
        check_rebuilt(files)
    assert str(no.value).startswith("model.bif ")


def test_texts_are_written_as_they_are_and_what_is_no_number_never():
    assert measurements._text({"Größe": 1.5}) == '{"Größe": 1.5}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        measurements._text([float("nan")])


@pytest.mark.parametrize(
    ("released", "again", "same"),
    [(b"a 0.5 b 0.25", b"a 0.5 b 0.25", True),
     (b"a 0.5 b 0.25", b"a 0.5 b 0.2500000001", True),
     (b"a 0.0", b"a 1e-9", True),
     (b"a 0.0", b"a 1.1e-9", False),
     (b"a 1.1e-9", b"a 0.0", False),
     (b"a 0.0 0.0", b"a 0.0 0.1", False),
     (b"a 0.5 b 0.25", b"a 0.5 c 0.25", False),
     (b"a 0.5 b", b"a 0.5 c", False),
     (b"a 0.5", b"b 0.5", False),
     (b"a 0.5", b"a 0.5 0.5", False)],
)  # fmt: skip
def test_texts_are_the_same_that_differ_by_what_adding_does(released, again, same):
    assert measurements._same(released, again) is same
