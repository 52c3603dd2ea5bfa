import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.table import Variable
from sources.loaded import EdgeList, Loaded, with_domain, with_states
from sources.networks import read_network, sample
from sources.text import read_bytes

BITS = ("0", "1")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.bif", b"", "a.bif is empty"),
        ("a.bif", b" \n\t ", "a.bif is empty"),
        ("a.csv", b"", "a.csv is empty"),
        ("a.json", b"\xff\xfea\0", "a.json is encoded as UTF-16"),
        (
            "a.bif",
            "network é {\n}\ncafé".encode("latin-1"),
            "a.bif, line 1: byte 8 (0xe9) is not UTF-8",
        ),
        ("a.bif", b"network x {\n}\n\xc3", "a.bif, line 3: byte 14 (0xc3) is not UTF-8"),
        ("a.csv", b"parent,child\na\0,b", "a.csv, line 2: there is a NUL character"),
        ("a.docx", b"hello", "a.docx has the unknown ending '.docx'; network files end in .bif"),
        ("network", b"hello", "network has the unknown ending ''"),
        ("a.xml", b'<!DOCTYPE x [\n<!ENTITY a "aaaa">\n]><BIF>&a;</BIF>', "a.xml, line 2: "),
        ("a.xdsl", b'<!DOCTYPE smile SYSTEM "file:///etc/passwd"><smile/>', "outside definition"),
    ],
)
def test_files_that_are_no_network_are_refused(name, data, words):
    with pytest.raises(EquipoiseError) as refused:
        read_network(name, data)
    assert words in str(refused.value) and str(refused.value).startswith(name)


def test_a_byte_order_mark_and_the_case_of_the_ending_do_not_matter():
    found = read_network("EDGES.CSV", b"\xef\xbb\xbfparent,child\r\na,b\r\n")
    assert found.edges == (("a", "b"),)


def load(path):
    return read_network(path.name, read_bytes(path))


def test_a_file_on_disk_is_read_to_the_limit_only(tmp_path):
    path = tmp_path / "rain.csv"
    path.write_text("parent,child\na,b\n")
    assert load(path).names == ("a", "b")
    with path.open("r+b") as file:
        file.truncate(22_000_000)  # sparse: it takes no room
    with pytest.raises(EquipoiseError, match="larger than 20 MB"):
        load(path)
    with pytest.raises(EquipoiseError, match="a pipe or a device, which may never end"):
        load(Path("/dev/zero"))
    with pytest.raises(EquipoiseError, match=r"none\.bif cannot be read \(no such file"):
        load(tmp_path / "none.bif")
    with pytest.raises(EquipoiseError, match="cannot be read"):
        load(tmp_path)


def test_an_unknown_sample_is_refused():
    with pytest.raises(EquipoiseError, match="no sample network 'asie'; there are figure-one"):
        sample("asie")


def test_samples_say_where_they_come_from():
    assert sample("alarm").source == "Beinlich et al. 1989"
    assert sample("alarm").model.values.shape == (sample("alarm").network.layout.size,)


def edges(text):
    return read_network("e.csv", text.encode())


def test_an_edge_list_keeps_the_order_of_names_and_edges():
    found = edges("parent,child\nc,b\n\na,b\nd,\n")
    assert found.names == ("c", "b", "a", "d")
    assert found.edges == (("c", "b"), ("a", "b"))
    assert found.parents == ((), ("c", "a"), (), ())


def test_an_edge_list_may_use_semicolons_and_quotes():
    assert edges('parent;child\n"x, y";b\n').edges == (("x, y", "b"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from,to\na,b\n", "e.csv, line 1: an edge list must begin with the line 'parent,child'"),
        ("parent,child\n", "e.csv has a header and no edges"),
        ("parent,child\na,b,c\n", "e.csv, line 2: 3 fields"),
        ("parent,child\na\n", "e.csv, line 2: 1 fields"),
        ("parent,child\n,b\n", "e.csv, line 2: 2 fields; write one parent and one child"),
        ("parent,child\na,b\na,b\n", "e.csv, line 3: the edge 'a' -> 'b' stands twice"),
        ("parent,child\na,b\nb,c\nc,a\n", "not acyclic: "),
        ("parent,child\na,a\n", "not acyclic: a -> a"),
        ('parent,child\na,"b\n', "e.csv, line 2: unexpected end of data"),
        ("parent,child\n" + "".join(f"a,b{i}\n" for i in range(2001)), "more than 2,000 variables"),
    ],
)
def test_bad_edge_lists_are_refused_by_line(text, words):
    with pytest.raises(EquipoiseError) as refused:
        edges(text)
    assert words in str(refused.value) and str(refused.value).startswith("e.csv")


