"""A moved ε in a real browser: all stands where plotly puts it, a knob at rest is followed."""

import json

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.ui.kit.around import offered
from tests.browser.screen import MORE, at_rest, until

pytestmark = pytest.mark.browser

FIND = """(name) => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
  .map((host) => host.shadowRoot.querySelector(`.view.${name} .plot`)).find(Boolean)"""
MARKS = f"""(name) => [...({FIND})(name).querySelectorAll(
    '.shapelayer path, .annotation text')].map((mark) => {{
  const box = mark.getBoundingClientRect();
  return [mark.textContent, box.left, box.top, box.right, box.bottom];
}})"""
SHIFTED = f"""(name) => ({FIND})(name).querySelectorAll(
    '.shapelayer path[transform], .annotation[transform]').length"""
CURVES = f"""(name) => {{
  const plot = ({FIND})(name);
  const along = (path) => [...Array(401).keys()].map((i) => {{
    const {{ x, y }} = path.getPointAtLength((i / 400) * path.getTotalLength());
    return [x, y];
  }});
  return {{
    lines: [...plot.querySelectorAll('.js-line')].map(along),
    names: [...plot.querySelectorAll('.textpoint text')].map((name) => {{
      const {{ x, y }} = name.getBBox();
      return [x, y];
    }}),
    told: plot.data.map((trace) => trace.y),
    points: plot.calcdata.map((points) => points.map(({{ y }}) => y)),
  }};
}}"""
REACTED = """() => {
  const react = window.Plotly.react;
  window.reacted = 0;
  window.Plotly.react = (...given) => { window.reacted += 1; return react(...given); };
}"""
REDRAW = f"(name) => window.Plotly.redraw(({FIND})(name)).then(() => true)"


@pytest.mark.parametrize("view", ["error", "risk"])
def test_what_was_moved_stands_where_plotly_draws_it(open_page, address, view):
    """Marks of both charts are shifted, curves of the risk chart bent; plotly draws neither."""
    screen = open_page(f"{address}/?network=asia&replicates=20").painted(1)
    page = screen.page
    page.locator(f".view.{view} .annotation").first.wait_for()
    began = page.evaluate(CURVES, view)
    page.evaluate(REACTED)
    screen.nudge()
    page.get_by_role("slider", name="ε total budget").first.press("ArrowRight")
    until(page, lambda: float(screen.epsilon) > MORE)
    at_rest(page)
    moved, bent = page.evaluate(MARKS, view), page.evaluate(CURVES, view)
    assert page.evaluate("window.reacted") == 0
    assert page.evaluate(SHIFTED, view) > 0
    assert (bent["lines"] != began["lines"]) is (view == "risk")
    page.evaluate(REDRAW, view)
    drawn, curves = page.evaluate(MARKS, view), page.evaluate(CURVES, view)
    assert page.evaluate(SHIFTED, view) == 0
    assert [words for words, *_ in moved] == [words for words, *_ in drawn]
    for (_, *before), (_, *after) in zip(moved, drawn, strict=True):
        assert before == pytest.approx(after, abs=1.0)  # plotly puts words on whole pixels
    assert (bent["told"], bent["points"]) == (curves["told"], curves["points"])
    assert np.allclose(bent["names"], curves["names"], rtol=0, atol=0.5)  # of a pixel
    for before, after in zip(np.array(bent["lines"]), np.array(curves["lines"]), strict=True):
        apart = np.linalg.norm(before[:, None] - after[None], axis=-1)
        assert apart.min(axis=1).max() < 1.0  # plotly leaves out points this near to a line


def test_a_knob_at_rest_is_followed_by_number_address_call_and_scenario(open_page, address):
    """Though nothing but the knob is drawn anew."""
    screen = open_page(f"{address}/?network=asia&replicates=20").painted(1)
    page = screen.page
    screen.nudge()
    expect(page.locator(".st-key-eps input")).to_have_value(str(MORE))
    screen.addressed("eps", str(MORE))
    view = page.locator(".view.graph")
    said = view.locator("dd.command").all_text_contents()
    assert f"--epsilon {MORE}" in said[0]
    assert said[1] == dict(offered([("Command line", said[0])]))["Python"]
    page.get_by_role("button", name="Scenario file").click()
    until(page, lambda: _saved(page)["epsilon"] == MORE)
    assert screen.problems == []


def _saved(page):
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this scenario").click()
    return json.loads(download.value.path().read_text("utf-8"))
