"""The scripts and styles of our components, joined into the inline text Streamlit wants."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent

NEWEST = """const drawnLast = new WeakMap();
export default function (given) {
const { data, parentElement } = given;
if (data.moment < drawnLast.get(parentElement)) return undefined;
drawnLast.set(parentElement, data.moment);
return drawPicture(given);
}
"""
"""What Streamlit calls for every picture: the older of two that overtook each other is left out."""

_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_DRAW = "export default function ("
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def script(folder: str, names: Iterable[str]) -> str:
    """One module from several: imports and exports between them fall away.

    Streamlit sends the text with every update, so comments and indentation stay behind. The
    files share one scope once joined: a test holds their top-level names apart.
    """
    joined = "".join(_EXPORT.sub("", _IMPORT.sub("", read(folder, f"{n}.js"))) for n in names)
    return _slim(joined.replace(_DRAW, "function drawPicture(")) + NEWEST


def style(folder: str, names: Iterable[str]) -> str:
    """One style sheet from several, without indentation."""
    return "".join(_INDENT.sub("", read(folder, f"{name}.css")) for name in names)


def read(folder: str, file: str) -> str:
    """Text of one asset."""
    return (FOLDER / folder / file).read_text(encoding="utf-8")


def _slim(text: str) -> str:
    return _INDENT.sub("", _COMMENT.sub("", text))
