import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.recoding import halves
from core.table import Variable
from sources.classifier import misclassified

VARIABLES = (Variable("x", tuple("abc")), Variable("noise", ("0", "1")), Variable("y", ("0", "1")))


def rows(count=600):
    rng = np.random.default_rng(0)
    x, noise = rng.integers(0, 3, count), rng.integers(0, 2, count)
    return Rows(Dataset(VARIABLES, np.column_stack([x, noise, x == 2])))


def test_what_another_column_determines_is_learned():
    training, testing = halves(rows(), 0.8, rng=np.random.default_rng(1))
    assert (training.records, testing.records) == (480, 120)
    assert misclassified(training, testing, "y") == 0


def test_two_parts_hold_every_record_once():
    whole = rows(50)
    parts = halves(whole, 0.5, rng=np.random.default_rng(1))
    together = np.concatenate([p.dataset.codes for p in parts])
    assert sorted(map(tuple, together)) == sorted(map(tuple, whole.dataset.codes))


def test_pure_noise_is_not_learned():
    training, testing = halves(rows(4000), 0.5, rng=np.random.default_rng(1))
    assert misclassified(training, testing, "noise") == pytest.approx(0.5, abs=0.05)


def test_one_state_seen_is_the_answer():
    same = Rows(Dataset(VARIABLES, np.zeros((10, 3), dtype=int)))
    _, testing = halves(rows(), 0.5, rng=np.random.default_rng(1))
    truth = testing.dataset.codes[:, 2]
    assert misclassified(same, testing, "y") == (truth != 0).mean()


def test_an_unknown_target_is_refused():
    with pytest.raises(EquipoiseError, match="no column 'z' to classify"):
        misclassified(rows(), rows(), "z")
    with pytest.raises(EquipoiseError, match="no records to test on"):
        misclassified(rows(), halves(rows(), 1.0, rng=np.random.default_rng(0))[1], "y")
