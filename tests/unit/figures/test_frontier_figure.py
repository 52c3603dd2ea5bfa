"""The frontier's pictures: one hover for all methods, the Pareto set, panels side by side."""

import numpy as np
import pytest

from figures.frontier import frontier_figure, frontier_grid, frontier_table
from tests.unit.figures.examples import QUANTILES, frontiers, panels


def trace(figure, name):
    return next(t for t in figure["data"] if t.get("name") == name)


def test_one_hover_says_the_numbers_of_all_the_best_first():
    figure = frontier_figure(frontiers(), 1.0)
    (spoken,) = [t for t in figure["data"] if t.get("hoverinfo") != "skip"]
    assert figure["layout"]["hovermode"] == "x"
    assert spoken["x"] == [0.1, 1.0, 10.0]
    (said,) = spoken["customdata"][1]
    assert "<b>ε = 1</b>, median (95 % of releases)" in said
    lines = said.split("<br>")[1:]
    assert [line.split(":")[0] for line in lines] == ["equipoise", "uniform"]
    low, middle, high = np.quantile(QUANTILES, (0.025, 0.5, 0.975))
    assert f"<b>{middle:.2g}</b> ({low:.2g} to {high:.2g})" in lines[1]


def test_the_pareto_set_is_marked_apart_from_colour():
    marks = trace(frontier_figure(frontiers()), "Pareto set")
    assert marks["marker"]["symbol"] == "diamond-open"
    assert marks["x"] == [0.1, 1.0, 10.0]
    np.testing.assert_allclose(marks["y"], [10 / 3, 1 / 3, 1 / 30], rtol=1e-4)


def test_without_a_composed_guarantee_nothing_is_drawn():
    figure = frontier_figure(frontiers("power"))
    assert figure["data"] == []
    assert figure["layout"]["annotations"][0]["text"] == "Nothing measured yet"


def test_panels_lie_within_the_frame_and_name_a_curve_once():
    figure = panels()
    frame = figure["layout"]
    ends = [frame[k]["domain"] for k in ("xaxis", "xaxis2", "yaxis", "yaxis2")]
    assert all(0 <= low < high <= 1 for low, high in ends)
    assert frame["xaxis"]["domain"][1] < frame["xaxis2"]["domain"][0]
    listed = [t["name"] for t in figure["data"] if t.get("showlegend")]
    assert sorted(listed) == ["Pareto set", "equipoise", "uniform"]
    assert frontier_grid({"asia": frontiers()})["layout"].get("xaxis2") is None


def test_the_table_holds_every_point():
    table = frontier_table({"asia": frontiers(), "child": frontiers()})
    assert len(table["method"]) == 12
    assert table["paid"] == table["epsilon"]
    assert table["median"][0] == pytest.approx(10, rel=1e-4)
    assert sum(table["pareto"]) == 6
