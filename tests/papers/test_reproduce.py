"""Items of the papers: shipped results, regenerated digit for digit, and verdicts expected."""

import json

import pytest

from core.reproduce.documents import lasting
from core.reproduce.item import Verdict
from core.reproduce.papers import PAPERS, item_of
from release.reproduced import SHIPPED, chosen, inquiry, reproduce, shipped

YES, SOME, NO = Verdict.REPRODUCES, Verdict.PARTLY, Verdict.FAILS
EVERY = [(paper, item) for paper, items in PAPERS.items() for item in items]

EXPECTED = {
    "C1": YES, "C2": YES, "C3": Verdict.VIOLATED, "C4": Verdict.HOLDS, "C4b": NO, "C5": NO,
    "C6": NO, "C7": NO, "C8": SOME, "C9": NO, "C10": NO, "C11": NO, "C12": Verdict.HOLDS,
    "C12b": Verdict.VIOLATED, "C13": NO, "C14": SOME, "C15": NO, "C16": Verdict.HOLDS,
    "C17": Verdict.UNTESTED,
    **{f"M{n}": YES for n in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17)},
    **{f"B{n}": YES for n in (2, 3, 4, 5)}, "B1": Verdict.HOLDS, "B6": SOME, "B7": NO, "B9": NO,
    "B11": NO, "B13": Verdict.VIOLATED, "B14": Verdict.HOLDS,
    **{f"P{n}": YES for n in (1, 3, 6, 7, 22)},
    **{f"P{n}": Verdict.HOLDS for n in (2, 8, 9, 10, 21)},
    "M9": Verdict.HOLDS, "M10": Verdict.HOLDS, "M15": NO, "M16": Verdict.VIOLATED,
}  # fmt: skip
"""Verdicts that an independent reading of the papers expects."""


@pytest.mark.parametrize(("paper", "key"), [("chowdhury", "C2"), ("chowdhury", "C13")])
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
    if item.run is not None and not item.data:
        assert kept["ours"]


@pytest.mark.parametrize("key", EXPECTED)
def test_shipped_verdicts_are_those_expected(key):
    paper, item = next((p, i) for p, i in EVERY if i.key == key)
    assert shipped(paper, item)["verdict"] == EXPECTED[key]


def test_the_shipped_file_holds_the_items_in_their_order():
    kept = json.loads((SHIPPED / "quick.json").read_text(encoding="utf-8"))["items"]
    assert [(d["paper"], d["item"]) for d in kept] == [(p, i.key) for p, i in chosen("all", None)]
