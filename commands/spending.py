"""Verbs that rehearse a release: allocate, query, sweep. They compare with the truth."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import scenario_from, study_from
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.methods.registry import METHODS
from core.study.allocated import allocated
from core.study.answered import Answered, answered, explained
from core.study.bands import QUANTILES, summary
from core.study.experiments import match, sweep
from core.study.metrics import METRICS, Truth
from core.study.quantities import QUANTITIES, legend
from core.study.trace import NodeTrace, TableTrace

STUDY = "Study: computed from the records, not private, not for publication."


def allocate(arguments: argparse.Namespace) -> Document:
    """Who gets which part of ε, every quantity on the way, and the error that follows."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    truth = Truth.of(study.network, study.counts)
    allocation = allocated(arguments.method, truth, study.counts, scenario)
    trace = allocation.trace
    return {
        "method": arguments.method,
        "guarantee": METHODS[arguments.method].guarantee,
        "epsilon": scenario.epsilon,
        "privacy_delta": trace.delta if trace else 0.0,
        "split": scenario.split,
        "rate": scenario.rate,
        "neighbours": scenario.neighbours.value,
        "spent": {
            "stage_one": trace.stage_one if trace else 0.0,
            "stage_two": trace.stage_two if trace else 0.0,
            "total": trace.spent if trace else 0.0,
        },
        "nodes": [_node(n) for n in trace.nodes] if trace else [],
        "tables": [_table(t) for t in trace.tables] if trace else [],
        "error": {name: asdict(e) for name, e in allocation.summaries.items()},
        "quantile_levels": QUANTILES,
    }


def _node(node: NodeTrace) -> Document:
    return {
        "name": node.name,
        "epsilon": node.epsilon.median,
        "epsilon_low": node.epsilon.low,
        "epsilon_high": node.epsilon.high,
        "share": node.share,
        "height": node.height,
        "out_degree": node.out_degree,
        "sensitivity": node.sensitivity,
        "delta": None if node.delta is None else node.delta.median,
        "delta_low": None if node.delta is None else node.delta.low,
        "delta_high": None if node.delta is None else node.delta.high,
        "weight": node.weight,
        "importance": node.importance,
        "floor": node.floor,
        "table": node.table,
    }


def _table(table: TableTrace) -> Document:
    return {
        "variables": list(table.variables),
        "cells": table.cells,
        "epsilon": table.epsilon.median,
        "scale": table.scale,
        "rho": table.rho,
        "serves": list(table.serves),
    }


def show_allocation(document: Document) -> None:
    """As a sentence and two tables."""
    write_lines(
        f"{document['method']} spends ε = {document['spent']['total']:.6g} of "
        f"{document['epsilon']:g} ({document['neighbours']}) on {len(document['tables'])} tables.",
        STUDY,
        "",
    )
    keys = ("height", "out_degree", "sensitivity", "delta", "weight", "epsilon", "share")
    write_table(("node", *keys), [[n["name"], *(n[k] for k in keys)] for n in document["nodes"]])
    write_lines("")
    write_table(
        ("metric", "what it is", "mean", "low", "high"),
        [
            [key, QUANTITIES[key].name, error["mean"], error["low"], error["high"]]
            for key, error in document["error"].items()
        ],
    )


def query(arguments: argparse.Namespace) -> Document:
    """One question to the exact model and to the private ones."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    asked = (arguments.method, Truth.of(study.network, study.counts), study.counts, scenario)
    if arguments.most_probable:
        explanation = explained(arguments.given, *asked)
        answer, rows = explanation.as_answer, [explanation.states]
        shares = zip(explanation.states, explanation.agreement.tolist(), strict=True)
        more = {"agreement": dict(shares)}
    else:
        if not arguments.target:
            raise EquipoiseError("name at least one --target, or ask with --most-probable")
        answer = answered(Query(tuple(arguments.target), arguments.given), *asked)
        names = [v.name for v in answer.variables]
        rows = [dict(zip(names, states, strict=True)) for states in answer.states]
        more = {}
    return {
        "targets": list(rows[0]),
        "given": arguments.given,
        "method": arguments.method,
        "epsilon": scenario.epsilon,
        **_answers(rows, answer),
        **more,
    }


def _answers(rows: list[dict[str, str]], answer: Answered) -> Document:
    low, high = answer.limits
    private = zip(rows, answer.summaries, low.tolist(), high.tolist(), strict=True)
    return {
        "truth": [
            {"states": states, "probability": probability}
            for states, probability in zip(rows, answer.truth.tolist(), strict=True)
        ],
        "private": [
            {"states": states, **asdict(summary), "q05": q05, "q95": q95}
            for states, summary, q05, q95 in private
        ],
        "l1": asdict(answer.mean_off),
        "quantile_levels": QUANTILES,
    }


def show_answers(document: Document) -> None:
    """As a table."""
    given = ", ".join(f"{k}={v}" for k, v in document["given"].items())
    write_lines(
        f"P({', '.join(document['targets'])}{' | ' + given if given else ''}) "
        f"with {document['method']} at ε = {document['epsilon']:g}",
        STUDY,
        "",
    )
    write_table(
        ("states", "truth", "mean", "5 %", "95 %"),
        [
            [
                ", ".join(f"{k}={v}" for k, v in t["states"].items()),
                t["probability"],
                p["mean"],
                p["q05"],
                p["q95"],
            ]
            for t, p in zip(document["truth"], document["private"], strict=True)
        ],
    )


def run_sweep(arguments: argparse.Namespace) -> Document:
    """Error of methods over a range of ε, and the ε that matches the reference."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    points = sweep(
        Truth.of(study.network, study.counts),
        study.counts,
        scenario,
        methods=arguments.methods,
        epsilons=sorted(set(arguments.epsilons)),
        metrics=arguments.metrics or tuple(METRICS),
        progress=progress_bar,
    )
    at = arguments.reference_epsilon
    at = at if at is not None else max(arguments.epsilons)
    return {
        "rows": [
            {
                "method": p.method,
                "epsilon": p.epsilon,
                "metric": p.metric,
                **asdict(summary(p.values)),
                "replicates": len(p.values),
            }
            for p in points
        ],
        "quantile_levels": QUANTILES,
        "matches": [asdict(m) for m in match(points, arguments.reference, at)],
    }


def show_sweep(document: Document) -> None:
    """As two tables."""
    keys = ("method", "epsilon", "metric", "mean", "low", "high", "replicates")
    write_lines(STUDY, "")
    write_table(keys, [[row[k] for k in keys] for row in document["rows"]])
    write_lines("", f"Metrics: {legend(row['metric'] for row in document['rows'])}.")
    if document["matches"]:
        keys = ("method", "metric", "reference", "reference_epsilon", "epsilon", "ratio")
        told = [m for m in document["matches"] if not m["saturated"]]
        write_lines("")
        if told:
            write_table(keys, [[row[k] for k in keys] for row in told])
        left_out = dict.fromkeys(m["metric"] for m in document["matches"] if m["saturated"])
        write_lines(*(_saturated(document["matches"][0], metric) for metric in left_out))


def _saturated(match: Document, metric: str) -> str:
    return (
        f"{metric}: saturated, left out; {match['reference']} is no worse with less than "
        f"ε = {match['reference_epsilon']:g}, so no ratio to it is a saving."
    )
