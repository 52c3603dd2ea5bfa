"""What Chowdhury et al. say of graphs, sensitivities, sampling and bounds: C1 to C4."""

from __future__ import annotations

import itertools
import math

import numpy as np

from core.inference.queries import query, treewidth
from core.methods.factors import separated
from core.methods.plans import importance, sensitivities
from core.network import Network
from core.parameters import Model
from core.privacy import inflated
from core.reproduce.chowdhury_printed import EXAMPLE, GRAPHS
from core.reproduce.item import (
    Finding,
    Inquiry,
    Judged,
    OwnNumber,
    Steps,
    Verdict,
    at_once,
    mean,
    value,
)
from core.reproduce.sampled import NETWORKS, RECORDS, truth_and_counts
from core.reproduce.verdicts import best, counted, exact, holds, short
from core.scenario import Scenario
from core.study.bounds import degree
from core.study.experiments import interval, measure
from core.table import Array, cells

SETS = 100
"""Random parameter sets at which derivatives are taken."""

ICML, ARXIV = "data-dependent-icml", "data-dependent-arxiv"


@at_once
def data_sets(inquiry: Inquiry) -> Finding:
    """C1: sizes of the four networks."""
    ours, pairs = [], []
    for name, told in GRAPHS.items():
        network = inquiry.laboratory.model(name).network
        sizes = (len(network.variables), len(network.edges), network.complexity)
        for what, own, printed in zip(("nodes", "arcs", "parameters"), sizes, told, strict=True):
            ours.append(value("sample network", f"{name} {what}", own))
            pairs.append((float(own), float(printed)))
    return Finding(tuple(ours), exact(pairs, 0))


def random_models(network: Network, seed: int) -> Model:
    """The same graph with many sets of parameters, each row uniform on the simplex."""
    rng = np.random.default_rng([seed, 7])
    arrays = [
        rng.dirichlet(np.ones(shape[-1]), size=(SETS, *shape[:-1]))
        for shape in network.layout.shapes
    ]
    return Model.from_conditionals(network, arrays)


def derived_sensitivity(models: Model, node: int) -> Array:
    """Δ of Eq. 7 by its derivatives, one for each set of parameters.

    P[Y = y] is linear in Θ[x | pa]; its derivative is P[y, x, pa] / Θ[x | pa].
    """
    network = models.network
    family = network.families[node]
    children = network.children[node]
    if not children:
        return np.zeros(models.replicates)
    parts = []
    for child in children:
        # a child's other parents are summed out; parents of the node may be parents of the child
        names = [network.names[child], *(v.name for v in family)]
        joint = query(models, names).values
        own = models.conditional(node).values[:, None]
        slopes = joint / own
        parts.append(slopes.reshape(SETS, -1).sum(axis=1) / network.variables[child].cardinality)
    return np.asarray(np.mean(parts, axis=0) / cells(family))


@at_once
def worked_example(inquiry: Inquiry) -> Finding:
    """C2: the quantities of the example network."""
    network = inquiry.laboratory.model("figure-one").network
    index = network.position
    delta = float(sensitivities(network)[index["A"]])
    slopes = derived_sensitivity(random_models(network, inquiry.seed), index["A"])
    blanket = {n for n in network.names if n != "D" and not _apart(network, "D", n)}
    eta, kappa = degree(network), treewidth(network)
    ours = [
        value("closed form", "height of A", network.heights[index["A"]]),
        value("closed form", "out-degree of A", len(network.children[index["A"]])),
        value("closed form", "κ", kappa),
        value("closed form", "Δ_A", delta),
        *(value("closed form", f"W_{n}", float(w))
          for n, w in zip(network.names, importance(network), strict=True)),
        value("closed form", "upper coefficient 2 η d^κ", 2 * eta * 2**kappa),
        OwnNumber("derivatives at 100 parameter sets", "Δ_A", float(slopes.mean()),
                float(slopes.min()), float(slopes.max()), SETS),
    ]  # fmt: skip
    pairs = [(r.value, EXAMPLE[r.what]) for r in ours if r.what in EXAMPLE]
    pairs += [(float(slope), delta) for slope in (slopes.min(), slopes.max())]
    pairs.append((float(blanket == {"C", "E", "F"}), 1.0))
    return Finding(tuple(ours), exact(pairs, 1e-12), (
        f"The Markov blanket of D is {', '.join(sorted(blanket))}.",
        "In arXiv section 8.3 the lines of φ_BC[1,0] and φ_BC[1,1] are printed with C = 1 and "
        "C = 0 swapped; in ICML section 2 the marginal example sums over F instead of E.",
    ))  # fmt: skip


