"""Utility's pictures: curves as far as they are measured, one question, noise foreseen."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from core.study.answered import Answered
from core.study.error_curves import ErrorCurve, NoiseForecast
from core.study.quantities import EXPLANATIONS, ROW_ALIKE, error
from core.table import Variable
from figures.bands import QUANTILE_NAMES
from figures.palette import dashes
from figures.ranges import Ranges, range_figure
from figures.template import resolved
from figures.utility import (
    answer_figure,
    answer_table,
    forecast_figure,
    forecast_table,
    sweep_figure,
    sweep_table,
)

GRID = (0.1, 1.0, 10.0)
LEVELS = np.linspace(0.7, 1.3, 7)[:, None]
CURVES = [
    ErrorCurve("uniform", GRID, 0.3 * LEVELS / np.array(GRID)),
    ErrorCurve("equipoise", GRID[:2], 0.1 * LEVELS / np.array(GRID[:2])),
    ErrorCurve("equipoise-filter", (), np.empty((7, 0))),
]
HOSTILE = "<b>LOW</b>"


def named(figure):
    return {t["name"]: t for t in figure["data"] if "name" in t}


def answers():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet([2, 3], size=5)
    variable = Variable("x", (HOSTILE, "HIGH"))
    truth = np.array([0.4, 0.6])
    return {m: Answered((variable,), truth, shares) for m in ("uniform", "equipoise")}


LABELS = (HOSTILE, "HIGH")
FORECASTS = {"uniform": NoiseForecast(np.array([1.0, 10.0]), np.array([1.1, 9.0]))}
FIGURES = {
    "sweep": sweep_figure(CURVES, ROW_ALIKE, GRID, 1.0),
    "nothing": sweep_figure([], ROW_ALIKE, GRID, 1.0),
    "answers": answer_figure(LABELS, answers()),
    "single": answer_figure(LABELS, answers(), 3),
    "forecast": forecast_figure(FORECASTS, LABELS),
}


@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_every_attribute_and_names_stay_text(name):
    go.Figure(resolved(FIGURES[name]))
    written = json.dumps(FIGURES[name], allow_nan=False)
    assert HOSTILE not in written
    assert ("&lt;b&gt;LOW" in written) == (name in ("answers", "single", "forecast"))


def test_curves_reach_as_far_as_they_are_measured():
    curves = named(FIGURES["sweep"])
    assert list(curves) == ["uniform", "equipoise"]
    assert curves["equipoise"]["x"] == [0.1, 1.0]
    assert curves["uniform"]["y"] == pytest.approx([3.0, 0.3, 0.03])
    frame = FIGURES["sweep"]["layout"]
    assert frame["yaxis"]["title"]["text"] == ROW_ALIKE.axis
    assert frame["meta"]["values"]["uniform"] == "0.30 (0.21 to 0.39)"
    assert "95 % of releases" in curves["uniform"]["hovertemplate"]


def test_beyond_what_is_measured_a_method_has_no_value():
    values = sweep_figure(CURVES, ROW_ALIKE, GRID, 5.0)["layout"]["meta"]["values"]
    assert list(values) == ["uniform"]


def test_nothing_measured_is_said_in_words():
    assert FIGURES["nothing"]["data"] == []
    assert FIGURES["nothing"]["layout"]["annotations"][0]["text"] == "Nothing measured yet"


def test_of_shares_one_band_is_drawn_on_a_linear_axis():
    curve = ErrorCurve("uniform", GRID, np.clip(LEVELS * np.array([0.1, 0.5, 1.0]), 0, 1))
    figure = sweep_figure([curve], EXPLANATIONS, GRID, 1.0)
    assert len([t for t in figure["data"] if t.get("fill")]) == 1
    assert "type" not in figure["layout"]["yaxis"]
    assert figure["layout"]["meta"]["values"]["uniform"] == "50 % (35 % to 65 %)"


def test_variants_of_one_hue_differ_in_their_dashes():
    patterns = dashes(["uniform", "data-dependent-arxiv", "data-dependent-icml", "equipoise"])
    assert {patterns[m] for m in ("uniform", "data-dependent-arxiv", "equipoise")} == {"solid"}
    assert patterns["data-dependent-icml"] != "solid"


def test_a_table_names_the_metric_where_it_holds_several():
    assert list(sweep_table({"l1_row": CURVES})) == ["method", "epsilon", *QUANTILE_NAMES]
    both = sweep_table({"l1_row": CURVES, "l1_weighted": CURVES})
    assert both["metric"] == ["l1_row"] * 5 + ["l1_weighted"] * 5
    assert both["epsilon"] == [0.1, 1.0, 10.0, 0.1, 1.0] * 2


def test_one_release_is_marked_in_its_methods_row():
    figure, every = FIGURES["single"], answers()
    marks = [t for t in figure["data"] if t.get("marker", {}).get("symbol") == "diamond"]
    assert [t["legendgroup"] for t in marks] == list(every)
    for mark, answer in zip(marks, every.values(), strict=True):
        assert mark["x"] == pytest.approx(answer.private[3].tolist(), rel=1e-4)
    medians = named(figure)
    assert [m["y"] for m in marks] == [medians[name]["y"] for name in every]
    assert marks[0]["hovertemplate"].startswith("<b>%{text}</b>, release 4 of uniform")
    assert figure["layout"]["meta"]["values"]["uniform"] == (
        f"off by {error(every['uniform'].off[3])}"
    )
    rest = [t for t in figure["data"] if t not in marks]
    assert rest == FIGURES["answers"]["data"], "the ranges stay while releases play"


def test_tables_hold_what_is_drawn():
    table = answer_table(LABELS, answers())
    assert table["states"] == [HOSTILE, HOSTILE, "HIGH", "HIGH"]
    assert table["truth"] == [0.4, 0.4, 0.6, 0.6]
    medians = np.median(answers()["uniform"].private, axis=0)
    assert table["median"][::2] == pytest.approx(medians.tolist(), rel=1e-4)
    assert forecast_table(FORECASTS, ("a", "b")) == {
        "method": ["uniform", "uniform"], "node": ["a", "b"],
        "forecast": [1.0, 10.0], "measured": [1.1, 9.0],
    }  # fmt: skip


def test_methods_of_one_colour_differ_in_more_than_their_order():
    """The second is hatched, over its colour and not instead of it; its legend is dashed."""
    ranges = Ranges.by_method(dict.fromkeys(("equipoise", "equipoise-filter"), LEVELS))
    figure = range_figure(["a row"], ranges, "error", revision="r")
    bars = {t["legendgroup"]: t["marker"] for t in figure["data"] if t["type"] == "bar"}
    assert "pattern" not in bars["equipoise"]
    assert bars["equipoise-filter"]["pattern"]["fillmode"] == "overlay"
    lines = {t["name"]: t["line"]["dash"] for t in figure["data"] if t["type"] == "scatter"}
    assert lines["equipoise"] == "solid" != lines["equipoise-filter"]
