"""As accurate as a random sample: against every possible sample, and against the normal law."""

import itertools
import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.network import Network
from core.study.metrics import METRICS, Truth
from core.study.subsample import SHARES, SamplingCurve, sampling_curves, subsampled
from core.table import Variable
from sources.study import sampled_study

ONE = Network((Variable("x", ("a", "b", "c")),), ((),))


def truth_of(*times):
    codes = np.repeat(np.arange(len(times)), times)[:, None]
    return Truth.of(ONE, Rows(Dataset(ONE.variables, codes)))


def every_sample(times, share):
    """Mean L1 error over every sample of the records, each with its chance: the slow twin."""
    exact = np.array(times) / sum(times)
    mean = 0.0
    for kept in itertools.product(*(range(n + 1) for n in times)):
        pairs = list(zip(times, kept, strict=True))
        chance = math.prod(math.comb(n, k) * share**k * (1 - share) ** (n - k) for n, k in pairs)
        model = np.array(kept) / sum(kept) if sum(kept) else np.full(len(times), 1 / len(times))
        mean += chance * np.abs(model - exact).sum()
    return mean


@pytest.mark.parametrize("share", [0.3, 0.8])
def test_samples_err_as_all_samples_do_on_average(share):
    truth = truth_of(5, 3, 1)
    model = subsampled(truth, share, 20_000, rng=np.random.default_rng(0))
    errors = METRICS["l1_row"](truth, model)
    bound = 5 * errors.std() / math.sqrt(errors.size)
    assert errors.mean() == pytest.approx(every_sample((5, 3, 1), share), abs=bound)


def test_many_records_follow_the_closed_form():
    times, share = (40_000, 30_000, 30_000), 0.1
    truth = truth_of(*times)
    chances = np.array(times) / sum(times)
    spread = chances * (1 - chances) * (1 - share) / (share * sum(times))
    closed = float(np.sqrt(2 / math.pi * spread).sum())
    model = subsampled(truth, share, 4_000, rng=np.random.default_rng(1))
    assert METRICS["l1_row"](truth, model).mean() == pytest.approx(closed, rel=0.03)


def test_the_whole_is_exact_and_no_sample_is_refused():
    truth = truth_of(5, 3, 1)
    model = subsampled(truth, 1.0, 3, rng=np.random.default_rng(0))
    assert METRICS["l1_row"](truth, model) == pytest.approx(0)
    with pytest.raises(EquipoiseError, match="between 0 and 1"):
        subsampled(truth, 0.0, 3, rng=np.random.default_rng(0))


def test_an_error_is_put_back_to_the_share_that_it_came_from():
    study = sampled_study("asia", None, records=10_000, seed=0)
    truth = Truth.of(study.network, study.counts)
    metrics = ("l1_weighted", "query_l1")
    curves = sampling_curves(truth, metrics)
    for metric in metrics:
        for share in (0.03, 0.4):
            model = subsampled(truth, share, 100, rng=np.random.default_rng(7))
            error = float(METRICS[metric](truth, model).mean())
            assert curves[metric].equivalent(error) == pytest.approx(share, rel=0.2)


def test_ends_and_what_cannot_be_said():
    curve = SamplingCurve("l1_row", (0.1, 0.5), np.array([0.3, 0.1]))
    assert curve.equivalent(5.0) == 0  # worse than any sample drawn: it was told to be the smallest
    assert curve.equivalent(0.3) == 0.1
    assert 0.1 < curve.equivalent(0.2) < 0.5
    assert curve.equivalent(0.05) == pytest.approx(0.8)  # √((1 − s)/s) halved
    assert curve.equivalent(0.0) == 1.0
    assert SamplingCurve("map_accuracy", (0.1,), np.array([0.5])).equivalent(0.5) is None
    assert tuple(sorted(SHARES)) == SHARES
