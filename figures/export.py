"""A figure as a file: data, a page that opens offline, a drawing or a picture.

SVG and PNG are drawn by the Chromium of this machine with the same plotly.js that draws on screen.
"""

import base64
import html
import json
import math
import re
from pathlib import Path
from urllib.parse import unquote

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from core.errors import EquipoiseError
from figures.chromium import final_markup, find_chromium
from figures.palette import PALETTE
from figures.template import Figure, plain, resolved

WIDTH = 900
HEAD, ROW, LETTER = 100, 30, 7
"""Pixels of the title with the first row of the legend, of another row, of one letter in it."""

TITLE_AT = {"x": 0.01, "y": 1, "xanchor": "left", "yanchor": "top", "pad": {"t": 14}}
DRAWN = (".svg", ".png")
KINDS = (".html", *DRAWN, ".json")
_ANSWER = re.compile(r'<pre id="picture">(data:image/[^<]*)</pre>')
_DRAW = """<!doctype html><meta charset="utf-8"><div id="chart"></div>
<script>{library}</script>
<script>
const figure = {figure}, {{height}} = figure.layout;
Plotly.toImage(figure, {{format: "{form}", width: {width}, height, scale: {scale}}})
  .then((picture) => {{
    const answer = document.createElement("pre");
    answer.id = "picture";
    answer.textContent = picture;
    document.body.append(answer);
  }});
</script>"""


def check_place(path: Path) -> None:
    """Refuse a file that cannot become a picture, before anything is computed."""
    kind = path.suffix.lower()
    if path.is_dir():
        raise EquipoiseError(f"{path} is a folder; name a file in it, as {path / 'figure.html'}")
    if kind not in KINDS:
        raise EquipoiseError(
            f"{path.name} is no kind of picture that is written; end it with {', '.join(KINDS)}"
        )
    if not path.parent.is_dir():
        raise EquipoiseError(f"there is no folder {path.parent}; make it, or choose another")
    if kind in DRAWN and find_chromium() is None:
        raise EquipoiseError(
            f"there is no Chromium here to draw {path.name} with; end it with .html or .json"
        )


def written(figure: Figure, kind: str, *, title: str, scenario: str) -> bytes:
    """The figure as a file of that kind, with its title and the scenario it was made from."""
    framed = resolved(_framed(figure, title, scenario))
    checked = go.Figure(framed)
    match kind.lower():
        case ".json":
            return (str(checked.to_json(pretty=True)) + "\n").encode()
        case ".html":
            page = str(checked.to_html(include_plotlyjs=True, config={"displaylogo": False}))
            return page.replace("<head>", f"<head><title>{html.escape(title)}</title>", 1).encode()
        case _:
            return _picture(framed, kind.lower().removeprefix("."))


def _framed(figure: Figure, title: str, scenario: str) -> Figure:
    """The figure with title and scenario around it, so that it explains itself elsewhere."""
    frame = figure["layout"]
    told = {"text": "<br>".join(plain(scenario).splitlines()), "font": {"size": 11}}
    margin = frame["margin"]
    room = HEAD + _legend_room(figure)
    return {
        "data": figure["data"],
        "layout": {
            **frame,
            "title": {"text": plain(title), "subtitle": told, "font": {"size": 16}, **TITLE_AT},
            "height": frame["height"] + room + 16,
            "width": WIDTH,
            "margin": {**margin, "t": margin["t"] + room, "b": margin["b"] + 16},
            "paper_bgcolor": PALETTE["page"][0],
        },
    }


def _legend_room(figure: Figure) -> int:
    """Pixels that the legend's second row and those above it take beyond the first."""
    frame = figure["layout"]
    named = [len(t["name"]) for t in figure["data"] if "name" in t and t.get("showlegend", True)]
    if len(named) < 2 or not frame.get("showlegend", True):
        return 0
    width = WIDTH - int(frame["margin"]["l"] + frame["margin"]["r"]) - 50
    return ROW * (math.ceil(sum(LETTER * n + 50 for n in named) / width) - 1)


def _picture(figure: Figure, form: str) -> bytes:
    text = json.dumps(figure, allow_nan=False).replace("</", "<\\/")
    scale = 2 if form == "png" else 1
    page = _DRAW.format(library=get_plotlyjs(), figure=text, form=form, width=WIDTH, scale=scale)
    answer = _ANSWER.search(final_markup(page.encode()))
    if answer is None:
        raise EquipoiseError("Chromium drew nothing; take the HTML file instead")
    head, _, body = html.unescape(answer[1]).partition(",")
    if "base64" in head:
        return base64.b64decode(body)
    return unquote(body).encode()
