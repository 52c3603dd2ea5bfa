"""What is asked for on Undirected, what is measured so far, curves read off it. Study only."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.markov.mobility import Town
from core.markov.synthetic import TrueField
from core.parameters import Model
from core.privacy import Neighbours
from core.study.bands import MEDIAN, QUANTILES, bands, read_off
from core.table import Array
from core.undirected import sample
from core.undirected.mobility import Case, Holdout
from core.undirected.sample import MORAL, Setting, Shape, noise_scale, true_model
from core.undirected.study import EstimatorOutcome, Found, kept_at
from core.undirected.views import MeanSquares
from pages.ui.kit import compute, state, words
from pages.ui.kit.inputs import Choice
from sources.loaded import Loaded
from sources.study import open_network

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
"""Numbers of records of the learning curves."""

BUDGETS = (0.05, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Budgets that are measured; the curve at another ε lies between two of them."""

Place = tuple[float, int]
"""(ε, N)."""


@dataclass(eq=False)
class Store:
    """Everything measured for one model and one way of training; a job goes on adding."""

    curves: Found = field(default_factory=dict)
    marginals: dict[tuple[str, Place], Array] = field(default_factory=dict)
    squares: dict[Place, MeanSquares] = field(default_factory=dict)
    projected: dict[Place, dict[bool, EstimatorOutcome]] = field(default_factory=dict)
    penalties: dict[tuple[float, Place], dict[str, Array]] = field(default_factory=dict)
    steps: dict[tuple[bool, int, Place], Array] = field(default_factory=dict)
    cases: dict[Town, Case] = field(default_factory=dict)
    holdouts: dict[tuple[Town, str, float], Holdout] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def around(epsilon: float) -> tuple[float, ...]:
    """The measured budgets between which an ε lies; itself where there are none.

    >>> around(1.0), around(0.5), around(200.0)
    ((1.0,), (0.3, 1.0), (200.0,))
    """
    if epsilon in BUDGETS or not BUDGETS[0] < epsilon < BUDGETS[-1]:
        return (epsilon,)
    above = next(i for i, budget in enumerate(BUDGETS) if budget > epsilon)
    return BUDGETS[above - 1 : above + 1]


def strength(truth: TrueField, setting: Setting) -> float:
    """λ in use."""
    return sample.strength(noise_scale(truth, setting), setting)


@dataclass(frozen=True, eq=False)
class QuantileCurve:
    """Quantiles (7, points) of one quantity along an axis; ``measured`` unless read between."""

    name: str
    across: tuple[float, ...]
    bands: Array
    measured: bool = True

    @property
    def middle(self) -> Mapping[float, float]:
        """Place -> median."""
        return dict(zip(self.across, self.bands[MEDIAN].tolist(), strict=True))

    def at(self, place: float, *, log: bool = True) -> Array | None:
        """The seven quantiles at one place, between points straight on log (or plain) values."""
        if not self.across or not self.across[0] <= place <= self.across[-1]:
            return None
        if log:
            return read_off(self.bands, self.across, place)
        return np.array([np.interp(np.log(place), np.log(self.across), row) for row in self.bands])


def collected(name: str, points: Mapping[float, Array]) -> QuantileCurve:
    """A curve from the values of every replicate at each place."""
    across = tuple(sorted(points))
    values = [bands(points[place]) for place in across]
    stacked = np.stack(values, axis=1) if values else np.empty((len(QUANTILES), 0))
    return QuantileCurve(name, across, stacked)


def learning_curve(outcomes: Found, name: str, epsilon: float) -> QuantileCurve:
    """KL of one estimator against N at any ε: measured there, or between two budgets."""
    budgets = sorted({kept_at(name, budget) for budget in around(epsilon)})
    curves = [
        collected(
            name, {n: o.divergence for (e, b, n), o in outcomes.items() if (e, b) == (name, budget)}
        )
        for budget in budgets
    ]
    if len(curves) == 1:
        return curves[0]
    both = tuple(n for n in curves[0].across if n in curves[1].across)
    pair = np.stack([c.bands[:, [c.across.index(n) for n in both]] for c in curves], axis=1)
    return QuantileCurve(name, both, read_off(pair, budgets, epsilon), measured=False)


def slower(outcomes: Found, name: str, epsilon: float) -> QuantileCurve:
    """Seconds of an estimator over those of the naive one at the same N, at a measured ε."""
    budget = around(epsilon)[0]
    ratios = {}
    for (e, b, n), outcome in outcomes.items():
        base = outcomes.get(("naive", budget, n))
        if (e, b) == (name, kept_at(name, budget)) and base is not None:
            ratios[float(n)] = np.array([outcome.seconds / base.seconds])
    return collected(name, ratios)


@dataclass(frozen=True)
class Tally:
    """How often CGM has a smaller KL than the naive estimator, of all settings measured."""

    ahead: int
    total: int
    most: float
    least: float


