"""Nothing gives budget back: no amount is negative, infinite or no number, wherever it stands."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from core.table import Variable
from release.ledger.account import Account
from release.ledger.spending import Graph, learned_graph, order_digest
from release.published import Measurement
from release.review.facts import Statements
from tests.release.paying import FILES, rewrite, spend

BAD = (Fraction(-1, 2), -1, math.nan, math.inf, -math.inf, -0.4999)


def account(budget=Fraction(1), delta=Fraction(0)):
    return Account("a", ["f"], budget, delta, Neighbours.ADD_REMOVE)


HOLDERS = {
    "ε of a spend": lambda x: replace(spend(), epsilon=x),
    "δ of a spend": lambda x: spend(delta=x),
    "budget of a spend": lambda x: spend(budget=x),
    "δ budget of a spend": lambda x: spend(delta_budget=x),
    "ε of a graph": lambda x: Graph("9" * 64, x, "privbayes"),
    "budget of an account": lambda x: account(x),
    "δ budget of an account": lambda x: account(delta=x),
    "budget of a table": lambda x: Measurement(("a",), 2, "discrete laplace", x, Fraction(1)),
    "scale of a table": lambda x: Measurement(("a",), 2, "discrete laplace", Fraction(1), x),
    "ε stated for a known graph": lambda x: Statements(graph="known", graph_epsilon=float(x)),
    "ε stated for a private graph": lambda x: Statements(graph="private", graph_epsilon=float(x)),
    "δ of the options": lambda x: Options(delta=float(x)),
    "prior": lambda x: Options(prior=float(x)),
}


@pytest.mark.parametrize("value", BAD, ids=str)
@pytest.mark.parametrize("make", HOLDERS.values(), ids=HOLDERS)
def test_a_type_refuses_what_would_give_budget_back(make, value):
    with pytest.raises(EquipoiseError):
        make(value)


def test_what_costs_nothing_is_no_release_and_a_known_graph_costs_nothing():
    for make in (lambda: spend(epsilon="0"), lambda: Graph("9", Fraction(0), "x"),
                 lambda: account(Fraction(0)), lambda: spend(delta=Fraction(1))):  # fmt: skip
        with pytest.raises(EquipoiseError):
            make()
    with pytest.raises(EquipoiseError, match="others none"):
        Statements(graph="known", graph_epsilon=0.5)
    with pytest.raises(EquipoiseError):
        Scenario(epsilon=-0.5)


@pytest.mark.parametrize("value", [-0.4999, math.nan, math.inf])
def test_a_graph_is_not_learned_at_a_loss(value):
    network = Network((Variable("a", ("x", "y")),), ((),))
    with pytest.raises(EquipoiseError):
        learned_graph(network, value)


def permuted(network, rng):
    """The same edges: variables, parents and states in another order."""
    order = rng.permutation(len(network.variables))
    variables = tuple(
        Variable(network.variables[i].name, tuple(reversed(network.variables[i].states)))
        for i in order
    )
    parents = tuple(tuple(rng.permutation(network.parents[i]).tolist()) for i in order)
    return Network(variables, parents)


def test_a_graph_is_its_edges_in_whatever_order(study):
    rng = np.random.default_rng(0)
    own = learned_graph(study.network, 0.3)
    for _ in range(20):
        assert learned_graph(permuted(study.network, rng), 0.3) == own
    parents = list(study.network.parents)
    last = max(i for i, p in enumerate(parents) if p)
    parents[last] = parents[last][1:]
    fewer = Network(study.network.variables, tuple(parents))
    assert learned_graph(fewer, 0.3).digest != own.digest
    assert learned_graph(study.network, 0) is None


def test_a_permuted_graph_is_not_paid_again(ledger, study):
    rng = np.random.default_rng(1)
    ledger.spend(spend("a", "0.2", graph=learned_graph(study.network, 0.3)))
    ledger.spend(spend("b", "0.2", graph=learned_graph(permuted(study.network, rng), 0.3)))
    assert ledger.accounts()[0].spent == Fraction("0.7")
    ledger.spend(spend("c", "0.1", graph=learned_graph(study.network, 0.1)))  # another run
    assert ledger.accounts()[0].spent == Fraction("0.9")


def test_an_order_forgets_the_order_of_names_and_nothing_else(study):
    wishes = Options(floors=(("smoke", 0.2), ("lung", 0.1)))
    turned = Options(floors=(("lung", 0.1), ("smoke", 0.2)))
    knobs = {"synthetic": 0, "graph_epsilon": 0.0, "acceptance": (), "acceptance_epsilon": 0}
    asked = Scenario(options=wishes)
    own = order_digest(study.network, "equipoise", asked, **knobs)
    same = replace(asked, options=turned, seed=9, replicates=7)
    assert order_digest(study.network, "equipoise", same, **knobs) == own


TWICE = {"name": "model.json", "size": 3, "sha256": "0" * 64}
IMPOSSIBLE = {
    "a refund": (3, {"epsilon": "-1/2"}, "entry 3: ε of a release is -1/2"),
    "a graph that pays": (4, {"epsilon": "-4999/10000"}, "entry 4: ε of a structure is -4999"),
    "no number": (3, {"epsilon": "nan"}, "entry 3"),
    "infinite": (3, {"epsilon": float("inf")}, "entry 3: inf is no exact number"),
    "a float": (3, {"epsilon": 0.1}, "entry 3"),
    "beyond all memory": (3, {"epsilon": "1e-999999999"}, "entry 3: '1e-999999999' is no exact"),
    "over zero": (3, {"epsilon": "1/0"}, "entry 3"),
    "free": (3, {"epsilon": "0"}, "entry 3: ε of a release is 0"),
    "negative δ": (3, {"delta": "-1/10"}, "entry 3: δ of a release"),
    "δ above one": (3, {"delta": "3/2"}, "entry 3: δ of a release is 3/2"),
    "negative budget": (2, {"budget": "-1"}, "entry 2: the ε budget"),
    "negative δ budget": (2, {"delta_budget": "-1"}, "entry 2: the δ budget"),
    "a short budget": (2, {"budget": "1/100"}, "spent more than its budget"),
    "an account twice": (4, {"kind": "dataset", "name": "data 1"}, "entry 4: 'data 1' is there"),
    "a release twice": (5, {"release": None}, "entry 5"),
    "of another account": (3, {"dataset": "nobody"}, "entry 3"),
    "settled twice": (7, {"kind": "lost", "release": None, "reason": "x"}, "entry 7"),
    "an unknown kind": (4, {"kind": "refund"}, "entry 4: no entry is of the kind 'refund'"),
    "a lacking field": (3, {"process": {}}, "entry 3 is no 'spend' entry"),
    "a number for a click": (3, {"token": 7}, "entry 3: a text is none"),
    "a number for people": (2, {"people": 7}, "entry 2: the name or a fingerprint of an account"),
    "a file twice": (6, {"files": [TWICE, TWICE]}, "entry 6: a text is none, or a file stands"),
    "of the future": (1, {"format": 2}, "entry 1: its format is 2"),
}


@pytest.mark.parametrize(("number", "facts", "said"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_sound_chain_of_entries_that_cannot_be_is_refused(ledger, number, facts, said):
    first = ledger.spend(spend("a", "0.2")).line.id
    ledger.spend(spend("b", "0.2", graph=Graph("9" * 64, Fraction(1, 10), "privbayes")))
    ledger.complete(first, FILES)  # entry 6
    ledger.spend(spend("c", "0.2"))
    assert ledger.verify().sound
    rewrite(ledger, number, **{k: first if v is None else v for k, v in facts.items()})
    found = ledger.verify()
    assert not found.sound
    assert said in found.problems[0]
    with pytest.raises(EquipoiseError, match="holds what none may"):
        ledger.accounts()
    with pytest.raises(EquipoiseError, match="holds what none may"):
        ledger.spend(spend("d", "0.1"))
