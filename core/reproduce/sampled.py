"""Records sampled from the networks, and generated surveys in place of tables that are not ours."""

import functools
from collections.abc import Callable, Generator
from typing import TypeVar

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.inference.sampling import sample
from core.parameters import Model
from core.privacy import Neighbours
from core.privbayes.scores import Score
from core.privbayes.settings import PRIVBAYES, Exact, Settings
from core.reproduce.item import Inquiry
from core.study.metrics import Truth
from core.table import Variable

NETWORKS = ("asia", "sachs", "child", "alarm")
RECORDS = 10_000
DATA_SEEDS = 3

Studied = TypeVar("Studied")


def on_networks(
    inquiry: Inquiry, study: Callable[[Model, int, int], Studied], quick: int, full: int
) -> Generator[int, None, dict[str, Studied]]:
    """A study of each network, a step for each; kept for the items that ask next."""
    every = {}
    for name in NETWORKS:
        model = inquiry.laboratory.model(name)
        every[name] = study(model, inquiry.size(quick, full), inquiry.seed)
        yield len(NETWORKS)
    return every


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


def published(score: Score, epsilon: float, exact: Exact = Exact.NOTHING) -> Settings:
    """PrivBayes as published, at one ε."""
    return Settings(
        epsilon=epsilon, recipe=PRIVBAYES, score=score, exact=exact, neighbours=Neighbours.REPLACE
    )


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
