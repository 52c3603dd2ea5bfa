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
from pages.ui import allocate
from pages.ui.allocate_board import Setting, read_prior, read_setting
from pages.ui.allocate_numbers import with_setting
from sources.study import sampled_study


def page(open_app, **query):
    return open_app(**query).visit("allocate_budget")


def board(screen):
    return screen.component("equipoise_allocate")


def text(runs):
    return "".join(part for part, _ in runs)


def ask(screen, **changes):
    """Put options in place, as a lock on the board does."""
    session = screen.at.session_state["session"]
    kind = type(session)
    fields = {**vars(session), **changes}
    screen.at.session_state["session"] = kind(**fields)
    screen.at.run()
    assert not screen.at.exception
    return board(screen)


def test_the_page_is_complete_without_a_click(open_app):
    data = board(page(open_app))
    assert "equipoise gives most to" in text(data["finding"])
    assert len(data["cards"]) == 3
    assert data["rows"]["nodes"] and len(data["rows"]["series"]) == 3
    assert [f["kind"] for f in data["findings"]] == ["constant", "sampling", "literal"]
    for view in ("rows", "graph", "proof"):
        assert data[view]["alt"]
        assert "python cli.py allocate" in dict(data[view]["details"])["Command line"]
    for column in data["rows"]["columns"]:
        assert len(column["formula"]) > 20


def test_the_numbers_are_the_engines(open_app):
    screen = page(open_app, network="sachs", eps="0.5", replicates="30", seed="7")
    rows = board(screen)["rows"]
    study = sampled_study("sachs", None, records=10_000, seed=0)
    scenario = Scenario(epsilon=0.5, replicates=30, seed=7)
    for series in rows["series"]:
        release = next(rehearsals(series["method"], study.network, study.counts, scenario))
        node = np.atleast_2d(release.plan.node_epsilon)
        assert series["values"] == pytest.approx(np.median(node, axis=0).tolist(), rel=1e-4)
        assert (series["low"] is None) == (release.plan.node_epsilon.ndim == 1)
    columns = {" ".join(c["head"]).strip(): c["values"] for c in rows["columns"]}
    assert columns["sensitivity Δ"] == pytest.approx(sensitivities(study.network), rel=1e-4)
    assert columns["weight W"] == pytest.approx(importance(study.network), rel=1e-4)
    truth = Truth.of(study.network, study.counts)
    errors = measure("uniform", truth, study.counts, scenario, ["l1_weighted"])["l1_weighted"]
    card = next(c for c in board(screen)["cards"] if c["label"] == "row error, weighted: uniform")
    assert float(card["value"]) == pytest.approx(np.median(errors), rel=0.05)


@pytest.mark.parametrize("method", [m.name for m in METHODS.values() if m.guarantee != "none"])
def test_every_private_method_can_be_explained(open_app, method):
    screen = page(open_app, replicates="10")
    data = ask(screen, explained=method)
    assert screen.errors == []
    assert data["method"] == method
    assert method in [s["method"] for s in data["rows"]["series"]]
    assert METHODS[method].guarantee in data["proof"]["subtitle"]
    pure = METHODS[method].guarantee.startswith("pure")
    assert ("δ = 1e-06" in text(data["proof"]["sentences"][1])) != pure
    assert len(data["proof"]["sentences"]) == 2
    assert "ε = 1" in text(data["proof"]["sentences"][1])
    assert any("1.000000 ≤ 1" in check for check in data["proof"]["checks"])


def test_a_lock_gives_its_share_and_takes_it_from_the_others(open_app):
    screen = page(open_app, network="alarm", replicates="10")
    before = board(screen)["rows"]
    after = ask(screen, options={"alarm": Options(floors=(("HR", 0.3),))})["rows"]
    node = before["nodes"].index("HR")
    for series in after["series"]:
        total = 0.9 if series["low"] else 1.0
        assert series["values"][node] >= 0.3 * total * (1 - 1e-4)
    old = next(s for s in before["series"] if s["method"] == "uniform")["values"]
    new = next(s for s in after["series"] if s["method"] == "uniform")["values"]
    assert all(n < o for i, (n, o) in enumerate(zip(new, old, strict=True)) if i != node)
    assert sum(new) == pytest.approx(sum(old), rel=1e-4)
    assert after["floors"][node] == 0.3
    assert "1 node locked, at least 30 % of ε" in after["summary"]
    assert "locked at 30 %" in text(board(screen)["finding"])


def test_the_command_line_says_the_same(open_app):
    screen = page(open_app, replicates="10")
    options = Options(1.5, (("dysp", 0.25),), (("bronc", 3.0),))
    data = ask(screen, options={"asia": options})
    line = dict(data["rows"]["details"])["Command line"]
    assert "--pseudo-count 1.5 --floors dysp=0.25 --weights bronc=3" in line
    arguments = build_parser().parse_args(line.split()[2:])
    assert scenario_from(arguments).options == options
    assert data["prior"] == 1.5


