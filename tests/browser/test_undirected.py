"""Undirected in a real browser: drawn early, followed by ε, stopped, narrow and dark."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import OVERFLOW, RIGHT, until

pytestmark = pytest.mark.browser


def opened(open_page, address, **options):
    screen = open_page(f"{address}/compare-undirected?network=asia", **options)
    screen.page.wait_for_selector(".board[data-epsilon]")
    screen.page.locator(".finding", has_text="At ε = 1").wait_for()
    return screen


def test_it_is_downloaded_stops_and_follows_epsilon(open_page, address, hold):
    hold(2)
    screen = opened(open_page, address)
    page = screen.page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="at ε = 1: download CSV").click()
    lines = waiting.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "curve,records,2.5 %,10 %,25 %,median,75 %,90 %,97.5 %"
    assert lines[1].startswith("naive,1000,")
    page.locator(".st-key-undirected_stop button").click()
    page.get_by_text("they are kept").wait_for()
    page.get_by_role("button", name="Measure the rest").wait_for()
    first = page.locator(".view.first")
    first.locator(".scatterlayer .point").first.wait_for(state="attached")
    first.locator(".key button").first.click()
    expect(first.locator(".key button").first).to_have_attribute("aria-pressed", "false")
    page.get_by_role("slider", name="ε total budget").press("ArrowLeft")
    page.get_by_text("How far the model is from the truth at ε = 0.").first.wait_for()
    assert screen.problems == [] and screen.outside == []


def test_nothing_is_cut_off_on_narrow_screens(open_page, address):
    screen = opened(open_page, address, width=800, scheme="dark")
    page = screen.page
    texts = page.locator(".board svg text")
    for width, view, title in (
        (800, "Edge marginals", "Learned against true probabilities"),
        (800, "Slopes", "How fast the error of probabilities falls"),
        (400, "Mobility", "How well unseen people are predicted"),
    ):
        page.set_viewport_size({"width": width, "height": 900})
        page.locator(".st-key-und_view").get_by_role("radio", name=view).click()
        page.locator(".board h2", has_text=title).wait_for()
        drawn = page.locator(".board .scatterlayer .point").first
        drawn.wait_for(state="attached")
        until(page, lambda width=width: texts.evaluate_all(RIGHT) <= width)
        until(page, lambda: page.evaluate(OVERFLOW) <= 0)
    assert screen.problems == []
