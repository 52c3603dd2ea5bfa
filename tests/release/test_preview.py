"""A preview: what a method is tried on, what is let through, and what is said of it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.privbayes.learners import shares
from core.scenario import Scenario
from core.table import Variable
from release import preview as previewing
from release.preview import Nothing, delta_of, nothing, plannable, preview

A, B = Variable("a", ("x", "y")), Variable("b", ("x", "y", "z"))
NETWORK = Network((A, B), ((), ("a",)))
HALF = Scenario(epsilon=0.5)


def test_of_nothing_every_table_is_zeros_and_what_was_asked_for_is_known():
    source = Nothing()
    one, two, total = source.counts([(A,), (A, B), ()])
    assert [one.values.tolist(), two.values.tolist()] == [[0, 0], [[0, 0, 0], [0, 0, 0]]]
    assert total.values == 0
    assert source.asked == [((A,), (A, B), ())]
    with pytest.raises(EquipoiseError, match="number of records; it is private"):
        assert source.records
    told = Nothing(7)
    assert told.records == 7 and told.counts([()])[0].values == 7
    assert (nothing("equipoise").known, nothing("privbayes").known) == (None, 10_000)


def test_a_method_that_cannot_be_released_is_refused_with_those_that_can():
    with pytest.raises(EquipoiseError, match="'exact' cannot be released: it adds no noise") as no:
        preview(NETWORK, "exact", HALF)
    able = [name for name, m in (METHODS | LEARNERS).items() if not m.refused]
    assert str(no.value).endswith(f"; choose one of {', '.join(able)}") and "exact" not in able


def test_arithmetic_that_fails_is_one_sentence_and_a_refusal_stays_as_it_is():
    for problem in (ZeroDivisionError("by nothing"), ValueError("no number")):
        said = f"'uniform' cannot be planned with these knobs .*{problem}"
        with pytest.raises(EquipoiseError, match=said), plannable("uniform"):
            raise problem
    own = EquipoiseError("too much")
    with pytest.raises(EquipoiseError) as caught, plannable("uniform"):
        raise own
    assert caught.value is own


def test_a_method_that_draws_nothing_or_has_no_plan_is_refused(monkeypatch):
    plan = METHODS["uniform"].run(NETWORK, Nothing(), HALF, rng=np.random.default_rng(0)).plan

    def still(network, counts, scenario, *, rng):
        found = METHODS["exact"].run(network, counts, scenario, rng=rng)
        return replace(found, plan=plan)

    def planless(network, counts, scenario, *, rng):
        return replace(METHODS["uniform"].run(network, counts, scenario, rng=rng), plan=None)

    for run in (still, planless):
        monkeypatch.setitem(METHODS, "equipoise", replace(METHODS["equipoise"], run=run))
        with pytest.raises(EquipoiseError, match="'equipoise' draws no noise"):
            preview(NETWORK, "equipoise", HALF)


def test_exactly_as_many_cells_are_let_through_as_may_be_drawn(monkeypatch):
    shown = preview(NETWORK, "uniform", HALF)
    cells = sum(m.cells for m in shown.measurements)
    monkeypatch.setattr(previewing, "DRAWN", cells)
    assert preview(NETWORK, "uniform", HALF) == shown
    monkeypatch.setattr(previewing, "DRAWN", cells - 1)
    with pytest.raises(EquipoiseError, match=f"{cells} cells in all; at most {cells - 1} are"):
        preview(NETWORK, "uniform", HALF)


def test_where_records_decide_a_table_has_room_to_get_a_millionth():
    """One variable, its two tables twice: at ε = 2^-18 each has the scale 2^20: allowed."""
    alone, method = Network((A,), ((),)), "data-dependent-icml"
    scenario = Scenario(epsilon=2**-18, split=0.5, rate=1.0)
    shown = preview(alone, method, scenario)
    assert {m.scale for m in shown.measurements} == {2**20} and not shown.public
    below = replace(scenario, epsilon=2**-18 * (1 - 1e-9))
    with pytest.raises(EquipoiseError, match="decides by the records how ε is shared"):
        preview(alone, method, below)
    sampled = preview(alone, method, replace(scenario, epsilon=1.0, rate=0.5))
    assert {m.rate for m in sampled.measurements} == {Fraction(1, 2), 1}
    assert preview(alone, "uniform", replace(scenario, epsilon=2**-24)).public


@pytest.mark.parametrize("method", ["equipoise", "equipoise-zcdp", "privbayes", "adaptive-zcdp"])
def test_a_preview_says_what_is_spent_on_what(method):
    scenario = Scenario(epsilon=0.5, options=Options(delta=1e-7))
    learns, gaussian = method in LEARNERS, method.endswith("zcdp")
    network = Network((A, B), ((), ())) if learns else NETWORK
    shown = preview(network, method, scenario)
    assert shown.epsilon == Fraction(1, 2)
    assert shown.delta == delta_of(method, scenario) == (Fraction(1, 10**7) if gaussian else 0)
    total = shown.rho if gaussian else shown.epsilon
    assert (shown.rho is not None) == gaussian and 0 < shown.cost <= total
    assert shown.cost == sum(m.budget for m in shown.measurements)
    assert shown.public != learns  # what is chosen decides what is measured
    assert {name for family in shown.families for f in family for name in f} == (
        set() if learns else {A, B}
    )
    wanted = shares(method, Neighbours.ADD_REMOVE) if learns else ()
    assert shown.parts == tuple((name, total * share) for name, share in wanted)
    assert sum(part for _, part in shown.parts) == (total if learns else 0)
