"""The doors: one line for each way that something foreign comes in."""

import argparse
import contextlib
import functools
import io
import json
import os
from pathlib import Path
from urllib.parse import parse_qsl

from core.errors import EquipoiseError
from pages.ui.kit.link_reading import read_query
from tests.fuzz import mutators as by
from tests.fuzz import seeds
from tests.fuzz.formats import damaged_ledger, damaged_parquet, folder
from tests.fuzz.harness import Door


def network(ending):
    from sources.networks import read_network

    return lambda data: read_network(f"file.{ending}", data)


def table(ending):
    """Opened, looked at, given a schema and coded: what Data does with an upload."""
    from sources.opening import open_table
    from sources.proposals import proposed, proposed_schema
    from sources.records import read_records
    from sources.schema import read_schema, schema_bytes
    from sources.tables import read_table

    def enter(data):
        name = f"file.{ending}"
        stream = open_table(name, data)
        schema = schema_bytes(proposed_schema("schema", proposed(stream, {}), stream.dialect))
        declared = read_schema("schema", schema)
        read_table(name, data, declared.variables, schema=declared, missing="state")
        read_records((name, data), None, missing="drop", explore=True)

    return enter


def taxonomy(data):
    from core.privbayes.encoding import encoding
    from core.table import Variable
    from sources.records import read_taxonomies

    given = read_taxonomies("file.json", data)
    for name, states in given.items():
        with contextlib.suppress(EquipoiseError):
            encoding("hierarchical", (Variable(name, tuple(states)),), taxonomies=given)


def schema(data):
    from sources.schema import read_schema, schema_bytes
    from sources.tables import read_table

    declared = read_schema("file.json", data)
    again = read_schema("file.json", schema_bytes(declared))
    assert again.variables == declared.variables
    read_table("t.csv", seeds.ROWS, declared.variables, schema=declared, missing="state")


def codebook(data):
    from sources.codebook import read_codebook

    book = read_codebook("file.csv", data)
    for name in book.columns:
        book.column(name)


def scenario(data):
    from sources.networks import sample
    from sources.scenario_file import check_question, read_scenario

    saved = read_scenario("file.json", data)
    graph = saved.graph(sample("asia").network)
    if saved.question is not None:
        check_question(saved.question, graph)


def work(data):
    from pages.ui.data.work_file import read_work
    from pages.ui.kit.links import checked

    checked(read_work("file.zip", data).scenario)


def statements(data):
    from release.review.declared import declared
    from sources.text import read_json

    declared(read_json("file.json", data))


def known(data):
    from sources.known import read_known
    from sources.networks import sample

    read_known("file.json", data, sample("asia").network)


def model(data):
    from core.errors import EquipoiseError
    from release.files import MODEL, read_published
    from sources.networks import read_network

    with contextlib.suppress(EquipoiseError):
        read_network(MODEL, data)
    with folder() as place:
        (place / MODEL).write_bytes(data)
        read_published(place, ())


def measurements(data):
    from release.measurements import rebuilt

    rebuilt(data)


def dossier(data):
    """A folder of a release with another dossier: whatever is wrong is said in sentences."""
    from release.dossier.verified import problems

    with folder() as place:
        for name, held in {**seeds.released()[1], "dossier.json": data}.items():
            (place / name).write_bytes(held)
        for said in problems(place):
            raise EquipoiseError(said)


def ledger(data):
    from commands.ledger import run

    with folder() as place:
        path = place / "ledger.db"
        path.write_bytes(data)
        try:
            run(argparse.Namespace(ledger=path, receipt=[], out=[], check=False))
        except EquipoiseError as said:  # the folder's name is not the file's content
            raise EquipoiseError(str(said).replace(str(place), "")) from None


def address(data):
    """Everything that reads a parameter of an address."""
    from pages.ui.kit import links, state
    from pages.ui.kit.link_reading import READERS, On
    from pages.ui.lessons import lesson_place

    asked = dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True))
    on, refused = On("asia", sample_network()), ""
    for name, (_, bounds) in links.NUMBERS.items():
        with contextlib.suppress(ValueError):  # Streamlit itself leaves those out
            number_field(*bounds).deserialize(float(asked.get(name, bounds[0])))
    for key, value in asked.items():
        links._code(key, value)
        if key in READERS and key != "ask":  # which puts what it reads into widgets
            try:
                READERS[key](value, state.Session(), on)
            except EquipoiseError as problem:
                refused = str(problem)
    try:
        read_query(asked.get("ask", "1"), sample_network())
        lesson_place._followed(asked)
        links.checked(asked)
    except EquipoiseError as problem:
        refused = str(problem)
    if refused:
        raise EquipoiseError(refused)


