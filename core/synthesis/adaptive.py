"""Tables chosen where the model so far is most wrong, measured, and fitted together.

Single columns first. Then a tree of pairs, chosen one after the other between columns that no pair
joins yet; then pairs in batches, by how far the model is off less the noise a table would get, as
long as the junction tree stays within ``CELLS``. In pure ε what is chosen together is measured in
fewer, larger tables where that leaves less noise, single columns too. Score of a pair: L1 distance
of its counts from the model's, both whole numbers, less a public penalty. One record more or less
moves it by one at most, a replaced one by two. After McKenna et al. 2022 (AIM); deviations:
batches, a tree first, merged tables, empirical Bayes before the fit, a number of tables by a public
forecast.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from core.inference.cliques import forest_of
from core.synthesis.fitting import Fitted, fitted, left_out
from core.synthesis.forecast import WayForecast, choosing
from core.synthesis.joint_tables import expected_table, merged_tables, weight
from core.synthesis.measuring import Bench, Columns, NoisyTable, TableStep
from core.synthesis.room import pairs_with_room
from core.synthesis.targets import Targets, margin, raked, targets
from core.table import Array

CELLS = 2**18
"""Most cells of the junction tree: 2 MiB, and a few times that while it is fitted."""

BATCH = 5
"""Pairs chosen before the model is fitted again."""

PENALTY = 0.3
"""Part of a table's expected noise that is taken off its score: filtering takes most of it away."""

SINGLES, PAIRS = 0.5, 0.4
"""Powers of a table's cells by which it gets more than others: single columns, pairs of a batch. In
pure ε the root of the noise it leaves."""

LARGEST = 2.0**40
"""Scores end here, where they are still whole numbers, as doubles and in steps: more noise than
that has no pair to tell from another, and cutting moves no two scores further apart."""

SWEEPS, LAST_SWEEPS = 6, 10
TOLERANCE, LAST_TOLERANCE = 3e-3, 1e-3

Progress = Callable[[int, int], None]


@dataclass(eq=False)
class Growth:
    """A model as it grows: what is measured on a bench, and what is fitted to it."""

    bench: Bench
    records: float | None
    """Where their number is public."""
    exact: dict[Columns, Array] = field(default_factory=dict)
    known: list[Columns] = field(default_factory=list)
    """Pairs that a table holds."""
    tables: list[Columns] = field(default_factory=list)
    crowding: set[Columns] = field(default_factory=set)
    """Pairs that were chosen and turned out not to fit."""
    chosen: int = 0

    @property
    def sizes(self) -> list[int]:
        """States of each column."""
        return [v.cardinality for v in self.bench.variables]

    def fit(self, before: Fitted | None, sweeps: int, tolerance: float) -> tuple[Fitted, Targets]:
        """The model of everything measured so far."""
        gaussian = self.bench.purse.gaussian
        wanted = targets(self.bench.tables, self.sizes, gaussian=gaussian, records=self.records)
        model = fitted(
            self.bench.variables, wanted.tables, sweeps=sweeps, tolerance=tolerance, start=before
        )
        return model, wanted

    def scores(self, pairs: list[Columns], model: Fitted, records: float, noise: float) -> Array:
        """Whole scores of pairs; private."""
        missing = [pair for pair in pairs if pair not in self.exact]
        self.exact.update(zip(missing, self.bench.exact(missing), strict=True))
        scores = []
        for pair in pairs:
            i, j = pair
            expected = np.rint(records * model.pairs[i, j])
            penalty = round(PENALTY * noise * expected.size)
            off = min(float(np.abs(self.exact[pair] - expected).sum()), LARGEST)
            scores.append(max(off - penalty, -LARGEST))
        return np.array(scores)


def grown(
    bench: Bench, plan: WayForecast, *, records: float | None, progress: Progress | None = None
) -> tuple[Fitted, float]:
    """The model after as many tables as were planned, and the number of records."""
    growth = Growth(bench, records)
    _measure_singles(growth, bench.left * plan.first)
    model, wanted = growth.fit(None, SWEEPS, TOLERANCE)
    while growth.chosen < plan.tables:
        each = bench.left / (plan.tables - growth.chosen)
        batch = _batch(growth, model, wanted.records, plan, each)
        if not batch:
            break
        _measure(growth, batch, model, each)
        model, wanted = growth.fit(model, SWEEPS, TOLERANCE)
        if progress is not None:
            progress(growth.chosen, plan.tables)
    if growth.tables:
        _spend_rest(growth)
        if not bench.purse.gaussian:
            _expect_anew(bench, model, wanted)
        model, wanted = growth.fit(model, LAST_SWEEPS, LAST_TOLERANCE)
    return model, wanted.records


