"""The verb ``groups``: who bears the error of a release, and which sample of records errs alike."""

import argparse

from commands.arguments import asked_from, method, study_arguments
from commands.output import STUDY, Document, picked, write_lines, write_table
from commands.values import options
from core.study.bands import QUANTILES
from core.study.metrics import Truth
from core.study.quantities import QUANTITIES, share
from core.study.subgroups import by_size, by_state
from core.study.subsample import COMPARED, as_a_sample, sample_equivalents, sampling_curves


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and whose state tells people apart."""
    study_arguments(parser)
    told = "people by the state of X (default: rows by size)"
    options(parser, method(), ("--by", str, "", "X", told))


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
        "groups": [
            {"group": g.name, **picked(g, "members", "share"), "error": g.error.tolist(),
             "bias": g.bias.tolist()}
            for g in groups
        ],
        "samples": sample_equivalents(*asked, sampling_curves(truth, COMPARED)),
        "quantile_levels": QUANTILES,
    }  # fmt: skip


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
            f"{QUANTITIES[metric].name.capitalize()}: {as_a_sample(sample, share(sample))}."
            for metric, sample in document["samples"].items()
            if sample is not None
        ),
    )