def _apart(network: Network, one: str, other: str) -> bool:
    """Whether all other variables make two independent."""
    rest = {network.position[n] for n in network.names if n not in (one, other)}
    return separated(network, network.position[one], {network.position[other]}, rest)


@at_once
def data_dependence(inquiry: Inquiry) -> Finding:
    """C3: whether Δ differs between parameter sets."""
    ours, spread = [], 0.0
    for name in ("figure-one", *NETWORKS):
        models = random_models(inquiry.laboratory.model(name).network, inquiry.seed)
        network = models.network
        slopes = np.array([derived_sensitivity(models, i) for i in range(len(network.variables))])
        widest = float(np.ptp(slopes, axis=1).max())
        spread = max(spread, widest)
        ours.append(
            value("derivatives at 100 parameter sets", f"{name}: max − min of Δ", widest, SETS)
        )
    constant = spread < 1e-12
    told = f"largest spread of Δ over parameter sets {short(spread)}"
    verdict = Verdict.VIOLATED if constant else Verdict.HOLDS
    return Finding(tuple(ours), Judged(verdict, told), (
        "Σ_y P(y | x, pa) = 1, so the derivatives of all P[Y = y] add up to P(pa), and Δ is a "
        "constant of the graph: the mean of 1/|Y| over children, divided by the settings of the "
        "parents.",
    ))  # fmt: skip


SHARES = (0.02, 0.1, 0.3)
RATES = tuple(percent / 100 for percent in range(1, 100))
STAGES = (0.05, 0.1, 0.3, 1.0)


@at_once
def inequality(inquiry: Inquiry) -> Finding:
    """C4: the printed inequality, and what it forgets."""
    networks = [inquiry.laboratory.model(name).network for name in NETWORKS]
    sizes = {
        "n is the number of nodes, as printed": [len(n.variables) for n in networks],
        "n is meant to be m, the number of records": [RECORDS],
    }
    ours, judged = [], {}
    for reading, numbers in sizes.items():
        worst = max(_surplus(*case) for case in itertools.product(numbers, RATES, STAGES))
        ours.append(value(reading, "largest left less right", worst))
        judged[reading] = holds(worst, "left less right")
    relative = [s / (r * inflated(s, r)) for r, s in itertools.product(RATES, STAGES)]
    ours += [
        value("relative to the counts", "least noise with sampling over without", min(relative)),
        value("relative to the counts", "the same at ε = 1", 1 / inflated(0.1, 0.1)),
        value("relative to the counts", "the same at ε = 3", 3 / inflated(0.3, 0.1)),
    ]
    return Finding(tuple(ours), best(judged), (
        "The inequality compares noise in records of the sample and forgets to divide by the "
        "sampling rate: relative to the counts, sampling always adds noise.",
        "With n nodes it fails at the ends of the grid: rates near 1 with ε near 1.",
    ))  # fmt: skip


def _surplus(size: int, rate: float, stage: float) -> float:
    """Left less right of the inequality of ICML section 3.3."""
    left = math.sqrt(rate * (1 - rate) / size) + 2 * math.sqrt(2) / stage
    return left - 2 * math.sqrt(2) / math.log1p(rate * math.expm1(stage))


def amplification(inquiry: Inquiry) -> Steps:
    """C4b: the error with and without sampling."""
    truth, counts = truth_and_counts(inquiry.laboratory.model("child"), inquiry.seed)
    ours: list[OwnNumber] = []
    judged = {}
    cases = list(itertools.product((ARXIV, ICML), SHARES))
    for method, share in cases:
        runs = {}
        for rate in (0.02, 0.1, 0.3, 0.99):
            scenario = Scenario(
                split=share, rate=rate, replicates=inquiry.size(60, 400), seed=inquiry.seed
            )
            runs[rate] = measure(method, truth, counts, scenario, ["l1_row"])["l1_row"]
        reading = f"{method}, Stage I {share:g} ε"
        ours += [mean(reading, f"γ = {r:g}", interval(v), len(v)) for r, v in runs.items()]
        gain = interval(runs[0.99] - runs[0.1]) if share == SHARES[1] else None
        if gain is not None:
            judged[reading] = counted({"0.1 better than 0.99": gain.low > 0})
        yield len(cases)
    return Finding(tuple(ours), best(judged))
