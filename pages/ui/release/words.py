"""Release in plain words: the finding, what blocks, what a rehearsal and an audit say."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from core.methods.registry import method_named
from core.notation import short
from core.privbayes.learners import STRUCTURE, forecast_ways
from core.privbayes.settings import RECIPES
from core.study.quantities import ANSWERS
from core.synthesis.forecast import WayForecast
from pages.ui.kit import words
from pages.ui.kit.words import Runs
from pages.ui.release.numbers import Review
from release.ledger.account import Account
from release.ledger.spending import shown
from release.preview import Preview
from release.review.proposal import Proposal
from release.review.standin import StandInRehearsal
from release.words import in_words, noise_name

BADGE = "Release: spends budget, never compares with the truth"
UNDO = (
    "Undo does not exist: noise that somebody may have seen cannot be taken back, so what is "
    "spent stays spent, also when a release is lost."
)
BASES = {
    "public": "public fact",
    "stated": "stated by you",
    "ledger": "ledger",
    "measured": "measured on made-up records",
}
CHOICES = (
    "A choice of the graph is drawn exactly, no rounded number decides it: a candidate that is "
    "behind by its scale is e times less likely. "
)
PAYMENT = (
    "The ledger entry is written first, then the noise is drawn from the operating system's "
    "entropy by a process of its own, then the files appear here. A double click pays once."
)


def finding(review: Review, released: int) -> Runs:
    """The sentence at the top: checks, price, what is left, what blocks."""
    ending = _decision(len(review.checklist.open) + len(review.obstacles))
    sampled = review.choice.study.sampled
    return [
        *([("A demonstration with public, sampled records. ", "")] if sampled else []),
        (f"{review.checklist.counted}. ", ""),
        ("A further release would spend " if released else "Publishing would spend ", ""),
        (f"ε = {shown(review.proposal.cost)}", "risk"),
        *_left(review.proposal),
        (f"{ending}.", ""),
    ]


def _left(proposal: Proposal) -> Runs:
    account = proposal.account
    if account is None:
        return [(", and no budget for these data is stated yet", "")]
    left = shown(account.remaining)
    if proposal.cost > account.remaining:
        return [(", and only ", ""), (left, "strong"), (" is left on these data: refused", "")]
    return [(" of the ", ""), (left, "strong"), (" left on these data and cannot be undone", "")]


def _decision(open_: int) -> str:
    if not open_:
        return "; nothing else stands in the way"
    verb = "is" if open_ == 1 else "are"
    thing = "one decision" if open_ == 1 else f"{in_words(open_)} decisions"
    return f"; {thing} {verb} still yours"


def scenario(review: Review) -> str:
    """What is set in the sidebar, without a number of private records."""
    s = review.choice.scenario
    return f"ε {s.epsilon:g}, {words.relation(s.neighbours)}, {review.asked.method}"


def plan_rows(proposal: Proposal) -> list[list[str]]:
    """The plan before the click, in a few lines."""
    method, exact = method_named(proposal.method), proposal.preview
    rows = [["Method", f"{proposal.method}, {method.guarantee.text}"]]
    if exact is None:
        return rows
    if proposal.acceptance.epsilon:
        tests = words.counted(len(proposal.acceptance.criteria), "test")
        whole = exact.epsilon + proposal.acceptance.epsilon
        part = shown(proposal.acceptance.epsilon)
        rows.append(["This release", f"ε = {shown(whole)}, of which {part} for {tests}"])
    if method.learns:
        return [*rows, *_learning_rows(proposal, exact)]
    sizes = [m.cells for m in exact.measurements]
    scales = [float(m.scale) for m in exact.measurements]
    largest = max(exact.measurements, key=lambda m: m.budget)
    unit = "ε" if exact.rho is None else "ρ"
    stages = f"Stage I {shown(exact.epsilon * Fraction(proposal.scenario.split))}"
    rows += [
        ["Budget", _letters(exact) + (f", {stages}" if method.needs_stage_one else ", one pass")],
        ["Tables", f"{words.counted(len(sizes), 'histogram')}, {_span(sizes, ',.0f')} cells"],
        ["Largest part", f"{unit} = {float(largest.budget):.3g}, {table_name(largest.variables)}"],
        [
            "Noise of a cell",
            f"{noise_name(exact.measurements[0].noise)}, scale {_span(scales, ',.3g')}",
        ],
        ["Forecast error", forecast(proposal)],
        ["Proved sum", proved(proposal)],
    ]
    return rows


def _letters(exact: Preview) -> str:
    delta = f", δ = {short(float(exact.delta), 6)}" if exact.delta else ""
    return f"ε = {shown(exact.epsilon)}{delta}"


def _learning_rows(proposal: Proposal, exact: Preview) -> list[list[str]]:
    """The same where the graph is learned: its tables are known once it is drawn."""
    choices = [m for m in exact.measurements if m.is_choice]
    unit = "ε" if exact.rho is None else "ρ"
    rows = [["Budget", f"{_letters(exact)}, in {in_words(len(exact.parts))} parts"]]
    rows += [[name.capitalize(), f"{unit} = {float(part):.6g}"] for name, part in exact.parts]
    many = f"{len(choices)} of the graph"
    if proposal.method in RECIPES and RECIPES[proposal.method].way:  # those here are of no records
        many = "as many as are expected to pay"
    if ahead := ways_ahead(proposal):
        rows.append(["Way", said_ahead(ahead)])
        many = f"{ahead[0].tables} of the graph" * (ahead[0].way in ("tree", "adaptive"))
    if choices and many:
        rows.append(["Choices", f"{many}, each by {choices[0].noise}"])
    return [*rows, ["Forecast error", forecast(proposal)], ["Proved sum", proved(proposal)]]


def ways_ahead(proposal: Proposal) -> list[WayForecast]:
    """The ways of a method that decides by a forecast, the one with the least error first."""
    plans = forecast_ways(proposal.method, proposal.facts.network.variables, proposal.scenario,
                          proposal.facts.records)  # fmt: skip
    return sorted(plans, key=lambda plan: plan.error)


def said_ahead(plans: Sequence[WayForecast]) -> str:
    """Which way it would go, and what it expects of the others."""
    best, *others = plans
    rest = ", ".join(f"{plan.way} {plan.error:.2g}" for plan in others)
    return (
        f"{best.way}, tables of pairs off by about {best.error:.2g} (forecast before spending, "
        f"0 to 1; {rest})"
    )


def _span(values: list[int] | list[float], form: str) -> str:
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


def table_name(variables: tuple[str, ...] | list[str], most: int = 60) -> str:
    """The table's variables; a long list is cut."""
    text = ", ".join(variables) or "number of records"
    return text if len(text) <= most else f"{text[: most - 1]}…"


