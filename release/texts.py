"""Texts that files, ledger and screen can hold: refused before anything is spent on them."""

from __future__ import annotations

from core.errors import EquipoiseError
from core.network import Network


def check_text(what: str, text: str) -> None:
    """Refuse a text that UTF-8 cannot hold: half of a character, or bytes of another encoding."""
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        raise EquipoiseError(
            f"{what} holds {text[problem.start]!a}, which is no character that a file can hold; "
            "write it in UTF-8"
        ) from None


def check_names(network: Network) -> None:
    """Refuse a network with a variable or state that no file can hold."""
    for variable in network.variables:
        check_text(f"the name of the variable {variable.name!a}", variable.name)
        for state in variable.states:
            check_text(f"a state of the variable {variable.name!a}", state)
