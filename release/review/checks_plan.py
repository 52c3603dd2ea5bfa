"""Checks of the method, its plan, its price and its forecast."""

import math
from functools import partial

import numpy as np

from core.methods.registry import method_named
from core.notation import short
from release import words
from release.ledger.people import whose
from release.rationals import decimal
from release.review.facts import Line
from release.review.proposal import Proposal
from release.review.thresholds import ALARMS


def guarantee(proposal: Proposal) -> Line:
    """What the method promises, and δ against the number of records."""
    line, method = partial(Line, "guarantee", "Guarantee is stated"), method_named(proposal.method)
    epsilon, delta, records = proposal.published_epsilon, proposal.delta, proposal.facts.records
    if method.refused or not math.isfinite(epsilon):
        why = f"{method.name} cannot be released: {method.refused}"
        told = why if method.refused else "an infinite ε is no noise"
        advice = "Choose another method and a finite ε."
        return line("fail", "no guarantee", told, advice, final=True)
    number = f"ε = {epsilon:g}" + (f", δ = {short(delta, 6)}" if delta else "")
    graph = proposal.facts.structure_epsilon
    learned = f", {graph:g} of ε for the graph" if graph else ""
    if not delta:
        return line("pass", number, f"{method.guarantee.text}, no δ{learned}")
    if not records:
        told = "δ has to lie below one over the number of records, which is not public yet"
        return line("fail", number, told, "State a public number of records.")
    below = f"below 1/n = {short(1 / records)}"
    if delta * records >= 1:
        told = f"δ is not {below}: publishing one whole record would be allowed"
        return line("fail", number, told, f"Choose δ of at most {short(0.1 / records, 1)}.")
    return line("pass", number, f"{method.guarantee.text}, δ {below}{learned}")


def plan(proposal: Proposal) -> Line:
    """Whether the parts of the budget add up, in exact fractions."""
    line, exact = partial(Line, "plan", "Budgets add up"), proposal.preview
    if exact is None:
        told = "nothing is measured with noise, so there is nothing to add up"
        return line("fail", "0 tables", told, "Choose a method with a guarantee.", final=True)
    number = words.counted(len(exact.measurements), "table")
    unit = "ε" if exact.rho is None else "rho"
    most = exact.epsilon if exact.rho is None else exact.rho
    told = f"exact fractions prove {unit} = {float(exact.cost):.6g}, at most {float(most):.6g}"
    if exact.parts:
        number = words.counted(len(exact.parts), "part")
        told += "".join(f"; {name} {float(part):.6g}" for name, part in exact.parts)
    elif not exact.public:
        told += "; Stage I decides how the rest is shared"
    if proposal.acceptance.epsilon:
        told += f"; acceptance ε = {float(proposal.acceptance.epsilon):.6g} beside it"
    return line("pass", number, told)


def usual(proposal: Proposal) -> Line:
    """Whether ε of all releases together is what is usually called private."""
    limits, line = proposal.thresholds, partial(Line, "usual", "ε is within the usual")
    account, times = proposal.account, proposal.facts.statements.per_unit
    own = proposal.cost if math.isfinite(proposal.scenario.epsilon) else math.inf
    before = 0 if account is None else account.unit_spent(times)
    epsilon = float(times * own + before)
    number = f"ε = {epsilon:g}"
    about = "for one unit, all releases of these data together"
    if epsilon <= limits.epsilon:
        return line("pass", number, f"at most {limits.epsilon:g} {about}")
    if epsilon <= limits.epsilon_most:
        told = f"above {limits.epsilon:g}, which counts as strong, "
        told += f"and at most {limits.epsilon_most:g}, {about}"
        return line("note", number, told, "Quote the risk with it.")
    advice = "Lower ε, or write why so weak a guarantee is acceptable."
    return line("fail", number, f"above {limits.epsilon_most:g} {about}", advice)


def budget(proposal: Proposal) -> Line:
    """Whether the ledger has room."""
    line, account = partial(Line, "budget", "Ledger has room", basis="ledger"), proposal.account
    if account is None or not math.isfinite(proposal.scenario.epsilon):
        why = "no ledger says what these data may spend" if account is None else "ε is infinite"
        return line("fail", "no budget", why, "Name a ledger, a budget and a finite ε.", final=True)
    left, cost, delta = account.remaining, proposal.cost, decimal(proposal.delta)
    number = f"{float(left):g} left"
    over = [f"ε = {float(cost):g}"] * (cost > left)
    over += [f"δ = {short(float(delta), 6)}"] * (delta > account.delta_remaining)
    if over:
        told = f"this release costs {' and '.join(over)}, more than is left"
        advice = "Spend less or stop here; what is spent cannot be had back."
        return line("fail", number, told, advice, final=True)
    if account.neighbours is not proposal.scenario.neighbours:
        told = f"the account counts {account.neighbours.value} neighbours, and the two do not "
        advice = "Release with the account's neighbours."
        return line("fail", number, f"{told}add up", advice, final=True)
    told = f"of {float(account.budget):g}; {float(left - cost):g} after this release; "
    return line("pass", number, f"{told}{whose(account)}")


