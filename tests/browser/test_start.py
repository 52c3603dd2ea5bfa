"""The doors, and links that restore a scenario, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import OVERFLOW, press, until

pytestmark = pytest.mark.browser
ASKED = "network=alarm&eps=0.5&method=uniform&node=CVP"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (800, "dark")])
def test_the_bare_address_shows_three_doors_and_nothing_is_cut_off(
    open_page, address, width, scheme
):
    screen = open_page(address, width=width, scheme=scheme)
    page = screen.page
    page.get_by_role("button", name="Open the lessons").wait_for()
    expect(page.locator(".st-key-doors button")).to_have_count(3)
    until(page, lambda: page.evaluate(OVERFLOW) <= 0)
    assert screen.problems == []
    assert screen.outside == []


def test_a_copied_link_restores_everything_in_another_browser(open_page, address):
    screen = open_page(f"{address}/explore-tradeoff?{ASKED}").painted(0.5)
    page = screen.page
    screen.context.grant_permissions(["clipboard-read", "clipboard-write"])
    graph = page.locator(".view.graph")
    graph.get_by_role("button", name="row error, weighted").click()
    page.locator(".view.error").get_by_role("button", name="CVP").click()
    page.locator(".view.risk").get_by_role("button", name="linear").click()
    graph.get_by_role("button", name="Edit edges").click()
    press(page, graph.get_by_label("edge from LVEDVOLUME to CVP"), "Delete")
    graph.get_by_role("button", name="Restore").wait_for()
    until(page, lambda: screen.parameter("edges"))
    page.get_by_role("button", name="Copy link").click()
    clipboard = "() => navigator.clipboard.readText()"
    until(page, lambda: page.evaluate(clipboard).startswith(address))
    link = page.evaluate(clipboard)
    assert len(link) - len(address) < 160, link

    other = open_page(link).painted(0.5)
    seen = other.page
    pressed = seen.locator(".view [aria-pressed=true]")
    for view, name in (
        ("graph", "uniform"),
        ("graph", "row error, weighted"),
        ("error", "CVP"),
        ("risk", "linear"),
    ):
        button = seen.locator(f".view.{view}").get_by_role("button", name=name, exact=True)
        expect(button.and_(pressed).first).to_be_visible()
    lost = seen.locator(".view.graph").get_by_label("edge from LVEDVOLUME to CVP")
    expect(lost).to_have_count(0)
    sidebar = seen.locator("[data-testid=stSidebar]")
    expect(sidebar).to_contain_text("37 nodes, 45 edges, edited")
    expect(seen.locator(".view.panel h2")).to_have_text("CVP")
    until(seen, lambda: seen.url == link)
    assert other.problems == []


def test_a_symbol_in_the_details_leads_to_its_entry(open_page, address):
    screen = open_page(f"{address}/explore-tradeoff?replicates=20").painted()
    risk = screen.page.locator(".view.risk")
    risk.get_by_text("Formula, source, command line").click()
    with screen.context.expect_page() as opened:
        risk.get_by_role("link", name="μ on Risk and Explore").click()
    entry = opened.value
    entry.get_by_text("How far apart members and others are").wait_for()
    assert entry.url.endswith("read-glossary#mu-risk")


@pytest.mark.parametrize("path", ["allocate-budget", "explore-tradeoff", "read-glossary"])
def test_no_request_is_answered_with_an_error(open_page, address, path):
    screen = open_page(f"{address}/{path}?replicates=20")
    screen.page.get_by_text("Use your own records").wait_for()
    screen.page.wait_for_load_state("networkidle")
    assert screen.refused == []
    assert screen.problems == []
