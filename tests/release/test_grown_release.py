"""A release that chooses and measures tables in turn: parts, files, hidden classes, rehearsal."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from core.methods.registry import LEARNERS
from core.privacy import Guarantee, Neighbours
from core.privbayes.settings import RECIPES
from core.scenario import Scenario
from release.dossier.numbers import parts
from release.files import read_published
from release.order import AS_MEASURED
from release.publish import publish
from release.review.facts import Statements
from release.review.request import Request
from release.review.reviewed import reviewed
from release.review.standin import earlier_release
from sources.study import sampled_study, without_graph
from tests.release.ordering import here, order
from tests.wholes import rehearse

SCENARIO = Scenario(epsilon=2.0, replicates=4)


@pytest.fixture(scope="module")
def bare():
    return without_graph(sampled_study("asia", None, records=3000, seed=0))


def released(bare, ledger, out, method, **changes):
    wish = {"scenario": SCENARIO, "budget": Fraction(9), "synthetic": AS_MEASURED, **changes}
    return publish(order(bare, method=method, **wish), ledger, out, workers=here())


def test_every_recipe_can_be_released_with_its_own_guarantee():
    for name, recipe in RECIPES.items():
        own = Guarantee.APPROXIMATE if recipe.gaussian else Guarantee.PURE
        assert LEARNERS[name].guarantee is own and not LEARNERS[name].refused


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", ["adaptive", "adaptive-zcdp"])
def test_parts_are_exact_and_add_up(bare, ledger, tmp_path, method, neighbours):
    at = replace(SCENARIO, neighbours=neighbours)
    outcome = released(bare, ledger, tmp_path / "out", method, scenario=at)
    published, (line,) = outcome.published, outcome.account.lines
    budget = published.epsilon if published.rho is None else published.rho
    named = ["number of records", "choices and tables"][neighbours is Neighbours.REPLACE :]
    assert [name for name, _ in line.parts] == named
    assert sum(part for _, part in line.parts) == budget
    assert (line.epsilon, line.delta > 0) == (2, method.endswith("zcdp"))
    assert sum(m.budget for m in published.measurements) == published.cost <= budget
    assert published.cost > budget * (1 - Fraction(1, 10**6))
    told = dict(parts(published))  # the dossier's: spent, by the names it was charged under
    assert list(told) == named and sum(told.values()) == published.cost
    counted = sum(m.budget for m in published.measurements if not m.variables)
    assert told.get("number of records", 0) == counted
    assert counted <= dict(line.parts).get("number of records", 0)
    chosen = [m.variables for m in published.measurements if m.is_choice]
    assert len(chosen) == len(set(chosen)) >= len(bare.network.variables) - 1


def test_a_hidden_class_is_in_the_model_and_in_no_record(bare, ledger, tmp_path):
    outcome = released(bare, ledger, tmp_path / "out", "views")
    names, model = list(bare.network.names), outcome.published.model.network
    assert outcome.published.hidden == "hidden class" and len(model.names) == len(names) + 1
    header, *lines = (outcome.directory / "records.csv").read_text().splitlines()
    assert header.split(",") == names and abs(len(lines) - 3000) < 300
    again = read_published(outcome.directory, outcome.published.files)
    assert [v.name for v in again.columns] == names and again.hidden == "hidden class"
    given = json.loads((outcome.directory / "measurements.json").read_text())["given"]
    assert [v["name"] for v in given["variables"]] == names
    later = earlier_release("it", bare.network, again.model, file="model.json")
    rehearsal = rehearse(later, "adaptive", SCENARIO, records=500)
    assert rehearsal.bands  # the class is no column there either


def test_a_column_may_have_the_name_of_the_class(bare, ledger, tmp_path):
    renamed = tuple(
        replace(v, name="hidden class" if v.name == "asia" else v.name)
        for v in bare.network.variables
    )
    study = replace(
        bare,
        network=replace(bare.network, variables=renamed),
        people=replace(bare.people, variables=renamed),
    )
    outcome = released(study, ledger, tmp_path / "out", "views", synthetic=50)
    header = (outcome.directory / "records.csv").read_text().splitlines()[0].split(",")
    assert "hidden class" in header and len(header) == len(renamed)
    assert outcome.published.hidden == "hidden class "


def test_a_plan_with_a_delta_is_shown_in_rho(bare):
    request = Request(
        study=bare, method="equipoise-synthesis-zcdp", scenario=SCENARIO,
        statements=Statements(unit="person", records=3000),
    )  # fmt: skip
    plan = reviewed(request, None).document()["plan"]
    assert plan["unit"] == "ρ" and plan["tables"] == []
    assert sum(Fraction(exact) for *_, exact in plan["parts"]) == Fraction(plan["total"])
