"""The verbs ``risk`` and ``attack``: documents, agreement with the engine, one sentence each."""

import json

import numpy as np
import pytest

from cli import main
from core.membership.attack import run_attack
from core.membership.bound import PublishedBound
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation
from core.scenario import Scenario
from sources.networks import sample

STATES_ONLY = {
    "variables": [
        {"name": "a", "states": ["0", "1"], "parents": []},
        {"name": "b", "states": ["0", "1", "2"], "parents": ["a"]},
    ]
}


def ask(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_alarm_shows_the_published_power_exceeded_by_the_leverage_curve(capsys):
    found = ask(capsys, "risk", "--network", "alarm", "--method", "equipoise")
    first, *_, last = found["power"]
    assert first["alpha"] == 0.001
    assert first["leverage"] > 1.5 * first["published"]
    assert last["leverage"] < last["published"]
    assert found["auc_bounds"]["composed"] < found["auc_bounds"]["pure_epsilon"]
    assert found["claims"] == {
        "published": "asymptotic", "leverage": "heuristic", "pure_epsilon": "guarantee",
        "composed": "guarantee", "noisy": "heuristic", "gaussian": "guarantee",
    }  # fmt: skip
    assert sum(n["share"] for n in found["nodes"]) == pytest.approx(1)
    assert {"parent": "INTUBATION", "child": "PRESS", "saves": 48} in found["edges"]
    power, alpha = first["composed"], first["alpha"]
    assert first["right"] == pytest.approx(0.01 * power / (0.01 * power + 0.99 * alpha))
    assert any("Published bound is too low" in w for w in found["warnings"])


def test_an_exact_release_has_no_guarantee(capsys):
    found = ask(capsys, "risk", "--network", "asia", "--method", "exact")
    for key in ("pure_epsilon", "composed", "noisy"):
        assert found["auc_bounds"][key] is None
        assert found["power"][0][key] is None


def test_states_without_probabilities_are_enough_for_the_published_bound(capsys, tmp_path):
    file = tmp_path / "states.json"
    file.write_text(json.dumps(STATES_ONLY), encoding="utf-8")
    assert main(["risk", "--dag", str(file), "--records", "500", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["auc"] == pytest.approx(PublishedBound(5, 500).auc)
    assert found["power"][0]["leverage"] is None
    assert "no probabilities" in captured.err


def test_the_attack_gives_the_engines_numbers(capsys):
    found = ask(capsys, "attack", "--network", "asia", "--records", "200", "--pools", "4")
    model = sample("asia").model
    ours = run_attack(ModelPopulation(model), model.network, Attack("exact", 200, 4), Scenario())
    assert found["auc"]["mean"] == ours.auc.mean
    assert [p["mean"] for p in found["power"]] == [p.mean for p in ours.powers]
    assert found["power"][0]["bound"] == pytest.approx(PublishedBound(18, 200).power(0.001))
    assert found["scored_per_second"] > 0
    assert found["attacker"] == "likelihood ratio"


def test_a_private_release_is_attacked_with_knowledge_of_the_noise(capsys):
    found = ask(
        capsys, "attack", "--network", "asia", "--records", "200", "--pools", "2",
        "--method", "uniform", "--epsilon", "0.1",
    )  # fmt: skip
    assert found["attacker"] == "noise-aware"
    assert found["plain_auc"] is not None


def test_pools_can_be_drawn_from_a_file(capsys, tmp_path):
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{a},{b}" for a, b in rng.integers(0, 2, (60, 2)))
    (tmp_path / "d.csv").write_text(f"a,b\n{rows}\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text("parent,child\na,b\n", encoding="utf-8")
    files = ("--dag", str(tmp_path / "g.csv"), "--data", str(tmp_path / "d.csv"))
    assert ask(capsys, "attack", *files, "--pools", "3")["records"] == 30
    assert main(["attack", *files, "--records", "61"]) == 2
    assert "pool of 61 is larger than the population of 60" in capsys.readouterr().err


def test_both_verbs_speak_to_people(capsys):
    assert main(["risk", "--network", "asia"]) == 0
    assert main(["attack", "--network", "asia", "--records", "100", "--pools", "2"]) == 0
    out = capsys.readouterr().out
    assert "composed (guarantee)" in out
    assert "likelihood ratio attack on 2 pools of 100 records" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["attack", "--network", "asia", "--records", "1"], "records is 1; it must lie between 2"),
        (["attack", "--network", "asia", "--records", "0"], "records is 0; it must lie between 2"),
        (["attack", "--network", "asia", "--pools", "0"], "pools is 0"),
        (["attack", "--network", "asia", "--alpha", "0"], "false-alarm rate is 0"),
        (["attack", "--network", "asia", "--alpha", "1"], "false-alarm rate is 1"),
        (["attack", "--network", "asia", "--method", "none"], "invalid choice"),
        (["attack"], "exactly one of --network NAME and --dag FILE"),
        (["risk", "--network", "asia", "--records", "0"], "records is 0"),
        (["risk", "--network", "asia", "--records", "1"], "records is 1"),
        (["risk", "--network", "asia", "--base-rate", "0"], "the base rate is 0"),
        (["risk", "--network", "asia", "--base-rate", "1"], "the base rate is 1"),
        (["risk", "--dag", "EDGES"], "lists edges without states"),
        (["attack", "--dag", "EDGES"], "no probabilities to draw pools from"),
        (["attack", "--dag", "STATES"], "no probabilities to draw pools from"),
        (["risk", "--dag", "CONSTANT"], "no free parameters"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, tmp_path, arguments, words):
    constant = {"variables": [{"name": "a", "states": ["0"], "parents": []}]}
    files = {"EDGES": ("e.csv", "parent,child\na,b\n"),
             "STATES": ("s.json", json.dumps(STATES_ONLY)),
             "CONSTANT": ("c.json", json.dumps(constant))}  # fmt: skip
    for name, text in files.values():
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = [str(tmp_path / files[a][0]) if a in files else a for a in arguments]
    try:
        code = main(given)
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert words in captured.err
    assert "Traceback" not in captured.err
    assert len([line for line in captured.err.splitlines() if "note:" not in line]) == 1
