"""The parts of the attack, each against a slow twin or scipy."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.inference.sampling import sample as draw
from core.membership.attack import attacking, log_ratio, run_attack
from core.membership.bound import PublishedBound
from core.membership.guardrails import guardrails
from core.membership.intervals import Outsiders, clopper_pearson, over_pools, student
from core.membership.leverage import mixture_of, support_of
from core.membership.lookup import Lookup
from core.membership.normal import cell_scores, log_cumulative
from core.membership.outcomes import Attack, outcome, summarise
from core.membership.population import ModelPopulation, TablePopulation
from core.membership.structure import learn
from core.network import Network
from core.scenario import Scenario
from core.study.metrics import Truth
from core.table import Variable
from sources.networks import sample, sample_names


def records_of(name, size, seed=0):
    model = sample(name).model
    return model.network, draw(model, size, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("name", sample_names())
def test_sums_and_counts_equal_a_walk_record_by_record(name):
    network, people = records_of(name, 60)
    rng = np.random.default_rng(1)
    tables = [rng.normal(size=(3, *s)) for s in network.layout.shapes]
    lookup = Lookup.of(people, network.families, pools=3)
    codes = np.asarray(people.codes, dtype=int)
    sums, counts = np.zeros((3, 20)), [np.zeros_like(t) for t in tables]
    for record, (i, family) in itertools.product(range(60), enumerate(network.families)):
        cell = (record // 20, *(codes[record, network.position[v.name]] for v in family))
        sums[record // 20, record % 20] += tables[i][cell]
        counts[i][cell] += 1
    assert lookup.sums(tables) == pytest.approx(sums)
    for ours, slow in zip(lookup.counts(), counts, strict=True):
        assert (ours == slow).all()
    shared = [t[0] for t in tables]
    assert lookup.sums(shared)[0] == pytest.approx(lookup.sums(tables)[0])


@pytest.mark.parametrize("name", sample_names())
@pytest.mark.parametrize("size", [2, 300])
def test_leverages_sum_to_cells_minus_rows(name, size):
    network, people = records_of(name, size)
    truth = Truth.of(network, Rows(people))
    support = support_of(network, Lookup.of(people, network.families))
    identity = int((truth.counts > 0).sum() - truth.seen.sum())
    assert support.leverages.sum() == pytest.approx(identity, abs=1e-6)
    assert size * support.mean == pytest.approx(identity, abs=1e-6)


def test_equal_leverages_give_the_published_curve():
    bound = PublishedBound(509, 1000)
    mixture = mixture_of(np.full(5000, bound.mu**2))
    alphas = np.array([0.001, 0.01, 0.1, 0.5])
    assert mixture.powers(alphas) == pytest.approx(bound.powers(alphas), rel=2e-3)
    assert mixture.auc == pytest.approx(bound.auc, abs=1e-4)


def test_the_mixture_equals_bisection_on_the_threshold():
    rng = np.random.default_rng(0)
    leverages = rng.gamma(0.5, 0.2, 2000) + 1e-3
    mixture = mixture_of(leverages)
    root = np.sqrt(leverages)
    for alpha in (0.001, 0.02, 0.3):
        low, high = -20.0, 20.0
        for _ in range(200):
            t = (low + high) / 2
            false = stats.norm.cdf((t - leverages / 2) / root).mean()
            low, high = (t, high) if false < alpha else (low, t)
        power = stats.norm.cdf((t + leverages / 2) / root).mean()
        assert float(mixture.powers(np.array([alpha]))[0]) == pytest.approx(power, rel=0.01)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_equal_scipys_exact_ones(case):
    hits, trials = case
    exact = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
    assert clopper_pearson(hits, trials) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_an_interval_of_more_hits_than_trials_is_refused():
    with pytest.raises(EquipoiseError, match="3 hits in 2 trials"):
        clopper_pearson(3, 2)


@settings(deadline=None)
@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=20),
    st.lists(st.integers(-3, 3), min_size=1, max_size=20),
    st.floats(0.001, 0.999),
)
def test_area_and_power_equal_counting_all_pairs(members, outsiders, alpha):
    inside, outside = np.array(members, float), np.array(outsiders, float)
    found = Outsiders(outside)
    wins = [(m > o) + 0.5 * (m == o) for m in members for o in outsiders]
    assert found.area(inside) == pytest.approx(np.mean(wins))
    # a member draws its place among those it ties with, and is accused within alpha of all
    hits = []
    for m in members:
        above, tied = sum(o > m for o in outsiders), outsiders.count(m)
        ranks = above + np.arange(tied + 1)
        hits.append(np.clip(alpha * (len(outsiders) + 1) - ranks, 0, 1).mean())
    assert found.powers(inside, np.array([alpha]))[0] == pytest.approx(np.mean(hits))


@settings(deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=20), st.floats(0.001, 0.999))
def test_among_people_alike_as_many_are_accused_as_are_meant_to_be(people, alpha):
    """Of 250 outsiders the first alone made it 0.4 % where 0.1 % were asked for."""
    scores = np.array(people, float)
    found = [
        float(Outsiders(np.delete(scores, i)).powers(scores[[i]], np.array([alpha]))[0])
        for i in range(len(scores))
    ]
    assert np.mean(found) == pytest.approx(alpha)


@pytest.mark.parametrize("pools", [1, 3])
@pytest.mark.parametrize("outsiders", [100, 800])
def test_intervals_hold_what_attacks_find_on_average(outsiders, pools):
    """Those of powers knew nothing of the threshold's error, those of the AUC of few pools."""
    rng, mu, rounds = np.random.default_rng(1), 0.4, 250
    asked = Attack("exact", records=400, pools=pools, alphas=(0.01, 0.1))
    truth = [*stats.norm.cdf(mu + stats.norm.ppf(asked.alphas)), stats.norm.cdf(mu / 2**0.5)]
    held = np.zeros(3)
    for _ in range(rounds):
        done = [
            outcome(rng.normal(mu, 1, 400), Outsiders(rng.normal(0, 1, outsiders)), asked, None, ())
            for _ in range(pools)
        ]
        result = summarise(asked, done, 0, 0.0)
        spans = (*result.powers, result.auc)
        held += [span.low <= t <= span.high for span, t in zip(spans, truth, strict=True)]
    assert (held / rounds > 0.91).all()  # five in a hundred may miss: 0.91 is 3 deviations away


