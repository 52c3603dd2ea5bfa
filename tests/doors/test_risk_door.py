"""Risk against ``risk`` and ``attack``."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.parameters import Model
from core.scenario import Scenario
from pages.ui.kit.inputs import Choice
from pages.ui.risk import numbers
from sources.networks import sample
from sources.study import sampled_study
from tests.doors.conftest import ask, command, same
from tests.pages.conftest import curve

SCENARIO = {"network": "sachs", "records": "900", "eps": "0.8", "replicates": "12", "seed": "2"}


NAMES = {
    "published": "asymptotic, published bound",
    "leverage": "heuristic, rare records",
    "pure_epsilon": "guarantee, ε alone",
    "composed": "guarantee, composed",
    "noisy": "heuristic, this noise",
    "gaussian": "guarantee, appendix H",
}


def table(view):
    """A view's file: head -> values."""
    file = view.get("kept") or view["table"]
    return dict(zip(file["head"], file["columns"], strict=True))


@pytest.mark.parametrize("method", ["equipoise", "data-dependent-icml", "uniform"])
def test_curves_carriers_and_guardrails(page, shell, method):
    screen = ask(page("assess_risk", **SCENARIO), method=method)
    view = screen.sheet("risk_curves")["tradeoff"]
    rates = table(view)["false alarms"]
    document = shell(command(view), "--alpha", ",".join(map(repr, rates)))
    for key, name in NAMES.items():
        drawn = curve(view, name)
        same(drawn["x"], rates)
        same(drawn["y"], [p[key] for p in document["power"]])
        assert name.startswith(document["claims"][key])
    reviewed = table(screen.sheet("risk_review")["review"])
    keys = ("pure_epsilon", "composed", "noisy", "gaussian")
    same(reviewed["AUC"][1:5], [document["auc_bounds"][key] for key in keys])
    same(reviewed["AUC"][5], document["auc_bounds"]["published"])
    same(reviewed["AUC"][7], document["auc_bounds"]["leverage"])
    causes = screen.sheet("risk_causes")
    carriers = {n["name"]: n for n in document["nodes"]}
    for name, share, count in zip(*table(causes["nodes"]).values(), strict=True):
        assert count == carriers[name]["complexity"]
        same(share, carriers[name]["share"])
    rails = zip(*table(causes["rails"]).values(), strict=True)
    look = [told for state, told, _ in rails if state == "look at this"]
    assert len(look) == len(document["warnings"]) - 1
    for told, sentence in zip(look, document["warnings"][1:], strict=True):
        assert told in sentence


def test_accusations(page, shell):
    view = page("assess_risk", **SCENARIO).sheet("risk_curves")["accuse"]
    told = table(view)
    assert "--alpha 0.01 --base-rate 0.01" in command(view)
    line = command(view).replace("--alpha 0.01", "--alpha 0.001,0.01,0.1")
    document = shell(line)
    rows = [i for i, prior in enumerate(told["members among suspects"]) if prior == 0.01]
    assert [told["false alarms"][i] for i in rows] == [p["alpha"] for p in document["power"]]
    same([told["right at most"][i] for i in rows], [p["right"] for p in document["power"]])


def shifted(study):
    """The same records beside a population whose first variable is another."""
    model = study.population
    values = np.array(model.values)
    place = study.network.layout.slices[0]
    values[place] = values[place][::-1]
    return replace(study, model=Model(model.network, values))


def test_a_pool_unlike_its_population_is_said_behind_both_doors(monkeypatch, shell):
    """The shell checked no sampling bias, although it had drawn the records itself."""
    study = shifted(sampled_study("asia", None, records=900, seed=0))
    choice = Choice(study, study.network, Scenario(replicates=10))
    (rail,) = [r for r in numbers.standing(choice).careful if "standard errors" in r.finding]
    monkeypatch.setattr("commands.risk.study_from", lambda _: study)
    document = shell(["risk", "--network", "asia", "--replicates", "10"])
    assert rail.sentence in document["warnings"]


@pytest.mark.parametrize("release", ["uniform", "exact", "smoothed"])
def test_attacks(shell, release):
    study = sampled_study("asia", None, records=300, seed=0)
    choice = Choice(study, study.network, Scenario(epsilon=0.9, seed=4))
    asked = [a for a in numbers.planned(choice, "uniform", 20) if a.release == release]
    found = {}
    list(numbers.work(choice, asked, found))
    line = "attack --network asia --records 300 --pools 20 --epsilon 0.9 --seed 4 --method"
    document = shell([*line.split(), release])
    result = found[release]
    same(vars(result.auc), document["auc"])
    assert result.guessing == document["guessing"]
    for power, told in zip(result.powers, document["power"], strict=True):
        same(vars(power), {key: told[key] for key in ("mean", "low", "high")})
    same(list(result.by_support), list(document["by_support"].values()))


def test_the_attack_on_an_upload_is_repeated_by_the_line_on_the_page(page, tmp_path, shell):
    """Pools have half of the people on the page; the shell's own default is another."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 400)
    second = np.where(rng.random(400) < 0.8, first, 1 - first)
    table = "a,b\n" + "".join(f"{x},{y}\n" for x, y in zip(first, second, strict=True))
    graph = "parent,child\na,b\n"
    schema = json.dumps({"columns": [{"name": n, "states": ["0", "1"]} for n in "ab"]})
    files = {"data": table, "dag": graph, "schema": schema}
    names = {"data": "people.csv", "dag": "edges.csv", "schema": "schema.json"}
    for key, content in files.items():
        (tmp_path / names[key]).write_text(content)
    screen = page("load_data")
    screen.upload(**{f"{k}_file": (names[k], content) for k, content in files.items()})
    next(b for b in screen.at.button if "Use" in b.label).click().run()
    screen.visit("assess_risk")
    line = command(screen.sheet("risk_review")["review"])
    assert "--records 200 --pools 20" in line
    study = screen.at.session_state["session"].upload
    choice = Choice(study, study.network, Scenario())
    found = {}
    list(numbers.work(choice, numbers.planned(choice, "equipoise", 20)[:1], found))
    line = line.replace("--dag FILE", f"--dag {tmp_path / 'edges.csv'}")
    line = line.replace("--data FILE", f"--data {tmp_path / 'people.csv'}")
    document = shell(line, "--schema", str(tmp_path / "schema.json"))
    assert document["records"] == 200
    same(vars(found["equipoise"].auc), document["auc"])


def test_pools_come_from_the_parameters_the_records_were_drawn_from():
    """A network file that is named like a sample network is not that network."""
    study = shifted(sampled_study("asia", None, records=300, seed=0))
    people = numbers.population_of(study)
    assert people.model is study.population is not sample("asia").model
