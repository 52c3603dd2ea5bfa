"""ε of published deployments: facts, each as the public registry has it. Not a yardstick."""

from __future__ import annotations

from release.published import Document

SOURCE = "github.com/opendp/deployments-registry-data, read in November 2026"
CAVEAT = (
    f"As the public registry of deployments states it ({SOURCE}). Units differ, from one event to "
    "one person, and so do neighbours and δ: an ε of one row is not comparable with another, "
    "and none of them makes this one right."
)
LISTED = (
    ("FLEX, Uber (as evaluated)", "row of a table", "2018", 0.01),
    ("Community Mobility Reports, Google", "person on one day", "2020-04", 2.64),
    ("Live births 2014, Israeli Ministry of Health", "birth", "2024-02", 9.98),
    (
        "Victim-perpetrator synthetic data, IOM and Microsoft (δ 5.8·10⁻⁶)",
        "victim",
        "2023-03",
        12.0,
    ),
    ("Redistricting data 2020, U.S. Census Bureau (persons, δ 10⁻¹⁰)", "person", "2021-08", 17.14),
)


def deployments() -> Document:
    """The list with its caveat."""
    keys = ("name", "unit", "published", "epsilon")
    return {"caveat": CAVEAT, "listed": [dict(zip(keys, one, strict=True)) for one in LISTED]}
