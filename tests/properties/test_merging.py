"""The merge plan against its slow twin: every pair looked at afresh in every round."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.methods.merging import MERGED_CELLS, SUMS, Costing, graph_ranks, merge_families
from core.network import Network
from core.table import Variable
from tests.strategies import networks

COSTINGS = [SUMS, Costing(filtered=True), Costing(filtered=True, power=2 / 3)]


def slow_merge(network, costing):
    size = [v.cardinality for v in network.variables]
    families = [frozenset((*p, i)) for i, p in enumerate(network.parent_indices)]

    def cells(table):
        return math.prod(size[j] for j in table)

    counts = [(r + 1) / 2 if costing.filtered else r for r in size]

    def root(table, served):
        cost = sum(
            cells(families[i]) * math.sqrt(math.prod(counts[j] for j in table - families[i]))
            for i in served
        )
        return cost**costing.power

    rank = graph_ranks(network)
    maximal = sorted(
        {f for f in families if not any(f < g for g in families)},
        key=lambda f: (sorted(rank[v] for v in f), sorted(f)),
    )
    tables = [(t, []) for t in maximal]
    for i, family in enumerate(families):
        holders = [t for t, (table, _) in enumerate(tables) if family <= table]
        tables[min(holders, key=lambda t: (cells(tables[t][0]), t))][1].append(i)
    total = sum(root(*t) for t in tables)
    while True:
        found = []
        for a, b in itertools.combinations(range(len(tables)), 2):
            union = tables[a][0] | tables[b][0]
            if cells(union) <= MERGED_CELLS:
                merged = (union, tables[a][1] + tables[b][1])
                gain = root(*tables[a]) + root(*tables[b]) - root(*merged)
                found.append((round(gain, 9), a, b, merged))
        best = max(found, key=lambda f: (f[0], -f[1], -f[2]), default=(0,))
        if best[0] <= 0:
            return total, sum(root(*t) for t in tables), tables
        _, a, b, merged = best
        tables[a] = merged
        del tables[b]


@pytest.mark.parametrize("costing", COSTINGS)
@given(network=networks(most=6))
def test_the_plan_costs_what_the_slow_twins_costs(costing, network):
    _, cost, _ = slow_merge(network, costing)
    plan = merge_families(network, np.ones(len(network.names)), costing)
    assert sum(c**costing.power for c in plan.costs) == pytest.approx(cost)
    shares = plan.shares(np.zeros(len(network.names)))
    np.testing.assert_allclose(shares, np.array(plan.costs) ** costing.power / cost)


@given(networks(most=6))
def test_every_family_is_served_by_one_table_that_holds_it(network):
    plan = merge_families(network, np.ones(len(network.names)))
    assert sorted(itertools.chain(*plan.serves)) == list(range(len(network.names)))
    for table, served in zip(plan.tables, plan.serves, strict=True):
        for i in served:
            assert {i, *network.parent_indices[i]} <= set(table)


def test_merging_never_passes_the_cap():
    sizes = [30, 30, 30, 30]
    variables = tuple(Variable(f"v{i}", tuple(map(str, range(r)))) for i, r in enumerate(sizes))
    network = Network(variables, ((), ("v0",), ("v1",), ("v2",)))
    plan = merge_families(network, np.ones(len(network.names)))
    assert all(math.prod(sizes[j] for j in t) <= MERGED_CELLS for t in plan.tables)
    assert len(plan.tables) == 3


@given(networks(least=2, most=6), st.data())
def test_ranks_follow_variables_into_any_order(network, data):
    order = data.draw(st.permutations(range(len(network.names))))
    moved = Network(
        tuple(network.variables[j] for j in order), tuple(network.parents[j] for j in order)
    )
    assert graph_ranks(moved) == [graph_ranks(network)[j] for j in order]


def test_ranks_tell_variables_apart_that_play_different_parts():
    chain = Network(tuple(Variable(n, ("0", "1")) for n in "abcd"), ((), ("a",), ("b",), ()))
    assert len(set(graph_ranks(chain))) == 4
    twins = Network(tuple(Variable(n, ("0", "1")) for n in "abc"), ((), ("a",), ("a",)))
    ranks = graph_ranks(twins)
    assert ranks[1] == ranks[2] != ranks[0]
