"""Exact inference on alarm: ours, pgmpy and pyAgrum.

Marginals of all nodes. Ours: the tree is compiled, the numbers are propagated anew each time.
pgmpy: variable elimination per node (its belief propagation needs more than a minute to calibrate
this network). pyAgrum: lazy propagation, the faster of a new engine each time and one engine whose
evidence alternates, so that it keeps its tree but must propagate.

Conditional queries, one target and one to three observed variables each. Ours: ``answer``. pgmpy:
variable elimination. pyAgrum: one engine, target and evidence replaced for each query.

Replicates. Ours: one pass over a model with 200 replicates. pyAgrum: a new engine for each of 200
models that are already built; building them is not measured.
"""

from __future__ import annotations

import argparse
import functools
import itertools
from collections.abc import Callable

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Goal, medians, print_goals, print_times
from core.inference.queries import Query, answer, evidence_probability, marginals
from core.parameters import Model

Tasks = dict[str, Callable[[], object]]


def conditional_queries(model: Model, size: int) -> list[Query]:
    """Seeded queries whose evidence is possible."""
    rng = np.random.default_rng(0)
    variables = model.network.variables
    found: list[Query] = []
    while len(found) < size:
        target, *seen = rng.permutation(len(variables))[: rng.integers(2, 5)]
        given = {variables[j].name: str(rng.choice(variables[j].states)) for j in seen}
        if evidence_probability(model, given) > 0:
            found.append(Query((variables[target].name,), given))
    return found


def marginal_tasks(model: Model) -> Tasks:
    """All marginals, in four ways."""
    import pyagrum
    from pgmpy.inference import VariableElimination

    names = model.network.names
    elimination, network = VariableElimination(rivals.pgmpy_model()), rivals.pyagrum_model()
    kept = pyagrum.LazyPropagation(network)
    kept.addEvidence(names[0], 0)
    states = itertools.cycle([1, 0])

    def alternating() -> list[object]:
        kept.chgEvidence(names[0], next(states))
        kept.makeInference()
        return [kept.posterior(name) for name in names]

    new = functools.partial(rivals.posteriors, network, names)
    for ours, other in zip(marginals(model), new(), strict=True):
        np.testing.assert_allclose(ours, other.toarray(), atol=1e-6)
    return {
        "ours": lambda: marginals(model),
        "pyAgrum, new engine": new,
        "pyAgrum, one engine": alternating,
        "pgmpy": lambda: [elimination.query([name], show_progress=False) for name in names],
    }


def query_tasks(model: Model, queries: list[Query]) -> Tasks:
    """The conditional queries, in three ways."""
    import pyagrum
    from pgmpy.inference import VariableElimination

    elimination = VariableElimination(rivals.pgmpy_model())
    network = rivals.pyagrum_model()
    engine = pyagrum.LazyPropagation(network)

    def one_engine() -> list[object]:
        found = []
        for query in queries:
            engine.eraseAllTargets()
            engine.setEvidence(dict(query.given))
            engine.addTarget(query.targets[0])
            engine.makeInference()
            found.append(engine.posterior(query.targets[0]).toarray())
        return found

    for ours, other in zip(answer(model, queries), one_engine(), strict=True):
        np.testing.assert_allclose(ours, other, atol=1e-6)
    return {
        "ours": lambda: answer(model, queries),
        "pyAgrum": one_engine,
        "pgmpy": lambda: [
            elimination.query(list(q.targets), dict(q.given), show_progress=False) for q in queries
        ],
    }


def replicate_tasks(model: Model, replicates: int) -> Tasks:
    """Marginals of many models, ours in one pass."""
    import pyagrum

    many = Model(model.network, np.repeat(model.values[None], replicates, axis=0))
    network = rivals.pyagrum_model()
    copies = [pyagrum.BayesNet(network) for _ in range(replicates)]
    names = model.network.names
    return {
        "ours": lambda: marginals(many),
        "pyAgrum": lambda: [rivals.posteriors(copy, names) for copy in copies],
    }


def main(queries: int, replicates: int, rounds: int) -> None:
    """Prints times and ratios."""
    model = rivals.ours()
    single = medians(marginal_tasks(model), rounds=rounds)
    print_times(f"All marginals of {rivals.NETWORK}", single)
    asked = medians(query_tasks(model, conditional_queries(model, queries)), rounds=rounds)
    print_times(f"{queries} conditional queries", asked)
    many = medians(replicate_tasks(model, replicates), rounds=rounds)
    print_times(f"All marginals of {replicates} replicates", many)
    agrum = min(single["pyAgrum, new engine"], single["pyAgrum, one engine"])
    goals = [
        Goal("marginals: pgmpy", "ours", single["pgmpy"] / single["ours"], 15),
        Goal("marginals: pyAgrum", "ours", agrum / single["ours"], 3),
        Goal("queries: pgmpy", "ours", asked["pgmpy"] / asked["ours"], 8),
        Goal("queries: pyAgrum", "ours", asked["pyAgrum"] / asked["ours"], 3),
        Goal("replicates: pyAgrum", "ours", many["pyAgrum"] / many["ours"], 50),
    ]
    print_goals(goals)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    main(given.queries, given.replicates, given.rounds)
