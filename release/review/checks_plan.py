"""Checks of the method, its plan, its price and its forecast."""

from __future__ import annotations

import math

import numpy as np

from core.methods.registry import method_named
from core.notation import short
from release import words
from release.ledger.people import whose
from release.rationals import decimal
from release.review.line import Line
from release.review.proposal import Proposal
from release.review.thresholds import ALARMS


def guarantee(proposal: Proposal) -> Line:
    """What the method promises, and δ against the number of records."""
    title, method = "Guarantee is stated", method_named(proposal.method)
    epsilon, delta, records = proposal.epsilon, proposal.delta, proposal.facts.records
    if method.refused or not math.isfinite(epsilon):
        return Line(
            "guarantee",
            title,
            "fail",
            "no guarantee",
            f"{method.name} cannot be released: {method.refused}"
            if method.refused
            else "an infinite ε is no noise",
            "Choose another method and a finite ε.",
            final=True,
        )
    number = f"ε = {epsilon:g}" + (f", δ = {short(delta, 6)}" if delta else "")
    if not delta:
        return Line("guarantee", title, "pass", number, f"{method.guarantee.text}, no δ")
    if not records:
        return Line(
            "guarantee", title, "fail", number, "δ has to lie below one over the number of "
            "records, which is not public yet", "State a public number of records.",
        )  # fmt: skip
    if delta * records >= 1:
        return Line(
            "guarantee",
            title,
            "fail",
            number,
            f"δ is not below 1/n = {short(1 / records)}: publishing one whole record would be "
            "allowed",
            f"Choose δ of at most {short(0.1 / records, 1)}.",
        )
    return Line(
        "guarantee",
        title,
        "pass",
        number,
        f"{method.guarantee.text}, δ below 1/n = {short(1 / records)}",
    )


def plan(proposal: Proposal) -> Line:
    """Whether the parts of the budget add up, in exact fractions."""
    title, exact = "Budgets add up", proposal.preview
    if exact is None:
        return Line(
            "plan", title, "fail", "0 tables", "nothing is measured with noise, so there is "
            "nothing to add up", "Choose a method with a guarantee.", final=True,
        )  # fmt: skip
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
    return Line("plan", title, "pass", number, told)


def usual(proposal: Proposal) -> Line:
    """Whether ε of all releases together is what is usually called private."""
    limits, title = proposal.thresholds, "ε is within the usual"
    before = 0.0 if proposal.account is None else float(proposal.account.spent)
    epsilon = proposal.unit_budget[0] + before * proposal.facts.statements.per_unit
    number = f"ε = {epsilon:g}"
    about = "for one unit, all releases of these data together"
    if epsilon <= limits.epsilon:
        return Line("usual", title, "pass", number, f"at most {limits.epsilon:g} {about}")
    if epsilon <= limits.epsilon_most:
        return Line(
            "usual", title, "note", number, f"above {limits.epsilon:g}, which counts as strong, "
            f"and at most {limits.epsilon_most:g}, {about}", "Quote the risk with it.",
        )  # fmt: skip
    return Line(
        "usual",
        title,
        "fail",
        number,
        f"above {limits.epsilon_most:g} {about}",
        "Lower ε, or write why so weak a guarantee is acceptable.",
    )


def budget(proposal: Proposal) -> Line:
    """Whether the ledger has room."""
    title, account = "Ledger has room", proposal.account
    if account is None or not math.isfinite(proposal.scenario.epsilon):
        return Line(
            "budget",
            title,
            "fail",
            "no budget",
            "no ledger says what these data may spend" if account is None else "ε is infinite",
            "Name a ledger, a budget and a finite ε.",
            basis="ledger",
            final=True,
        )
    left, cost, delta = account.remaining, proposal.cost, decimal(proposal.delta)
    number = f"{float(left):g} left"
    over = [f"ε = {float(cost):g}"] * (cost > left)
    over += [f"δ = {short(float(delta), 6)}"] * (delta > account.delta_remaining)
    if over:
        return Line(
            "budget",
            title,
            "fail",
            number,
            f"this release costs {' and '.join(over)}, more than is left",
            "Spend less or stop here; what is spent cannot be had back.",
            basis="ledger",
            final=True,
        )
    if account.neighbours is not proposal.scenario.neighbours:
        return Line(
            "budget", title, "fail", number, f"the account counts {account.neighbours.value} "
            "neighbours, and the two do not add up", "Release with the account's neighbours.",
            basis="ledger", final=True,
        )  # fmt: skip
    return Line(
        "budget",
        title,
        "pass",
        number,
        f"of {float(account.budget):g}; {float(left - cost):g} after this release; "
        f"{whose(account)}",
        basis="ledger",
    )