def test_a_cycle_is_named_in_full():
    with pytest.raises(EquipoiseError) as refused:
        edges("parent,child\nx,a\na,b\nb,c\nc,a\n")
    walk = str(refused.value).split("acyclic: ")[1].split(";")[0].split(" -> ")
    assert len(walk) == 4 and walk[0] == walk[-1]
    assert set(itertools.pairwise(walk)) == {("a", "b"), ("b", "c"), ("c", "a")}


def test_a_structure_needs_a_domain():
    found = edges("parent,child\na,b\n")
    domain = [Variable(name, BITS) for name in ("extra", "b", "a")]
    network = with_domain(found, domain)
    assert network.names == ("a", "b") and network.parents == ((), ("a",))
    with pytest.raises(EquipoiseError, match=r"e\.csv names b, for which no states are known"):
        with_domain(found, [Variable("a", BITS)])


def test_a_structure_checks_its_own_edges():
    with pytest.raises(EquipoiseError, match="a -> z joins a name that is not listed"):
        EdgeList(("a",), (("a", "z"),))
    with pytest.raises(EquipoiseError, match="'a' appears twice"):
        EdgeList(("a", "a"), ())


def test_states_can_be_widened():
    network = sample("asia").network
    wider = [Variable(v.name, (*v.states, "missing")) for v in network.variables]
    changed = with_states(network, wider)
    assert changed.parents == network.parents
    assert {v.cardinality for v in changed.variables} == {3}


RAIN = {
    "name": "rain",
    "variables": [
        {"name": "season", "states": ["dry", "wet"], "conditional": [[0.6, 0.4]]},
        {
            "name": "rain",
            "states": ["yes", "no"],
            "parents": ["season"],
            "conditional": [[0.1, 0.9], [0.7, 0.3]],
        },
    ],
}


def rain(**changes):
    document = json.loads(json.dumps(RAIN))
    document["variables"][1].update(changes)
    return document


def read(document):
    text = document if isinstance(document, str) else json.dumps(document)
    return read_network("r.json", text.encode())


def test_json_is_read():
    loaded = read(RAIN)
    assert isinstance(loaded, Loaded) and loaded.name == "rain" and loaded.source == "r.json"
    assert loaded.network.edges == (("season", "rain"),)
    assert np.array_equal(loaded.model.conditional(1).values, [[0.1, 0.9], [0.7, 0.3]])


def test_json_may_give_less():
    states = {"variables": [{"name": "a", "states": ["x"]}]}
    assert read(states).model is None
    bare = {"variables": [{"name": "a"}, {"name": "b", "parents": ["a"]}]}
    assert read(bare) == EdgeList(("a", "b"), (("a", "b"),), "r.json")


def without(key):
    document = rain()
    del document["variables"][1][key]
    return document


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("{", "r.json, line 1: not valid JSON"),
        ('{"variables":\n [1,}', "r.json, line 2: not valid JSON"),
        ("[1]", "must be one object"),
        ('{"variables": NaN}', "the number NaN is not allowed"),
        ('{"variables": [{"name": "a", "name": "b"}]}', "the key 'name' stands twice"),
        ("[" * 100_000, "nested too deeply"),
        ({}, "there is no list 'variables'"),
        ({"variables": []}, "there is no list 'variables'"),
        ({"variables": [{"states": []}]}, "entry 1 of 'variables' needs a 'name'"),
        (rain(colour="red"), "has the key 'colour'; only name, states, parents, conditional"),
        (rain(states=[1, 2]), "'states' of variable 'rain' must be a list of texts"),
        (rain(parents="season"), "'parents' of variable 'rain' must be a list of texts"),
        (rain(parents=["sun"]), "has the parent 'sun', which is not a variable"),
        (rain(parents=["rain"]), "not acyclic: rain -> rain"),
        (rain(name="season"), "'season' appears twice"),
        (rain(conditional=[[0.1, 0.9]]), "must be a list of 2 rows of 2 numbers between 0 and 1"),
        (rain(conditional=[[0.1, 0.9], [0.7]]), "must be a list of 2 rows of 2 numbers"),
        (rain(conditional=[[0.1, 0.9], [1.7, -0.7]]), "numbers between 0 and 1"),
        (rain(conditional=[[True, False], [1, 0]]), "numbers between 0 and 1"),
        (rain(conditional=[["0.1", "0.9"], [1, 0]]), "numbers between 0 and 1"),
        (rain(conditional=[[0.1, 0.9], [0.7, 0.2]]), "'rain' given season=wet sum to 0.9"),
        (json.dumps(rain()).replace("0.7", "9" * 5000), "numbers between 0 and 1"),
        (without("conditional"), "variable 'rain' has no 'conditional' while others have"),
        (without("states"), "variable 'rain' has no 'states' while others have"),
    ],
)
def test_bad_json_is_refused(document, words):
    with pytest.raises(EquipoiseError) as refused:
        read(document)
    assert words in str(refused.value) and str(refused.value).startswith("r.json")
