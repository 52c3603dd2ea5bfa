"""The privacy loss of whole syntheses, computed transcript by transcript on both neighbours.

A run leaves its noisy tables and its choices; everything else follows from them. Replayed on the
neighbour they have another probability there, and the logarithm of the ratio is the loss. A pure
claim holds for every transcript; one with a δ holds for the moments of the loss. Each planted bug
must break what the honest method keeps.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import core.synthesis.classes as classes
import core.synthesis.ways as ways
from core.counts import Rows
from core.dataset import Dataset
from core.methods.selection import chance
from core.privacy import Neighbours
from core.synthesis.measuring import Bench, NoisyTable, Purse
from core.table import Variable

BITS = tuple(Variable(name, ("0", "1")) for name in "abc")
CROWD = (
    [[0, 1, 0]] * 300
    + [[1, 0, 1]] * 90
    + [[1, 0, 0]] * 210
    + [[0, 0, 1]] * 210
    + [[0, 0, 0]] * 1190
)
"""All three pairs are as far from independence; [1, 1, 1] adds to one of them and takes off two."""

RUNS = 16


@dataclass(eq=False)
class Told(Bench):
    """A bench that keeps the log-probability of what it gave; it gives a ``script`` again."""

    script: list = field(default_factory=list)
    kept: list = field(default_factory=list)
    logs: list = field(default_factory=list)
    replays: bool = False

    def measure(self, sets, amounts, priors=()):
        before = len(self.tables)
        super().measure(sets, amounts, priors)
        for place, exact in enumerate(self.exact(sets), start=before):
            noisy = self.script.pop(0) if self.replays else self.tables[place].values
            own = self.tables[place]
            self.tables[place] = NoisyTable(own.columns, noisy, own.variance, own.prior)
            self.kept.append(noisy)
            amount = amounts[place - before]
            far, scale = noisy - exact, self.purse.scale(amount)
            law = far**2 / (2 * scale**2) if self.purse.gaussian else np.abs(far) / scale
            self.logs.append(("table", -float(law.sum()), amount))

    def choose(self, candidates, scores, amount):
        chosen = super().choose(candidates, scores, amount)
        if self.replays:
            chosen = self.script.pop(0)
            self.steps[-1] = replace(self.steps[-1], columns=chosen)
        self.kept.append(chosen)
        own = scores.astype(float)
        moved = float(self.purse.neighbours.l1_sensitivity)
        epsilon = self.purse.choosing(amount)
        told = chance(self.purse.law, own, candidates.index(chosen), epsilon=epsilon,
                      sensitivity=moved)  # fmt: skip
        self.logs.append(("choice", math.log(told) if told > 0 else -math.inf, amount))
        return chosen


class HalfTables(Purse):
    """Tables with half the noise."""

    def scale(self, amount):
        return super().scale(amount) / 2


class HalfSensitivity(Purse):
    """Scores divided by half of what one record moves them by."""

    def choosing(self, amount):
        return 2 * super().choosing(amount)


class NoNoise(Purse):
    """Choices without noise."""

    def choosing(self, amount):
        return math.inf


def losses(purse, monkeypatch, way="adaptive", runs=RUNS):
    """Losses of runs on the crowd against one record more, in all and by what was paid for."""
    data = [Rows(Dataset(BITS, np.array(c))) for c in (CROWD, neighbour(purse))]
    benches = []

    def bench(*given, **named):
        benches.append(Told(*given, **named, **bench.more))
        return benches[-1]

    monkeypatch.setattr(ways, "Bench", bench)
    whole, parts = [], []
    for seed in range(runs):
        here, there = data if seed % 2 else data[::-1]
        bench.more = {}
        ways.made(way, here, BITS, purse, rng=np.random.default_rng(seed))
        first = benches[-1]
        bench.more = {"script": [*first.kept], "replays": True}
        ways.made(way, there, BITS, purse, rng=np.random.default_rng(seed))
        pairs = zip(first.logs, benches[-1].logs, strict=True)
        own = [(k, a - b if a > -math.inf else 0.0, paid) for (k, a, paid), (_, b, _) in pairs]
        parts += own
        whole.append(sum(loss for _, loss, _ in own))
    return np.array(whole), parts


def neighbour(purse):
    replaced = purse.neighbours is Neighbours.REPLACE
    return [*CROWD[: len(CROWD) - replaced], [1, 1, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("way", ["adaptive", "views"])
def test_no_transcript_loses_more_than_a_pure_claim(way, epsilon, neighbours, monkeypatch):
    monkeypatch.setattr(
        classes, "CLASSES", (1, 2)
    )  # fitted after all is drawn: no part of a transcript
    whole, parts = losses(Purse(epsilon, 0.0, neighbours), monkeypatch, way)
    assert np.abs(whole).max() <= epsilon * (1 + 1e-6)
    assert all(abs(loss) <= amount * (1 + 1e-6) for _, loss, amount in parts)
    assert np.abs(whole).max() > 0.3 * epsilon  # the data does tell: a bug would show


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_moments_of_the_loss_keep_a_concentrated_claim(epsilon, monkeypatch):
    purse = Purse(epsilon, 1e-6, Neighbours.ADD_REMOVE)
    whole, parts = losses(purse, monkeypatch)
    spread = whole.std() / math.sqrt(len(whole))
    assert whole.mean() <= purse.total + 4 * spread  # KL is at most rho
    assert all(abs(loss) <= purse.choosing(a) * (1 + 1e-6) for k, loss, a in parts if k == "choice")


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("bug", [HalfSensitivity, NoNoise])
def test_a_planted_bug_in_choices_is_caught(bug, epsilon, monkeypatch):
    own = Purse(epsilon, 1e-6, Neighbours.ADD_REMOVE)
    runs = 150 if bug is NoNoise else RUNS  # it shows where the best is another on the neighbour
    _, parts = losses(bug(epsilon, 1e-6, Neighbours.ADD_REMOVE), monkeypatch, runs=runs)
    assert any(abs(loss) > 1.1 * own.choosing(a) for k, loss, a in parts if k == "choice")


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_tables_with_half_the_noise_are_caught(epsilon, monkeypatch):
    _, parts = losses(HalfTables(epsilon, 0.0, Neighbours.ADD_REMOVE), monkeypatch)
    assert any(abs(loss) > 1.2 * amount for k, loss, amount in parts if k == "table")
