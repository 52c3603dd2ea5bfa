"""Risk without a browser: complete, equal to the engine, each claim with its kind."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.membership.attack import run_attack
from core.membership.bound import PublishedBound
from core.membership.curves import find, release_curves, right_accusations
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation
from core.scenario import Scenario
from core.study.experiments import rehearsals
from pages.ui.risk.review import Cell, with_threshold
from pages.ui.risk.sentences import attack_sentence, finding, sorted_right
from sources.networks import sample
from sources.study import sampled_study
from tests.pages.conftest import curve


def page(open_app, **query):
    return open_app(**query).visit("assess_risk")


SHEETS = ("risk_finding", "risk_curves", "risk_review", "risk_causes")
HEADS = {"found": "Found at 0.1 % false alarms", "verdict": "verdict, at 0.1 %", "auc": "AUC"}


def board(screen):
    """All sheets together: the finding, and every view by its name."""
    sheets = [screen.sheet(key) for key in SHEETS]
    views = {view["name"]: view for sheet in sheets for view in sheet["views"]}
    return {**sheets[0], **views}


def text(data):
    return "".join(part for part, _ in data["finding"])


def kept(view):
    """A view's file by row."""
    table = view.get("kept") or view["table"]
    return [
        dict(zip(table["head"], row, strict=True)) for row in zip(*table["columns"], strict=True)
    ]


def rows(data, published):
    """Rows of the review's file by estimate, of this release or of the exact conditionals."""
    listed = kept(data["review"])
    return {r["estimate"]: r for r in listed if r["published"].startswith(published)}


def values(row):
    return [v for k, v in row.items() if k.startswith("Found") or k == "AUC"]


def with_session(screen, **changes):
    session = screen.at.session_state["session"]
    screen.at.session_state["session"] = replace(session, **changes)
    screen.at.run()
    assert not screen.at.exception
    return board(screen)


def put(screen, *found):
    """Results as a finished attack leaves them."""
    held = next(v for k, v in screen.at.session_state["computed"].items() if k[0] == "attacks")
    held.update({result.attack.release: result for result in found})
    screen.at.run()
    assert not screen.at.exception
    return board(screen)


def test_start_up_is_complete(open_app):
    screen = page(open_app)
    data = board(screen)
    assert screen.errors == []
    assert "the best attacker on this release sorts at most" in text(data)
    scales = {v["key"]: v["figure"] for v in data["tradeoff"]["variants"]}
    assert list(scales) == ["log", "linear", "ratio"]
    for figure in scales.values():
        assert [t["name"] for t in figure["data"] if "name" in t] == [
            "asymptotic, published bound", "heuristic, rare records", "guarantee, ε alone",
            "guarantee, composed", "heuristic, this noise", "guarantee, appendix H", "guessing",
        ]  # fmt: skip
    assert set(rows(data, "This release")) == {
        "ε alone", "composed over 3 tables", "Fisher information of the plan",
        "ε as Gaussian privacy, appendix H",
    }  # fmt: skip
    assert [r["attacker"] for r in kept(data["review"])[5:]] == [
        "Knows the population", "Has 10,000 reference records", "Knows the population",
    ]  # fmt: skip
    assert len(kept(data["rails"])) == 8
    assert data["graph"]["editable"]
    for view in ("tradeoff", "accuse", "review"):
        assert "python cli.py" in dict(data[view]["details"])["Command line"]


def test_the_numbers_are_the_engines(open_app):
    data = board(page(open_app, network="alarm", eps="0.5"))
    study = sampled_study("alarm", None, records=10_000, seed=0)
    scenario = Scenario(epsilon=0.5, replicates=10)
    release = next(rehearsals("equipoise", study.network, study.counts, scenario))
    curves = release_curves(release.plan, release.noise, study.network, 10_000)
    best = find(curves, "composed")
    shown = values(rows(data, "This release")[best.estimate])
    assert shown == pytest.approx([*best.powers(np.array([0.001, 0.01, 0.1])), best.auc])
    assert f"at most {sorted_right(best.advantage)} correctly" in text(data)
    bound = PublishedBound(509, 10_000)
    published = next(r for r in kept(data["review"]) if r["estimate"] == "published bound")
    assert published["AUC"] == pytest.approx(bound.auc)
    assert sum(data["nodes"]["table"]["columns"][2]) == 509


