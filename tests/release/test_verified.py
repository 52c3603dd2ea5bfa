"""The verifier: what was changed is named, each in one sentence; what was not passes."""

import hashlib
import json
import os
import shutil
import tracemalloc
from fractions import Fraction

import pytest

from cli import main
from core.errors import EquipoiseError
from core.scenario import Scenario
from release.dossier.document import checksum, dossier_files
from release.dossier.verified import problems
from release.ledger.book import Ledger
from release.ledger.spending import Graph
from release.measurements import MEASUREMENTS
from release.review.request import Request
from release.review.reviewed import reviewed
from tests.release.paying import spend


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A release from the shell, beside its ledger."""
    out = tmp_path_factory.mktemp("out")
    words = [
        "release",
        "--network",
        "asia",
        "--records",
        "500",
        "--budget",
        "4",
        "--epsilon",
        "0.1",
    ]
    words += ["--ledger", str(out / "ledger.db"), "--out", str(out / "released"), "--synthetic"]
    words += [
        "--unit",
        "person",
        "--override",
        "made-up people, a test of files",
        "--signed",
        "Ada",
    ]
    assert main(words) == 0
    (own,) = [path for path in (out / "released").iterdir() if path.is_dir()]
    return own


@pytest.fixture
def copied(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / folder.name)


@pytest.fixture
def book(folder):
    return Ledger(folder.parent.parent / "ledger.db", create=False)


def test_what_was_released_passes(folder, book, capsys):
    assert problems(folder, ledger=book, rebuild=True) == ()
    assert main(["verify", str(folder), "--ledger", str(book.path), "--rebuild"]) == 0
    assert "the same to nine decimals" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name",
    [
        "model.json",
        "model.bif",
        "records.csv",
        MEASUREMENTS,
        "dossier.html",
        "dossier.json",
        "registry.yaml",
        "card.md",
    ],
)
def test_each_changed_or_missing_file_is_named(copied, name, capsys):
    path = copied / name
    data = path.read_bytes()
    changed = data.replace(b"released", b"Released", 1) if name == "dossier.json" else data + b"\n"
    path.write_bytes(changed)
    told = problems(copied)
    assert told
    assert all(name in one for one in told)
    path.unlink()
    assert name in problems(copied)[0]
    assert main(["verify", str(copied)]) == 2
    assert name in capsys.readouterr().err


def test_a_strange_file_and_files_of_another_release_are_named(copied):
    (copied / "notes.txt").write_text("x")
    assert problems(copied) == ("notes.txt is no file of this release",)
    model = json.loads((copied / "model.json").read_text())
    model["release"]["id"] = "0" * 16
    (copied / "model.json").write_text(json.dumps(model))
    assert "model.json is of release 0000000000000000, and the dossier of another" in problems(
        copied
    )


def test_a_folder_rewritten_as_a_whole_is_shown_by_the_ledger_alone(copied, book):
    document = json.loads((copied / "dossier.json").read_text())
    document["title"] = "Another"
    for name, data in dossier_files({**document, "checksum": checksum(document)}).items():
        (copied / name).write_bytes(data)
    assert problems(copied, rebuild=True) == ()
    told = problems(copied, ledger=book)
    assert len(told) == 3  # the two of the dossier, and the registry's record of its checksum
    assert all("dossier" in one or "registry" in one for one in told)


def forged(folder, release, **receipt):
    """Every file rewritten for another number of release, and all that tells within the folder."""
    old = json.loads((folder / "dossier.json").read_text())["decision"]["release"]
    for path in folder.iterdir():
        path.write_text(path.read_text().replace(old, release))
    document = json.loads((folder / "dossier.json").read_text())
    document["guarantee"]["sentence"] = "ε = 0.0001 for everyone."
    for name in ("model.json", MEASUREMENTS):
        whole = json.loads((folder / name).read_text())
        whole["release"]["receipt"] |= receipt
        (folder / name).write_text(json.dumps(whole))
    document["ledger"]["receipt"] |= receipt
    for file in document["files"]:
        data = (folder / file["name"]).read_bytes()
        file |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    for name, data in dossier_files({**document, "checksum": checksum(document)}).items():
        (folder / name).write_bytes(data)


def test_a_forged_folder_of_a_release_without_files_is_shown_by_the_ledger(copied, tmp_path):
    """A lost release has no checksums in the ledger, and a domain has those of other files."""
    ledger = Ledger(tmp_path / "ledger.db")
    lost = ledger.spend(spend("a", graph=Graph("9" * 64, Fraction("0.1"), "privbayes"))).line
    ledger.lose(lost.id, "the worker ended")
    receipt = {"number": lost.receipt.number, "digest": lost.receipt.digest}
    forged(copied, lost.id, **receipt)
    assert problems(copied) == ()  # the ledger alone can tell
    told = problems(copied, ledger=ledger)
    assert f"has {lost.id} as a release that is lost" in told[0]
    assert f"model.json is in no entry of release {lost.id}" in told
    forged(copied, "9" * 64)
    told = problems(copied, ledger=ledger)
    assert "as a structure that is complete" in told[0]
    assert "is of another entry" in told[1]


def test_a_review_is_no_release(study, tmp_path):
    request = Request(study=study, method="equipoise", scenario=Scenario(epsilon=0.5))
    for name, data in dossier_files(reviewed(request, None).document()).items():
        (tmp_path / name).write_bytes(data)
    assert problems(tmp_path) == ("dossier.json is of a review (preview, nothing spent), and no "
                                  "release",)  # fmt: skip


@pytest.mark.parametrize(("key", "value"), [("making", []), ("forecast", 1e308)])
def test_a_dossier_that_no_page_can_be_made_of_is_one_sentence(copied, key, value):
    document = json.loads((copied / "dossier.json").read_text())
    if key == "forecast":
        document["forecast"]["noise"][0]["deviation"] = value
    else:
        document[key] = value
    document["checksum"] = checksum(document)
    (copied / "dossier.json").write_text(json.dumps(document))
    assert problems(copied) == ("dossier.json is not a dossier; take it as it was released",)


def test_a_model_that_its_measurements_do_not_give_is_named(copied):
    whole = (copied / MEASUREMENTS).read_text()
    measured = json.loads(whole)
    measured["measurements"][0]["values"][0] += 50
    (copied / MEASUREMENTS).write_text(json.dumps(measured))
    told = problems(copied, rebuild=True)
    assert f"model.json is not what the method makes of {MEASUREMENTS}" in told
    (copied / MEASUREMENTS).unlink()
    assert "cannot be made again" in problems(copied, rebuild=True)[-1]


@pytest.mark.parametrize("name", ["model.json", "records.csv", "dossier.html", "dossier.json"])
def test_a_file_that_has_grown_is_not_read(copied, book, name):
    """A sparse file of 3 GB took as much memory, a model of that size more than 9 s besides."""
    os.truncate(copied / name, 3 * 2**30)
    tracemalloc.start()
    if name == "dossier.json":
        with pytest.raises(EquipoiseError, match="larger than 20 MB"):
            problems(copied, ledger=book, rebuild=True)
    else:
        told = problems(copied, ledger=book, rebuild=True)
        assert told and all(name in one for one in told), told
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50e6


def test_a_large_file_is_hashed_piece_by_piece(copied):
    """Whoever makes up the dossier too can say any size."""
    os.truncate(copied / "records.csv", size := 2**28)
    document = json.loads((copied / "dossier.json").read_text())
    (own,) = (file for file in document["files"] if file["name"] == "records.csv")
    own["size"] = size
    (copied / "dossier.json").write_text(json.dumps({**document, "checksum": checksum(document)}))
    tracemalloc.start()
    assert "records.csv is not as it was released; its checksum differs" in problems(copied)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50e6


@pytest.mark.parametrize("name", ["model.json", MEASUREMENTS])
def test_a_file_of_empty_lists_is_not_parsed(copied, name):
    """Of 256 MB, which its own dossier may state, 8 GB would have been made."""
    whole = json.loads((copied / name).read_text())
    data = json.dumps({**whole, "more": []})[:-2].encode() + b"[]," * 2**24 + b"[]]}"
    (copied / name).write_bytes(data)
    document = json.loads((copied / "dossier.json").read_text())
    (own,) = (file for file in document["files"] if file["name"] == name)
    own |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    for paper, told in dossier_files({**document, "checksum": checksum(document)}).items():
        (copied / paper).write_bytes(told)
    tracemalloc.start()
    found = problems(copied, rebuild=True)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert f"{name} has more than 33,554,432 parts" in found[0]
    assert most < 5 * len(data)


def test_a_folder_without_a_release_is_one_sentence(tmp_path, capsys):
    assert "no dossier.json" in problems(tmp_path)[0]
    (tmp_path / "dossier.json").write_text("[1]")
    assert problems(tmp_path) == ("dossier.json is not a dossier; take it as it was released",)
    os.mkfifo(tmp_path / "a-pipe")
    with pytest.raises(EquipoiseError, match="may never end"):
        problems(tmp_path)
    assert main(["verify", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
