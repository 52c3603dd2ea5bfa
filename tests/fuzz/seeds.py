"""Small inputs that every door takes; what is damaged begins here."""

import contextlib
import functools
import io
import json
import sqlite3
import tempfile
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet

from sources.bif import write_bif
from sources.json_network import network_document
from sources.networks import sample

XDSL = b"""<?xml version="1.0"?><smile version="1.0" id="rain"><nodes>
<cpt id="a"><state id="no"/><state id="yes"/><probabilities>0.6 0.4</probabilities></cpt>
<cpt id="b"><state id="no"/><state id="yes"/><parents>a</parents>
<probabilities>0.9 0.1 0.2 0.8</probabilities></cpt></nodes></smile>"""
XMLBIF = b"""<?xml version="1.0"?><!DOCTYPE BIF [<!ELEMENT BIF (NETWORK)*>]><BIF VERSION="0.3">
<NETWORK><NAME>rain</NAME><VARIABLE TYPE="nature"><NAME>a</NAME><OUTCOME>no</OUTCOME>
<OUTCOME>yes</OUTCOME></VARIABLE><VARIABLE TYPE="nature"><NAME>b</NAME><OUTCOME>x</OUTCOME>
<OUTCOME>y</OUTCOME></VARIABLE><DEFINITION><FOR>a</FOR><TABLE>0.6 0.4</TABLE></DEFINITION>
<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>0.9 0.1 <!-- a --> 0.2 0.8</TABLE></DEFINITION>
</NETWORK></BIF>"""
NET = b"""net { name = "rain"; } % a comment
node a { states = ("no" "yes"); label = "A"; position = (1 2); }
node b { states = ("x" "y"); }
potential (a) { data = (0.6 0.4); }
potential (b | a) { data = ((0.9 0.1)(0.2 0.8)); }
"""
UAI = b"BAYES\n2\n2 2\n2\n1 0\n2 0 1\n2\n0.6 0.4\n4\n0.9 0.1\n0.2 0.8\n"
GRAPHML = b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="node" attr.name="label"
attr.type="string"/><graph edgedefault="directed"><node id="n0"><data key="d0">a</data></node>
<node id="n1"><data key="d0">b</data></node><edge source="n0" target="n1"/></graph></graphml>"""
GML = b"""graph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "b" ]
edge [ source 0 target 1 ] ]"""
CSV = b'age,sex,"day of visit",note\n31,f,2020-01-02,"a, b"\n64,m,2021-05-06,\n,f,2019-12-31,x\n'
OTHER = b"age;dose\n31;1.234,5\n64;0,25\nNA;-\n"
MARKED = "age,city,note\n" + "".join(f"{30 + i},zq{i},zq{i + 50}\n" for i in range(40))
"""Every cell holds what no other does."""
CODEBOOK = b"column,value,label\nsex,1,male\nsex,2,female\nwork,a,a\n"
SCHEMA = {
    "columns": [
        {"name": "sex", "states": ["m", "f"], "values": {"1": "m", "2": "f"}, "source": "form"},
        {"name": "age", "bins": [0, 18, 65, 120], "missing": "state", "outside": "state"},
        {"name": "dose", "bins": [0, 10, 100], "labels": ["low", "high"], "seen": True},
        {"name": "visit", "date": "%Y-%m-%d", "bins": ["2019-01-01", "2020-01-01"]},
    ],
    "left_out": ["patient"],
    "file": {"delimiter": ";", "decimal": ",", "missing": ["NA"]},
}
ROWS = b"sex;age;dose;visit;patient\n1;20;5,5;2019-05-06;a\n2;NA;0;2019-01-01;b\n"
TAXONOMY = {"work": {"government": ["federal", "state"], "other": {"own": ["x"], "no": "y"}}}
STATEMENTS = {"curator": "the office", "use": "teaching", "contact": "a@b.example"}
KNOWN = {
    "known": [
        {"name": "either", "parents": ["tub", "lung"], "conditional": [[1, 0]] * 3 + [[0, 1]]}
    ],
    "impossible": [{"tub": "yes", "either": "no"}],
}


def plain(*documents):
    """JSON documents as files."""
    return tuple(json.dumps(one).encode() for one in documents)


def bif():
    asia = sample("asia")
    quoted = b'network "x y" { property a b; }\nvariable "a b" { type discrete [ 2 ] { "n o", y };'
    return write_bif(asia.network, asia.model).encode(), quoted + b"}\nprobability ( \"a b\" ) { "\
        b"table 0.5, 0.5; }\n"  # fmt: skip


def networks():
    asia, edges = sample("asia"), {"variables": [{"name": "a"}, {"name": "b", "parents": ["a"]}]}
    return plain(network_document(asia.network, asia.model, name="asia"), edges)


def parquet(columns):
    buffer = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def odd_columns():
    """Columns of every kind that a table may have."""
    broken = pa.Array.from_buffers(
        pa.string(),
        2,
        [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"\xff\xfea")],
    )
    kinds = {
        "text": ["a", "b"], "number": [1.5, float("nan")], "whole": [2**62, None],
        "flag": [True, False], "nested": [[1], [2, 3]], "map": [{"a": 1}, {"a": 2}],
        "bytes": [b"\xff", b"a"], "none": [None, None],
    }  # fmt: skip
    made = {name: pa.array(values) for name, values in kinds.items()}
    made["when"] = pa.array([0, 2**62], pa.timestamp("us"))
    made["day"] = pa.array([0, 2**30], pa.date32())
    made["exact"] = pa.array([1, 2]).cast(pa.decimal128(30, 2))
    made["coded"] = pa.array(["x", "y"]).dictionary_encode()
    return {**made, "broken": broken}


def parquets():
    plain_one = parquet({"sex": ["f", "m", None], "age": [31, 64, 20]})
    marked = parquet({"city": [f"zq{i}" for i in range(40)], "age": list(range(40))})
    return (
        plain_one,
        marked,
        *(parquet({"sex": ["f", "m"], n: c}) for n, c in odd_columns().items()),
    )


def workbook():
    book = openpyxl.Workbook()
    for row in (["age", "sex", "day"], [31, "f", "2020-01-02"], [64.5, "m", None], ["=1+1", "", 3]):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    for number in range(40):
        book.active.append([number, f"zq{number}", "2020-01-02"])
    marked = io.BytesIO()
    book.save(marked)
    return buffer.getvalue(), marked.getvalue()


def scenario():
    from core.inference.evidence import Query
    from core.options import Options
    from core.scenario import Scenario
    from sources.scenario_file import SavedScenario, network_digest, write_scenario

    network = sample("asia").network
    parents = tuple(zip(network.names, network.parents, strict=True))
    options = Options(0.5, (("tub", 0.1),), (("lung", 2.0),), 1e-6)
    return (
        write_scenario(SavedScenario("asia", network_digest(network), Scenario(epsilon=1.0))),
        write_scenario(
            SavedScenario(
                None, network_digest(network), Scenario(epsilon=0.5, options=options), 500, 1,
                parents, "uniform", Query(("lung",), {"smoke": "yes"}), True,
            )
        ),
    )  # fmt: skip


def work():
    from pages.ui.data.upload import Upload
    from pages.ui.data.work_file import Saved, write_work

    upload = Upload("asia", ("a.csv", CSV), ("g.json", networks()[1]), None, "drop", 100, "id", 2)
    said = {"scenario": {"eps": "1"}, "stated": {"a": True, "b": 0.5}, "signed": "x"}
    return (
        write_work(Saved(upload=upload, reasons=(("a", "b", "1", "c"),), looks=("d",), **said)),
    )


@functools.cache
def released():
    """A real release of generated records: its ledger, and its files by name."""
    from cli import main

    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        place = Path(folder)
        line = (
            "release --network figure-one --records 2000 --method uniform --epsilon 1 --json "
            f"--unit person --public-records 2000 --ledger {place / 'ledger.db'} --budget 3 "
            f"--out {place / 'out'} --override trying --signed nobody"
        )
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main(line.split()) == 0
        with sqlite3.connect(place / "ledger.db") as book:
            book.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        book.close()
        (own,) = [one for one in (place / "out").iterdir() if one.is_dir()]
        return (place / "ledger.db").read_bytes(), {f.name: f.read_bytes() for f in own.iterdir()}


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


ADDRESSES = (
    b"eps=1&records=500&replicates=10&seed=3&network=asia&neighbours=replaced",
    b"beta=0.5&gamma=0.1&method=uniform&plan=equipoise&node=lung&showing=budget",
    b"edges=1-0.2_3-&locks=1-0.3&weights=2-4_3-1&prior=0.5&limits=0.1_0.2_0.3&ask=1.2-0.1",
    b"evidence=0.1-2.0&look=graph.1_error.1&lesson=2&step=3&class=abcd&with=asia_100_1_2&present=1",
)
ANSWERS = (
    {"knob": "epsilon", "value": 0.5}, {"op": "add", "parent": "asia", "child": "lung"},
    {"op": "restore"}, {"node": "lung", "state": "yes"}, {"node": "", "state": ""}, "lung", 0.5,
)  # fmt: skip
LINES = (
    "networks", "methods", "glossary epsilon", "describe --network asia",
    "allocate --network asia --method uniform --epsilon 1 --records 200 --replicates 5",
    "query --network asia --target lung --given smoke=yes --records 200 --replicates 5",
    "sweep --network figure-one --methods uniform --epsilons 0.3,1 --records 100 --replicates 3",
    "schema --data t.csv --limits age=0:120:12 --missing state --out s.json",
    "schema --schema s0.json --confirm sex=form --out s2.json",
    "risk --network figure-one --records 200 --alpha 0.01", "lesson", "lesson 1 --step 1",
    "ledger --ledger ledger.db --receipt 1:" + "a" * 64, "reproduce",
    "allocate --dag g.json --data t.csv --schema s0.json --missing drop --unit-column note "
    "--per-unit 2 --method uniform --epsilon 1 --replicates 3 --delta 1e-6 --prior 0.5",
    "synthesise --data t.csv --schema s0.json --epsilon 1 --taxonomy x.json --seed 3",
    "verify out --ledger ledger.db --rebuild",
)  # fmt: skip
