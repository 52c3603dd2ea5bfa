"""Compare without a browser: every method, several networks, stopped and taken up again."""

import ast
import threading
from pathlib import Path

import pytest

from core.methods.registry import METHODS
from core.study.frontier_points import GRID, frontier_methods
from pages.ui.compare import points
from pages.ui.kit import jobs
from tests.pages.conftest import curve
from tests.pages.measuring import look_on

ROOT = Path(__file__).parent.parent.parent
FEW = ["uniform", "equipoise"]


def finish(screen):
    job = screen.at.session_state["jobs"]["frontier"]
    look_on(job)
    assert job.end == "done", (job.end, job.message)
    screen.at.run()
    assert not screen.at.exception
    return screen.sheet("compare")


def opened(open_app, *methods, **query):
    screen = open_app(network="asia", records="300", replicates="10", **query)
    screen.visit("compare_methods")
    if methods:
        screen.at.pills(key="compare_methods").set_value(list(methods)).run()
    return screen


@pytest.mark.parametrize(
    "path",
    [
        *sorted((ROOT / "pages" / "ui" / "compare").glob("*.py")),
        *(ROOT / name for name in ("pages/compare_methods.py", "commands/compare.py")),
        *(ROOT / "core" / "study").glob("frontier*.py"),
        ROOT / "figures" / "frontier.py",
    ],
    ids=lambda path: path.name,
)
def test_no_line_names_a_method(path):
    strings = [
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [text for text in strings for method in METHODS if text == method]


def test_several_networks_stand_side_by_side(open_app):
    screen = opened(open_app, *FEW)
    screen.at.multiselect(key="compare_networks").set_value(["figure-one"]).run()
    board = finish(screen)
    assert [v["title"] for v in board["views"]] == ["Frontier of asia", "Frontier of figure-one"]
    for view in board["views"]:
        for method in FEW:
            assert curve(view, method)["x"] == list(GRID)
        assert curve(view, "Pareto set")["x"]
    finding = "".join(text for text, _ in board["finding"])
    assert "on asia " in finding and "on figure-one " in finding
    lines = [dict(view["details"])["Command line"] for view in board["views"]]
    assert "--network asia --records 300" in lines[0]
    assert "--network figure-one --records 300" in lines[1]


def test_stopped_it_keeps_what_is_measured_and_goes_on(open_app, monkeypatch):
    first, gate = threading.Event(), threading.Event()
    measured = points.frontier_points

    def slowly(*args, **named):
        for point in measured(*args, **named):
            yield point
            first.set()
            gate.wait(60)

    monkeypatch.setattr(points, "frontier_points", slowly)
    monkeypatch.setattr(jobs, "QUICK", 0.0)
    screen = opened(open_app)
    assert first.wait(60)
    screen.at.run()
    screen.at.button(key="compare_stop").click()
    job = screen.at.session_state["jobs"]["frontier"]
    job.stop()
    gate.set()
    job.thread.join(60)
    screen.at.run()
    assert job.end == "stopped" and 0 < job.done < job.total
    kept = screen.sheet("compare")["frontier0"]
    assert len(kept["table"]["columns"][0]) == job.done
    next(b for b in screen.at.button if b.label == "Measure the rest").click().run()
    board = finish(screen)
    assert len(board["frontier0"]["table"]["columns"][0]) == len(frontier_methods()) * len(GRID)


def test_without_a_method_it_asks_for_one(open_app):
    screen = opened(open_app, "uniform")
    screen.at.pills(key="compare_methods").set_value([]).run()
    assert [i.value for i in screen.at.info] == ["Choose at least one method to measure."]
