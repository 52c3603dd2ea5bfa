"""Versions: what computed a review or a release."""

from __future__ import annotations

import importlib.metadata
import platform
import tomllib
from pathlib import Path


def versions() -> tuple[tuple[str, str], ...]:
    """Name and version of everything that draws or computes."""
    project = Path(__file__).parent.parent / "pyproject.toml"
    own = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    packages = ((name, importlib.metadata.version(name)) for name in ("numpy", "opendp"))
    return (("equipoise", own), ("python", platform.python_version()), *packages)
