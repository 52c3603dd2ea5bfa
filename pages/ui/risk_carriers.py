"""Who carries the risk, where theory stops, and the graph to change: Risk's lower half."""

from __future__ import annotations

import math

from core.study.exposure import Exposure, Standing
from pages.ui import board, compute, state, words
from pages.ui import risk_words as say
from pages.ui.inputs import Choice, command

BARS = 12
"""Nodes with a bar of their own."""


def nodes(exposure: Exposure) -> board.Data:
    """The largest conditionals, and the rest together."""
    network = exposure.network
    ordered = sorted(exposure.carriers, key=lambda carrier: -carrier.complexity)
    bars = [{"name": c.name, "share": c.share, "count": c.complexity} for c in ordered[:BARS]]
    rest = ordered[BARS:]
    if rest:
        count = sum(c.complexity for c in rest)
        share = math.fsum(c.share for c in rest)
        bars.append({"name": f"{len(rest)} other nodes", "share": share, "count": count})
    texts = board.Words(
        title="Which nodes carry the risk",
        subtitle=f"Share of the complexity C = {network.complexity:,} behind the published bound",
        caption=say.edges_caption(exposure.edges, network.complexity),
        alt=f"{bars[0]['name']} carries {words.share(bars[0]['share'])} of the complexity.",
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
    return {**vars(texts), "bars": bars, "more": bool(rest)}


def rails(here: Standing) -> board.Data:
    """The list of checks."""
    texts = board.Words(
        title="Guardrails",
        subtitle=say.rails_subtitle(here.rails),
        caption="Study only: counted from the records, not for publication.",
        alt="Checks of where the theory applies.",
        details=(
            ("Source", "This project, after Theorem 1's two assumptions; leverage as above."),
        ),
        file="equipoise-study-guardrails.csv",
    )
    listed = [
        {k: getattr(r, k) for k in ("state", "finding", "rest", "advice")} for r in here.rails
    ]
    return {**vars(texts), "list": listed}


def graph(choice: Choice, session: state.Session, exposure: Exposure) -> board.Data:
    """The graph, to be edited, filled by share of the risk."""
    network = choice.network
    bound = exposure.bound
    heaviest = max(exposure.carriers, key=lambda carrier: carrier.complexity).name
    selected = session.selected if session.selected in network.position else heaviest
    texts = board.Words(
        title="Change the graph, see the risk move",
        subtitle=f"C = {network.complexity:,}, n = {choice.study.records:,}: published AUC "
        f"{bound.auc:.3f}, advantage {bound.advantage:.3f}",
        caption=say.node_caption(network, selected),
        alt=f"Network of {len(network.names)} nodes, filled by their share of the complexity.",
        details=(("Command line", command("risk", choice, "")),),
        file="equipoise-study-graph.csv",
    )
    return board.graph(
        texts,
        compute.drawing_of(network),
        [board.measure("share", "share of risk", "share", [c.share for c in exposure.carriers])],
        board.Chosen(selected, session.method, (), choice.edited, session.message),
    )
