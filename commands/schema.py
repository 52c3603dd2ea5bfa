"""The verb ``schema``: what the columns of a file are, written down as a schema."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from commands.output import Document, picked, write_file, write_lines, write_table
from commands.values import check_idle, names, options
from core.errors import EquipoiseError
from sources.codebook import read_codebook
from sources.cuts import date_words, day_text
from sources.numerals import GROUPS
from sources.opening import how_written, open_table
from sources.places import place_of, table_file
from sources.proposals import KINDS, ColumnProposal, StatedColumn, proposed, proposed_schema
from sources.schema import (
    MISSING_CHOICES,
    Schema,
    SchemaColumn,
    confirmed,
    read_schema,
    schema_bytes,
)
from sources.text import read_bytes

EVERY = "all"
"""Stands for every column."""

STATED = ("leave_out", "kind", "states", "limits", "edges", "date", "missing", "outside")
WRITTEN = ("codebook", "encoding", "delimiter", "decimal", "thousands", "header", "names", "na",
           "sheet")  # fmt: skip
"""What is said of a table's columns, and of how it is written: nothing, unless it is given."""


def pair(text: str) -> tuple[str, str]:
    """``COLUMN=VALUE``; a value alone is for every column."""
    name, sign, value = text.partition("=")
    return (name.strip(), value) if sign else (EVERY, text)


def add(parser: argparse.ArgumentParser) -> None:
    """Which file, what is stated of it, where the schema goes."""
    options(
        parser,
        ("--data", place_of, None, "FILE", "CSV, Parquet or Excel"),
        ("--schema", Path, None, "FILE", "instead: a schema to be confirmed"),
        ("--codebook", Path, None, "FILE", "CSV with column, value, label"),
        ("--out", Path, None, "FILE", "write the schema"),
        ("--private", bool, False, None, "look at no record: only header, types, statements"),
        ("--leave-out", names, [], "A,B", "columns that are not used"),
        ("--kind", [pair], [], "COLUMN=KIND", f"one of {', '.join(KINDS)}"),
        ("--states", [pair], [], "COLUMN=A,B", "its states, in order"),
        ("--limits", [pair], [], "COLUMN=LOW:HIGH[:CUT]", "cut into that many equal widths, or by "
         "decade, year, quarter or month"),
        ("--edges", [pair], [], "COLUMN=A,B,C", "bin edges: numbers or days"),
        ("--date", [pair], [], "COLUMN=FORMAT",
         "how its dates are written, such as dd.mm.yyyy"),
        ("--missing", [pair], [], "[COLUMN=]POLICY", f"one of {', '.join(MISSING_CHOICES)}"),
        ("--outside", [pair], [], "[COLUMN=]POLICY",
         "values that are no state: refuse, or state for their own"),
        ("--confirm", [pair], [], "COLUMNS=SOURCE", "what is seen in the records is public "
         f"knowledge, known from SOURCE; {EVERY} for every column"),
    )  # fmt: skip
    options(
        parser.add_argument_group("how the file is written (default: guessed)"),
        ("--encoding", str, None, "NAME", None),
        ("--delimiter", str, None, "SIGN", None),
        ("--decimal", (".", ","), None, None, None),
        ("--thousands", tuple(GROUPS), None, None, "what stands between thousands"),
        ("--header", ("yes", "no"), None, None, None),
        ("--names", names, None, "A,B", "names of the columns"),
        ("--na", lambda text: text.split(","), None, "A,B", "spellings of nothing"),
        ("--sheet", str, None, "NAME", None),
    )


def run(arguments: argparse.Namespace) -> Document:
    """The columns, the schema where it can be written, and what is still asked."""
    if (arguments.data is None) == (arguments.schema is None):
        raise EquipoiseError("give exactly one of --data FILE and --schema FILE")
    if arguments.schema is not None:
        why = "is about --data, and --schema takes --confirm alone: state it with --data"
        check_idle(
            arguments, why, **{n: [] for n in STATED}, **dict.fromkeys(WRITTEN), private=False
        )
        schema = read_schema(arguments.schema.name, read_bytes(arguments.schema))
        return _written(arguments, _confirm(schema, arguments.confirm), [], ())
    stream = open_table(*table_file(arguments.data), stated=_dialect(arguments))
    book = arguments.codebook and read_codebook(arguments.codebook.name, arguments.codebook)
    stated = _stated(arguments, tuple(filter(None, stream.header)))
    columns = proposed(stream, stated, book=book, private=arguments.private)
    questions = [column.question for column in columns if column.question]
    if arguments.out and (questions or all(column.column is None for column in columns)):
        raise EquipoiseError((*questions, "every column is left out; use at least one")[0])
    name = arguments.out.name if arguments.out else "schema"
    answered = [column for column in columns if not column.question]
    schema = proposed_schema(name, answered, stream.dialect)
    document = _written(arguments, _confirm(schema, arguments.confirm), questions, columns)
    return {**document, "read": list(how_written(arguments.data.name, stream.dialect))}