def test_one_pool_tells_nothing_of_others():
    """It had an interval of no width: any difference was one."""
    gain = over_pools(np.array([0.02]), -1.0)
    assert (gain.low, gain.mean, gain.high) == (-1, 0.02, 1)


@given(st.integers(1, 300), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_students_law_equals_scipys(freedom, level):
    assert student(level, freedom) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), rel=1e-9)


@pytest.mark.parametrize(("spread", "scale"), [(3.0, 2.0), (0.3, 5.0), (20.0, 1.0)])
def test_scores_are_the_derivative_of_the_convolved_density(spread, scale):
    def density(r):
        return integrate.quad(
            lambda x: stats.norm.pdf(x, 0, spread) * stats.laplace.pdf(r - x, 0, scale),
            -12 * spread, 12 * spread, points=[r] if abs(r) < 12 * spread else None, limit=200,
        )[0]  # fmt: skip

    for r in (-2.5, 0.4, 6.0):
        slope = (np.log(density(r + 1e-4)) - np.log(density(r - 1e-4))) / 2e-4
        ours = cell_scores(np.array([r]), np.array([spread**2]), scale, "laplace")
        assert ours[0] == pytest.approx(-slope, rel=1e-3, abs=1e-5)


def test_scores_without_noise_are_the_normal_ones():
    scores = cell_scores(np.array([3.0]), np.array([4.0]), 0.0, "laplace")
    assert scores[0] == pytest.approx(0.75)
    gaussian = cell_scores(np.array([3.0]), np.array([4.0]), 3.0, "discrete gaussian")
    assert gaussian[0] == pytest.approx(3 / (4 + 9))


def test_the_log_of_the_tail_is_continuous_and_accurate():
    x = np.array([-200.0, -40.0, -30.0001, -29.9999, -5.0, 2.0])
    assert log_cumulative(x) == pytest.approx(stats.norm.logcdf(x), rel=1e-5)


def test_a_state_the_release_rules_out_is_no_members():
    ratio = log_ratio(np.array([0.0, 0.5, 0.5]), np.array([0.2, 0.25, 0.0]))
    assert ratio[0] == -np.inf
    assert ratio[1] == pytest.approx(np.log(2))
    assert ratio[2] == 0.0


