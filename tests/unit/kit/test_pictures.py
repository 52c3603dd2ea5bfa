"""Several pictures on one page: each can be put together from its own messages alone."""

import json
from types import SimpleNamespace

import pytest

from pages.ui.kit import component
from tests.unit.kit.test_parcels import unpacked

DATA = {"views": [{"curve": list(range(200)), "frame": {"text": "x" * 200}}]}


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(component, "st", SimpleNamespace(session_state={}))
    return component.st.session_state


def drawn(message, parts):
    return unpacked(json.loads(json.dumps(message)), parts)["views"]


def test_a_picture_needs_no_part_of_another():
    component._sent(DATA, "first")  # a browser may skip it
    assert drawn(component._sent(DATA, "second"), {}) == DATA["views"]


def test_what_is_missing_is_sent_again_to_that_picture_alone(session):
    for key in ("first", "second"):
        component._sent(DATA, key)
    component._forget("first")
    assert drawn(component._sent(DATA, "first"), {}) == DATA["views"]
    assert set(session["parcels"]) == {"first", "second"}
