"""Utility against ``sweep``, ``query`` and ``solve``."""

from dataclasses import asdict

import pytest

from core.study.experiments import Match
from pages.ui import utility_words as say
from pages.ui.utility_numbers import matches
from tests.doors.conftest import command, finish, same, views

SCENARIO = {"network": "asia", "records": "10000", "eps": "0.6", "replicates": "12", "seed": "5"}


@pytest.fixture
def utility(page):
    return finish(page("measure_utility", **SCENARIO), "sweep")


def measured(screen):
    kept = screen.at.session_state["computed"]
    return next(found for key, found in kept.items() if key[0] == "utility")


def test_curves(utility, shell):
    for chart in utility.component("equipoise_utility")["charts"]:
        rows = shell(command(chart))["rows"]
        for series in chart["series"]:
            told = [r for r in rows if r["method"] == series["method"]]
            assert series["epsilons"] == [r["epsilon"] for r in told]
            for place, row in enumerate(told):
                same([band[place] for band in series["bands"]], row["quantiles"])


def test_matches(utility, shell):
    table = utility.component("equipoise_utility")["matches"]
    told = {(m["method"], m["metric"]): m for m in shell(command(table))["matches"]}
    shown = matches(measured(utility), "uniform", 3.0)
    assert set(shown) == set(told)
    for key, match in shown.items():
        same(asdict(match), told[key])
    assert any(m["saturated"] for m in told.values())
    cells = {cell for row in table["rows"] for cell in row[1:]}
    texts = {say.needed(Match(**m), None) for m in told.values() if m["epsilon"] or m["saturated"]}
    assert texts <= cells


def test_a_question(utility, shell):
    data = utility.component("equipoise_answers")
    document = shell(command(data))
    same(data["truth"], [t["probability"] for t in document["truth"]])
    told = [t["states"] for t in document["truth"]]
    assert data["labels"] == [", ".join(states.values()) for states in told]
    shown = next(m for m in data["methods"] if m["method"] == document["method"])
    for place, row in enumerate(document["private"]):
        same([band[place] for band in shown["bands"]], row["quantiles"])
    last = shell(command(data), "--method", data["methods"][-1]["method"])
    top = max(range(len(told)), key=lambda j: document["truth"][j]["probability"])
    low, high = (last["private"][top]["quantiles"][place] for place in (0, -1))
    assert f"say {low:.2f} to {high:.2f}" in data["lead"]


def test_the_most_probable_explanation(utility, shell):
    utility.at.segmented_control(key="ask_kind").set_value("the most probable explanation").run()
    data = utility.component("equipoise_answers")
    document = shell(command(data))
    (truth,) = document["truth"]
    named = zip(data["labels"], data["states"], data["truth"], strict=True)
    assert {name: states[code] for name, states, code in named} == truth["states"]
    shown = next(m for m in data["methods"] if m["method"] == document["method"])
    same(dict(zip(data["labels"], shown["agree"], strict=True)), document["agreement"])


@pytest.mark.parametrize("population", [False, True])
def test_solving_backwards(utility, shell, population):
    utility.at.number_input(key="solve_limit_l1_row").set_value(0.1234567).run()
    utility.at.toggle(key="solve_population").set_value(population).run()
    next(b for b in utility.at.button if b.label == "Find the smallest ε").click().run()
    finish(utility, "solve")
    (table,) = [v for v in views(utility, "equipoise_notes") if "solved" in v["file"]]
    document = shell(command(table))
    shown = [asdict(solution) for solution in utility.at.session_state["solved"]]
    assert [s["method"] for s in shown] == [s["method"] for s in document["rows"]]
    for mine, told in zip(shown, document["rows"], strict=True):
        same(mine, told)
