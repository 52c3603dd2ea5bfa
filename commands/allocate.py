"""The verb ``allocate``: who gets which part of the budget, and the error that follows."""

import argparse
from dataclasses import asdict

from commands.arguments import asked_from, figure, method, scenario_text, study_arguments
from commands.output import STUDY, Document, draw, picked, write_lines, write_table
from commands.values import options
from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.study.allocated import allocated
from core.study.bands import QUANTILES
from core.study.metrics import Truth
from core.study.quantities import QUANTITIES
from core.study.trace import NodeTrace, Spread, TableTrace
from figures.allocate import budget_figure, node_bars


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method."""
    study_arguments(parser)
    options(parser, method(), figure("the budget of every node"))


def run(arguments: argparse.Namespace) -> Document:
    """Who gets which part of ε, every quantity on the way, and the error that follows."""
    guarantee = method_named(arguments.method).guarantee
    if arguments.figure is not None and not guarantee.private:
        said = "spends nothing, so that there is no budget to draw"
        raise EquipoiseError(f"{arguments.method} {said}")
    scenario, study = asked_from(arguments)
    truth = Truth.of(study.network, study.counts, scenario.options)
    allocation = allocated(arguments.method, truth, study.counts, scenario)
    trace = allocation.trace
    shares = allocation.epsilon.tolist()
    draw(
        lambda: budget_figure(
            study.network.names,
            [node_bars(allocation)],
            sorted(range(len(shares)), key=lambda node: -shares[node]),
            sorted_by="by ε",
        ),
        arguments.figure,
        title=f"Budget per node: {arguments.method}",
        scenario=f"{study.name}, {study.records:,} records, {scenario_text(scenario)}",
    )
    return {
        "method": arguments.method,
        "guarantee": guarantee.text,
        "epsilon": scenario.epsilon,
        "privacy_delta": trace.delta if trace else 0.0,
        **picked(scenario, "split", "rate"),
        "neighbours": scenario.neighbours.value,
        "spent": {**picked(trace, "stage_one", "stage_two"), "total": trace.spent}
        if trace
        else dict.fromkeys(("stage_one", "stage_two", "total"), 0.0),
        "nodes": [_node(n) for n in trace.nodes] if trace else [],
        "tables": [_table(t) for t in trace.tables] if trace else [],
        "error": {name: asdict(e) for name, e in allocation.summaries.items()},
        "quantile_levels": QUANTILES,
    }


def _node(node: NodeTrace) -> Document:
    return {
        "name": node.name,
        **_span("epsilon", node.epsilon),
        **picked(node, "share", "height", "out_degree", "sensitivity"),
        **_span("delta", node.delta),
        **picked(node, "weight", "importance", "floor"),
        "table": None if node.known else node.table,
        "known": node.known,
    }


def _span(name: str, values: Spread | None) -> Document:
    ends = {name: "median", f"{name}_low": "low", f"{name}_high": "high"}
    return {key: None if values is None else getattr(values, end) for key, end in ends.items()}


def _table(table: TableTrace) -> Document:
    told = {"epsilon": table.epsilon.median, **picked(table, "scale", "rho", "serves")}
    return {**picked(table, "variables", "cells"), **told}


def show(document: Document) -> None:
    """As a sentence and two tables."""
    write_lines(
        f"{document['method']} spends ε = {document['spent']['total']:.6g} of "
        f"{document['epsilon']:g} ({document['neighbours']}) on {len(document['tables'])} tables.",
        STUDY,
        "",
    )
    keys = ("height", "out_degree", "sensitivity", "delta", "weight", "epsilon", "share")
    write_table(
        ("node", *keys, ""),
        [[n["name"], *(n[k] for k in keys), "known" * bool(n["known"])] for n in document["nodes"]],
    )
    write_lines("")
    told = [{"metric": key, "what it is": QUANTITIES[key].name, **error}
            for key, error in document["error"].items()]  # fmt: skip
    write_table(("metric", "what it is", "mean", "low", "high"), told)
