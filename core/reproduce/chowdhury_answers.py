"""Table 1 of Chowdhury et al., most probable explanations: C9 and C10."""

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from core.inference.queries import evidence_probability, explanations
from core.parameters import Model
from core.reproduce.error_study import ARXIV, EPSILONS, ICML, SETTING, THEIRS, UNIFORM
from core.reproduce.item import Inquiry, Item, Numbers, Steps
from core.reproduce.sampled import DATA_SEEDS, NETWORKS, drawn_states, on_networks, truth_and_counts
from core.reproduce.verdicts import best, exact, order, weaker
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth, map_accuracy, marginal_map_accuracy
from core.table import Array

QUESTIONS = 20
READINGS = (
    "all other variables, given one to three",
    "all other variables, given one",
    "the likeliest answer, one to three targets",
    "all other variables, given states drawn evenly",
)
Key = tuple[str, str, float]
"""(reading, method, ε)."""

ACCURACY = {
    "asia": ((0.88, 1), (0.93, 1), (1, 1), (1, 1), (1, 1)),
    "sachs": ((0.81, 0.86), (0.87, 0.93), (0.92, 0.98), (0.96, 1), (1, 1)),
    "child": ((0.79, 0.93), (0.83, 0.95), (0.89, 0.97), (1, 1), (1, 1)),
    "alarm": ((0.89, 0.95), (0.92, 0.98), (0.95, 1), (1, 1), (1, 1)),
}
"""Table 1: share of MAP questions answered rightly by D-Ind and by theirs, at each ε."""

MEANS = {ICML: 0.935, ARXIV: 0.938}
"""Mean over the networks at ε = 1, in the text."""


def _one_given(model: Model, *, rng: np.random.Generator) -> list[dict[str, str]]:
    names = model.network.names
    records = drawn_states(model, QUESTIONS, rng=rng)
    return [{n: r[n]} for r, n in zip(records, rng.choice(names, QUESTIONS), strict=True)]


def _evenly(model: Model, *, rng: np.random.Generator) -> list[dict[str, str]]:
    """One to three variables at states that are all equally likely to be asked; possible ones."""
    variables = model.network.variables
    asked: list[dict[str, str]] = []
    while len(asked) < QUESTIONS:
        chosen = rng.permutation(len(variables))[: rng.integers(1, 4)]
        given = {variables[i].name: str(rng.choice(variables[i].states)) for i in chosen}
        if float(evidence_probability(model, given)) > 0:
            asked.append(given)
    return asked


def _hits(truth: Truth, model: Model, evidence: Sequence[dict[str, str]]) -> Array:
    known = explanations(truth.model, evidence)
    pairs = zip(explanations(model, evidence), known, strict=True)
    return np.asarray(np.mean([(o == e).all(axis=-1) for (o, _), (e, _) in pairs], axis=0))


@functools.lru_cache(maxsize=8)
def accuracies(model: Model, replicates: int, seed: int) -> dict[Key, Array]:
    """Share of questions answered rightly, for each replicate of three data sets."""
    values: dict[Key, list[Array]] = {}
    for data in range(DATA_SEEDS):
        truth, counts = truth_and_counts(model, seed + data)
        rng = np.random.default_rng([seed + data, 13])
        single, even = _one_given(truth.model, rng=rng), _evenly(truth.model, rng=rng)
        for method in (UNIFORM, *THEIRS):
            for epsilon in EPSILONS:
                scenario = Scenario(epsilon=epsilon, replicates=replicates, seed=seed + data)
                for release in rehearsals(method, model.network, counts, scenario):
                    shares = (
                        map_accuracy(truth, release.model),
                        _hits(truth, release.model, single),
                        marginal_map_accuracy(truth, release.model),
                        _hits(truth, release.model, even),
                    )
                    for reading, share in zip(READINGS, shares, strict=True):
                        values.setdefault((reading, method, epsilon), []).append(share)
    return {key: np.concatenate(parts) for key, parts in values.items()}


@Item(
    "C9", "Table 1: most probable explanations", "both, Table 1",
    claim="Higher accuracy than D-Ind at every ε; values as printed.",
    setting=f"{SETTING}; {QUESTIONS} questions",
    rule="EXACT(0.05) over the 40 values and ORDER over the 12 pairs that differ in print, the "
    "weaker of the two; of all readings the kindest.",
    published={
        f"{name}, {method}, ε = {epsilon:g}": pair[place]
        for name, rows in ACCURACY.items()
        for place, method in enumerate((UNIFORM, ICML))
        for epsilon, pair in zip(EPSILONS, rows, strict=True)
    },
    notes=(
        "The text says \"at least 86 % while D-Ind achieves 81 %\", but its own table has D-Ind at "
        "79 % on Child.",
    ),
    group="explanations",
)  # fmt: skip
def _table_one(inquiry: Inquiry) -> Steps:
    every = yield from on_networks(inquiry, accuracies, 10, 200)
    ours, judged = Numbers(), {}
    for reading in READINGS:
        for method, name, epsilon in itertools.product((UNIFORM, *THEIRS), NETWORKS, EPSILONS):
            what = f"{name}, {method}, ε = {epsilon:g}"
            ours.mean(reading, what, every[name][reading, method, epsilon])
        for method in THEIRS:
            pairs, differences = [], []
            for name in NETWORKS:
                for epsilon, (base, theirs) in zip(EPSILONS, ACCURACY[name], strict=True):
                    own = [every[name][reading, m, epsilon] for m in (UNIFORM, method)]
                    pairs += [(float(own[0].mean()), base), (float(own[1].mean()), theirs)]
                    if base < theirs:
                        differences.append(own[1] - own[0])
            judged[f"{reading}, {method}"] = weaker(
                {"values": exact(pairs, 0.05), "direction": order(differences)}
            )
    return ours.finding(best(judged))


@Item(
    "C10", "Average accuracy at ε = 1", "both, section 5",
    claim="93.5 % (ICML), 93.8 % (arXiv) of the explanations are right at ε = 1.",
    setting=f"{SETTING}; {QUESTIONS} questions", rule="EXACT(0.03), the kindest reading.",
    published={f"mean over networks, {method}": told for method, told in MEANS.items()},
    notes=(
        "The mean of Table 1's own four values (1, 0.86, 0.93, 0.95) is 0.935; arXiv prints 0.938.",
    ),
    group="explanations",
)  # fmt: skip
def _average(inquiry: Inquiry) -> Steps:
    every = yield from on_networks(inquiry, accuracies, 10, 200)
    ours, judged = Numbers(), {}
    for reading in READINGS:
        for method, told in MEANS.items():
            share = float(np.mean([every[n][reading, method, 1.0].mean() for n in NETWORKS]))
            ours.value(reading, f"mean over networks, {method}", share)
            judged[f"{reading}, {method}"] = exact([(share, told)], 0.03)
    return ours.finding(best(judged))
