"""Allocate without a browser: equal to the engine, complete, and locks that redistribute."""

import numpy as np
import pytest

from cli import build_parser
from commands.arguments import scenario_from
from core.methods.plans import importance, sensitivities
from core.methods.registry import METHODS
from core.options import Options
from core.scenario import Scenario
from core.study.allocated import relative_noise
from core.study.experiments import measure, rehearsals
from core.study.metrics import Truth
from pages.ui.allocate.compared import methods
from pages.ui.allocate.node_table import NodeSetting, read_edits, with_settings
from pages.ui.kit import routes
from sources.study import sampled_study
from tests.pages.conftest import curve
from tests.pages.releasing import letters


def page(open_app, **query):
    return open_app(**query).visit("allocate_budget")


class Shown:
    """What Allocate shows, by part."""

    def __init__(self, screen):
        self.top = screen.sheet("board")
        self.rows = screen.sheet("budget_chart")["rows"]
        self.graph = screen.sheet("budget_graph")["graph"]
        self.facts = screen.sheet("printed_facts")
        self.metrics = {m.label.replace("*", ""): m.value for m in screen.at.metric}
        self.table = screen.at.dataframe[0].value
        self.texts = [letters(m.value) for m in screen.at.markdown]
        self.captions = [c.value for c in screen.at.caption]

    @property
    def finding(self):
        return text(self.top["finding"])

    @property
    def file(self):
        """The columns of the CSV file."""
        table = self.rows["table"]
        return dict(zip(table["head"], table["columns"], strict=True))

    @property
    def listed(self):
        return [name.removeprefix("▸ ") for name in self.table["node"]]


def text(runs):
    return "".join(part for part, _ in runs)


def ask(screen, **changes):
    """Put options in place, as a lock in the table does."""
    session = screen.at.session_state["session"]
    kind = type(session)
    fields = {**vars(session), **changes}
    screen.at.session_state["session"] = kind(**fields)
    screen.at.run()
    assert not screen.at.exception
    return Shown(screen)


def test_the_page_is_complete_without_a_click(open_app):
    shown = Shown(page(open_app))
    assert "equipoise gives most to" in shown.finding
    assert len(shown.metrics) == 3
    drawn = shown.rows["variants"][0]["figure"]["data"]
    assert [t["name"] for t in drawn] == ["equipoise", "data-dependent-icml", "uniform"]
    assert [v["name"] for v in shown.facts["views"]] == ["constant", "sampling", "literal"]
    for view in (shown.rows, shown.graph):
        assert view["alt"]
        assert "python cli.py allocate" in dict(view["details"])["Command line"]
    assert len(shown.table) == 8
    assert list(shown.table)[:3] == ["node", "lock", "importance"]


def test_the_numbers_are_the_engines(open_app):
    screen = page(open_app, network="sachs", eps="0.5", replicates="30", seed="7")
    shown = Shown(screen)
    study = sampled_study("sachs", None, records=10_000, seed=0)
    scenario = Scenario(epsilon=0.5, replicates=30, seed=7)
    for method in ("equipoise", "data-dependent-icml", "uniform"):
        release = next(rehearsals(method, study.network, study.counts, scenario))
        node = np.median(np.atleast_2d(release.plan.node_epsilon), axis=0)
        assert shown.file[f"{method} epsilon"] == pytest.approx(node.tolist(), rel=1e-4)
        varies = release.plan.node_epsilon.ndim > 1
        assert (f"{method} 2.5 %" in shown.file) == varies
        trace = curve(shown.rows, method)
        drawn = dict(zip(trace["x"], trace["y"], strict=True))
        assert drawn == pytest.approx(dict(zip(study.network.names, node, strict=True)), rel=1e-4)
        assert ("error_y" in trace) == varies
    assert shown.file["sensitivity Δ"] == pytest.approx(sensitivities(study.network), rel=1e-4)
    assert shown.file["weight W"] == pytest.approx(importance(study.network), rel=1e-4)
    truth = Truth.of(study.network, study.counts)
    errors = measure("uniform", truth, study.counts, scenario, ["l1_weighted"])["l1_weighted"]
    said = float(shown.metrics["uniform"])
    assert said == pytest.approx(np.median(errors), rel=0.05)


@pytest.mark.parametrize("method", [m.name for m in METHODS.values() if m.guarantee.private])
def test_every_private_method_can_be_explained(open_app, method):
    screen = page(open_app, replicates="10")
    screen.at.selectbox(key="allocate_method").set_value(method).run()
    shown = Shown(screen)
    assert screen.errors == []
    assert f"{method} epsilon" in shown.file
    assert f"{method}: {METHODS[method].guarantee.text}" in shown.captions
    _, _, first, second, held, *_ = shown.texts
    pure = METHODS[method].guarantee.pure
    assert ("δ = 10⁻⁶" in second) != pure
    assert first.startswith("Adding or removing one record")
    assert "**ε = 1**" in second
    assert "1.000000 ≤ 1" in held


