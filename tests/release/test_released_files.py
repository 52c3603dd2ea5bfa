"""Released files: what they hold, and that they come back."""

import json
from fractions import Fraction

import numpy as np

from core.inference.sampling import sample
from core.network import Network
from core.options import Options
from core.scenario import Scenario
from core.table import Variable
from release.files import read_published
from release.order import AS_MEASURED
from release.publish import publish
from release.published import document, published_from
from release.review.standin import random_model
from sources.networks import read_network
from sources.study import Study
from sources.tables import read_table
from tests.release.ordering import here, order

FILES = {"model.bif", "model.json", "records.csv", "measurements.json", "intervals.json"}


def test_further_files_are_released_and_recorded_with_the_model(study, ledger, tmp_path):
    def extra(published, account):
        assert account.spent == Fraction(1, 2)
        assert {file.name for file in published.files} == FILES
        return {"dossier.html": published.id.encode()}

    found = publish(
        order(study, synthetic=AS_MEASURED), ledger, tmp_path, workers=here(), extra=extra
    )
    assert (found.directory / "dossier.html").read_text() == found.published.id
    assert found.published.files == ledger.line(found.published.id).files
    assert len(found.published.files) == 6
    assert abs(found.published.synthetic - study.records) < 500
    lines = (found.directory / "records.csv").read_text().splitlines()
    assert len(lines) == found.published.synthetic + 1


SCRIPT, COMMAND = "<script>alert(1)</script>", "=cmd|' /C calc'!A0"


def test_hostile_names_come_back_unchanged(ledger, tmp_path):
    variables = (
        Variable(SCRIPT, (COMMAND, "@sum", "-1")),
        Variable(COMMAND, (SCRIPT, "'" + COMMAND, COMMAND)),
    )
    network = Network(variables, ((), (SCRIPT,)))
    rng = np.random.default_rng(3)
    rows = sample(random_model(network, rng=rng), 500, rng=rng)
    found = publish(
        order(Study("x", network, rows, sampled=True), synthetic=300, name=SCRIPT),
        ledger,
        tmp_path,
        workers=here(),
    )
    for name in ("model.bif", "model.json"):
        loaded = read_network(name, (found.directory / name).read_bytes())
        assert loaded.network == network
        assert np.array_equal(loaded.model.values, found.published.model.values)
    data = (found.directory / "records.csv").read_bytes()
    assert not [line for line in data.decode().splitlines() if line.startswith(("=", "@"))]
    back = read_table("records.csv", data, variables).dataset
    assert back.variables == variables
    assert back.records == 300
    assert {str(back.variables[0].states[c]) for c in back.codes[:, 0]} <= set(variables[0].states)


def test_public_files_hold_nothing_that_names_the_data(study, ledger, tmp_path):
    found = publish(
        order(study, name="clinic", override="because", scenario=Scenario(epsilon=0.3)),
        ledger, tmp_path, workers=here(),
    )  # fmt: skip
    text = (found.directory / "model.json").read_text()
    for secret in ("clinic", "because", study.fingerprint, *found.account.fingerprints):
        assert secret not in text
    facts = json.loads(text)["release"]
    assert Fraction(facts["epsilon"]) == Fraction(3, 10)
    assert facts["versions"]["opendp"] == "0.16.0"
    assert found.published.dataset == "clinic"


def test_the_record_of_a_release_is_read_back(study, ledger, tmp_path):
    options = Options(prior=0.5, floors=(("smoke", 0.2),), weights=(("lung", 2.0),), delta=1e-7)
    scenario = Scenario(epsilon=0.5, options=options)
    ordered = order(study, method="equipoise-zcdp", scenario=scenario)
    found = publish(ordered, ledger, tmp_path, workers=here())
    back = read_published(found.directory, found.published.files, dataset=found.published.dataset)
    assert document(back) == document(found.published)
    assert back.options == options
    assert back.files == found.published.files
    facts = json.loads(json.dumps(document(back)))
    again = published_from(facts, back.model, dataset="", override="")
    assert again.measurements == found.published.measurements
