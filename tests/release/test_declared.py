"""What only the steward can say: optional, printed as it is or as not stated."""

import json

import pytest

from cli import main
from core.errors import EquipoiseError
from release.dossier.document import dossier
from release.dossier.page import page
from release.review.checklist import review
from release.review.declared import DECLARATIONS, MOST, NOT_STATED, declared
from release.review.facts import Statements
from tests.release.reviewing import SCRIPT, proposal


def document(**said):
    stated = Statements(unit="person", records=1000, graph="known", declared=declared(said))
    asked = proposal(stated=stated)
    return dossier(asked, review(asked))


def test_every_line_is_printed_said_or_not():
    whole = document(use=f"teaching {SCRIPT}", contact="ward  7")
    texts = {row["key"]: row["text"] for row in whole["declared"]}
    assert list(texts) == [one.key for one in DECLARATIONS]
    assert texts.pop("use") == f"teaching {SCRIPT}"
    assert texts.pop("contact") == "ward 7"
    assert set(texts.values()) == {NOT_STATED}
    shown = page(whole)
    assert SCRIPT not in shown
    assert shown.count(f"<td>{NOT_STATED}</td>") == len(DECLARATIONS) - 2


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"purpose": "x"}, "nothing asks for the statement 'purpose'"),
        ({"use": 3}, "is no text"),
        ({"use": "x" * (MOST + 1)}, "at most 1,000"),
        ({"use": "\ud800"}, "no character that a file can hold"),
    ],
)
def test_what_cannot_be_stated_is_refused(given, why):
    with pytest.raises(EquipoiseError, match=why):
        declared(given)


def test_a_file_is_filled_once_and_single_ones_go_before_it(tmp_path, capsys):
    (tmp_path / "said.json").write_text(json.dumps({"use": "teaching", "harm": "none known"}))
    words = ["release", "--network", "asia", "--records", "200", "--budget", "4", "--unit", "p"]
    words += ["--ledger", str(tmp_path / "l.db"), "--out", str(tmp_path / "out"), "--preview"]
    words += ["--statements", str(tmp_path / "said.json"), "--state", "use=research", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)["dossier"]
    texts = {row["key"]: row["text"] for row in told["declared"]}
    assert (texts["use"], texts["harm"]) == ("research", "none known")
    assert "--state 'harm=none known'" in told["reproducibility"]["command"]
    (tmp_path / "said.json").write_text('{"usage": "x"}')
    assert main(words) == 2
    assert "nothing asks for" in capsys.readouterr().err


def test_what_is_not_protected_is_one_list():
    told = " ".join(document()["unprotected"])
    for word in ("8 variables", "8 edges", "1,000", "everyone together"):
        assert word in told
