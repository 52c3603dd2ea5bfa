"""Small experiments of appendix J and one more, on any population. Study only: they read rows.

Source: Murakonda, Shokri, Theodorakopoulos 2021, appendix J.1 to J.4.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.dataset import Dataset
from core.membership.attack import log_ratio, reference_values
from core.membership.bias import BiasedSelection, Tracing, about_whom
from core.membership.bound import PublishedBound
from core.membership.intervals import Outsiders, over_pools
from core.membership.lookup import Lookup
from core.membership.population import Draw, Population
from core.membership.structure import correlations, greedy, learn
from core.network import Network
from core.parameters import fit
from core.study.experiments import Interval
from core.table import Array, cells

POOLS = 10
ALPHAS = (0.01, 0.05, 0.2)
BIASES = (0.0, 0.3, 0.6, 0.9)
ALARM = 0.05
"""Share of false alarms at which members found are told for J.4."""

OPPONENTS = ("anyone", "the same group", "the same group, known as such")
"""Whom members of a selected pool are told from; the attacker knows the last by a reference."""

WHITENING = 20_000
"""People of the reference that the covariance is estimated from."""


@dataclass(frozen=True)
class Demonstration:
    """What came out: one sentence and a small table."""

    sentence: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]


@dataclass(frozen=True, eq=False)
class DemonstrationSetting:
    """The population, a source of counts to learn structures from, and the pools' size."""

    population: Population
    counts: CountSource
    records: int
    pools: int = POOLS

    def draw(self, *, rng: np.random.Generator) -> Draw:
        """Pools, outsiders and reference."""
        return self.population.draw(self.pools, self.records, rng=rng)

    def learned(self, parents: int) -> Network:
        """The structure of appendix I."""
        if parents == 0:
            return learn(self.population.variables, self.counts, parents)
        return greedy(self.population.variables, self.related, parents)

    @functools.cached_property
    def related(self) -> Array:
        """How closely every two variables go together, counted once."""
        return correlations(self.population.variables, self.counts)


def scores(draw: Draw, released: Network, known: Network) -> tuple[Array, Array]:
    """Minus L of members and outsiders, the population model being ``known``."""
    members, outsiders = (
        Lookup.of(d, released.families, draw.pools) for d in (draw.members, draw.outsiders)
    )
    own = fit(released, released.layout.pack(members.counts())).values
    theirs = reference_values(draw.reference, known, draw.reference_pools)
    if released == known:
        ratio = log_ratio(own, theirs)
        return _sums(members, released, ratio), _sums(outsiders, released, ratio)
    with np.errstate(divide="ignore"):
        logs = np.log(own)
    others = [Lookup.of(d, known.families, draw.pools) for d in (draw.members, draw.outsiders)]
    reference = np.log(theirs)
    return (
        _sums(members, released, logs) - _sums(others[0], known, reference),
        _sums(outsiders, released, logs) - _sums(others[1], known, reference),
    )


def _sums(who: Lookup, network: Network, values: Array) -> Array:
    return who.sums([network.layout.unpack(values, i) for i in range(len(network.families))])


def areas(scored: tuple[Array, Array]) -> Interval:
    """AUC over pools."""
    pairs = zip(*scored, strict=True)
    return over_pools(np.array([Outsiders(outside).area(inside) for inside, outside in pairs]))


def random_graph(like: Network, *, rng: np.random.Generator) -> Network:
    """Random edges up to about the same complexity, at most as many parents as the model has."""
    order = rng.permutation(len(like.variables)).tolist()
    most = max((len(p) for p in like.parents), default=0)
    parents: list[list[int]] = [[] for _ in order]
    pairs = [(a, b) for i, b in enumerate(order) for a in order[:i]]
    total = sum(v.cardinality - 1 for v in like.variables)
    for place in rng.permutation(len(pairs)).tolist():
        parent, child = pairs[place]
        own = [like.variables[j] for j in parents[child]]
        added = cells(own) * (like.variables[child].cardinality - 1)
        added *= like.variables[parent].cardinality - 1
        if len(parents[child]) < most and total + added <= like.complexity:
            parents[child].append(parent)
            total += added
    names = like.names
    return Network(like.variables, tuple(tuple(names[j] for j in p) for p in parents))


