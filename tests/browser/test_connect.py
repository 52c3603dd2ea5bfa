"""Connect in a real browser: a table that stays where it is, from its name to a picture."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from core.inference.sampling import sample as draw
from sources.networks import sample
from tests.browser.screen import OVERFLOW, at_rest, take, until
from tests.browser.serving import running

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path):
    """A server that may read a folder and knows one connection by its name."""
    duckdb = pytest.importorskip("duckdb")
    files = tmp_path / "files"
    files.mkdir()
    rows = draw(sample("asia").model, 3000, rng=np.random.default_rng(3))
    table = pa.table(
        {v.name: [v.states[c] for c in rows.codes[:, j]] for j, v in enumerate(rows.variables)}
    )
    pa.parquet.write_table(table, files / "visits.parquet")
    with duckdb.connect(str(tmp_path / "hidden.duckdb")) as link:
        link.execute(f"create table visits as select * from '{files}/*.parquet'")
    address = f"duckdb://{tmp_path}/hidden.duckdb?table=visits"
    with running(
        environment={"EQUIPOISE_FILES": str(files)},
        secrets=lambda _: f'[connections]\nREGISTER = "{address}"\n',
    ) as (served, _):
        yield served


def select(page, key, choice):
    take(page, page.locator(f".st-key-{key}").get_by_role("combobox"), choice)


def count(page):
    page.get_by_role("button", name="Count the records there").click()


def test_a_steward_connects_and_looks_without_rows(open_page, server, tmp_path):
    screen = open_page(f"{server}/load-data")
    page = screen.page
    page.locator(".st-key-connect summary").click()
    select(page, "connect_network", "asia")
    page.locator(".st-key-connect_path input").fill("../hidden.duckdb")
    page.keyboard.press("Tab")
    at_rest(page)
    count(page)
    page.get_by_text("is not in the folder that this server reads").wait_for()
    page.get_by_text("what was on screen before is still there").wait_for()
    select(page, "connect_to", "REGISTER")
    count(page)
    page.get_by_text("Connected: asia, 3,000 records").wait_for()
    for width in (1440, 800):
        page.set_viewport_size({"width": width, "height": 1000})
        until(page, lambda: page.evaluate(OVERFLOW) <= 0)
    assert str(tmp_path) not in page.content()
    assert "hidden" not in page.url
    screen.visit("Risk")
    page.get_by_text("This needs rows").first.wait_for()
    page.get_by_role("button", name="Made-up records of this network").first.click()
    page.get_by_role("button", name="Run the attack").wait_for()
    assert screen.problems == []
