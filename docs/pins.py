"""Hashes of every file of every pinned package: ``python -m docs.pins`` writes ``pins/``.

``requirements*.txt`` say which versions; this asks pip's own index for the SHA-256 of all files of
each, so that any machine may take the one it needs and no other. ``make`` installs from ``pins/``
with ``--require-hashes``.
"""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

from packaging.utils import InvalidSdistFilename, parse_sdist_filename, parse_wheel_filename

ROOT = Path(__file__).parent.parent
PINS = ROOT / "pins"
FILES = {
    "build.txt": ROOT / "requirements-build.txt",
    "app.txt": ROOT / "requirements.txt",
    "dev.txt": ROOT / "requirements-dev.txt",
}
"""What is written -> whose versions it holds."""


class _Links(HTMLParser):
    """Name and SHA-256 of every file on a page of the index that was not withdrawn."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One link for each file; its hash stands behind the address."""
        told = dict(attrs)
        address, mark = urldefrag(told.get("href") or "")
        if tag == "a" and mark.startswith("sha256=") and "data-yanked" not in told:
            self.files.append((address.rpartition("/")[2], mark.removeprefix("sha256=")))


def pinned(requirements: Path) -> Iterator[tuple[str, str]]:
    """Name and version on each line; what it includes is not followed."""
    for line in requirements.read_text(encoding="utf-8").splitlines():
        name, sign, version = line.partition("==")
        if sign and not line.startswith("#"):
            yield name, version


def _index() -> str:
    """Where pip looks on this machine; its own default where nothing is set."""
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if not told:
        from pip._internal.models.index import PyPI

        told = PyPI.simple_url
    return told.rstrip("/")


def hashes(index: str, name: str, version: str) -> list[str]:
    """SHA-256 of every file of this version, sorted."""
    with urllib.request.urlopen(f"{index}/{name}/", timeout=120) as answer:
        page = _Links()
        page.feed(answer.read().decode("utf-8"))
    own = sorted({digest for file, digest in page.files if _version(file) == version})
    if not own:
        raise SystemExit(f"the index has no file of {name} {version}")
    return own


def _version(file: str) -> str:
    try:
        parse = parse_wheel_filename if file.endswith(".whl") else parse_sdist_filename
        return str(parse(file)[1])
    except (InvalidSdistFilename, ValueError):
        return ""  # an installer or egg of old times


def main() -> None:
    """Write every file of ``pins/``."""
    PINS.mkdir(exist_ok=True)
    index = _index()
    for target, requirements in FILES.items():
        wanted = sorted(pinned(requirements))
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda one: hashes(index, *one), wanted))
        lines = ["# Written by python -m docs.pins."]
        lines += ["-r app.txt"] * (target == "dev.txt")
        for (name, version), own in zip(wanted, found, strict=True):
            lines += [f"{name}=={version}" + "".join(f" \\\n  --hash=sha256:{h}" for h in own)]
        (PINS / target).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
