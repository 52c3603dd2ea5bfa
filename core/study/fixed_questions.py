"""The questions that errors are measured on: the same for every method, ε and session."""

from collections.abc import Collection, Iterator

import numpy as np

from core.inference.evidence import Query
from core.inference.sampling import sample
from core.parameters import Model

QUERY_SEED = 20_20
MARGINAL = 10
"""Questions without evidence, which come first; as many with evidence follow."""


def fixed_evidence(model: Model, size: int) -> list[dict[str, str]]:
    """One to three variables each, at states of a record drawn from the model."""
    rng = np.random.default_rng([QUERY_SEED, 1])
    drawn = sample(model, size, rng=rng)
    deck = _deck(len(drawn.variables), rng=rng)
    given = []
    for record in np.asarray(drawn.codes):
        count = min(int(rng.integers(1, 4)), len(drawn.variables) - 1)
        chosen = _dealt(deck, count, ())
        given.append(
            {drawn.variables[j].name: drawn.variables[j].states[record[j]] for j in chosen}
        )
    return given


def fixed_questions(model: Model) -> tuple[Query, ...]:
    """Ten marginal, then ten conditional ones, of one to three targets.

    Variables are dealt from a shuffled deck, so that all are asked about equally often.
    """
    rng = np.random.default_rng([QUERY_SEED, 2])
    names, position = model.network.names, model.network.position
    evidence: list[dict[str, str]] = [{}] * MARGINAL + fixed_evidence(model, MARGINAL)
    deck = _deck(len(names), rng=rng)
    questions = []
    for given in evidence:
        count = min(int(rng.integers(1, 4)), len(names) - len(given))
        targets = _dealt(deck, count, [position[name] for name in given])
        questions.append(Query(tuple(names[j] for j in targets), given))
    return tuple(questions)


def _deck(size: int, *, rng: np.random.Generator) -> Iterator[int]:
    """All numbers below ``size`` in random order, again and again."""
    while True:
        yield from rng.permutation(size).tolist()


def _dealt(deck: Iterator[int], count: int, held: Collection[int]) -> list[int]:
    """The next numbers of a deck that differ from each other and from those held."""
    dealt: list[int] = []
    while len(dealt) < count:
        card = next(deck)
        if card not in held and card not in dealt:
            dealt.append(card)
    return dealt
