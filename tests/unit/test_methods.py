"""Every method on every awkward network: one table of assertions."""

import inspect
import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.gaussian_noise import gaussian_leakage
from core.methods.registry import METHODS
from core.network import Network
from core.options import Options
from core.privacy import Guarantee, Neighbours
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from core.table import Variable


def variables(*sizes):
    return tuple(Variable(f"v{i}", tuple(map(str, range(r)))) for i, r in enumerate(sizes))


NETWORKS = {
    "single node": Network(variables(3), ((),)),
    "chain": Network(variables(2, 3, 2), ((), ("v0",), ("v1",))),
    "v-structure": Network(variables(2, 3, 4), ((), (), ("v0", "v1"))),
    "disconnected": Network(variables(2, 2, 3), ((), ("v0",), ())),
    "wide family": Network(variables(2, 2, 2, 2, 3), ((), (), (), (), ("v0", "v1", "v2", "v3"))),
    "one state": Network(variables(1, 2), ((), ("v0",))),
}
CASES = [(m, n) for m in METHODS for n in NETWORKS]


def source(network, records=500, seed=3):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(v.cardinality, size=records) for v in network.variables], 1)
    return Rows(Dataset(network.variables, codes))


def one(method, network, counts, **knobs):
    (release,) = rehearsals(method, network, counts, Scenario(**{"replicates": 7, **knobs}))
    return release


@pytest.mark.parametrize(("method", "name"), CASES)
def test_conditionals_are_distributions_for_every_replicate(method, name):
    network = NETWORKS[name]
    release = one(method, network, source(network), epsilon=0.3)
    assert release.method == method and release.rehearsal
    assert (release.plan is not None) == METHODS[method].guarantee.private
    assert ("gaussian" in release.noise) == METHODS[method].guarantee.has_delta
    model = release.model
    assert model.replicates == (7,)
    assert model.values.min() >= 0
    np.testing.assert_allclose(network.layout.row_totals(model.values), 1, atol=1e-9)


@pytest.mark.parametrize(("method", "name"), CASES)
def test_infinite_epsilon_gives_the_exact_model(method, name):
    network = NETWORKS[name]
    exact = Truth.of(network, source(network)).model
    model = one(method, network, source(network), epsilon=math.inf).model
    np.testing.assert_allclose(
        model.values, np.broadcast_to(exact.values, (7, network.layout.size)), atol=1e-9
    )


@pytest.mark.parametrize("prior", [0.0, 2.5])
@pytest.mark.parametrize("records", [0, 1, 6])
@pytest.mark.parametrize("method", METHODS)
def test_infinite_epsilon_gives_the_exact_model_where_nobody_fills_a_row(method, records, prior):
    """Such rows were backed off; parents in two tables made them part of answers."""
    sizes, parents = (2, 2, 3, 3, 2), ((), ("v0",), ("v0",), ("v1", "v2"), ("v3",))
    network, options = Network(variables(*sizes), parents), Options(prior=prior)
    counts = source(network, records=records)
    assert not Truth.of(network, counts).seen.all()
    exact = one("exact", network, counts, options=options).model
    model = one(method, network, counts, epsilon=math.inf, options=options).model
    np.testing.assert_allclose(model.values, exact.values, atol=1e-9)


OURS = [name for name in METHODS if name.startswith("equipoise")]


@pytest.mark.parametrize("method", OURS)
def test_hardly_any_noise_leaves_the_rows_that_records_fill_exact(method):
    network = NETWORKS["v-structure"]
    counts = source(network)
    exact = Truth.of(network, counts).model.values
    model = one(method, network, counts, epsilon=1e6).model
    np.testing.assert_allclose(model.values, np.broadcast_to(exact, (7, exact.size)), atol=1e-9)


@pytest.mark.parametrize("method", OURS)
def test_a_prior_of_many_records_decides_whatever_the_noise(method):
    network = NETWORKS["v-structure"]
    model = one(method, network, source(network), options=Options(prior=1e9)).model
    for i, variable in enumerate(network.variables):
        shares = model.conditional(i).values
        np.testing.assert_allclose(shares, 1 / variable.cardinality, atol=1e-5)


