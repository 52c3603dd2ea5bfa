"""Versions: what computed a review or a release."""

import importlib.metadata
import platform
import tomllib
from pathlib import Path

from core.errors import EquipoiseError
from core.network import Network


def versions() -> tuple[tuple[str, str], ...]:
    """Name and version of everything that draws or computes."""
    project = Path(__file__).parent.parent / "pyproject.toml"
    own = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    packages = ((name, importlib.metadata.version(name)) for name in ("numpy", "opendp"))
    return (("equipoise", own), ("python", platform.python_version()), *packages)


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
