"""Other programs' formats: files written by pgmpy and pyAgrum, read in a process with limits."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from core.errors import EquipoiseError
from sources.bif import write_bif
from sources.foreign import read_foreign, run_limited
from sources.networks import read_network, sample

XDSL = """<?xml version="1.0"?>
<smile version="1.0" id="rain"><nodes>
<cpt id="season"><state id="dry"/><state id="wet"/><probabilities>0.6 0.4</probabilities></cpt>
<cpt id="wind"><state id="no"/><state id="yes"/><probabilities>0.5 0.5</probabilities></cpt>
<cpt id="rain"><state id="none"/><state id="some"/><parents>season wind</parents>
<probabilities>0.9 0.1 0.8 0.2 0.4 0.6 0.3 0.7</probabilities></cpt>
</nodes></smile>
"""


def check_equal(loaded, expected, tolerance):
    """Equal up to the order of variables."""
    network = loaded.network
    assert set(network.names) == set(expected.network.names)
    for index, variable in enumerate(expected.network.variables):
        here = network.index(variable.name)
        assert network.variables[here] == variable
        assert network.parents[here] == expected.network.parents[index]
        ours, theirs = loaded.model.conditional(here), expected.model.conditional(index)
        np.testing.assert_allclose(ours.values, theirs.values, rtol=0, atol=tolerance)


@pytest.mark.slow
def test_the_last_parent_of_an_xdsl_file_varies_fastest():
    loaded = read_network("rain.xdsl", XDSL.encode())
    assert loaded.network.parents[2] == ("season", "wind")
    values = loaded.model.conditional(2).values
    assert values[..., 0].tolist() == [[0.9, 0.8], [0.4, 0.3]]


def by_pgmpy(loaded, ending, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy import readwrite

        model = readwrite.BIFReader(string=write_bif(loaded.network, loaded.model)).get_model()
        writers = {"xmlbif": "XMLBIFWriter", "net": "NETWriter", "xdsl": "XDSLWriter"}
        getattr(readwrite, writers[ending])(model).write(str(path))


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "tolerance"), [("xmlbif", 0), ("net", 1e-7), ("xdsl", 1e-15)])
def test_files_written_by_pgmpy_are_read(ending, tolerance, tmp_path):
    asia = sample("asia")
    path = tmp_path / f"asia.{ending}"
    by_pgmpy(asia, ending, path)
    check_equal(read_network(path.name, path.read_bytes()), asia, tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "tolerance"), [("bifxml", 2e-6), ("net", 1e-7)])
def test_files_written_by_pyagrum_are_read(ending, tolerance, tmp_path):
    alarm = sample("alarm")
    source, path = tmp_path / "alarm.bif", tmp_path / f"alarm.{ending}"
    source.write_text(write_bif(alarm.network, alarm.model), encoding="utf-8")
    # in a process of its own: its import crashes where warnings are errors
    program = "import sys, pyagrum as p; p.saveBN(p.loadBN(sys.argv[1]), sys.argv[2])"
    subprocess.run([sys.executable, "-c", program, source, path], check=True, capture_output=True)
    name = path.name.replace("bifxml", "xml")
    check_equal(read_network(name, path.read_bytes()), alarm, tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.xml", "<BIF><NETWORK>", "a.xml could not be read (xml.etree.ElementTree.ParseError"),
        ("a.net", "hello", "a.net could not be read (ValueError: it names no variables)"),
        ("a.xdsl", XDSL.replace("cpt", "noisymax"), "'season' is of kind 'noisymax', not a table"),
        ("a.xdsl", XDSL.replace("0.6 0.4", "0.6 0.3"), "a.xdsl: the probabilities of 'season' sum"),
        ("a.xdsl", XDSL.replace("season wind", "season rain"), "not acyclic: rain -> rain"),
        ("a.xdsl", XDSL.replace("season wind", "season sun"), "'sun', which is not a variable"),
        ("a.xdsl", XDSL.replace('id="wind"', 'id="season"'), "'season' appears twice"),
    ],
)
def test_damaged_files_are_refused_in_a_sentence(name, text, words):
    with pytest.raises(EquipoiseError) as refused:
        read_network(name, text.encode())
    assert words in str(refused.value) and "\n" not in str(refused.value)


def test_a_process_that_never_ends_is_killed(tmp_path):
    note = tmp_path / "pid"
    program = (
        "import os, pathlib, sys\n"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
        "while True: pass"
    )
    with pytest.raises(EquipoiseError, match=r"x\.net was not read within 4 seconds; convert it"):
        run_limited("x.net", [sys.executable, "-c", program], b"", seconds=4)  # time to begin
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_the_worker_is_ended_when_time_is_up():
    with pytest.raises(EquipoiseError, match=r"rain\.xdsl was not read within 0\.05 seconds"):
        read_foreign("rain.xdsl", XDSL, "xdsl", seconds=0.05)


def test_the_worker_keeps_to_its_memory():
    with pytest.raises(EquipoiseError, match=r"rain\.xdsl could not be read \("):
        read_foreign("rain.xdsl", XDSL, "xdsl", memory=100 * 2**20)


def test_pgmpy_stays_out_of_our_own_process():
    program = (
        "import sys, sources.networks, sources.preview; "
        "print([m for m in ('pgmpy', 'torch', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
