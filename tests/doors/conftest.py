"""Both doors: a page without a browser, at full precision, and the shell."""

import importlib
import json
import math
import pkgutil
import shlex
import sys

import numpy as np
import pytest

import figures
import pages.ui
from cli import main
from figures import template
from tests.pages.conftest import ledger, open_app  # noqa: F401 - fixtures

SHORT = template.numbers


def unrounded(values):
    """As boards send numbers, with every digit."""
    array = np.asarray(values, dtype=np.float64)
    return np.where(np.isfinite(array), array, None).tolist()


@pytest.fixture
def page(open_app, monkeypatch):  # noqa: F811
    """Opens a page for a scenario; its boards then hold numbers with every digit."""
    for room in (pages.ui, figures):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(found.name)
    for name, module in list(sys.modules.items()):
        ours = name.startswith(("pages.ui.", "figures."))
        if ours and getattr(module, "numbers", None) is SHORT:
            monkeypatch.setattr(module, "numbers", unrounded)

    def visit(file, **query):
        return open_app(**query).visit(file)

    return visit


@pytest.fixture
def shell(capsys):
    """The document of a command line, as a page shows it or as words."""

    def run(line, *more):
        words = shlex.split(line)[2:] if isinstance(line, str) else list(line)
        assert main([*words, *more, "--json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run


def same(shown, told, where="answer"):
    """Equal to 1e-12, number by number, in whatever they lie."""
    if isinstance(told, dict):
        assert set(shown) == set(told), where
        for key in told:
            same(shown[key], told[key], f"{where}.{key}")
    elif isinstance(told, list | tuple):
        assert len(shown) == len(told), where
        for place, pair in enumerate(zip(shown, told, strict=True)):
            same(*pair, f"{where}[{place}]")
    elif isinstance(told, float):
        assert shown is not None and math.isclose(shown, told, rel_tol=1e-12, abs_tol=1e-12), (
            f"{where}: {shown!r} on the page, {told!r} in the shell"
        )
    else:
        assert shown == told, where


def views(screen, name):
    """The views of all boards of that kind."""
    shown = [e.proto for e in screen.at.get("bidi_component") if e.proto.component_name == name]
    return [view for proto in shown for view in json.loads(proto.json)["views"]]


def command(view):
    return dict(view["details"])["Command line"]


def ask(screen, **changes):
    """Change the session as the board's callbacks do."""
    session = screen.at.session_state["session"]
    screen.at.session_state["session"] = type(session)(**{**vars(session), **changes})
    screen.at.run()
    assert not screen.at.exception
    return screen


def finish(screen, job):
    """Wait for the job in the background, then look again."""
    running = screen.at.session_state["jobs"][job]
    running.thread.join(timeout=120)
    assert running.end == "done", (running.end, running.message)
    screen.at.run()
    assert not screen.at.exception
    return screen
