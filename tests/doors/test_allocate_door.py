"""Allocate and Explore against ``allocate``, ``describe``, ``sweep``, ``query`` and ``risk``."""

import pytest

from core.options import Options
from figures.band_table import QUANTILE_NAMES
from pages.ui.kit import compute, limits
from sources.study import sampled_study
from tests.doors.conftest import ask, command, same
from tests.pages.conftest import curve

SCENARIOS = {
    "asia": ({"network": "asia", "records": "600", "eps": "0.7", "seed": "3"}, Options()),
    "sachs, locked": (
        {"network": "sachs", "records": "800", "eps": "0.123456789", "neighbours": "replaced"},
        Options(0.5, (("PKA", 0.25),), (("Raf", 3.0),)),
    ),
}
METHODS = ("equipoise", "data-dependent-icml", "uniform", "equipoise-zcdp")


def flat(rows):
    return [number for row in rows for number in row]


@pytest.fixture(params=SCENARIOS)
def opened(request, page):
    query, options = SCENARIOS[request.param]

    def visit(file, **changes):
        screen = page(file, replicates="12", **query)
        return ask(screen, options={query["network"]: options}, **changes)

    return visit


def allocation(screen):
    """The view of the plan, and the columns of its file."""
    rows = screen.sheet("budget_chart")["rows"]
    return rows, dict(zip(rows["table"]["head"], rows["table"]["columns"], strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_a_plan_and_what_it_follows_from(opened, shell, method):
    rows, columns = allocation(opened("allocate_budget", explained=method))
    nodes = shell(command(rows))["nodes"]
    assert columns["node"] == [n["name"] for n in nodes]
    same(columns[f"{method} epsilon"], [n["epsilon"] for n in nodes])
    if f"{method} 2.5 %" in columns:
        same(columns[f"{method} 2.5 %"], [n["epsilon_low"] for n in nodes])
        same(columns[f"{method} 97.5 %"], [n["epsilon_high"] for n in nodes])
    same(columns["height"], [n["height"] for n in nodes])
    same(columns["out-degree"], [n["out_degree"] for n in nodes])
    same(columns["sensitivity Δ"], [n["sensitivity"] for n in nodes])
    same(columns["weight W"], [n["weight"] for n in nodes])
    same(columns["at least"], [n["floor"] for n in nodes])
    same(columns["importance"], [n["importance"] for n in nodes])
    if nodes[0]["delta"] is not None:
        same(columns["error δ × 10³"], [1000 * n["delta"] for n in nodes])
    assert all(n["share"] >= n["floor"] - 1e-12 for n in nodes)


def test_the_row_error_beside_a_plan(opened, shell):
    screen = opened("allocate_budget", explained="uniform")
    errors = shell(command(allocation(screen)[0]))["error"]["l1_weighted"]
    table = screen.sheet("printed_facts")["literal"]["table"]
    shown = {name: column[1] for name, column in zip(table["head"], table["columns"], strict=True)}
    levels = [errors["quantiles"][place] for place in (0, 3, 6)]
    same([shown[key] for key in ("2.5 %", "median", "97.5 %")], levels)


def test_what_follows_from_the_graph(opened, shell):
    screen = opened("allocate_budget")
    rows, columns = allocation(screen)
    line = command(rows).split()
    network = line[line.index("--network") + 1]
    described = shell(["describe", "--network", network])
    assert columns["node"] == [n["name"] for n in described["nodes"]]
    assert columns["height"] == [n["height"] for n in described["nodes"]]
    bars = screen.visit("assess_risk").sheet("risk_causes")["nodes"]["table"]["columns"]
    complexities = {n["name"]: n["complexity"] for n in described["nodes"]}
    assert dict(zip(bars[0], bars[2], strict=True)) == complexities
    shares = {n: c / described["complexity"] for n, c in complexities.items()}
    same(dict(zip(bars[0], bars[1], strict=True)), shares)


@pytest.mark.parametrize("method", ["data-dependent-icml", "equipoise"])
def test_explore_shows_the_same_plan_error_and_risk(opened, shell, method):
    screen = opened("explore_tradeoff", method=method)
    data = screen.board
    allocation = shell(command(data["graph"]))
    budget = data["graph"]["measures"][0]["values"]
    same(budget, [n["epsilon"] for n in allocation["nodes"]])
    said = data["error"]["variants"][0]["figure"]["layout"]["meta"]["values"][method]
    assert said == f"{allocation['error']['l1_weighted']['quantiles'][3]:.2g}"
    rates = [",".join(map(repr, curve(data["risk"], "composed")["x"]))]
    power = shell(command(data["risk"]), "--alpha", *rates)["power"]
    for name, key in (
        ("composed", "composed"),
        ("from ε alone", "pure_epsilon"),
        ("published bound, exact tables", "published"),
    ):
        same(curve(data["risk"], name)["y"], [p[key] for p in power])


def test_explores_curves_are_a_sweep(opened, shell):
    data = opened("explore_tradeoff").board
    grid = compute._grid(limits.CURVE_POINTS)
    at = [grid[0], grid[12]]
    epsilons = ",".join(repr(float(e)) for e in at)
    rows = shell(command(data["error"]), "--epsilons", epsilons)["rows"]
    table = data["error"]["table"]
    columns = dict(zip(table["head"], table["columns"], strict=True))
    for shown in dict.fromkeys(columns["method"]):
        told = [r["quantiles"] for r in rows if r["method"] == shown]
        first = columns["method"].index(shown)
        for place, quantiles in zip((0, 12), told, strict=True):
            same([columns[level][first + place] for level in QUANTILE_NAMES], quantiles)


def test_explores_conditional_is_a_question(opened, shell):
    panel = opened("explore_tradeoff").board["panel"]
    answer = shell(command(panel))
    row = panel["records"].index(max(panel["records"]))
    same(panel["truth"][row], [t["probability"] for t in answer["truth"]])
    told = [list(band) for band in zip(*(p["quantiles"] for p in answer["private"]), strict=True)]
    same(flat(band[row] for band in panel["bands"]), flat(told))


@pytest.mark.parametrize("selected", [0, 3])
def test_a_nodes_answer_is_a_question(opened, shell, selected):
    screen = opened("explore_tradeoff")
    before = screen.board["graph"]
    known, target = before["nodes"][1]["name"], before["nodes"][selected]["name"]
    state = screen.at.session_state["session"]
    variable = next(v for v in _network(screen).variables if v.name == known)
    evidence = {screen.at.selectbox(key="network").value: {known: variable.states[-1]}}
    changed = {**vars(state), "showing": "answers", "evidence": evidence, "selected": target}
    screen.at.session_state["session"] = type(state)(**changed)
    screen.at.run()
    graph = screen.board["graph"]
    answer = shell(command(graph))
    node = graph["answers"]["nodes"][selected]
    same(node["truth"], [t["probability"] for t in answer["truth"]])
    for place, level in enumerate((0, 3, 6)):
        same(node["bands"][place], [p["quantiles"][level] for p in answer["private"]])


def _network(screen):
    return sampled_study(screen.at.selectbox(key="network").value, None, records=50, seed=0).network
