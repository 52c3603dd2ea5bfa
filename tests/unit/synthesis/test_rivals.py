"""AIM's estimator as benchmarks/ has it, against the one it was written after."""

import importlib.util
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from benchmarks.records import fits
from core.counts import Rows
from sources.study import sampled_study


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mbi") is None, reason="mbi is not installed")
def test_the_rivals_fit_is_that_of_mbi():
    """Least squares over the same noisy tables, a loop among them: as small a loss."""
    rows = Rows(sampled_study("asia", None, records=2_000, seed=0).dataset)
    sets = [*((c,) for c in range(8)), (0, 1), (1, 2), (0, 2), (2, 5), (5, 7)]
    alone = multiprocessing.get_context("spawn")  # its threads forbid every later fork
    with ProcessPoolExecutor(1, mp_context=alone) as process:
        ours, theirs = process.submit(fits, rows, sets, 30.0).result()
    assert ours == pytest.approx(theirs, rel=1e-3)
    assert ours > 0.1  # noisy tables disagree: there is something to fit
