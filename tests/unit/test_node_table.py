"""The table of nodes on Allocate: what it says by itself is no edit."""

from pages.ui.allocate import node_table
from pages.ui.allocate.compared import NodeOrder


def test_a_table_that_forgets_what_was_typed_asks_for_nothing(monkeypatch):
    """It does so by itself when its numbers change; a rerun then could call a page back."""
    told = []
    rows = NodeOrder((("a",), "", ""), (0,))
    monkeypatch.setattr(node_table.st, "session_state", {rows.key: {"edited_rows": {}}})
    monkeypatch.setattr(node_table, "change", lambda *edit: told.append(edit) or True)
    node_table._edit(rows)
    assert told == []