def risk(proposal: Proposal) -> Line:
    """Whether the guarantee keeps members found and AUC below the steward's limits."""
    line = partial(Line, "risk", "Risk is below the thresholds")
    curve, limits = proposal.curve, proposal.thresholds
    if curve is None:
        told = "nothing keeps an attacker from finding every member"
        return line("fail", "100 %", told, "Choose a method with a guarantee.", final=True)
    powers = curve.powers(np.array(ALARMS)).tolist()
    number = ", ".join(words.share(p) for p in powers) + f", AUC {curve.auc:.3f}"
    pairs = zip(ALARMS, powers, limits.powers, strict=True)
    rates = [f"{100 * a:g}" for a, p, most in pairs if p > most]
    several = " and ".join(filter(None, (", ".join(rates[:-1]), *rates[-1:])))
    over = [f"at {several} % false alarms"] * bool(rates) + ["in AUC"] * (curve.auc > limits.auc)
    told = f"members found at most, at 0.1, 1 and 10 % false alarms ({curve.estimate})"
    if proposal.account is not None and proposal.account.spent:
        told += ", by this release alone"
    if not over:
        return line("pass", number, told)
    told += f"; above the limit {' and '.join(over)}"
    if proposal.facts.public:
        told += ", which harms nobody here: the records are made up"
        advice = "Look at the limits before records of people are released."
        return line("note", number, told, advice)
    advice = "Lower ε, choose a method with a smaller risk, or write why this much is acceptable."
    return line("fail", number, told, advice)


def rehearsed(proposal: Proposal) -> Line:
    """Whether ε was chosen without a look at errors on the private rows."""
    line = partial(Line, "rehearsed", "ε was chosen in public", basis="measured")
    rehearsal, runs = proposal.rehearsal, words.counted(proposal.study_runs, "study run")
    if proposal.facts.public:
        told = "the records are public, so looking at them reveals nothing"
        return line("pass", runs, told, basis="public")
    if rehearsal is not None:
        name, band = rehearsal.quantity.name, rehearsal.band
        number, ends = f"error {words.error(band.median)}", (band.low, band.high)
        told = f"rehearsed on {rehearsal.title}: {name}, {' to '.join(map(words.error, ends))}"
        told += " in 95 % of runs"
        if not proposal.study_runs:
            return line("pass", number, told)
        told += f"; {runs} here compared with the exact rows"
        return line("note", number, told, "Keep the ε that was fixed before those runs.")
    if proposal.study_runs:
        told = "errors were compared with the exact rows before ε was settled, which is a leak of "
        advice = "Rehearse on a public stand-in, or write why the choice of ε does not follow them."
        return line("fail", runs, f"{told}its own", advice)
    advice = "Rehearse on a public stand-in before spending."
    return line("note", "0 rehearsals", "no run says what to expect of this ε", advice)


def audited(proposal: Proposal) -> Line:
    """Whether an audit contradicts the method's claim."""
    line = partial(Line, "audited", "Mechanism is audited", basis="measured")
    audit = proposal.audit
    if audit is None:
        advice = f"Run: python cli.py audit --method {proposal.method}"
        return line("note", "0 trials", "no audit was run in this review", advice)
    at = f" at δ = {short(audit.tested.delta)}" if audit.delta else ""
    number = f"ε ≥ {audit.lower_bound:.2f}{at}"
    where = f", {audit.where}" if audit.where else ""
    told = (
        f"{audit.trials:,} trials of {audit.method} on each of two neighbours, "
        f"{100 * audit.confidence:g} % confidence, claim {audit.claimed:g}{where}"
    )
    if audit.violated:
        advice = "Do not publish with this method."
        return line("fail", number, f"{told}: the claim is broken", advice, final=True)
    if audit.catches_half:
        return line("pass", number, f"{told}; half the noise would have been caught")
    told += "; half the noise would not have been caught, so this says little"
    return line("note", number, told, "Audit with more trials.")
