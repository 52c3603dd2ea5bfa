"""What Chowdhury et al. say of graphs, sensitivities and sampling: C1 to C4."""

import itertools
import math

import numpy as np

from core.inference.queries import query, treewidth
from core.methods.factors import separated
from core.methods.plans import importance, sensitivities
from core.network import Network
from core.parameters import Model
from core.privacy import inflated
from core.reproduce.error_study import THEIRS
from core.reproduce.item import Finding, Inquiry, Item, Judged, Numbers, OwnNumber, Steps, Verdict
from core.reproduce.sampled import NETWORKS, RECORDS, truth_and_counts
from core.reproduce.verdicts import best, counted, exact, holds, rounded
from core.scenario import Scenario
from core.study.bounds import degree
from core.study.experiments import interval, measure
from core.table import Array, cells

SETS = 100
"""Random parameter sets at which derivatives are taken."""

GRAPHS = {
    "asia": (8, 8, 18),
    "sachs": (11, 17, 178),
    "child": (20, 25, 230),
    "alarm": (37, 46, 509),
}
"""As printed."""

SIZES = ("nodes", "arcs", "parameters")

EXAMPLE = {"height of A": 3.0, "out-degree of A": 1.0, "κ": 2.0}


@Item(
    "C1", "Data sets", "both, section 5.1",
    claim="Nodes, arcs and parameters of the four networks.",
    setting="the sample networks",
    rule="EXACT(0): every number as printed.",
    published={f"{name} {what}": told for name, sizes in GRAPHS.items()
               for what, told in zip(SIZES, sizes, strict=True)},
)  # fmt: skip
def _data_sets(inquiry: Inquiry) -> Finding:
    ours, pairs = Numbers(), []
    for name, told in GRAPHS.items():
        network = inquiry.laboratory.model(name).network
        sizes = (len(network.variables), len(network.edges), network.complexity)
        for what, own, printed in zip(SIZES, sizes, told, strict=True):
            ours.value("sample network", f"{name} {what}", own)
            pairs.append((float(own), float(printed)))
    return ours.finding(exact(pairs, 0))


def random_models(network: Network, seed: int) -> Model:
    """The same graph with many sets of parameters, each row uniform on the simplex."""
    rng = np.random.default_rng([seed, 7])
    shapes = network.layout.shapes
    arrays = [rng.dirichlet(np.ones(s[-1]), size=(SETS, *s[:-1])) for s in shapes]
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
        slopes = query(models, names).values / models.conditional(node).values[:, None]
        parts.append(slopes.reshape(SETS, -1).sum(axis=1) / network.variables[child].cardinality)
    return np.asarray(np.mean(parts, axis=0) / cells(family))


@Item(
    "C2", "Worked example", "arXiv Fig. 2 and section 8.3; ICML Fig. 1 and section 3",
    claim="h_A = 3, o_A = 1, Δ_A is a quarter of the sum of four derivatives, "
    "P(D) = {C, E, F}, κ = 2.",
    setting="the network of the figure, binary variables",
    rule="EXACT(10⁻¹²); Δ_A by the closed form and by the derivatives must agree.",
    published=EXAMPLE,
    notes=(
        "In arXiv section 8.3 the lines of φ_BC[1,0] and φ_BC[1,1] are printed with C = 1 and "
        "C = 0 swapped; in ICML section 2 the marginal example sums over F instead of E.",
    ),
)  # fmt: skip
def _worked_example(inquiry: Inquiry) -> Finding:
    network = inquiry.laboratory.model("figure-one").network
    index = network.position
    delta = float(sensitivities(network)[index["A"]])
    slopes = derived_sensitivity(random_models(network, inquiry.seed), index["A"])
    blanket = {n for n in network.names if n != "D" and not _apart(network, "D", n)}
    eta, kappa = degree(network), treewidth(network)
    computed = {
        "height of A": network.heights[index["A"]],
        "out-degree of A": len(network.children[index["A"]]),
        "κ": kappa,
        "Δ_A": delta,
        **{f"W_{n}": float(w) for n, w in zip(network.names, importance(network), strict=True)},
        "upper coefficient 2 η d^κ": 2 * eta * 2**kappa,
    }
    ours = Numbers()
    for what, own in computed.items():
        ours.value("closed form", what, own)
    ends = float(slopes.min()), float(slopes.max())
    reading = f"derivatives at {SETS} parameter sets"
    ours.append(OwnNumber(reading, "Δ_A", float(slopes.mean()), *ends, SETS))
    pairs = [(computed[what], told) for what, told in EXAMPLE.items()]
    pairs += [(slope, delta) for slope in ends]
    pairs.append((float(blanket == {"C", "E", "F"}), 1.0))
    told = f"The Markov blanket of D is {', '.join(sorted(blanket))}."
    return ours.finding(exact(pairs, 1e-12), told)


def _apart(network: Network, one: str, other: str) -> bool:
    """Whether all other variables make two independent."""
    rest = {network.position[n] for n in network.names if n not in (one, other)}
    return separated(network, network.position[one], {network.position[other]}, rest)


