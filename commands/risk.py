"""The verb ``risk``: the most a membership attacker could gain."""

from __future__ import annotations

import argparse

from commands.arguments import scenario_from, study_from
from commands.output import Document, write_lines, write_table
from core.membership.bound import (
    PublishedBound,
    complexity_span,
    guaranteed_auc,
    guaranteed_power,
)


def risk(arguments: argparse.Namespace) -> Document:
    """Published bound of the exact tables, and the guarantee that ε gives."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    network = study.network
    bound = PublishedBound(network.complexity, study.records)
    warnings = [
        "The published bound is asymptotic and speaks of exact tables; it can be exceeded at "
        "small false-alarm rates. Only the ε guarantee holds for every attacker."
    ]
    if bound.mu > 1:
        warnings.append(
            f"{network.complexity:,} parameters from {study.records:,} records: more parameters "
            "than records, so most rows rest on a handful of people."
        )
    epsilon, relation = scenario.epsilon, scenario.neighbours
    return {
        "complexity": network.complexity,
        "complexity_span": complexity_span(network),
        "records": study.records,
        "mu": bound.mu,
        "auc": bound.auc,
        "advantage": bound.advantage,
        "power": [
            {
                "alpha": alpha,
                "published": bound.power(alpha),
                "leverage": None,
                "pure_epsilon": guaranteed_power(alpha, epsilon, relation),
                "composed": None,
                "noisy": None,
            }
            for alpha in arguments.alpha
        ],
        "auc_bounds": {
            "published": bound.auc,
            "pure_epsilon": guaranteed_auc(epsilon, relation),
            "composed": None,
            "noisy": None,
        },
        "nodes": [
            {"name": n, "complexity": c, "share": c / network.complexity}
            for n, c in zip(network.names, network.complexities, strict=True)
        ],
        "warnings": warnings,
    }


def show_risk(document: Document) -> None:
    """As sentences and a table."""
    write_lines(
        f"{document['complexity']:,} free parameters, {document['records']:,} records: "
        f"mu = {document['mu']:.4f}, AUC at most {document['auc']:.4f} by the published bound "
        "(exact tables, asymptotic).",
        *document["warnings"],
        "",
    )
    write_table(
        ("false alarms", "published", "guarantee from ε"),
        [[p["alpha"], p["published"], p["pure_epsilon"]] for p in document["power"]],
    )
