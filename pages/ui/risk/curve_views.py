"""Risk's pictures: curves, accusations, who carries the risk, the graph to change."""

import math
from collections.abc import Sequence

import numpy as np

from core.membership.curves import Curve, find, right_accusations
from core.membership.outcomes import AttackResult
from core.study.exposure import Exposure, Standing
from figures import risk as pictures
from figures.template import numbers
from figures.tradeoff import Scale
from pages.ui.kit import compute, state, words
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view, table_view
from pages.ui.risk import numbers as study
from pages.ui.risk import sentences as say
from pages.ui.risk.numbers import MEASURED, PRIORS, REVIEWED, Results

SCALES: tuple[Scale, ...] = ("log", "linear", "ratio")
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
    drawn = pictures.drawn_curves(exposure.curves, study.exact_powers(choice))
    own, exact = study.measured(results, session.method)
    runs = [ran for ran in (own, exact) if ran is not None]
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
        details={
            **say.roc_details(bound, exposure.span),
            "Command line": command("risk", choice, f"--method {session.method}"),
        },
    )
    mark = (alarm, float(best.powers(np.array([alarm]))[0]))
    figures = {s: pictures.exposure_figure(drawn, runs, scale=s, mark=mark) for s in SCALES}
    return figure_view("tradeoff", texts, figures, _table(drawn, runs))


def _table(
    drawn: Sequence[pictures.Drawn], runs: Sequence[AttackResult]
) -> dict[str, Sequence[object]]:
    """A column for each curve; below them what was measured, with a head of its own."""
    table: dict[str, list[object]] = {"false alarms": numbers(pictures.ALARMS)}
    for curve, powers in drawn:
        table[f"{pictures.CLAIMS[curve.key]} ({PUBLISHED[curve.about]})"] = numbers(powers)
    if runs:
        points = [[m.name, *p] for m in map(pictures.measured, runs) for p in numbers(m.points)]
        head = ["attack", "false alarms", "found", "low", "high"]
        lines = [[], head, *points]
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
    line = f"--method {session.method} --alpha {alarm:g} --base-rate {prior:g}"
    texts = Words(
        title="In plain words",
        subtitle=say.accusations(prior, right),
        caption=say.other_accusations(
            right_accusations(prior, alarm, loose[place]),
            None if ran is None else right_accusations(prior, alarm, ran[place]),
            guessing=own is not None and own.guessing,
        ),
        alt=f"Of 100 accusations {first} are right by guessing, at most {first + more} in all.",
        details={
            "Formula": "right ≤ π·power / (π·power + (1 − π)·a) at false-alarm rate a, π the share "
            "of members among the suspects; power is the composed guarantee.",
            "Command line": command("risk", choice, line),
        },
        file="equipoise-study-accusations.csv",
    )
    told = (prior, max(0.0, right - prior), 1 - right)
    tally = [
        [f"{sign} {kind}", f"{100 * share:.1f}"]
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


BARS = 12
"""Nodes with a bar of their own."""

STATES = {"look": ("▲", "look at this"), "fine": ("✓", "fine"), "unknown": ("?", "not known")}
"""How a check stands: a sign and a word."""


def nodes(exposure: Exposure) -> View:
    """The largest conditionals, and the rest together."""
    network = exposure.network
    ordered = sorted(exposure.carriers, key=lambda carrier: -carrier.complexity)
    shown, rest = ordered[:BARS], ordered[BARS:]
    names = [c.name for c in shown]
    shares, counts = [c.share for c in shown], [c.complexity for c in shown]
    if rest:
        names.append(f"{len(rest)} other {'node' if len(rest) == 1 else 'nodes'}")
        shares.append(math.fsum(c.share for c in rest))
        counts.append(sum(c.complexity for c in rest))
    texts = Words(
        title="Which nodes carry the risk",
        subtitle=f"Share of the complexity C = {network.complexity:,} behind the published bound",
        caption=say.edges_caption(exposure.edges, network.complexity),
        alt=f"{names[0]} carries {words.share(shares[0])} of the complexity.",
        details={
            "Formula": "C = Σ c_i, c_i = rows · (states − 1); μ² = C/n is additive, the AUC is "
            "not. Removing j → i takes c_i (1 − 1/r_j); adding it brings c_i (r_j − 1).",
            "Source": "Murakonda, Shokri, Theodorakopoulos 2021, section 4.1.",
        },
    )
    figure = pictures.carrier_figure(names, shares, counts, rest=bool(rest))
    table = {"node": names, "share": numbers(shares), "free parameters": counts}
    return figure_view("nodes", texts, {"nodes": figure}, table)


def rails(standing: Standing) -> View:
    """The list of checks, each with its state as a sign and a word."""
    texts = Words(
        title="Guardrails",
        subtitle=say.rails_subtitle(standing.rails),
        caption="Study only: counted from the records, not for publication.",
        alt="Checks of where the theory applies.",
        details={"Source": "This project, after Theorem 1's two assumptions; leverage as above."},
        file="equipoise-study-guardrails.csv",
    )
    told = [STATES[rail.state] for rail in standing.rails]
    findings = [f"{rail.finding} {rail.rest}" for rail in standing.rails]
    advice = [rail.advice for rail in standing.rails]
    signs = [" ".join(pair).replace(" ", "\u00a0") for pair in told]
    shown = {"State": signs, "Finding": findings, "What to do": advice}
    kept = {"state": [word for _, word in told], "finding": findings, "what to do": advice}
    return table_view("rails", texts, shown, kept)


def graph(choice: Choice, session: state.Session, exposure: Exposure) -> View:
    """The graph, to be edited, filled by share of the risk."""
    network = choice.network
    bound = exposure.bound
    heaviest = max(exposure.carriers, key=lambda carrier: carrier.complexity).name
    selected = session.selected if session.selected in network.position else heaviest
    texts = Words(
        title="Change the graph, see the risk move",
        subtitle=f"C = {choice.measured.complexity:,}, n = {choice.study.records:,}: published AUC "
        f"{bound.auc:.3f}, advantage {bound.advantage:.3f} (asymptotic, without noise)",
        caption=say.node_caption(network, selected),
        alt=f"Network of {len(network.names)} nodes, filled by their share of the complexity.",
        details={"Command line": command("risk", choice, "")},
    )
    own = {carrier.name: carrier.share for carrier in exposure.carriers}
    shares = [own[name] for name in network.names]
    return graph_view(
        "graph",
        texts,
        compute.drawing_of(network),
        [measure("share", "share of risk", "share", shares)],
        Showing(selected, session.method, (session.method,), choice.edited, session.message),
    )