def _dialect(arguments: argparse.Namespace) -> dict[str, Any]:
    said = {
        "encoding": arguments.encoding,
        "delimiter": {"\\t": "\t", "tab": "\t"}.get(arguments.delimiter, arguments.delimiter),
        "decimal": arguments.decimal,
        "thousands": arguments.thousands,
        "header": arguments.header and arguments.header == "yes",
        "names": arguments.names and tuple(arguments.names),
        "missing": arguments.na and tuple(arguments.na),
        "sheet": arguments.sheet,
    }
    return {key: value for key, value in said.items() if value is not None}


def _stated(arguments: argparse.Namespace, header: tuple[str, ...]) -> dict[str, StatedColumn]:
    stated: dict[str, StatedColumn] = {}

    def state(items: Iterable[tuple[str, str]], change: Callable[[str], dict[str, Any]]) -> None:
        for name, value in items:
            for column in header if name == EVERY else (name,):
                stated[column] = replace(stated.get(column, StatedColumn()), **change(value))

    state(arguments.missing, lambda value: {"missing": _one(value, MISSING_CHOICES)})
    state(arguments.outside, lambda value: {"outside": _one(value, ("refuse", "state"))})
    state(arguments.kind, lambda value: {"kind": _one(value, KINDS)})
    state(arguments.states, lambda value: {"states": tuple(names(value))})
    state(arguments.edges, lambda value: {"edges": tuple(names(value))})
    state(arguments.date, lambda value: {"date": value})
    state(arguments.limits, _limits)
    state([(name, "identifier") for name in arguments.leave_out], lambda value: {"kind": value})
    return stated


def _one(value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise EquipoiseError(f"{value!r} is not known; choose {', '.join(choices)}")
    return value


def _limits(value: str) -> dict[str, Any]:
    low, sign, rest = value.partition(":")
    if not sign:
        raise EquipoiseError(f"{value!r} are no limits; write COLUMN=LOW:HIGH")
    high, _, cut = rest.partition(":")
    return {"limits": (low, high), "cut": cut}


def _confirm(schema: Schema, items: list[tuple[str, str]]) -> Schema:
    for columns, source in items:
        seen = [c.variable.name for c in schema.columns if c.seen]
        schema = confirmed(schema, seen if columns == EVERY else names(columns), source)
    return schema


def _written(
    arguments: argparse.Namespace,
    schema: Schema,
    questions: list[str],
    proposals: tuple[ColumnProposal, ...],
) -> Document:
    if arguments.out:
        write_file(arguments.out, schema_bytes(schema))
    kinds = {proposal.name: proposal.kind for proposal in proposals}
    return {
        "columns": [_column(column, kinds) for column in schema.columns],
        "left_out": schema.left_out,
        "why": {p.name: p.why for p in proposals if p.why},
        "file": schema.file,
        "questions": questions,
        "out": str(arguments.out) if arguments.out else None,
    }


def _column(column: SchemaColumn, kinds: dict[str, Any]) -> Document:
    edges = [day_text(e) for e in column.edges] if column.date else list(column.edges)
    plain = "dates" if column.date else "numbers" if column.edges else "states"
    return {
        "name": column.variable.name,
        "kind": kinds.get(column.variable.name, plain),
        "states": list(column.variable.states),
        "edges": edges,
        "date": date_words(column.date) if column.date else None,
        "missing": column.missing or None,
        **picked(column, "outside", "seen"),
        "source": column.source or None,
        "public": column.public,
    }


def show(document: Document) -> None:
    """As a table, and what is still asked."""
    write_table(
        ("column", "kind", "states", "missing", "known from"),
        [
            [c["name"], c["kind"] + (f" ({c['date']})" if c["date"] else ""), len(c["states"]),
             c["missing"],
             c["source"] or ("seen in the records: not private" if c["seen"] else "the schema")]
            for c in document["columns"]
        ],
    )  # fmt: skip
    why, read = document["why"], document.get("read")
    left_out = [name + (f" ({why[name]})" if name in why else "") for name in document["left_out"]]
    write_lines(
        "",
        *([f"read: {', '.join(read)}"] if read else []),
        *([f"left out: {', '.join(left_out)}"] if left_out else []),
        *(f"open: {question}" for question in document["questions"]),
        f"written: {document['out']}" if document["out"] else "not written: give --out FILE",
    )
