"""The dossier: one document as data and as page, nothing private in it, nothing that runs."""

import base64
import copy
import dataclasses
import hashlib
import html.parser
import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counts import Rows
from core.errors import EquipoiseError
from core.inference.sampling import sample
from core.methods.registry import METHODS
from core.network import Network
from core.scenario import Scenario
from core.table import Variable
from figures import chromium
from release.audit.auditing import Ask, audit
from release.dossier.document import checksum, dossier, dossier_files
from release.dossier.markup import element, style
from release.dossier.page import page
from release.ledger.account import PaidItem as Entry
from release.published import Published, Receipt, ReleasedFile
from release.review.checklist import review
from release.review.facts import Line, Statements
from release.review.standin import random_model, random_tables
from tests.release.reviewing import (
    ATTRIBUTE,
    FORMULA,
    SCRIPT,
    account,
    hostile_study,
    private_study,
    proposal,
)
from tests.wholes import rehearse

REASON = "Minutes 14 <img src=x onerror=alert(5)> of the board"
STUDY_LINE = Line("study-rows", "x", "note", "17 of 40 rows", "rest on few", basis="study")


class Reader(html.parser.HTMLParser):
    """What a browser would see: tags with attributes, and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join("".join(self.texts).split())


def published(found, files=()):
    preview = found.preview
    model = random_model(found.facts.network, rng=np.random.default_rng(0))
    return Published(
        id="r-1", time="2026-03-01T12:00:00Z", dataset="ward 7", method=found.method,
        guarantee=METHODS[found.method].guarantee.text, neighbours=found.scenario.neighbours,
        epsilon=preview.epsilon, delta=preview.delta, rho=preview.rho, cost=preview.cost,
        split=0.1, rate=0.1, options=found.scenario.options, measurements=preview.measurements,
        model=model, synthetic=0, versions=(("numpy", "2"),), receipt=Receipt(3, "c" * 64),
        override="", files=files,
    )  # fmt: skip


def whole(study=None, method="equipoise", **more):
    """A dossier with everything in it."""
    scenario = Scenario(epsilon=1.0, replicates=8)
    study = hostile_study() if study is None else study
    found = proposal(
        study,
        method=method,
        scenario=scenario,
        rehearsal=rehearse(random_tables(study.network), method, scenario, records=200),
        audit=audit(Ask(method=method, scenario=scenario, trials=500)),
    )
    checklist = review(found).override_all(REASON, "Ana Kim")
    spent = Entry("r-0", "release", "2026-01-01", "uniform", Fraction(1, 2), Fraction(0), "lost",
                  True, Receipt(1, "a" * 64), override=REASON)  # fmt: skip
    own = Entry("r-1", "release", "2026-03-01", method, Fraction(1), Fraction(0), "pending",
                False, Receipt(3, "c" * 64))  # fmt: skip
    data = b"the model"
    files = (ReleasedFile("model.json", len(data), hashlib.sha256(data).hexdigest()),)
    return dossier(
        found,
        checklist,
        published=published(found, files),
        account=account(4, [spent, own]),
        command="python cli.py release --network asia",
        **more,
    )


DOCUMENT = whole()
HTML = page(DOCUMENT)
READ = Reader(HTML)


def test_names_that_want_to_run_are_text():
    assert not {"script", "img", "iframe", "link", "object", "b", "form", "a"} & set(READ.tags)
    assert not [name for name, _ in READ.attributes if name.startswith("on") or name == "style"]
    assert not [name for name, _ in READ.attributes if name in ("href", "src", "xlink:href")]
    for name in (SCRIPT, ATTRIBUTE, "<b>rows</b>.csv"):
        assert name in READ.text
    assert REASON in READ.text
    assert FORMULA not in HTML  # states stay in the model's own files


def test_the_policy_allows_this_style_sheet_and_nothing_else():
    policy = next(v for n, v in READ.attributes if n == "content" and "default-src" in v)
    sheet = re.search(r"<style>(.*)</style>", HTML, re.S).group(1)
    digest = hashlib.sha256(sheet.encode()).digest()
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert HTML.index("Content-Security-Policy") < HTML.index("<style>")
    assert not re.search(r"https?://(?!www\.w3\.org)|url\(|@import", HTML)


def test_the_page_is_made_from_the_json_alone():
    files = dossier_files(DOCUMENT)
    again = json.loads(files["dossier.json"])
    assert page(again).encode() == files["dossier.html"]
    assert again == DOCUMENT


def leaves(value):
    """Every text of a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in ("budget", "scale", "total", "cost", "key", "curves", "bands", "rate"):
                yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, str) and value:
        yield value


SHOWN_OTHERWISE = {"pass", "note", "fail", "guarantee", "random tables", "none found", "overridden"}
"""States and kinds that the page shows as marks or sentences."""


def test_every_text_of_the_json_is_on_the_page():
    text = READ.text.lower()
    said = {x for key in DOCUMENT for x in leaves(DOCUMENT[key])} - SHOWN_OTHERWISE
    said -= {line["basis"] for line in DOCUMENT["checklist"]}
    missing = {x for x in said if " ".join(x.split()).lower() not in text}
    assert missing <= {"unit", "person"} | {DOCUMENT["forecast"]["rehearsal"]["method"]}


