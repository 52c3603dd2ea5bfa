"""Explore in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.screen import MORE, SIZES, drag, press, until, use_data
from tests.browser.serving import choose, served

pytestmark = pytest.mark.browser

SMALL, LARGE = "?network=asia&replicates=20", "?network=alarm&replicates=20"
SPOTS = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
  .flatMap((host) => [...host.shadowRoot.querySelectorAll('.node')])
  .map((node) => node.getAttribute('transform'))"""


def test_start_up_is_complete_without_a_click_and_loads_nothing_from_outside(open_page, address):
    screen = open_page(f"{address}/explore-tradeoff").painted()
    page = screen.page
    assert "At ε = 1 a row of a published probability table, weighted" in screen.text(".finding")
    page.locator(".view.graph [role=button]").nth(7).wait_for()
    drawn = (".graph .scroll svg", ".error .plot svg", ".risk .plot svg", ".panel table")
    for picture in drawn:
        page.locator(f".view{picture}").first.wait_for()
    expect(page.locator(".view.risk table tbody tr")).to_have_count(4)
    assert screen.problems == []
    assert screen.outside == []


@pytest.mark.parametrize("path", ["explore-tradeoff", "assess-risk", "start-here"])
def test_a_cold_deep_link_shows_the_frame(open_page, path):
    with served() as fresh:
        screen = open_page(f"{fresh}/{path}?eps=2")
        screen.page.get_by_text("Use your own records").wait_for()
        expect(screen.page.locator(".st-key-eps input")).to_have_value("2")
        screen.page.get_by_role("link", name="Explore").first.wait_for()
        assert screen.page.get_by_role("dialog").count() == 0, "the page was not found"
        assert screen.problems == []


def test_arrow_keys_on_the_slider_repaint_all_three_views(open_page, address):
    screen = open_page(f"{address}/{LARGE}").painted(1)
    page = screen.page
    views = [page.locator(f".view.{name}") for name in ("graph", "error", "risk")]
    before = [view.inner_html() for view in views]
    screen.nudge()
    for view, old in zip(views, before, strict=True):
        until(page, lambda view=view, old=old: view.inner_html() != old)
    expect(page.locator(".finding").first).to_contain_text(f"ε = {MORE}")
    screen.addressed("eps", str(MORE))


def test_dragging_repaints_while_the_mouse_is_down(open_page, address):
    screen = open_page(f"{address}/{LARGE}").painted(1)
    page = screen.page
    slider = page.get_by_role("slider", name="ε total budget").first
    drag(page, slider, 0.565, lambda: screen.epsilon, 6)


def test_a_click_on_a_node_shows_its_conditional(open_page, address):
    screen = open_page(f"{address}/{LARGE}").painted()
    screen.page.locator(".view.graph").get_by_role("button", name="CVP").first.click()
    screen.page.get_by_text("CVP given LVEDVOLUME").wait_for()
    expect(screen.page.locator(".view.panel tbody tr")).to_have_count(3)
    told = re.compile(r"truth 0\.\d\d, 95 % of releases 0\.\d\d to [01]\.\d\d")
    expect(screen.page.locator(".view.panel td.state").first).to_have_attribute("title", told)


def test_edges_are_removed_and_added_and_a_cycle_is_refused(open_page, address):
    screen = open_page(f"{address}/explore-tradeoff?replicates=20").painted()
    page, graph = screen.page, screen.page.locator(".view.graph")
    graph.get_by_role("button", name="Edit edges").click()
    press(page, graph.get_by_label("edge from smoke to lung"), "Delete")
    graph.get_by_role("button", name="Restore").wait_for()
    expect(graph.get_by_label("edge from smoke to lung")).to_have_count(0)
    sidebar = page.locator("[data-testid=stSidebar]")
    expect(sidebar).to_contain_text("8 nodes, 7 edges, edited")
    graph.locator("[role=button][aria-label^='dysp']").click()
    graph.locator("[role=button][aria-label^='smoke']").click()
    alert = graph.get_by_role("alert")
    alert.wait_for()
    assert "dysp → smoke was not added" in alert.inner_text()
    assert "→" in alert.inner_text()
    graph.get_by_role("button", name="Restore").click()
    graph.get_by_label("edge from smoke to lung").wait_for(state="attached")


