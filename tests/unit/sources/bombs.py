"""Files that want all the time and memory there is; run in a process of its own, with limits.

Prints one line of JSON for each: its name, the processor's seconds until it was refused, and the
sentence.
"""

import io
import json
import resource
import sys
import time
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from core.errors import EquipoiseError
from core.table import Variable
from sources import parquet_rows
from sources.codebook import read_codebook
from sources.schema import read_schema
from sources.tables import infer_domain, read_table

DOMAIN = (Variable("a", ("yes", "no")),)
MEMORY = 2**30
"""Bytes that a refusal may take on top of what the libraries have taken."""


def parquet(table, **options):
    file = io.BytesIO()
    pa.parquet.write_table(table, file, **options)
    return file.getvalue()


def repeated_text():
    """One text of a megabyte in each of 5,000 rows: 5 GB in a few hundred bytes."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 5000), pa.array(["x" * 2**20]))
    data = parquet(pa.table({"a": texts}), compression="zstd")
    assert len(data) < 2000, len(data)
    return partial(read_table, "t.parquet", data, DOMAIN)


def repeated_text_seen():
    """The same, looked at for its states."""
    return partial(infer_domain, *repeated_text().args[:2])


def quoted_lines():
    """A quoted value of a hundred megabytes that has many lines."""
    return partial(
        infer_domain, "t.csv", b'a,b\nyes,1\nyes,"' + (b"x" * 99 + b"\n") * 10**6 + b'"\n'
    )


def many_rows():
    """A number in each of twenty million rows."""
    data = parquet(pa.table({"a": pa.array(bytes(20_000_000), pa.int8())}), compression="zstd")
    return partial(read_table, "t.parquet", data, DOMAIN)


def unpacked():
    """A column that unpacks to more than the limit, lowered so that the test is quick."""
    parquet_rows.UNPACKED = 2**20
    texts = pa.table({"a": [f"{i:0500}" for i in range(5000)]})
    data = parquet(texts, compression="zstd", use_dictionary=False)
    return partial(read_table, "t.parquet", data, DOMAIN)


def long_line(before):
    """A value of a quarter of a gigabyte, after some rows."""
    path = Path(sys.argv[1]) / "t.csv"
    with path.open("wb") as file:
        file.write(b"a\n" + b"yes\n" * before)
        for _ in range(256):
            file.write(b"x" * 2**20)
    return partial(read_table, "t.csv", path, DOMAIN)


def table(text):
    return partial(infer_domain, "t.csv", text.encode())


def schema(columns):
    return partial(read_schema, "s.json", json.dumps({"columns": columns}).encode())


MANY = [f"state{i}" for i in range(10**6)]
CASES = {
    "two columns of one name": lambda: table("a,b,b\nyes,1,2\n"),
    "80,000 columns": lambda: table(",".join(MANY[:80_000]) + "\n1\n"),
    "a million columns": lambda: table(",".join(MANY) + "\n1\n"),
    "a million columns by bar": lambda: table("|".join(MANY) + "\n1\n"),
    "10,001 typed columns": lambda: partial(
        infer_domain, "t.parquet", parquet(pa.table({name: [1] for name in MANY[:10_001]}))
    ),
    "a million states": lambda: schema([{"name": "a", "states": MANY}]),
    "a million columns in a schema": lambda: schema([{"name": "a"}] * 10**6),
    "a state twice": lambda: schema([{"name": "a", "states": [*MANY[:60_000], MANY[0]]}]),
    "a code book of a million values": lambda: partial(
        read_codebook, "b.csv", b"column,value\n" + "".join(f"a,{s}\n" for s in MANY).encode()
    ),
    "a name of 3,000 letters": lambda: partial(Variable, "x" * 3000, ()),
    "a column of 3,000 letters": lambda: partial(
        read_table, "t.csv", b"a," + b"n" * 3000 + b"\nyes,1\n", (Variable("m" * 3000, ("1",)),)
    ),
    "a long text in every row": repeated_text,
    "a long text as a state": repeated_text_seen,
    "a quoted value of many lines": quoted_lines,
    "too many rows": many_rows,
    "a column too large unpacked": unpacked,
    "a first value of 256 MB": lambda: long_line(0),
    "a later value of 256 MB": lambda: long_line(1000),
}


def main():
    read_table("t.csv", b"a\nyes\n", DOMAIN)  # imports
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    for name, case in CASES.items():
        refuse = case()
        started = time.process_time()
        try:
            refuse()
            sentence = "nothing was refused"
        except EquipoiseError as problem:
            sentence = str(problem)
        seconds = time.process_time() - started
        print(json.dumps({"name": name, "seconds": seconds, "sentence": sentence}), flush=True)


if __name__ == "__main__":
    main()
