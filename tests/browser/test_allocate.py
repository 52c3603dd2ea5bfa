"""Allocate in a real browser: live, locks that keep their row, values on hover, nothing cut off."""

import pytest
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from tests.browser.screen import MORE, SIZES, at_rest, hover, still, take, until

pytestmark = pytest.mark.browser

TABLE = '[data-testid="stDataFrame"]'
GRID = f"{TABLE} canvas[data-testid='data-grid-canvas']"
LOCK, IMPORTANCE = 120, 230
"""Where two columns of the table of asia and alarm are, in pixels from its left."""


def open_allocate(open_page, address, query="network=asia", **options):
    screen = open_page(f"{address}/allocate-budget?{query}", **options).painted()
    screen.page.locator(GRID).wait_for()
    screen.page.locator(".plot .bars").first.wait_for(state="attached")
    return screen


def cells(page):
    """Node -> its row of the table, as it is read aloud; only rows on screen are."""
    page.locator(GRID).evaluate("(grid) => grid.scrollIntoView({block: 'nearest'})")  # at once
    page.locator(f"{GRID} [role=gridcell]").first.wait_for(state="attached")
    rows = page.locator(f"{GRID} [role=row]").evaluate_all(
        "(rows) => rows.map((r) => [...r.querySelectorAll('[role=gridcell]')]"
        ".map((c) => c.textContent))"
    )
    return {row[0].removeprefix("▸ "): row for row in rows if row}


def cell_at(page, row, column):
    """The middle of a cell, as far from the left as that."""
    down = 36 + 30 * row + 15
    box = page.locator(GRID).bounding_box()
    main = page.locator('[data-testid="stMain"]')
    main.evaluate("(node, by) => node.scrollBy(0, by)", box["y"] + down - 450)  # a tall table
    box = still(page, page.locator(GRID))
    return box["x"] + column, box["y"] + down


def type_into(page, row, column, text):
    """Put a number into a cell of the table."""
    field = page.locator("#portal input")

    def typed():  # a table that is drawn anew closes what was opened in it
        at_rest(page)
        page.mouse.dblclick(*cell_at(page, row, column))
        try:
            field.fill(text, timeout=5000)
            field.press("Enter", timeout=5000)
        except Late:
            return False
        return True

    until(page, typed)


def asked(page, text):
    """Wait until the line above the table says so."""
    page.locator(".st-key-allocate_locks", has_text=text).wait_for()


def test_it_says_who_gets_most_and_why(open_page, address):
    screen = open_allocate(open_page, address, "network=alarm")
    finding = screen.text(".finding")
    assert "equipoise gives most to CATECHOL" in finding
    assert "noise falls on every cell" in finding
    expect(screen.page.locator(".rows .plot .trace.bars")).to_have_count(2)
    expect(screen.page.locator(".rows .plot .bars .point")).to_have_count(2 * 37)
    expect(screen.page.locator(".plot")).to_have_count(4)
    assert screen.problems == [] and screen.outside == []


def test_the_slider_moves_bars_and_words_while_it_moves(open_page, address):
    screen = open_allocate(open_page, address)
    page = screen.page
    before = float(cells(page)["either"][3])
    screen.nudge()
    expect(page.locator(".finding").first).to_contain_text(f"ε = {MORE}")
    until(page, lambda: float(cells(page)["either"][3]) == pytest.approx(MORE * before))


def test_a_bar_says_its_number_and_goes_when_its_name_is_pressed(open_page, address):
    page = open_allocate(open_page, address).page
    bar = page.locator(".rows .plot .bars .point").first
    bar.scroll_into_view_if_needed()
    box = still(page, bar)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    said = hover(page, lambda: middle, page.locator(".rows .plot .hoverlayer .hovertext"))
    assert "asia, equipoise: ε = 0.376" in said
    page.get_by_role("button", name="data-dependent-icml").first.click()
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
        ".some((h) => h.shadowRoot?.querySelectorAll('.rows .trace.bars').length === 1)"
    )