def tally(outcomes: Found) -> Tally | None:
    """CGM against naive over all (ε, N) measured; within one per cent is equal."""
    ratios = [
        float(np.median(o.divergence) / np.median(outcomes["naive", b, n].divergence))
        for (e, b, n), o in outcomes.items()
        if e == "cgm" and ("naive", b, n) in outcomes
    ]
    if not ratios:
        return None
    ahead = sum(r < 0.99 for r in ratios)
    return Tally(ahead, len(ratios), 1 - min(ratios), max(ratios) - 1)


def unfinished(store: Store, view: str) -> int:
    """Replicates of what a view shows that were not solved to tolerance."""
    shown: dict[str, Iterable[EstimatorOutcome | Holdout]] = {
        "Learning curves": dict(store.curves).values(),
        "Projection": [one for both in dict(store.projected).values() for one in both.values()],
        "Mobility": dict(store.holdouts).values(),
    }
    return sum(outcome.unfinished for outcome in shown.get(view, ()))


@dataclass(frozen=True, eq=False)
class Asked:
    """One screen of the page. ``other`` is the ε that stands beside the sidebar's."""

    choice: Choice
    picked: str
    shape: Shape
    truth: TrueField
    setting: Setting
    estimators: tuple[str, ...]
    view: str
    other: float
    town: Town
    loopy: bool
    store: Store

    @property
    def key(self) -> Hashable:
        """What a job works for."""
        knobs = (self.estimators, self.town, self.loopy, self.place, self.other)
        return (self.store, self.view, *knobs)

    @property
    def place(self) -> Place:
        """What is on show."""
        return self.setting.epsilon, self.setting.records

    @property
    def sizes(self) -> tuple[int, ...]:
        """Where learning curves are measured: the N on show is never outside."""
        own = self.setting.records
        return SIZES if SIZES[0] <= own <= SIZES[-1] else tuple(sorted({*SIZES, own}))

    @property
    def pictured(self) -> tuple[str, ...]:
        """Whose marginals are drawn."""
        return (*self.estimators, *(("loopy",) if self.loopy else ()))

    @property
    def title(self) -> str:
        """The model in words."""
        field = self.truth.field
        if self.shape.kind == MORAL:
            return f"the moral graph of {self.picked}"
        kind = "a third-order chain" if self.shape.kind == "chain" else "a connected random graph"
        return f"{kind} of {len(field.variables)} nodes with {self.shape.states} states"

    @property
    def scenario(self) -> str:
        """Everything that is set, in one line."""
        s, field = self.setting, self.truth.field
        relation = "add/remove" if s.neighbours is Neighbours.ADD_REMOVE else "replace"
        return (
            f"{self.title} ({words.counted(len(field.tables), 'table')}, {field.size:,} cells, "
            f"junction tree {field.predicted_cells:,}), {s.records:,} records, ε {s.epsilon:g}, λ "
            f"{s.share:g} b/N, {words.counted(s.steps, 'EM step')}, {s.populations} x {s.repeats} "
            f"replicates, {relation}, seed {s.seed}"
        )


def truth_of(shape: Shape, choice: Choice, picked: str) -> TrueField:
    """The true model; refused with its sentence when it is too large to be trained.

    For a sample network its own probabilities; for uploaded records or an edited graph those that
    the records give, which is private.
    """
    seed = choice.scenario.seed

    def make() -> TrueField:
        model: Model | None
        if shape.kind != MORAL:
            return true_model(shape, seed=seed)
        if picked == state.UPLOADED or choice.edited:
            model = compute.truth_of(choice.study, choice.network).model
        else:
            loaded = open_network(picked, None)
            model = loaded.model if isinstance(loaded, Loaded) else None
        return true_model(shape, seed=seed, model=model)

    moral = (choice.study.fingerprint, choice.network) if shape.kind == MORAL else seed
    return compute.remembered(("undirected truth", shape, moral), make)


def store_of(shape: Shape, choice: Choice, setting: Setting) -> Store:
    """What is measured for this model and this way of training, at any ε and N."""
    whole = replace(setting, epsilon=1.0, records=1)
    moral = (choice.study.fingerprint, choice.network) if shape.kind == MORAL else 0
    return compute.remembered(("undirected", shape, moral, whole), Store)


def command(asked: Asked, epsilons: Sequence[float], records: Sequence[int]) -> str:
    """The same numbers from a shell; an upload's file names are the user's to fill in."""
    shape, setting = asked.shape, asked.setting
    if shape.kind != MORAL:
        model = f"--shape {shape.kind} --nodes {shape.nodes} --states {shape.states}"
    elif asked.picked == state.UPLOADED or asked.choice.edited:
        model = "--dag FILE"
    else:
        model = f"--network {words.quoted(asked.picked)}"
    return (
        f"python cli.py undirected {model} --estimators {','.join(asked.estimators)} "
        f"--epsilons {','.join(f'{e:g}' for e in epsilons)} "
        f"--records {','.join(map(str, records))} --populations {setting.populations} "
        f"--repeats {setting.repeats} --penalty {setting.share!r} --steps {setting.steps} "
        f"--start {'zero' if setting.zero else 'naive'} --neighbours {setting.neighbours.value} "
        f"--seed {setting.seed}{'' if setting.projected else ' --no-projection'}"
    )
