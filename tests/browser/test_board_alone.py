"""The board without a server: what it draws, sends and keeps."""

import json
from itertools import combinations

import numpy as np
import pytest

from pages.ui import board, palette
from pages.ui.assets import script, style
from pages.ui.board import Chosen, Conditional, Words
from pages.ui.graph.drawing import draw

pytestmark = pytest.mark.browser

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=cmd("x")'
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
STYLE = palette.css(".board") + palette.tones() + style("board", board.STYLES)
HTML = f'<style>{STYLE}</style><div class="board" data-painted="0"></div>'


def board_data(names, edges, *, selected, epsilon=1.0, rows=2, message=""):
    words = Words("title", "subtitle", "caption", "alt", (("Source", "paper"),), "file.csv")
    quantiles = np.linspace(0.1, 0.7, 7) / epsilon
    curve = np.tile(quantiles[:, None], (1, 3))
    settings = [(FORMULA if r % 2 else HOSTILE,) for r in range(rows)]
    conditional = Conditional(
        selected, (names[0],), ("-1", "yes"), settings, np.arange(rows),
        np.full((rows, 2), 0.5), np.full((7, rows, 2), 0.25 / epsilon),
    )
    views = {
        "graph": board.graph(
            words, draw(names, edges),
            [board.measure("budget", "budget ε", "epsilon", np.full(len(names), epsilon)),
             board.measure("error", "row error", "error", -np.arange(len(names)))],
            Chosen(selected, message=message),
        ),
        "error": board.error(
            words, [0.1, 1, 10],
            [board.series("uniform", curve, 2 * curve, quantiles, 2 * quantiles)], node=selected,
        ),
        "risk": board.risk(
            words, [0.001, 0.1, 1],
            [board.curve("guarantee", "guarantee", [0.002 * epsilon, 0.2, 1]),
             board.curve("guessing", "guessing", [0.001, 0.1, 1])],
            mark=(0.001, 0.002), head=["false alarms", "found"], rows=[["1 of 100", "2 of 100"]],
        ),
        "panel": board.panel(words, conditional, method="uniform"),
    }
    return board.assemble(epsilon, [("At ", ""), (HOSTILE, "risk")], views)


NAMES = ["a", "b", "c", HOSTILE, FORMULA]
EDGES = [("a", "b"), ("a", "c"), ("b", HOSTILE), ("c", FORMULA)]


class Mounted:
    def __init__(self, page):
        self.page = page
        page.evaluate(MOUNT, [HTML, script("board", board.SCRIPTS)])

    def paint(self, moment=0, **changes):
        data = board_data(**{"names": NAMES, "edges": EDGES, "selected": "b", **changes})
        data["moment"] = moment
        self.page.evaluate("(data) => window.paint(data)", json.loads(json.dumps(data)))
        return self.page

    @property
    def sent(self):
        return self.page.evaluate("window.sent")

    def node(self, name):
        return self.page.locator(f".node[aria-label^={json.dumps(name)}]")


@pytest.fixture
def mounted(open_page):
    screen = open_page("about:blank", width=1160)
    yield Mounted(screen.page)
    assert screen.problems == []


def test_names_are_text_never_markup(mounted):
    page = mounted.paint(selected=HOSTILE)
    assert page.locator("script, .board b script").count() == 0
    assert HOSTILE in page.locator(".finding").inner_text()
    assert page.locator(".panel tbody td").first.inner_text() == HOSTILE
    assert page.locator(".node title").nth(3).text_content() == HOSTILE


def test_an_older_picture_never_covers_a_newer_one(mounted):
    mounted.paint(moment=2, epsilon=2.5)
    page = mounted.paint(moment=1, epsilon=1.5)
    assert page.locator(".board").get_attribute("data-epsilon") == "2.5"
    mounted.paint(moment=3, epsilon=0.5)
    assert page.locator(".board").get_attribute("data-epsilon") == "0.5"


def test_a_repaint_changes_numbers_and_keeps_elements(mounted):
    page = mounted.paint()
    page.evaluate("""() => {
      const root = document.getElementById("host").shadowRoot;
      window.kept = [...root.querySelectorAll(".node, .edge, .curve, .median, tr, .strip i")];
    }""")
    mounted.paint(epsilon=2.5)
    root = page.locator(".board")
    assert root.get_attribute("data-epsilon") == "2.5"
    assert root.get_attribute("data-painted") == "2"
    assert page.locator(".node .figure").first.text_content() == "2.50"
    assert page.locator(".error svg").get_by_text("ε = 2.5").count() == 1
    assert page.evaluate("window.kept.length > 30 && window.kept.every((e) => e.isConnected)")


