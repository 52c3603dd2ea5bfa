"""Numbers and findings in plain words."""

import re
import shlex
from collections.abc import Mapping, Sequence

from core.membership.bound import PublishedBound
from core.methods.plans import BudgetPlan
from core.options import PLAIN, Options
from core.scenario import Scenario
from core.study.glance import Glance
from core.study.quantities import ROW_WEIGHTED, SINGLE_PROBABILITIES
from core.table import Array
from figures.palette import hue
from pages.ui.kit import limits
from release.words import budget as budget
from release.words import counted as counted
from release.words import error as error
from release.words import relation as relation
from release.words import share as share
from sources.named_numbers import named_text, number_text

Runs = list[tuple[str, str]]
"""Text with roles: ("0.026", "uniform") is written in the method's tone."""

_TONED = re.compile("\ue000([a-z-]+)\ue001([^\ue002]*)\ue002")


def toned(text: str, role: str) -> str:
    """A part of a sentence in the tone of a method, or of the ``risk``."""
    return f"\ue000{role}\ue001{text}\ue002"


def strong(text: str) -> str:
    """A part of a sentence that is written strongly."""
    return toned(text, "strong")


def runs(sentence: str) -> Runs:
    """A sentence as runs of text with their roles.

    >>> runs(f"At {strong('ε = 1')} it is off.")
    [('At ', ''), ('ε = 1', 'strong'), (' it is off.', '')]
    """
    first, *parts = _TONED.split(sentence)
    pairs: Runs = [(first, "")]
    for role, text, rest in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        pairs += [(text, role), (rest, "")]
    return [(text, role) for text, role in pairs if text]


def of_hundred(value: float) -> str:
    """Members found, as a number out of a hundred."""
    return share(value).removesuffix(" %")


SERVED = {
    "uniform": "ε/n for every node",
    "data-dependent-icml": "ε of each node, median over releases",
    "equipoise": "ε of the table each node is read from",
}
"""What the number on a node is, for each method."""

ALLOCATION = {
    "uniform": {
        "Formula": "ε_i = ε / n, half for the family's table and half for its parents'.",
        "Source": "Chowdhury et al. 2020 (ICML), section 5, baseline D-Ind.",
    },
    "data-dependent-icml": {
        "Formula": "Stage I spends β·ε on a sample to estimate each node's error δ_i; then ε_i ∝ "
        "√(W_i δ_i), W_i = (height + 1)(out-degree + 1)(Δ_i + 1).",
        "Source": "Chowdhury et al. 2020 (ICML), Algorithm 1, Eqs. 11 to 13.",
    },
    "equipoise": {
        "Formula": "Families are merged into tables t while Σ √a_t falls, a_t = Σ_i √(d_i d_t); "
        "ε_t ∝ √a_t. Nodes read from one table show one number.",
        "Source": "This project; docs/methods.md.",
    },
}
"""Formula and source of each method's allocation."""


def finding(method: str, scenario: Scenario, glance: Glance, uniform: float, power: float) -> Runs:
    """The sentence at the top: condition, error, attacker, baseline.

    ``power`` is the most members any attacker finds at 1 % false alarms.
    """
    tone = hue(method)
    other = "" if method == "uniform" else f"; uniform split: {toned(error(uniform), 'uniform')}"
    answers = ""
    if glance.answer_error is not None:
        off = toned(error(glance.answer_error), tone)
        answers = f", and {SINGLE_PROBABILITIES.subject} {off}"
    return runs(
        f"At {strong(f'ε = {scenario.epsilon:g}')} {ROW_WEIGHTED.subject} "
        f"{toned(error(float(glance.overall[3])), tone)} ({ROW_WEIGHTED.unit}{other}){answers}. "
        f"An attacker who accepts 1 false alarm in 100 finds at most "
        f"{toned(of_hundred(power), 'risk')} of 100 members; guessing finds 1."
    )


def rough(names: Sequence[str]) -> str:
    """Which curves are drawn from little while a knob moves, as a further sentence."""
    if not names:
        return ""
    return (
        f" Dashed, rough while you drag: {' and '.join(names)}, from {limits.ROUGH_POINTS} budgets "
        f"with {limits.ROUGH} releases each."
    )


def alarms(rates: Array, proven: Array, published: Array) -> list[list[str]]:
    """Rows of the small table: false alarms, guarantee, and the estimate without noise."""
    rows = []
    for rate, power, exact in zip(rates.tolist(), proven, published, strict=True):
        base = 100 if rate >= 0.01 else 1000
        rows.append([f"{base * rate:g} of {base:,}", _found(power, base), _found(exact, base)])
    return rows


