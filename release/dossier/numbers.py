"""The numbers of a dossier: plan, risk, forecast, guardrails. Public facts only."""

from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction

import numpy as np

from core.knowledge import tabled
from core.membership.bound import complexity_span
from core.membership.curves import Curve
from core.methods.registry import method_named
from core.network import Network
from core.notation import short
from core.privbayes.learners import part_of, shares
from release.acceptance import STEPS
from release.ledger.spending import shown
from release.published import Document, Measurement, Published
from release.review.proposal import Proposal
from release.review.thresholds import ALARMS, Thresholds
from release.words import counted

GRID = np.geomspace(0.001, 0.999, 60)
"""False-alarm rates at which curves are drawn."""


def thresholds(limits: Thresholds) -> Document:
    """The steward's limits."""
    return {**asdict(limits), "alarms": list(ALARMS), "powers": list(limits.powers)}


def plan(proposal: Proposal, published: Published | None) -> Document | None:
    """Every measurement with its exact budget and scale.

    Before a graph is learned nobody knows which: then what each part may cost.
    """
    exact = published or proposal.preview
    if exact is None:
        return None
    own, rows = proposal.preview, exact.measurements
    measured = [m.noise for m in rows if not m.is_choice]
    if published is None:
        spent = own.parts if own is not None else ()
        rows = () if spent else rows
    else:
        spent = tuple(parts(published))
    return {
        "noise": measured[-1] if measured else "no",
        "unit": "ε" if exact.rho is None else "ρ",
        "total": str(exact.epsilon if exact.rho is None else exact.rho),
        "cost": str(exact.cost),
        "cost_decimal": f"{float(exact.cost):.12g}",
        "public": own is not None and own.public,
        "parts": [[name, shown(part), str(part)] for name, part in spent],
        "tables": [_measurement(m) for m in rows],
    }


def parts(published: Published) -> Iterator[tuple[str, Fraction]]:
    """What each part of a learned release has cost, by the names it is charged under."""
    if not method_named(published.method).learns:
        return
    for name, _ in shares(published.method, published.neighbours):
        own = [
            m.budget
            for m in published.measurements
            if name == part_of(published.method, counts=not m.variables, chooses=m.is_choice)
        ]
        yield name, sum(own, Fraction(0))


def graph(published: Published | None) -> list[Document] | None:
    """The graph that a release has learned, variable by variable."""
    if published is None or not method_named(published.method).learns:
        return None
    network = published.model.network
    return [
        {"variable": name, "parents": list(parents)}
        for name, parents in zip(network.names, network.parents, strict=True)
    ]


def _measurement(m: Measurement) -> Document:
    return {
        "choice": m.is_choice,
        "noise": m.noise,
        "variables": list(m.variables),
        "cells": m.cells,
        "budget": str(m.budget),
        "budget_decimal": float(m.budget),
        "scale": str(m.scale),
        "scale_decimal": float(m.scale),
        "rate": shown(m.rate),
    }


def risk(proposal: Proposal) -> Document | None:
    """Guarantees on membership inference: curves, and the grid of thresholds."""
    curve = proposal.curve
    if curve is None:
        return None
    powers = curve.powers(np.array(ALARMS)).tolist()
    limits = proposal.thresholds
    drawn = [curve, *(c for c in proposal.curves if c is not curve)]
    return {
        "estimate": curve.estimate,
        "grid": [
            {"alarms": a, "found": p, "limit": most}
            for a, p, most in zip(ALARMS, powers, limits.powers, strict=True)
        ],
        "auc": curve.auc,
        "auc_limit": limits.auc,
        "advantage": curve.advantage,
        "curves": [_curve(c) for c in drawn],
    }


def _curve(curve: Curve) -> Document:
    return {
        "key": curve.key,
        "estimate": curve.estimate,
        "claim": curve.claim,
        "auc": curve.auc,
        "alarms": [round(a, 6) for a in GRID.tolist()],
        "powers": [round(p, 6) for p in curve.powers(GRID).tolist()],
    }


def forecast(proposal: Proposal) -> Document:
    """Noise to expect of every variable's table, and what a stand-in showed."""
    noise, seen = proposal.noise, proposal.rehearsal
    deviations = (
        []
        if noise is None
        else [
            {"variable": name, "deviation": float(f"{value:.4g}")}
            for name, value in zip(
                proposal.facts.network.names, noise.deviations.tolist(), strict=True
            )
        ]
    )
    return {
        "noise": deviations,
        "most": noise is not None and noise.most,
        "rehearsal": None
        if seen is None
        else {**asdict(seen), "groups": [*map(asdict, seen.groups)]},
    }


def acceptance(proposal: Proposal, published: Published | None) -> Document | None:
    """What the model must be good for, what testing that costs, and what was drawn."""
    wanted, neighbours = proposal.acceptance, proposal.scenario.neighbours
    if not wanted.criteria:
        return None
    verdict = "passed" if published else "to be drawn"
    return {
        "epsilon": str(wanted.epsilon),
        "forecast": wanted.forecast(neighbours, proposal.facts.records),
        "criteria": [
            {
                "words": criterion.words,
                "epsilon": shown(wanted.each),
                "scale": criterion.sensitivity(neighbours) / STEPS / float(wanted.each),
                "verdict": verdict,
            }
            for criterion in wanted.criteria
        ],
    }


def _with_joint(network: Network) -> str:
    span = complexity_span(network)
    if span == network.complexity:
        return "with them C would be the same"
    return f"publishing them would raise C to {span:,}"


def guardrails(proposal: Proposal, published: Published | None) -> list[Document]:
    """What the graph alone, learned or given, says about the safety of a model.

    No exact count is looked at.
    """
    drawn = published.model.network if published else proposal.facts.network
    network = tabled(drawn, proposal.scenario.options.known)
    records = proposal.facts.records
    lines = [
        {
            "title": "Free parameters",
            "number": f"C = {network.complexity:,}",
            "sentence": f"{counted(records, 'record')}, so C/n = "
            f"{short(network.complexity / records)}"
            if records
            else "no public number of records to compare with",
        },
        {
            "title": "Joint tables",
            "number": "none published",
            "sentence": _with_joint(network),
        },
    ]
    largest = max(network.layout.slices, key=lambda where: where.stop - where.start)
    size = largest.stop - largest.start
    name = network.names[network.layout.slices.index(largest)]
    lines.append(
        {
            "title": "Largest family",
            "number": counted(size, "cell"),
            "sentence": f"of {name} and its parents"
            + (f", {records / size:,.0f} records for each on average" if records else ""),
        }
    )
    return lines