def random_edges(setting: DemonstrationSetting, *, rng: np.random.Generator) -> Demonstration:
    """J.1: random edges leak as much as learned ones of equal complexity."""
    learned = setting.learned(2)
    random = random_graph(learned, rng=rng)
    draw = setting.draw(rng=rng)
    rows = []
    for name, graph in (("learned", learned), ("random", random)):
        area = areas(scores(draw, graph, graph))
        bound = PublishedBound(max(graph.complexity, 1), setting.records)
        rows.append((name, graph.complexity, area.mean, area.low, area.high, bound.auc))
    return Demonstration(
        f"Learned edges give AUC {rows[0][2]:.3f}, random ones of about the same complexity "
        f"{rows[1][2]:.3f}: an edge that says nothing about the data still leaks who is in it.",
        ("edges", "complexity", "AUC", "low", "high", "published"),
        tuple(rows),
    )


def thresholds(setting: DemonstrationSetting, *, rng: np.random.Generator) -> Demonstration:
    """J.2: theoretical thresholds fit a model that fits, and miss one that does not."""
    draw = setting.draw(rng=rng)
    rows: list[tuple[str | float, ...]] = []
    gaps = []
    for parents in (0, 3):
        graph = setting.learned(parents)
        bound = PublishedBound(max(graph.complexity, 1), setting.records)
        outside = -scores(draw, graph, graph)[1]
        for alpha in ALPHAS:
            seen = float(np.quantile(outside, alpha, axis=1, method="lower").mean())
            stated = bound.threshold(alpha)
            rows.append((f"at most {parents} parents", alpha, stated, seen))
            gaps.append(abs(stated - seen) / bound.mu)
    first, second = np.mean(gaps[: len(ALPHAS)]), np.mean(gaps[len(ALPHAS) :])
    return Demonstration(
        f"Theory and reference population differ by {first:.2f} standard deviations without "
        f"edges, by {second:.2f} with up to three parents.",
        ("model", "false alarms", "threshold by theory", "estimated"),
        tuple(rows),
    )


def richer_population(setting: DemonstrationSetting, *, rng: np.random.Generator) -> Demonstration:
    """J.3: a richer population model weakens the attack."""
    released, rich = setting.learned(1), setting.learned(3)
    draw = setting.draw(rng=rng)
    rows = []
    for name, known in (("the released structure", released), ("a richer structure", rich)):
        area = areas(scores(draw, released, known))
        rows.append((name, known.complexity, area.mean, area.low, area.high))
    return Demonstration(
        f"With the released structure as population model the attack has AUC {rows[0][2]:.3f}; "
        f"with a richer one {rows[1][2]:.3f}: knowing more than was published does not help.",
        ("population model", "complexity", "AUC", "low", "high"),
        tuple(rows),
    )


def biased_sampling(setting: DemonstrationSetting, *, rng: np.random.Generator) -> Demonstration:
    """J.4: a pool unlike its population is found more easily; whether that is about the person.

    Each bias against three: anyone, as in the paper; outsiders selected like the members; and
    these by an attacker whose reference was selected so as well.
    """
    graph = setting.learned(2)
    bound = PublishedBound(max(graph.complexity, 1), setting.records)
    target, state, share = _half(setting)
    measured: list[tuple[Tracing, Tracing, Tracing]] = []
    for bias, stream in zip(BIASES, rng.spawn(len(BIASES)), strict=True):
        selection = BiasedSelection(target, state, bias)
        # some more than needed, because chance decides how many are left
        wide = round(1.2 * setting.records / (1 - bias * share)) + 10
        everyone = replace(setting, records=wide).draw(rng=stream)
        draw = selection.members(everyone, setting.records, rng=stream)
        alike = selection.outsiders(draw, rng=stream)
        inside, outside = scores(draw, graph, graph)
        known = scores(selection.reference(draw, rng=stream), graph, graph)
        measured.append(
            (
                Tracing.of(list(inside), list(outside), ALARM),
                Tracing.of(list(inside), _cut(outside, alike), ALARM),
                Tracing.of(list(known[0]), _cut(known[1], alike), ALARM),
            )
        )
    fair, anyone = measured[0][0], measured[-1][0]
    matched = max(measured[-1][1:], key=lambda tracing: tracing.area.mean)
    return Demonstration(
        f"Selecting against one state of {graph.names[target]} raises the AUC from "
        f"{fair.area.mean:.3f} to {anyone.area.mean:.3f} (published bound {bound.auc:.3f}). "
        f"{about_whom(fair.area, anyone.area, matched.area)} At {100 * ALARM:g} % false alarms it "
        f"finds {100 * fair.power.mean:.1f} % of the members without selection; with it "
        f"{100 * anyone.power.mean:.1f} % among anyone and {100 * matched.power.mean:.1f} % among "
        "outsiders selected the same way.",
        ("bias", "outsiders", "AUC", "low", "high", "published",
         f"found at {100 * ALARM:g} %", "from", "to", "published at that"),
        tuple(
            (
                bias,
                name,
                *vars(tracing.area).values(),
                bound.auc,
                *vars(tracing.power).values(),
                bound.power(ALARM),
            )
            for bias, tracings in zip(BIASES, measured, strict=True)
            for name, tracing in zip(OPPONENTS, tracings, strict=True)
        ),
    )  # fmt: skip