@pytest.mark.parametrize(
    ("network", "method", "said"),
    [
        ("figure-one", "equipoise-filter", "equipoise-filter gives every node 1.00: one table of"),
        ("asia", "mrf-naive", "mrf-naive gives every node 0.125, whatever the node is for."),
        ("asia", "one-table", "one-table gives every node 0.125, whatever the node is for."),
        ("asia", "uniform", "the uniform plan gives every node 0.125, whatever the node is for."),
    ],
)
def test_the_headline_names_the_plan_and_says_nothing_twice(open_app, network, method, said):
    finding = ask(page(open_app, network=network, replicates="10"), explained=method).finding
    assert said in finding
    sentences = [s.split(" gives ", 1)[-1] for s in finding.rstrip(".").split(". ")]
    assert len(set(sentences)) == len(sentences)
    assert finding.count("niform plan") == 1
    same = method in ("mrf-naive", "one-table")
    assert ("The uniform plan divides ε the same way." in finding) == same


def test_a_lock_gives_its_share_and_takes_it_from_the_others(open_app):
    screen = page(open_app, network="alarm", replicates="10")
    before = Shown(screen).file
    shown = ask(screen, options={"alarm": Options(floors=(("HR", 0.3),))})
    after = shown.file
    node = before["node"].index("HR")
    for method, total in (("equipoise", 1.0), ("data-dependent-icml", 0.9), ("uniform", 1.0)):
        assert after[f"{method} epsilon"][node] >= 0.3 * total * (1 - 1e-4)
    old, new = before["uniform epsilon"], after["uniform epsilon"]
    assert all(n < o for i, (n, o) in enumerate(zip(new, old, strict=True)) if i != node)
    assert sum(new) == pytest.approx(sum(old), rel=1e-4)
    assert after["at least"][node] == 0.3
    said = "1 node locked, at least 30 % of ε"
    assert any(said in text for text in shown.texts)
    assert said in shown.top["scenario"]
    assert any(said in caption for caption in shown.captions), "the sidebar's line"
    assert "locked at 30 %" in shown.finding


def test_no_row_moves_while_nodes_are_locked_and_weighted(open_app):
    screen = page(open_app, network="alarm", replicates="10")
    before = Shown(screen)
    key = screen.at.dataframe[0].key
    locked = Options(floors=(("LVFAILURE", 0.4),), weights=(("CVP", 9.0),))
    after = ask(screen, options={"alarm": locked})
    assert after.listed == before.listed
    assert screen.at.dataframe[0].key == key, "the same table: scrolled and focused as it was"
    assert curve(after.rows, "equipoise")["x"] == curve(before.rows, "equipoise")["x"]
    row = after.table.loc[after.listed.index("LVFAILURE")]
    assert (row["lock"], row["importance"]) == (40.0, 1.0)
    assert row["equipoise"] == max(after.table["equipoise"])
    screen.at.get("button_group")[0].set_value("by name").run()
    assert Shown(screen).listed == sorted(before.listed, key=str.casefold)
    assert screen.at.dataframe[0].key != key
    screen.at.get("button_group")[0].set_value("by ε").run()
    assert "LVFAILURE" in Shown(screen).listed[:3], "asked for, the rows are sorted"


def test_the_command_line_says_the_same(open_app):
    screen = page(open_app, replicates="10")
    options = Options(1.5, (("dysp", 0.25),), (("bronc", 3.0),))
    shown = ask(screen, options={"asia": options})
    line = dict(shown.rows["details"])["Command line"]
    assert "--pseudo-count 1.5 --floors dysp=0.25 --weights bronc=3" in line
    arguments = build_parser().parse_args(line.split()[2:])
    assert scenario_from(arguments).options == options
    assert screen.at.number_input(key="allocate_prior").value == 1.5


def test_a_prior_changes_errors_and_no_public_plan(open_app):
    screen = page(open_app, replicates="10")
    before = Shown(screen)
    screen.at.number_input(key="allocate_prior").set_value(200.0).run()
    after = Shown(screen)
    for method in ("equipoise", "data-dependent-icml", "uniform"):
        same = before.file[f"{method} epsilon"] == after.file[f"{method} epsilon"]
        assert same == (method != "data-dependent-icml"), "Stage I normalises with the prior"
    error = "equipoise"
    assert float(after.metrics[error]) > 2 * float(before.metrics[error])
    assert "prior 200 in every cell" in after.top["scenario"]
    assert any("prior 200 in every cell" in c for c in after.captions), "the sidebar's line"