def test_alarm_shows_the_published_bound_exceeded_and_why(open_app):
    data = board(page(open_app, network="alarm"))
    rare, published = (
        curve(data["tradeoff"], name)["y"][0]
        for name in ("heuristic, rare records", "asymptotic, published bound")
    )
    assert rare > 1.5 * published
    assert "the published bound (0.21 %) is exceeded" in data["tradeoff"]["caption"]
    rail = next(r for r in kept(data["rails"]) if "too low" in r["finding"])
    assert rail["state"] == "look at this"


def test_moving_epsilon_and_the_method_moves_the_release_only(open_app):
    screen = page(open_app)
    before = board(screen)
    screen.at.number_input(key="eps").set_value(0.1).run()
    after = board(screen)
    composed = [rows(d, "This release")["composed over 3 tables"] for d in (before, after)]
    assert composed[1][HEADS["found"]] < composed[0][HEADS["found"]]
    assert rows(before, "Exact") == rows(after, "Exact")
    uniform = with_session(screen, method="uniform")
    assert "composed over 16 tables" in rows(uniform, "This release")
    staged = with_session(screen, method="data-dependent-icml")
    assert "two stages composed" in rows(staged, "This release")


def test_a_release_is_chosen_above_the_curves(open_app):
    screen = page(open_app)
    screen.at.segmented_control(key="risk_method").set_value("uniform").run()
    assert screen.errors == []
    assert "composed over 16 tables" in rows(board(screen), "This release")
    assert screen.at.session_state["session"].method == "uniform"


def test_accusations_follow_the_suspects_and_the_false_alarms(open_app):
    screen = page(open_app, network="alarm")
    data = board(screen)
    assert (
        "If 1 in 100 of the people an attacker suspects are members" in data["accuse"]["subtitle"]
    )
    tally = [float(told) for told in list(zip(*data["accuse"]["summary"]["rows"], strict=True))[1]]
    assert sum(tally) == pytest.approx(100, abs=0.2)
    composed = curve(data["tradeoff"], "guarantee, composed")
    assert data["tradeoff"]["variants"][0]["figure"]["layout"]["shapes"][0]["x0"] == 0.01
    screen.at.select_slider(key="risk_prior").set_value(0.5).run()
    screen.at.segmented_control(key="risk_alarm").set_value(0.1).run()
    moved = board(screen)
    power = values(rows(moved, "This release")["composed over 20 tables"])[2]
    right = right_accusations(0.5, 0.1, power)
    assert "If half of the people" in moved["accuse"]["subtitle"]
    assert f"at most {np.ceil(100 * right):.0f} are right" in moved["accuse"]["subtitle"]
    marks = moved["accuse"]["variants"][0]["figure"]["data"]
    assert [len(t["x"]) for t in marks] == [
        50,
        np.ceil(100 * right) - 50,
        100 - np.ceil(100 * right),
    ]
    assert curve(moved["tradeoff"], "guarantee, composed") == composed
    assert moved["tradeoff"]["variants"][0]["figure"]["layout"]["shapes"][0]["x0"] == 0.1


def test_thresholds_decide_signs_and_the_finding(open_app):
    screen = page(open_app, network="alarm")
    strict = with_session(screen, limits=(0.0015, 0.011, 0.11, 0.51))
    verdicts = [v for k, v in rows(strict, "This release")["composed over 20 tables"].items()
                if k.startswith("verdict")]  # fmt: skip
    assert verdicts == ["fails"] * 4
    assert "misses four of four thresholds" in text(strict)
    loose = with_session(screen, limits=(1.0, 1.0, 1.0, 1.0))
    assert rows(loose, "This release")["ε alone"][HEADS["verdict"]] == "passes"
    assert "guaranteed to keep all four thresholds" in text(loose)


