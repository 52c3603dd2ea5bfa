"""Who may sign, whose ledger is whose, and where a server without login listens."""

import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import visitors
from pages.ui.release import place as places
from release.ledger.book import Ledger
from tests.browser.serving import free_port
from tests.pages.releasing import confirm, overrule, published, spend_button, stated, uploaded

ROOT = Path(__file__).parent.parent.parent
SETTINGS = {
    "signers": ["Ada@example.org"],
    "ledgers": {"clinic": ["ada@example.org", "bob@example.org"], "../x": ["eve@example.org"]},
}


@pytest.fixture
def logged_in(monkeypatch):
    """Log somebody in."""

    def come(who):
        monkeypatch.setattr(visitors, "login_required", lambda: True)
        monkeypatch.setattr(visitors, "visitor", lambda: who)
        monkeypatch.setattr(visitors, "_settings", lambda: SETTINGS)

    return come


@pytest.mark.parametrize(
    ("who", "may"), [("ada@example.org", True), ("bob@example.org", False), ("", False)]
)
def test_who_may_sign_is_in_a_list(logged_in, who, may):
    logged_in(who)
    assert (visitors.refusal(sampled=False) == "") == may
    assert visitors.refusal(sampled=True) == "", "made-up records are nobody's"


def test_a_ledger_is_opened_for_its_people_alone(logged_in, monkeypatch, tmp_path):
    monkeypatch.setenv(places.VARIABLE, str(tmp_path / "ledger.db"))
    paths = {}
    for who in ("ada", "bob", "carl", "dora"):
        logged_in(f"{who}@example.org")
        paths[who] = places.default_path()
    assert paths["ada"] == paths["bob"] == tmp_path / "shared-clinic" / "ledger.db"
    assert len(set(paths.values())) == 3
    assert all("example" not in str(path) for path in paths.values())
    for who in ("eve@example.org", ""):
        logged_in(who)
        with pytest.raises(EquipoiseError):
            places.default_path()


def test_a_release_bears_the_name_of_who_logged_in(open_app, ledger, logged_in):
    logged_in("bob@example.org")
    screen = confirm(stated(uploaded(open_app, eps="1"), budget=1.5))
    assert spend_button(screen).disabled
    assert any("not in this server's list of who may sign" in c.value for c in screen.at.caption)
    logged_in("ada@example.org")
    overrule(screen.at.run() and screen, "risk", signed="")
    published(confirm(screen))
    (account,) = Ledger(ledger.parent / "shared-clinic" / ledger.name).accounts()
    (line,) = account.lines
    assert line.signed == "ada@example.org"
    assert "(signed: ada@example.org)" in line.override
    dossier = Path(line.directory) / line.id / "dossier.html"
    assert "signed by: </strong>ada@example.org" in dossier.read_text(encoding="utf-8")
    assert not ledger.exists()


@pytest.mark.parametrize(
    ("address", "may"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("", False), ("0.0.0.0", False),
     ("192.0.2.7", False), ("example.org", False)],
)  # fmt: skip
def test_without_login_only_this_machine_is_listened_to(monkeypatch, address, may):
    monkeypatch.setattr(visitors, "login_required", lambda: False)
    monkeypatch.setattr(st, "get_option", lambda _: address)
    assert (visitors.closed_to() == "") == may
    monkeypatch.setenv(visitors.OPEN, "1")
    assert (visitors.closed_to() == "") == may, "a switch is not so many words"
    monkeypatch.setenv(visitors.OPEN, visitors.OPENED)
    assert visitors.closed_to() == ""
    monkeypatch.delenv(visitors.OPEN)
    monkeypatch.setattr(visitors, "login_required", lambda: True)
    assert visitors.closed_to() == ""


def test_the_server_ends_where_it_must_not_listen():
    told = ["--server.address", "0.0.0.0", "--server.port", str(free_port())]
    command = [sys.executable, "-m", "streamlit", "run", "serve.py", *told]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "Equipoise would listen on 0.0.0.0 without a login" in done.stdout + done.stderr
