"""Release's pictures: the numbers that are drawn, and the words on hover."""

import numpy as np
import plotly.graph_objects as go
import pytest

from figures.release import audit_figure, meter_figure, rehearsal_figure, rehearsal_table
from figures.template import resolved, tone
from tests.unit.figures.examples import HOSTILE

QUANTILES = np.linspace(0.1, 0.4, 7)[:, None] * np.array([1.0, 0.1, 0.2])
ROWS = ["a row", "a row, weighted", HOSTILE]


def test_the_meter_adds_up_to_the_budget():
    parts = meter_figure(4.0, [0.5, 0.25], 1.0)["data"]
    assert [p["name"] for p in parts] == ["payment 1", "payment 2", "this release", "left after it"]
    assert [p["base"][0] for p in parts] == [0, 0.5, 0.75, 1.75]
    assert [p["x"][0] for p in parts] == [0.5, 0.25, 1.0, 2.25]
    assert "ε = %{x" in parts[0]["hovertemplate"]


def test_a_release_that_does_not_fit_is_short():
    figure = meter_figure(1.0, [0.5], 0.75)
    assert [p["name"] for p in figure["data"]] == ["payment 1", "this release"]
    words = [note["text"] for note in figure["layout"]["annotations"]]
    assert words == ["spent 0.5", "this release 0.75", "short by 0.25"]
    assert figure["layout"]["xaxis"]["range"][1] >= 1.25
    assert figure["layout"]["shapes"][0]["x0"] == 1.0


def test_the_limit_stands_at_the_first_row_alone():
    layout = rehearsal_figure(ROWS, QUANTILES, "equipoise", 0.2)["layout"]
    (line,) = layout["shapes"]
    assert (line["x0"], line["yref"], line["y0"], line["y1"]) == (0.2, "y", -0.5, 0.5)
    texts = [note["text"] for note in layout["annotations"]]
    assert texts == ["its limit, 0.2", "<b>0.25</b>", "<b>0.025</b>", "<b>0.050</b>"]


def test_the_table_holds_every_quantile():
    table = rehearsal_table(ROWS, QUANTILES)
    assert list(table)[:5] == ["error of", "2.5 %", "10 %", "25 %", "median"]
    assert table["97.5 %"] == [0.4, 0.04, 0.08]


def test_bounds_above_the_claim_are_said_in_words_and_colour():
    figure = audit_figure(["one", HOSTILE], [0.951, 1.5], 1.0, "ε proven at least")
    (bars,) = figure["data"]
    assert bars["x"] == [0.951, 1.5]
    assert bars["text"] == ["0.95", "1.50 above"]
    assert bars["marker"]["color"] == [tone("second"), tone("risk")]
    assert figure["layout"]["annotations"][0]["text"] == "claim ε = 1"
    assert "<b>smoke" not in str(bars["y"])


@pytest.mark.parametrize(
    "figure",
    [
        meter_figure(4.0, [0.5], 1.0),
        rehearsal_figure(ROWS, QUANTILES, "one-table", 0.2),
        audit_figure(["one"], [0.9], 1.0, "ε"),
    ],
)
@pytest.mark.parametrize("scheme", [0, 1])
def test_plotly_knows_every_attribute(figure, scheme):
    go.Figure(resolved(figure, scheme))