@Item(
    "C3", "The sensitivity depends on the data", "ICML Eqs. 7 and 8",
    claim="Δ̃, computed from noisy parameters, encodes data-dependent information.",
    setting="100 random parameter sets on five graphs",
    rule="HOLDS if Δ differs between parameter sets by more than 10⁻¹² on some graph.",
    notes=(
        "Σ_y P(y | x, pa) = 1, so the derivatives of all P[Y = y] add up to P(pa), and Δ is a "
        "constant of the graph: the mean of 1/|Y| over children, divided by the settings of the "
        "parents.",
    ),
)  # fmt: skip
def _data_dependence(inquiry: Inquiry) -> Finding:
    ours, spread = Numbers(), 0.0
    for name in ("figure-one", *NETWORKS):
        models = random_models(inquiry.laboratory.model(name).network, inquiry.seed)
        nodes = range(len(models.network.variables))
        slopes = np.array([derived_sensitivity(models, i) for i in nodes])
        widest = float(np.ptp(slopes, axis=1).max())
        spread = max(spread, widest)
        what = f"{name}: max − min of Δ"
        ours.value(f"derivatives at {SETS} parameter sets", what, widest, SETS)
    verdict = Verdict.VIOLATED if spread < 1e-12 else Verdict.HOLDS
    told = f"largest spread of Δ over parameter sets {rounded(spread)}"
    return ours.finding(Judged(verdict, told))


SHARES = (0.02, 0.1, 0.3)
RATES = tuple(percent / 100 for percent in range(1, 100))
STAGES = (0.05, 0.1, 0.3, 1.0)


@Item(
    "C4", "Amplification: the inequality", "ICML Lemma 2.3 and section 3.3",
    claim="√(β(1−β)/n) + 2√2/ε < 2√2/ln(1 + β(e^ε − 1)).",
    setting="β from 0.01 to 0.99, ε of Stage I 0.05, 0.1, 0.3, 1; n nodes of the networks, "
    "or 10,000 records",
    rule="HOLDS: the left side is nowhere above the right one, under the kinder reading of n.",
    notes=(
        "The inequality compares noise in records of the sample and forgets to divide by the "
        "sampling rate: relative to the counts, sampling always adds noise.",
        "With n nodes it fails at the ends of the grid: rates near 1 with ε near 1.",
    ),
)  # fmt: skip
def _inequality(inquiry: Inquiry) -> Finding:
    networks = [inquiry.laboratory.model(name).network for name in NETWORKS]
    sizes = {
        "n is the number of nodes, as printed": [len(n.variables) for n in networks],
        "n is meant to be m, the number of records": [RECORDS],
    }
    ours, judged = Numbers(), {}
    for reading, numbers in sizes.items():
        worst = max(_surplus(*case) for case in itertools.product(numbers, RATES, STAGES))
        ours.value(reading, "largest left less right", worst)
        judged[reading] = holds(worst, "left less right")
    relative = [s / (r * inflated(s, r)) for r, s in itertools.product(RATES, STAGES)]
    reading = "relative to the counts"
    ours.value(reading, "least noise with sampling over without", min(relative))
    ours.value(reading, "the same at ε = 1", 1 / inflated(0.1, 0.1))
    ours.value(reading, "the same at ε = 3", 3 / inflated(0.3, 0.1))
    return ours.finding(best(judged))


def _surplus(size: int, rate: float, stage: float) -> float:
    """Left less right of the inequality of ICML section 3.3."""
    left = math.sqrt(rate * (1 - rate) / size) + 2 * math.sqrt(2) / stage
    return left - 2 * math.sqrt(2) / math.log1p(rate * math.expm1(stage))


@Item(
    "C4b", "Amplification: what it does to the error", "ICML section 3.3",
    claim="Sampling for Stage I improves the accuracy of the objective.",
    setting="Child, ε = 1, 10,000 records, Stage I with 0.1 ε",
    rule="SHAPE: l1_row at sampling rate 0.1 is below that at 0.99, by the paired interval; "
    "of both versions the kinder counts.",
)  # fmt: skip
def _amplification(inquiry: Inquiry) -> Steps:
    truth, counts = truth_and_counts(inquiry.laboratory.model("child"), inquiry.seed)
    ours, judged = Numbers(), {}
    replicates = inquiry.size(60, 400)
    cases = list(itertools.product(THEIRS, SHARES))
    for method, share in cases:
        reading, runs = f"{method}, Stage I {share:g} ε", {}
        for rate in (0.02, 0.1, 0.3, 0.99):
            scenario = Scenario(split=share, rate=rate, replicates=replicates, seed=inquiry.seed)
            runs[rate] = measure(method, truth, counts, scenario, ["l1_row"])["l1_row"]
            ours.mean(reading, f"γ = {rate:g}", runs[rate])
        if share == SHARES[1]:
            gain = interval(runs[0.99] - runs[0.1])
            judged[reading] = counted({"0.1 better than 0.99": gain.low > 0})
        yield len(cases)
    return ours.finding(best(judged))
