"""Files that want everything are refused with one sentence, in little time and memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

WORDS = {
    "two columns of one name": "t.csv has two columns named 'b'; rename one",
    "80,000 columns": "t.csv has 80,000 columns; at most 10,000 are read",
    "a million columns": "t.csv, line 1: it has more than 10,000 columns; drop some",
    "a million columns by bar": "t.csv, line 1: it has more than 10,000 columns; drop some",
    "10,001 typed columns": "t.parquet has 10,001 columns",
    "a million states": "'states' has 1,000,000 entries; at most 65,536",
    "a million columns in a schema": "s.json: there are 1,000,000 columns; at most 10,000",
    "a state twice": "lists the state 'state0' twice",
    "a code book of a million values": "b.csv has more than 65,536 values of 'a'",
    "a name of 3,000 letters": "has no states",
    "a column of 3,000 letters": "t.csv has no column 'mmm",
    "a long text in every row": "t.parquet, row 1, column 'a': 'xxx",
    "a long text as a state": "column 'a' has values of more than 200 characters",
    "a quoted value of many lines": "t.csv, line 3: a value has more than 131,072 characters",
    "too many rows": "t.parquet has 20,000,000 rows in",
    "a column too large unpacked": "t.parquet: column 'a' unpacks to",
    "a first value of 256 MB": "t.csv, line 2: it has more than 4,194,304 characters",
    "a later value of 256 MB": "t.csv, line 1002: it has more than 4,194,304 characters",
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """What each file got in a process that may take a gigabyte more than it starts with."""
    script = [sys.executable, "-m", "tests.unit.sources.bombs", str(tmp_path_factory.mktemp("b"))]
    root = Path(__file__).parent.parent.parent.parent
    done = subprocess.run(script, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return {found["name"]: found for found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", WORDS)
def test_a_bomb_is_refused(refused, name):
    found = refused[name]
    assert WORDS[name] in found["sentence"]
    assert len(found["sentence"]) < 300 and "\n" not in found["sentence"]
    assert found["seconds"] < 2
