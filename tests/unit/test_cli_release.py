"""``release`` and ``ledger`` from a shell: one document, or one sentence and its exit code."""

import json
import sqlite3
from contextlib import nullcontext
from pathlib import Path

import pytest

from cli import main
from commands import release as release_verb
from commands import stating
from core.errors import EquipoiseError
from figures import chromium
from release.dossier.verified import problems
from release.publish import publish
from release.worker import ExactSampler

STATED = (
    "--unit", "person", "--limits", "0.1,0.3,0.7,0.9", "--noise-limit", "0.5", "--group-limit", "5",
)  # fmt: skip


@pytest.fixture(autouse=True)
def drawn_here(monkeypatch):
    """Exact noise without a process of its own: that is tested elsewhere."""

    def quick(*arguments, **named):
        return publish(*arguments, workers=lambda: nullcontext(ExactSampler()), **named)

    monkeypatch.setattr(release_verb, "publish", quick)


@pytest.fixture
def shell(tmp_path, capsys):
    def run(verb, *arguments):
        words = [verb, "--ledger", str(tmp_path / "l.db"), *arguments]
        if verb == "release":
            words += ["--out", str(tmp_path / "out")]
            words += [] if "--dag" in words else ["--network", "asia", "--records", "2000"]
        code = main(words)
        return code, *capsys.readouterr()

    return run


