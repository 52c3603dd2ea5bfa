"""The verb ``groups``: who bears the error of a release, and which sample of records errs alike."""

from __future__ import annotations

import argparse

from commands.arguments import asked_from, method_argument, study_arguments
from commands.output import STUDY, Document, write_lines, write_table
from core.study.bands import QUANTILES
from core.study.metrics import Truth
from core.study.quantities import QUANTITIES, share
from core.study.subgroups import Subgroup, by_size, by_state
from core.study.subsample import COMPARED, sample_equivalents, sampling_curves


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and whose state tells people apart."""
    study_arguments(parser)
    method_argument(parser)
    parser.add_argument(
        "--by", default="", metavar="X", help="people by the state of X (default: rows by size)"
    )


def run(arguments: argparse.Namespace) -> Document:
    """Error and signed bias of each group, and the sample that errs as the release does."""
    scenario, study = asked_from(arguments)
    truth = Truth.of(study.network, study.counts, scenario.options)
    asked = (arguments.method, truth, study.counts, scenario)
    groups = by_state(arguments.by, *asked) if arguments.by else by_size(*asked)
    return {
        "method": arguments.method,
        "epsilon": scenario.epsilon,
        "by": arguments.by,
        "groups": [_document(group) for group in groups],
        "samples": sample_equivalents(*asked, sampling_curves(truth, COMPARED)),
        "quantile_levels": QUANTILES,
    }


def _document(group: Subgroup) -> Document:
    return {
        "group": group.name,
        "members": group.members,
        "share": group.share,
        "error": group.error.tolist(),
        "bias": group.bias.tolist(),
    }


def show(document: Document) -> None:
    """As a table and a sentence for each kind of error."""
    write_lines(STUDY, "")
    write_table(
        ("group", "members", "share of records", "error (median)", "97.5 %", "bias (median)"),
        [
            [g["group"], g["members"], g["share"], g["error"][3], g["error"][-1], g["bias"][3]]
            for g in document["groups"]
        ],
    )
    write_lines(
        "",
        *(
            f"{QUANTITIES[metric].name.capitalize()}: as accurate as a random "
            f"{share(sample)} sample of the records."
            for metric, sample in document["samples"].items()
            if sample is not None
        ),
    )
