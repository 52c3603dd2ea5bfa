"""The command in a dossier repeats its review: run it, and every document is the same."""

import json
import shlex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli import build_parser, main
from core.methods.registry import METHODS
from sources.named_numbers import named_numbers, named_text, number_text

NOT_OF_THE_REVIEW = {"help", "json", "preview", "ledger", "out", "pdf", "token"}
"""Where files lie, how the answer is printed, and which click orders: no part of a review."""

WRITTEN_AS = {"statements": "state"}
"""What a file says is in the command itself."""

VARIABLES = ("smoke", "lung, left", "b=c")
STATES = ("yes", "no")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files under the names that a command line gives them."""
    variables = [
        {"name": name, "states": STATES, "parents": list(VARIABLES[:at][-1:])}
        for at, name in enumerate(VARIABLES)
    ]
    text = json.dumps({"variables": variables})
    (tmp_path / "graph.json").write_text(text)
    full = [{**v, "conditional": [[0.5, 0.5]] * (2 if v["parents"] else 1)} for v in variables]
    (tmp_path / "earlier.json").write_text(json.dumps({"variables": full}))
    columns = [{"name": name, "states": STATES} for name in VARIABLES]
    (tmp_path / "schema.json").write_text(json.dumps({"columns": columns}))
    known = {
        "known": [{"name": "smoke", "conditional": [[0.5, 0.5]]}],
        "impossible": [{"smoke": "yes", "lung, left": "no"}],
    }
    (tmp_path / "known.json").write_text(json.dumps(known))
    (tmp_path / "said.json").write_text(json.dumps({"contact": 'ward 7, "desk"'}))
    rows = ["yes,no,yes", "no,no,yes", "no,yes,no", ",yes,no"] * 50
    (tmp_path / "records.csv").write_text("\n".join(['smoke,"lung, left",b=c', *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


UPLOADED = ("--dag", "graph.json", "--data", "records.csv", "--missing", "drop", "--budget", "2")
SAMPLED = ("--network", "asia", "--records", "500", "--budget", "2")

ONE_OF_EACH = {
    "people": ("--people", "none"),
    "network": ("--network", "figure-one"),
    "records": ("--records", "321"),
    "data_seed": ("--data-seed", "5", "--rehearse", "network"),
    "dag": UPLOADED,
    "data": UPLOADED,
    "schema": (*UPLOADED, "--schema", "schema.json"),
    "missing": (*UPLOADED[:4], "--missing", "state", "--budget", "2"),
    "epsilon": ("--epsilon", "0.1234567890123456"),
    "split": ("--split", "0.3000000000000001", "--method", "data-dependent-icml"),
    "rate": ("--rate", "0.12345678", "--method", "data-dependent-icml"),
    "neighbours": ("--neighbours", "replace"),
    "replicates": ("--replicates", "9", "--rehearse", "random"),
    "seed": ("--seed", "12345678901234567890", "--rehearse", "random", "--replicates", "8"),
    "pseudo_count": ("--pseudo-count", "0.25", "--rehearse", "random", "--replicates", "8"),
    "delta": ("--method", "equipoise-zcdp", "--delta", "1.2345678e-7"),
    "floors": ("--floors", "smoke=0.3333333333333333"),
    "weights": ("--weights", "smoke=2.5,lung=3.0000000001"),
    "known": ("--known", "either"),
    "known_file": (*UPLOADED, "--known-file", "known.json"),
    "method": ("--method", "uniform"),
    "budget": ("--budget", "1.2345678901"),
    "delta_budget": ("--delta-budget", "1.5e-5", "--method", "equipoise-zcdp"),
    "name": ("--name", "- visits of 'May'"),
    "override": (
        "--epsilon",
        "12",
        "--budget",
        "20",
        "--override",
        "the board agreed",
        "--signed",
        "A. Kim",
    ),
    "signed": (
        "--epsilon",
        "12",
        "--budget",
        "20",
        "--override",
        "the board agreed",
        "--signed",
        "Ana 'Kim'",
    ),
    "reason": (
        "--epsilon",
        "12",
        "--budget",
        "20",
        "--reason",
        "usual=minutes of May = 14",
        "--signed",
        "A. Kim",
    ),
    "state": ("--state", "use=teaching = 'May' --loud", "--state", "harm=--none known"),
    "statements": ("--statements", "said.json"),
    "synthetic": ("--synthetic", "12"),
    "unit": ("--unit=--person",),
    "unit_column": (*UPLOADED, "--unit-column", "b=c", "--per-unit", "40"),
    "per_unit": ("--unit", "visit", "--per-unit", "3"),
    "public_records": (*UPLOADED, "--public-records", "1234567"),
    "domain": (*UPLOADED, "--domain", "public"),
    "graph": ("--graph", "rows"),
    "graph_epsilon": ("--graph", "private", "--graph-epsilon", "0.100000001"),
    "rehearse": (*UPLOADED, "--rehearse", "earlier.json", "--public-records", "200"),
    "study_runs": (*UPLOADED, "--study-runs", "3"),
    "limits": ("--limits", "0.0040001,0.3,0.7,0.9"),
    "group_size": ("--group-size", "0.123456789"),
    "group_limit": ("--group-limit", "0.3000001"),
    "groups": ("--groups", "smoke", "--rehearse", "random", "--replicates", "8"),
    "accept": ("--accept", "2:smoke,lung<=0.025", "--accept-epsilon", "1/7"),
    "accept_epsilon": ("--accept", "1:all<=0.01", "--accept-epsilon", "0.05"),
    "noise_limit": ("--noise-limit", "0.123456789"),
    "row_limit": ("--row-limit", "0.2000001", "--rehearse", "random", "--replicates", "8"),
}


def reviewed(capsys, words):
    code = main([*words, "--ledger", "ledger.sqlite", "--out", "releases", "--preview", "--json"])
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


def repeated(capsys, document):
    words = shlex.split(document["dossier"]["reproducibility"]["command"])
    assert words[:3] == ["python", "cli.py", "release"]
    assert main([*words[2:], "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def options():
    verbs = next(a for a in build_parser()._actions if a.dest == "verb")
    release = verbs.choices["release"]
    release.parse_known_args(["--ledger", "l", "--out", "o"])  # a verb is read when it is asked for
    return {a.dest: a.option_strings[0] for a in release._actions}


def test_every_argument_of_the_verb_is_tried_here():
    assert set(ONE_OF_EACH) == set(options()) - NOT_OF_THE_REVIEW


@pytest.mark.parametrize("argument", ONE_OF_EACH)
def test_the_command_has_the_argument_and_gives_the_same_documents(argument, folder, capsys):
    words = ONE_OF_EACH[argument]
    start = () if "--dag" in words else SAMPLED[2:] if "--network" in words else SAMPLED
    first = reviewed(capsys, ["release", *start, *words])
    command = first["dossier"]["reproducibility"]["command"]
    given_words = shlex.split(command)
    option = options()[WRITTEN_AS.get(argument, argument)]
    assert any(word == option or word.startswith(f"{option}=") for word in given_words), command
    assert repeated(capsys, first) == first


def test_a_budget_that_no_decimal_holds_is_a_fraction(folder, capsys):
    first = reviewed(capsys, ["release", *SAMPLED[:4], "--budget", "1/3", "--epsilon", "0.1"])
    assert "--budget 1/3" in first["dossier"]["reproducibility"]["command"]
    assert repeated(capsys, first) == first


def test_the_command_repeats_what_the_ledger_knows(folder, capsys):
    """Once the account is there, its name and budget are in the command though nobody said them."""
    main(["release", *SAMPLED, "--name", "ward 7", "--epsilon", "0.25", "--override",
          "a demonstration for teaching", "--signed", "A. Kim",
          "--ledger", "ledger.sqlite", "--out", "releases"])  # fmt: skip
    capsys.readouterr()
    first = reviewed(capsys, ["release", *SAMPLED[:4], "--epsilon", "0.5"])
    command = first["dossier"]["reproducibility"]["command"]
    assert "--name 'ward 7' --budget 2" in command
    assert first["dossier"]["ledger"]["spent"] == "0.25"
    assert repeated(capsys, first) == first


numbers = st.floats(1e-6, 0.4, allow_subnormal=False)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split())
).filter(bool)  # fmt: skip
requests = st.fixed_dictionaries(
    {"--epsilon": st.floats(0.05, 3).map(number_text)},
    optional={
        "--method": st.sampled_from([m for m in METHODS if not METHODS[m].refused]),
        "--neighbours": st.sampled_from(["add-remove", "replace"]),
        "--split": st.floats(0.01, 0.4).map(number_text),  # less leaves tables nothing: refused
        "--delta": st.floats(1e-9, 1e-6).map(number_text),
        "--pseudo-count": numbers.map(number_text),
        "--floors": st.dictionaries(
            st.sampled_from(VARIABLES), st.floats(0.01, 0.3), min_size=1
        ).map(lambda named: named_text(named.items())),
        "--weights": st.dictionaries(st.sampled_from(VARIABLES), st.floats(0.1, 9), min_size=1).map(
            lambda named: named_text(named.items())
        ),
        "--unit": texts,
        "--name": texts,
        "--public-records": st.integers(1, 10**7).map(str),
        "--noise-limit": numbers.map(number_text),
        "--row-limit": numbers.map(number_text),
        "--study-runs": st.integers(0, 9).map(str),
    },
)


@settings(max_examples=15, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(requests)
def test_any_review_is_repeated_by_its_command(folder, capsys, asked):
    words = [f"{name}={value}" for name, value in asked.items()]
    first = reviewed(capsys, ["release", *UPLOADED, *words])
    assert repeated(capsys, first) == first


def test_a_split_that_leaves_tables_nothing_is_refused_in_a_sentence(folder, capsys):
    asked = ["--method=data-dependent-arxiv", "--epsilon=0.571", "--split=1e-6"]
    places = ["--ledger", "ledger.sqlite", "--out", "releases"]
    assert main(["release", *UPLOADED, *asked, *places, "--preview"]) == 2
    (sentence,) = capsys.readouterr().err.strip().splitlines()
    assert "a table could get nothing that can be measured; raise ε or β" in sentence


@given(st.dictionaries(st.text(max_size=9).map(str.strip), st.floats(allow_nan=False)))
def test_named_numbers_read_back(named):
    if "" not in named:
        assert named_numbers(named_text(named.items())) == tuple(named.items())


def test_groups_are_not_rehearsed_on_a_graph_that_is_learned(tmp_path, capsys):
    asked = ("release", "--network", "asia", "--records", "300", "--method", "privbayes-plus",
             "--preview", "--ledger", str(tmp_path / "l.db"), "--out", str(tmp_path))  # fmt: skip
    assert main([*asked, "--groups", "smoke"]) != 0
    assert "learns its graph, and groups are rehearsed on a known one" in capsys.readouterr().err
    assert main([*asked, "--json"]) == 0
    (line,) = [x for x in json.loads(capsys.readouterr().out)["checklist"] if x["key"] == "groups"]
    assert "release the graph alone first" in line["advice"]
