"""The pictures of Undirected and Synthesise: plotly takes them, and they show the numbers given."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from figures.band_table import band_table
from figures.bands import Band
from figures.synthesise import comparison_figure, method_band, share_table
from figures.template import resolved, value_limits
from figures.undirected import (
    Panel,
    likelihood_figure,
    panels_figure,
    penalty_figure,
    records_figure,
    steps_figure,
    theory,
)
from tests.unit.figures.examples import HOSTILE, QUANTILES
from tests.unit.figures.test_makers import texts, trace_named

SIZES = (1_000, 10_000, 100_000)
PLACES = np.array(SIZES, dtype=float)
NOTHING = np.empty((7, 0))


def curve(name="naive", places=PLACES, at=0.5):
    quantiles = QUANTILES[:, None] * 10 / np.maximum(places, 1)
    return Band(name, quantiles, at * QUANTILES, "uniform", "solid", places)


def slopes(*bands, **more):
    lines = [*bands, theory("sampling, 1/N", PLACES, 1 / PLACES)]
    return records_figure(SIZES, lines, records=10_000, revision="r", **more)


def panels(name="a=1"):
    learned = np.array([0.2, 0.7])
    several = [Panel("naive", learned, 0.05), Panel("cgm", np.empty(0), 0.0)]
    return panels_figure([name, "b"], np.array([0.25, 0.75]), several)


ALL = {
    "records": lambda: slopes(curve()),
    "penalty": lambda: penalty_figure((1e-5, 0.1), [curve(places=np.array([1e-5, 0.1]))], 3e-4),
    "steps": lambda: steps_figure(20, [curve(places=np.arange(21.0))], 0),
    "likelihood": lambda: likelihood_figure([0.1, 1.0], [curve(places=np.array([0.1, 1.0]))], 0.5),
    "panels": panels,
    "compared": lambda: comparison_figure(
        (0.1, 1.0), [method_band("mwem", [0.1], QUANTILES[:, None], None)], 0.3, revision="r"
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_plotly_accepts_every_attribute_and_json_takes_it(name):
    figure = json.loads(json.dumps(ALL[name](), allow_nan=False))
    go.Figure(resolved(figure))
    assert figure["layout"]["yaxis"]["title"]["text"]
    spoken = [t for t in figure["data"] if t.get("hoverinfo") != "skip"]
    assert all(t["hovertemplate"].endswith("<extra></extra>") for t in spoken)


def test_theory_is_a_dotted_line_without_bands():
    figure = slopes(curve())
    line = trace_named(figure, "sampling, 1/N")
    np.testing.assert_allclose(line["y"], 1 / PLACES, rtol=1e-4)
    assert "95 %" not in line["hovertemplate"]
    assert "95 % of replicates" in trace_named(figure, "naive")["hovertemplate"]
    filled = [t for t in figure["data"] if t.get("fill") and t["legendgroup"] == "sampling, 1/N"]
    assert filled == []


def test_what_is_not_measured_yet_says_so_in_the_legend():
    waiting = Band("CGM", NOTHING, None, "data-dependent", "solid", np.empty(0))
    figure = slopes(curve(), waiting)
    assert figure["layout"]["meta"]["values"] == {"CGM": "not yet", "naive": "0.50 (0.25 to 0.75)"}
    assert trace_named(figure, "CGM")["x"] == []
    alone = slopes(waiting, empty="measured when the slider rests")
    notes = [note["text"] for note in alone["layout"]["annotations"]]
    assert "measured when the slider rests" in notes
    assert "<b>N = 10,000</b>" in notes


def test_steps_start_at_zero_and_their_mark_may_be_there():
    figure = ALL["steps"]()
    assert figure["layout"]["xaxis"]["range"] == [0, 20]
    note = figure["layout"]["annotations"][0]
    assert (note["text"], note["x"]) == ("<b>steps = 0</b>", 0)


def test_a_linear_axis_has_room_for_what_is_negative():
    low, high = value_limits([np.array([-30.0, -20.0])], "linear")
    assert low < -30 and high > -20


def test_a_panel_shows_every_cell_and_its_error():
    figure = panels(HOSTILE)
    first, second = figure["data"]
    assert (first["x"], first["y"]) == ([0.25, 0.75], [0.2, 0.7])
    assert (second["x"], second["y"]) == ([], [])
    said = [note["text"] for note in figure["layout"]["annotations"]]
    assert said == ["<b>naive</b> off by 0.050", "<b>CGM</b> not yet"]
    assert not any("<b>smoke" in text for text in texts(figure))


def test_the_table_of_curves_has_a_row_for_every_point():
    table = band_table("curve", "records", [curve(), theory("1/N", PLACES, 1 / PLACES)])
    assert table["curve"] == ["naive"] * 3 + ["1/N"] * 3
    assert table["records"] == [*SIZES, *SIZES]
    np.testing.assert_allclose(table["median"], [*(10 / PLACES), *(1 / PLACES)], rtol=1e-4)
    assert table["2.5 %"][3:] == [None] * 3


def test_a_column_called_like_a_table_keeps_its_values():
    states = {"records": ["few", "many"], "b": ["x"]}
    table = share_table(states, {"records": np.array([[0.4], [0.6]]), "synthetic": np.ones((2, 1))})
    assert table["records"] == ["few", "many"]
    assert table["share of records"] == [0.4, 0.6]
    assert list(table) == ["records", "b", "share of records", "synthetic"]
