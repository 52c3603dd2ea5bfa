"""Released files: what they hold, and that they come back."""

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.inference.sampling import sample
from core.network import Network
from core.options import Options
from core.scenario import Scenario
from core.table import Variable
from release import files
from release.files import read_published
from release.order import AS_MEASURED
from release.publish import publish
from release.published import document, published_from
from release.review.standin import random_model
from sources.networks import read_network
from sources.study import Study, without_graph
from sources.tables import read_table
from tests.release.ordering import here, order

FILES = {"model.bif", "model.json", "records.csv", "measurements.json", "intervals.json"}


def test_further_files_are_released_and_recorded_with_the_model(study, ledger, tmp_path):
    def extra(published, account):
        assert account.spent == Fraction(1, 2)
        assert {file.name for file in published.files} == FILES
        return {"dossier.html": published.id.encode()}

    found = publish(
        order(study, synthetic=AS_MEASURED), ledger, tmp_path, workers=here(), extra=extra
    )
    assert (found.directory / "dossier.html").read_text() == found.published.id
    assert found.published.files == ledger.line(found.published.id).files
    assert len(found.published.files) == 6
    assert abs(found.published.synthetic - study.records) < 500
    lines = (found.directory / "records.csv").read_text().splitlines()
    assert len(lines) == found.published.synthetic + 1


def test_every_file_is_on_disk_whole_and_then_its_name(tmp_path, monkeypatch):
    """What is flushed is what was written by then: a buffer that follows later would be lost."""
    flushed, own = [], os.fsync

    def fsync(number):
        path = Path(f"/proc/self/fd/{number}").readlink()
        flushed.append((path.name, path.stat().st_size if path.is_file() else None))
        own(number)

    monkeypatch.setattr(os, "fsync", fsync)
    out = tmp_path / "out"
    out.mkdir()
    files.write(files.hidden(out, "r"), {"one": b"12345", "two": b"", "three": bytes(10**5)})
    assert flushed == [
        ("one", 5),
        ("two", 0),
        ("three", 10**5),
        (".r.partial", None),
        ("out", None),
    ]
    flushed.clear()
    assert files.place(out, "r") == out / "r"
    assert flushed == [("out", None)]
    assert files.place(out, "r") == out / "r"  # another process was faster
    with pytest.raises(EquipoiseError, match="the files of release s are gone from"):
        files.place(out, "s")
    files.discard(out, "s")  # nothing was written of it
    with pytest.raises(EquipoiseError, match=r"r cannot be written \(file exists\)"):
        files.write(out / "r", {})