def forecast(proposal: Proposal) -> str:
    """Noise to expect of a family's counts, from public facts."""
    noise = proposal.noise
    if noise is None:
        if proposal.method == STRUCTURE:
            return "none: no table is measured"
        decides = "the graph" if method_named(proposal.method).learns else "Stage I"
        return f"none before a rehearsal: {decides} decides"
    low, high = noise.deviations.min(), noise.deviations.max()
    most = "at most " if noise.most else ""
    return (
        f"family counts {most}±{low:,.3g} to {high:,.3g} records, median "
        f"{np.median(noise.deviations):,.3g}"
    )


def proved(proposal: Proposal) -> str:
    """What the exact fractions add up to."""
    exact = proposal.preview
    if exact is None:
        return "nothing is measured"
    whole, unit = (exact.epsilon, "ε") if exact.rho is None else (exact.rho, "ρ")
    return f"{unit} = {float(exact.cost):.12g}, at most {float(whole):.12g}"


def plan_details(proposal: Proposal) -> dict[str, str]:
    """Why the sum holds."""
    exact = proposal.preview
    if exact is None:
        return {}
    sensitivity = proposal.scenario.neighbours.l1_sensitivity
    law = (
        f"A table of part ε_t gets discrete Laplace noise of scale at least {sensitivity}/ε_t."
        if exact.rho is None
        else f"A table of part ρ_t gets discrete Gaussian noise with σ² of at least {sensitivity}"
        "/(2ρ_t), plus 1 where ρ is small; the parts add up to a ρ that is proved to be (ε, δ)."
    )
    return {
        "Formula": f"{law} Between neighbours one table changes by at most {sensitivity}. "
        + (CHOICES if exact.parts else "")
        + "Parts are "
        "fractions with denominator 2^60, rounded down, so their sum is a proof and not a "
        "rounded number.",
        "Source": "release/meter.py and release/rationals.py; OpenDP's exact samplers draw.",
    }


def ledger_caption(account: Account | None, lasting: bool) -> str:
    """What the meter's account is, and that there is no undo."""
    if account is None or not account.lines:
        first = "Nothing is spent on these data yet. "
    else:
        first = f"{words.counted(len(account.lines), 'payment')} so far. "
    kept = "" if lasting else "This ledger is a demonstration and goes with your session. "
    return f"{first}{kept}{UNDO}"


def rehearsed(rehearsal: StandInRehearsal) -> Runs:
    """What a rehearsal on a stand-in showed."""
    quantity, row, answer = rehearsal.quantity, rehearsal.band, rehearsal.bands.get(ANSWERS.key)
    off = words.strong(words.error(answer.median)) if answer is not None else ""
    more = f", and {ANSWERS.subject} {off}" if off else ""
    return words.runs(
        f"On {rehearsal.title}, at {words.strong(f'ε = {rehearsal.epsilon:g}')} {quantity.subject} "
        f"{words.strong(words.error(row.median))} ({quantity.unit}; {words.error(row.low)} to "
        f"{words.error(row.high)} in 95 % of {rehearsal.runs:,} runs){more}. No private record was "
        "looked at."
    )


def beyond(rehearsal: StandInRehearsal, limit: float) -> str:
    """Whether what was rehearsed misses the steward's limit."""
    named = rehearsal.quantity.name
    if rehearsal.band.median <= limit:
        return f"Within your limit of {words.error(limit)} for {named}."
    return (
        f"More than your limit of {words.error(limit)} for {named}: raise ε, choose "
        "another method, or change the limit before you sign."
    )


def spent_twice(account: Account | None, cost: Fraction) -> str:
    """What a further release of the same data means; empty before the first."""
    if account is None:
        return ""
    before = sum(line.what == "release" for line in account.lines)
    if not before:
        return ""
    times = words.counted(before, "release")
    return (
        f"{times} of these data {'is' if before == 1 else 'are'} paid for already. A further one "
        f"costs ε = {shown(cost)} again: two noisy copies tell more than one."
    )
