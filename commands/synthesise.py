"""Verb synthesise: a private structure, private tables, synthetic records."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from commands.arguments import number, study_from
from commands.output import Document, progress_bar, say, write_lines, write_table
from core.errors import EquipoiseError
from core.experiments import interval
from core.privacy import Neighbours
from core.privbayes.distances import distances, marginals_of
from core.privbayes.encoding import ENCODINGS, Encoding
from core.privbayes.scores import Score
from core.privbayes.settings import PLUS, RECIPES, Settings
from core.privbayes.synthesis import Synthesis, synthesise
from core.scenario import REPLICATE_LIMIT, check_count
from sources.records import Records, read_records, read_taxonomies, study_records
from sources.records_file import records_csv
from sources.text import read_bytes

WAYS = (2, 3)


def synthesis_arguments() -> argparse.ArgumentParser:
    """The knobs of a synthesis."""
    parser = argparse.ArgumentParser(add_help=False)
    group = parser.add_argument_group("synthesis")
    group.add_argument("--method", default=PLUS.name, choices=RECIPES)
    group.add_argument("--epsilon", type=number, default=1.0, metavar="E", help="(default: 1)")
    group.add_argument(
        "--split",
        type=number,
        default=None,
        metavar="B",
        help="β, the share of ε for the structure (default: 0.3, or 0.2 with privbayes-plus)",
    )
    group.add_argument(
        "--theta",
        type=number,
        default=4.0,
        metavar="T",
        help="θ, information over noise that a table must reach (default: 4)",
    )
    group.add_argument("--encoding", default="vanilla", choices=ENCODINGS)
    group.add_argument(
        "--score", default="R", choices=[s.value for s in Score], help="(default: R)"
    )
    group.add_argument(
        "--parents",
        type=int,
        default=None,
        metavar="K",
        help="most parents (default: as θ allows; 2 with privbayes-plus)",
    )
    group.add_argument(
        "--taxonomy", type=Path, metavar="FILE", help="JSON: groups of states of each column"
    )
    group.add_argument(
        "--neighbours",
        choices=[n.value for n in Neighbours],
        default=Neighbours.ADD_REMOVE.value,
        help="(default: add-remove)",
    )
    group.add_argument(
        "--replicates", type=int, default=1, metavar="R", help="runs to average (default: 1)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument("--out", type=Path, metavar="FILE", help="CSV for the first run's records")
    return parser


def run_synthesis(arguments: argparse.Namespace) -> Document:
    """The structure, what was spent and how far the marginals are off."""
    check_count("the number of replicates", arguments.replicates, REPLICATE_LIMIT)
    settings = settings_from(arguments)
    records = records_from(arguments)
    taxonomies = {}
    if arguments.taxonomy is not None:
        taxonomies = read_taxonomies(arguments.taxonomy.name, read_bytes(arguments.taxonomy))
    encoding = records.encoded(arguments.encoding, taxonomies)
    encoded = encoding.encode(records.rows)
    found, first, drawn = {ways: [] for ways in WAYS}, None, None
    for run in range(arguments.replicates):
        rng = np.random.default_rng([arguments.seed, run])
        made = synthesise(encoded, encoding, settings, rng=rng, progress=progress_bar)
        rows = made.draw(rng=rng)
        if first is None:
            first, drawn = made, rows
        for ways in WAYS:
            marginals = marginals_of(records.rows.dataset.variables, ways)
            if marginals:
                found[ways].append(distances(records.rows, rows, marginals).mean())
    if arguments.out is not None:
        write_file(arguments.out, records_csv(drawn))
    return document(first, encoding, {w: np.array(v) for w, v in found.items() if v})


def settings_from(arguments: argparse.Namespace) -> Settings:
    """The knobs, checked."""
    return Settings(
        epsilon=arguments.epsilon,
        split=arguments.split,
        theta=arguments.theta,
        score=Score(arguments.score),
        neighbours=Neighbours(arguments.neighbours),
        degree=arguments.parents,
        recipe=RECIPES[arguments.method],
    )


def records_from(arguments: argparse.Namespace) -> Records:
    """A table, or records sampled from a network whose graph is then not looked at."""
    if arguments.data is not None and arguments.network is None and arguments.dag is None:
        schema = arguments.schema
        records = read_records(
            (arguments.data.name, read_bytes(arguments.data)),
            None if schema is None else (schema.name, read_bytes(schema)),
            missing=arguments.missing,
            explore=True,
        )
        for note in records.notes:
            say(f"note: {note}")
        return records
    if arguments.network is None and arguments.dag is None:
        raise EquipoiseError("give --data FILE, or --network NAME to sample records from it")
    return study_records(study_from(arguments))


def write_file(path: Path, content: bytes) -> None:
    """Write, or say in one sentence why it cannot be written."""
    try:
        path.write_bytes(content)
    except OSError as problem:
        reason = (problem.strerror or type(problem).__name__).lower()
        raise EquipoiseError(f"{path} cannot be written ({reason}); choose another") from None


def document(
    made: Synthesis, encoding: Encoding, found: Mapping[int, np.ndarray]
) -> Document:
    """What the JSON holds."""
    attributes, settings = made.structure.attributes, made.settings
    spans = {str(ways): interval(values) for ways, values in found.items()}
    return {
        "method": settings.recipe.name,
        "epsilon": settings.epsilon,
        "split": settings.beta,
        "theta": settings.theta,
        "encoding": encoding.name,
        "neighbours": settings.neighbours.value,
        "score": settings.score.value,
        "network": [
            {
                "name": attributes[pair.child].variable.name,
                "parents": [attributes[a].levels[v].name for a, v in pair.parents],
                "score": pair.score,
                "sensitivity": pair.sensitivity,
                "probability": pair.probability,
                "candidates": pair.candidates,
            }
            for pair in made.structure.pairs
        ],
        "spent": {
            "records": made.spending.records,
            "structure": made.spending.structure,
            "conditionals": made.spending.tables,
            "total": made.spending.total,
        },
        "records": made.records,
        "tvd": {ways: span.mean for ways, span in spans.items()},
        "intervals": {ways: vars(span) for ways, span in spans.items()},
    }


def show_synthesis(document: Document) -> None:
    """As a table."""
    write_table(
        ("variable", "parents", "score", "probability"),
        [
            [row["name"], ", ".join(row["parents"]), row["score"], row["probability"]]
            for row in document["network"]
        ],
    )
    spent = document["spent"]
    write_lines(
        "",
        f"spent: structure {spent['structure']:.4g}, tables {spent['conditionals']:.4g}, "
        f"total {spent['total']:.4g}; {document['records']:,} synthetic records",
        "mean distance of marginals: "
        + ", ".join(f"{value:.4f} ({ways}-way)" for ways, value in document["tvd"].items()),
        "study: distances, scores and probabilities come from the private records.",
    )
