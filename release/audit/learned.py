"""An audit of a method that learns its graph: of the whole, and of each thing its ε is spent on.

The runs are those of a release, those that chose alike measured together. What they chose is held
against what others chose on the neighbour, by how often each graph came in the first runs: no law
of the choice is assumed. The tables of one graph are held against their part by the likelihood
ratio of their noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.methods.randomness import Drawn, Watched
from core.parameters import Model
from core.privbayes.encoding import encoding
from core.privbayes.learners import STRUCTURE, settings_of
from core.privbayes.settings import Settings, Spending
from core.privbayes.synthesis import Alike, runs
from core.table import Array
from release.audit.audited import Part, Shown
from release.audit.claims import Claim
from release.audit.events import EVENTS, lower_bound, trained_bound
from release.audit.metered import Overheard
from release.audit.observed import exact_cells, log_ratio
from release.audit.planted import LEARNED_BUGS
from release.audit.worst_cases import NeighbourPair
from release.meter import Drawer, Meter
from release.rationals import decimal

if TYPE_CHECKING:
    from release.audit.auditing import Ask

TESTS = 6
"""Tests of one pair: two of the whole, records, first choice, structure, tables."""

CHOICES = 20
"""Times as many runs as are asked for that stop before the tables: choices cost little, and have a
small part of ε, which few runs do not show."""

FEWEST = 400
"""Runs of one kind below which a part is not tested."""

KIND, PATH, FIRST, RECORDS, TABLES = range(5)
"""Columns of a run: three numbers of what it chose, then two log-likelihood ratios."""


@dataclass
class Names:
    """Numbers for what may be chosen, the same on both sides; the rules of each kind."""

    known: dict[object, int] = field(default_factory=dict)
    chooses: dict[int, bool] = field(default_factory=dict)

    def of(self, alike: Alike) -> tuple[int, int, int]:
        """Numbers of the rules, of all pairs chosen, and of the first two."""
        path = tuple((p.child, p.parents) for p in alike.structure.pairs)
        kind, *rest = (
            self.known.setdefault(key, len(self.known))
            for key in (alike.rules.kind, (alike.rules.kind, path), (alike.rules.kind, path[:2]))
        )
        self.chooses[kind] = alike.rules.degree > 0
        return (kind, *rest)  # type: ignore[return-value]


def proving(
    ask: Ask, pairs: tuple[NeighbourPair, ...], drawer: Drawer | None
) -> Iterator[Shown | None]:
    """Nothing after a block of runs, and what a pair proves after its last one."""
    slip = (1 - ask.confidence) / (TESTS * len(pairs) * 2 * EVENTS * 2)
    for number, pair in enumerate(pairs):
        taken = [_Side(ask, pair, side, number, drawer, Names()) for side in (0, 1)]
        taken[1].named = taken[0].named
        sides: tuple[list[Array], list[Array]] = ([], [])
        for block, size in enumerate(ask.blocks(pair.network)):
            for side in (0, 1):
                sides[side].append(taken[side].runs(size, block))
                if (side, block) != (1, len(ask.blocks(pair.network)) - 1):
                    yield None
        left, right = (np.concatenate(blocks) for blocks in sides)
        idle = drawer or not taken[0].named.chooses[_alike(left, right, KIND)[2]]
        chosen = (left, right) if idle else tuple(one.choices() for one in taken)
        parts = _parts(ask, (left, right), chosen, taken[0].named, slip)
        yield Shown(pair.name, _whole(left, right, slip), tuple(parts))


@dataclass
class _Side:
    """Runs on one data set of a pair."""

    ask: Ask
    pair: NeighbourPair
    side: int
    number: int
    drawer: Drawer | None
    named: Names

    def runs(self, size: int, block: int) -> Array:
        """Whole runs, one row each, in random order."""
        key = np.random.SeedSequence([self.ask.scenario.seed, self.number, self.side, block])
        rows = []
        for alike, rng in self._alike(size, key):
            shown = _measured(self.ask, self.pair, alike, rng, self.side)
            lead = np.tile(self.named.of(alike), (len(alike.records), 1))
            rows.append(np.concatenate([lead, shown], axis=1))
        mixed = np.random.default_rng(key).permutation(np.concatenate(rows))
        return np.asarray(mixed.round(9))

    def choices(self) -> Array:
        """What many more runs choose, without the tables that follow."""
        chosen = []
        for block, size in enumerate(self.ask.blocks(self.pair.network)):
            key = np.random.SeedSequence([self.ask.scenario.seed, self.number, self.side, block, 1])
            rows = [
                np.tile(np.array(self.named.of(alike), dtype=np.int32), (len(alike.records), 1))
                for alike, _ in self._alike(CHOICES * size, key)
            ]
            chosen.append(np.random.default_rng(key).permutation(np.concatenate(rows)))
        return np.concatenate(chosen)

    def _alike(
        self, size: int, key: np.random.SeedSequence
    ) -> Iterator[tuple[Alike, Watched | Overheard]]:
        honest = settings_of(self.ask.method, self.ask.scenario)
        counts = (self.pair.left, self.pair.right)[self.side]
        attributes = encoding("vanilla", self.pair.network.variables).attributes
        for rng, settings, replicates in _sources(self.ask, honest, size, key, self.drawer):
            for alike in runs(counts, attributes, settings, rng=rng, replicates=replicates):
                yield alike, rng


def _sources(
    ask: Ask, honest: Settings, size: int, key: np.random.SeedSequence, drawer: Drawer | None
) -> Iterator[tuple[Watched | Overheard, Settings, int]]:
    """All runs at once with rehearsal noise, or one by one metered and drawn as a release is."""
    bug = LEARNED_BUGS.get(ask.bug)
    if drawer is None:
        settings = honest if bug is None else bug.settings(honest)
        yield Watched(np.random.PCG64(key)), settings, size
        return
    asked = drawer if bug is None else bug.drawer(drawer)
    for _ in range(size):
        meter = Meter(decimal(ask.scenario.epsilon), decimal(0.0), honest.neighbours, asked)
        yield Overheard(meter), honest, 1


def _measured(
    ask: Ask, pair: NeighbourPair, alike: Alike, rng: Watched | Overheard, side: int
) -> Array:
    """Ratios of the number of records and of the tables; then what is published."""
    number = alike.records.astype(np.float64)[:, None]
    part = alike.rules.settings.spending.records
    far = [np.abs(number - data.records) for data in (pair.left, pair.right)]
    ratio = part * (far[0] - far[1])
    if ask.method == STRUCTURE:
        return np.concatenate([ratio, np.zeros_like(ratio), number], axis=1)
    before = len(rng.drawn)
    estimate = alike.estimated((pair.left, pair.right)[side])
    tables = sum((_ratio(pair, side, one) for one in rng.drawn[before:]), np.zeros(len(number)))
    return np.concatenate([ratio, tables[:, None], number, _joint(estimate.model)], axis=1)


def _ratio(pair: NeighbourPair, side: int, drawn: Drawn) -> Array:
    exact = [exact_cells(pair.network, data, drawn.histograms) for data in (pair.left, pair.right)]
    return np.asarray(log_ratio(drawn, drawn.noise + exact[side], *exact).sum(axis=1))


def _joint(model: Model) -> Array:
    """The probability of every record, ``(replicates, cells)``."""
    letters = "abcdefgh"[: len(model.network.variables)]
    parts = [
        f"z{''.join(letters[j] for j in parents)}{letters[i]}"
        for i, parents in enumerate(model.network.parent_indices)
    ]
    tables = [table.values for table in model.conditionals]
    joint = np.einsum(f"{','.join(parts)}->z{letters}", *tables)
    return np.asarray(joint.reshape(len(joint), -1))


def _whole(left: Array, right: Array, slip: float) -> float:
    """What all runs prove of the whole, with the likelihood ratio and with a trained attacker."""
    scores = [telling(left, right, PATH, runs) for runs in (left, right)]
    quarter = len(left) // 4
    ratios = [
        score + runs[:, RECORDS] + runs[:, TABLES]
        for score, runs in zip(scores, (left, right), strict=True)
    ]
    columns = [
        np.concatenate([score[:, None], runs[:, TABLES + 1 :]], axis=1)
        for score, runs in zip(scores, (left, right), strict=True)
    ]
    return max(
        _bound(ratios[0][quarter:], ratios[1][quarter:], slip),
        trained_bound(columns[0], columns[1], 0.0, slip),
    )


def _parts(
    ask: Ask, runs: tuple[Array, Array], chosen: tuple[Array, ...], named: Names, slip: float
) -> Iterator[Part]:
    """Each thing that ε is spent on, where everything before it came out alike."""
    spending = settings_of(ask.method, ask.scenario).spending
    left, right = runs
    if spending.records:
        proven = _bound(left[:, RECORDS], right[:, RECORDS], slip)
        yield Part("the number of records", Claim(spending.records), proven)
    left, right, kind = _alike(left, right, KIND)
    if named.chooses[kind]:
        yield from _choices(*_alike(chosen[0], chosen[1], KIND)[:2], spending, slip)
    else:
        spending = spending.without_structure()
    if ask.method != STRUCTURE:
        left, right, _ = _alike(left, right, PATH)
        if len(left) >= FEWEST:
            proven = _bound(left[:, TABLES], right[:, TABLES], slip)
            yield Part("the graph that came most often", Claim(spending.tables), proven)


def _choices(left: Array, right: Array, spending: Spending, slip: float) -> Iterator[Part]:
    """The first choice against its part, all together against theirs."""
    rounds = 2  # three variables: the first comes by lot
    for name, column, claim in (
        ("the first choice", FIRST, spending.structure / rounds),
        ("the whole graph", PATH, spending.structure),
    ):
        scores = [telling(left, right, column, runs)[len(left) // 4 :] for runs in (left, right)]
        yield Part(name, Claim(claim), _bound(scores[0], scores[1], slip))


def telling(left: Array, right: Array, column: int, rows: Array) -> Array:
    """How much likelier on the right what a run chose was in the first quarter of the runs."""
    quarter = len(left) // 4
    most = int(max(left[:, column].max(), right[:, column].max())) + 1
    times = [
        np.bincount(side[:quarter, column].astype(np.intp), minlength=most) + 1
        for side in (left, right)
    ]
    ratio: Array = np.log(times[1] / times[0])
    return np.asarray(ratio[rows[:, column].astype(np.intp)])


def _alike(left: Array, right: Array, column: int) -> tuple[Array, Array, int]:
    """As many runs of both sides as have the value that comes most often on the left."""
    values, times = np.unique(left[:, column], return_counts=True)
    value = values[times.argmax()]
    kept = [side[side[:, column] == value] for side in (left, right)]
    number = min(map(len, kept))
    return kept[0][:number], kept[1][:number], int(value)


def _bound(left: Array, right: Array, slip: float) -> float:
    return lower_bound(left, right, choosing=len(left) // 3, delta=0.0, slip=slip)
