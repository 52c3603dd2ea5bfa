"""Each way in which an entry can be other than it was written gives its own sentence."""

import dataclasses
import hashlib

import pytest

from release.ledger.chain import GENESIS, Stored, broken, canonical, chained
from release.published import Receipt


def chain(*notes):
    entries, previous = [], GENESIS
    for number, note in enumerate(notes, start=1):
        entries.append(chained(number, previous, {"note": note}))
        previous = entries[-1].digest
    return entries


def problems(entries, whole):
    return broken(entries, Receipt(whole[-1].number, whole[-1].digest), [])


WHOLE = chain("first", "second", "third")


def test_a_whole_chain_has_no_problem():
    assert problems(WHOLE, WHOLE) == []


def test_a_missing_entry_is_named_with_what_stands_in_its_place():
    found = problems([WHOLE[0], WHOLE[2]], WHOLE)
    assert found[0] == "entry 2 is missing: number 3 stands in its place"


def test_a_changed_text_does_not_give_its_digest():
    changed = dataclasses.replace(WHOLE[1], text=WHOLE[1].text.replace("second", "zeroth"))
    found = problems([WHOLE[0], changed, WHOLE[2]], WHOLE)
    assert found == ["entry 2 was changed: its text does not give its digest"]


@pytest.mark.parametrize(
    "facts", [{"number": 2, "previous": GENESIS}, {"number": 7, "previous": WHOLE[0].digest}]
)
def test_an_entry_written_anew_must_have_its_number_and_follow_the_one_before(facts):
    """A right digest of its own is not enough, nor is one of the two."""
    anew = chained(facts["number"], facts["previous"], {"note": "second"})
    found = problems([WHOLE[0], dataclasses.replace(anew, number=2), WHOLE[2]], WHOLE)
    assert found[0] == ("entry 2 was changed or moved: it does not follow the entry before it")


DEEP = f'{{"number":{"[" * 10**5}{"]" * 10**5}}}'
ODD = ("null", "[]", "{}", "3", "no entry", '{"number": 2}', DEEP)


@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:12])
def test_a_text_that_is_no_entry_is_named_though_its_digest_is_right(text):
    other = Stored(2, hashlib.sha256(text.encode()).hexdigest(), text)
    found = problems([WHOLE[0], other, WHOLE[2]], WHOLE)
    assert found[0] == "entry 2 was changed: it is not an entry"


def test_a_receipt_of_another_entry_is_named_by_its_first_letters():
    head = Receipt(3, WHOLE[2].digest)
    kept = [Receipt(place, entry.digest) for place, entry in enumerate(WHOLE, start=1)]
    assert broken(WHOLE, head, kept) == []
    assert broken(WHOLE, head, [kept[0], Receipt(2, "0123456789abcdef"), Receipt(4, "x")]) == [
        "entry 2 is not the one that receipt 0123456789ab was given for",
        "entry 4 is not the one that receipt x was given for",
    ]


def test_the_text_of_an_entry_is_plain_and_the_same_whatever_the_order():
    assert canonical({"b": "é", "a": [1, None]}) == canonical({"a": [1, None], "b": "é"})
    assert canonical({"b": "é", "a": [1, None]}) == '{"a":[1,null],"b":"\\u00e9"}'
