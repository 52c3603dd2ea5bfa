"""Who carries the risk, where theory stops, and the graph to change: Risk's lower half."""

from __future__ import annotations

import math

from core.study.exposure import Exposure, Standing
from figures.risk import carrier_figure
from figures.template import numbers
from pages.ui.kit import compute, state, words
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, figure_view, table_view
from pages.ui.risk import sentences as say

BARS = 12
"""Nodes with a bar of their own."""

STATES = {
    "look": ("▲", "look at this"),
    "fine": ("✓", "fine"),
    "unknown": ("?", "not known"),
}
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
        details=(
            (
                "Formula",
                "C = Σ c_i, c_i = rows · (states − 1); μ² = C/n is additive, the AUC is not. "
                "Removing j → i takes c_i (1 − 1/r_j); adding it brings c_i (r_j − 1).",
            ),
            ("Source", "Murakonda, Shokri, Theodorakopoulos 2021, section 4.1."),
        ),
        file="equipoise-study-nodes.csv",
    )
    figure = carrier_figure(names, shares, counts, rest=bool(rest))
    table = {"node": names, "share": numbers(shares), "free parameters": counts}
    return figure_view("nodes", texts, {"nodes": figure}, table)


def rails(standing: Standing) -> View:
    """The list of checks, each with its state as a sign and a word."""
    texts = Words(
        title="Guardrails",
        subtitle=say.rails_subtitle(standing.rails),
        caption="Study only: counted from the records, not for publication.",
        alt="Checks of where the theory applies.",
        details=(
            ("Source", "This project, after Theorem 1's two assumptions; leverage as above."),
        ),
        file="equipoise-study-guardrails.csv",
    )
    told = [STATES[rail.state] for rail in standing.rails]
    findings = [f"{rail.finding} {rail.rest}" for rail in standing.rails]
    advice = [rail.advice for rail in standing.rails]
    shown = {
        "State": [" ".join(pair).replace(" ", "\u00a0") for pair in told],
        "Finding": findings,
        "What to do": advice,
    }
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
        details=(("Command line", command("risk", choice, "")),),
        file="equipoise-study-graph.csv",
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
