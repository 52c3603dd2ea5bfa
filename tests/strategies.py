"""Hypothesis strategies: small networks, models, datasets and evidence that cover the odd cases.

Single-state variables, disconnected graphs, zeros in conditionals, empty datasets and leading
replicate axes all occur; sizes stay small enough to enumerate the whole joint.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from core.dataset import Dataset
from core.network import Network
from core.parameters import Model
from core.table import Table, Variable

SEEDS = st.integers(0, 2**32 - 1)
"""Seeds for values that need no shrinking."""

REPLICATES = st.sampled_from([(), (1,), (3,), (2, 3)])
"""Shapes of leading replicate axes."""


@st.composite
def variables(draw, *, least=1, most=6, most_states=4):
    """Tuples of variables with one to ``most_states`` states each."""
    sizes = draw(st.lists(st.integers(1, most_states), min_size=least, max_size=most))
    return tuple(
        Variable(f"v{j}", tuple(f"s{k}" for k in range(size))) for j, size in enumerate(sizes)
    )


@st.composite
def networks(draw, *, least=1, most=6, most_states=4, most_parents=3):
    """Acyclic graphs, connected or not; variables are not listed in topological order."""
    found = draw(variables(least=least, most=most, most_states=most_states))
    order = draw(st.permutations(range(len(found))))
    parents = [()] * len(found)
    for place, child in enumerate(order):
        above = [found[j].name for j in order[:place]]
        if above:
            chosen = st.lists(st.sampled_from(above), max_size=most_parents, unique=True)
            parents[child] = tuple(draw(chosen))
    return Network(found, tuple(parents))


@st.composite
def models(draw, *, replicates=REPLICATES, zeros=True, **sizes):
    """Models with random conditionals; with ``zeros`` about a third of the cells are zero."""
    network = draw(networks(**sizes))
    lead = draw(replicates)
    rng = np.random.default_rng(draw(SEEDS))
    holes = zeros and draw(st.booleans())
    return random_model(network, lead, rng=rng, zeros=holes)


def random_model(network, lead=(), *, rng, zeros=False):
    """A model with random rows: ``(*lead, cells)`` values, one state of each row never zero."""
    arrays = []
    for shape in network.layout.shapes:
        rows = rng.standard_exponential((*lead, *shape))
        if zeros:
            rows[rng.random(rows.shape) < 1 / 3] = 0.0
            rows[..., rng.integers(shape[-1])] += 0.1
        arrays.append(rows / rows.sum(axis=-1, keepdims=True))
    return Model.from_conditionals(network, arrays)


@st.composite
def datasets(draw, domain=None, *, most_records=30):
    """Datasets over ``domain`` (a tuple of variables) or over drawn variables; may be empty."""
    found = domain if domain is not None else draw(variables())
    records = draw(st.integers(0, most_records))
    rng = np.random.default_rng(draw(SEEDS))
    columns = [rng.integers(v.cardinality, size=records) for v in found]
    return Dataset(found, np.stack(columns, axis=1))


@st.composite
def families(draw, domain, *, most=6, most_variables=4):
    """Lists of distinct variables out of ``domain``, in any order; the empty family occurs."""
    one = st.lists(st.sampled_from(domain), max_size=most_variables, unique=True).map(tuple)
    return tuple(draw(st.lists(one, max_size=most)))


@st.composite
def evidence(draw, network, *, most=3):
    """A mapping from some of the network's variables to one of their states."""
    chosen = draw(st.lists(st.sampled_from(network.variables), max_size=most, unique=True))
    return {v.name: draw(st.sampled_from(v.states)) for v in chosen}


@st.composite
def tables(draw, *, replicates=REPLICATES, most=4):
    """Tables of counts-like values (non-negative integers) with replicate axes."""
    found = draw(variables(most=most))
    lead = draw(replicates)
    rng = np.random.default_rng(draw(SEEDS))
    return Table(found, rng.integers(0, 50, (*lead, *(v.cardinality for v in found))))