def test_only_what_is_guaranteed_gets_a_tick(open_app):
    """An estimate below the threshold looked like a guarantee that holds."""
    table = board(page(open_app, network="alarm"))["review"]["table"]
    shown = list(zip(*table["columns"], strict=True))
    assert {row[3][2:] for row in shown if row[4].startswith("✓")} == {"guarantee"}
    assert {row[4][0] for row in shown if not row[3].endswith("guarantee")} == {"○"}
    assert {row[4].split()[-1] for row in shown} == {"above", "holds", "below"}


def test_an_estimate_is_not_set_against_a_guarantee():
    """The headline favoured publishing without noise: it would break no threshold."""
    bound = PublishedBound(509, 10_000)
    for missed, exceeded in ((4, 0), (0, 2)):
        said = "".join(part for part, _ in finding(bound, missed, exceeded))
        assert "Without noise nothing is guaranteed; the estimates alone would" in said
        assert "break" not in said
    assert said.endswith("exceed two of them.")


@pytest.mark.parametrize(
    ("place", "asked"),
    [(0, 0.0), (0, 250.0), (1, -3.0), (2, 100.5), (2, float("nan")), (3, 0.4), (3, 60.0)],
)
def test_thresholds_that_make_no_sense_are_refused_with_a_sentence(place, asked):
    limits = (0.004, 0.025, 0.2, 0.6)
    with pytest.raises(EquipoiseError, match=r"cannot be; give one .* still holds"):
        with_threshold(limits, place, asked)
    assert with_threshold(limits, 1, 100.0) == (0.004, 1.0, 0.2, 0.6)
    assert with_threshold(limits, 3, 0.5) == (0.004, 0.025, 0.2, 0.5)


def test_a_refused_threshold_leaves_the_screen(open_app):
    """250 % stayed in its field while the old threshold applied."""
    screen = page(open_app)
    screen.at.number_input(key="risk_limit_1").set_value(250.0).run()
    assert "A threshold of 250 % for “Found at 1 % false alarms” cannot be" in screen.errors[0]
    assert screen.at.number_input(key="risk_limit_1").value == 2.5
    assert screen.at.session_state["session"].limits == (0.004, 0.025, 0.2, 0.6)
    screen.at.number_input(key="risk_limit_1").set_value(3.0).run()
    assert screen.errors == []
    assert screen.at.session_state["session"].limits == (0.004, 0.03, 0.2, 0.6)


def test_cells_pass_at_their_threshold():
    assert Cell(0.004, 0.004).passes
    assert not Cell(0.0041, 0.004).passes


def test_an_attack_no_better_than_guessing_is_a_result(open_app):
    screen = page(open_app, network="alarm", eps="0.1", records="1000")
    with_session(screen, method="uniform")
    model = sample("alarm").model
    population = ModelPopulation(model)
    ran = [
        run_attack(population, model.network, Attack(r, 1000, 10), Scenario(epsilon=0.1))
        for r in ("uniform", "exact")
    ]
    data = put(screen, *ran)
    assert ran[0].guessing
    assert not ran[1].guessing
    assert "is no better than guessing" in data["review"]["caption"]
    assert "The attack we ran is no better than guessing." in data["accuse"]["caption"]
    for name, result in zip(("measured, this release", "measured, exact tables"), ran, strict=True):
        rings = curve(data["tradeoff"], name, "linear")
        assert rings["y"] == pytest.approx([p.mean for p in result.powers], rel=1e-4)
        ends = np.add(rings["y"], rings["error_y"]["array"])
        assert ends == pytest.approx([p.high for p in result.powers], rel=1e-4)
    own = rows(data, "This release")["noise-aware attack, 10 pools"]
    assert own["kind"] == "measured"
    assert own["AUC"] == ran[0].auc.mean
    assert attack_sentence(ran[0]) in data["review"]["caption"]
    assert "of members alone in a cell" in data["review"]["caption"]
