"""The three criteria of a dossier: singling out, linkability, inference about one person."""

from core.membership.criteria import largest_belief, matched, right_guesses
from core.membership.curves import Curve
from release.published import Document
from release.review.proposal import Proposal
from release.words import share

WEIGHT = 1e-7
"""Weight of a description that would single out: it fits one person in ten million."""

PRIORS = (0.5, 0.1)
"""How probable an attacker held one of two values before."""

ALARMS = 0.01


def criteria(proposal: Proposal) -> list[Document] | None:
    """A bound for each, from the composed curve of the plan; none without privacy."""
    curve = proposal.curve
    if curve is None:
        return None
    return [
        _singling_out(curve, proposal.facts.records),
        {
            "criterion": "Linkability (membership)",
            "question": f"a member is told from others at {share(ALARMS)} false alarms",
            "without": ALARMS,
            "most": matched(curve.powers, ALARMS),
            "not_promised": "Who is known to be in the data, or says so, is not hidden.",
        },
        *(_inference(proposal, curve, prior) for prior in PRIORS),
    ]


def _singling_out(curve: Curve, records: int) -> Document:
    people = records or 1
    whom = f"any of the {records:,} people" if records else "one given person"
    return {
        "criterion": "Singling out",
        "question": f"a description that fits one person in {1 / WEIGHT:,.0f}, written after the "
        f"release, fits {whom} in the data",
        "without": min(1.0, people * WEIGHT),
        "most": min(1.0, people * matched(curve.powers, WEIGHT)),
        "not_promised": "Records are taken as independent of each other; those of relatives, or "
        "of one person, are not.",
    }


def _inference(proposal: Proposal, curve: Curve, prior: float) -> Document:
    epsilon, delta = proposal.unit_budget
    believed = largest_belief(epsilon, proposal.scenario.neighbours, prior)
    belief = "" if delta else f"; belief after any outcome at most {share(believed)}"
    return {
        "criterion": "Inference about one person",
        "question": f"who knows all but one value of one person, of which one of two is held "
        f"{share(prior)} probable, guesses right{belief}",
        "without": max(prior, 1 - prior),
        "most": right_guesses(curve.powers, prior),
        "not_promised": "What follows from everyone together is learned with or without the "
        "person.",
    }


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