def risk(proposal: Proposal) -> Line:
    """Whether the guarantee keeps members found and AUC below the steward's limits."""
    title, curve, limits = "Risk is below the thresholds", proposal.curve, proposal.thresholds
    if curve is None:
        return Line(
            "risk", title, "fail", "100 %", "nothing keeps an attacker from finding every member",
            "Choose a method with a guarantee.", final=True,
        )  # fmt: skip
    powers = curve.powers(np.array(ALARMS)).tolist()
    number = ", ".join(words.share(p) for p in powers) + f", AUC {curve.auc:.3f}"
    pairs = zip(ALARMS, powers, limits.powers, strict=True)
    over = [f"{100 * a:g} % false alarms" for a, p, most in pairs if p > most]
    over += ["AUC"] * (curve.auc > limits.auc)
    told = f"members found at most, at 0.1, 1 and 10 % false alarms ({curve.estimate})"
    if proposal.account is not None and proposal.account.spent:
        told += ", by this release alone"
    if over and proposal.facts.public:
        return Line(
            "risk", title, "note", number, f"{told}; above the limit at {', '.join(over)}, which "
            "harms nobody here: the records are made up",
            "Look at the limits before records of people are released.",
        )  # fmt: skip
    if over:
        return Line(
            "risk",
            title,
            "fail",
            number,
            f"{told}; above the limit at {', '.join(over)}",
            "Lower ε, choose a method with a smaller risk, or write why this much is acceptable.",
        )
    return Line("risk", title, "pass", number, told)


def rehearsed(proposal: Proposal) -> Line:
    """Whether ε was chosen without a look at errors on the private rows."""
    title, rehearsal, runs = "ε was chosen in public", proposal.rehearsal, proposal.study_runs
    seen = f"; {words.counted(runs, 'study run')} here compared with the exact rows" if runs else ""
    if proposal.facts.public:
        return Line(
            "rehearsed", title, "pass", words.counted(runs, "study run"),
            "the records are public, so looking at them reveals nothing",
        )  # fmt: skip
    if rehearsal is not None:
        quantity, band = rehearsal.quantity, rehearsal.band
        return Line(
            "rehearsed",
            title,
            "note" if runs else "pass",
            f"error {words.error(band.median)}",
            f"rehearsed on {rehearsal.title}: {quantity.name}, {words.error(band.low)} to "
            f"{words.error(band.high)} in 95 % of runs{seen}",
            "Keep the ε that was fixed before those runs." if runs else "",
            basis="measured",
        )
    if runs:
        return Line(
            "rehearsed",
            title,
            "fail",
            words.counted(runs, "study run"),
            "errors were compared with the exact rows before ε was settled, which is a leak of "
            "its own",
            "Rehearse on a public stand-in, or write why the choice of ε does not follow them.",
            basis="measured",
        )
    return Line(
        "rehearsed", title, "note", "0 rehearsals", "no run says what to expect of this ε",
        "Rehearse on a public stand-in before spending.", basis="measured",
    )  # fmt: skip


def audited(proposal: Proposal) -> Line:
    """Whether an audit contradicts the method's claim."""
    title, audit = "Mechanism is audited", proposal.audit
    if audit is None:
        return Line(
            "audited", title, "note", "0 trials", "no audit was run in this review",
            f"Run: python cli.py audit --method {proposal.method}", basis="measured",
        )  # fmt: skip
    at = f" at δ = {short(audit.tested.delta)}" if audit.delta else ""
    number = f"ε ≥ {audit.lower_bound:.2f}{at}"
    where = f", {audit.where}" if audit.where else ""
    told = (
        f"{audit.trials:,} trials of {audit.method} on each of two neighbours, "
        f"{100 * audit.confidence:g} % confidence, claim {audit.claimed:g}{where}"
    )
    if audit.violated:
        return Line(
            "audited", title, "fail", number, f"{told}: the claim is broken",
            "Do not publish with this method.", basis="measured", final=True,
        )  # fmt: skip
    if audit.catches_half:
        return Line(
            "audited", title, "pass", number, f"{told}; half the noise would have been caught",
            basis="measured",
        )  # fmt: skip
    return Line(
        "audited", title, "note", number,
        f"{told}; half the noise would not have been caught, so this says little",
        "Audit with more trials.", basis="measured",
    )  # fmt: skip