def answer(data):
    """Every reader of what a component sends."""
    from pages.ui.kit import acting, dragging
    from sources.networks import sample

    try:
        sent = json.loads(data)
    except (ValueError, RecursionError):
        return
    graph = sample_network()
    names = set(graph.names)
    states = {v.name: v.states for v in sample("asia").network.variables}
    for one in dragging.KNOBS.values():
        one.read(sent)
    dragging.read_knob(sent)
    acting.one_of(sent, names)
    acting.read_observation(sent, states)
    edit = acting.read_edit(sent, names)
    if edit is not None and edit.operation != "restore":
        acting.changed(graph, edit)


def number_field(low, high):
    from streamlit.elements.widgets.number_input import NumberInputProto, NumberInputSerde

    kind = NumberInputProto.INT if isinstance(low, int) else NumberInputProto.FLOAT
    return NumberInputSerde(low, kind, low, high)


@functools.cache
def sample_network():
    from sources.networks import sample

    return sample("asia").network


def shell(data):
    """One line of the shell, in a folder of its own."""
    from cli import main

    given = data.decode("utf-8", "replace").split("\n")
    out, said = io.StringIO(), io.StringIO()
    before = Path.cwd()
    with folder() as place:
        (place / "t.csv").write_bytes(seeds.CSV)
        (place / "g.json").write_bytes(b'{"variables": [{"name": "sex"}, {"name": "age"}]}')
        (place / "s0.json").write_bytes(seeds.plain(seeds.SCHEMA)[0])
        (place / "ledger.db").write_bytes(seeds.released()[0])
        os.chdir(place)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
                code = main(given)
        except SystemExit as end:
            code = end.code
        finally:
            os.chdir(before)
    if code not in (0, None):
        notes = [line for line in said.getvalue().splitlines() if not line.startswith("note")]
        raise EquipoiseError("\n".join(notes)) if code in (2, 3) else RuntimeError(f"exit {code}")


def doors():
    """Every door by name."""
    s = seeds
    table_of = (
        ("bif", s.bif(), by.text, network("bif")),
        ("xmlbif", (s.XMLBIF,), by.text, network("xml")),
        ("net", (s.NET,), by.text, network("net")),
        ("xdsl", (s.XDSL,), by.text, network("xdsl")),
        ("uai", (s.UAI,), by.text, network("uai")),
        ("graphml", (s.GRAPHML,), by.text, network("graphml")),
        ("gml", (s.GML,), by.text, network("gml")),
        ("adjlist", (b"a b c\nb c\n# note\n",), by.text, network("adjlist")),
        ("edges", (b"parent,child\na,b\nb,c\n",), by.text, network("csv")),
        ("json", s.networks(), by.tree, network("json")),
        ("csv", (s.CSV, s.OTHER, s.MARKED.encode()), by.text, table("csv")),
        ("parquet", s.parquets(), damaged_parquet, table("parquet")),
        ("excel", s.workbook(), by.archive, table("xlsx")),
        ("schema", s.plain(s.SCHEMA), by.tree, schema),
        ("codebook", (s.CODEBOOK,), by.text, codebook),
        ("scenario", s.scenario(), by.tree, scenario),
        ("work", s.work(), by.archive, work),
        ("statements", s.plain(s.STATEMENTS), by.tree, statements),
        ("known", s.plain(s.KNOWN), by.tree, known),
        ("taxonomy", s.plain(s.TAXONOMY), by.tree, taxonomy),
        ("ledger", (s.released()[0],), damaged_ledger, ledger),
        ("model", (s.released()[1]["model.json"],), by.tree, model),
        ("measurements", (s.released()[1]["measurements.json"],), by.tree, measurements),
        ("dossier", (s.released()[1]["dossier.json"],), by.tree, dossier),
        ("address", s.ADDRESSES, by.text, address),
        ("answer", s.plain(*s.ANSWERS), by.tree, answer),
        ("shell", tuple("\n".join(x.split()).encode() for x in s.LINES), by.line, shell),
    )
    return {name: Door(name, *rest) for name, *rest in table_of}
