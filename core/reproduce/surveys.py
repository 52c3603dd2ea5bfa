"""Records for the items of PrivBayes: generated surveys in place of tables that are not ours."""

from __future__ import annotations

import functools

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.table import Variable

REPLACED = "one record replaced, n public, β = 0.3, θ = 4"
SURVEY_SETTING = (
    f"generated survey of 16 questions, 21,574 records (NLTCS is not ours to ship); {REPLACED}"
)
SURVEYS = {"survey16": (16, 21_574), "survey23": (23, 47_461)}
"""Questions and records: as many as NLTCS and ACS have."""


@functools.lru_cache(maxsize=4)
def survey(questions: int, records: int) -> Rows:
    """Yes-or-no answers that depend on one hidden quantity: P(yes) = 1 - exp(-hidden u_j)."""
    rng = np.random.default_rng(1)
    hidden = rng.gamma(0.7, 1.0, (records, 1))
    answers = rng.random((records, questions))
    ease = rng.uniform(0.1, 1.2, questions)
    yes = answers < 1 - np.exp(-hidden * ease)
    variables = tuple(Variable(f"q{i}", ("no", "yes")) for i in range(questions))
    return Rows(Dataset(variables, yes.astype(np.uint8)))
