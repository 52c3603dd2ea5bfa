"""A running app without a browser."""

import functools
import json
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages.ui.kit import component, compute, routes
from pages.ui.kit.commons import Commons
from pages.ui.kit.entries import START
from tests.pages.releasing import letters

APP = Path(__file__).parent.parent.parent / "app.py"

installed = functools.cache(manifest_scanner.scan_component_manifests)
"""Components of all installed packages: every app reads every package's metadata anew otherwise."""


class Screen:
    """One visitor's app, and what its board shows."""

    def __init__(self, **query):
        self.query = query
        self._at = None

    @property
    def at(self):
        """The app; whoever has gone nowhere sees Explore."""
        if self._at is None:
            self._open()
            if not self.query:  # the bare address leads to the doors
                self.visit("explore_tradeoff")
        return self._at

    def _open(self, **state):
        self._at = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in self.query.items():
            self._at.query_params[name] = value
        for name, value in state.items():
            self._at.session_state[name] = value
        self._at.run()

    def component(self, name):
        found = [e.proto for e in self.at.get("bidi_component") if e.proto.component_name == name]
        return json.loads(found[0].json) if found else None

    def sheet(self, key="board"):
        """What the sheet of that key shows, its views by name."""
        protos = [e.proto for e in self.at.get("bidi_component")]
        (found,) = [p for p in protos if p.component_name == "equipoise_sheet" and key in p.id]
        data = json.loads(found.bytes)
        return {**data, **{view["name"]: view for view in data["views"]}}

    @property
    def board(self):
        return self.sheet()

    @property
    def errors(self):
        assert not self.at.exception
        return [letters(e.value) for e in self.at.error]

    def visit(self, file):
        if self._at is None:  # by way of the doors: Explore would draw its curves first
            self._open(first=START.title)
        self.at.switch_page(f"pages/{file}.py").run()
        assert not self.at.exception
        return self

    def upload(self, **files):
        """Put files (name, content) into the Data page's uploaders by key."""
        for key, (name, content) in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            self.at.file_uploader(key=key).set_value((name, data, "application/octet-stream"))
        self.at.run()
        return self


def curve(view, name, variant=None):
    """The trace of that name in a view's figure."""
    variants = {v["key"]: v["figure"] for v in view["variants"]}
    figure = variants[variant] if variant else next(iter(variants.values()))
    return next(t for t in figure["data"] if t.get("name") == name)


@pytest.fixture
def open_app(ledger, monkeypatch):
    """Opens the app as a server with routes shows it: a sheet in one message, nothing left out."""
    monkeypatch.setattr(routes, "_open", True)
    monkeypatch.setattr(component, "sent", lambda part, known: part.given)
    monkeypatch.setattr(compute, "COMMONS", Commons())  # nothing from another test
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", installed)
    return Screen


@pytest.fixture
def ledger(monkeypatch, tmp_path):
    """A ledger of the test's own, in a directory that is not there yet."""
    path = tmp_path / "new" / "ledger.sqlite"
    monkeypatch.setenv("EQUIPOISE_LEDGER", str(path))
    return path
