"""Appendix J in small: what the paper reports happens, on any population."""

import numpy as np
import pytest

from core.membership.demonstrations import (
    DEMONSTRATIONS,
    DemonstrationSetting,
    random_graph,
    scores,
    whitened,
)
from core.membership.lookup import Lookup
from core.membership.population import ModelPopulation
from core.membership.structure import learn
from core.parameters import fit
from sources.networks import sample
from sources.study import sampled_study


@pytest.fixture(scope="module")
def setting():
    study = sampled_study("child", None, records=5_000, seed=0)
    population = ModelPopulation(sample("child").model, outsiders=4_000, reference=50_000)
    return DemonstrationSetting(population, study.counts, 1_000, pools=8)


def shown(name, setting):
    return DEMONSTRATIONS[name](setting, rng=np.random.default_rng(1))


def test_random_edges_leak_as_much_as_learned_ones(setting):
    learned, random = shown("J.1 random edges", setting).rows
    assert random[1] == pytest.approx(learned[1], rel=0.1)
    assert random[2] == pytest.approx(learned[2], abs=0.025)


def test_theory_misses_the_threshold_of_a_model_that_fits_badly(setting):
    rows = shown("J.2 thresholds", setting).rows
    gaps = [abs(r[2] - r[3]) / abs(r[2]) for r in rows]
    assert np.mean(gaps[:3]) > np.mean(gaps[3:])


def test_a_richer_population_model_weakens_the_attack(setting):
    same, richer = shown("J.3 richer population model", setting).rows
    assert richer[2] < same[3]


def test_whitening_beats_the_ratio_on_bare_marginals(setting):
    ratio, white = shown("A stronger attack", setting).rows
    assert white[1] > ratio[1]


def test_whitened_scores_are_the_quadratic_form_written_out():
    population = ModelPopulation(sample("asia").model, outsiders=10, reference=2_000)
    drawn = population.draw(2, 30, rng=np.random.default_rng(0))
    graph = learn(population.variables, None, 0)
    inside, _ = whitened(drawn, graph)

    def hot(people):
        return np.concatenate([np.eye(2)[c] for c in np.asarray(people.codes, int).T], axis=1)

    seen, own = hot(drawn.reference), hot(drawn.members)[30:]
    inverse = np.linalg.pinv(np.cov(seen.T), rcond=1e-6, hermitian=True)
    expected = own @ inverse @ (own.mean(axis=0) - seen.mean(axis=0))
    assert inside[1] == pytest.approx(expected)


def test_random_graphs_stay_below_the_complexity_asked_for():
    network = sample("alarm").network
    graph = random_graph(network, rng=np.random.default_rng(0))
    assert 0.9 * network.complexity <= graph.complexity <= network.complexity
    assert graph.variables == network.variables


def test_scores_with_two_graphs_equal_the_difference_of_log_likelihoods():
    model = sample("asia").model
    population = ModelPopulation(model, outsiders=20, reference=3_000)
    drawn = population.draw(2, 30, rng=np.random.default_rng(0))
    released, known = model.network.without_edge("smoke", "lung"), model.network
    inside, _ = scores(drawn, released, known)
    own = fit(
        released, released.layout.pack(Lookup.of(drawn.members, released.families, 2).counts())
    )
    counts = known.layout.pack(Lookup.of(drawn.reference, known.families).counts())
    smooth = fit(known, counts + 0.5)  # all asia's variables have two states
    record = np.asarray(drawn.members.codes, int)[31]

    def log_likelihood(values, network):
        cells = [
            network.layout.unpack(values, i)[tuple(record[network.position[v.name]] for v in f)]
            for i, f in enumerate(network.families)
        ]
        return float(np.log(cells).sum())

    expected = log_likelihood(own.values[1], released) - log_likelihood(smooth.values[0], known)
    assert inside[1, 1] == pytest.approx(expected)
