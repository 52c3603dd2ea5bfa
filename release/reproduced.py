"""Papers run again, and the results that are shipped: one door for the page and the shell."""

import functools
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.counts import Rows
from core.parallel import ordered
from core.parameters import Model
from core.reproduce.documents import Document, described, document, packed, unpacked
from core.reproduce.item import Inquiry, Item, Steps, untested
from core.reproduce.papers import PAPERS, item_of, items_of
from core.scenario import Scenario
from core.undirected.sample import Accountant
from release.audit.auditing import Ask, auditing
from release.versions import versions
from sources.accounting import noise_multiplier
from sources.adult import read_adult
from sources.classifier import misclassified
from sources.networks import sample

FOLDER = "EQUIPOISE_DATA"
"""The environment variable that names the folder of tables which are not ours to ship."""


@functools.cache
def _model(name: str) -> Model:
    model = sample(name).model
    assert model is not None
    return model


@functools.lru_cache(maxsize=1)
def _adult(folder: str) -> Rows | None:
    return read_adult(Path(folder))


class House:
    """The laboratory of this house."""

    @property
    def accountant(self) -> Accountant:
        """Google's accountant."""
        return noise_multiplier

    def model(self, name: str) -> Model:
        """A sample network with its parameters."""
        return _model(name)

    def rows(self, name: str) -> Rows | None:
        """A table of the folder that ``EQUIPOISE_DATA`` names, if it is there."""
        folder = os.environ.get(FOLDER)
        return _adult(folder) if folder and name == "adult" else None

    def proven(self, method: str, epsilon: float, trials: int, seed: int) -> float:
        """The ε that an audit proves a method to have at least."""
        scenario = Scenario(epsilon=epsilon, seed=seed)
        ask = Ask(method=method, scenario=scenario, trials=trials, power=False)
        return max(audit.lower_bound for audit in auditing(ask))

    def misclassified(self, training: Rows, testing: Rows, target: str) -> float:
        """Share of test records that a linear support vector machine gets wrong."""
        return misclassified(training, testing, target)


ALL = "all"
SHIPPED = Path(__file__).parent.parent / "docs" / "reproduced"
"""Folder of the results that come with the house: ``quick.json`` and ``full.json``."""

UNRUN: Document = {"verdict": "not run yet", "why": "", "ours": [], "readings": [], "notes": []}
Chosen = Sequence[tuple[str, Item]]


def chosen(paper: str, key: str | None) -> Chosen:
    """The items of a paper, one of them, or those of all papers."""
    if key is not None:
        return [(paper, item_of(paper, key))]
    papers = PAPERS if paper == ALL else (paper,)
    return [(name, item) for name in papers for item in items_of(name)]


def inquiry(*, full: bool, seed: int) -> Inquiry:
    """How items are run here."""
    return Inquiry(House(), full, seed)


def steps_of(item: Item, asked: Inquiry) -> Steps:
    """The work of an item; one that cannot be done here says so."""
    if item.data and item.work is not None and asked.laboratory.rows(item.data) is None:
        yield 1
        reason = f"needs the table {item.data}: put it into a folder and name that in {FOLDER}"
        return untested(reason)
    return (yield from item.steps(asked))


def running(
    paper: str, item: Item, asked: Inquiry, keep: Callable[[Document], None]
) -> Iterator[int]:
    """The work step by step, each yielding how many there are; the document is kept at the end."""
    began = time.thread_time()
    finding = yield from steps_of(item, asked)
    keep(
        {
            **document(paper, item, asked, finding),
            "version": versions()[0][1],
            "seconds": round(time.thread_time() - began, 2),
            "made": datetime.now(UTC).date().isoformat(),
        }
    )


def reproduce(
    paper: str, item: Item, asked: Inquiry, progress: Callable[[int, int], None] | None = None
) -> Document:
    """One item, run to its end. ``seconds`` are those of the processor."""
    documents: list[Document] = []
    for done, total in enumerate(running(paper, item, asked, documents.append), start=1):
        if progress is not None:
            progress(min(done, total), total)
    return documents[0]


Group = tuple[tuple[str, str], ...]
"""(paper, item) of items that share measurements."""


def groups(wanted: Chosen, *, full: bool) -> list[Group]:
    """Items that share measurements together, those that took longest first."""
    together: dict[tuple[str, str], list[tuple[str, str]]] = {}
    seconds: dict[tuple[str, str], float] = {}
    for paper, item in wanted:
        name = paper, item.group or item.key
        together.setdefault(name, []).append((paper, item.key))
        kept = shipped(paper, item, full=full) or {"seconds": 0.0}
        seconds[name] = seconds.get(name, 0.0) + kept["seconds"]
    return [tuple(together[name]) for name in sorted(together, key=lambda n: -seconds[n])]


def _run(shared: tuple[bool, int], group: Group) -> list[Document]:
    asked = inquiry(full=shared[0], seed=shared[1])
    return [reproduce(paper, item_of(paper, key), asked) for paper, key in group]


def reproducing(
    wanted: Chosen, *, full: bool, seed: int, workers: int, shortest: bool = False
) -> Iterator[list[Document]]:
    """Many items on so many processes, group by group; the numbers do not depend on how many.

    The longest first keeps all of them busy; the shortest first soon shows something, and can be
    stopped sooner.
    """
    every = groups(wanted, full=full)[:: -1 if shortest else 1]
    yield from ordered(_run, (full, seed), every, workers=workers, patience=0.0)


@functools.cache
def _read(name: str) -> dict[tuple[str, str], Document]:
    path = SHIPPED / name
    if not path.exists():
        return {}
    return unpacked(json.loads(path.read_text(encoding="utf-8")), item_of)


def write(path: Path, documents: Sequence[Document]) -> None:
    """Results as they are shipped: a line for each item."""
    path.write_text(packed(documents), encoding="utf-8")


def shipped(paper: str, item: Item, *, full: bool | None = None) -> Document | None:
    """The result that comes with the house: the full one if there is, unless asked otherwise."""
    names = {None: ("full.json", "quick.json"), True: ("full.json",), False: ("quick.json",)}[full]
    kept = (_read(name).get((paper, item.key)) for name in names)
    return next((one for one in kept if one is not None), None)


def listed(paper: str) -> list[Document]:
    """Every item as it stands: what is shipped, or what is known before a run."""
    rows = []
    for name, item in chosen(paper, None):
        kept = shipped(name, item)
        rows.append({**described(name, item), **UNRUN} if kept is None else kept)
    return rows
