"""Allocate's pictures: bars where the budgets are, marks where they are read off."""

import math

import numpy as np
import pytest

from tests.unit.figures import examples


def named(figure, name):
    return next(t for t in figure["data"] if t["name"] == name)


def test_bars_stand_in_the_order_given_with_whiskers_where_plans_differ():
    figure = examples.budget()
    equipoise, varied = named(figure, "equipoise"), named(figure, "data-dependent-icml")
    assert equipoise["x"] == ["node number 1 of many", "a"]
    assert equipoise["y"] == pytest.approx([0.1, 0.4])
    assert "error_y" not in equipoise
    assert varied["error_y"]["array"] == pytest.approx([0.05, 0.05])
    np.testing.assert_allclose(varied["customdata"], [[0.05, 0.15], [0.35, 0.45]])
    assert "95 % of plans" in varied["hovertemplate"]


def test_the_uniform_plan_is_a_line_and_the_selected_node_is_shaded():
    figure = examples.budget()
    line = named(figure, "uniform")
    assert line["mode"] == "lines" and line["y"] == [0.25, 0.25]
    (stripe,) = figure["layout"]["shapes"]
    assert (stripe["x0"], stripe["x1"]) == (0.5, 1.5)


def test_long_names_lose_their_middle_and_stay_whole_on_hover():
    across = examples.budget(count=40)["layout"]["xaxis"]
    assert across["labelalias"]["node number 17 of many"] == "node num…of many"
    assert across["tickangle"] == -90
    assert "tickangle" not in examples.budget()["layout"]["xaxis"]


def test_sensitivities_stand_largest_first():
    bars = examples.sensitivity()["data"][0]
    assert (bars["x"], bars["y"]) == (["b", "a"], [0.5, 0.1])
    assert bars["marker"]["color"] == ["var(--edge)", "var(--truth)"]


def test_the_rate_on_show_is_marked_on_the_curve():
    *_, words, dot = examples.sampling()["layout"]["annotations"]
    assert "3.70× at γ = 0.1" in words["text"]
    assert (dot["x"], dot["y"]) == (math.log10(0.1), 3.7)


def test_the_printed_formula_is_drawn_in_ink():
    bars = examples.printed()["data"][0]
    assert bars["x"] == [0.5, 0.05]
    assert bars["marker"]["color"] == ["var(--truth)", "var(--uniform)"]
    assert bars["error_x"]["array"] == pytest.approx([0.02, 0.02])