def test_an_edit_follows_the_graph(mounted):
    page = mounted.paint()
    mounted.paint(edges=[*EDGES[1:], ("a", HOSTILE)], message="no cycle, please")
    assert page.locator(".edge").count() == 4
    assert page.get_by_role("alert").inner_text() == "no cycle, please"
    mounted.paint()
    assert page.get_by_role("alert").count() == 0


def test_nodes_are_chosen_by_mouse_and_keyboard(mounted):
    page = mounted.paint()
    mounted.node("a").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    names = [name for name, _ in mounted.sent]
    chosen = [value for _, value in mounted.sent]
    assert names == ["selected"] * 3
    assert chosen[0] == chosen[2] == "a" and chosen[1] in "bc"
    assert page.locator(".node.selected").get_attribute("aria-label").startswith("a,")


def test_edges_are_edited_by_mouse_and_keyboard(mounted):
    page = mounted.paint()
    page.get_by_role("button", name="Edit edges").click()
    mounted.node("b").click()
    mounted.node("c").click()
    page.get_by_label("edge from a to b").focus()
    page.keyboard.press("Delete")
    middle = page.locator(".edge .hit").last.evaluate("""(hit) => {
      const point = hit.getPointAtLength(hit.getTotalLength() / 2);
      const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(hit.getScreenCTM());
      return [x, y];
    }""")
    page.mouse.click(*middle)
    asked = [value for name, value in mounted.sent if name == "edit"]
    assert [(e["op"], e["parent"], e["child"]) for e in asked[:2]] == [
        ("add", "b", "c"), ("remove", "a", "b"),
    ]
    assert asked[2]["op"] == "remove"
    assert len({e["nonce"] for e in asked}) == 3
    mounted.node("b").press("Enter")
    assert page.locator(".node.picked").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".node.picked").count() == 0
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Edit edges").is_visible()
    assert page.locator(".edge[tabindex]").count() == 0


def downloaded(page, view):
    with page.expect_download() as waiting:
        page.locator(f".{view} .file").click()
    return waiting.value.path().read_text("utf-8-sig").splitlines()


def test_files_hold_no_formulas_and_negative_numbers_stay(mounted):
    page = mounted.paint()
    graph = downloaded(page, "graph")
    assert graph[0] == "node,parents,budget ε,row error"
    assert graph[2] == "b,a,1,-1"
    assert graph[5].startswith("\"'=cmd(\"\"x\"\")\",c,")
    assert downloaded(page, "panel")[1].split(",")[:4] == [HOSTILE, "0", "-1", "0.5"]
    assert downloaded(page, "risk")[1] == "0.001,0.002,0.001"
    assert len(downloaded(page, "error")) == 1 + 2 * 3


def test_the_choices_of_the_reader_need_no_server(mounted):
    page = mounted.paint(rows=60)
    page.get_by_role("button", name="row error").click()
    assert page.locator(".node .figure").nth(2).text_content() == "-2.0"
    before = page.locator(".risk .curve").first.get_attribute("d")
    page.get_by_role("button", name="linear").click()
    assert page.locator(".risk .curve").first.get_attribute("d") != before
    before = page.locator(".error .key b").inner_text()
    page.locator(".error").get_by_role("button", name="b", exact=True).click()
    assert page.locator(".error .key b").inner_text() != before
    assert page.locator(".panel tbody tr").count() == 24
    page.get_by_role("button", name="Show all 60 rows").click()
    assert page.locator(".panel tbody tr").count() == 60
    assert mounted.sent == []


@pytest.mark.parametrize(
    ("width", "columns"), [(1160, ("beside", "below")), (800, ("below", "beside")),
                           (420, ("below", "below"))],
)
def test_views_arrange_themselves(mounted, width, columns):
    page = mounted.page
    page.set_viewport_size({"width": width, "height": 900})
    wide = [f"v{i}" for i in range(20)]
    mounted.paint(names=wide, edges=list(combinations(wide[:9], 2)), selected="v1", rows=20)
    graph, error, risk = (page.locator(f".view.{v}").bounding_box() for v in
                          ("graph", "error", "risk"))
    assert (error["x"] > graph["x"] + 100) == (columns[0] == "beside")
    assert (risk["x"] > error["x"] + 100) == (columns[1] == "beside")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_dark_follows_the_app_at_run_time(mounted):
    page = mounted.paint()
    tones = []
    for scheme in ("light", "dark"):
        page.evaluate("(s) => { document.body.style.colorScheme = s }", scheme)
        tones.append(page.locator(".board").evaluate("(e) => getComputedStyle(e).color"))
    assert tones == ["rgb(27, 33, 39)", "rgb(233, 237, 240)"]
