"""The command line: its documents, its sentences, its exit codes."""

import json

import pytest

from cli import main
from core.methods.registry import LEARNERS, METHODS
from core.study.metrics import USUAL

FAST = ["--records", "500", "--replicates", "5"]


def ask(capsys, *arguments):
    code = main([*arguments, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_networks_lists_five_with_their_parameters(capsys):
    found = {n["name"]: n for n in ask(capsys, "networks")["networks"]}
    assert len(found) == 5
    sizes = {name: found[name]["parameters"] for name in ("asia", "sachs", "child", "alarm")}
    assert sizes == {"asia": 18, "sachs": 178, "child": 230, "alarm": 509}
    assert set(found["alarm"]) == {"name", "nodes", "edges", "parameters", "source"}


def test_describe_holds_every_documented_key(capsys):
    found = ask(capsys, "describe", "--network", "asia", "--records", "77")
    assert found["records"] == 77
    assert found["treewidth"] == 2
    assert found["largest_table"] == 8
    assert ["lung", "either"] in found["edges"]
    node = next(n for n in found["nodes"] if n["name"] == "either")
    assert node == {
        "name": "either", "states": ["yes", "no"], "parents": ["lung", "tub"], "height": 1,
        "out_degree": 2, "complexity": 4,
    }  # fmt: skip


def test_methods_come_from_the_registry(capsys):
    found = ask(capsys, "methods")["methods"]
    assert [m["name"] for m in found] == [*METHODS, *LEARNERS]
    assert [m["name"] for m in found if m["learns_graph"]] == list(LEARNERS)
    keys = {"name", "title", "guarantee", "source", "needs_stage_one", "learns_graph"}
    assert set(found[0]) == keys


@pytest.mark.parametrize("method", METHODS)
def test_allocate_spends_what_it_says(capsys, method):
    found = ask(capsys, "allocate", "--network", "figure-one", "--method", method, *FAST)
    private = METHODS[method].guarantee.private
    assert found["spent"]["total"] == pytest.approx(1.0 if private else 0.0)
    assert set(found["error"]) == set(USUAL)
    if private:
        assert sum(t["epsilon"] for t in found["tables"]) <= 1 + 1e-9
        assert all(set(n) >= {"name", "epsilon", "share", "weight"} for n in found["nodes"])


def test_query_gives_truth_and_private_answers_that_sum_to_one(capsys):
    found = ask(
        capsys, "query", "--network", "asia", "--target", "lung,bronc", "--given", "dysp=yes", *FAST
    )
    assert found["targets"] == ["lung", "bronc"]
    assert len(found["truth"]) == 4
    assert sum(t["probability"] for t in found["truth"]) == pytest.approx(1)
    assert sum(p["mean"] for p in found["private"]) == pytest.approx(1)
    assert found["l1"]["low"] <= found["l1"]["mean"] <= found["l1"]["high"]


def test_query_explains(capsys):
    found = ask(
        capsys, "query", "--network", "asia", "--most-probable", "--given", "xray=yes", *FAST
    )
    assert set(found["truth"][0]["states"]) == {
        "asia", "tub", "smoke", "lung", "bronc", "either", "dysp"
    }  # fmt: skip
    assert 0 <= found["private"][0]["mean"] <= 1


def test_sweep_rows_and_matches(capsys):
    found = ask(
        capsys, "sweep", "--network", "asia", "--methods", "uniform,equipoise", "--epsilons",
        "0.1,1,3", "--metrics", "l1_row,query_l1", "--reference-epsilon", "3", *FAST
    )  # fmt: skip
    assert len(found["rows"]) == 2 * 3 * 2
    own = [m for m in found["matches"] if m["method"] == "uniform"]
    assert all(m["epsilon"] == 3 and m["ratio"] == 1 for m in own)
    errors = [r["mean"] for r in found["rows"] if r["method"] == "uniform"][::2]
    assert errors == sorted(errors, reverse=True)


def test_risk_gives_bound_and_guarantee(capsys):
    found = ask(capsys, "risk", "--network", "alarm", "--records", "10000", "--alpha", "0.001,0.01")
    assert found["complexity"] == 509
    assert found["complexity_span"] == 601
    assert found["power"][0]["published"] == pytest.approx(0.0021, abs=5e-5)
    assert found["power"][1]["pure_epsilon"] == pytest.approx(0.0739, abs=1e-4)
    assert found["power"][0]["composed"] < found["power"][0]["pure_epsilon"]


def test_the_same_seed_gives_the_same_document(capsys):
    call = ("allocate", "--network", "asia", *FAST, "--seed", "4")
    assert ask(capsys, *call) == ask(capsys, *call)


@pytest.mark.parametrize("verb", ["networks", "methods", "describe", "allocate", "sweep", "risk"])
def test_every_verb_also_speaks_to_people(capsys, verb):
    data = [] if verb in ("networks", "methods") else ["--network", "asia", "--records", "200"]
    more = ["--replicates", "3"] if verb in ("allocate", "sweep") else []
    assert main([verb, *data, *more]) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) >= 3
    assert captured.err == ""


ASIA = ("--network", "asia", "--method", "equipoise", "--unit", "person", "--graph", "known")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["allocate", "--network", "asia", "--epsilon", "0"], "epsilon is 0"),
        (["allocate", "--network", "asia", "--epsilon=-1"], "epsilon is -1"),
        (["allocate", "--network", "asia", "--epsilon", "nan"], "epsilon is nan"),
        (["allocate", "--network", "asia", "--epsilon", "1e9"], "epsilon is 1e+09"),
        (["allocate", "--network", "asia", "--epsilon", "x"], "'x' is not a number"),
        (["allocate", "--network", "asia", "--split", "1"], "beta (the split) is 1"),
        (["allocate", "--network", "asia", "--rate", "0"], "gamma (the sampling rate) is 0"),
        (["allocate", "--network", "asia", "--replicates", "0"], "replicates is 0"),
        (["allocate", "--network", "asia", "--records", "0"], "records is 0"),
        (["allocate", "--network", "asia", "--records", "100000000"], "100,000,000"),
        (["allocate", "--network", "nosuch"], "no sample network 'nosuch'"),
        (["allocate"], "exactly one of --network NAME and --dag FILE"),
        (["allocate", "--network", "asia", "--method", "x"], "--method"),
        (["sweep", "--network", "asia", "--methods", "x"], "no method 'x'"),
        (["allocate", "--network", "asia", "--replicates", "20000"], "20,000"),
        (["sweep", "--network", "asia", "--metrics", "x"], "no metric 'x'"),
        (["sweep", "--network", "asia", "--epsilons", "1,0"], "epsilon is 0"),
        (["query", "--network", "asia"], "at least one --target"),
        (["query", "--network", "asia", "--target", "x"], "no variable 'x'"),
        (["query", "--network", "asia", "--target", "lung", "--given", "x"], "'x' lacks a state"),
        (
            ["query", "--network", "asia", "--target", "lung", "--given", "dysp=maybe"],
            "no state 'maybe'",
        ),
        (["risk", "--network", "asia", "--records", "1"], "records is 1"),
        (["risk", "--network", "asia", "--alpha", "0"], "false-alarm rate is 0"),
        (["risk", "--network", "asia", "--alpha", "1"], "false-alarm rate is 1"),
        (["describe", "--dag", "/nonexistent.bif"], "cannot be read"),
        (["nosuch"], "invalid choice"),
        (["allocate", "--network", "asia", "--epsilon", "1e-320"], "at least 1e-50 is accepted"),
        (["allocate", "--network", "asia", "--floors", "asia=1e-300"], "at least 1e-12"),
        (["allocate", "--network", "asia", "--weights", "asia=1e308"], "from 1e-12 to 1e+12"),
        (["allocate", "--network", "asia", "--figure", f"{'a b ' * 300}.svg"], "name too long"),
        (["allocate", "--dag", f"{'a b ' * 300}.bif"], "name too long"),
        (["allocate", "--dag", "a\0.bif"], "what no name or text may, such as a NUL"),
        (["ledger", "--ledger", "a b " * 300], "name too long"),
        (["release", *ASIA, "--ledger", "a b " * 300, "--out", "o"], "name too long"),
        (["release", *ASIA, "--ledger", "l.db", "--out", "a b " * 300, "--budget", "1",
          "--override", "only the folder is tried here", "--signed", "me"], "name too long"),
        (["verify", "a b " * 300], "name too long"),
        (["schema", "--data", "/dev/zero"], "a pipe or a device, which may never end"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence_and_exit_2(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)  # a ledger is made before the folder is looked at
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert len(captured.err) < 700
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("problem", "code", "words"),
    [
        (OSError(12, "Cannot allocate memory"), 2, "could not go on (cannot allocate memory)"),
        (KeyboardInterrupt(), 130, "stopped before the answer; if a ledger was named"),
    ],
)
def test_what_ends_a_verb_in_mid_work_is_one_sentence(problem, code, words, monkeypatch, capsys):
    def ended(*_, **__):
        raise problem

    monkeypatch.setattr("commands.describe.study_from", ended)
    assert main(["describe", "--network", "asia"]) == code
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and words in said.err


def test_too_little_memory_is_one_sentence(monkeypatch, capsys):
    def greedy(*_, **__):
        raise MemoryError

    monkeypatch.setattr("commands.describe.study_from", greedy)
    assert main(["describe", "--network", "asia"]) == 2
    assert capsys.readouterr().err == (
        "this takes more memory than there is here; merge states or use fewer columns\n"
    )
