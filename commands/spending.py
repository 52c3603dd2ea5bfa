"""Verbs that rehearse a release: allocate, query, sweep. They compare with the truth."""

from __future__ import annotations

import argparse
from dataclasses import asdict

import numpy as np

from commands.arguments import scenario_from, study_from
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.experiments import interval, match, measure, rehearsals, sweep
from core.inference import most_probable
from core.inference import query as ask
from core.methods import METHODS
from core.metrics import METRICS, Truth
from core.table import Array
from core.trace import NodeTrace, TableTrace, trace

STUDY = "Study: computed from the records, not private, not for publication."


def allocate(arguments: argparse.Namespace) -> Document:
    """Who gets which part of ε, every quantity on the way, and the error that follows."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    truth = Truth.of(study.network, study.counts)
    errors = measure(arguments.method, truth, study.counts, scenario)
    found = None
    if METHODS[arguments.method].guarantee != "none":
        found = trace(arguments.method, study.network, study.counts, scenario)
    return {
        "method": arguments.method,
        "guarantee": METHODS[arguments.method].guarantee,
        "epsilon": scenario.epsilon,
        "privacy_delta": found.delta if found else 0.0,
        "split": scenario.split,
        "rate": scenario.rate,
        "neighbours": scenario.neighbours.value,
        "spent": {
            "stage_one": found.stage_one if found else 0.0,
            "stage_two": found.stage_two if found else 0.0,
            "total": found.spent if found else 0.0,
        },
        "nodes": [_node(n, scenario.epsilon) for n in found.nodes] if found else [],
        "tables": [_table(t) for t in found.tables] if found else [],
        "error": {name: asdict(interval(values)) for name, values in errors.items()},
    }


def _node(node: NodeTrace, epsilon: float) -> Document:
    return {
        "name": node.name,
        "epsilon": node.epsilon.median,
        "epsilon_low": node.epsilon.low,
        "epsilon_high": node.epsilon.high,
        "share": node.epsilon.median / epsilon,
        "height": node.height,
        "out_degree": node.out_degree,
        "sensitivity": node.sensitivity,
        "delta": None if node.delta is None else node.delta.median,
        "delta_low": None if node.delta is None else node.delta.low,
        "delta_high": None if node.delta is None else node.delta.high,
        "weight": node.weight,
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
        ("error", "mean", "low", "high"),
        [[k, v["mean"], v["low"], v["high"]] for k, v in document["error"].items()],
    )


def query(arguments: argparse.Namespace) -> Document:
    """One question to the exact model and to the private ones."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    truth = Truth.of(study.network, study.counts)
    given = arguments.given
    if arguments.most_probable:
        codes, _ = most_probable(truth.model, given)
        free = [i for i, name in enumerate(study.network.names) if name not in given]
        targets = [study.network.names[i] for i in free]
        states = [
            {
                n: study.network.variables[i].states[int(codes[i])]
                for i, n in zip(free, targets, strict=True)
            }
        ]
        hits = np.concatenate(
            [
                (most_probable(r.model, given)[0] == codes).all(axis=-1)
                for r in rehearsals(arguments.method, study.network, study.counts, scenario)
            ]
        ).astype(float)
        exact, private = np.ones(1), hits[:, None]
    else:
        if not arguments.target:
            raise EquipoiseError("name at least one --target, or ask with --most-probable")
        targets = arguments.target
        table = ask(truth.model, targets, given)
        states = [
            {v.name: v.states[k] for v, k in zip(table.variables, code, strict=True)}
            for code in np.ndindex(table.values.shape)
        ]
        exact = table.values.ravel()
        private = np.concatenate(
            [
                ask(r.model, targets, given).values.reshape(-1, exact.size)
                for r in rehearsals(arguments.method, study.network, study.counts, scenario)
            ]
        )
    return {
        "targets": list(targets),
        "given": given,
        "method": arguments.method,
        "epsilon": scenario.epsilon,
        **_answers(states, exact, private),
    }


def _answers(states: list[dict[str, str]], exact: Array, private: Array) -> Document:
    return {
        "truth": [
            {"states": s, "probability": float(p)} for s, p in zip(states, exact, strict=True)
        ],
        "private": [
            {
                "states": s,
                **asdict(interval(private[:, j])),
                "q05": float(np.quantile(private[:, j], 0.05)),
                "q95": float(np.quantile(private[:, j], 0.95)),
            }
            for j, s in enumerate(states)
        ],
        "l1": asdict(interval(np.abs(private - exact).sum(axis=-1))),
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
    for method in arguments.methods:
        if method not in METHODS:
            raise EquipoiseError(f"no method {method!r}; there are {', '.join(METHODS)}")
    for metric in arguments.metrics or ():
        if metric not in METRICS:
            raise EquipoiseError(f"no metric {metric!r}; there are {', '.join(METRICS)}")
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
                **asdict(interval(p.values)),
                "replicates": len(p.values),
            }
            for p in points
        ],
        "matches": [asdict(m) for m in match(points, arguments.reference, at)],
    }


def show_sweep(document: Document) -> None:
    """As two tables."""
    keys = ("method", "epsilon", "metric", "mean", "low", "high", "replicates")
    write_lines(STUDY, "")
    write_table(keys, [[row[k] for k in keys] for row in document["rows"]])
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
