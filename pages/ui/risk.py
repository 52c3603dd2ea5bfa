"""What Risk shows: every curve of one release, dressed for its board."""

from __future__ import annotations

import numpy as np

from core.membership.curves import Curve, find
from core.membership.outcomes import AttackResult
from core.study.exposure import Exposure
from pages.ui import board, compute, inputs, jobs, risk_board, risk_carriers, state, words
from pages.ui import risk_numbers as numbers
from pages.ui import risk_words as say
from pages.ui.inputs import Choice, command
from pages.ui.kit.acting import SHOWN
from pages.ui.risk_numbers import ALARMS, MEASURED, REVIEWED, Found

JOB = "attack"
HEADS = (
    ("Found at 0.1 %", "false alarms"),
    ("Found at 1 %", "false alarms"),
    ("Found at 10 %", "false alarms"),
    ("AUC", ""),
)


def page_data(choice: Choice, session: state.Session) -> board.Data:
    """The whole board for the sidebar's choice."""
    exposure = numbers.exposure(SHOWN[session.method], choice)
    found = numbers.results(choice)
    review = _review(choice, session, exposure, found)
    best = find(exposure.curves, "composed")
    broken, exact_broken = _broken(review, "composed"), _broken(review, "exact")
    return {
        "epsilon": choice.scenario.epsilon,
        "scenario": inputs.describe(choice),
        "heading": "Assess the risk",
        "badge": "Study: measured attacks use the private rows",
        "finding": [list(run) for run in say.finding(best, broken, exact_broken)],
        "method": session.method,
        "methods": list(SHOWN),
        "roc": _roc(choice, session, exposure, found),
        "accuse": _accuse(choice, session, exposure, found),
        "review": review,
        "nodes": risk_carriers.nodes(exposure),
        "rails": risk_carriers.rails(numbers.standing(choice)),
        "graph": risk_carriers.graph(choice, session, exposure),
    }


def limits(asked: tuple[float, ...]) -> None:
    """The steward set thresholds."""
    state.change(limits=asked)


def attack(pools: int) -> None:
    """Start the attacks of the release, of the exact and of the smoothed conditionals."""
    choice, session = inputs.chosen(), state.load()
    attacks = numbers.planned(choice, SHOWN[session.method], pools)
    found = numbers.results(choice)
    steps = numbers.steps_of(attacks)
    compute.looked(choice.study, (tuple(attacks), choice.scenario))
    jobs.start(JOB, None, steps, lambda: numbers.work(choice, attacks, found))
    state.change(refresh=True)


def _measured(found: Found, method: str) -> tuple[AttackResult | None, AttackResult | None]:
    """What the attacks on the release and on the exact conditionals found, if they ran."""
    return found.get(SHOWN[method]), found.get("exact")


def _roc(
    choice: Choice, session: state.Session, exposure: Exposure, found: Found
) -> board.Data:
    known = numbers.exact_powers(choice)
    curves = [
        _line(c, known[c.key] if c.key in known else c.powers(ALARMS))
        for c in exposure.curves
        if c.key != "reference"
    ]
    own, exact = _measured(found, session.method)
    rings = [
        risk_board.measured(name, about, MEASURED, result.powers)
        for name, about, result in (
            ("measured, this release", "release", own),
            ("measured, exact tables", "exact", exact),
        )
        if result is not None
    ]
    bound = exposure.bound
    (first,), (rare,) = (exposure.powers(key, [0.001]) for key in ("composed", "leverage"))
    texts = board.Words(
        title="Members found against false alarms",
        subtitle="",
        caption=say.roc_caption(bound.power(0.001), rare, own, exact),
        alt=f"Members found against false alarms, {len(curves)} curves; at 0.1 % false alarms the "
        f"composed guarantee allows {words.share(first)}, the published bound for exact tables "
        f"{words.share(bound.power(0.001))}.",
        details=(
            *say.roc_details(bound, exposure.span),
            ("Command line", _command("risk", choice, session)),
        ),
        file="equipoise-study-tradeoff.csv",
    )
    return {
        **vars(texts),
        "alarms": board.numbers(ALARMS),
        "curves": curves,
        "measured": rings,
        "release": f"this release, ε = {choice.scenario.epsilon:g}",
    }


def _line(curve: Curve, found: np.ndarray) -> board.Data:
    texts = (curve.key, say.CLAIMS[curve.key])
    return risk_board.curve(texts, curve.about, curve.claim, found, curve.key == "composed")


