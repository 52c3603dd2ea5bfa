"""Utility in a real browser: measured in the background, asked, played."""

import pytest
from playwright.sync_api import expect

from tests.browser.screen import MORE, RIGHT, SIZES, hover, still, until, use_data
from tests.browser.serving import choose

pytestmark = pytest.mark.browser


def open_utility(open_page, address, query="network=asia&replicates=20", **options):
    screen = open_page(f"{address}/measure-utility?{query}", **options)
    screen.page.wait_for_selector(".board[data-epsilon]")
    return screen


CURVES = ".view.l1_row, .view.marginal_l1, .view.query_l1, .view.map_accuracy"
DOTS = ".scatterlayer .point"
KEYS = ("forecast", "groups")
"""Views whose methods are told apart by the shape of a dot, and by hatching."""


def measured(screen):
    """Wait until all points of all curves are there: four charts, four methods, eleven budgets."""
    dots = screen.page.locator(CURVES).locator(DOTS)
    until(screen.page, lambda: dots.count() == 176)
    return screen


def test_it_measures_by_itself_and_says_what_epsilon_buys(open_page, address):
    asked = "network=asia&replicates=20&ask=6-5.0-2.1"  # xray, given either and smoke
    screen = measured(open_utility(open_page, address, asked, clean=True))
    assert "At ε = 1 the answer to a question is off by" in screen.text(".finding:not([hidden])")
    rows = screen.page.locator(".view.matches tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("1.00×")
    expect(screen.page.locator(".view.forecast").locator(DOTS)).to_have_count(16)
    signs = "(all) => all.map((i) => [i.className, getComputedStyle(i).borderTopStyle].join(' '))"
    keys = [screen.page.locator(f".view.{v} .key i").evaluate_all(signs) for v in KEYS]
    assert keys == [["ring circle solid", "ring diamond solid"], [*[" solid"] * 3, " dashed"]]
    idle = screen.page.locator(".view.part .node.faint")
    expect(idle).to_have_count(6)
    dashes = idle.locator(".box").evaluate_all(
        "(all) => all.map((box) => getComputedStyle(box).strokeDasharray)"
    )
    assert set(dashes) == {"3px, 3px"}
    assert screen.problems == [] and screen.outside == []


def test_a_value_is_read_on_hover_and_a_curve_is_put_away(open_page, address):
    page = measured(open_utility(open_page, address, again=True, clean=True)).page
    chart = page.locator(".view.query_l1")
    chart.scroll_into_view_if_needed()
    still(page, chart)
    dot = chart.locator(DOTS).nth(4).bounding_box()
    middle = dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2
    said = hover(page, lambda: middle, chart.locator(".hoverlayer .hovertext"))
    assert "at ε = 1: 0.0" in said and "95 % of releases" in said
    page.mouse.move(0, 0)
    chart.get_by_role("button", name="uniform").click()
    expect(chart.locator(DOTS)).to_have_count(33)
    chart.get_by_role("button", name="uniform").click()
    expect(chart.locator(DOTS)).to_have_count(44)


def test_the_row_error_is_chosen_by_its_name(open_page, address):
    page = measured(open_utility(open_page, address, again=True, clean=True)).page
    chart = page.locator(".view.l1_row")
    chart.get_by_text("row error, rows alike (0 exact, 2 worst)").wait_for()
    chart.get_by_role("button", name="weighted", exact=True).click()
    chart.get_by_text("row error, weighted (0 exact, 2 worst)").wait_for()
    chart.get_by_role("button", name="rows alike", exact=True).click()
    chart.get_by_text("row error, rows alike (0 exact, 2 worst)").wait_for()


def test_single_releases_play_one_after_the_other(open_page, address):
    screen = measured(open_utility(open_page, address, again=True, clean=True))
    page = screen.page
    dots = page.locator(".view.answers").locator(DOTS)
    dots.first.wait_for(state="attached")
    together = dots.count()
    page.get_by_text("Play single releases").click()
    page.get_by_text("release 3 of 20").wait_for()
    until(page, lambda: dots.count() == together + 8)  # four methods, two states
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Play single releases").click()
    page.get_by_text("Bands: 50, 80 and 95 % of releases").wait_for()
    until(page, lambda: dots.count() == together)
    expect(page.locator(".view.answers td").nth(2)).to_contain_text("to")
    assert screen.problems == []


def test_the_most_probable_explanation_is_compared_state_by_state(open_page, address):
    page = open_utility(open_page, address, again=True).page
    page.get_by_text("the most probable explanation").first.click()
    page.get_by_text("Most probable explanation of smoke = yes").wait_for()
    expect(page.locator(".view.answers tbody tr")).to_have_count(4)
    expect(page.locator(".view.answers td").nth(1)).to_contain_text("%")
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for()


def test_epsilon_marks_the_curves_and_measures_nothing_again(open_page, address):
    screen = measured(open_utility(open_page, address))
    page = screen.page
    chart = page.locator(".view.l1_row")
    line, said = chart.locator(".js-line"), chart.locator(".key b")
    before = line.evaluate_all("(all) => all.map((l) => l.getAttribute('d'))")
    value = said.first.inner_text()
    screen.nudge()
    chart.get_by_text(f"ε = {MORE}").wait_for()
    assert line.evaluate_all("(all) => all.map((l) => l.getAttribute('d'))") == before
    until(page, lambda: said.first.inner_text() != value)


def test_stop_keeps_what_is_measured(open_page, address, hold):
    hold(2)
    screen = open_utility(open_page, address)
    page = screen.page
    page.locator(".st-key-utility_stop button").click()  # Streamlit has a Stop of its own
    page.get_by_text("they are kept").wait_for()
    page.get_by_role("button", name="Measure the rest").wait_for()
    assert screen.problems == []


@pytest.mark.parametrize("widths", SIZES)
def test_nothing_is_cut_off(open_page, address, widths):
    screen = measured(open_utility(open_page, address, width=widths[0]))
    texts = screen.page.locator(CURVES).locator(".plot text")
    for width in screen.looks(widths):
        until(screen.page, lambda width=width: texts.evaluate_all(RIGHT) <= width)
    assert screen.problems == []


def test_a_name_that_is_a_script_is_shown_and_never_run(open_page, address, tmp_path):
    from tests.unit.test_cli_files import PAIR

    nasty = "<script>alert(1)</script>"
    text = PAIR.replace("variable a", f'variable "{nasty}"').replace("( a )", f'( "{nasty}" )')
    (tmp_path / "n.bif").write_text(text.replace("| a )", f'| "{nasty}" )'), encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    page.get_by_text("choose a file of records").wait_for()
    choose(page, "dag_file", tmp_path / "n.bif")
    use_data(page)
    page.get_by_text("In use:").wait_for()
    for link in ("Allocate", "Utility"):
        screen.visit(link).painted()
        page.get_by_text(nasty).first.wait_for(state="attached")
        assert "alert" not in page.url
    assert screen.problems == []
