"""Writing and reading again changes nothing, whatever the names; damage is refused in words."""

import json
from dataclasses import replace

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import Model
from core.table import Variable
from sources.bif import read_bif, write_bif
from sources.bif_tokens import quoted
from sources.json_network import network_document, read_json_network
from sources.networks import SAMPLES, read_network
from tests.strategies import models

NASTY = [
    "two words",
    "<script>",
    "=cmd",
    '"',
    "\\",
    "\\n",
    "a\nb",
    "table",
    "default",
    "//",
    "/*",
    "{",
    "}",
    ";",
    "a;b",
    "(x)",
    "|",
    ",",
    "'",
    "\u00e9\U0001f600",
    "\x00",
    "\r",
    "nan",
    "0.5",
    " ",
    '"x y"',
    "x y",
    "probability",
]
NAMES = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=6))


@st.composite
def renamed_models(draw):
    """Models whose variables and states have any names at all."""
    model = draw(models(replicates=st.just(())))
    network = model.network
    names = draw(st.lists(NAMES, min_size=len(network.variables), unique=True))
    fresh = dict(zip(network.names, names, strict=False))
    variables = []
    for variable in network.variables:
        size = variable.cardinality
        states = draw(st.lists(NAMES | st.just(""), min_size=size, max_size=size, unique=True))
        variables.append(replace(variable, name=fresh[variable.name], states=tuple(states)))
    parents = tuple(tuple(fresh[p] for p in own) for own in network.parents)
    return Model(Network(tuple(variables), parents), model.values)


def equal(loaded, model):
    return loaded.network == model.network and np.array_equal(loaded.model.values, model.values)


@settings(deadline=None, max_examples=60)
@given(renamed_models(), NAMES)
def test_bif_written_and_read_is_the_same_network_and_the_same_numbers(model, title):
    text = write_bif(model.network, model, name=title)
    assert equal(read_network("t.bif", text.encode()), model)


@settings(deadline=None, max_examples=60)
@given(renamed_models(), NAMES)
def test_json_written_and_read_is_the_same_network_and_the_same_numbers(model, title):
    document = network_document(model.network, model, name=title)
    loaded = read_network("t.json", json.dumps(document).encode())
    assert equal(loaded, model) and loaded.name == title


@settings(deadline=None, max_examples=60)
@given(renamed_models())
def test_a_network_without_a_model_survives_too(model):
    bif = read_bif("t.bif", write_bif(model.network))
    document = json.dumps(network_document(model.network, name="x"))
    assert bif.network == model.network and bif.model is None
    assert read_json_network("t.json", document.encode()).network == model.network


def test_a_state_that_looks_like_another_one_quoted_is_kept_apart():
    root = Variable("a", ("x y", '"x y"'))
    network = Network((root, Variable("b", ("0", "1"))), ((), ("a",)))
    arrays = [np.array([0.25, 0.75]), np.array([[0.1, 0.9], [0.6, 0.4]])]
    model = Model.from_conditionals(network, arrays)
    assert equal(read_bif("t.bif", write_bif(network, model)), model)


@settings(deadline=None)
@given(NAMES)
@example("yes")
def test_quoted_names_are_bare_only_when_every_reader_agrees(name):
    if not quoted(name).startswith('"'):
        assert name.isascii() and not set(name) & set(' \t\n\r"\\{}()[],;|/<>=')


ASIA = (SAMPLES / "asia.bif").read_text(encoding="utf-8")
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "(",
        ")",
        ";",
        "|",
        "[",
        "]",
        '"',
        "/*",
        "*/",
        "//",
        "\n",
        ",",
        "table ",
        "default ",
        "type ",
        "yes",
        "0.5",
        "-1",
        "nan",
        "1e999",
        "",
        "probability ",
        "variable ",
        "network ",
        "property ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(ASIA)), st.integers(0, 30), PIECES), min_size=1, max_size=4
    )
)
def test_a_damaged_file_is_read_or_refused_with_its_name(damages):
    text = ASIA
    for start, length, piece in damages:
        text = text[:start] + piece + text[start + length :]
    try:
        loaded = read_bif("asia.bif", text)
    except EquipoiseError as problem:
        assert str(problem).startswith("asia.bif")
        assert "\n" not in str(problem)
    else:
        assert loaded.network.variables
