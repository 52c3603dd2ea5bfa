"""The code of our components: small files joined into one module, style sheet included.

Served under its digest it travels once (:mod:`pages.ui.kit.routes`). Where there is no route the
same text goes with the component.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable
from pathlib import Path

from figures import palette

FOLDER = Path(__file__).parent / "browser"

NEWEST = """const drawnLast = new WeakMap();
export default function (given) {
const { data: sent, parentElement } = given;
const data = ArrayBuffer.isView(sent) ? JSON.parse(new TextDecoder().decode(sent)) : sent;
if (data.moment < drawnLast.get(parentElement)) return undefined;
if (!drawnLast.has(parentElement)) dress(parentElement);
drawnLast.set(parentElement, data.moment);
return drawPicture({ ...given, data });
}
function dress(parentElement) {
const sheet = document.createElement("style");
sheet.textContent = STYLE;
parentElement.prepend(sheet);
}
"""
"""What Streamlit calls for every picture: the older of two that overtook each other is left out."""

_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_DRAW = "export default function ("
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


@functools.cache
def module(scripts: tuple[str, ...], styles: tuple[str, ...], plotly_path: str) -> str:
    """One module from several files: imports and exports between them fall away.

    The files share one scope once joined: a test holds their top-level names apart.
    """
    joined = "".join(_EXPORT.sub("", _IMPORT.sub("", read(f"{n}.js"))) for n in scripts)
    joined = joined.replace(_DRAW, "function drawPicture(")
    constants = f"const STYLE = {json.dumps(style(styles))};\n"
    constants += f"const PLOTLY_PATH = {json.dumps(plotly_path)};\n"
    return constants + _INDENT.sub("", _COMMENT.sub("", joined)) + NEWEST


def style(names: Iterable[str]) -> str:
    """One style sheet: the palette as custom properties that follow the theme, then the files.

    Streamlit sets ``color-scheme`` on the app, so ``light-dark`` switches without a script.
    """
    rules = "".join(_INDENT.sub("", read(f"{name}.css")) for name in names)
    return f".board,.knob{{{palette.properties()}}}\n{_tones()}{rules}"


def _tones() -> str:
    """Classes ``fill-`` and ``tone-`` for what is drawn and written in a hue."""
    return "".join(
        f".fill-{name}{{fill:var(--{name});background:var(--{name})}}"
        f".board .tone-{name}{{color:var(--{name}-text);fill:var(--{name}-text)}}\n"
        for name in (*palette.METHOD_HUES, "truth", "risk")
    )


def read(file: str) -> str:
    """Text of one asset."""
    return (FOLDER / file).read_text(encoding="utf-8")
