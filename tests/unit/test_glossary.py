"""Every word once, in one sentence."""

import json

import pytest

from cli import main
from core.errors import EquipoiseError
from core.study.glossary import GLOSSARY, find, named_in, tip


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=lambda term: term.key)
def test_an_entry_is_one_sentence_with_a_source(term):
    assert term.meaning.endswith(".")
    assert ". " not in term.meaning
    assert term.source
    assert term.key.replace("-", "").isalnum()


def test_names_differ():
    names = [term.name for term in GLOSSARY.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("sign", "keys"),
    [
        ("δ", ["delta-failure", "delta-node-error"]),
        ("Δ", ["sensitivity"]),
        ("μ", ["mu-risk", "mu-bounds"]),
        ("row error", ["row-error-weighted", "row-error-plain"]),
        ("stage i", ["stage-one"]),
    ],
)
def test_two_meanings_are_two_entries(sign, keys):
    assert [term.key for term in find(sign)] == keys


def test_an_unknown_word_is_refused_and_told_where_to_look(capsys):
    with pytest.raises(EquipoiseError, match=r"cli\.py glossary"):
        find("nosuch")
    assert main(["glossary", "nosuch"]) == 2
    assert "no 'nosuch'" in capsys.readouterr().err


def test_a_text_names_its_signs_and_not_letters_inside_words():
    keys = [term.key for term in named_in("Every Chance of ε_i at AUC 0.6")]
    assert keys == ["epsilon", "auc"]


def test_the_shell_tells_the_same(capsys):
    assert main(["glossary", "ε", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["terms"]
    assert told["meaning"] == tip("epsilon")
    assert main(["glossary", "leverage"]) == 0
    assert tip("leverage") in capsys.readouterr().out
