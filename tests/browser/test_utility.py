"""Utility in a real browser: measured in the background, asked, played."""

import pytest

from tests.browser.serving import choose

pytestmark = pytest.mark.browser


def open_utility(open_page, address, query="network=asia&replicates=20", **options):
    screen = open_page(f"{address}/measure-utility?{query}", **options)
    screen.page.wait_for_selector(".utility[data-epsilon]", timeout=60_000)
    return screen


COUNTS = """(board) => [".ring", "circle:not(.ring)"].map(
  (kind) => board.querySelectorAll(`.lines ${kind}`).length)"""


def measured(screen):
    """Wait until all points of all curves are there: four charts, four methods, nine budgets."""
    board, counts = screen.page.locator(".board.utility"), [0, 0]
    for _ in range(400):
        counts = board.evaluate(COUNTS)
        if counts[0] >= 16 and counts[1] >= 144:
            return screen
        screen.page.wait_for_timeout(300)
    progress = screen.page.locator("[data-testid=stProgress]").all_inner_texts()
    raise AssertionError(f"rings and dots {counts}, progress {progress}")


def test_it_measures_by_itself_and_says_what_epsilon_buys(open_page, address):
    screen = measured(open_utility(open_page, address))
    assert "At ε = 1 the answer to a question is off by" in screen.text(".utility .finding")
    rows = screen.page.locator(".match tbody tr")
    assert rows.count() == 4
    assert "1.00×" in rows.nth(0).inner_text()
    assert screen.page.locator(".view.points circle").count() == 16
    assert screen.problems == [] and screen.outside == []


def test_epsilon_marks_the_curves_and_measures_nothing_again(open_page, address):
    screen = measured(open_utility(open_page, address))
    page = screen.page
    before = page.locator(".lines .median").first.get_attribute("d")
    mark = page.locator(".lines .now").first.get_attribute("x1")
    page.get_by_role("slider", name="ε total budget").press("ArrowRight")
    page.wait_for_selector(".utility:not([data-epsilon='1'])", timeout=30_000)
    assert page.locator(".lines .median").first.get_attribute("d") == before
    assert page.locator(".lines .now").first.get_attribute("x1") != mark


def test_stop_keeps_what_is_measured(open_page, address):
    screen = open_utility(open_page, address, "network=alarm&replicates=300")
    page = screen.page
    page.locator(".st-key-utility_stop button").click()  # Streamlit has a Stop of its own
    page.get_by_text("they are kept").wait_for(timeout=30_000)
    page.get_by_role("button", name="Measure the rest").wait_for(timeout=10_000)
    assert screen.problems == []


def test_single_releases_play_one_after_the_other(open_page, address):
    screen = measured(open_utility(open_page, address))
    page = screen.page
    page.get_by_role("button", name="Play single releases").click()
    page.get_by_text("release 2 of 20").wait_for(timeout=5_000)
    assert page.locator(".answers .dot:visible").count() == 8
    page.get_by_role("button", name="Next").click()
    page.locator(".answers").get_by_role("button", name="Stop").click()
    assert page.locator(".answers .dot:visible").count() == 0
    assert "to" in page.locator(".answers td.range").first.inner_text()


def test_the_most_probable_explanation_is_compared_state_by_state(open_page, address):
    page = open_utility(open_page, address).page
    page.get_by_text("the most probable explanation").first.click()
    page.get_by_text("Most probable explanation of smoke = yes").wait_for(timeout=10_000)
    assert page.locator(".answers-table tbody tr").count() == 7
    assert "%" in page.locator(".agree").first.inner_text()


@pytest.mark.parametrize("width", [1440, 800, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off(open_page, address, width, scheme):
    screen = open_utility(open_page, address, width=width, scheme=scheme)
    measured(screen)
    assert screen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    boxes = screen.page.locator(".lines .plot text").evaluate_all(
        "(all) => all.map((t) => t.getBoundingClientRect().right)"
    )
    assert max(boxes) <= width
    assert screen.problems == []


def test_a_name_that_is_a_script_is_shown_and_never_run(open_page, address, tmp_path):
    from tests.unit.test_cli_files import PAIR

    nasty = "<script>alert(1)</script>"
    text = PAIR.replace("variable a", f'variable "{nasty}"').replace("( a )", f'( "{nasty}" )')
    (tmp_path / "n.bif").write_text(text.replace("| a )", f'| "{nasty}" )'), encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    page.get_by_text("Choose a file.").wait_for(timeout=30_000)
    choose(page, "dag_file", tmp_path / "n.bif")
    page.get_by_role("button", name="Use this data").click()
    page.get_by_text("In use:").wait_for(timeout=20_000)
    for link in ("Allocate", "Utility"):
        page.get_by_role("link", name=link).first.click()
        page.wait_for_selector(".board[data-epsilon]", timeout=30_000)
        page.get_by_text(nasty).first.wait_for(timeout=20_000)
        assert "alert" not in page.url
    assert screen.problems == []
