"""Allocate in a real browser: live, locks, formulas on focus, nothing cut off."""

import pytest

pytestmark = pytest.mark.browser


def open_allocate(open_page, address, query="network=asia", **options):
    return open_page(f"{address}/allocate-budget?{query}", **options).painted()


def figure(page, node, column):
    """Text of a number in the row of a node."""
    row = page.locator(".plan tbody tr").filter(
        has=page.get_by_role("button", name=node, exact=True)
    )
    return row.locator("td.figure").nth(column).inner_text()


def test_it_says_who_gets_most_and_why(open_page, address):
    screen = open_allocate(open_page, address, "network=alarm")
    finding = screen.text(".finding")
    assert "equipoise gives most to CATECHOL" in finding
    assert "noise falls on every cell" in finding
    assert screen.page.locator(".plan tbody tr").count() == 37
    assert screen.page.locator(".bracket.from").count() > 5
    assert screen.problems == [] and screen.outside == []


def test_the_slider_moves_bars_and_words_while_it_moves(open_page, address):
    screen = open_allocate(open_page, address)
    before = figure(screen.page, "either", 0)
    screen.page.get_by_role("slider", name="ε total budget").press("ArrowRight")
    screen.page.wait_for_selector(".board:not([data-epsilon='1'])", timeout=10_000)
    assert float(figure(screen.page, "either", 0)) > float(before)
    assert f"ε = {screen.epsilon:g}" in screen.text(".finding")


def test_a_lock_redistributes_and_unlock_all_restores(open_page, address):
    screen = open_allocate(open_page, address, "network=alarm")
    page = screen.page
    before = figure(page, "HR", 0)
    page.get_by_role("button", name="lock HR", exact=True).click()
    page.locator(".summary", has_text="1 node locked, at least 20 % of ε").wait_for(timeout=10_000)
    assert figure(page, "HR", 0) == "0.200"
    assert "locked at 20 %" in screen.text(".finding")
    share = page.get_by_label("least share of HR, per cent")
    share.fill("40")
    share.press("Enter")
    page.locator(".summary", has_text="at least 40 % of ε").wait_for(timeout=10_000)
    page.get_by_role("button", name="lock CVP", exact=True).click()
    page.locator(".summary", has_text="2 nodes locked").wait_for(timeout=10_000)
    share.fill("90")
    share.press("Enter")
    alert = page.locator(".rows").get_by_role("alert")
    alert.wait_for(timeout=10_000)
    assert "add up to" in alert.inner_text()
    page.get_by_role("button", name="Unlock all").click()
    page.wait_for_selector(".plan:not(.held)", timeout=10_000)
    assert figure(page, "HR", 0) == before
    assert screen.problems == []


def test_importance_moves_budget_to_the_node(open_page, address):
    page = open_allocate(open_page, address, "network=alarm").page
    before = float(figure(page, "BP", 0))
    weight = page.get_by_label("importance of BP")
    weight.fill("20")
    weight.press("Enter")
    page.locator(".summary", has_text="1 weighted").wait_for(timeout=10_000)
    assert float(figure(page, "BP", 0)) > 1.5 * before


def test_a_formula_shows_on_focus_and_rows_sort(open_page, address):
    page = open_allocate(open_page, address).page
    column = page.locator("th", has_text="sensitivity")
    assert not column.locator(".tip").is_visible()
    column.locator(".tipped").focus()
    assert "a public constant" in column.locator(".tip").inner_text()
    page.get_by_role("button", name="by name").click()
    names = page.locator(".plan tbody .pick").all_inner_texts()
    assert names == sorted(names)
    page.get_by_role("button", name="by height").click()
    assert page.locator(".plan tbody .pick").first.inner_text() in ("asia", "smoke")


def test_another_method_is_explained(open_page, address):
    screen = open_allocate(open_page, address)
    page = screen.page
    page.get_by_label("Explain the plan of").select_option("data-dependent-icml")
    page.locator(".finding", has_text="data-dependent-icml gives most to").wait_for(timeout=10_000)
    assert "Stage I costs 0.100000" in screen.text(".proof .sentences")


def test_row_and_graph_pick_the_same_node(open_page, address):
    page = open_allocate(open_page, address).page
    page.locator(".plan").get_by_role("button", name="bronc", exact=True).click()
    assert page.locator(".node.selected[aria-label^='bronc']").count() == 1
    page.locator(".node[aria-label^='xray']").click()
    assert page.locator(".plan tr.picked .pick").inner_text() == "xray"


def test_the_file_holds_every_quantity(open_page, address):
    page = open_allocate(open_page, address).page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Budget per node, and what it follows from").click()
    lines = waiting.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 9
    for word in ("equipoise epsilon", "uniform epsilon", "97.5 %", "height", "sensitivity Δ"):
        assert word in lines[0]
    assert len(lines[1].split(",")) == len(lines[0].split(","))


@pytest.mark.parametrize("width", [1440, 800, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off(open_page, address, width, scheme):
    screen = open_allocate(open_page, address, "network=alarm", width=width, scheme=scheme)
    page = screen.page
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if width >= 800:
        page.wait_for_timeout(1000)  # a narrow screen closes the sidebar first
        room = page.locator(".rows .scroll")
        assert room.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")
    assert screen.problems == []
