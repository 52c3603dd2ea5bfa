"""The verb ``audit``: its document, its verdicts, its refusals."""

import json

import pytest

import commands.audit
from cli import main
from core.methods.registry import METHODS
from release.audit.auditing import SMALL


def ask(capsys, *arguments):
    assert main(["audit", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_document_of_one_audit(capsys):
    found = ask(capsys, "--method", "one-table", "--epsilon", "2", "--trials", "1000")
    assert {"claimed", "lower_bound", "confidence", "trials", "verdict"} <= set(found)
    assert (found["claimed"], found["trials"], found["confidence"]) == (2.0, 1000, 0.99)
    assert found["verdict"] == "none found"
    assert 0 <= found["lower_bound"] <= 2
    assert len(found["pairs"]) == 6


def test_a_planted_bug_is_shown_caught(capsys):
    found = ask(capsys, "--planted", "half-noise", "--epsilon", "2", "--trials", "4000")
    assert found["verdict"] == "violated"
    assert found["lower_bound"] > 2
    assert "half the noise" in found["sentence"]


def test_an_audit_names_the_delta_it_tests_and_its_power(capsys):
    found = ask(capsys, "--method", "equipoise-zcdp", "--trials", "10000", "--delta", "1e-7")
    assert found["delta"] == 1e-7
    assert found["tested"]["delta"] > 0.01
    assert found["tested"]["epsilon"] < found["claimed"] == 1
    assert "at δ = 10⁻⁷" in found["sentence"]
    assert "runs cannot see δ = 10⁻⁷" in found["sentence"]
    assert found["catches_half_the_noise"] is True
    assert "catch a copy with half the noise" in found["sentence"]


def test_locks_and_weights_are_audited(capsys):
    plain, locked = (
        ask(capsys, "--method", "uniform", "--trials", "400", "--no-power", *more)
        for more in ((), ("--floors", "smoke=0.8", "--weights", "lung=2"))
    )
    parts = {p["table"]: p["claim"]["epsilon"] for p in locked["pairs"][3]["tables"]}
    # a stands for smoke, b for lung; the last table of a is that of b's parents
    assert parts == pytest.approx({"a": 0.1, "a, b": 0.1, "all records": 0.4})
    assert plain["pairs"][3]["tables"][0]["claim"]["epsilon"] == 0.25
    assert plain["catches_half_the_noise"] is None


def test_runs_through_meter_and_worker(capsys, monkeypatch):
    """On one small network: each run is metered and drawn by itself."""
    monkeypatch.setattr(commands.audit, "SMALL", SMALL[:1])
    found = ask(capsys, "--method", "one-table", "--trials", "400", "--exact", "--no-power")
    assert found["noise"] == "exact"
    assert found["verdict"] == "none found"
    assert len(found["pairs"]) == 3


def test_exact_says_that_it_fails_by_design(capsys):
    found = ask(capsys, "--method", "exact", "--trials", "500")
    assert found["verdict"] == "violated"
    assert "by design" in found["sentence"]


def test_all_methods_at_once_name_the_worst(capsys):
    found = ask(capsys, "--method", "all", "--trials", "400", "--epsilon", "1")
    private = [m for m in METHODS if METHODS[m].guarantee.private]
    assert [one["method"] for one in found["audits"]] == private
    assert found["lower_bound"] == max(one["lower_bound"] for one in found["audits"])


def test_a_network_of_ones_own_is_audited(capsys):
    found = ask(capsys, "--network", "figure-one", "--trials", "400", "--method", "uniform")
    assert [p["pair"].split(", ")[1] for p in found["pairs"]] == ["6 variables"] * 3


def test_as_tables_for_people(capsys):
    assert main(["audit", "--method", "one-table", "--trials", "400"]) == 0
    assert "nobody against one record" in capsys.readouterr().out
    assert main(["audit", "--method", "one-table", "--trials", "400", "--epsilon", "1,2"]) == 0
    assert "0 of 2 claims are broken" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--trials", "10"], "fewer than 400"),
        (["--trials", "0"], "number of trials"),
        (["--epsilon", "inf"], "infinite"),
        (["--epsilon", "-1"], "epsilon"),
        (["--confidence", "2"], "confidence"),
        (["--network", "nowhere"], "nowhere"),
        (["--network", "asia", "--floors", "nobody=0.5"], "nobody"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(capsys, arguments, word):
    assert main(["audit", *arguments]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert said.count("\n") == 1
