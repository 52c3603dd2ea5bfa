"""A sheet without a server: mounted in a blank page, painted with made-up data."""

import json
from unittest.mock import patch

import numpy as np

from core.network import Network
from core.study.answered import Beliefs
from core.table import Variable
from figures.band_table import error_figure, error_table
from figures.bands import Band
from figures.palette import hue
from figures.template import numbers
from pages.ui.graph.drawing import draw
from pages.ui.kit.component import module
from pages.ui.kit.graph_view import Showing, answer_boxes, answers_in_nodes, graph_view, measure
from pages.ui.kit.sheet import COMPONENT, Room, Sheet, Top, Words, figure_view, texts

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=cmd("x")'
NAMES = ["a", "b", "c", HOSTILE, FORMULA]
EDGES = [("a", "b"), ("a", "c"), ("b", HOSTILE), ("c", FORMULA)]
WORDS = Words("title", "subtitle", "caption", "alt", {"Source": "paper"}, "file.csv")
MOUNT = """async ([html, js]) => {
  document.body.innerHTML = '<div id="host"></div>';
  const root = document.getElementById("host").attachShadow({ mode: "open" });
  root.innerHTML = html;
  const module = await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));
  window.sent = [];
  window.paint = (data) => module.default({
    data, parentElement: root, setTriggerValue: (name, value) => window.sent.push([name, value]),
  });
}"""


def sheet_data(
    names=NAMES, edges=EDGES, *, selected="b", epsilon=1.0, rows=2, message="", given=None
):
    """What a page like Explore sends; ``given`` puts answers into the nodes."""
    panel = {
        "kind": "panel", **texts("panel", WORDS), "node": selected, "hue": hue("uniform"),
        "parents": [names[0]], "states": ["-1", "yes"],
        "settings": [[FORMULA if r % 2 else HOSTILE] for r in range(rows)],
        "records": numbers(np.arange(rows)), "truth": numbers(np.full((rows, 2), 0.5)),
        "bands": numbers(np.full((7, rows, 2), 0.25 / epsilon)), "total": rows,
    }  # fmt: skip
    measures = [
        measure("budget", "budget ε", "epsilon", np.full(len(names), epsilon)),
        measure("error", "row error", "error", -np.arange(len(names))),
    ]
    chosen = Showing(selected, message=message, kinds=("budget", "answers"))
    graph = graph_view("graph", WORDS, draw(names, edges), measures, chosen)
    if given is not None:
        graph = _answering(names, edges, selected, given)
    places = np.array([0.1, 1.0, 10.0])
    spread = np.tile(np.linspace(0.1, 0.7, 7)[:, None], (1, 3)) / epsilon
    bands = [Band(method, spread) for method in ("uniform", "equipoise")]
    views = [
        graph,
        figure_view(
            "error", WORDS, {"all nodes": error_figure(places, bands, epsilon)},
            error_table(places, {"all": bands}),
        ),
        panel,
    ]  # fmt: skip
    room = Room(("graph error", "panel panel"), "minmax(0, 2fr) minmax(0, 1fr)")
    top = Top("heading", "badge", [("At ", ""), (HOSTILE, "risk")], "scenario",
              {"epsilon": epsilon})  # fmt: skip
    middle = Room(("graph", "error", "panel"), "minmax(0, 1fr)")
    with (
        patch("pages.ui.kit.sheet.links.parameters", return_value={}),
        patch("pages.ui.kit.sheet.prefix", return_value=""),
    ):  # no session here
        return Sheet(views, room, middle, top, live=True)._data(views)


def _answering(names, edges, selected, given):
    variables = tuple(Variable(name, ("no", "yes", HOSTILE)) for name in names)
    above = {child: tuple(p for p, c in edges if c == child) for child in names}
    network = Network(variables, tuple(above[name] for name in names))
    share = np.array([0.2, 0.5, 0.3])
    believed = Beliefs((share,) * len(names), (np.linspace(0.5, 1.5, 7)[:, None] * share,) * 5)
    chosen = Showing(selected, showing="answers", kinds=("budget", "answers"))
    answers = answers_in_nodes(network, believed, given, {names[-1]})
    drawing = draw(names, edges, answer_boxes(network))
    return graph_view("graph", WORDS, drawing, (), chosen, answers)


class Mounted:
    """The component in a page of its own, and what it said."""

    def __init__(self, page):
        self.page = page
        page.evaluate(MOUNT, [COMPONENT.root, module(COMPONENT.scripts, COMPONENT.styles, "")])

    def push(self, data, moment=0):
        """Paint data as they came over the wire."""
        plain = {**json.loads(json.dumps(data)), "moment": moment}
        self.page.evaluate("(data) => window.paint(data)", plain)
        return self.page

    def paint(self, moment=0, **changes):
        return self.push(sheet_data(**changes), moment)

    @property
    def sent(self):
        return self.page.evaluate("window.sent")

    def node(self, name):
        return self.page.locator(f".node[aria-label^={json.dumps(name)}]")
