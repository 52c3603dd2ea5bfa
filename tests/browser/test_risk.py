"""Risk in a real browser: live, attackable, stoppable, silent about individuals."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.screen import SIZES, pick, press, until, use_data
from tests.browser.serving import choose

pytestmark = pytest.mark.browser

FINDING = ".finding:not([hidden])"
LABELS = ("zq-never", "zq-often", "zq-always")


def risk(open_page, address, query="network=alarm", **options):
    screen = open_page(f"{address}/assess-risk?{query}", **options).painted()
    screen.page.get_by_text("By the published bound: exact conditionals").wait_for()
    return screen


def test_start_up_is_complete_and_loads_nothing_from_outside(open_page, address):
    screen = risk(open_page, address)
    page = screen.page
    assert "the best attacker on this release sorts at most" in screen.text(FINDING)
    page.locator(".view.tradeoff .scatterlayer .trace").nth(5).wait_for()
    page.locator(".view.accuse .point").nth(99).wait_for()
    expect(page.locator(".view.accuse .point")).to_have_count(100)
    expect(page.locator(".view.nodes .bars .point")).to_have_count(13)
    expect(page.locator(".view.review tbody tr")).to_have_count(7)
    expect(page.locator(".view.rails tbody tr")).to_have_count(8)
    assert "rare records allow" in screen.text(".view.tradeoff > .caption")
    assert screen.problems == []
    assert screen.outside == []


def test_arrow_keys_on_the_slider_move_curves_words_and_grid(open_page, address):
    screen = risk(open_page, address).painted(1)
    page = screen.page
    page.locator(".view.accuse .point").nth(99).wait_for()
    names = (".view.tradeoff .scatterlayer", ".view.accuse .found", ".view.review tbody")
    parts = [page.locator(name) for name in names]
    before = [part.inner_html() for part in parts]
    screen.nudge()
    for part, old in zip(parts, before, strict=True):
        until(page, lambda part=part, old=old: part.inner_html() != old)


def test_scales_hover_and_hidden_curves(open_page, address):
    screen = risk(open_page, address)
    page, view = screen.page, screen.page.locator(".view.tradeoff")
    lines = view.locator(".scatterlayer .trace path.js-line")
    lines.nth(5).wait_for()
    drawn = {lines.nth(3).get_attribute("d")}
    for mode in ("linear", "ratio"):
        view.get_by_role("button", name=mode).click()
        until(page, lambda: lines.nth(3).get_attribute("d") not in drawn)
        drawn.add(lines.nth(3).get_attribute("d"))
    before = lines.count()
    view.get_by_role("button", name="guessing").click()
    expect(lines).to_have_count(before - 2)  # the curve, and the line to its name
    assert screen.problems == []


def test_accusations_follow_the_suspects(open_page, address):
    screen = risk(open_page, address)
    page = screen.page
    said = page.locator(".view.accuse .subtitle")
    expect(said).to_contain_text("If 1 in 100 of the people an attacker suspects are members")
    page.get_by_role("slider", name="Members among suspects").press("End")
    expect(said).to_contain_text("If half of the people")


def test_thresholds_are_set_by_hand_and_bad_ones_are_refused(open_page, address):
    screen = risk(open_page, address)
    page = screen.page
    row = page.locator(".view.review tbody tr", has_text="composed over")
    expect(row).to_contain_text("✓")
    assert row.inner_text().count("✓") == 4
    field = page.get_by_label("Found at 0.1 % false alarms, at most, %")
    field.fill("0.1")
    field.press("Enter")
    expect(row).to_contain_text("above")
    assert row.inner_text().count("▲") == 1
    expect(page.locator(FINDING)).to_contain_text("misses one of four thresholds")
    field.fill("250")
    field.press("Enter")
    page.get_by_text("A threshold of 250 % for").wait_for()
    expect(field).to_have_value("0.1")
    assert "misses one of four thresholds" in screen.text(FINDING)


def test_an_attack_runs_in_the_background_and_shows_what_it_found(open_page, address):
    screen = risk(open_page, address, "network=asia&records=500")
    page = screen.page
    page.get_by_role("button", name="Run the attack").click()
    page.get_by_text("noise-aware attack, 20 pools").wait_for()
    page.get_by_text("likelihood ratio, 20 pools").wait_for()
    page.get_by_role("button", name="Run the attack").wait_for()
    rings = page.locator(".view.tradeoff .scatterlayer .point")
    rings.nth(3).wait_for()
    whiskers = page.locator(".view.tradeoff .errorbar")
    until(page, lambda: whiskers.count() == rings.count() >= 4)
    assert "Whiskers: 95 % interval over 20 pools" in screen.text(".view.tradeoff > .caption")
    assert screen.problems == []


def test_a_running_attack_is_stopped_and_what_is_done_is_kept(open_page, address, hold):
    hold(2)
    screen = risk(open_page, address, "network=asia&records=500")
    page = screen.page
    pick(page, "risk_pools", "100")
    page.get_by_role("button", name="Run the attack").click()
    page.get_by_text(re.compile(r"Attacking: [1-9]\d* of")).wait_for()
    page.locator(".st-key-attack_stop button").click()  # Streamlit has a Stop of its own
    page.get_by_text("Stopped after").wait_for()
    page.get_by_text("they are kept").wait_for()
    page.get_by_role("button", name="Run the attack").wait_for()


def test_an_edge_removed_here_lowers_the_published_risk(open_page, address):
    screen = risk(open_page, address, "network=asia")
    page, graph = screen.page, screen.page.locator(".view.graph")
    before = screen.text(".view.graph .subtitle")
    graph.get_by_role("button", name="Edit edges").click()
    press(page, graph.get_by_label("edge from smoke to lung"), "Delete")
    graph.get_by_role("button", name="Restore").wait_for()
    assert "C = 17" not in before
    expect(graph.locator(".subtitle")).to_contain_text("C = 17")


def test_nothing_about_anyone_in_the_page_or_its_files(open_page, address, tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{LABELS[a]},{LABELS[b]}" for a, b in rng.integers(0, 3, (90, 2))]
    (tmp_path / "people.csv").write_text("first,second\n" + "\n".join(lines), encoding="utf-8")
    (tmp_path / "e.csv").write_text("parent,child\nfirst,second\n", encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    page.get_by_text("choose a file of records").wait_for()
    choose(page, "data_file", tmp_path / "people.csv")
    page.get_by_text("2 used, 0 left out").wait_for()
    choose(page, "dag_file", tmp_path / "e.csv")
    page.get_by_text("90 records, 2 columns understood").wait_for()
    use_data(page)
    page.get_by_text("In use:").wait_for()
    screen.visit("Risk").painted()
    page.get_by_role("button", name="Run the attack").click()
    page.get_by_text("likelihood ratio, 20 pools").wait_for()
    page.get_by_role("button", name="Run the attack").wait_for()
    texts = [page.locator("[data-testid=stMain]").inner_html()]
    for button in page.locator(".board .file", has_text="CSV").all():
        with page.expect_download() as got:
            button.click()
        texts.append(got.value.path().read_text(encoding="utf-8"))
    assert len(texts) >= 7
    for label in LABELS:
        assert not any(label in text for text in texts)


@pytest.mark.parametrize("widths", SIZES)
def test_nothing_is_cut_off(open_page, address, widths):
    screen = risk(open_page, address, width=widths[0])
    grid, wide = screen.page.locator(".view.review .scroll"), "(e) => e.scrollWidth - e.clientWidth"
    for width in screen.looks(widths):
        until(screen.page, screen.fits)
        until(screen.page, lambda width=width: width < 800 or grid.evaluate(wide) <= 1)
    assert screen.problems == []


def test_the_chart_is_in_view_at_150_per_cent(open_page, address):
    """A screen of 1440 by 900 is one of 960 by 600 then; the sidebar stays open."""
    page = risk(open_page, address, width=960).page
    page.set_viewport_size({"width": 960, "height": 600})
    plot = page.locator(".view.tradeoff .plot")
    until(page, lambda: 0 < plot.bounding_box()["y"] < 470)