def test_a_prior_changes_errors_and_no_public_plan(open_app):
    screen = page(open_app, replicates="10")
    before = board(screen)
    after = ask(screen, options={"asia": Options(prior=200.0)})
    for old, new in zip(before["rows"]["series"], after["rows"]["series"], strict=True):
        assert (old == new) == (old["low"] is None), "Stage I normalises with the prior"
    assert float(after["cards"][0]["value"]) > 2 * float(before["cards"][0]["value"])


@pytest.mark.parametrize(
    ("sent", "read"), [(1, 1.0), (0.5, 0.5), (0, 0.0), (-1, None), ("1", None), (True, None),
                       (float("nan"), None), (None, None), (1e9, None)],
)  # fmt: skip
def test_only_sound_priors_are_read(sent, read):
    assert read_prior(sent) == read


def test_locks_stay_with_their_network(open_app):
    screen = page(open_app, replicates="10")
    ask(screen, options={"asia": Options(weights=(("dysp", 5.0),))})
    assert 5.0 in board(screen)["rows"]["weights"]
    screen.at.selectbox(key="network").set_value("figure-one").run()
    assert set(board(screen)["rows"]["weights"]) == {1.0}
    assert board(screen)["rows"]["summary"] == ""


def test_settings_that_cannot_be_are_refused_and_unknown_nodes_dropped():
    network = sampled_study("asia", None, records=50, seed=0).network
    options = with_setting(Options(), "dysp", Setting(0.6))
    with pytest.raises(ValueError, match="add up to"):
        with_setting(options, "smoke", Setting(0.5))
    assert with_setting(options, "dysp", Setting()) == Options()
    ghost = Options(floors=(("ghost", 0.2), ("dysp", 0.1)), weights=(("ghost", 2.0),))
    assert ghost.within(network) == Options(floors=(("dysp", 0.1),))


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"node": "a", "floor": 0.2, "weight": 1}, ("a", Setting(0.2, 1.0))),
        ({"node": "a", "floor": 0, "weight": 2.5, "nonce": 3}, ("a", Setting(0.0, 2.5))),
        ({"node": "stranger", "floor": 0.2, "weight": 1}, None),
        ({"node": "a", "floor": 1, "weight": 1}, None),
        ({"node": "a", "floor": -0.1, "weight": 1}, None),
        ({"node": "a", "floor": 0.2, "weight": 0}, None),
        ({"node": "a", "floor": 0.2, "weight": float("nan")}, None),
        ({"node": "a", "floor": "0.2", "weight": 1}, None),
        ("a", None),
        (None, None),
    ],
)
def test_only_sound_settings_are_read(sent, read):
    assert read_setting(sent, ["a", "b"]) == read


def test_sampling_costs_what_the_formula_says():
    assert relative_noise(0.1, 0.1) == pytest.approx(1.39, abs=0.005)
    assert relative_noise(0.1, 1.0) == pytest.approx(1.0)
    assert relative_noise(0.1, 0.05) > relative_noise(0.1, 0.5) > 1


def test_the_mark_on_the_sampling_curve_follows_gamma(open_app):
    data = board(page(open_app, gamma="0.3", eps="2"))
    found = next(f for f in data["findings"] if f["kind"] == "sampling")
    assert found["mark"] == pytest.approx([0.3, relative_noise(0.2, 0.3)], rel=1e-4)
    assert f"{found['mark'][1]:.2f} times" in found["subtitle"]


def test_nodes_of_one_table_are_joined_and_share_its_budget(open_app):
    rows = board(page(open_app, network="alarm", replicates="10"))["rows"]
    values = next(s for s in rows["series"] if s["method"] == "equipoise")["values"]
    assert max(rows["tables"]) == 19
    for table in set(rows["tables"]):
        own = [v for v, t in zip(values, rows["tables"], strict=True) if t == table]
        assert own == [own[0]] * len(own)


def test_expected_errors_are_shown_where_a_plan_uses_them(open_app):
    rows = board(page(open_app, replicates="30"))["rows"]
    shown = next(c for c in rows["columns"] if c["head"][1].startswith("δ"))["values"]
    study = sampled_study("asia", None, records=10_000, seed=0)
    scenario = Scenario(replicates=30)
    release = next(rehearsals("data-dependent-icml", study.network, study.counts, scenario))
    assert shown == pytest.approx(1000 * np.median(release.plan.errors, axis=0), rel=1e-4)


def test_the_chosen_method_takes_the_place_of_its_kind():
    assert allocate.methods("equipoise") == ["equipoise", "data-dependent-icml", "uniform"]
    assert allocate.methods("data-dependent-arxiv")[1] == "data-dependent-arxiv"
    assert allocate.methods("uniform") == allocate.methods("equipoise")
