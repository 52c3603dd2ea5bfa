"""Compare in a real browser: stopped and taken up again, read on hover and without a pointer."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import OVERFLOW, at_rest, hover, still, tab_to, until

pytestmark = pytest.mark.browser

POINTS = 90
"""Ten methods, nine budgets."""


def pressed(page, button):
    """Whether a button that goes when it is pressed is gone; pressed by key, without a pointer."""
    button.evaluate_all("(all) => all.forEach((one) => one.focus())")
    if button.count():
        page.keyboard.press("Enter")
    return button.count() == 0


def test_the_frontier_is_stopped_measured_hovered_and_marked(open_page, address, hold):
    hold(3)
    query = "network=asia&records=500&replicates=10"
    screen = open_page(f"{address}/compare-methods?{query}", clean=True)
    page = screen.page
    page.locator(".st-key-compare_stop button").click()
    page.get_by_text("they are kept").wait_for()
    chart = page.locator(".view.frontier0")
    dots = chart.locator(".scatterlayer .point")
    until(page, lambda: 0 < dots.count() < POINTS)
    rest = page.get_by_role("button", name="Measure the rest")
    rest.wait_for()
    hold(None)
    until(page, lambda: pressed(page, rest))
    until(page, lambda: dots.count() > POINTS)
    page.locator(".st-key-compare_stop").wait_for(state="detached")
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    finding = page.locator(".finding:not([hidden])").first
    expect(finding).to_contain_text("Cheapest for error of answers")
    expect(chart.get_by_role("button", name="Pareto set")).to_have_count(1)
    expect(chart.locator("table.found tbody tr")).to_have_count(10)
    chart.scroll_into_view_if_needed()
    box = still(page, chart.locator(".plot"))
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    words = chart.locator(".hoverlayer .hovertext")
    said = hover(page, lambda: middle, words)
    assert words.count() == 1
    assert said.count("(") == 12 and "equipoise-zcdp (δ = 10⁻⁶)" in said
    page.mouse.move(0, 0)
    page.get_by_role("button", name="members found").or_(
        page.get_by_text("members found")
    ).first.click()
    chart.get_by_text(
        "members found at 1.0 % false alarms, at most (composed guarantee)"
    ).first.wait_for()
    until(page, lambda: page.evaluate(OVERFLOW) <= 0)
    assert screen.problems == [] and screen.outside == []


def test_the_frontier_is_asked_and_read_by_the_keyboard_alone(open_page, address, hold):
    """Stopped by Tab and Enter, another price chosen by an arrow key, numbers in a table."""
    hold(3)
    query = "network=asia&records=300&replicates=10"
    page = open_page(f"{address}/compare-methods?{query}", clean=True).page
    tab_to(page, ".st-key-compare_stop button")
    page.keyboard.press("Enter")
    page.get_by_text("they are kept").wait_for()
    at_rest(page)
    tab_to(page, ".st-key-compare_price [role=radio]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    found = page.locator(".view.frontier0 table.found th")
    until(page, lambda: any("of the members" in told for told in found.all_text_contents()))
