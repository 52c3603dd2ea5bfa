"""Who uses a shared server: logged in by Streamlit's own OIDC, and who of them may sign.

``.streamlit/secrets.toml`` says both; without its ``[auth]`` there is no login, and the server
listens to its own machine alone::

    [auth]                      # as Streamlit's documentation has it
    [equipoise]
    signers = ["ada@example.org"]
    [equipoise.ledgers]         # who shares a ledger; everybody else has one of their own
    clinic = ["ada@example.org", "bob@example.org"]
"""

import hashlib
import ipaddress
import os
import re
from collections.abc import Mapping

import streamlit as st
from streamlit.auth_util import get_secrets_auth_section
from streamlit.runtime import exists

from core.errors import EquipoiseError
from pages.ui.kit.markdown import literal

OPEN = "EQUIPOISE_OPEN"
OPENED = "anyone who can reach this server may use it"
"""What the environment must say before a server without login listens to other machines."""


def login_required() -> bool:
    """Whether people have to say who they are."""
    return bool(get_secrets_auth_section())


def visitor() -> str:
    """The address of who is logged in; empty without login, or where it is not verified."""
    if not login_required() or not st.user.is_logged_in:
        return ""
    verified = st.user.get("email_verified", True) in (True, "true")
    return str(st.user.get("email") or "").strip().lower() if verified else ""


def refusal(*, sampled: bool) -> str:
    """Why this person may not sign a release; empty where they may, or where nobody logs in.

    Records ``sampled`` from a public network are nobody's: everybody may try with them.
    """
    if sampled or not login_required():
        return ""
    who = visitor()
    if who and who in _listed(_settings().get("signers")):
        return ""
    return (
        f"{who or 'Nobody'} is not in this server's list of who may sign; ask its administrator, "
        "or have one of them publish"
    )


def ledger_folder() -> str:
    """The folder of this person's ledger beside all others'; empty without login."""
    if not login_required():
        return ""
    who = visitor()
    if not who:
        raise EquipoiseError("nobody is logged in; log in to see your ledger")
    shared = _settings().get("ledgers", {})
    for name, people in shared.items() if isinstance(shared, Mapping) else ():
        if who in _listed(people):
            if not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", name):
                raise EquipoiseError(
                    f"the ledger {name!r} of secrets.toml is no name; use small letters, digits "
                    "and hyphens"
                )
            return f"shared-{name}"
    return f"own-{hashlib.sha256(who.encode()).hexdigest()[:16]}"


def gate() -> None:
    """Let in who may come in; everybody else sees a button to log in, and nothing more."""
    if exists() and (closed := closed_to()):
        st.error(literal(closed), icon=":material/lock:")
        st.stop()
    if not login_required():
        return
    who = visitor()
    if not who:
        st.title("Equipoise")
        if st.user.is_logged_in:
            st.error("This account has no verified address; log in with another.")
            st.button("Log out", on_click=st.logout)
        else:
            st.write("This server is for people it knows. Log in to go on.")
            st.button("Log in", type="primary", on_click=st.login)
        st.stop()
    with st.sidebar.container(horizontal=True, key="visitor"):
        st.caption(literal(who))
        st.button("Log out", on_click=st.logout, type="tertiary")


def closed_to() -> str:
    """Why the server must not listen where it is told to; empty where it may."""
    address = str(st.get_option("server.address") or "")
    if login_required() or _loopback(address) or os.environ.get(OPEN, "").strip() == OPENED:
        return ""
    return (
        f"Equipoise would listen on {address or 'every address'} without a login; configure one "
        f"in .streamlit/secrets.toml (SECURITY.md), or set {OPEN} to '{OPENED}'"
    )


def _loopback(address: str) -> bool:
    try:
        return address == "localhost" or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.startswith("unix://")


def _settings() -> Mapping[str, object]:
    settings = st.secrets.get("equipoise", {})
    return settings if isinstance(settings, Mapping) else {}


def _listed(people: object) -> set[str]:
    return {str(one).strip().lower() for one in people} if isinstance(people, list) else set()
