"""Records sampled from the networks, as all items use them."""

from __future__ import annotations

import functools

import numpy as np

from core.counts import Rows
from core.inference.sampling import sample
from core.parameters import Model
from core.study.metrics import Truth

NETWORKS = ("asia", "sachs", "child", "alarm")
RECORDS = 10_000
DATA_SEEDS = 3


@functools.lru_cache(maxsize=16)
def truth_and_counts(model: Model, seed: int, records: int = RECORDS) -> tuple[Truth, Rows]:
    """Exact counts of records drawn with a seed, and the records to count."""
    rows = Rows(sample(model, records, rng=np.random.default_rng(seed)))
    return Truth.of(model.network, rows), rows


def drawn_states(model: Model, count: int, *, rng: np.random.Generator) -> list[dict[str, str]]:
    """Records drawn from a model, as the state of each variable."""
    drawn = sample(model, count, rng=rng)
    return [
        {v.name: v.states[code] for v, code in zip(drawn.variables, record, strict=True)}
        for record in np.asarray(drawn.codes)
    ]
