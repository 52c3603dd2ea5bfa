"""Released folders against the ledger: changed files, lost files, receipts it does not hold."""

import shutil
from fractions import Fraction

import pytest

from core.errors import EquipoiseError
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.ledger.book import Ledger
from release.ledger.folders import (
    changed_files,
    check_receipts,
    check_unchanged,
    released_files,
)
from release.ledger.spending import Graph
from release.publish import publish
from tests.release.ordering import here, order
from tests.release.paying import FILES, rewrite, spend


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_a_changed_model_is_not_given_for_the_release(study, ledger, out):
    first = publish(order(study), ledger, out, workers=here())
    assert changed_files(ledger) == ()
    model = first.directory / "model.json"
    whole = model.read_bytes()
    model.write_bytes(whole.replace(b"0.", b"1.", 1))
    with pytest.raises(EquipoiseError, match=r"released; its checksum differs; restore"):
        publish(order(study), ledger, out, workers=here())
    model.write_bytes(whole.replace(b"0.", b"0.0", 1))
    with pytest.raises(EquipoiseError, match=r"as it was released; its size differs; restore"):
        publish(order(study), ledger, out, workers=here())
    (changed,) = changed_files(ledger)
    assert changed.endswith("is not as it was released; its size differs")
    model.unlink()
    with pytest.raises(EquipoiseError, match=r"model\.json is missing; restore"):
        publish(order(study), ledger, out, workers=here())
    assert first.published.id in changed_files(ledger)[0]
    model.write_bytes(whole)
    again = publish(order(study), ledger, out, workers=here())
    assert (again.repeated, again.account.spent) == (True, Fraction(1, 2))


@pytest.mark.parametrize("name", ["model.json", "model.bif"])
def test_a_changed_file_is_no_earlier_release_to_rehearse_on(study, ledger, out, tmp_path, name):
    first = publish(order(study), ledger, out, workers=here())
    data = (first.directory / name).read_bytes()
    check_unchanged(ledger, name, data)
    with pytest.raises(EquipoiseError, match=f"{name} says it is of release {first.published.id}"):
        check_unchanged(ledger, name, data.replace(b"0.", b"0.0", 1))
    other = Ledger(tmp_path / "other.db")  # knows nothing of it
    check_unchanged(other, name, data.replace(b"0.", b"0.0", 1))


def test_an_old_copy_of_the_ledger_is_refused_where_newer_releases_lie(
    study, ledger, out, tmp_path
):
    publish(order(study, "one"), ledger, out, workers=here())
    copy = tmp_path / "copy.db"
    shutil.copy(ledger.path, copy)
    last = publish(order(study, "two"), ledger, out, workers=here())
    for rest in ledger.path.parent.glob("ledger.db*"):
        rest.unlink()
    shutil.copy(copy, ledger.path)
    assert ledger.verify().sound  # the file alone cannot show it
    for place in (out, tmp_path / "elsewhere"):  # also where the old copy has put files
        with pytest.raises(EquipoiseError, match=f"{last.published.id} holds a release that"):
            publish(order(study, "three"), ledger, place, workers=here())
    assert ledger.accounts()[0].spent == Fraction(1, 2)
    (last.directory / "model.json").unlink()  # without a dossier nothing is left to compare
    check_receipts(ledger, out)


def test_a_rewritten_entry_shows_against_the_receipt_in_the_folder(study, ledger, out):
    publish(order(study), ledger, out, workers=here())
    rewrite(ledger, 3, epsilon="1/1000")
    assert ledger.verify().sound
    with pytest.raises(EquipoiseError, match="put back the newest ledger"):
        check_receipts(ledger, out)


def test_a_release_that_says_of_no_folder_has_no_changed_files(ledger):
    ledger.complete(ledger.spend(spend()).line.id, FILES)
    assert changed_files(ledger) == ()


def test_each_file_of_a_release_is_found_unless_it_was_changed(study, ledger, out):
    done = publish(order(study), ledger, out, workers=here())
    line = ledger.line(done.published.id)
    own = {file.name: done.directory / file.name for file in line.files}
    assert released_files(line) == own
    (done.directory / "model.bif").write_bytes(b"")
    (done.directory / "model.json").unlink()
    assert released_files(line) == {**own, "model.bif": None, "model.json": None}


def test_what_is_of_no_release_may_be_anything(ledger):
    graph = Graph("9" * 64, Fraction(1, 10), "privbayes")
    ledger.spend(spend(graph=graph))
    for data in (b"nothing of ours", graph.digest.encode()):
        check_unchanged(ledger, "notes.txt", data)


STRANGE = [
    f'{{"release": {{"receipt": {{"number": {number}, "digest": {digest}}}}}}}'
    for number, digest in (("[]", "1"), ("[]", '"x"'), ("2", "1"))
]


@pytest.mark.parametrize("text", ["", "[]", "{}", "no json", '{"release": 3}', *STRANGE])
def test_what_is_no_release_is_left_alone(study, ledger, out, text):
    (out / "notes").mkdir(parents=True)
    (out / "notes" / "model.json").write_text(text)
    assert publish(order(study), ledger, out, workers=here()).account.spent == Fraction(1, 2)


def other_graph(study):
    parents = list(study.network.parents)
    last = max(i for i, names in enumerate(parents) if names)
    parents[last] = parents[last][1:]
    return {"network": Network(study.network.variables, tuple(parents))}


def knobs(**changes):
    return lambda _: {"scenario": Scenario(**{"epsilon": 0.5, **changes})}


def wish(**changes):
    return knobs(options=Options(**changes))


CHANGED = {
    "graph": other_graph,
    "locks": wish(floors=(("lung", 0.3),)),
    "weights": wish(weights=(("lung", 2.0),)),
    "prior": wish(prior=1.0),
    "δ": wish(delta=1e-9),
    "rate": knobs(rate=0.3),
    "split": knobs(split=0.3),
    "neighbours": knobs(neighbours=Neighbours.REPLACE),
    "ε": knobs(epsilon=0.4),
    "synthetic records": lambda _: {"synthetic": 7},
    "ε of the graph": lambda _: {"graph_epsilon": 0.1},
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_a_token_is_one_whole_order(change, study, ledger, out):
    publish(order(study), ledger, out, workers=here())
    with pytest.raises(EquipoiseError, match="'click' has ordered another release"):
        publish(order(study, **change(study)), ledger, out, workers=here())
    same = publish(
        order(study, scenario=Scenario(epsilon=0.5, seed=4)), ledger, out, workers=here()
    )
    assert (same.repeated, same.account.spent) == (True, Fraction(1, 2))