@pytest.mark.parametrize("widths", SIZES)
def test_nothing_is_cut_off(open_page, address, widths):
    screen = open_page(f"{address}/{LARGE}", width=widths[0]).painted()
    for _ in screen.looks(widths):
        until(screen.page, screen.fits)
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
    screen.visit("Explore").painted()
    page.locator(".view.graph title", has_text=nasty).first.wait_for(state="attached")
    assert screen.problems == []


def test_a_state_that_is_clicked_is_known_and_every_node_answers(open_page, address):
    screen = open_page(f"{address}/{SMALL}").painted()
    graph = screen.page.locator(".view.graph")
    graph.get_by_role("button", name="answers", exact=True).click()
    graph.locator(".node .state").first.wait_for()
    node = graph.locator(".node[aria-label^='xray']")
    before = node.locator(".state-value").first.text_content()
    graph.locator(".node[aria-label^='lung'] .state").first.click()
    graph.locator(".node.given").wait_for()
    until(screen.page, lambda: node.locator(".state-value").first.text_content() != before)
    expect(graph.locator(".node.faint")).to_have_count(2)  # asia and tub
    screen.nudge("ArrowLeft")
    assert graph.locator(".node.given").count() == 1
    graph.get_by_role("button", name="Forget what is known").click()
    expect(graph.locator(".node.given")).to_have_count(0)
    assert screen.problems == []


def test_an_edge_edit_moves_no_box(open_page, address):
    screen = open_page(f"{address}/{LARGE}").painted()
    graph = screen.page.locator(".view.graph")
    before = screen.page.evaluate(SPOTS)
    graph.get_by_role("button", name="Edit edges").click()
    press(screen.page, graph.get_by_label("edge from LVEDVOLUME to CVP"), "Delete")
    graph.get_by_role("button", name="Restore").wait_for()
    until(screen.page, lambda: graph.get_by_label("edge from LVEDVOLUME to CVP").count() == 0)
    assert screen.page.evaluate(SPOTS) == before


def test_epsilon_stays_in_reach_without_the_sidebar(open_page, address):
    screen = open_page(f"{address}/{SMALL}").painted(1)
    page = screen.page
    expect(page.locator(".scenario")).to_be_hidden()
    page.locator("[data-testid=stSidebar]").hover()
    page.locator("[data-testid=stSidebarCollapseButton] button").click()
    strip = page.locator(".scenario").get_by_role("slider", name="ε total budget")
    strip.wait_for()
    strip.press("ArrowRight")
    screen.painted(MORE).addressed("eps", str(MORE))
    expect(page.locator(".st-key-eps input")).to_have_value(str(MORE))
    assert screen.epsilon == MORE
    assert screen.problems == []


def test_a_projector_is_used_to_its_width(open_page, address):
    screen = open_page(f"{address}/{LARGE}", width=1920).painted()
    board = screen.page.locator(".board").bounding_box()
    assert board["x"] + board["width"] > 1920 - 60
    size = screen.page.locator(".node .name").first.evaluate(
        "(e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a"
    )
    assert size >= 12.5


@pytest.mark.parametrize(
    ("name", "knob", "key"), [("β share", "split", "beta"), ("γ sampling", "rate", "gamma")]
)
def test_beta_and_gamma_answer_while_they_are_dragged(open_page, address, name, knob, key):
    screen = open_page(f"{address}/{SMALL}").painted(1)
    page = screen.page
    board = page.locator(".board")
    before = board.get_attribute(f"data-{knob}")
    slider = page.get_by_role("slider", name=name)
    drag(page, slider, 0.12, lambda: board.get_attribute(f"data-{knob}"), 4)
    until(page, lambda: screen.parameter(key) == board.get_attribute(f"data-{knob}") != before)
