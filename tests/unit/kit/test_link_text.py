"""A scenario as short text, and back."""

import pytest

from core.errors import EquipoiseError
from core.inference.evidence import Query
from pages.ui.kit import link_reading as text
from sources.networks import sample

ASIA = sample("asia").network
ALLOWED = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def test_numbers_of_nodes_come_back_exactly_and_need_no_escape():
    named = (("dysp", 0.3), ("asia", 1e-05), ("lung", 1 / 3))
    said = text.named_text(named, ASIA)
    assert text.read_named(said, ASIA) == named
    assert set(said) <= ALLOWED
    assert len(said) < 40


def test_edits_come_back_with_the_order_of_parents():
    edited = (
        ASIA.without_edge("tub", "either").with_edge("asia", "bronc").with_edge("tub", "either")
    )
    assert edited != ASIA
    said = text.edges_text(edited, ASIA)
    assert text.read_edges(said, ASIA) == edited
    assert set(said) <= ALLOWED
    assert text.edges_text(ASIA, ASIA) == ""


def test_a_node_may_lose_all_its_parents():
    edited = ASIA.without_edge("smoke", "lung")
    assert text.read_edges(text.edges_text(edited, ASIA), ASIA) == edited


@pytest.mark.parametrize(
    "asked",
    [
        Query(("dysp",), {"smoke": "no"}),
        Query(("dysp", "lung")),
        Query((), {"asia": "yes", "xray": "no"}),
    ],
)
def test_a_question_comes_back(asked):
    assert text.read_query(text.query_text(asked, ASIA), ASIA) == asked


def test_what_is_known_comes_back_in_its_order():
    known = {"xray": "no", "asia": "yes", "dysp": "yes"}
    said = text.given_text(known, ASIA)
    assert list(text.read_given(said, ASIA).items()) == list(known.items())
    assert set(said) <= ALLOWED


@pytest.mark.parametrize("said", ["", "x", "0", "0.", "0.9", "99.0", "0.0-", "-0.0", "0.0_1.0"])
def test_what_is_known_that_cannot_be_read_is_refused(said):
    with pytest.raises(EquipoiseError):
        text.read_given(said, ASIA)


@pytest.mark.parametrize(
    "said", ["", "x", "99-0.1", "0", "0-", "0-x", "-1-0.1", "²-0.1", f"{'9' * 5000}-0.1"]
)
def test_numbers_that_cannot_be_read_are_refused(said):
    with pytest.raises(EquipoiseError):
        text.read_named(said, ASIA)


@pytest.mark.parametrize("said", ["99-1", "1-99", "x", "0-0", "1-1_x"])
def test_edits_that_cannot_be_read_are_refused(said):
    with pytest.raises(EquipoiseError):
        text.read_edges(said, ASIA)
