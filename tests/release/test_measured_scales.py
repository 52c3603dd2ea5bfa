"""Each table of a release gets the noise that the plan has for this table, not another's."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from core.methods.randomness import Histograms
from core.methods.registry import METHODS
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from core.table import Table
from release.meter import Meter
from release.preview import preview
from sources.study import sampled_study

LOCKED = Options(floors=(("Mek", 0.3), ("Akt", 0.05)), weights=(("PKA", 4.0), ("PIP2", 0.3)))
PUBLIC = [name for name, m in METHODS.items() if not m.refused and not m.needs_stage_one]


class Nobody:
    """A source without records."""

    records = 0

    def counts(self, families):
        return tuple(Table(f, np.zeros([v.cardinality for v in f])) for f in families)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", PUBLIC)
def test_a_release_measures_each_table_as_the_plan_says(method, neighbours):
    """With locks and weights, so that tables differ; names and scales as pairs."""
    network = sampled_study("sachs", None, records=1, seed=0).network
    scenario = Scenario(epsilon=0.7, neighbours=neighbours, replicates=1, options=LOCKED)
    rng = np.random.default_rng(0)
    plan = METHODS[method].run(network, Nobody(), scenario, rng=rng).plan
    scales = [f"{scale:.6g}" for scale in plan.scales.tolist()]
    planned = Counter(zip(plan.tables, scales, strict=True))
    assert len({scale for _, scale in planned}) > 1
    measured = preview(network, method, scenario).measurements
    assert planned == Counter((m.variables, f"{float(m.scale):.6g}") for m in measured)


class Numbered:
    """A drawer whose noise is the number of its table."""

    def noise(self, kind, scales, cells):
        return np.repeat(np.arange(len(cells)), cells)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_every_cell_gets_the_noise_of_its_own_table(kind):
    """Cells of one table need not lie together: a network's are sorted by the size of its rows."""
    owner = np.array([2, 0, 1, 1, 2, 0, 2])
    tables = Histograms((("a",), ("b",), ("c",)), owner)
    delta = Fraction(0) if kind == "laplace" else Fraction(1, 1000)
    meter = Meter(Fraction(9), delta, Neighbours.REPLACE, Numbered())
    more = (1.0,) if kind == "laplace" else ()
    noise = getattr(meter, kind)(tables, np.array([10.0, 20.0, 30.0]), *more)
    assert noise.tolist() == owner.tolist()


class Telling:
    """A release's source whose noise is the number of each cell; keeps what it is told."""

    def __init__(self):
        self.drawn, self.told = [], []

    def laplace(self, histograms, scales, rate=1.0):
        self.drawn.append(histograms)
        return np.arange(len(histograms.owner), dtype=float)

    gaussian = laplace

    def keep(self, histograms, noisy):
        self.told.append((histograms, noisy.copy()))


@pytest.mark.parametrize("method", PUBLIC)
def test_a_release_is_told_every_noisy_table_that_it_paid_for(method):
    study, source = sampled_study("sachs", None, records=50, seed=0), Telling()
    METHODS[method].run(study.network, study.counts, Scenario(replicates=1), rng=source)
    assert [histograms for histograms, _ in source.told] == source.drawn != []
    for tables, noisy in source.told:
        exact = noisy - np.arange(len(noisy))
        assert exact.min() >= 0 and set(np.bincount(tables.owner, exact)) == {50}
