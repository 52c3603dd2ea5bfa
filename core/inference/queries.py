"""Exact answers of a model: marginals, conditional distributions, most probable explanations.

Everything takes models with any leading replicate axes and answers for all replicates at once.
Trees are compiled once per network, or once per kind of question, and kept.

Evidence of probability zero has no answer. A single model refuses it. Among replicates, noise may
make evidence impossible in some of them: those answer with the uniform distribution, so that
errors over replicates stay numbers; ``evidence_probability`` tells which they are.
"""

import functools
import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.inference.cliques import moral_graph, triangulate
from core.inference.evidence import Evidence, Observed, Query, observe, target_positions
from core.inference.junction import JunctionTree, compile_tree
from core.inference.propagation import (
    blocks,
    conditional,
    joints,
    maximise,
    root_joint,
)
from core.inference.together import Question, answer_together, prepare, with_evidence
from core.network import Network
from core.parameters import Model
from core.table import Array, Table, replicates_last

TOGETHER_CELLS = 2**15
"""Clique cells per query up to which answering many queries in one pass is faster."""


@functools.lru_cache(maxsize=64)
def treewidth(network: Network) -> int:
    """Variables in the largest clique less one, for the better elimination order found."""
    scopes = [(*parents, i) for i, parents in enumerate(network.parent_indices)]
    graph = moral_graph(scopes, len(scopes))
    return triangulate(graph, [v.cardinality for v in network.variables]).width


@functools.lru_cache(maxsize=64)
def network_tree(network: Network, evidence: tuple[int, ...] = ()) -> JunctionTree:
    """The junction tree over all variables of a network that are not given."""
    return compile_tree(network, range(len(network.variables)), evidence)


@functools.lru_cache(maxsize=64)
def question_tree(
    network: Network, targets: tuple[int, ...], evidence: tuple[int, ...]
) -> JunctionTree:
    """A tree for one kind of question: only ancestors of targets and evidence matter."""
    start = (*targets, *evidence)
    ancestors = set(start)
    waiting = list(start)
    while waiting:
        new = set(network.parent_indices[waiting.pop()]) - ancestors
        ancestors |= new
        waiting.extend(new)
    return compile_tree(network, sorted(ancestors), evidence, targets)


def marginals(model: Model, given: Mapping[str, str] | None = None) -> tuple[Array, ...]:
    """P(variable | given) for each variable, in the network's order: ``(*replicates, states)``.

    One pass over the tree of the whole network answers for all variables. A given variable has
    probability one in its state.
    """
    network, tree = model.network, network_tree(model.network)
    seen = observe(network, given or {})
    column = tuple(zip(seen.variables, seen.states[:, 0].tolist(), strict=True))
    values = replicates_last(model.values)
    ends = list(itertools.accumulate(v.cardinality for v in network.variables))
    places = [slice(*pair) for pair in itertools.pairwise([0, *ends])]
    distributions = np.ones((ends[-1], 1, values.shape[1]))
    for block in blocks(values.shape[1], tree.cells):
        known = values[:, block]
        if column:
            known = with_evidence(network, known, [column])[:, 0]
        beliefs, _ = joints(tree, known, evidence=bool(column))
        for variable, position, axes in tree.singles:
            np.add.reduce(
                beliefs[position], axis=axes, out=distributions[places[variable], :, block]
            )
    packed = np.ascontiguousarray(distributions.T).reshape(-1, ends[-1])
    if column:
        packed = _normalised(model, seen, packed, places)
    packed = packed.reshape((*model.replicates, ends[-1]))
    return tuple(packed[..., where] for where in places)


def _normalised(model: Model, seen: Observed, joints: Array, places: Sequence[slice]) -> Array:
    """Joints with the evidence, each variable's divided by their sum: ``(replicates, cells)``."""
    answers = np.empty_like(joints)
    for where in places:
        answers[:, where], possible = conditional(joints[:, where], lead=1)
        if not model.replicates:
            seen.refuse(model.network, ~possible)
    return answers


def query(model: Model, targets: Sequence[str], given: Evidence | None = None) -> Table:
    """P(targets | given) over the targets in the order asked.

    Lists of states in ``given`` add an axis after the replicates, one place for each state.
    """
    network = model.network
    seen = observe(network, given or {})
    positions = target_positions(network, targets, seen.variables)
    joint, _ = _joint(model, positions, seen)
    answers, possible = conditional(joint, lead=2)
    if not model.replicates:
        seen.refuse(network, ~possible[0])
    answers = answers.reshape((*_lead(model, seen), *joint.shape[2:]))
    answers.flags.writeable = False
    return Table(tuple(network.variables[p] for p in positions), answers)