def released(shell, *arguments):
    code, out, err = shell("release", *STATED, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_the_whole_thing_without_a_screen(shell):
    found = released(shell, "--epsilon", "0.5", "--budget", "1", "--synthetic", "50")
    assert {"id", "spent", "remaining", "files", "fingerprint"} <= set(found)
    assert (found["spent"], found["remaining"]) == (0.5, 0.5)
    assert found["verdict"] == "pass"
    files = {Path(path).name: Path(path) for path in found["files"]}
    assert set(files) == {
        "model.bif", "model.json", "records.csv", "dossier.html", "dossier.json",
        "measurements.json", "intervals.json", "registry.yaml", "card.md"
    }  # fmt: skip
    assert problems(files["dossier.json"].parent, rebuild=True) == ()
    assert found["fingerprint"] not in files["dossier.html"].read_text()

    code, out, _ = shell("ledger", "--json", "--receipt", found["receipt"])
    document = json.loads(out)
    (dataset,) = document["datasets"]
    assert code == 0
    assert dataset["fingerprint"] == found["fingerprint"]
    assert (dataset["budget"], dataset["spent"], dataset["remaining"]) == (1, 0.5, 0.5)
    assert [line["id"] for line in dataset["releases"]] == [found["id"]]
    assert dataset["releases"][0]["files"][1]["sha256"] == found["checksums"]["dossier.html"]
    assert sorted(f["path"] for f in dataset["releases"][0]["files"]) == sorted(found["files"])
    files["model.bif"].write_text("changed")
    later = json.loads(shell("ledger", "--json")[1])["datasets"][0]["releases"][0]["files"]
    assert [f["name"] for f in later if f["path"] is None] == ["model.bif"]
    assert str(files["model.json"]) in shell("ledger")[1]
    assert document["verification"]["sound"]


def test_a_short_budget_is_exit_three_and_one_sentence(shell):
    released(shell, "--epsilon", "0.7", "--budget", "1")
    code, out, err = shell("release", *STATED, "--epsilon", "0.7")
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert "costs ε = 0.7" in err and "0.3 left" in err


def test_a_failed_check_is_exit_two_unless_a_reason_is_written(shell):
    high = ("--epsilon", "12", "--budget", "20")
    code, out, err = shell("release", *high)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "Nothing was spent" in err
    assert "What would pass: any ε from 0.218 to 10." in err
    assert json.loads(shell("ledger", "--json")[1])["datasets"] == []
    reason = "teaching: one record is one made-up person"
    code, out, err = shell("release", *high, "--override", reason, "--json")
    assert code == 2 and "write the name of who gives it" in err
    code, out, err = shell("release", *high, "--override", reason, "--signed", "A. Kim", "--json")
    assert code == 0, err
    reason += " (signed: A. Kim)"
    assert json.loads(out)["override"] == reason
    assert "one passes for a written reason" in json.loads(out)["sentence"]
    (line,) = json.loads(shell("ledger", "--json")[1])["datasets"][0]["releases"]
    assert line["override"] == reason


def test_a_graph_learned_privately_is_paid_once(shell):
    learned = ("--graph", "private", "--graph-epsilon", "0.1")
    first = released(shell, "--epsilon", "0.5", "--budget", "2", *learned)
    assert (first["spent"], first["epsilon"]) == (0.6, 0.5)
    assert released(shell, "--epsilon", "0.5", *learned)["spent"] == 1.1
    code, _, err = shell("release", "--epsilon", "0.5", "--graph", "private")
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("cost", ["-0.4999", "nan", "inf", "-inf", "0.4999"])
def test_no_graph_gives_budget_back(shell, capsys, cost):
    """Six releases at 0.5 once fitted a budget of 1: a known graph that cost -0.4999."""
    released(shell, "--epsilon", "0.5", "--budget", "1")
    words = (*STATED, "--epsilon", "0.5", "--graph", "known", f"--graph-epsilon={cost}")
    if cost == "0.4999":
        code, out, err = shell("release", *words, "--epsilon", "0.0001")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "a privately learned graph has a positive ε, others none" in err
    else:
        with pytest.raises(SystemExit) as ended:
            shell("release", *words)
        assert ended.value.code == 2
        assert "is not between 0 and" in capsys.readouterr().err
    (dataset,) = json.loads(shell("ledger", "--json")[1])["datasets"]
    assert (dataset["spent"], len(dataset["releases"])) == (0.5, 1)


def test_a_dossier_that_cannot_be_printed_does_not_undo_the_release(shell, tmp_path, monkeypatch):
    target = tmp_path / "dossier.pdf"
    monkeypatch.setattr(stating, "to_pdf", lambda page: b"%PDF of " + page[:9])
    released(shell, "--epsilon", "0.5", "--budget", "1", "--pdf", str(target))
    assert target.read_bytes().lower() == b"%pdf of <!doctype"
    pages = iter((b"", EquipoiseError("Chromium printed nothing; print the HTML file instead")))

    def once(page):
        answer = next(pages)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(stating, "to_pdf", once)
    code, out, err = shell("release", *STATED, "--epsilon", "0.5", "--pdf", str(target))
    assert (code, "Release" in out) == (0, True)
    assert "released, but the dossier was not printed" in err


def test_a_dossier_that_cannot_go_where_it_is_wanted_costs_nothing(shell, tmp_path, monkeypatch):
    monkeypatch.setattr(stating, "to_pdf", lambda page: b"%PDF")
    for path in (tmp_path / "nowhere" / "x.pdf", tmp_path, tmp_path / ("long" * 100)):
        code, out, err = shell("release", *STATED, "--budget", "1", "--epsilon", "0.5",
                               "--pdf", str(path))  # fmt: skip
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "cannot be written" in err and "nothing was spent" in err
    monkeypatch.setattr(chromium, "find_chromium", lambda: None)
    monkeypatch.setattr(stating, "to_pdf", chromium.to_pdf)
    code, _, err = shell("release", *STATED, "--budget", "1", "--epsilon", "0.5",
                         "--pdf", str(tmp_path / "x.pdf"))  # fmt: skip
    assert (code, "no Chromium here" in err) == (2, True)
    assert json.loads(shell("ledger", "--json")[1])["datasets"] == []


def test_a_token_pays_once(shell):
    first = released(shell, "--epsilon", "0.5", "--budget", "1", "--token", "monday")
    again = released(shell, "--epsilon", "0.5", "--budget", "1", "--token", "monday")
    assert (first["id"], again["repeated"], again["remaining"]) == (again["id"], True, 0.5)
    for change in (("--epsilon", "0.4"), ("--method", "uniform"), ("--data-seed", "1")):
        code, out, err = shell(
            "release", *STATED, "--epsilon", "0.5", "--budget", "1", "--token", "monday", *change
        )
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "'monday' has ordered another release" in err
    other = released(shell, "--epsilon", "0.5", "--budget", "1")
    assert (other["id"] != first["id"], other["remaining"]) == (True, 0)


HOSTILE = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0")


def test_records_are_known_again_in_another_file(shell, tmp_path):
    """Under another name, rows and columns in another order; also with other columns left out."""
    script, command = HOSTILE
    edges = tmp_path / "edges.json"
    states = [command, "no"]
    described = [
        {"name": script, "states": states},
        {"name": "b", "states": states, "parents": [script]},
    ]
    edges.write_text(json.dumps({"variables": described}))
    rows = [(command, "no"), ("no", "no"), (command, command)] * 30
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("\n".join([f"{script},b", *(f"{a},{b}" for a, b in rows)]))
    second.write_text("\n".join([f"b;{script}", *(f"{b};{a}" for a, b in sorted(rows))]))
    stated = (
        "--dag", str(edges), "--graph", "known", "--domain", "public", "--public-records", "90",
        "--epsilon", "0.6",
    )  # fmt: skip
    found = released(shell, *stated, "--data", str(first), "--budget", "1", "--name", "visits",
                     "--synthetic")  # fmt: skip
    code, _, err = shell("release", *STATED, *stated, "--data", str(second))
    assert code == 3
    assert "'visits' has 0.4 left" in err
    html = next(Path(path) for path in found["files"] if path.endswith("dossier.html")).read_text()
    assert script not in html
    assert "&lt;script&gt;" in html
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps({"variables": described[:1]}))
    code, _, err = shell(
        "release", *STATED, "--dag", str(alone), "--data", str(first), "--epsilon", "0.6",
        "--public-records", "90", "--domain", "public",
    )  # fmt: skip
    assert (code, "'visits'" in err) == (3, True)


