"""The verb ``risk``: the most a membership attacker could gain."""

import argparse
from dataclasses import asdict

from commands.arguments import (
    ALARM,
    figure,
    informed,
    method,
    network_from,
    scenario_from,
    scenario_text,
    study_arguments,
    study_from,
)
from commands.output import Document, draw, picked, say, write_lines, write_table
from commands.values import Option, number, options
from core.errors import EquipoiseError
from core.knowledge import tabled
from core.membership.bound import check_alpha
from core.scenario import RECORD_LIMIT, Scenario, check_count
from core.study.exposure import Exposure, graph_exposure, guarantees, standing
from core.study.metrics import Truth
from figures.risk import drawn_curves, exposure_figure
from sources.loaded import Loaded
from sources.study import Study

POWERS = ("published", "leverage", "pure_epsilon", "composed", "noisy", "gaussian")
ASYMPTOTIC = (
    "The published bound is asymptotic and speaks of exact tables; it can be exceeded at small "
    "false-alarm rates. Only the ε guarantees hold for every attacker."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and the attacker's suspects."""
    study_arguments(parser)
    told = "share of members among the attacker's suspects (default: 0.01)"
    rate: Option = ("--base-rate", number, 0.01, "P", told)
    options(parser, method(), rate, ALARM, figure("members found against false alarms"))


def run(arguments: argparse.Namespace) -> Document:
    """Every curve that the graph, the records and the budget allow, and where to be careful."""
    scenario = scenario_from(arguments)
    alphas = [check_alpha(a) for a in arguments.alpha]
    structure = _structure(arguments)
    if structure is not None:
        say(f"note: {structure.name} has no probabilities; curves that need records are null")
        check_count("the number of records", arguments.records, RECORD_LIMIT)
        scenario = informed(scenario, arguments, structure.network)
        part = tabled(structure.network, scenario.options.known)
        exposure = graph_exposure(part, arguments.records)
        warnings: list[str] = []
    else:
        study = study_from(arguments)
        scenario = informed(scenario, arguments, study.network)
        exposure, warnings = _exposure(arguments.method, study, scenario)
    draw(
        lambda: exposure_figure(drawn_curves(exposure.curves), scale="log"),
        arguments.figure,
        title=f"Members found against false alarms: {arguments.method}",
        scenario=f"{exposure.records:,} records, {scenario_text(scenario)}",
    )
    return _document(exposure, alphas, [ASYMPTOTIC, *warnings], arguments.base_rate)


def _exposure(name: str, study: Study, scenario: Scenario) -> tuple[Exposure, list[str]]:
    network, counts, options = study.network, study.counts, scenario.options
    records = standing(Truth.of(network, counts, options), counts.source, study.population)
    release = guarantees(name, network, counts, scenario, spent=study.spent)
    part = tabled(network, options.known)
    exposure = Exposure(part, study.records, records.curves + release)
    return exposure, [rail.sentence for rail in records.careful]


def _structure(arguments: argparse.Namespace) -> Loaded | None:
    """A network file with states but no probabilities, asked about without records."""
    if arguments.data is not None or arguments.dag is None or arguments.network is not None:
        return None
    loaded = network_from(arguments)
    if not isinstance(loaded, Loaded):
        raise EquipoiseError(
            f"{loaded.name} lists edges without states, so its parameters cannot be counted; "
            "add a data file or a network file with states"
        )
    return loaded if loaded.model is None else None


def _document(
    exposure: Exposure, alphas: list[float], warnings: list[str], prior: float
) -> Document:
    right = exposure.right(prior, alphas)
    powers = {key: exposure.powers(key, alphas) for key in POWERS}
    return {
        "complexity": exposure.network.complexity,
        "complexity_span": exposure.span,
        "records": exposure.records,
        **picked(exposure.bound, "mu", "auc", "advantage"),
        "power": [
            {"alpha": alpha}
            | {key: None if p is None else float(p[i]) for key, p in powers.items()}
            | {"right": None if right is None else float(right[i])}
            for i, alpha in enumerate(alphas)
        ],
        "auc_bounds": {key: exposure.auc(key) for key in POWERS},
        "claims": {c.key: c.claim for c in exposure.curves if c.key in POWERS},
        "nodes": [asdict(carrier) for carrier in exposure.carriers],
        "edges": [asdict(edge) for edge in exposure.edges],
        "warnings": warnings,
        "base_rate": prior,
    }


def show(document: Document) -> None:
    """As sentences and a table."""
    write_lines(
        f"{document['complexity']:,} free parameters, {document['records']:,} records: "
        f"mu = {document['mu']:.4f}. Exact tables have no guarantee; the published bound estimates "
        f"an AUC of {document['auc']:.4f} (asymptotic).",
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
