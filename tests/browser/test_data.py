"""The Data page in a real browser: a steward's file, and one that is too large."""

import re

import pytest

from tests.browser.serving import choose
from tests.unit.test_cli_files import PAIR

pytestmark = pytest.mark.browser


def test_a_steward_brings_records_and_a_network(open_page, address, tmp_path):
    (tmp_path / "d.csv").write_text("a,b\n" + "yes,no\n" * 70 + "no,yes\n" * 30, encoding="utf-8")
    (tmp_path / "n.bif").write_text(PAIR, encoding="utf-8")
    screen = open_page(f"{address}/load-data")
    page = screen.page
    choose(page, "data_file", tmp_path / "d.csv")
    page.get_by_text("Read the records against").wait_for()
    choose(page, "dag_file", tmp_path / "n.bif")
    page.get_by_text("100 records, 2 columns understood").wait_for()
    page.get_by_role("button", name="Use this data").click()
    page.get_by_text("In use: 100 records").wait_for()
    page.get_by_role("link", name="Explore").first.click()
    screen.painted()
    assert "your upload (2 nodes, 1 edge), 100 records" in page.locator(
        "section[data-testid=stSidebar]"
    ).inner_text().replace("\n", " ")
    assert "d.csv" not in page.url
    assert "n.bif" not in page.url
    assert screen.problems == []


def test_a_file_over_the_limit_is_refused_and_the_page_stays(open_page, address, tmp_path):
    with (tmp_path / "big.csv").open("wb") as file:
        file.truncate(21 * 2**20)
    screen = open_page(f"{address}/load-data")
    choose(screen.page, "data_file", tmp_path / "big.csv")
    refused = re.compile("20[.0]* ?MB or smaller|exceed", re.IGNORECASE)
    screen.page.locator(".st-key-data_file", has_text=refused).wait_for()
    assert screen.page.get_by_role("button", name="Use this data").count() == 0
