"""Every curve of one release on three scales, and what a hundred accusations make of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.membership.curves import Curve, find, right_accusations
from core.membership.outcomes import AttackResult
from core.study.exposure import Exposure
from core.table import Array
from figures import risk as pictures
from figures.template import Figure, numbers
from figures.tradeoff import MeasuredPoints, Scale, Style, Tradeoff, tradeoff_figure
from pages.ui.kit import state, words
from pages.ui.kit.acting import SHOWN
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view
from pages.ui.risk import numbers as study
from pages.ui.risk import sentences as say
from pages.ui.risk.numbers import ALARMS, MEASURED, PRIORS, REVIEWED, Results

SCALES: tuple[Scale, ...] = ("log", "linear", "ratio")
HUES = {"release": "risk", "exact": "second"}
"""Hue says what is published; the style of a line says how sure the claim is."""

STYLES: dict[str, Style] = {"asymptotic": "asymptotic", "heuristic": "heuristic"}
PUBLISHED = {"release": "this release", "exact": "exact conditionals"}


def proven(exposure: Exposure) -> Curve:
    """The best guarantee of the release: composed, or by ε and δ alone where none composes."""
    best = find(exposure.curves, "composed") or find(exposure.curves, "pure_epsilon")
    assert best is not None  # a scenario's ε is finite, so that something is guaranteed
    return best


def tradeoff(
    choice: Choice, session: state.Session, exposure: Exposure, results: Results, alarm: float
) -> View:
    """The chart; the false-alarm rate that the accusations speak of is marked."""
    known = study.exact_powers(choice)
    drawn = [
        (c, known[c.key] if c.key in known else c.powers(ALARMS))
        for c in exposure.curves
        if c.key != "reference"
    ]
    own, exact = study.measured(results, session.method)
    runs = [
        _run(name, HUES[about], result)
        for name, about, result in (
            ("measured, this release", "release", own),
            ("measured, exact tables", "exact", exact),
        )
        if result is not None
    ]
    bound, best = exposure.bound, proven(exposure)
    (first,) = best.powers(np.array([REVIEWED[0]]))
    rare = next(powers[0] for c, powers in drawn if c.key == "leverage")
    texts = Words(
        title="Members found against false alarms",
        subtitle=f"Orange: this release, ε = {choice.scenario.epsilon:g}. Grey: exact "
        "conditionals. Numbers: at 0.1 % false alarms.",
        caption=say.roc_caption(bound.power(0.001), rare, own, exact),
        alt=f"Members found against false alarms, {len(drawn)} curves; at 0.1 % false alarms the "
        f"composed guarantee allows {words.share(first)}. Without noise nothing is guaranteed; "
        f"the published estimate for exact tables is {words.share(bound.power(0.001))}.",
        details=(
            *say.roc_details(bound, exposure.span),
            ("Command line", command("risk", choice, f"--method {SHOWN[session.method]}")),
        ),
        file="equipoise-study-tradeoff.csv",
    )
    curves = [
        *(_curve(c, powers) for c, powers in drawn),
        Tradeoff("guessing", "guessing", ALARMS),
    ]
    mark = (alarm, float(best.powers(np.array([alarm]))[0]))
    figures: dict[str, Figure] = {
        scale: tradeoff_figure(
            ALARMS, curves, scale=scale, mark=mark, revision="tradeoff", measured=runs,
            height=430, leaders=True,
        )
        for scale in SCALES
    }  # fmt: skip
    return figure_view("tradeoff", texts, figures, _table(drawn, runs))


def _curve(curve: Curve, powers: Array) -> Tradeoff:
    name = say.CLAIMS[curve.key]
    strong: Style = "guarantee" if curve.key == "composed" else "loose"
    return Tradeoff(
        name,
        STYLES.get(curve.claim, strong),
        powers,
        HUES[curve.about],
        f"{name} {words.share(float(powers[0]))}",
    )


def _run(name: str, hue: str, ran: AttackResult) -> MeasuredPoints:
    points = [[a, p.mean, p.low, p.high] for a, p in zip(MEASURED, ran.powers, strict=True)]
    label = f"{name} {words.share(ran.powers[0].mean)}"
    return MeasuredPoints(name, np.array(points), hue, label)


def _table(
    drawn: Sequence[tuple[Curve, Array]], runs: Sequence[MeasuredPoints]
) -> dict[str, Sequence[object]]:
    """A column for each curve; below them what was measured, with a head of its own."""
    table: dict[str, list[object]] = {"false alarms": numbers(ALARMS)}
    for curve, powers in drawn:
        table[f"{say.CLAIMS[curve.key]} ({PUBLISHED[curve.about]})"] = numbers(powers)
    if runs:
        measured = [[run.name, *point] for run in runs for point in numbers(run.points)]
        head = ["attack", "false alarms", "found", "low", "high"]
        lines = [[], head, *measured]
        for place, column in enumerate(table.values()):
            column += [line[place] if place < len(line) else "" for line in lines]
    return dict(table)


def accuse(
    choice: Choice,
    session: state.Session,
    exposure: Exposure,
    own: AttackResult | None,
    suspects: tuple[float, float],
) -> View:
    """A hundred accusations; ``suspects`` are the false-alarm rate and the share of members."""
    alarm, prior = suspects
    place = REVIEWED.index(alarm)
    best, alone = proven(exposure), find(exposure.curves, "pure_epsilon")
    sure, loose = (c.powers(np.array(REVIEWED)).tolist() for c in (best, alone or best))
    ran = None if own is None else [own.powers[MEASURED.index(a)].mean for a in REVIEWED]
    right = right_accusations(prior, alarm, sure[place])
    first, more, _ = pictures.counted_accusations(prior, right)
    texts = Words(
        title="In plain words",
        subtitle=say.accusations(prior, right),
        caption=say.other_accusations(
            right_accusations(prior, alarm, loose[place]),
            None if ran is None else right_accusations(prior, alarm, ran[place]),
            guessing=own is not None and own.guessing,
        ),
        alt=f"Of 100 accusations {first} are right by guessing, at most {first + more} in all.",
        details=(
            (
                "Formula",
                "right ≤ π·power / (π·power + (1 − π)·a) at false-alarm rate a, π the share of "
                "members among the suspects; power is the composed guarantee.",
            ),
            (
                "Command line",
                command(
                    "risk", choice,
                    f"--method {SHOWN[session.method]} --alpha {alarm:g} --base-rate {prior:g}",
                ),
            ),
        ),
        file="equipoise-study-accusations.csv",
    )  # fmt: skip
    told = (prior, max(0.0, right - prior), 1 - right)
    tally = [
        [f"{sign} {kind}", say.of_hundred(share)]
        for (kind, (sign, _)), share in zip(pictures.LOOKS.items(), told, strict=True)
    ]
    figure = pictures.accusation_figure(prior, right)
    head = (f"at {say.percent(alarm)} false alarms", "of 100")
    table = _accusations(sure, loose, ran)
    return figure_view("accuse", texts, {"accusations": figure}, table, (head, tally))


def _accusations(
    sure: Sequence[float], loose: Sequence[float], ran: Sequence[float] | None
) -> dict[str, Sequence[object]]:
    """Right accusations at every share of members and every rate."""
    asked = [(prior, i) for prior in PRIORS for i in range(len(REVIEWED))]

    def right(powers: Sequence[float]) -> list[object]:
        return numbers([right_accusations(p, REVIEWED[i], powers[i]) for p, i in asked])

    return {
        "members among suspects": [prior for prior, _ in asked],
        "false alarms": [REVIEWED[i] for _, i in asked],
        "right at most": right(sure),
        "right at most (epsilon alone)": right(loose),
        "right (measured)": [None] * len(asked) if ran is None else right(ran),
    }
