"""A page that is closed while it computes, and a server that is started anew under an open page."""

import re

import pytest
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from tests.browser import erring
from tests.browser.screen import at_rest, until, use_data
from tests.browser.serving import PORT, choose, free_port, running
from tests.browser.test_release import files

pytestmark = pytest.mark.browser

ENDED = re.compile(
    "ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|No response .* /_stcore/health"
)
"""What a browser and Streamlit say of a server that ends, or is not there yet."""

AT_WORK = re.compile(r"\b[1-9]\d* of \d+ points")
CONNECTED = "[data-test-connection-state=CONNECTED]"
SWEEP = "compare-methods?network=asia&records=300&replicates=10"


def test_a_page_closed_in_mid_sweep_makes_room(open_page, address, hold):
    """Two visitors compute, a third waits; they close their pages, and the third computes."""
    hold(2)
    pages = [open_page(f"{address}/{SWEEP}&seed={seed}").page for seed in range(3)]
    for page in pages[:2]:
        page.get_by_text(AT_WORK).wait_for()
    pages[2].get_by_text("0 of 90 points, starting").wait_for()
    for page in pages[:2]:
        page.goto("about:blank")
    pages[2].get_by_text(AT_WORK).wait_for()
    hold(None)
    pages[2].locator(".st-key-compare_stop").wait_for(state="detached")
    expect(pages[2].locator(".view.frontier0 table.found tbody tr")).to_have_count(10)


def moved(screen):
    """The ε of the slider once the board follows; what the new server does not know yet is lost."""
    at_rest(screen.page)
    slider = screen.page.get_by_role("slider", name="ε total budget").first
    slider.press("ArrowRight")
    shown = slider.get_attribute("aria-valuetext").removeprefix("ε ")
    try:
        screen.page.wait_for_selector(f".board[data-epsilon='{shown}']", timeout=15_000)
    except Late:
        return None
    return shown


def test_a_server_started_anew_under_an_open_page_says_what_is_gone(open_page, tmp_path):
    """What was public goes on with the same numbers; that an upload is gone is said."""
    files(tmp_path, "smokes", "coughs", ("never", "often"))
    port, shown = (PORT, str(free_port())), "explore-tradeoff?network=asia&replicates=20"
    with running("serve.py", *port) as (address, _):
        public = open_page(f"{address}/{shown}").painted(1)
        private = open_page(f"{address}/load-data?eps=0.5")
        page = private.page
        choose(page, "data_file", tmp_path / "people.csv")
        page.get_by_text("2 used, 0 left out").wait_for()
        choose(page, "dag_file", tmp_path / "edges.csv")
        use_data(page)
        page.get_by_text("In use: 400 records").wait_for()
        both = public, private
        for screen in both:
            at_rest(screen.page)
    for screen in both:
        screen.page.locator(f".stApp:not({CONNECTED})").wait_for()
    with running("serve.py", *port):
        for screen in both:
            screen.page.locator(f".stApp{CONNECTED}").wait_for()
        steps = []
        until(public.page, lambda: steps.append(moved(public)) or steps[-1])
        assert float(steps[-1]) > 1
        fresh = open_page(f"{address}/{shown}&eps={steps[-1]}").painted(steps[-1])
        until(fresh.page, lambda: public.text(".finding") == fresh.text(".finding"))
        private.visit("Explore").painted()
        page.get_by_text("The upload is not in this server's memory").wait_for()
        for screen in both:
            assert [problem for problem in screen.problems if not ENDED.search(problem)] == []


def test_an_error_of_ours_is_one_sentence_and_its_cause_is_in_the_log_alone(open_page, tmp_path):
    log, sent = tmp_path / "log", []
    with running("serve.py", log=log, module="tests.browser.erring") as (address, _):
        page = open_page(f"{address}/load-data").page
        page.on("websocket", lambda one: one.on("framereceived", lambda data: sent.append(data)))
        page.goto(f"{address}/explore-tradeoff?network=asia")
        page.get_by_text("Something broke here, and nothing was published").wait_for()
        told = page.content()
    frames = [one if isinstance(one, bytes) else one.encode() for one in sent]
    assert frames and not any(erring.SECRET.encode() in one for one in frames)
    assert erring.SECRET not in told and "Traceback" not in told
    assert erring.SECRET in log.read_text()
