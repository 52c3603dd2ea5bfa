"""Items of the papers: shipped results, regenerated digit for digit, and verdicts expected."""

import json

import pytest

from core.reproduce.documents import packed, unpacked
from core.reproduce.item import Verdict
from core.reproduce.papers import PAPERS, item_of
from release.reproduced import SHIPPED, chosen, groups, inquiry, reproduce, reproducing, shipped
from tests.wholes import lasting

YES, SOME, NO = Verdict.REPRODUCES, Verdict.PARTLY, Verdict.FAILS
EVERY = [(paper, item) for paper, items in PAPERS.items() for item in items]

EXPECTED = {
    "C1": YES, "C2": YES, "C3": Verdict.VIOLATED, "C4": Verdict.HOLDS, "C4b": NO, "C5": NO,
    "C6": NO, "C7": NO, "C8": SOME, "C9": NO, "C10": NO, "C11": NO, "C12": Verdict.HOLDS,
    "C12b": Verdict.VIOLATED, "C13": NO, "C14": SOME, "C15": NO, "C16": Verdict.HOLDS,
    "C17": SOME, "P19b": Verdict.UNTESTED,
    **{f"M{n}": YES for n in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17)},
    **{f"B{n}": YES for n in (2, 3, 4, 5, 8)}, "B1": Verdict.HOLDS, "B6": SOME, "B7": NO, "B9": NO,
    "B10": SOME, "B11": NO, "B12": SOME, "B13": Verdict.VIOLATED, "B14": Verdict.HOLDS,
    **{f"P{n}": YES for n in (1, 3, 5, 6, 7, 11, 12, 14, 15, 16, 17, 22)}, "P15b": SOME,
    **{f"P{n}": Verdict.HOLDS for n in (2, 8, 9, 10, 21)},
    "M9": Verdict.HOLDS, "M10": Verdict.HOLDS, "M15": NO, "M16": Verdict.VIOLATED,
}  # fmt: skip
"""Verdicts that an independent reading of the papers expects."""

DIFFERS = {
    ("M8", False): SOME, ("P11", False): SOME, ("M15", True): SOME, ("B4", True): SOME,
}  # fmt: skip
"""Where a size, quick or full, gives another; the item's notes say why."""


@pytest.mark.parametrize(
    ("paper", "key"), [("chowdhury", "C2"), ("chowdhury", "C13"), ("bernstein", "B9")]
)
def test_a_shipped_result_is_made_again_digit_for_digit(paper, key):
    item = item_of(paper, key)
    again = json.loads(json.dumps(reproduce(paper, item, inquiry(full=False, seed=0))))
    assert lasting(again) == lasting(shipped(paper, item, full=False))


@pytest.mark.parametrize(("paper", "item"), EVERY, ids=lambda x: getattr(x, "key", x))
def test_every_item_is_shipped_with_what_the_rule_of_verdicts_needs(paper, item):
    kept = shipped(paper, item)
    assert kept is not None
    assert kept["verdict"] in set(map(str, Verdict))
    assert kept["why"]
    assert kept["seed"] == 0
    assert kept["command"].startswith(f"python cli.py reproduce {paper} --item {item.key}")
    if kept["verdict"] == NO:  # only when it fails under every reading, of which there are two
        assert len({row["reading"] for row in kept["ours"]}) >= 2
    if item.work is not None and not item.data:
        assert kept["ours"]


@pytest.mark.parametrize("full", [False, True], ids=["quick", "full"])
@pytest.mark.parametrize("key", EXPECTED)
def test_shipped_verdicts_are_those_expected_or_say_why_not(key, full):
    paper, item = next((p, i) for p, i in EVERY if i.key == key)
    kept = shipped(paper, item, full=full)
    assert kept["verdict"] == DIFFERS.get((key, full), EXPECTED[key])
    if (key, full) in DIFFERS:
        assert item.notes and set(item.notes) <= set(kept["notes"])


def test_every_figure_table_and_claim_that_was_listed_is_an_item():
    """17 of Chowdhury, 14 of Bernstein, 17 of Murakonda, 22 of Zhang; letters split one of them."""
    keys = {item.key for _, item in EVERY}
    listed = {"C": 17, "B": 14, "M": 17, "P": 22}
    assert {f"{letter}{n}" for letter, most in listed.items() for n in range(1, most + 1)} <= keys
    assert len(keys) == len(EVERY)


def test_the_numbers_do_not_depend_on_the_number_of_processes():
    wanted = [(p, i) for p, i in EVERY if i.key in ("C1", "C12", "C13", "B1", "M17", "P7")]
    one, two = (
        {d["item"]: lasting(d) for group in run for d in group}
        for run in (reproducing(wanted, full=False, seed=0, workers=n) for n in (1, 2))
    )
    assert one == two and set(one) == {i.key for _, i in wanted}


def test_items_that_share_measurements_go_to_one_process():
    every = groups(chosen("all", None), full=False)
    assert (("murakonda", "M3"), ("murakonda", "M4"), ("murakonda", "M5")) in every
    assert sorted(place for group in every for place in group) == sorted(
        (p, i.key) for p, i in EVERY
    )


def test_seconds_are_no_part_of_what_lasts():
    item = item_of("privbayes", "P4")
    one, other = (reproduce("privbayes", item, inquiry(full=False, seed=0)) for _ in range(2))
    assert item.timed and one["ours"] != other["ours"]
    assert lasting(one) == lasting(other)


def test_a_document_is_the_same_packed_and_unpacked():
    documents = [reproduce(p, i, inquiry(full=False, seed=0)) for p, i in EVERY if i.key in
                 ("C2", "M2", "P19b")]  # fmt: skip
    kept = unpacked(json.loads(packed(documents)), item_of)
    assert list(kept.values()) == documents


@pytest.mark.parametrize("name", ["quick.json", "full.json"])
def test_a_shipped_file_holds_every_item_in_its_order(name):
    kept = json.loads((SHIPPED / name).read_text(encoding="utf-8"))["items"]
    assert [(d["paper"], d["item"]) for d in kept] == [(p, i.key) for p, i in chosen("all", None)]
