"""Every maker: figures that plotly accepts, from the numbers given, with names that stay text."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from figures.bands import Axes, Band, band_figure
from figures.synthesise import heat_figure
from figures.template import resolved
from tests.unit.figures import examples
from tests.unit.figures.examples import ALL, EPSILONS, HOSTILE, NAMED, QUANTILES


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scheme", [0, 1])
def test_plotly_accepts_every_attribute(name, scheme):
    figure = resolved(ALL[name](), scheme)
    go.Figure(figure)  # raises on an attribute that plotly does not have
    assert not any("var(--" in text for text in texts(figure))


@pytest.mark.parametrize("name", ALL)
def test_figures_are_strict_json_with_titles_and_words_on_hover(name):
    figure = json.loads(json.dumps(ALL[name](), allow_nan=False))
    frame = figure["layout"]
    assert frame["uirevision"]
    assert frame["xaxis"]["title"]["text"]
    spoken = [t for t in figure["data"] if t.get("hoverinfo") != "skip"]
    assert spoken
    for trace in spoken:
        assert trace["hovertemplate"].endswith("<extra></extra>")


@pytest.mark.parametrize("name", NAMED)
def test_a_name_from_a_file_is_never_markup(name):
    said = list(texts(NAMED[name](HOSTILE)))
    assert not any("<b>smoke" in text for text in said)
    assert any("&lt;b&gt;smoke" in text for text in said)


def trace_named(figure, name):
    return next(t for t in figure["data"] if t.get("name") == name)


def test_a_band_is_drawn_where_its_quantiles_are():
    figure = examples.bands()
    median = trace_named(figure, "uniform")
    np.testing.assert_allclose(median["y"], 0.3 / EPSILONS, rtol=1e-4)
    np.testing.assert_allclose(
        median["customdata"], np.column_stack([0.15 / EPSILONS, 0.45 / EPSILONS]), rtol=1e-4
    )
    widest = figure["data"][0]
    np.testing.assert_allclose(widest["y"][: len(EPSILONS)], 0.45 / EPSILONS, rtol=1e-4)
    np.testing.assert_allclose(widest["y"][len(EPSILONS) :], (0.15 / EPSILONS)[::-1], rtol=1e-4)
    assert "95 % of releases" in median["hovertemplate"]


def test_the_place_on_show_moves_marks_and_nothing_else():
    before, after = examples.bands(), None
    curves = [
        Band("uniform", 0.3 * QUANTILES[:, None] / EPSILONS, 0.15 * QUANTILES),
        Band("equipoise", 0.1 * QUANTILES[:, None] / EPSILONS, 0.05 * QUANTILES),
    ]
    after = band_figure(EPSILONS, curves, Axes("ε", "error", mark=2.0), revision="r")
    assert after["data"] == before["data"]
    moved = {k for k in after["layout"] if after["layout"][k] != before["layout"][k]}
    assert moved == {"shapes", "annotations", "meta"}
    assert after["layout"]["meta"]["values"] == {"uniform": "0.15", "equipoise": "0.050"}


def test_nothing_to_be_wrong_about_is_said_in_words():
    nothing = Band("uniform", np.zeros((7, len(EPSILONS))), np.zeros(7))
    figure = band_figure(EPSILONS, [nothing], Axes("ε", "error", mark=1.0), revision="r")
    assert figure["data"] == []
    assert "nothing here can be wrong" in figure["layout"]["annotations"][0]["text"]


def test_a_kind_of_claim_is_told_by_line_and_by_words():
    figure = examples.tradeoff()
    guarantee, guessing = (trace_named(figure, n) for n in ("composed", "guessing"))
    assert guarantee["line"] != guessing["line"]
    assert "guaranteed for every attacker" in guarantee["hovertemplate"]
    assert guarantee["y"][0] == pytest.approx(0.002)


def test_a_ratio_of_guessing_is_one():
    guessing = trace_named(examples.tradeoff("ratio"), "guessing")
    np.testing.assert_allclose(guessing["y"], 1.0, rtol=1e-4)


def test_hidden_curves_take_their_names_along():
    figure = examples.bands()
    groups = {t["legendgroup"] for t in figure["data"]}
    assert groups == {"uniform", "equipoise"}
    labels = [t for t in figure["data"] if t["mode"] == "text"]
    assert {t["legendgroup"] for t in labels} == groups


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_a_name_stands_inside_also_where_its_curve_has_left(scale):
    """Rounded, a name at the lower end could lie beneath it, and plotly left it out."""
    for most in np.geomspace(0.01, 3, 60):
        falls = np.tile(most * np.array([[1.0, 0.1, 0.0]]), (7, 1))
        curves = [Band("uniform", falls), Band("equipoise", falls / 7)]
        figure = band_figure(EPSILONS[:3], curves, Axes("ε", "error", scale=scale), revision="r")
        low, high = figure["layout"]["yaxis"]["range"]
        for label in (t["y"][0] for t in figure["data"] if t["mode"] == "text"):
            assert low < (np.log10(label) if scale == "log" else label) < high


def test_whiskers_end_where_the_range_ends():
    bar = trace_named(examples.bars(), "uniform")
    np.testing.assert_allclose(np.add(bar["x"], bar["error_x"]["array"]), [0.15, 0.25])
    np.testing.assert_allclose(np.subtract(bar["x"], bar["error_x"]["arrayminus"]), [0.05, 0.15])


def test_a_heat_map_shows_the_share_itself_on_hover_and_in_cells_that_are_few():
    records, other = examples.heat()["data"]
    assert records["customdata"] == [[0.1, 0.2], [0.3, 0.4]]
    np.testing.assert_allclose(np.square(records["z"]), records["customdata"], rtol=1e-4)
    assert records["zmax"] == other["zmax"]
    assert records["text"] == [["10.0 %", "20 %"], ["30 %", "40 %"]]
    many = ("A", list("abcdefg")), ("B", list("tuvwxyz"))
    (dense,) = heat_figure({"records": np.full((7, 7), 1 / 49)}, *many, revision="r")["data"]
    assert "text" not in dense


def test_a_curve_of_one_point_is_seen():
    places, quantiles = np.array([1000.0]), np.linspace(0.7, 1.3, 7)[:, None]
    axes = Axes("records N (log scale)", "KL from the truth, nats (log scale)")
    figure = band_figure(places, [Band("naive", quantiles)], axes, revision="one")
    (curve,) = (t for t in figure["data"] if t.get("name") == "naive")
    assert "markers" in curve["mode"]


def test_a_name_at_the_lower_end_stands_above_the_last_tick():
    places, fall = np.array([1.0, 10.0]), np.array([1.0, 1e-9])
    bands = [Band("equipoise", np.linspace(0.7, 1.3, 7)[:, None] * fall)]
    figure = band_figure(places, bands, Axes("ε", "error", height=240), revision="low")
    (name,) = (t for t in figure["data"] if t["mode"] == "text")
    low, high = figure["layout"]["yaxis"]["range"]
    pixels = (np.log10(name["y"][0]) - low) / (high - low) * 160
    assert pixels > 5
