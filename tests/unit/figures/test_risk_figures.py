"""Risk's pictures: claims told apart without colour, attacks with whiskers, a hundred marks."""

import numpy as np
import pytest

from figures.risk import LONGEST, accusation_figure, carrier_figure
from figures.template import shortened
from figures.tradeoff import MeasuredPoints, Tradeoff, tradeoff_figure
from tests.unit.figures import examples
from tests.unit.figures.examples import ALARMS, RUN
from tests.unit.figures.test_makers import trace_named


def test_every_kind_of_claim_has_a_line_and_words_of_its_own():
    named = ("guarantee, composed", "guarantee, ε alone", "asymptotic, bound", "heuristic, rare")
    traces = [trace_named(examples.claims(), name) for name in named]
    looks = {(t["line"]["width"], t["line"].get("dash")) for t in traces}
    assert len(looks) == 4
    assert "guaranteed for every attacker" in traces[0]["hovertemplate"]
    assert "can be exceeded" in traces[2]["hovertemplate"]
    assert "no guarantee" in traces[3]["hovertemplate"]
    assert traces[3]["line"]["color"] == "var(--second)"


@pytest.mark.parametrize(("scale", "over"), [("linear", 1.0), ("ratio", 0.01)])
def test_whiskers_end_at_the_interval(scale, over):
    rings = trace_named(examples.claims(scale), "measured, this release")
    place = rings["x"].index(0.01)
    assert rings["y"][place] * over == pytest.approx(0.02)
    assert (rings["y"][place] + rings["error_y"]["array"][place]) * over == pytest.approx(0.026)
    assert (rings["y"][place] - rings["error_y"]["arrayminus"][place]) * over == pytest.approx(
        0.015
    )


def test_an_attack_that_found_nobody_has_no_place_on_a_logarithmic_scale():
    assert len(trace_named(examples.claims("linear"), "measured, this release")["x"]) == len(RUN)
    assert trace_named(examples.claims("log"), "measured, this release")["x"] == [0.01, 0.1]
    written = [t["text"][0] for t in examples.claims("log")["data"] if t["mode"] == "text"]
    assert not any("measured" in text for text in written)


def test_a_whisker_is_never_above_the_ratio_axis():
    points = np.array([[0.001, 0.02, 0.01, 0.03]])
    high = MeasuredPoints("measured, this release", points, "risk", "measured 2 %")
    curves = [Tradeoff("guessing", "guessing", ALARMS)]
    figure = tradeoff_figure(ALARMS, curves, scale="ratio", revision="r", measured=[high])
    assert 10 ** figure["layout"]["yaxis"]["range"][1] > 30


@pytest.mark.parametrize("scale", ["log", "ratio"])
@pytest.mark.parametrize("most", [2, 900])
def test_the_lowest_name_stays_clear_of_the_ticks_below(scale, most):
    steep = Tradeoff("steep", "guarantee", np.minimum(1, most * ALARMS))
    curves = [steep, Tradeoff("guessing", "guessing", ALARMS)]
    figure = tradeoff_figure(ALARMS, curves, scale=scale, revision="r")
    low, high = figure["layout"]["yaxis"]["range"]
    names = [t["y"][0] for t in figure["data"] if t["mode"] == "text"]
    pixels = (figure["layout"]["height"] - 60) / (high - low)
    assert pixels * (np.log10(min(names)) - low) > 7  # half a line of text


def test_a_line_leads_from_each_name_to_its_curve():
    figure = examples.claims()
    curves = {t["name"]: t for t in figure["data"] if "name" in t and t["mode"] == "lines"}
    leaders = {t["legendgroup"]: t for t in figure["data"]
               if t["mode"] == "lines" and "name" not in t}  # fmt: skip
    assert set(leaders) == set(curves)
    for name, leader in leaders.items():
        assert leader["y"][-1] == pytest.approx(curves[name]["y"][0], rel=1e-3)
        assert leader["x"][0] < leader["x"][-1] < ALARMS[0]
    ends = sorted(np.log10([leader["y"][0] for leader in leaders.values()]))
    assert np.diff(ends).min() > 0.1  # names do not overlap


def test_a_hundred_accusations_differ_in_shape_and_are_counted():
    figure = accusation_figure(0.01, 0.0231)
    marks = {t["name"]: t for t in figure["data"]}
    assert [len(t["x"]) for t in marks.values()] == [1, 2, 97]
    assert len({t["marker"]["symbol"] for t in marks.values()}) == 3
    places = {(x, y) for t in marks.values() for x, y in zip(t["x"], t["y"], strict=True)}
    assert len(places) == 100
    assert "97 of 100" in marks["still wrong"]["hovertemplate"]


@pytest.mark.parametrize(("guessed", "right"), [(0.5, 0.5), (0.3, 1.0), (0.001, 0.0012)])
def test_accusations_at_the_edges_are_still_a_hundred(guessed, right):
    counts = [len(t["x"]) for t in accusation_figure(guessed, right)["data"]]
    assert sum(counts) == 100
    assert counts[0] + counts[1] >= 100 * right - 1e-6


def test_the_rest_is_a_bar_of_its_own_colour():
    nodes, rest = examples.carriers()["data"]
    assert nodes["x"] == [50.0, 30.0]
    assert rest["y"] == ["3 other nodes"]
    assert nodes["marker"] != rest["marker"]
    assert nodes["text"] == ["50 %  50", "30 %  30"]
    assert "free parameters" in nodes["hovertemplate"]
    assert len(carrier_figure(["a"], [1.0], [2], rest=False)["data"]) == 1


def test_names_that_begin_alike_stay_different():
    first, second = (shortened(f"respondent_answer_to_question_{n}", LONGEST) for n in (17, 18))
    assert first != second
    assert len(first) == 22


def test_an_edge_that_chance_explains_stands_above_the_line():
    better, chance = examples.edges()["data"]
    assert (better["text"], chance["text"]) == (["c → d"], ["a → b"])
    assert chance["y"][0] > chance["x"][0] == 0.1
    assert better["y"][0] < better["x"][0]
    assert better["marker"]["symbol"] != chance["marker"]["symbol"]
