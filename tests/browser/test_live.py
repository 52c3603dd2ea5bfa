"""A moved ε in a real browser: marks stand where plotly puts them, a knob at rest is followed."""

import json

import pytest
from playwright.sync_api import expect

from pages.ui.kit.offers import offered
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
REDRAW = f"(name) => window.Plotly.redraw(({FIND})(name)).then(() => true)"


@pytest.mark.parametrize("view", ["error", "risk"])
def test_marks_that_were_shifted_stand_where_plotly_draws_them(open_page, address, view):
    """On the risk chart curves move too, and plotly draws all of it: nothing is left behind."""
    screen = open_page(f"{address}/?network=asia&replicates=20").painted(1)
    page = screen.page
    page.locator(f".view.{view} .annotation").first.wait_for()
    screen.nudge()
    page.get_by_role("slider", name="ε total budget").first.press("ArrowRight")
    until(page, lambda: float(screen.epsilon) > MORE)
    at_rest(page)
    shifted = page.evaluate(MARKS, view)
    assert (page.evaluate(SHIFTED, view) > 0) is (view == "error")
    page.evaluate(REDRAW, view)
    drawn = page.evaluate(MARKS, view)
    assert page.evaluate(SHIFTED, view) == 0
    assert [words for words, *_ in shifted] == [words for words, *_ in drawn]
    for (_, *before), (_, *after) in zip(shifted, drawn, strict=True):
        assert before == pytest.approx(after, abs=1.0)  # plotly puts words on whole pixels


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
