"""Pictures carry the moment their data changed."""

import streamlit as st

from pages.ui.kit import component


def test_new_data_is_later_and_the_same_data_keeps_its_moment(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(component.time, "time", lambda: 100.0)  # a clock that stands still
    first = component._sent({"epsilon": 1.0}, "board")
    again = component._sent({"epsilon": 1.0}, "board")
    later = component._sent({"epsilon": 2.0}, "board")
    other = component._sent({"epsilon": 2.0}, "notes")
    assert first == again == {"epsilon": 1.0, "moment": 100.0}
    assert later["moment"] > first["moment"]
    assert other["moment"] == 100.0


def test_an_answer_that_does_not_read_is_dropped(monkeypatch):
    monkeypatch.setattr(st, "session_state", {"board": {"epsilon": "much"}})
    heard = []
    component._answer("board", "epsilon", lambda sent: None, heard.append)
    component._answer("board", "epsilon", lambda sent: sent, heard.append)
    assert heard == ["much"]