def _cut(scores: Array, chosen: NDArray[np.bool_]) -> list[Array]:
    """The scores of those chosen, pool by pool."""
    return [own[who] for own, who in zip(scores, chosen, strict=True)]


def _half(setting: DemonstrationSetting) -> tuple[int, int, float]:
    """Variable, state and share of the state that is closest to half of the people."""
    tables = setting.counts.counts([(v,) for v in setting.population.variables])
    shares = [t.values / max(setting.counts.records, 1) for t in tables]
    target = min(range(len(shares)), key=lambda i: float(np.abs(shares[i] - 0.5).min()))
    state = int(np.abs(shares[target] - 0.5).argmin())
    return target, state, float(shares[target][state])


def stronger_attack(setting: DemonstrationSetting, *, rng: np.random.Generator) -> Demonstration:
    """Whitened with the population's covariance, the attack on bare marginals nears the bound.

    The likelihood ratio takes variables for independent; where they are not, their errors are
    correlated, and weighting them by the inverse covariance of one record's indicators uses that.
    """
    graph = setting.learned(0)
    draw = setting.draw(rng=rng)
    ratio, white = areas(scores(draw, graph, graph)), areas(whitened(draw, graph))
    bound = PublishedBound(max(graph.complexity, 1), setting.records)
    rows = [(n, f.mean, f.low, f.high) for n, f in (("ratio", ratio), ("whitened", white))]
    return Demonstration(
        f"Against published marginals the likelihood ratio has AUC {ratio.mean:.3f}, a whitened "
        f"attack {white.mean:.3f}; the published bound is {bound.auc:.3f}.",
        ("attack", "AUC", "low", "high"),
        tuple(rows),
    )


def whitened(draw: Draw, graph: Network) -> tuple[Array, Array]:
    """Scores x' S^+ (q - p) of members and outsiders for a graph without edges.

    p and S are mean and covariance of the indicators of all states in the reference, q the
    released marginals.
    """
    indicators = _indicators(draw.reference)[:WHITENING]
    inverse = np.linalg.pinv(np.cov(indicators, rowvar=False), rcond=1e-6, hermitian=True)
    people = [Lookup.of(d, graph.families, draw.pools) for d in (draw.members, draw.outsiders)]
    released = np.concatenate(people[0].counts(), axis=1) / people[0].records
    weights = (released - indicators.mean(axis=0)) @ inverse
    cuts = np.cumsum([v.cardinality for v in graph.variables])[:-1]
    tables = np.split(weights, cuts, axis=1)
    return people[0].sums(tables), people[1].sums(tables)


def _indicators(people: Dataset) -> Array:
    """One column for each state of each variable."""
    columns = [
        people.codes[:, [j]] == np.arange(v.cardinality) for j, v in enumerate(people.variables)
    ]
    return np.concatenate(columns, axis=1).astype(np.float64)


DEMONSTRATIONS: dict[str, Callable[..., Demonstration]] = {
    "J.1 random edges": random_edges,
    "J.2 thresholds": thresholds,
    "J.3 richer population model": richer_population,
    "J.4 biased sampling": biased_sampling,
    "A stronger attack": stronger_attack,
}