def answer(model: Model, queries: Sequence[Query]) -> tuple[Array, ...]:
    """P(targets | given) for each query, ``(*replicates, *targets)``: ``query``, many at a time.

    Where the tree of the network is small, all queries share one pass over it; elsewhere each
    runs on the part of the network that it needs.
    """
    replicates = model.values.size // model.values.shape[-1]
    limit = TOGETHER_CELLS // max(replicates, 1)
    tree = _small_tree(model.network, limit)
    alone: dict[int, Array] = {}
    shared: dict[int, Question] = {}
    for place, one in enumerate(queries):
        question = prepare(tree, model.network, one) if tree else None
        if tree and question and len(question.columns) * tree.cells <= limit:
            shared[place] = question
        else:
            alone[place] = query(model, one.targets, one.given).values
    if tree and shared:
        answers = answer_together(model, tree, list(shared.values()))
        alone.update(zip(shared, answers, strict=True))
    return tuple(alone[place] for place in range(len(queries)))


def _small_tree(network: Network, limit: int) -> JunctionTree | None:
    """The network's tree unless it has more than ``limit`` cells."""
    try:
        tree = network_tree(network)
    except EquipoiseError:  # too large as a whole; a query may need only a part
        return None
    return tree if tree.cells <= limit else None


def evidence_probability(model: Model, given: Evidence) -> Array:
    """P(given): ``(*replicates,)``, with one more axis when ``given`` holds lists."""
    seen = observe(model.network, given)
    joint, log_scale = _joint(model, (), seen)
    probability: Array = joint * np.exp(log_scale)
    return probability.reshape(_lead(model, seen))


def most_probable(model: Model, given: Evidence | None = None) -> tuple[NDArray[np.intp], Array]:
    """The most probable states of all variables given some, and the log of their probability.

    States are codes, ``(*replicates, variables)``, in the network's order and with the given
    states in their places; the logarithm is natural and of the joint probability with the
    evidence (−inf where the evidence is impossible; a single model refuses that). Lists in
    ``given`` add an axis after the replicates. Among equally probable explanations the choice is
    fixed by the network, not by chance.
    """
    return explanations(model, [given or {}])[0]


def explanations(
    model: Model, evidence: Sequence[Evidence]
) -> tuple[tuple[NDArray[np.intp], Array], ...]:
    """``most_probable`` for each piece of evidence; logarithms are taken once."""
    with np.errstate(divide="ignore"):
        logs = np.log(replicates_last(model.values))
    return tuple(_explanation(model, logs, observe(model.network, given)) for given in evidence)


def _explanation(model: Model, logs: Array, seen: Observed) -> tuple[NDArray[np.intp], Array]:
    network = model.network
    tree = network_tree(network, seen.variables)
    size = logs.shape[1], seen.states.shape[1]
    codes = np.zeros((len(network.variables), *reversed(size)), dtype=np.intp)
    best = np.empty(size)
    codes[list(seen.variables)] = seen.states[..., None]
    for some in blocks(size[1], tree.cells):
        for block in blocks(size[0], tree.cells * (some.stop - some.start)):
            gathered = tree.gather(logs[:, block], seen.states[:, some])
            states, largest = maximise(tree, gathered)
            best[block, some] = largest.T
            for variable, state in states.items():
                codes[variable, some, block] = state
    if not model.replicates:
        seen.refuse(network, np.isneginf(best[0]))
    lead = _lead(model, seen)
    return codes.T.reshape((*lead, len(network.variables))), best.reshape(lead)


def _lead(model: Model, seen: Observed) -> tuple[int, ...]:
    return (*model.replicates, seen.states.shape[1]) if seen.batched else model.replicates


def _joint(model: Model, targets: tuple[int, ...], seen: Observed) -> tuple[Array, Array]:
    """P(targets, evidence) and the logarithm of its factor: ``(replicates, evidence, ...)``."""
    network = model.network
    tree = question_tree(network, targets, seen.variables)
    values = replicates_last(model.values)
    shape = tuple(network.variables[t].cardinality for t in targets)
    kept = sum(r > 1 for r in shape)
    size = values.shape[1], seen.states.shape[1]
    joint, log_scale = np.empty((*size, *shape)), np.empty(size)
    for some in blocks(size[1], tree.cells):
        for block in blocks(size[0], tree.cells * (some.stop - some.start)):
            cells = tree.gather(values[:, block], seen.states[:, some])
            root, log_factor = root_joint(tree, cells, evidence=bool(seen.variables))
            part = root.sum(axis=tuple(range(kept, root.ndim - 2)))
            part = part.reshape(*shape, *part.shape[-2:])
            joint[block, some] = np.moveaxis(part, (-1, -2), (0, 1))
            log_scale[block, some] = log_factor.T
    return joint, log_scale