def test_a_lock_keeps_its_row_and_unlock_all_restores(open_page, address):
    screen = open_allocate(open_page, address, "network=alarm")
    page = screen.page
    before = cells(page)
    order = list(before)
    row = 3  # in sight without scrolling inside the table
    node = order[row]
    type_into(page, row, LOCK, "40")
    asked(page, "1 node locked, at least 40 % of ε; 36 share the rest")
    until(page, lambda: cells(page)[node][1] == "40")
    until(page, lambda: float(cells(page)[node][3]) >= 0.4)
    assert list(cells(page)) == order, "no row moved"
    until(page, lambda: f"{node}, 0.4" in screen.text(".finding").replace("gives most to ", ""))
    sidebar = page.locator('[data-testid="stSidebar"]')
    sidebar.get_by_text("1 node locked, at least 40 % of ε").wait_for()
    other = order[0] if row else order[1]
    type_into(page, order.index(other), LOCK, "75")
    asked(page, "Nothing was changed: these locks ask for 115 %; keep them under 100 %.")
    until(page, lambda: cells(page)[other][1] == "")  # what is refused does not stay
    page.get_by_role("button", name="Unlock all").click()
    asked(page, "Nothing is locked")
    until(page, lambda: cells(page) == before)
    assert screen.problems == []


def test_importance_moves_budget_to_the_node(open_page, address):
    page = open_allocate(open_page, address).page
    before = cells(page)
    type_into(page, list(before).index("bronc"), IMPORTANCE, "20")
    asked(page, "1 weighted")
    more = 1.2 * float(before["bronc"][3])
    until(page, lambda: float(cells(page)["bronc"][3]) > more)


def test_rows_and_bars_sort(open_page, address):
    page = open_allocate(open_page, address).page
    page.get_by_role("radio", name="by name").or_(
        page.get_by_role("button", name="by name")
    ).click()
    page.locator(".rows .xtitle", has_text="node, by name").wait_for()
    until(page, lambda: list(cells(page)) == sorted(cells(page)))
    ticks = page.locator(".rows .xtick")
    until(page, lambda: ticks.all_text_contents() == sorted(cells(page)))


def test_another_method_is_explained(open_page, address):
    page = open_allocate(open_page, address).page
    methods = page.get_by_role("combobox", name="Explain the plan of")
    take(page, methods, "Data-dependent allocation (ICML version)")
    page.locator(".finding", has_text="data-dependent-icml gives most to").wait_for()
    page.locator(".st-key-proof", has_text="Stage I costs 0.100000").wait_for()
    expect(page.locator(".st-key-beta input").first).to_be_enabled()


def test_row_and_graph_pick_the_same_node(open_page, address):
    page = open_allocate(open_page, address).page
    row, chosen = list(cells(page)).index("bronc"), page.locator(".node.selected")
    page.mouse.click(*cell_at(page, row, 30))
    chosen.and_(page.locator("[aria-label^='bronc']")).wait_for()
    page.locator(".node[aria-label^='xray']").click()
    page.locator(f"{GRID} [role=gridcell]", has_text="▸ xray").wait_for(state="attached")


def test_the_file_holds_every_quantity(open_page, address):
    page = open_allocate(open_page, address).page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="what it follows from: download CSV").click()
    lines = waiting.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 9
    for word in ("equipoise epsilon", "uniform epsilon", "97.5 %", "height", "sensitivity Δ"):
        assert word in lines[0]
    assert len(lines[1].split(",")) == len(lines[0].split(","))


@pytest.mark.parametrize("widths", SIZES)
def test_nothing_is_cut_off(open_page, address, widths):
    screen = open_allocate(open_page, address, "network=alarm", width=widths[0])
    plots = screen.page.locator(".plot")
    fits = "(all) => all.every((e) => e.scrollWidth <= e.clientWidth + 1)"
    for _ in screen.looks(widths):
        until(screen.page, lambda: plots.evaluate_all(fits))
    assert screen.problems == []


CUT = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter((part) =>
  part.clientWidth && part.scrollWidth > part.clientWidth + 1 && part.textContent.trim()
  && getComputedStyle(part).overflowX === 'hidden'
  && !part.closest('nav, table, [data-testid=stDataFrame]')).map((part) => part.textContent)"""
UNDER = """() => [...document.querySelectorAll('.foot')].filter((foot) =>
  foot.querySelector('summary') && foot.querySelector('summary').getBoundingClientRect().right
     > foot.querySelector('.files').getBoundingClientRect().left).length"""
"""How many feet have the names of their files over other words."""


def test_beside_an_open_sidebar_nothing_is_cut(open_page, address):
    screen = open_allocate(open_page, address, width=900)
    assert screen.page.locator('[data-testid="stExpandSidebarButton"]').count() == 0
    until(screen.page, lambda: screen.page.evaluate(CUT) == [])
    until(screen.page, lambda: screen.page.evaluate(UNDER) == 0)
