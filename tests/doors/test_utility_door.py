"""Utility against ``sweep``, ``query`` and ``solve``."""

from dataclasses import asdict

import pytest

from core.study.experiments import Match
from core.study.quantities import QUANTITIES
from figures.bands import QUANTILE_NAMES
from pages.ui.utility import words as say
from pages.ui.utility.sweep import MATCHED, matches
from tests.doors.conftest import command, finish, same

SCENARIO = {"network": "asia", "records": "10000", "eps": "0.6", "replicates": "12", "seed": "5"}


@pytest.fixture
def utility(page):
    return finish(page("measure_utility", **SCENARIO), "sweep")


def measured(screen):
    kept = screen.at.session_state["computed"]
    return next(found for key, found in kept.items() if key[0] == "utility")


def columns(view):
    """The table behind a view, as its file holds it."""
    file = view.get("kept") or view["table"]
    return dict(zip(file["head"], file["columns"], strict=True))


def test_curves(utility, shell):
    for view in utility.sheet("utility")["views"][:-1]:
        rows = shell(command(view))["rows"]
        table = columns(view)
        keys = [k for k in ("metric", "method", "epsilon") if k in table]
        shown = {
            point: [table[level][place] for level in QUANTILE_NAMES]
            for place, point in enumerate(zip(*(table[k] for k in keys), strict=True))
        }
        assert set(shown) == {tuple(row[k] for k in keys) for row in rows}
        for row in rows:
            same(shown[tuple(row[k] for k in keys)], row["quantiles"])


def test_matches(utility, shell):
    table = utility.sheet("utility")["matches"]
    told = {(m["method"], m["metric"]): m for m in shell(command(table))["matches"]}
    every = matches(measured(utility), "uniform", 3.0)
    shown = {key: m for key, m in every.items() if QUANTITIES[m.metric] in MATCHED}
    assert set(shown) == set(told)
    for key, match in shown.items():
        same(asdict(match), told[key])
    assert any(m["saturated"] for m in told.values())
    cells = {cell for column in table["table"]["columns"][1:] for cell in column}
    texts = {say.needed(Match(**m), None) for m in told.values() if m["epsilon"] or m["saturated"]}
    assert texts <= cells


def test_a_question(utility, shell):
    data = utility.sheet("answers")["answers"]
    document = shell(command(data))
    table = columns(data)
    told = [", ".join(t["states"].values()) for t in document["truth"]]
    own = [i for i, name in enumerate(table["method"]) if name == document["method"]]
    assert [table["states"][i] for i in own] == told
    same([table["truth"][i] for i in own], [t["probability"] for t in document["truth"]])
    for place, row in zip(own, document["private"], strict=True):
        same([table[level][place] for level in QUANTILE_NAMES], row["quantiles"])
    last = shell(command(data), "--method", table["method"][-1])
    top = max(range(len(told)), key=lambda j: document["truth"][j]["probability"])
    low, high = (last["private"][top]["quantiles"][place] for place in (0, -1))
    assert f"say {low:.2f} to {high:.2f}" in data["subtitle"]


def test_the_most_probable_explanation(utility, shell):
    utility.at.segmented_control(key="ask_kind").set_value("the most probable explanation").run()
    data = utility.sheet("answers")["answers"]
    document = shell(command(data))
    (truth,) = document["truth"]
    table = columns(data)
    assert dict(zip(table["variable"], table["truth"], strict=True)) == truth["states"]
    agreed = table[f"{document['method']} agrees"]
    same(dict(zip(table["variable"], agreed, strict=True)), document["agreement"])


@pytest.mark.parametrize("population", [False, True])
def test_solving_backwards(utility, shell, population):
    utility.at.number_input(key="solve_limit_l1_row").set_value(0.1234567).run()
    utility.at.toggle(key="solve_population").set_value(population).run()
    next(b for b in utility.at.button if b.label == "Find the smallest ε").click().run()
    finish(utility, "solve")
    table = utility.sheet("solved")["solved"]
    document = shell(command(table))
    shown = [asdict(solution) for solution in utility.at.session_state["solved"]]
    assert [s["method"] for s in shown] == [s["method"] for s in document["rows"]]
    for mine, told in zip(shown, document["rows"], strict=True):
        same(mine, told)


@pytest.mark.parametrize("by", ["", "smoke"])
def test_who_bears_the_error(utility, shell, by):
    if by:
        utility.at.selectbox(key="utility_groups").set_value(by).run()
    sheet = utility.sheet("groups")
    document = shell(command(sheet["groups"]))
    table = columns(sheet["groups"])
    own = [i for i, name in enumerate(table["method"]) if name == document["method"]]
    assert [table["group"][i] for i in own] == [g["group"] for g in document["groups"]]
    for place, group in zip(own, document["groups"], strict=True):
        same(table["error"][place], group["error"][3])
        same(table["bias"][place], group["bias"][3])
        same(table["share"][place], group["share"])
    samples = columns(sheet["samples"])
    for metric, share in document["samples"].items():
        same(samples[metric][samples["method"].index(document["method"])], share)