def test_pools_of_a_table_take_every_person_once():
    _, people = records_of("asia", 50)
    drawn = TablePopulation(people).draw(3, 20, rng=np.random.default_rng(0))
    weights = 2 ** np.arange(8)
    everyone = sorted((np.asarray(people.codes, int) @ weights).tolist())
    for pool in range(3):
        parts = [
            np.asarray(d.codes, int).reshape(3, -1, 8)[pool] @ weights
            for d in (drawn.members, drawn.reference, drawn.outsiders)
        ]
        assert [len(p) for p in parts] == [20, 15, 15]
        assert sorted(np.concatenate(parts).tolist()) == everyone


@pytest.mark.parametrize("release", ["exact", "smoothed", "uniform", "equipoise"])
def test_the_same_seed_finds_the_same_and_a_stop_keeps_what_is_done(release):
    model = sample("asia").model
    population = ModelPopulation(model, outsiders=500, reference=2000)
    asked = Attack(release, 50, 12)
    whole = run_attack(population, model.network, asked, Scenario())
    again = run_attack(population, model.network, asked, Scenario())
    assert whole.auc == again.auc
    assert whole.pools == 12
    seen = []
    run_attack(
        population, model.network, asked, Scenario(),
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen == [(5, 12), (10, 12), (12, 12)]
    parts = attacking(population, model.network, asked, Scenario())
    assert [next(parts).pools, next(parts).pools] == [5, 10]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p, n: run_attack(p, n, Attack("exact", 1, 2), Scenario()), "records is 1; it must"),
        (lambda p, n: run_attack(p, n, Attack("exact", 0, 2), Scenario()), "records is 0; it must"),
        (lambda p, n: run_attack(p, n, Attack("exact", 99, 2), Scenario()), "larger than the pop"),
        (lambda p, n: run_attack(p, n, Attack("exact", 50, 2), Scenario()), "leaves 0 of 50"),
        (lambda p, n: Attack("nosuch"), "no release 'nosuch'"),
        (lambda p, n: Attack("exact", 10, 0), "number of pools is 0"),
        (lambda p, n: Attack("exact", 10, 5, (0.0,)), "false-alarm rate is 0"),
        (lambda p, n: Attack("exact", 10, 5, (1.0,)), "false-alarm rate is 1"),
        (lambda p, n: learn(n.variables, Rows(p.people), 4), "number of parents is 4"),
    ],
)
def test_refusals_name_the_thing(call, words):
    network, people = records_of("asia", 50)
    with pytest.raises(EquipoiseError, match=words):
        call(TablePopulation(people), network)


def test_guardrails_count_what_they_say():
    network, people = records_of("asia", 200)
    truth = Truth.of(network, Rows(people))
    support = support_of(network, Lookup.of(people, network.families))
    found = {g.key: g for g in guardrails(truth, support)}
    thin = int(((truth.counts > 0) & (truth.counts < 5)).sum())
    assert found["cells"].finding.startswith(f"{thin} of {truth.counts.size} cells")
    assert found["rows"].finding == f"{int((truth.row_counts < 50).sum())} of 18 rows"
    assert found["bias"].state == "unknown"
    # members alone in a cell, one by one
    codes = np.asarray(people.codes, int)
    tables = network.layout
    alone = 0
    for record in codes:
        own = [
            tables.unpack(truth.counts, i)[tuple(record[network.position[v.name]] for v in family)]
            for i, family in enumerate(network.families)
        ]
        alone += min(own) == 1
    assert f"{alone} alone" in found["cells"].rest
    assert "raise C from 18 to 20" in found["joint"].rest


def test_joint_tables_of_a_chain_raise_nothing():
    names = [Variable(name, ("no", "yes")) for name in "abc"]
    network = Network(names, ((), ("a",), ("b",)))
    people = Dataset(network.variables, np.zeros((40, 3), int))
    support = support_of(network, Lookup.of(people, network.families))
    found = {g.key: g for g in guardrails(Truth.of(network, Rows(people)), support)}
    assert found["joint"].rest == f"with them C would be {network.complexity} as well"


def test_a_biased_pool_is_noticed():
    model = sample("asia").model
    network, people = records_of("asia", 2000)
    truth = Truth.of(network, Rows(people))
    support = support_of(network, Lookup.of(people, network.families))
    from core.inference.queries import marginals

    honest = marginals(model)
    state = {g.key: g.state for g in guardrails(truth, support, expected=honest)}
    assert state["bias"] == "fine"
    wrong = [m.copy() for m in honest]
    wrong[network.index("smoke")] = np.array([0.2, 0.8])
    found = {g.key: g for g in guardrails(truth, support, expected=wrong)}
    assert found["bias"].state == "look"
    assert "smoke" in found["bias"].rest