def test_locks_stay_with_their_network(open_app):
    screen = page(open_app, replicates="10")
    assert (
        5.0 in ask(screen, options={"asia": Options(weights=(("dysp", 5.0),))}).file["importance"]
    )
    screen.at.selectbox(key="network").set_value("figure-one").run()
    shown = Shown(screen)
    assert set(shown.file["importance"]) == {1.0}
    assert not any("weighted" in text for text in shown.texts)


def test_settings_that_cannot_be_are_refused_and_unknown_nodes_dropped():
    network = sampled_study("asia", None, records=50, seed=0).network
    options = with_settings(Options(), {"dysp": NodeSetting(0.6)})
    with pytest.raises(ValueError, match="these locks ask for 115 %; keep them under 100 %"):
        with_settings(options, {"smoke": NodeSetting(0.55)})
    assert with_settings(options, {"dysp": NodeSetting()}) == Options()
    ghost = Options(floors=(("ghost", 0.2), ("dysp", 0.1)), weights=(("ghost", 2.0),))
    assert ghost.within(network) == Options(floors=(("dysp", 0.1),))


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        ({"lock": 20}, NodeSetting(0.2, 3.0)),
        ({"importance": 2.5}, NodeSetting(0.1, 2.5)),
        ({"lock": None}, NodeSetting(0.0, 3.0)),
        ({"importance": None}, NodeSetting(0.1, 1.0)),
        ({"lock": 0, "importance": 1}, NodeSetting(0.0, 1.0)),
        ({"lock": 100}, NodeSetting(0.1, 3.0)),
        ({"lock": -1}, NodeSetting(0.1, 3.0)),
        ({"lock": float("nan")}, NodeSetting(0.1, 3.0)),
        ({"lock": True}, NodeSetting(0.1, 3.0)),
        ({"importance": 0}, NodeSetting(0.1, 3.0)),
        ({"importance": 1e9}, NodeSetting(0.1, 3.0)),
        ({"importance": "2"}, NodeSetting(0.1, 3.0)),
    ],
)
def test_only_sound_cells_are_read(cells, read):
    options = Options(floors=(("b", 0.1),), weights=(("b", 3.0),))
    assert read_edits({1: cells}, ["a", "b"], options) == {"b": read}


def test_sampling_costs_what_the_formula_says():
    assert relative_noise(0.1, 0.1) == pytest.approx(1.39, abs=0.005)
    assert relative_noise(0.1, 1.0) == pytest.approx(1.0)
    assert relative_noise(0.1, 0.05) > relative_noise(0.1, 0.5) > 1


def test_the_mark_on_the_sampling_curve_follows_gamma(open_app):
    found = Shown(page(open_app, gamma="0.3", eps="2")).facts["sampling"]
    ratio = relative_noise(0.2, 0.3)
    dot = found["variants"][0]["figure"]["layout"]["annotations"][-1]
    assert [dot["x"], dot["y"]] == pytest.approx([np.log10(0.3), ratio], rel=1e-4)
    assert f"{ratio:.2f} times" in found["subtitle"]


def test_nodes_of_one_table_share_its_budget(open_app):
    shown = Shown(page(open_app, network="alarm", replicates="10"))
    assert max(shown.file["table"]) == 20
    for table, own in shown.table.groupby("table"):
        assert own["equipoise"].nunique() == 1, table
        assert list(own.index) == list(range(own.index[0], own.index[-1] + 1)), "side by side"


def test_expected_errors_are_shown_where_a_plan_uses_them(open_app):
    shown = Shown(page(open_app, replicates="30")).file["error δ × 10³"]
    study = sampled_study("asia", None, records=10_000, seed=0)
    scenario = Scenario(replicates=30)
    release = next(rehearsals("data-dependent-icml", study.network, study.counts, scenario))
    assert shown == pytest.approx(1000 * np.median(release.plan.errors, axis=0), rel=1e-4)


def test_the_chosen_method_takes_the_place_of_its_kind():
    assert methods("equipoise") == ["equipoise", "data-dependent-icml", "uniform"]
    assert methods("data-dependent-arxiv")[1] == "data-dependent-arxiv"
    assert methods("uniform") == methods("equipoise")


def test_the_node_picked_out_is_the_same_in_chart_table_and_graph(open_app):
    shown = ask(page(open_app, replicates="10"), selected="bronc")
    assert shown.graph["selected"] == "bronc"
    assert "▸ bronc" in list(shown.table["node"])
    stripe = shown.rows["variants"][0]["figure"]["layout"]["shapes"][0]
    place = curve(shown.rows, "equipoise")["x"].index("bronc")
    assert (stripe["x0"], stripe["x1"]) == (place - 0.5, place + 0.5)


def test_without_routes_the_same_figures_go_through_streamlit(open_app, monkeypatch):
    monkeypatch.setattr(routes, "_open", False)
    screen = page(open_app, replicates="10")
    assert screen.errors == []
    assert len(screen.at.get("plotly_chart")) == 4
