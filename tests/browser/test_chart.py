"""One chart in a real browser: read, zoomed, thinned out, and taken along as a picture."""

import re
import struct
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

from pages.ui.kit.limits import CURVE_POINTS
from tests.browser.screen import MORE, hover, still, until

pytestmark = pytest.mark.browser

MIDDLE = """(path) => {
  const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
  const place = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
  return [place.x, place.y];
}"""
RANGES = "(plot) => [...plot.layout.xaxis.range, ...plot.layout.yaxis.range]"
AGAIN = 1.23
"""Where a second press of the arrow takes ε."""


def zoom(page, plot):
    """Drag over the middle of a chart; what its axes show then."""
    whole = plot.evaluate(RANGES)
    box = still(page, plot.locator(".nsewdrag"))
    corners = [(box["x"] + box["width"] * s, box["y"] + box["height"] * s) for s in (0.3, 0.75)]
    page.mouse.move(*corners[0])
    page.mouse.down()
    page.mouse.move(*corners[1], steps=5)
    page.mouse.up()
    until(page, lambda: plot.evaluate(RANGES) != whole)
    return plot.evaluate(RANGES)


def picture(page, view, name):
    with page.expect_download() as waiting:
        view.get_by_role("button", name=f": download {name}").click()
    assert waiting.value.suggested_filename.endswith(f".{name.lower()}")
    return waiting.value.path().read_bytes()


def test_a_curve_is_read_zoomed_put_away_and_taken_along(open_page, address):
    screen = open_page(f"{address}/?network=asia&replicates=20").painted(1)
    page, view = screen.page, screen.page.locator(".view.error")
    plot, lines = view.locator(".plot"), view.locator(".scatterlayer .js-line")
    expect(view.get_by_text("ε = 1", exact=True)).to_be_visible()
    view.scroll_into_view_if_needed()

    still(page, plot)
    words = plot.locator(".hoverlayer .hovertext")
    said = hover(page, lambda: lines.last.evaluate(MIDDLE), words)
    assert re.search(r"(uniform|equipoise|dependent).* at ε = [\d.]+: [\d.]+", said)

    zoomed = zoom(page, plot)
    screen.nudge()
    view.get_by_text(f"ε = {MORE}", exact=True).wait_for(state="attached")
    until(page, lambda: plot.evaluate(RANGES) == zoomed)

    key = view.get_by_role("button", name="uniform")
    drawn = lines.count()
    key.click()
    until(page, lambda: lines.count() < drawn)
    left = lines.count()
    page.get_by_role("slider", name="ε total budget").first.press("ArrowRight")
    screen.painted(AGAIN).addressed("eps", str(AGAIN))
    view.get_by_text(f"ε = {AGAIN}", exact=True).wait_for(state="attached")
    expect(key).to_have_attribute("aria-pressed", "false")
    expect(lines).to_have_count(left)
    until(page, lambda: plot.evaluate(RANGES) == zoomed)

    with page.expect_download() as waiting:
        view.locator(".file", has_text="CSV").click()
    rows = [line.split(",") for line in waiting.value.path().read_text("utf-8-sig").splitlines()]
    assert {row[0] for row in rows[1:]} == {"data-dependent-icml", "uniform", "equipoise"}
    assert {len(row) for row in rows} == {10} and len(rows) == 1 + 3 * 2 * CURVE_POINTS
    for kind in ("CSV", "PNG", "SVG"):
        name = f"How wrong the parameters will be: download {kind}"
        expect(view.get_by_role("button", name=name)).to_have_count(1)
    png = picture(page, view, "PNG")
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and png[-8:-4] == b"IEND"
    width, height = struct.unpack(">II", png[16:24])
    assert width == 1800 and height > 600 and len(png) > 20_000
    drawing = ET.fromstring(picture(page, view, "SVG"))
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg" and drawing.get("width") == "900"
    said = " ".join(drawing.itertext())
    assert view.locator("h2").inner_text() in said and "equipoise" in said and f"ε {AGAIN}" in said
    assert screen.problems == [] and screen.outside == []
