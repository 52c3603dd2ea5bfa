"""The record for the public registry: its fields, their types, and texts that stay texts."""

from fractions import Fraction

import pytest
import yaml

from core.scenario import Scenario
from release.dossier.document import dossier, dossier_files
from release.dossier.registry_record import REGISTRY
from release.publish import publish
from release.review.checklist import review
from release.review.declared import NOT_STATED, declared
from release.review.facts import Statements
from tests.release.ordering import here, order
from tests.release.reviewing import FORMULA, SCRIPT, proposal

TEXT, NUMBER = str, float
SCHEMA = {
    "url_slug": TEXT,
    "deployment": {
        "basic": {
            "name": TEXT,
            "data_curators": [{"data_curator_name": TEXT}],
            "description": TEXT,
            "intended_use": TEXT,
            "data_product_type": {"Synthetic data", "Machine learning model"},
            "data_product_region": TEXT,
            "data_product_sector": TEXT,
            "publication_date": TEXT,
        },
        "dp_variant": {
            "variant_name": {"Pure DP", "Approximate DP", "Zero-concentrated DP"},
            "data_domain": TEXT,
            "unprotected_quantities": TEXT,
        },
        "privacy_loss": {
            "privacy_unit": TEXT,
            "privacy_unit_details": TEXT,
            "privacy_parameters": {"epsilon": NUMBER, "delta?": NUMBER},
            "privacy_parameters_details": TEXT,
        },
        "deployment_model": {
            "model_name": {"Central"},
            "actors": TEXT,
            "release_type": {"One release", "Many releases"},
            "release_type_details": TEXT,
            "data_source_type": {"Static", "Dynamic"},
            "access_type": {"Interactive", "Non-interactive"},
        },
        "accounting": {"post_processing": TEXT, "composition": TEXT},
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": TEXT,
            "mechanisms": TEXT,
            "justification": TEXT,
        },
        "administrative": {
            "evidence_sources": {"dossier": {"evidence_source_type": TEXT, "sha256": TEXT}},
            "status": {"Draft"},
            "registry_authors": [TEXT],
            "tier": int,
        },
    },
}
"""The registry's fields in our own words: a type, the texts that are allowed, or what is inside.

No field besides; one with a question mark may be missing."""


def check(value, schema, where="record"):
    if isinstance(schema, dict):
        assert isinstance(value, dict), where
        needed = {key for key in schema if not key.endswith("?")}
        allowed = {key.rstrip("?") for key in schema}
        assert needed <= set(value) <= allowed, (where, set(value) ^ needed)
        for key, inner in schema.items():
            if key.rstrip("?") in value:
                check(value[key.rstrip("?")], inner, f"{where}.{key}")
    elif isinstance(schema, list):
        assert isinstance(value, list) and value, where
        for one in value:
            check(one, schema[0], where)
    elif isinstance(schema, set):
        assert value in schema, (where, value)
    else:
        assert type(value) is schema, (where, value)


def released(study, ledger, out, said=None, method="equipoise", synthetic=0):
    """A release with all its papers."""
    stated = Statements(unit="person", records=1000, graph="known", declared=declared(said or {}))

    def extra(published, account):
        asked = proposal(study, method=method, stated=stated, scenario=Scenario(epsilon=0.5))
        return dossier_files(dossier(asked, review(asked), published=published, account=account))

    asked = order(study, method=method, synthetic=synthetic, delta_budget=Fraction(1, 10**5))
    return publish(asked, ledger, out, workers=here(), extra=extra)


def record(*asked, **more):
    done = released(*asked, **more)
    return yaml.safe_load((done.directory / REGISTRY).read_text())


@pytest.mark.parametrize("method", ["equipoise", "equipoise-zcdp", "data-dependent-icml"])
def test_a_record_has_the_fields_of_the_registry(study, ledger, tmp_path, method):
    written = record(study, ledger, tmp_path, method=method)
    check(written, SCHEMA)
    loss = written["deployment"]["privacy_loss"]["privacy_parameters"]
    assert loss["epsilon"] == 0.5
    assert ("delta" in loss) == (method == "equipoise-zcdp")
    assert written["deployment"]["basic"]["intended_use"] == NOT_STATED


def test_texts_stay_texts(study, ledger, tmp_path):
    said = {"use": f"{SCRIPT}: - {FORMULA} #\u2028x", "region": "no", "curator": "'1.0\\n\""}
    written = record(study, ledger, tmp_path, said, synthetic=10)["deployment"]["basic"]
    assert written["intended_use"] == f"{SCRIPT}: - {FORMULA} # x"
    assert written["data_product_region"] == "no"
    assert written["data_curators"] == [{"data_curator_name": "'1.0\\n\""}]
    assert written["data_product_type"] == "Synthetic data"


def test_a_schema_that_is_not_met_is_noticed(study, ledger, tmp_path):
    written = record(study, ledger, tmp_path)
    written["deployment"]["basic"]["sector"] = "x"
    with pytest.raises(AssertionError, match="basic"):
        check(written, SCHEMA)
