"""The card of a release: its code loads the model that was released."""

import re

import numpy as np
import pytest

from release.dossier.card import CARD, card
from release.dossier.document import dossier
from release.review.checklist import review
from release.review.facts import Statements
from sources.networks import read_network
from tests.release.reviewing import SCRIPT, proposal
from tests.release.test_registry import released


@pytest.mark.parametrize("library", ["pgmpy", "pyagrum"])
def test_the_code_on_the_card_loads_the_model(study, ledger, tmp_path, monkeypatch, library):
    pytest.importorskip(library, reason=f"{library} is not installed")
    folder = released(study, ledger, tmp_path).directory
    codes = re.findall(r"```python\n(.*?)```", (folder / CARD).read_text(), re.DOTALL)
    (code,) = [one for one in codes if library in one]
    monkeypatch.chdir(folder)
    space = {}
    exec(compile(code, CARD, "exec"), space)
    own = read_network("model.json", (folder / "model.json").read_bytes())
    exact = own.model.conditional(own.network.index("smoke")).values
    if library == "pgmpy":
        values = space["model"].get_cpds("smoke").values
    else:
        values = space["model"].cpt("smoke").toarray()
    assert np.allclose(np.ravel(values), exact.ravel(), atol=1e-6)


def test_statements_are_no_markup(study, ledger, tmp_path):
    text = (
        released(study, ledger, tmp_path, {"use": f"{SCRIPT} [x](y)"}).directory / CARD
    ).read_text()
    assert SCRIPT not in text
    assert "\\[x\\](y)" in text
    assert "Not for: not stated" in text


def test_a_unit_is_no_markup(study):
    """Its name may come from the header of a file."""
    unit = f"{SCRIPT}\n# [x](y)"
    said = Statements(unit=unit, records=1000, graph="known")
    asked = proposal(study, stated=said)
    document = dossier(asked, review(asked)) | {"files": []}
    document["decision"]["release"] = "0" * 16
    text = card(document).decode()
    assert SCRIPT not in text
    assert "One record is one \\<script" in text
    assert "\n# [x]" not in text
