"""Reproduce in a real browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_an_item_is_opened_and_run_again(open_page, address):
    screen = open_page(f"{address}/reproduce-papers?network=asia")
    page = screen.page
    box = page.get_by_role("combobox", name="Item (or choose a row above)")
    box.click()
    box.fill("C2")
    page.get_by_role("option", name="C2").first.click()
    page.get_by_role("heading", name="C2 Worked example").wait_for()
    page.locator(".view.readings .scatterlayer").first.wait_for()
    again = page.get_by_role("button", name="Run again")
    again.click()
    expect(page.locator(".st-key-reproduce_job")).to_have_count(0)
    expect(again).to_be_enabled()
    page.get_by_text("reproduces.").first.wait_for()
    page.get_by_text("6 of 6 within 1e-12").wait_for()
    assert screen.problems == []
    assert screen.outside == []