def test_numbers_of_the_json_are_on_the_page():
    for row in DOCUMENT["plan"]["tables"]:
        assert f"{row['budget_decimal']:.6f}" in READ.text
        assert float(Fraction(row["budget"])) == row["budget_decimal"]
    assert f"{DOCUMENT['risk']['auc']:.3f}" in READ.text
    assert HTML.count("<circle") >= len(DOCUMENT["forecast"]["noise"]) + 3
    assert HTML.count("<svg") == 4


def test_the_plan_is_exact_and_adds_up():
    parts = [Fraction(row["budget"]) for row in DOCUMENT["plan"]["tables"]]
    assert sum(parts) == Fraction(DOCUMENT["plan"]["cost"]) <= Fraction(DOCUMENT["plan"]["total"])
    for row, part in zip(DOCUMENT["plan"]["tables"], parts, strict=True):
        assert Fraction(row["scale"]) * part >= 1


def test_the_guarantee_is_of_the_graph_as_well():
    asked = proposal(stated=Statements(unit="visit", graph="private", graph_epsilon=0.5))
    found = dossier(asked, review(asked))
    told = "ε = 1.5 (0.5 of ε for learning the graph) for one record added or removed."
    assert found["guarantee"]["sentence"].startswith(told)
    assert found["guarantee"]["epsilon"] == found["guarantee"]["unit_epsilon"] == 1.5


def test_a_changed_document_has_another_checksum():
    assert checksum(DOCUMENT) == DOCUMENT["checksum"]
    assert DOCUMENT["checksum"] in READ.text
    changed = copy.deepcopy(DOCUMENT)
    changed["checklist"][0]["state"] = "pass!"
    assert checksum(changed) != DOCUMENT["checksum"]


@pytest.mark.parametrize("method", [m for m in METHODS if not METHODS[m].refused])
def test_nothing_in_it_depends_on_the_records(method):
    """The same public facts and other people: the same dossier, byte for byte."""
    found = []
    for seed in (1, 2):
        base = private_study()
        model = random_model(base.network, rng=np.random.default_rng(seed))
        rows = Rows(sample(model, 1000, rng=np.random.default_rng(seed)))
        study = dataclasses.replace(base, people=rows.dataset)
        own = proposal(study, method=method)
        found.append(dossier_files(dossier(own, review(own))))
    assert found[0] == found[1]


def test_the_study_section_is_off_unless_asked_for_and_marked():
    assert DOCUMENT["study"] is None
    assert "17 of 40 rows" not in HTML
    assert "Study section" not in HTML
    found = proposal()
    with_study = page(dossier(found, review(found), study=(STUDY_LINE,)))
    assert "17 of 40 rows" in with_study
    assert "not private" in Reader(with_study).text


def test_a_study_line_in_the_checklist_stays_out():
    found = proposal()
    listed = review(found)
    mixed = dataclasses.replace(listed, lines=(*listed.lines, STUDY_LINE))
    assert "17 of 40 rows" not in json.dumps(dossier(found, mixed))


@pytest.mark.parametrize("method", METHODS)
def test_a_preview_can_be_made_of_every_method(method):
    found = proposal(method=method, account=None)
    document = dossier(found, review(found))
    assert "preview" in page(document)
    assert document["files"] == []


@given(st.text(), st.text(max_size=20))
def test_an_element_gives_back_its_text_and_attribute(text, value):
    read = Reader(element("p", text, title=value))
    assert read.tags == ["p"]

    def kept(x):
        return x.isprintable() or x in "\n\t"

    if all(map(kept, text + value)):
        assert "".join(read.texts) == text
        assert read.attributes == [("title", value)]


def test_only_harmless_elements_are_made():
    with pytest.raises(ValueError, match="script"):
        element("script", "alert(1)")
    with pytest.raises(ValueError, match="closing"):
        style("</style>")


def test_a_long_plan_of_one_state_variables_is_drawn():
    variables = tuple(Variable(f"v{i}", ("only",)) for i in range(30))
    network = Network(variables, ((),) * 30)
    study = dataclasses.replace(
        hostile_study(),
        network=network,
        people=Rows(
            sample(random_model(network, rng=np.random.default_rng(0)), 50,
                   rng=np.random.default_rng(0))
        ).dataset,
    )  # fmt: skip
    found = proposal(study, method="one-table")
    assert 'class="long"' in page(dossier(found, review(found)))


def test_without_a_chromium_the_reader_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(chromium, "find_chromium", lambda: None)
    with pytest.raises(EquipoiseError, match="to print with; take the HTML"):
        chromium.to_pdf(b"")


def test_a_program_that_never_ends_is_ended(monkeypatch, tmp_path):
    script = tmp_path / "chromium"
    script.write_text("#!/bin/sh\nsleep 30\n")
    script.chmod(0o755)
    monkeypatch.setattr(chromium, "find_chromium", lambda: str(script))
    with pytest.raises(EquipoiseError, match=r"did not answer within 0\.2 s"):
        chromium.to_pdf(b"", seconds=0.2)


def test_a_program_that_is_killed_for_want_of_memory_is_one_sentence(monkeypatch, tmp_path):
    script = tmp_path / "chromium"
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(chromium, "find_chromium", lambda: str(script))
    with pytest.raises(EquipoiseError, match="printed nothing; print the HTML file instead"):
        chromium.to_pdf(b"<p>")
    script.write_text("no program\n")
    with pytest.raises(EquipoiseError, match=r"cannot be started \(exec format error\); take"):
        chromium.to_pdf(b"<p>")
