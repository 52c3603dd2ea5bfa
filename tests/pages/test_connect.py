"""Connect on Data: counts come, rows stay, and no address is ever shown."""

import logging
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from core import parallel
from core.counts import Rows
from core.inference.sampling import sample as draw
from pages.ui.data import connect
from sources import parquet_folder
from sources.networks import sample
from tests.pages.releasing import QUICK, confirm, letters, lines, overrule, published, stated

PASSWORD = "pl4nted-s3cret"
ASIA = sample("asia")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The server's folder with two Parquet files, a CSV and a DuckDB file of asia."""
    within = tmp_path / "files"
    within.mkdir()
    rows = draw(ASIA.model, 400, rng=np.random.default_rng(3))
    table = pa.table(
        {v.name: [v.states[c] for c in rows.codes[:, j]] for j, v in enumerate(rows.variables)}
    )
    pa.parquet.write_table(table.slice(0, 150), within / "a.parquet")
    pa.parquet.write_table(table.slice(150), within / "b.parquet")
    table.to_pandas().to_csv(within / "c.csv", index=False)
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(within / "d.duckdb")) as link:
        link.execute(f"create table visits as select * from '{within}/*.parquet'")
    monkeypatch.setenv("EQUIPOISE_FILES", str(within))
    return within, rows


def connected(screen, network="asia", wait=True, **said):
    screen.visit("load_data")
    screen.at.selectbox(key="connect_network").set_value(network)
    for key, value in said.items():
        kind = screen.at.selectbox if key == "connect_to" else screen.at.text_input
        kind(key=key).set_value(value).run()
    screen.at.button(key="connect_now").click().run()
    return counted(screen) if wait else screen


def counted(screen):
    """Once the job has ended and the page has said so."""
    screen.at.session_state["jobs"]["connect"].wait(60)
    if screen.at.session_state["session"].upload is None and not screen.errors:
        screen.at.run()
    return screen


def everything(screen):
    """All that is on the page, in the session and in the address, as text."""
    shown = " ".join(repr(element) for element in screen.at.main)
    return f"{shown} {screen.at.session_state!r} {dict(screen.at.query_params)}"


@pytest.mark.parametrize(
    ("path", "table"),
    [("*.parquet", ""), ("", ""), ("c.csv", ""), ("d.duckdb", "visits"), ("a*", "")],
)
def test_counts_are_those_of_the_rows_in_memory(open_app, folder, path, table):
    screen = connected(open_app(**QUICK), connect_path=path or ".", connect_table=table)
    assert screen.errors == []
    study = screen.at.session_state["session"].upload
    assert study.connected
    own = folder[1].codes[:150] if path == "a*" else folder[1].codes
    assert study.records == len(own)
    if path != "a*":
        expected = Rows(folder[1]).counts(study.network.families)
        for got, want in zip(study.counts.counts(study.network.families), expected, strict=True):
            np.testing.assert_array_equal(got.values, want.values)


def test_what_leads_out_of_the_folder_is_refused(open_app, folder, tmp_path):
    (tmp_path / "secret.parquet").write_bytes((folder[0] / "a.parquet").read_bytes())
    (folder[0] / "link.parquet").symlink_to(tmp_path / "secret.parquet")
    for path in ("../secret.parquet", str(tmp_path / "secret.parquet"), "link.parquet", "nothing*"):
        screen = connected(open_app(**QUICK), connect_path=path)
        assert len(screen.errors) == 1
        assert screen.at.session_state["session"].upload is None


def test_a_duckdb_file_without_its_table_is_told_so(open_app, folder):
    screen = connected(open_app(**QUICK), connect_path="d.duckdb")
    assert ["name its table too" in e for e in screen.errors] == [True]


ADDRESSES = {
    "refused by the server": f"postgresql://me:{PASSWORD}@127.0.0.1:9/db?table=t",
    "no table": f"postgresql://me:{PASSWORD}@127.0.0.1:9/db",
    "no such port": f"postgresql://me:{PASSWORD}@127.0.0.1:port/db?table=t",
    "an option nobody knows": f"postgresql://127.0.0.1:9/db?table=t&{PASSWORD}=1",
    "an engine nobody knows": f"mysql://me:{PASSWORD}@host/db?table=t",
    "no address": PASSWORD,
    "a file that is not there": f"duckdb:///{PASSWORD}/x.db?table=t",
    "another variable": f"env:{PASSWORD}",
}


@pytest.mark.parametrize("case", ADDRESSES)
def test_no_failure_repeats_the_address(open_app, monkeypatch, caplog, capfd, case):
    monkeypatch.setenv(f"{connect.NAMED}REGISTER", ADDRESSES[case])
    caplog.set_level(logging.DEBUG)
    screen = connected(open_app(**QUICK), connect_to="REGISTER")
    assert len(screen.errors) == 1
    assert screen.errors[0].count(". ") <= 1
    heard = capfd.readouterr()
    for text in (everything(screen), *screen.errors, caplog.text, heard.out, heard.err):
        assert PASSWORD not in text
    assert screen.at.session_state["session"].upload is None


