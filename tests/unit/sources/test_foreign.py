"""Other programs' formats: files written by pgmpy and pyAgrum are read."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from core.errors import EquipoiseError
from sources.bif import write_bif
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


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.xml", "<BIF><NETWORK>", "a.xml is not XML (no element found"),
        ("a.net", "hello", "a.net names no variables; export it again"),
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


NET = """class rain { % a comment with } in it
node season { label = "a } b"; states = ("dry" "wet"); }
discrete node rain { states = ("none" "some"); }
potential (season) { data = (0.6 0.4); }
potential (rain | season) { data = ((0.9 0.1) % dry
(0.4 0.6)); } }
"""


def test_a_net_file_keeps_its_quotes_and_loses_its_comments():
    loaded = read_network("rain.net", NET.encode())
    assert loaded.network.parents[1] == ("season",)
    assert loaded.model.conditional(1).values.tolist() == [[0.9, 0.1], [0.4, 0.6]]


def test_a_default_of_an_attribute_is_not_repeated_for_every_element():
    long = f'<!DOCTYPE BIF [<!ATTLIST NETWORK a CDATA "{"x" * 10**6}">]>'
    with pytest.raises(EquipoiseError, match=r"a\.xml, line 1: an attribute is declared at length"):
        read_network("a.xml", (long + "<BIF>" + "<NETWORK/>" * 10**5 + "</BIF>").encode())


def test_pgmpy_stays_out_of_our_own_process():
    program = (
        "import sys, sources.networks, sources.tables; "
        "print([m for m in ('pgmpy', 'torch', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
