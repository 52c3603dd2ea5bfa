"""Synthesise in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import OVERFLOW, press, take, until

pytestmark = pytest.mark.browser


def opened(open_page, address, query="network=asia", **options):
    return open_page(f"{address}/synthesise-data?{query}", **options).painted()


def test_the_page_is_complete_without_a_click(open_page, address):
    screen = opened(open_page, address, clean=True)
    page = screen.page
    assert "made one model (views)" in screen.text(".st-key-synthesis .finding")
    page.get_by_text("Forecast of the two-way error").wait_for()
    expect(page.locator(".view.graph [role=button]")).to_have_count(9)  # the hidden class too
    expect(page.locator(".view.pairs tbody tr")).to_have_count(4)
    page.locator(".view.heat .heatmaplayer image").nth(1).wait_for()
    assert screen.problems == []
    assert screen.outside == []


def test_synthetic_records_are_downloaded(open_page, address):
    page = opened(open_page, address, again=True, clean=True).page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Synthetic records (study)").click()
    lines = waiting.value.path().read_text().splitlines()
    assert lines[0] == "asia,tub,smoke,lung,bronc,either,xray,dysp"
    assert len(lines) > 9_000


def test_a_node_is_selected_with_the_keyboard(open_page, address):
    screen = opened(open_page, address, again=True)
    node = screen.page.locator(".view.graph [role=button][tabindex='0']")
    first = node.get_attribute("aria-label")
    press(screen.page, node, "ArrowUp")
    assert node.get_attribute("aria-label") != first
    moved = node.get_attribute("aria-label")
    screen.page.wait_for_timeout(1500)  # the server agrees: nothing jumps back
    assert node.get_attribute("aria-label") == moved
    assert screen.problems == []


def test_a_smaller_budget_repaints_the_board(open_page, address):
    screen = opened(open_page, address)
    before = screen.text(".st-key-synthesis .finding")
    screen.nudge("ArrowLeft")
    until(screen.page, lambda: screen.text(".st-key-synthesis .finding") != before)
    assert screen.problems == []


def test_the_learned_structure_is_explored(open_page, address):
    screen = opened(open_page, address)
    page = screen.page
    take(page, page.locator(".st-key-synth_method").get_by_role("combobox"), "privbayes-plus")
    page.get_by_role("button", name="Use this structure").click()
    screen.visit("Explore").painted()
    page.get_by_text("Explore the trade-off").wait_for()
    page.get_by_text("for the learned graph").first.wait_for()
    assert screen.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_shows_everything_without_sideways_scrolling(open_page, address, scheme):
    screen = opened(open_page, address, width=800, scheme=scheme)
    page = screen.page
    page.locator(".scenario:visible").first.wait_for()
    until(page, lambda: page.evaluate(OVERFLOW) <= 0)
    assert screen.problems == []
