"""What is drawn for a release has the exact distribution, in a process that may fail alone."""

import math
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, chi2

from core.errors import EquipoiseError
from core.methods.randomness import Histograms
from core.privacy import Neighbours
from release import process
from release.ledger.liveness import Process, alive, this_process
from release.meter import Meter
from release.process import Worker
from release.published import GAUSSIAN, LAPLACE

ROOT = Path(__file__).parent.parent.parent
CELLS = 100_000
ALARM = 1e-6
"""Chance that a test on fresh entropy fails though all is well."""


@pytest.fixture(scope="module")
def worker():
    with Worker() as started:
        yield started


def chances(kind, scale, whole):
    """Twin: the distribution as it is defined."""
    if kind == LAPLACE:
        q = math.exp(-1 / scale)
        return (1 - q) / (1 + q) * q ** np.abs(whole)
    reach = np.arange(-math.ceil(40 * scale) - 40, math.ceil(40 * scale) + 41)
    return np.exp(-((whole / scale) ** 2) / 2) / np.exp(-((reach / scale) ** 2) / 2).sum()


def fit(drawn, chance_of):
    """P-value of a chi-square test, tails pooled so that each class is expected 20 times."""
    size = len(drawn)
    reach = 0
    while size * chance_of(np.array([reach + 1]))[0] >= 20:
        reach += 1
    inside = np.arange(-reach, reach + 1)
    expected = size * chance_of(inside)
    tail = size - expected.sum()
    observed = np.array([(drawn == k).sum() for k in inside])
    statistic = ((observed - expected) ** 2 / expected).sum()
    outside = size - observed.sum()
    classes = len(inside)
    if tail > 5:
        statistic += (outside - tail) ** 2 / tail
        classes += 1
    return chi2.sf(statistic, classes - 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_a_hundred_thousand_cells_have_the_exact_distribution(worker, kind):
    """Through the meter, as a release draws them: one table, one scale."""
    delta = Fraction(0) if kind == LAPLACE else Fraction(1, 1000)
    meter = Meter(Fraction(1), delta, Neighbours.REPLACE, worker)
    table = Histograms((("all",),), np.zeros(CELLS, dtype=np.intp))
    if kind == LAPLACE:
        drawn = meter.laplace(table, np.array([3.7]), 1.0)
    else:
        drawn = meter.gaussian(table, np.array([6.3]))
    scale = float(meter.measurements[0].scale)
    assert (drawn == np.rint(drawn)).all()
    assert fit(drawn, lambda whole: chances(kind, scale, whole)) > ALARM
    # the test can fail: five per cent less noise does
    assert fit(drawn, lambda whole: chances(kind, 0.95 * scale, whole)) < ALARM


def test_rounded_continuous_noise_would_be_noticed():
    rounded = np.rint(np.random.default_rng(0).laplace(0, 1.3, CELLS))
    assert fit(rounded, lambda whole: chances(LAPLACE, 1.3, whole)) < ALARM


def test_small_and_large_scales_side_by_side(worker):
    scales, cells = (Fraction(1, 2), Fraction(400), Fraction(1, 2)), (3000, 2000, 1000)
    drawn = worker.noise(LAPLACE, scales, cells)
    assert fit(np.r_[drawn[:3000], drawn[5000:]], lambda k: chances(LAPLACE, 0.5, k)) > ALARM
    assert np.abs(drawn[3000:5000]).mean() == pytest.approx(400, rel=0.2)


def test_samples_keep_each_record_with_its_probability(worker):
    kept = worker.thinned(np.full(20_000, 7), Fraction(1, 10))
    observed = np.bincount(kept, minlength=8)
    expected = 20_000 * binom.pmf(np.arange(8), 7, 0.1)
    pooled = [np.r_[x[:3], x[3:].sum()] for x in (observed, expected)]
    assert chi2.sf((((pooled[0] - pooled[1]) ** 2) / pooled[1]).sum(), 3) > ALARM


def test_a_sample_keeps_no_record_of_another_cell(worker):
    """Nearly all are kept, so that one counted next door makes a cell too large."""
    counts = np.tile([0, 1, 0, 5, 2], 400)
    kept = worker.thinned(counts, Fraction(9, 10))
    assert (kept <= counts).all()
    assert kept.sum() > 0.8 * counts.sum()


def test_every_answer_has_its_own_time():
    """What a trial has drawn takes no time from the release after it."""
    code = (
        "import time\nfrom release.worker import limit\n"
        "for _ in range(3):\n"
        "    limit(1, 2**34)\n"
        "    until = time.process_time() + 0.5\n"
        "    while time.process_time() < until: pass\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
    endless = code.replace("0.5", "5")
    assert subprocess.run([sys.executable, "-c", endless], cwd=ROOT).returncode == -signal.SIGXCPU


def test_draws_are_never_the_same_twice(worker):
    first, second = (worker.noise(LAPLACE, [Fraction(50)], [40]) for _ in range(2))
    assert not np.array_equal(first, second)


def test_a_worker_does_not_outlive_who_asks():
    code = (
        "from release.process import Worker\nimport time\n"
        "with Worker() as own: print(own.number, flush=True); time.sleep(60)"
    )
    asking = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    worker = Process(int(asking.stdout.readline()), "", this_process().boot)
    assert alive(worker)
    asking.kill()
    asking.communicate()
    deadline = time.monotonic() + 120
    while alive(worker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(worker)


def test_a_worker_that_takes_too_much_memory_is_ended(monkeypatch):
    monkeypatch.setattr(process, "NUMBERS", 2**28)
    with (
        Worker(memory=2**31) as own,
        pytest.raises(EquipoiseError, match="ended before its answer"),
    ):
        own.noise(LAPLACE, [Fraction(1)], [2**28])


def test_a_worker_asked_for_nonsense_says_nothing():
    with Worker() as own, pytest.raises(EquipoiseError, match="ended before its answer"):
        own.noise(LAPLACE, [Fraction(1, 3)], [10])