def _found(power: float, base: int) -> str:
    return f"{of_hundred(power * base / 100)} of {base:,}"


def guarantee(plan: BudgetPlan) -> str:
    """Why the plan keeps its promise, with its own numbers."""
    low, high = float(plan.scales.min()), float(plan.scales.max())
    scale = f"{low:,.4g}" if high - low < 1e-9 * high else f"{low:,.4g} to {high:,.4g}"
    return (
        f"Between neighbours ({relation(plan.neighbours)}) each of the "
        f"{counted(len(plan.tables), 'table')} changes by at most "
        f"{plan.neighbours.l1_sensitivity}, so Laplace noise of scale {scale} records makes table "
        f"t ε_t-private; the parts add up to {plan.spent:.6f}, and composition gives ε = "
        f"{plan.epsilon:g} for all of them together."
    )


def risk_details(bound: PublishedBound, estimate: str) -> dict[str, str]:
    """Formulas and source of the curves."""
    return {
        "Composed guarantee": "The privacy losses of the plan's own noise, added up as "
        f"distributions and not as worst cases: {estimate}. It holds for every attacker.",
        "Guarantee from ε": "power ≤ min(e^E a, 1 − e^−E (1 − a)) at false-alarm rate a; the "
        "attack swaps a record, so E = 2ε when a record is added or removed, E = ε when it is "
        "replaced. It holds for every attacker.",
        "Published bound": f"power = Φ(μ − z_a), μ = √(C/n) = √({bound.complexity:,} / "
        f"{bound.records:,}) = {bound.mu:.3f}; AUC {bound.auc:.3f}. For exact tables and many "
        "records; it can be exceeded at small a.",
        "Source": "Murakonda, Shokri, Theodorakopoulos 2021, Theorem 1.",
    }


def given(name: str, parents: Sequence[str]) -> str:
    """A conditional's title.

    >>> given("BP", ["CO", "TPR"])
    'BP given CO and TPR'
    """
    *most, last = parents or ("",)
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{name} given {listed}" if parents else name


def thin_rows(low: int, rows: int) -> str:
    """A warning about rows with few records, or nothing."""
    if not low:
        return ""
    which = "every row" if low == rows else f"{low} of {rows} rows"
    return f"* Fewer than 50 records ({which}): there the noise decides more than the data."


def quoted(text: str) -> str:
    """A name as a shell argument."""
    return shlex.quote(text)


def asked_for(targets: Sequence[str], given: Mapping[str, str]) -> str:
    """A question as the verb query takes it; without targets the most probable explanation."""
    ask = f"--target {quoted(','.join(targets))}" if targets else "--most-probable"
    listed = ",".join(f"{name}={value}" for name, value in given.items())
    return f"{ask} --given {quoted(listed)}" if given else ask


def summary(options: Options, nodes: int) -> str:
    """What is locked and weighted, or nothing."""
    parts = []
    if options.floors:
        held = sum(share for _, share in options.floors)
        count = len(options.floors)
        parts.append(
            f"{count} {'node' if count == 1 else 'nodes'} locked, at least {share(held)} of "
            f"ε; {nodes - count} share the rest"
        )
    if options.weights:
        count = len(options.weights)
        parts.append(f"{count} weighted")
    return ", ".join(parts)


def flags(options: Options) -> str:
    """What the command line needs to say the same; names as a shell takes them."""
    parts = [f"--pseudo-count {number_text(options.prior)}"] if options.prior else []
    if options.delta != PLAIN.delta:
        parts.append(f"--delta {number_text(options.delta)}")
    for flag, named in (("--floors", options.floors), ("--weights", options.weights)):
        if named:
            parts.append(f"{flag} {quoted(named_text(named))}")
    parts += [f"--known {quoted(one.name)}" for one in options.known if not one.source]
    files = {one.source for one in (*options.known, *options.possible) if one.source}
    return " ".join((*parts, *("--known-file FILE" for _ in files)))


def command(verb: str, data: str, scenario: Scenario, more: str) -> str:
    """A command line that gives the same numbers."""
    s = scenario
    epsilon, split, rate = map(number_text, (s.epsilon, s.split, s.rate))
    knobs = (
        f"python cli.py {verb} {data} --epsilon {epsilon} --split {split} --rate {rate} "
        f"--neighbours {s.neighbours.value} --replicates {s.replicates} --seed {s.seed}"
    )
    return " ".join(part for part in (knobs, flags(s.options), more) if part)
