"""The verbs allocate, sweep and solve: stable documents, options, refusals."""

import json
import subprocess
import sys

import pytest

import cli
from core.methods.registry import METHODS

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]
QUICK = ["--network", "asia", "--records", "500", "--replicates", "8"]


def answer(capsys, *arguments):
    assert cli.main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("method", PRIVATE)
def test_allocate_traces_every_method(capsys, method):
    document = answer(capsys, "allocate", *QUICK, "--method", method, "--epsilon", "0.5")
    assert document["spent"]["total"] == pytest.approx(0.5)
    keys = {"name", "epsilon", "share", "height", "out_degree", "sensitivity", "delta", "weight"}
    for node in document["nodes"]:
        assert keys <= set(node)
        assert (node["delta"] is not None) == METHODS[method].needs_stage_one
        tables = 0.5 - document["spent"]["stage_one"]
        assert node["share"] == pytest.approx(node["epsilon"] / tables)
    for table in document["tables"]:
        assert {"variables", "epsilon", "scale", "cells", "serves"} <= set(table)
    assert (document["privacy_delta"] > 0) == ("δ" in document["guarantee"])


def test_floors_weights_prior_and_delta_are_arguments(capsys):
    document = answer(
        capsys, "allocate", *QUICK, "--floors", "lung=0.4,asia=0.2", "--weights", "dysp=5"
    )
    nodes = {n["name"]: n for n in document["nodes"]}
    assert nodes["lung"]["share"] == pytest.approx(0.4)
    assert nodes["asia"]["share"] == pytest.approx(0.2)
    assert nodes["dysp"]["share"] == pytest.approx(5 * nodes["tub"]["share"])
    plain = answer(capsys, "allocate", *QUICK)
    prior = answer(capsys, "allocate", *QUICK, "--pseudo-count", "50")
    assert prior["error"]["l1_row"] != plain["error"]["l1_row"]
    loose = answer(capsys, "allocate", *QUICK, "--method", "equipoise-zcdp", "--delta", "0.01")
    tight = answer(capsys, "allocate", *QUICK, "--method", "equipoise-zcdp")
    assert loose["privacy_delta"] == 0.01
    assert loose["tables"][0]["scale"] < tight["tables"][0]["scale"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--floors", "nobody=0.2"], "no variable 'nobody'"),
        (["--floors", "lung=1.5"], "floor of 'lung' is 1.5"),
        (["--weights", "lung=-1"], "weight of 'lung' is -1"),
        (["--pseudo-count", "-1"], "prior is -1"),
        (["--delta", "0"], "delta is 0"),
    ],
)
def test_bad_options_are_one_sentence_and_exit_two(capsys, arguments, sentence):
    assert cli.main(["allocate", *QUICK, *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_a_floor_without_a_number_is_refused_by_the_parser(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["allocate", *QUICK, "--floors", "lung"])
    assert stop.value.code == 2
    assert "write lung=NUMBER" in capsys.readouterr().err


def test_solve_gives_one_row_for_each_method(capsys):
    document = answer(
        capsys,
        "solve",
        *QUICK,
        "--goal",
        "0.2",
        "--metric",
        "l1_row",
        "--methods",
        "uniform,equipoise",
    )
    assert document["metric"] == "l1_row"
    assert document["goal"] == 0.2
    assert [row["method"] for row in document["rows"]] == ["uniform", "equipoise"]
    for row in document["rows"]:
        assert set(row) == {"method", "epsilon", "reached", "low", "high", "reason"}
        assert row["reached"] <= 0.2


def test_solve_for_questions_and_against_the_population(capsys):
    document = answer(
        capsys, "solve", *QUICK, "--goal", "0.1", "--ask", "lung|smoke=yes", "--ask", "xray"
    )
    assert document["metric"] == "answers"
    assert document["rows"][0]["epsilon"] > 0
    document = answer(capsys, "solve", *QUICK, "--goal", "0.0001", "--population")
    assert document["against"] == "population"
    assert document["rows"][0]["epsilon"] is None
    assert "500 records alone" in document["rows"][0]["reason"]


def test_solve_in_words(capsys):
    assert cli.main(["solve", *QUICK, "--goal", "0.2", "--metric", "l1_row"]) == 0
    shown = capsys.readouterr().out
    assert "Smallest ε that keeps row error, every row counted alike at most 0.2" in shown
    assert cli.main(["solve", *QUICK, "--goal", "0.1", "--ask", "nobody"]) == 2
    assert cli.main(["solve", *QUICK, "--goal", "0.1", "--methods", "magic"]) == 2
    assert "no method 'magic'" in capsys.readouterr().err


def test_sweep_matches_every_method(capsys):
    document = answer(
        capsys,
        "sweep",
        *QUICK,
        "--methods",
        "uniform,equipoise-filter",
        "--epsilons",
        "0.3,1,3",
        "--metrics",
        "l1_row",
    )
    (match,) = [m for m in document["matches"] if m["method"] == "equipoise-filter"]
    assert match["reference_epsilon"] == 3
    assert match["epsilon"] is None or match["ratio"] == pytest.approx(match["epsilon"] / 3)


def test_a_reader_that_stops_early_sees_no_traceback():
    command = f"{sys.executable} cli.py allocate --network alarm --records 100 --replicates 2"
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -1"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("uniform spends")
