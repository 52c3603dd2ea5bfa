"""A record for the public registry of deployments, made from the dossier's document alone.

The form is that of https://github.com/opendp/deployments-registry-data: one YAML file for each
deployment. What the steward has not stated is written as such, for them to fill in.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from release.published import Document
from release.words import counted

REGISTRY = "registry.yaml"

HEADER = "# Draft for the public registry of deployments; read it before you send it."


def registry_record(document: Document) -> bytes:
    """The YAML of a released dossier; every text is quoted, so that none becomes structure."""
    return f"{HEADER}\n{''.join(_yaml(_record(document), 0))}".encode()


def _record(document: Document) -> Document:
    said = {row["key"]: row["text"] for row in document["declared"]}
    return {
        "url_slug": f"equipoise-{document['decision']['release']}",
        "deployment": {
            "basic": _basic(document, said),
            "dp_variant": {
                "variant_name": _variant(document),
                "data_domain": said["population"],
                "unprotected_quantities": " ".join(document["unprotected"]),
            },
            "privacy_loss": _privacy_loss(document),
            "deployment_model": {
                "model_name": "Central",
                "actors": said["actors"],
                "release_type": "One release",
                "release_type_details": said["later"],
                "data_source_type": "Static",
                "access_type": "Non-interactive",
            },
            "accounting": {
                "post_processing": next(x for x in document["making"] if "rocessing" in x),
                "composition": f"Sequential, in exact fractions: {document['plan']['unit']} = "
                f"{document['plan']['cost_decimal']} for this release.",
            },
            "implementation": _implementation(document, said),
            "administrative": {
                "evidence_sources": {"dossier": {"evidence_source_type": _EVIDENCE,
                                                 "sha256": document["checksum"]}},
                "status": "Draft",
                "registry_authors": [said["contact"]],
                "tier": 3,
            },
        },
    }  # fmt: skip


_EVIDENCE = "Formal publication by the deploying organization"


def _basic(document: Document, said: Mapping[str, str]) -> Document:
    records = any(file["name"] == "records.csv" for file in document["files"])
    return {
        "name": document["decision"]["data"],
        "data_curators": [{"data_curator_name": said["curator"]}],
        "description": document["decision"]["asked"],
        "intended_use": said["use"],
        "data_product_type": "Synthetic data" if records else "Machine learning model",
        "data_product_region": said["region"],
        "data_product_sector": said["sector"],
        "publication_date": document["decision"]["time"][:10],
    }


def _variant(document: Document) -> str:
    """ε and δ by way of rho are stated as approximate: that is what was asked for."""
    return "Approximate DP" if document["guarantee"]["delta"] else "Pure DP"


def _privacy_loss(document: Document) -> Document:
    guarantee = document["guarantee"]
    parameters = {"epsilon": guarantee["unit_epsilon"]}
    if guarantee["unit_delta"]:
        parameters["delta"] = guarantee["unit_delta"]
    return {
        "privacy_unit": guarantee["unit"] or "not stated",
        "privacy_unit_details": f"{guarantee['neighbours']}; at most "
        f"{counted(guarantee['records_per_unit'], 'record')} of one unit",
        "privacy_parameters": parameters,
        "privacy_parameters_details": guarantee["sentence"],
    }


def _implementation(document: Document, said: Mapping[str, str]) -> Document:
    versions = ", ".join(f"{k} {v}" for k, v in document["reproducibility"]["versions"].items())
    return {
        "preprocessing_and_hyperparameter_tuning": " ".join(document["assumptions"][:2]),
        "mechanisms": f"{document['guarantee']['method']}, {document['plan']['noise']} noise drawn "
        f"as whole numbers ({versions}). {document['making'][-1]} Security of the records: "
        f"{said['security']}.",
        "justification": said["reason"],
    }


def _yaml(value: object, depth: int) -> Iterator[str]:
    """Lines of a mapping or of a list."""
    pad = "  " * depth
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, Mapping | list):
                yield f"{pad}{key}:\n"
                yield from _yaml(item, depth + 1)
            else:
                yield f"{pad}{key}: {_scalar(item)}\n"
    elif isinstance(value, Sequence):
        for item in value:
            if isinstance(item, Mapping):
                yield f"{pad}-\n"
                yield from _yaml(item, depth + 1)
            else:
                yield f"{pad}- {_scalar(item)}\n"


def _scalar(value: object) -> str:
    """A number as JSON has it, a text in quotes: both are YAML."""
    if isinstance(value, str):
        return json.dumps("".join(c if c.isprintable() else " " for c in value), ensure_ascii=False)
    if isinstance(value, float):
        mantissa, _, power = f"{value!r}".partition("e")
        exact = mantissa if "." in mantissa else f"{mantissa}.0"
        return f"{exact}e{int(power):+d}" if power else exact
    return json.dumps(value)
