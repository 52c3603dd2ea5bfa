"""What the browser has is not sent again, and what it puts together is what was meant."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.kit.parcels import LONG, MOST, parcelled

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