def test_a_preview_spends_nothing_and_proves_the_plan(shell):
    code, out, _ = shell("release", "--epsilon", "12", "--budget", "20", "--preview", "--json")
    found = json.loads(out)
    assert (code, found["id"], found["verdict"]) == (0, None, "fail")
    assert len(found["measurements"]) == 3
    assert json.loads(shell("ledger", "--json")[1])["datasets"] == []


def test_a_rehearsal_in_public_enters_the_review(shell):
    first = released(shell, "--epsilon", "0.5", "--budget", "1")
    earlier = next(path for path in first["files"] if path.endswith("model.json"))
    for kind in ("network", "random", earlier):
        code, out, _ = shell(
            "release", "--epsilon", "0.5", "--preview", "--rehearse", kind, "--replicates", "8",
            "--row-limit", "2", "--json",
        )  # fmt: skip
        assert code == 0
        lines = {line["key"]: line for line in json.loads(out)["checklist"]}
        assert lines["error"]["state"] != "fail"


def test_people_read_sentences(shell):
    code, out, _ = shell("release", *STATED, "--epsilon", "0.5", "--budget", "1")
    assert code == 0
    assert "the next release costs again" in out
    code, out, _ = shell("ledger")
    assert code == 0
    assert "0.5 left" in out and "Sound" in out


def test_bad_arguments_are_one_sentence(shell, capsys):
    for words in (("--budget", "none"), ("--budget", "-1"), ("--budget", "1e999999999"),
                  ("--delta-budget", "-1e-6"), ("--delta-budget", "1"), ("--budget", "nan"),
                  ("--delta-budget", "nan")):  # fmt: skip
        with pytest.raises(SystemExit):
            shell("release", *words)
        assert "see cli.py release --help" in capsys.readouterr().err
    code, _, err = shell("release", "--budget", "1", "--method", "exact")
    assert (code, err.count("\n")) == (2, 1)
    with pytest.raises(SystemExit):
        shell("ledger", "--receipt", "7")


def test_a_ledger_that_was_tampered_with_is_named(shell, tmp_path):
    released(shell, "--epsilon", "0.5", "--budget", "1")
    connection = sqlite3.connect(tmp_path / "l.db")
    connection.executescript(
        "DROP TRIGGER entries_stay;"
        "UPDATE entries SET text = replace(text, '1/2', '1/9') WHERE number = 3;"
    )
    connection.close()
    code, out, err = shell("ledger")
    assert (code, out) == (2, "")
    assert "entry 3 was changed" in err
    code, _, err = shell("release", *STATED, "--epsilon", "0.1")
    assert code == 2
    assert "was changed outside" in err
