"""The slow, obvious twin of exact inference: the whole joint distribution in one array."""

import string

import numpy as np


def joint(model):
    """P(all variables): ``(*replicates, *states)``, axes in the network's order."""
    letters = string.ascii_lowercase
    scopes = [
        "..." + "".join(letters[p] for p in (*parents, node))
        for node, parents in enumerate(model.network.parent_indices)
    ]
    whole = "..." + letters[: len(scopes)]
    return np.einsum(",".join(scopes) + "->" + whole, *(c.values for c in model.conditionals))


def given(model, evidence):
    """P(all variables, evidence): cells that contradict the evidence are zero."""
    found = joint(model)
    for name, state in evidence.items():
        node = model.network.index(name)
        keep = np.zeros(model.network.variables[node].cardinality)
        keep[model.network.variables[node].code(state)] = 1
        after = len(model.network.variables) - node - 1
        found = found * keep.reshape(-1, *(1,) * after)
    return found


def query(model, targets, evidence):
    """P(targets, evidence) and P(evidence), not divided: ``(*replicates, *targets)``."""
    found = given(model, evidence)
    nodes = len(model.network.variables)
    lead = found.ndim - nodes
    wanted = [model.network.index(name) for name in targets]
    gone = tuple(lead + n for n in range(nodes) if n not in wanted)
    summed = found.sum(axis=gone)
    order = [sorted(wanted).index(w) for w in wanted]
    together = summed.transpose(*range(lead), *(lead + o for o in order))
    return together, found.sum(axis=tuple(range(lead, found.ndim)))
