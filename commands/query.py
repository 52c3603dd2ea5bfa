"""The verb ``query``: one question to the exact and to the private models."""

import argparse
from dataclasses import asdict
from pathlib import Path

from commands.arguments import asked_from, method, study_arguments
from commands.output import STUDY, Document, write_lines, write_table
from commands.values import check_idle, evidence, names, options
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.study.answered import Answered, answered, explained
from core.study.bands import QUANTILES
from core.study.metrics import Truth
from core.study.pivot import LEVEL
from release.measurements import MEASUREMENTS
from release.uncertainty import ABOUT, ask
from sources.text import read_bytes


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and the question."""
    study_arguments(parser)
    options(
        parser,
        method(),
        ("--model", Path, None, "FILE", "the model.json of a release, with measurements.json "
         "beside it: its answer with a 90 %% interval, without a look at any record"),
        ("--target", names, [], "X,Y", None),
        ("--given", evidence, {}, "A=a,B=b", None),
        ("--most-probable", bool, False, None,
         "the most probable explanation of all other variables, or of --target alone"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """One question to a release, or to the exact model and to the private ones."""
    if arguments.model is not None:
        return _released(arguments)
    scenario, study = asked_from(arguments)
    asked = (
        arguments.method,
        Truth.of(study.network, study.counts, scenario.options),
        study.counts,
        scenario,
    )
    if arguments.most_probable:
        explanation = explained(arguments.given, *asked, arguments.target)
        answer, rows = explanation.as_answer, [explanation.states]
        shares = zip(explanation.states, explanation.agreement.tolist(), strict=True)
        more = {"agreement": dict(shares)}
    else:
        if not arguments.target:
            raise EquipoiseError("name at least one --target, or ask with --most-probable")
        answer = answered(Query(tuple(arguments.target), arguments.given), *asked)
        targets = [v.name for v in answer.variables]
        rows = [dict(zip(targets, states, strict=True)) for states in answer.states]
        more = {}
    return {
        "targets": list(rows[0]),
        "given": arguments.given,
        "method": arguments.method,
        "epsilon": scenario.epsilon,
        **_answers(rows, answer),
        **more,
    }


def _released(arguments: argparse.Namespace) -> Document:
    if arguments.most_probable or not arguments.target:
        raise EquipoiseError("a released model is asked for --target; name at least one")
    why = "is not asked for beside --model, whose answer needs no more: leave out --model"
    check_idle(arguments, why, network=None, dag=None, data=None, schema=None)
    path: Path = arguments.model
    beside = read_bytes(path.parent / MEASUREMENTS)
    asked = Query(tuple(arguments.target), arguments.given)
    answer = ask(read_bytes(path), beside, asked)
    return {
        "targets": list(asked.targets),
        "given": arguments.given,
        "release": answer.release,
        "level": LEVEL,
        "about": ABOUT,
        "answers": answer.rows,
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


def show(document: Document) -> None:
    """As a table."""
    given = ", ".join(f"{k}={v}" for k, v in document["given"].items())
    question = f"P({', '.join(document['targets'])}{' | ' + given if given else ''})"
    if "release" in document:
        write_lines(f"{question} of release {document['release']}", document["about"], "")
        low = [(a["states"], a["probability"], a["low"], a["high"]) for a in document["answers"]]
        write_table(("states", "released", "5 %", "95 %"), [[_named(s), *r] for s, *r in low])
        return
    about = f"{question} with {document['method']} at ε = {document['epsilon']:g}"
    write_lines(about, STUDY, "")
    write_table(
        ("states", "truth", "mean", "5 %", "95 %"),
        [
            [_named(t["states"]), t["probability"], p["mean"], p["q05"], p["q95"]]
            for t, p in zip(document["truth"], document["private"], strict=True)
        ],
    )


def _named(states: dict[str, str]) -> str:
    return ", ".join(f"{k}={v}" for k, v in states.items())