def test_a_connection_is_used_by_every_page_and_kept_nowhere(open_app, folder, monkeypatch):
    monkeypatch.setenv(f"{connect.NAMED}REGISTER", f"duckdb://{folder[0]}/d.duckdb?table=visits")
    screen = connected(open_app(**QUICK), connect_to="REGISTER")
    assert screen.errors == []
    assert "asia, 400 records of DuckDB visits" in letters(screen.at.success[-1].value)
    assert str(folder[0]) not in everything(screen)
    for page in ("explore_tradeoff", "allocate_budget", "measure_utility", "review_release"):
        screen.visit(page)
        assert screen.errors == [], page
    assert "work" not in screen.at.session_state or screen.at.session_state["work"] is None


@pytest.mark.parametrize(
    ("page", "key"), [("assess_risk", "risk_rows"), ("synthesise_data", "synth_rows")]
)
def test_what_needs_rows_offers_public_and_charged_ones(open_app, folder, page, key):
    screen = connected(open_app(**QUICK), connect_path="*.parquet").visit(page)
    assert screen.errors == []
    assert any("needs rows" in letters(e.value) for e in screen.at.info)
    assert "risk_attack" not in {b.key for b in screen.at.button}
    screen.at.button(key=f"{key}_public").click().run()
    assert screen.errors == []
    assert screen.at.session_state["network"] == "asia"
    assert screen.at.session_state["session"].upload.connected  # waits in the sidebar
    assert f"{key}_public" not in {b.key for b in screen.at.button}


def test_a_count_shows_how_far_it_is_and_can_be_stopped(open_app, folder, monkeypatch):
    reached, going = threading.Event(), threading.Event()
    task = parquet_folder.count_task

    def slow(question, groups):
        reached.set()
        assert going.wait(60)
        return task(question, groups)

    monkeypatch.setattr(parquet_folder, "count_task", slow)
    monkeypatch.setattr(parallel, "PATIENCE", 600.0)
    screen = connected(open_app(**QUICK), connect_path="*.parquet", wait=False)
    assert reached.wait(60)
    screen.at.run()
    assert "0 of 400 rows counted" in screen.at.get("progress")[0].proto.text
    screen.at.button(key="connect_stop").click()
    screen.at.run()
    going.set()
    counted(screen)
    assert ["count was stopped" in e for e in screen.errors] == [True]
    assert screen.at.session_state["session"].upload is None
    screen.at.button(key="connect_now").click().run()
    assert counted(screen).at.session_state["session"].upload.records == 400


def test_a_connection_of_the_secrets_is_named_and_never_shown(open_app, folder, monkeypatch):
    address = f"duckdb://{folder[0]}/d.duckdb?table=visits"
    monkeypatch.setattr(connect.st, "secrets", {"connections": {"VISITS": address}})
    screen = connected(open_app(**QUICK), connect_to="VISITS")
    assert screen.errors == []
    assert screen.at.session_state["session"].upload.records == 400
    assert str(folder[0]) not in everything(screen)


@pytest.mark.usefixtures("ledger")
def test_a_release_from_a_connection_on_the_page(open_app, folder):
    screen = connected(open_app(**QUICK, eps="1"), connect_path="*.parquet")
    stated(screen.visit("review_release"), records=400)
    overrule(screen, *(k for k, line in lines(screen).items() if line["state"] == "fail"))
    published(confirm(screen))
    (outcome,) = next(iter(screen.at.session_state["release_outcomes"].values()))
    assert outcome.published.model.network == ASIA.network
    assert screen.errors == []


@pytest.mark.usefixtures("ledger")
def test_privbayes_learns_its_graph_from_a_connection_on_the_page(open_app, folder):
    screen = connected(open_app(**QUICK, eps="1"), connect_path="*.parquet")
    stated(screen.visit("review_release"), records=400)
    screen.at.selectbox(key="release_method_0").set_value("privbayes-plus").run()
    assert lines(screen)["structure"]["number"] == "to be learned"
    overrule(screen, *(k for k, line in lines(screen).items() if line["state"] == "fail"))
    published(confirm(screen))
    (outcome,) = next(iter(screen.at.session_state["release_outcomes"].values()))
    assert set(outcome.published.model.network.names) == set(ASIA.network.names)
    assert screen.errors == []


def test_without_a_folder_or_a_name_it_is_off(open_app, monkeypatch):
    monkeypatch.delenv("EQUIPOISE_FILES", raising=False)
    screen = open_app(**QUICK).visit("load_data")
    assert "connect_now" not in {b.key for b in screen.at.button}