@pytest.mark.parametrize(("method", "name"), CASES)
def test_no_records_still_give_distributions(method, name):
    network = NETWORKS[name]
    model = one(method, network, source(network, records=0)).model
    np.testing.assert_allclose(network.layout.row_totals(model.values), 1, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_numbers_and_another_does_not(method):
    network = NETWORKS["v-structure"]
    first = one(method, network, source(network), seed=1).model.values
    again = one(method, network, source(network), seed=1).model.values
    np.testing.assert_array_equal(first, again)
    if METHODS[method].guarantee.private:
        assert (first != one(method, network, source(network), seed=2).model.values).any()


@pytest.mark.parametrize("method", METHODS)
def test_more_replicates_leave_the_first_ones_alone(method):
    network = NETWORKS["chain"]
    few = one(method, network, source(network), replicates=7).model.values
    many = one(method, network, source(network), replicates=12).model.values
    np.testing.assert_allclose(many[:7], few, rtol=1e-12)  # the same draws; sums may round


@pytest.mark.parametrize("method", [m for m in METHODS if METHODS[m].guarantee.private])
def test_a_budget_that_cannot_be_shared_out_is_refused_before_a_count_is_read(method):
    class Closed:
        records = 10

        def counts(self, families):
            raise AssertionError("counts were read")

    stranger = Scenario(replicates=1, options=Options(floors=(("nobody", 0.5),)))
    with pytest.raises(EquipoiseError, match="nobody"):
        METHODS[method].run(NETWORKS["chain"], Closed(), stranger, rng=np.random.default_rng(0))


@pytest.mark.parametrize("method", [m for m in METHODS if METHODS[m].guarantee.private])
def test_the_plan_spends_at_most_epsilon_and_replace_doubles_the_scales(method):
    network = NETWORKS["wide family"]
    plans = {
        n: one(method, network, source(network), epsilon=0.7, neighbours=n).plan for n in Neighbours
    }
    for neighbours, plan in plans.items():
        assert plan.spent <= 0.7 * (1 + 1e-12)
        assert (plan.parts.sum(axis=-1) + plan.stage_one <= 0.7 * (1 + 1e-12)).all()
        if plan.rho is None:
            np.testing.assert_allclose(plan.scales * plan.parts, neighbours.l1_sensitivity)
        else:
            assert gaussian_leakage(plan.rho.sum(), 0.7) <= plan.delta * (1 + 1e-9)
            squares = 2 * plan.rho * (plan.scales**2 - 1)
            np.testing.assert_allclose(squares, neighbours.l1_sensitivity)
    if not METHODS[method].needs_stage_one:  # the plan is public, so it is the same
        replaced, added = (plans[n].scales for n in (Neighbours.REPLACE, Neighbours.ADD_REMOVE))
        if plan.rho is None:
            np.testing.assert_allclose(replaced, 2 * added)
        else:
            np.testing.assert_allclose(replaced**2 - 1, 2 * (added**2 - 1))


def test_uniform_noise_of_a_single_root_by_hand():
    """One binary root: T and its total, each with Laplace(2/eps), merged by inverse variance."""
    network = Network(variables(2), ((),))
    counts = source(network)
    release = METHODS["uniform"].run(
        network, counts, Scenario(epsilon=2.0, replicates=40_000), rng=np.random.default_rng(0)
    )
    noisy = release.noisy - counts.counts(network.families)[0].values
    # scale 1, cell variance 2; merged: x - (x + y - t) / 3 = (2x - y + t) / 3 -> 6/9 * 2
    np.testing.assert_allclose(noisy.var(axis=0), 6 / 9 * 2, rtol=0.05)
    np.testing.assert_allclose(noisy.mean(axis=0), 0, atol=5 * math.sqrt(4 / 3 / 40_000))
    told = METHODS["uniform"].forecast(network, release.plan)
    assert told.tolist() == [pytest.approx(math.sqrt(6 / 9 * 2), rel=1e-12)]


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, 2e6])
def test_no_scenario_has_such_an_epsilon(epsilon):
    with pytest.raises(EquipoiseError, match="epsilon"):
        Scenario(epsilon=epsilon)


def test_a_guarantee_is_asked_and_not_read():
    kinds = {m.guarantee for m in METHODS.values()}
    assert kinds == set(Guarantee)
    for kind in kinds:
        assert [kind.pure, kind.has_delta, not kind.private].count(True) == 1
    assert METHODS["equipoise-zcdp"].guarantee.has_delta
    assert METHODS["equipoise-zcdp"].guarantee.text == "(ε, δ)-DP"
    assert METHODS["equipoise"].guarantee.pure
    assert not METHODS["exact"].guarantee.private


def test_every_method_has_the_one_signature():
    for method in METHODS.values():
        names = list(inspect.signature(method.run).parameters)
        assert names == ["network", "counts", "scenario", "rng"], method.name


def test_an_unknown_method_is_refused_with_the_list():
    network = NETWORKS["chain"]
    with pytest.raises(EquipoiseError, match=r"no method 'x'; there are exact, uniform"):
        one("x", network, source(network))
