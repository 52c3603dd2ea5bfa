"""What PrivBayes says that can be computed: scores, degrees, codes. P1 to P10, P22."""

import itertools
import math

import numpy as np

from core.inference.queries import query
from core.parameters import fit
from core.privacy import Neighbours
from core.privbayes.attributes import Attribute
from core.privbayes.candidates import maximal_parent_sets, useful_degree, usefulness
from core.privbayes.conditionals import families_of, nested_head
from core.privbayes.encoding import encoding
from core.privbayes.rules import Rules
from core.privbayes.scores import Score, information, scores
from core.privbayes.sensitivity import Bound, sensitivity
from core.privbayes.structure import Pair, Structure
from core.reproduce.item import Finding, Inquiry, Item, Numbers
from core.reproduce.sampled import published, truth_and_counts
from core.reproduce.verdicts import every, exact, holds
from core.table import Array, Variable

EPSILONS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
DATA = {"NLTCS": (21_574, 16), "ACS": (47_461, 23), "Adult, bits": (45_222, 52),
        "BR2000, bits": (38_000, 32)}  # fmt: skip
"""Records and two-valued attributes (Table 5)."""

INPUT = np.array([[[6.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]])
"""Table 3(a) in tenths: settings of the parents by states of the child."""

NEAREST = np.array([[[5.0, 0.0], [0.0, 3.0], [0.0, 1.0], [0.0, 1.0]]])
"""Table 3(b), a maximum joint distribution."""

PEAKS = np.array([[[5.0, 0.0], [0.0, 5.0], [0.0, 0.0]], [[0.0, 5.0], [2.0, 0.0], [3.0, 0.0]]])
"""The two distributions of Example 4.4, in tenths."""


@Item(
    "P1", "Scores of the example", "Table 3, Example 4.4",
    claim="F = −0.2 at an L1 distance of 0.4; I = 1 for both maximum distributions.",
    setting="as printed", rule="EXACT(10⁻¹²)",
    published={"F": -0.2, "L1 distance of (a) and (b)": 0.4},
)  # fmt: skip
def _example_scores(inquiry: Inquiry) -> Finding:
    peak = float(scores(Score.PEAK, INPUT)[0])
    apart = float(np.abs(INPUT - NEAREST).sum() / 10)
    whole = [float(v) for v in scores(Score.INFORMATION, PEAKS)]
    ours = Numbers()
    ours.value("Table 3", "F", peak)
    ours.value("Table 3", "L1 distance of (a) and (b)", apart)
    ours.value("Table 3", "I in bits", float(scores(Score.INFORMATION, INPUT)[0]))
    ours.value("Table 3", "R", float(scores(Score.DEPENDENCE, INPUT)[0]))
    for k, own in enumerate(whole):
        ours.value("Example 4.4", f"I of distribution {k + 1}", own)
    return ours.finding(exact([(peak, -0.2), (apart, 0.4), *((v, 1.0) for v in whole)], 1e-12))


def _tables(records: int, cells: int) -> Array:
    """Every table of so many records."""
    rows = []
    for bars in itertools.combinations(range(records + cells - 1), cells - 1):
        edges = (-1, *bars, records + cells - 1)
        rows.append([b - a - 1 for a, b in itertools.pairwise(edges)])
    return np.array(rows, dtype=np.float64)


def _largest_change(score: Score, records: int, shape: tuple[int, int]) -> float:
    """Of a score, over all tables and all records replaced."""
    flat = _tables(records, math.prod(shape))
    before = scores(score, flat.reshape(-1, *shape))
    worst = 0.0
    for taken, given in itertools.permutations(range(flat.shape[1]), 2):
        possible = flat[:, taken] > 0
        moved = flat[possible].copy()
        moved[:, taken] -= 1
        moved[:, given] += 1
        after = scores(score, moved.reshape(-1, *shape))
        worst = max(worst, float(np.abs(after - before[possible]).max()))
    return worst


@Item(
    "P2", "Sensitivities", "Lemma 4.1, Theorems 4.5 and 5.3",
    claim="S(I) in closed form, S(F) = 1/n, S(R) ≤ 3/n + 2/n².",
    setting="every table of few records and every record replaced",
    rule="HOLDS: no change above the published one",
    notes=(
        "R never moves by as much as is published: 2/n − 2/n² where a side has two states, below "
        "3/n else.",
    ),
)  # fmt: skip
def _sensitivities(inquiry: Inquiry) -> Finding:
    ours, judged = Numbers(), {}
    cases = [(Score.INFORMATION, (2, 2)), (Score.INFORMATION, (3, 3)), (Score.PEAK, (3, 2)),
             (Score.DEPENDENCE, (2, 2)), (Score.DEPENDENCE, (3, 3))]  # fmt: skip
    for score, shape in cases:
        worst = -math.inf
        for records in range(2, 6 if math.prod(shape) == 9 else inquiry.size(8, 12)):
            change = _largest_change(score, records, shape)
            settings, states = shape
            told = float(sensitivity(score, Bound.PUBLISHED, Neighbours.REPLACE, records=records,
                                     settings=settings, states=states))  # fmt: skip
            worst = max(worst, change - told)
        what = f"{score.value}, {shape[0]} by {shape[1]}"
        ours.value(what, f"largest change with {records} records", change)
        ours.value(what, f"published with {records} records", told)
        judged[what] = holds(worst, "change less published")
    return ours.finding(every(judged))


@Item(
    "P3", "Usefulness and degree", "Lemma 4.8",
    claim="Usefulness n ε₂ / ((d − k) 2^(k+2)) decides k.", setting="sizes of the four tables",
    rule="EXACT(10⁻¹²)",
)  # fmt: skip
def _degrees(inquiry: Inquiry) -> Finding:
    ours, pairs = Numbers(), []
    for name, (records, attributes) in DATA.items():
        for epsilon in EPSILONS:
            part = 0.7 * epsilon
            for k in range(attributes):
                own = usefulness(records, attributes, k, part, Neighbours.REPLACE)
                told = records * part / ((attributes - k) * 2 ** (k + 2))
                pairs.append((own / told, 1.0))
            degree = useful_degree(records, attributes, part, 4.0, Neighbours.REPLACE)
            ours.value(name, f"k at ε = {epsilon:g}", degree)
    return ours.finding(exact(pairs, 1e-12))


@Item(
    "P6", "Tables of the example", "Example 3.1, Table 1",
    claim="k = 2: three noisy joint distributions give five conditionals.",
    setting="the network of Fig. 1", rule="EXACT(0)",
    published={"noisy joint distributions": 3, "conditionals": 5},
)  # fmt: skip
def _example_tables(inquiry: Inquiry) -> Finding:
    names = ("age", "education", "workclass", "title", "income")
    attributes = tuple(Attribute((Variable(n, ("0", "1")),)) for n in names)
    above = ((), (0,), (0, 1), (0, 2), (2, 3))
    pairs = tuple(
        Pair(i, tuple((a, 0) for a in parents), 0.0, 0.0, 1.0, 1) for i, parents in enumerate(above)
    )
    structure = Structure(attributes, pairs, 2)
    families = families_of(structure)
    head = nested_head(families, structure.degree)
    joints = len(families) - head
    ours = Numbers()
    ours.value("Algorithm 1", "noisy joint distributions", joints)
    ours.value("Algorithm 1", "conditionals", len(families))
    ours.value("Algorithm 1", "conditionals read off the first joint", head + 1)
    return ours.finding(exact([(joints, 3.0), (len(families), 5.0), (head + 1, 3.0)], 0))


@Item(
    "P7", "Codes", "Figs. 2 and 3", claim="(30,40] of eight ages is Gray 010.",
    setting="eight bins of ten years", rule="EXACT(0)",
)  # fmt: skip
def _gray_code(inquiry: Inquiry) -> Finding:
    states = tuple(f"({10 * i},{10 * i + 10}]" for i in range(8))
    own = encoding("gray", (Variable("age", states),))
    bits = "".join(str(int(d.mapping[states.index("(30,40]")])) for d in own.forward)
    ours = Numbers()
    for i, bit in enumerate(bits):
        ours.value("Gray", f"bit {i + 1} of (30,40]", int(bit))
    return ours.finding(exact([(float(b), float(t)) for b, t in zip(bits, "010", strict=True)], 0))


@Item(
    "P8", "Divergence of a network", "Eq. 6", claim="KL = −Σ I(X, Π) + Σ H(X) − H(A).",
    setting="Asia, 10,000 records, 2^8 cells", rule="HOLDS to 10⁻⁹",
)  # fmt: skip
def _divergence(inquiry: Inquiry) -> Finding:
    truth, rows = truth_and_counts(inquiry.laboratory.model("asia"), inquiry.seed)
    network = truth.network
    (joint,) = rows.counts([network.variables])
    shares = joint.values / rows.records
    model = fit(network, truth.counts.copy())
    private = query(model, network.names).values
    some = shares > 0
    left = float((shares[some] * np.log2(shares[some] / private[some])).sum())
    told = 0.0
    for family, table in zip(network.families, rows.counts(network.families), strict=True):
        flat = table.values.reshape(1, -1, family[-1].cardinality)
        told -= float(information(flat)[0]) / rows.records
        told += _entropy(flat.sum(axis=1) / rows.records)
    told -= _entropy(shares)
    ours = Numbers()
    ours.value("direct", "KL in bits", left)
    ours.value("Eq. 6", "KL in bits", told)
    return ours.finding(holds(abs(left - told), "|direct less Eq. 6|", 1e-9))


def _entropy(shares: Array) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


@Item(
    "P9", "R and I", "Section 5.3", claim="R ≤ √(ln 2 / 2 · I).",
    setting="10,000 random tables", rule="HOLDS",
)  # fmt: skip
def _pinsker(inquiry: Inquiry) -> Finding:
    rng = np.random.default_rng([inquiry.seed, 41])
    worst, count = -math.inf, 0
    for shape in ((2, 2), (4, 2), (4, 3), (8, 4)):
        tables = rng.gamma(0.3, 40.0, (2500, *shape)).round()
        tables = tables[tables.sum(axis=(1, 2)) > 0]
        left = scores(Score.DEPENDENCE, tables)
        right = np.sqrt(np.maximum(math.log(2) / 2 * scores(Score.INFORMATION, tables), 0))
        worst, count = max(worst, float((left - right).max())), count + len(tables)
    ours = Numbers()
    ours.value("random tables", "largest R less √(ln2/2 · I)", worst, count)
    return ours.finding(holds(worst, "R less the root"))


@Item(
    "P10", "Maximal parent sets", "Algorithms 5 and 6",
    claim="They find all maximal parent sets and nothing else.",
    setting="random sizes and levels", rule="HOLDS against brute force",
)  # fmt: skip
def _parent_sets(inquiry: Inquiry) -> Finding:
    rng = np.random.default_rng([inquiry.seed, 43])
    wrong = tried = 0
    for _ in range(inquiry.size(60, 400)):
        sizes = [sorted(rng.integers(2, 9, rng.integers(1, 4)).tolist(), reverse=True)
                 for _ in range(4)]  # fmt: skip
        most, degree = float(rng.integers(1, 80)), int(rng.integers(1, 5))
        own = set(maximal_parent_sets(sizes, most, degree))
        tried += 1
        wrong += own != _brute(sizes, most, degree)
    ours = Numbers()
    ours.value("random sizes", "searches that differ", wrong, tried)
    return ours.finding(holds(float(wrong), "searches that differ from brute force"))


def _brute(sizes: list[list[int]], most: float, degree: int) -> set[tuple[tuple[int, int], ...]]:
    """Sets that fit and that nothing extends: no parent added, none taken at a finer level."""

    def fits(chosen: dict[int, int]) -> bool:
        cells = math.prod(sizes[a][v] for a, v in chosen.items())
        return len(chosen) <= degree and cells <= most

    every = itertools.product(*([None, *range(len(levels))] for levels in sizes))
    options = [{a: v for a, v in enumerate(choice) if v is not None} for choice in every]
    kept = [chosen for chosen in options if fits(chosen)]
    maximal = set()
    for chosen in kept:
        finer = [{**chosen, a: v - 1} for a, v in chosen.items() if v > 0]
        wider = [{**chosen, a: len(sizes[a]) - 1} for a in range(len(sizes)) if a not in chosen]
        if not any(fits(other) for other in (*finer, *wider)):
            maximal.add(tuple(sorted(chosen.items())))
    return maximal


@Item(
    "P22", "Where nothing is to choose", "Footnote 6",
    claim="With k = 0 all of ε goes to the tables.",
    setting="16 columns, 500 records, ε = 0.05", rule="EXACT(10⁻¹²)",
)  # fmt: skip
def _nothing_to_choose(inquiry: Inquiry) -> Finding:
    attributes = tuple(Attribute((Variable(f"v{i}", ("0", "1")),)) for i in range(16))
    rules = Rules.of(attributes, published(Score.PEAK, 0.05), 500)
    spending = rules.spending
    own = (("k", rules.degree, 0.0), ("ε for the structure", spending.structure, 0.0),
           ("ε for the tables", spending.tables, 0.05))  # fmt: skip
    ours = Numbers()
    for what, number, _ in own:
        ours.value("n = 500, ε = 0.05", what, number)
    return ours.finding(exact([(float(number), told) for _, number, told in own], 1e-12))