def _measure_singles(growth: Growth, amount: float) -> None:
    """Every column; where some are measured as one table, what it says about each alone."""
    bench, sizes = growth.bench, growth.sizes
    singles: list[Columns] = [(column,) for column in range(len(sizes))]
    tables = singles
    if not bench.purse.gaussian:
        tables = merged_tables(singles, sizes, lambda _: True)
    parts = np.array([weight(table, singles, sizes) for table in tables]) ** SINGLES
    amounts = (amount * parts / parts.sum()).tolist()
    bench.measure(tables, amounts)
    alone: dict[Columns, tuple[NoisyTable, float]] = {}
    for table, own in zip(bench.tables, amounts, strict=True):
        for axis, column in enumerate(table.columns):
            values = margin(table.values, axis)
            variance = table.variance * (table.values.size // values.size)
            alone[(column,)] = NoisyTable((column,), values, variance), own / len(table.columns)
    bench.tables[:] = [alone[single][0] for single in singles]
    bench.steps += [TableStep(single, alone[single][1]) for single in singles]


def _batch(
    growth: Growth, model: Fitted, records: float, plan: WayForecast, each: float
) -> list[Columns]:
    """Pairs chosen by one model: a whole tree at first, then a few; none where nothing fits.

    A choice that no longer fits after the others of its batch is paid and ends the batch; the first
    of a batch, where room was bounded only, is paid and left out from then on.
    """
    bench, sizes = growth.bench, growth.sizes
    chosen_by = choosing(bench.purse)
    treeless = not growth.tables
    wanted = min(plan.tables - growth.chosen, len(sizes) - 1 if treeless else BATCH)
    noise = bench.purse.deviation(each * (1 - chosen_by)) * math.sqrt(2 / math.pi)
    pairs = pairs_with_room(sizes, growth.known, CELLS)
    pairs = [pair for pair in pairs if pair not in growth.crowding]
    if not pairs:
        return []
    scores = dict(zip(pairs, growth.scores(pairs, model, records, noise), strict=True))
    batch: list[Columns] = []
    part = list(range(len(sizes)))  # of each column: the same where the batch joins two
    while len(batch) < wanted and each <= bench.left * (1 + 1e-9) - len(batch) * each * (
        1 - chosen_by
    ):
        able = [p for p in pairs if p not in batch and not (treeless and part[p[0]] == part[p[1]])]
        if not able:
            break
        own = np.array([scores[p] for p in able]).astype(np.int64)
        pair = bench.choose(able, own, each * chosen_by)
        if forest_of(sizes, [*growth.known, *batch, pair]).cells(sizes) > CELLS:
            bench.steps.pop()
            if batch:
                break
            growth.crowding.add(pair)
            pairs.remove(pair)
            continue
        batch.append(pair)
        part = [part[pair[0]] if one == part[pair[1]] else one for one in part]
    return batch


def _measure(growth: Growth, batch: list[Columns], model: Fitted, each: float) -> None:
    """Larger tables for more; ``each`` is what a choice and its table cost on average."""
    bench, sizes, pure = growth.bench, growth.sizes, not growth.bench.purse.gaussian
    tables, choice = batch, each * choosing(bench.purse)
    if pure:
        tables = merged_tables(
            batch, sizes, lambda own: forest_of(sizes, [*growth.known, *own]).cells(sizes) <= CELLS
        )
    parts = np.array([weight(table, batch, sizes) for table in tables]) ** (
        SINGLES if pure else PAIRS
    )
    amounts = ((each - choice) * len(batch) * parts / parts.sum()).tolist()
    bench.measure(tables, amounts, [expected_table(table, model.pairs) for table in tables])
    inside = [{p for p in itertools.combinations(table, 2) if p in batch} for table in tables]
    for place, step in enumerate(bench.steps[-len(batch) :], start=len(bench.steps) - len(batch)):
        own = (a / len(p) for a, p in zip(amounts, inside, strict=True) if step.columns in p)
        bench.steps[place] = replace(step, cost=choice + next(own))
    growth.tables += tables
    growth.chosen += len(batch)
    growth.known += sorted({p for table in tables for p in itertools.combinations(table, 2)})


def _spend_rest(growth: Growth) -> None:
    """What no table was found for goes to all that were measured."""
    bench = growth.bench
    rest = bench.left * (1 - 1e-12)
    if rest > 1e-6 * bench.purse.total:
        priors = {table.columns: table.prior for table in bench.tables}
        amounts = [rest / len(growth.tables)] * len(growth.tables)
        bench.measure(growth.tables, amounts, [priors[table] for table in growth.tables])


def _expect_anew(bench: Bench, model: Fitted, wanted: Targets) -> None:
    """What each table was expected to be becomes what all others say about it."""
    for place, table in enumerate(bench.tables):
        own = wanted.tables.get(table.columns)
        if own is not None and len(table.columns) > 1:
            others = left_out(model, wanted.tables, table.columns)
            alone = {c: margin(own, axis) for axis, c in enumerate(table.columns)}
            bench.tables[place] = replace(table, prior=raked(table.columns, others, alone))