def _accuse(
    choice: Choice, session: state.Session, exposure: Exposure, found: Found
) -> board.Data:
    own, _ = _measured(found, session.method)
    texts = board.Words(
        title="In plain words",
        subtitle="100 accusations of people the attacker suspects",
        caption="",
        alt="A hundred accusations: right by guessing, more because of this release, wrong.",
        details=(
            (
                "Formula",
                "right ≤ π·power / (π·power + (1 − π)·a) at false-alarm rate a, π the share of "
                "members among the suspects; power is the composed guarantee.",
            ),
            ("Command line", _command("risk", choice, session)),
        ),
        file="equipoise-study-accusations.csv",
    )
    measured = None if own is None else [own.powers[MEASURED.index(a)].mean for a in REVIEWED]
    return {
        **vars(texts),
        "alarms": list(REVIEWED),
        "found": board.numbers(exposure.powers("composed", REVIEWED)),
        "loose": board.numbers(exposure.powers("pure_epsilon", REVIEWED)),
        "measured": None if measured is None else board.numbers(measured),
        "guessing": own is not None and own.guessing,
    }


def _review(
    choice: Choice, session: state.Session, exposure: Exposure, found: Found
) -> board.Data:
    own, exact = _measured(found, session.method)
    smoothed = found.get("smoothed")
    release = [_row(c, session.limits) for c in exposure.curves if c.about == "release"]
    others = [_row(c, session.limits) for c in exposure.curves if c.about == "exact"]
    if own is not None:
        release.append(
            _attack_row("Knows population and noise", "noise-aware attack", own, session)
        )
    if exact is not None:
        others.append(_attack_row("Knows the population", "likelihood ratio", exact, session))
    if smoothed is not None:
        texts = ("Knows the population", "smoothed release, naive")
        others.append(_attack_row(*texts, smoothed, session))
    job = jobs.current(JOB)
    sentences = [say.attack_sentence(r) for r in (own, exact) if r is not None]
    texts = board.Words(
        title="Attackers against thresholds",
        subtitle="",
        caption=" ".join([*sentences, say.support_sentence(exact)]).strip(),
        alt="Attackers against the thresholds set by the steward.",
        details=(
            (
                "Reading",
                "A number passes when it is at most its threshold. Measured intervals: "
                "Clopper-Pearson for shares, normal over pools for the AUC.",
            ),
            (
                "Smoothed",
                "A Dirichlet prior looks safer to a naive attack and is not: the prior is known "
                "and can be inverted.",
            ),
            (
                "Stronger attacks",
                "On a release that fits badly the likelihood ratio is not the strongest attack; "
                "one whitened with the population's covariance comes closer to the bound. Appendix "
                "J below shows it.",
            ),
            ("Command line", _attack_command(choice, session, own or exact)),
        ),
        file="equipoise-study-thresholds.csv",
    )
    return {
        **vars(texts),
        "heads": [list(h) for h in HEADS],
        "limits": list(session.limits),
        "groups": [
            {"title": f"This release, ε = {choice.scenario.epsilon:g}", "rows": release},
            {"title": "Exact conditionals, for comparison", "rows": others},
        ],
        "pools": list(risk_board.POOLS),
        "running": job is not None and job.alive,
    }


def _row(curve: Curve, allowed: tuple[float, ...]) -> board.Data:
    values = [*curve.powers(np.array(REVIEWED)).tolist(), curve.auc]
    cells = [risk_board.cell(v, a) for v, a in zip(values, allowed, strict=True)]
    return {
        **risk_board.row((curve.attacker, curve.estimate), curve.about, curve.claim, cells),
        "key": curve.key,
    }


def _attack_row(
    attacker: str, estimate: str, found: AttackResult, session: state.Session
) -> board.Data:
    spans = [*(found.powers[MEASURED.index(a)] for a in REVIEWED), found.auc]
    cells = [
        risk_board.cell(s.mean, a, (s.high - s.low) / 2)
        for s, a in zip(spans, session.limits, strict=True)
    ]
    texts = (attacker, f"{estimate}, {found.pools} pools")
    about = "release" if found.attack.private else "exact"
    return {**risk_board.row(texts, about, "measured", cells), "key": found.attack.release}


def _broken(review: board.Data, which: str) -> int:
    """Thresholds missed by one row, or by any row of the exact conditionals."""
    rows = review["groups"][1]["rows"] if which == "exact" else review["groups"][0]["rows"]
    rows = rows if which == "exact" else [r for r in rows if r["key"] == which]
    return sum(any(not r["cells"][j]["passes"] for r in rows) for j in range(len(HEADS)))


def _command(verb: str, choice: Choice, session: state.Session) -> str:
    return command(verb, choice, f"--method {SHOWN[session.method]}")


def _attack_command(choice: Choice, session: state.Session, ran: AttackResult | None) -> str:
    """With the pools' size and number: the shell's own are others where records are uploaded."""
    pools = risk_board.POOLS[0] if ran is None else ran.pools
    size = numbers.pool_size(choice.study)
    drawn = choice.study.population is not None and not choice.edited
    told = "" if drawn and size == choice.study.records else f" --records {size}"
    more = f"--method {SHOWN[session.method]}{told} --pools {pools}"
    return command("attack", choice, more)
