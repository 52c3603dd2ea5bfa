"""The frontier: Pareto sets against a slow twin, currencies kept apart, prices read off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.membership.bound import guaranteed_auc
from core.membership.curves import Curve
from core.methods.registry import METHODS
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.exposure import guarantees
from core.study.frontier import common_places, frontier
from core.study.frontier_points import GRID, FrontierPoint, frontier_methods, frontier_points
from core.study.frontier_words import absences, best_sentence, cheapest_sentence, too_early
from core.study.metrics import Truth
from sources.study import sampled_study

SCENARIO = Scenario(replicates=5)


def curve(auc):
    """A composed guarantee whose power is its AUC at every rate."""
    return Curve("composed", "release", "guarantee", "Anyone", "", lambda a: 0 * a + auc, auc, 0.0)


def point(method, epsilon, error, auc=0.6):
    composed = None if auc is None else curve(auc)
    return FrontierPoint(method, epsilon, {"query_l1": np.full(5, error)}, composed)


def of(points, methods, price="epsilon", metric="query_l1"):
    return frontier(points, SCENARIO, methods=methods, metric=metric, price=price)


def marked(one):
    return {
        (c.method, e)
        for c in one.curves
        for e, pareto in zip(c.epsilons, c.pareto, strict=True)
        if pareto
    }


VALUES = st.sampled_from([0.1, 0.2, 0.3, 0.4])


@given(st.lists(st.tuples(st.sampled_from(["uniform", "equipoise", "cgm"]), st.sampled_from(GRID),
                          VALUES, VALUES), min_size=1, unique_by=lambda p: p[:2]))  # fmt: skip
def test_the_pareto_set_is_what_no_other_point_beats(some):
    one = of([point(m, e, error, 0.5 + auc) for m, e, error, auc in some],
             ["uniform", "equipoise", "cgm"], price="auc")  # fmt: skip
    twin = {
        (m, e)
        for m, e, error, auc in some
        if not any(
            x <= error and a <= auc and (x < error or a < auc) for _, _, x, a in some
        )
    }  # fmt: skip
    assert marked(one) == twin


def test_pure_and_approximate_promises_are_ranked_apart_over_epsilon_alone():
    points = [point("uniform", 1.0, 0.2, 0.6), point("equipoise-zcdp", 1.0, 0.1, 0.55)]
    methods = ["uniform", "equipoise-zcdp"]
    assert marked(of(points, methods)) == {("uniform", 1.0), ("equipoise-zcdp", 1.0)}
    assert marked(of(points, methods, "auc")) == {("equipoise-zcdp", 1.0)}
    pure, approximate = cheapest_sentence(of(points, methods), 0.3).split("; ")
    assert "(pure ε-DP)" in pure and "((ε, δ)-DP, δ = 10⁻⁶)" in approximate
    assert ";" not in cheapest_sentence(of(points, methods, "auc"), 0.3)


def test_prices_and_errors_are_read_off_between_points_on_log_scales():
    points = [point("uniform", 0.1, 1.0), point("uniform", 10.0, 0.01)]
    one = of([*points, point("equipoise", 0.1, 0.5), point("equipoise", 10.0, 0.005)],
             ["uniform", "equipoise"])  # fmt: skip
    ((first, second),) = one.cheapest(0.1)
    assert (first.method, second.method) == ("equipoise", "uniform")
    assert second.price == pytest.approx(1.0)
    assert first.price == pytest.approx(0.5)
    ((best, other),) = one.best(1.0)
    assert (best.method, best.error) == ("equipoise", pytest.approx(0.05))
    assert other.error == pytest.approx(0.1)
    goal = "error of answers to 20 questions"
    assert cheapest_sentence(one, 0.1) == (
        f"Cheapest for {goal} = 0.1: equipoise, ε = 0.5 (pure ε-DP), then uniform ε = 1."
    )
    assert cheapest_sentence(one, 1e-9) == (
        f"No method reaches {goal} = 10⁻⁹ within what is measured."
    )
    assert "uniform, equipoise, each ε = 0.1 or less" in cheapest_sentence(one, 5.0)
    assert best_sentence(one, 1.0) == (
        f"Least {goal} at ε = 1: equipoise 0.05 (pure ε-DP), then uniform 0.1."
    )


def test_who_is_cheapest_waits_for_three_budgets_and_names_at_most_three_methods():
    methods = ["uniform", "equipoise", "cgm", "one-table"]
    points = [point(m, e, 0.1 / e) for e in (0.2, 1.0, 3.0) for m in methods]
    early = too_early({"asia": of(points[:9], methods)})
    assert early.startswith("Measuring, 9 points so far")
    assert too_early({"asia": of(points, methods)}) == ""
    assert "4 methods, each ε = 0.2 or less" in cheapest_sentence(of(points, methods), 5.0)


def test_more_is_better_where_a_share_is_right():
    points = [FrontierPoint(m, e, {"map_accuracy": np.full(5, s)}, curve(0.6))
              for m, e, s in (("uniform", 1.0, 0.5), ("equipoise", 1.0, 0.9))]  # fmt: skip
    one = of(points, ["uniform", "equipoise"], metric="map_accuracy")
    assert marked(one) == {("equipoise", 1.0)}
    assert one.best(1.0)[0][0].method == "equipoise"
    assert [o.method for o in one.cheapest(0.8)[0]] == ["equipoise"]


def test_a_method_without_a_composed_guarantee_says_why():
    one = of([point("uniform", 1.0, 0.2), point("equipoise-zcdp", 1.0, 0.1, None)],
             ["uniform", "equipoise-zcdp"], "power")  # fmt: skip
    assert [c.method for c in one.curves if c.places.size] == ["uniform"]
    said = absences(one)
    assert any("equipoise-zcdp has no curve" in s and "learned with pure ε" in s for s in said)
    assert any(s.startswith("exact has no curve: it adds no noise") for s in said)


def test_measured_points_are_those_of_the_engine_whatever_the_number_of_workers():
    study = sampled_study("asia", None, records=500, seed=0)
    truth = Truth.of(study.network, study.counts)
    asked = [("uniform", 1.0), ("equipoise-zcdp", 3.0)]
    scenario = Scenario(replicates=4)
    points = list(frontier_points(truth, study.counts, scenario, asked=asked, metrics=["l1_row"]))
    assert [(p.method, p.epsilon) for p in points] == asked
    for one in points:
        at = Scenario(replicates=4, epsilon=one.epsilon)
        curves = guarantees(one.method, study.network, study.counts, at, spent=0.0)
        composed = next(c for c in curves if c.key == "composed")
        assert one.price("auc", 0.01) == composed.auc
        assert one.price("power", 0.01) == composed.powers(np.array([0.01]))[0]
        assert one.price("epsilon", 0.01) == one.epsilon
    bound = guaranteed_auc(1.0, Neighbours.ADD_REMOVE, 0.0)
    assert points[0].price("auc", 0.01) <= bound


def test_every_private_method_of_the_registry_is_offered_and_exact_refused():
    assert set(frontier_methods()) == {m for m in METHODS if METHODS[m].guarantee.private}
    study = sampled_study("asia", None, records=50, seed=0)
    truth = Truth.of(study.network, study.counts)
    with pytest.raises(EquipoiseError, match="exact promises nothing"):
        next(frontier_points(truth, study.counts, SCENARIO, asked=[("exact", 1.0)], metrics=[]))


def test_a_price_or_rate_that_is_none_is_refused():
    with pytest.raises(EquipoiseError, match="no price 'gold'"):
        of([], ["uniform"], "gold")
    with pytest.raises(EquipoiseError, match="false-alarm rate"):
        frontier([], SCENARIO, methods=["uniform"], metric="l1_row", alpha=0.0)


def test_curves_are_read_side_by_side_at_common_places():
    points = [point("uniform", e, 1 / e, 0.5 + e / 40) for e in (0.5, 1.0, 5.0)]
    assert common_places(of(points, ["uniform"])).tolist() == [0.5, 1.0, 5.0]
    places = common_places(of(points, ["uniform"], "auc"))
    assert places[0] == pytest.approx(0.5125) and places[-1] == pytest.approx(0.625)
    assert common_places(of([], ["uniform"], "auc")).size == 0
