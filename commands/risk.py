"""The verb ``risk``: the most a membership attacker could gain."""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from commands.arguments import scenario_from, study_from
from commands.output import Document, say, write_lines, write_table
from core.errors import EquipoiseError
from core.experiments import rehearsals
from core.membership.bound import PublishedBound, check_alpha, complexity_span
from core.membership.curves import (
    Curve,
    exact_curves,
    find,
    release_curves,
    right_accusations,
)
from core.membership.decomposition import attribute_saving, node_shares, removal_savings
from core.membership.guardrails import guardrails
from core.membership.leverage import Support, support_of
from core.membership.lookup import Lookup
from core.metrics import Truth
from core.network import Network
from core.privacy import check_fraction
from core.release import Release
from core.scenario import RECORD_LIMIT, Scenario, check_count
from sources.loaded import Loaded
from sources.study import Study, open_network
from sources.text import read_bytes

POWERS = ("published", "leverage", "pure_epsilon", "composed", "noisy")
ASYMPTOTIC = (
    "The published bound is asymptotic and speaks of exact tables; it can be exceeded at small "
    "false-alarm rates. Only the ε guarantees hold for every attacker."
)


def risk(arguments: argparse.Namespace) -> Document:
    """Every curve that the graph, the records and the budget allow, and where to be careful."""
    scenario = scenario_from(arguments)
    alphas = np.array([check_alpha(a) for a in arguments.alpha])
    structure = _structure(arguments)
    if structure is not None:
        say(f"note: {structure.name} has no probabilities; curves that need records are null")
        network, records, support, warnings = structure.network, arguments.records, None, []
        check_count("the number of records", records, RECORD_LIMIT)
        curves = exact_curves(network, records, None)
    else:
        study = study_from(arguments)
        network, records = study.network, study.records
        PublishedBound(network.complexity, records)  # refuses before anything is counted
        support, warnings = _careful(study)
        release = _release(arguments.method, study, scenario)
        curves = exact_curves(network, records, support)
        curves += release_curves(release.plan, release.noise, network, records)
    document = _document(network, records, curves, alphas, [ASYMPTOTIC, *warnings])
    return _accusations(document, check_fraction("the base rate", arguments.base_rate))


def _accusations(document: Document, prior: float) -> Document:
    """The same with the largest share of right accusations at each false-alarm rate."""
    for row in document["power"]:
        found = row["composed"]
        row["right"] = None if found is None else right_accusations(prior, row["alpha"], found)
    return {**document, "base_rate": prior}


def _structure(arguments: argparse.Namespace) -> Loaded | None:
    """A network file with states but no probabilities, asked about without records."""
    if arguments.data is not None or arguments.dag is None or arguments.network is not None:
        return None
    loaded = open_network(None, (arguments.dag.name, read_bytes(arguments.dag)))
    if not isinstance(loaded, Loaded):
        raise EquipoiseError(
            f"{loaded.name} lists edges without states, so its parameters cannot be counted; "
            "add a data file or a network file with states"
        )
    return loaded if loaded.model is None else None


def _careful(study: Study) -> tuple[Support, list[str]]:
    truth = Truth.of(study.network, study.counts)
    support = support_of(study.network, Lookup.of(study.dataset, study.network.families))
    return support, [g.sentence for g in guardrails(truth, support) if g.state == "look"]


def _release(method: str, study: Study, scenario: Scenario) -> Release:
    """One rehearsal, for its plan and the kind of its noise."""
    few = replace(scenario, replicates=min(scenario.replicates, 10))
    return next(rehearsals(method, study.network, study.counts, few))


def _document(
    network: Network,
    records: int,
    curves: tuple[Curve, ...],
    alphas: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    warnings: list[str],
) -> Document:
    bound = PublishedBound(network.complexity, records)
    known = {key: find(curves, key) for key in POWERS}
    powers = {k: None if c is None else c.powers(alphas).tolist() for k, c in known.items()}
    return {
        "complexity": network.complexity,
        "complexity_span": complexity_span(network),
        "records": records,
        "mu": bound.mu,
        "auc": bound.auc,
        "advantage": bound.advantage,
        "power": [
            {"alpha": alpha} | {k: None if p is None else p[i] for k, p in powers.items()}
            for i, alpha in enumerate(alphas.tolist())
        ],
        "auc_bounds": {k: None if c is None else c.auc for k, c in known.items()},
        "claims": {k: c.claim for k, c in known.items() if c is not None},
        "nodes": [
            {"name": n, "complexity": c, "share": s, "drop": attribute_saving(network, n)}
            for n, c, s in zip(
                network.names, network.complexities, node_shares(network), strict=True
            )
        ],
        "edges": [vars(edge) for edge in removal_savings(network)],
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
    titles = [f"{key} ({document['claims'].get(key, 'none')})" for key in POWERS]
    rows = [[p["alpha"], *(p[key] for key in POWERS)] for p in document["power"]]
    rows.append(["AUC", *(document["auc_bounds"][key] for key in POWERS)])
    write_table(("false alarms", *(t.replace("pure_epsilon", "ε alone") for t in titles)), rows)
    sure = [p for p in document["power"] if p["right"] is not None]
    write_lines(
        "",
        *(
            f"If {document['base_rate']:.3g} of the suspects are members, of 100 accusations at "
            f"{p['alpha']:g} false alarms at most {100 * p['right']:.1f} are right."
            for p in sure
        ),
    )