def test_a_directory_is_tried_and_left_as_it_was(tmp_path):
    files.check_writable(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
    with pytest.raises(EquipoiseError, match=r"/proc/self/task cannot be written \("):
        files.check_writable(Path("/proc/self/task"))  # is there, and takes nobody's files


@pytest.mark.parametrize("document", [
    {"variables": [{"name": "a", "states": ["x", "y"]}], "release": {}},
    {"variables": [{"name": "a"}], "release": {}},
    {"variables": [{"name": "a", "states": ["x", "y"], "conditional": [[0.5, 0.5]]}]},
    {"variables": [{"name": "a", "states": ["x", "y"], "conditional": [[0.5, 0.5]]}], "release": 1},
])  # fmt: skip
@pytest.mark.parametrize("name", ["model.json", "graph.json"])
def test_what_is_no_released_model_is_one_sentence(tmp_path, name, document):
    """Though its checksum is right: it says nothing of a release, or has no tables to say it of."""
    data = json.dumps(document).encode()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(EquipoiseError, match=r"\.json(:| lacks| is not a released model; choose)"):
        read_published(tmp_path, files.listed({name: data}))


@pytest.mark.parametrize(
    ("table", "told"), [({}, {"release": {}}), ({"conditional": [[0.5, 0.5]]}, {})]
)
def test_tables_without_a_release_or_the_other_way_are_no_released_model(tmp_path, table, told):
    variable = {"name": "a", "states": ["x", "y"], **table}
    data = json.dumps({"variables": [variable], **told}).encode()
    (tmp_path / "model.json").write_bytes(data)
    with pytest.raises(EquipoiseError, match=r"json is not a released model; choose another$"):
        read_published(tmp_path, files.listed({"model.json": data}))


def test_files_are_listed_by_name_with_size_and_checksum():
    told = files.listed({"b": b"abc", "a": b""})
    assert [(file.name, file.size, file.sha256[:8]) for file in told] == [
        ("a", 0, "e3b0c442"), ("b", 3, "ba7816bf")
    ]  # fmt: skip


SCRIPT, COMMAND = "<script>alert(1)</script>", "=cmd|' /C calc'!A0"


def test_hostile_names_come_back_unchanged(ledger, tmp_path):
    variables = (
        Variable(SCRIPT, (COMMAND, "@sum", "-1")),
        Variable(COMMAND, (SCRIPT, "'" + COMMAND, COMMAND, "é")),
    )
    network = Network(variables, ((), (SCRIPT,)))
    rng = np.random.default_rng(3)
    rows = sample(random_model(network, rng=rng), 500, rng=rng)
    found = publish(
        order(Study("x", network, rows, sampled=True), synthetic=300, name=SCRIPT),
        ledger,
        tmp_path,
        workers=here(),
    )
    for name in ("model.bif", "model.json"):
        loaded = read_network(name, (found.directory / name).read_bytes())
        assert loaded.network == network
        assert np.array_equal(loaded.model.values, found.published.model.values)
    assert_written(found.directory / "model.json")
    data = (found.directory / "records.csv").read_bytes()
    assert not [line for line in data.decode().splitlines() if line.startswith(("=", "@"))]
    back = read_table("records.csv", data, variables).dataset
    assert back.variables == variables
    assert back.records == 300
    assert {str(back.variables[0].states[c]) for c in back.codes[:, 0]} <= set(variables[0].states)


def assert_written(path):
    """As it is read by people: "é" as itself, one fact a line."""
    text = path.read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    assert "é" in text


def test_a_graph_is_written_for_people_too(ledger, tmp_path):
    variables = (Variable("é", ("a", "b")), Variable("x", ("a", "b")))
    rows = Dataset(variables, np.random.default_rng(0).integers(0, 2, (400, 2)))
    bare = without_graph(Study("x", Network(variables, ((), ())), rows, sampled=True))
    asked = order(bare, method="privbayes-structure", name="x")
    assert_written(publish(asked, ledger, tmp_path, workers=here()).directory / "graph.json")


def test_public_files_hold_nothing_that_names_the_data(study, ledger, tmp_path):
    found = publish(
        order(study, name="clinic", override="because", scenario=Scenario(epsilon=0.3)),
        ledger, tmp_path, workers=here(),
    )  # fmt: skip
    text = (found.directory / "model.json").read_text()
    for secret in ("clinic", "because", study.fingerprint, *found.account.fingerprints):
        assert secret not in text
    facts = json.loads(text)["release"]
    assert Fraction(facts["epsilon"]) == Fraction(3, 10)
    assert facts["versions"]["opendp"] == "0.16.0"
    assert found.published.dataset == "clinic"


def test_the_record_of_a_release_is_read_back(study, ledger, tmp_path):
    options = Options(prior=0.5, floors=(("smoke", 0.2),), weights=(("lung", 2.0),), delta=1e-7)
    scenario = Scenario(epsilon=0.5, options=options)
    ordered = order(study, method="equipoise-zcdp", scenario=scenario)
    found = publish(ordered, ledger, tmp_path, workers=here())
    back = read_published(found.directory, found.published.files, dataset=found.published.dataset)
    assert document(back) == document(found.published)
    assert back.options == options
    assert back.files == found.published.files
    facts = json.loads(json.dumps(document(back)))
    again = published_from(facts, back.model, dataset="", override="")
    assert again.measurements == found.published.measurements
