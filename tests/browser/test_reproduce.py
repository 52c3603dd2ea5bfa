"""Reproduce in a real browser: with a pointer, and with the keyboard alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import at_rest, tab_to, take

pytestmark = pytest.mark.browser


JOB = ".st-key-reproduce_job"


def ran(page, hold):
    """It is seen at work, then let go on to its end."""
    page.locator(JOB).wait_for()
    hold(None)
    expect(page.locator(JOB)).to_have_count(0)


def test_an_item_is_opened_and_run_again(open_page, address, hold):
    screen = open_page(f"{address}/reproduce-papers?network=asia")
    page = screen.page
    box = page.get_by_role("combobox", name="Item (or choose a row above)")
    take(page, box, "C2", typed="C2")
    page.get_by_role("heading", name="C2 Worked example").wait_for()
    page.locator(".view.readings .scatterlayer").first.wait_for()
    again = page.get_by_role("button", name="Run again")
    hold(1)
    again.click()
    ran(page, hold)
    expect(again).to_be_enabled()
    page.get_by_text("reproduces.").first.wait_for()
    page.get_by_text("6 of 6 within 10⁻¹²").wait_for()
    assert screen.problems == []
    assert screen.outside == []


def test_an_item_is_found_and_run_by_the_keyboard_alone(open_page, address, hold):
    screen = open_page(f"{address}/reproduce-papers?network=asia")
    page = screen.page
    at_rest(page)
    tab_to(page, ".st-key-reproduce_item input")
    page.keyboard.type("M17")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="M17 What complexity and records do").wait_for()
    at_rest(page)
    tab_to(page, ".st-key-reproduce_again button")
    hold(1)
    page.keyboard.press("Enter")
    ran(page, hold)
    page.get_by_text("4 of 4 within 10⁻¹²").wait_for()
    assert screen.problems == []


def test_a_whole_paper_is_stopped_and_keeps_what_is_done(open_page, address, hold):
    hold(1)
    screen = open_page(f"{address}/reproduce-papers?network=asia&reproduce_paper=murakonda")
    page = screen.page
    at_rest(page)
    page.get_by_role("button", name="Run all again").click()
    page.locator(".st-key-reproduce_stop button").click()
    page.get_by_text("they are kept").wait_for()
    assert screen.problems == []
