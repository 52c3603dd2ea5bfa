"""What the browser has is not sent again, and what it puts together is what was meant."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.kit.parcels import LONG, MOST
from tests.unit.kit.parts import parcelled

LEAVES = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=120)
DATA = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.sampled_from("abcd"), inner),
    max_leaves=60,
)


def unpacked(value, parts):
    """The browser's side, as slowly as can be."""
    if isinstance(value, list | tuple):
        return [unpacked(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "=" not in value:
        return {key: unpacked(item, parts) for key, item in value.items()}
    if "is" in value:
        parts[value["="]] = unpacked(value["is"], parts)
    return parts[value["="]]


@given(st.lists(DATA, min_size=1, max_size=4))
def test_the_browser_puts_together_what_was_meant(pushes):
    known, parts = {}, {}
    for data in pushes:
        sent = json.loads(json.dumps(parcelled(data, known)))
        assert unpacked(sent, parts) == data


def test_the_same_again_is_a_digest():
    known = {}
    data = {"curve": list(range(200)), "text": "x" * LONG, "small": [1, 2]}
    first = parcelled(data, known)
    assert len(json.dumps(first)) > 500
    assert len(json.dumps(parcelled(data, known))) < 40


def test_one_changed_number_sends_its_neighbourhood_only():
    known = {}
    data = {"still": list(range(300)), "moved": {"x": 1, "more": list(range(60))}}
    parcelled(data, known)
    data = {"still": list(range(300)), "moved": {"x": 2, "more": list(range(60))}}
    assert len(json.dumps(parcelled(data, known))) < 200


def test_what_is_remembered_is_bounded():
    known = {}
    for i in range(MOST + 50):
        parcelled([i, *range(80)], known)
    assert len(known) == MOST


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 30)), max_size=5), st.integers(0, 9)
)
def test_a_table_comes_in_runs_that_make_its_columns(methods, other):
    first = [name for name, rows in methods for _ in range(rows)]
    table = {
        "head": ["method", "value"],
        "columns": [first, [i * other for i in range(len(first))]],
    }
    sent = unpacked(json.loads(json.dumps(parcelled({"table": table, "note": "x" * 200}, {}))), {})
    columns = [
        [cell for run in column for cell in (run if isinstance(run, list) else [run])]
        for column in sent["table"]["columns"]
    ]
    assert columns == table["columns"]


def test_one_changed_method_sends_its_own_rows_only():
    def table(moved):
        values = [[k + i / 7 for i in range(50)] for k in (moved, 2, 3)]
        names = [name for name in "abc" for _ in range(50)]
        return {"head": ["method", "value"], "columns": [names, [v for c in values for v in c]]}

    known = {}
    parcelled(table(1), known)
    sent = json.dumps(parcelled(table(5), known))
    assert len(sent) < 0.5 * len(json.dumps(table(5)["columns"][1]))
