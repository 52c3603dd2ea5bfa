"""Dossier: the review of one release as one document.

The document is data; the page is made from it and from nothing else, so the two cannot differ. It
holds no private number: facts, plan, guarantees, forecast and ledger are public, and what was
computed from the exact rows (the study section) is left out unless the steward asks for it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict

from core.notation import short
from core.privbayes.learners import STRUCTURE
from release.dossier.card import CARD, card
from release.dossier.criteria_table import criteria, deployments
from release.dossier.numbers import acceptance, forecast, graph, guardrails, plan, risk, thresholds
from release.dossier.page import page
from release.dossier.registry_record import REGISTRY, registry_record
from release.dossier.unprotected import declarations, making, unprotected
from release.ledger.account import Account
from release.ledger.chain import canonical
from release.ledger.people import said_of
from release.ledger.spending import shown
from release.published import Document, Published
from release.review.checklist import Checklist
from release.review.checks_data import known_words
from release.review.facts import ORIGINS, Facts, Line
from release.review.proposal import Proposal
from release.uncertainty import described
from release.versions import versions
from release.words import counted, relation
from sources.text import listed

FORMAT = "equipoise dossier 1"
STUDY = (
    "Study: computed from the exact records, not private. Included because the steward asked for "
    "it; whoever receives this section learns more than the release reveals."
)
ROLES = ("Data steward, date", "Privacy officer, date")


def dossier(
    proposal: Proposal,
    checklist: Checklist,
    *,
    published: Published | None = None,
    account: Account | None = None,
    study: tuple[Line, ...] = (),
    command: str = "",
) -> Document:
    """The document of a proposal, or of the release that came of it.

    ``account`` is the ledger's account after the spend. ``study`` are lines computed from the
    exact rows: private, marked, and left out unless given. ``command`` repeats the review.
    """
    account = account or proposal.account
    document: Document = {
        "format": FORMAT,
        "title": f"Release dossier: {proposal.facts.name}, ε = {proposal.published_epsilon:g}",
        "status": "released" if published else "preview, nothing spent",
        "decision": _decision(proposal, checklist, published),
        "guarantee": _guarantee(proposal),
        "deployments": deployments(),
        "thresholds": thresholds(proposal.thresholds),
        "checklist": [asdict(line) for line in checklist.lines if line.basis != "study"],
        "graph": graph(published),
        "plan": plan(proposal, published),
        "risk": risk(proposal),
        "criteria": criteria(proposal),
        "forecast": forecast(proposal),
        "intervals": described(published) if published else None,
        "acceptance": acceptance(proposal, published),
        "guardrails": guardrails(proposal, published),
        "audit": _audit(proposal),
        "ledger": _ledger(account, published),
        "declared": declarations(proposal),
        "unprotected": list(unprotected(proposal)),
        "making": list(making(proposal)),
        "assumptions": _assumptions(proposal, account),
        "reproducibility": {"versions": dict(versions()), "command": command},
        "files": [asdict(file) for file in published.files] if published else [],
        "sign_off": list(ROLES),
        "study": {"warning": STUDY, "lines": [asdict(x) for x in study]} if study else None,
    }
    return {**document, "checksum": checksum(document)}


def checksum(document: Mapping[str, object]) -> str:
    """SHA-256 of the canonical JSON of everything but the checksum itself."""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def dossier_files(document: Document) -> dict[str, bytes]:
    """The document as JSON, the page made from it; of a release its record and card."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    files = {"dossier.html": page(document).encode(), "dossier.json": text.encode()}
    released = document["status"] == "released" and document["plan"]
    if not released:
        return files
    return {**files, REGISTRY: registry_record(document), CARD: card(document)}


def _decision(proposal: Proposal, checklist: Checklist, published: Published | None) -> Document:
    facts = proposal.facts
    records = f", learned from {counted(facts.records, 'record')}" if facts.records else ""
    what = f"the {counted(len(facts.network.variables), 'conditional')} of"
    if facts.structure == "learned":
        what = "a graph alone for" if proposal.method == STRUCTURE else f"a graph and {what}"
    return {
        "asked": f"Publish {what} {facts.name}{records}, with {proposal.method}.",
        "checklist": checklist.sentence,
        "verdict": checklist.verdict,
        "release": published.id if published else None,
        "time": published.time if published else None,
        "data": published.dataset if published else facts.name,
    }


def _guarantee(proposal: Proposal) -> Document:
    said = proposal.facts.statements
    epsilon, delta = proposal.unit_budget
    letters = f"ε = {proposal.published_epsilon:g}"
    letters += f" and δ = {short(proposal.delta, 6)}" if proposal.delta else ""
    graph = proposal.facts.structure_epsilon
    letters += f" ({graph:g} of ε for learning the graph)" if graph else ""
    if not said.unit:
        unit = "What one record stands for is not stated"
    elif said.per_unit == 1:
        unit = f"One record is one {said.unit}"
    else:
        unit = f"One {said.unit} has at most {said.per_unit} records, so ε = {epsilon:g} for it"
    return {
        "sentence": f"{letters} for {relation(proposal.scenario.neighbours)}. {unit}. Holds "
        "against any attacker, now or later."
        if proposal.preview
        else "None: nothing about this release is private.",
        "method": proposal.method,
        "epsilon": proposal.published_epsilon,
        "delta": proposal.delta,
        "neighbours": proposal.scenario.neighbours.value,
        "unit": said.unit,
        "records_per_unit": said.per_unit,
        "unit_epsilon": epsilon,
        "unit_delta": delta,
    }


def _audit(proposal: Proposal) -> Document | None:
    audit = proposal.audit
    if audit is None:
        return None
    return {
        "sentence": audit.sentence,
        "claimed": audit.claimed,
        "delta": audit.delta,
        "tested": asdict(audit.tested),
        "lower_bound": audit.lower_bound,
        "catches_half_the_noise": audit.catches_half,
        "confidence": audit.confidence,
        "trials": audit.trials,
        "verdict": audit.verdict,
    }


def _ledger(account: Account | None, published: Published | None) -> Document | None:
    if account is None:
        return None
    left, own = account.budget, published.id if published else None
    entries = []
    for line in account.lines:
        left -= line.epsilon
        entries.append(
            {
                "id": line.id,
                "what": line.what,
                "time": line.time,
                "method": line.method,
                "epsilon": shown(line.epsilon),
                "delta": shown(line.delta),
                "left": shown(left),
                "state": "this release" if line.id == own else line.state,
                "override": line.override,
                **({"signed": line.signed} if line.signed else {}),
            }
        )
    return {
        "account": account.name,
        "budget": shown(account.budget),
        "spent": shown(account.spent),
        "left": shown(account.remaining),
        "delta_budget": shown(account.delta_budget),
        "delta_left": shown(account.delta_remaining),
        "neighbours": account.neighbours.value,
        "entries": entries,
        "receipt": asdict(published.receipt) if published else None,
    }


def _domain(facts: Facts) -> str:
    if facts.inferred:
        return "The states were read off the records, which is not private"
    if facts.seen:
        return f"States of {listed(facts.seen)} were seen in the records, which is not private"
    if facts.public or facts.declared:
        known = f", known from {listed(facts.known_from)}" if facts.known_from else ""
        return f"Variables, states and bins are public{known}"
    if facts.statements.domain:
        return "The steward states that variables, states and bins are known without the records"
    return "Nobody says that the states of the network file are known without the records"


def _assumptions(proposal: Proposal, account: Account | None) -> list[str]:
    facts, said, options = proposal.facts, proposal.facts.statements, proposal.scenario.options
    settled = "Thresholds, method and ε were settled before the release, without the exact rows."
    if proposal.study_runs and not facts.public:
        seen = counted(proposal.study_runs, "study run")
        settled = f"Before ε was settled, {seen} compared errors with the exact rows."
    assumed = [
        f"{_domain(facts)}; the graph is {ORIGINS[facts.structure]}.",
        settled,
        "Noise is drawn as whole numbers from the operating system's entropy; no seed is kept.",
        "Releases of these data add up in the ledger; what is published elsewhere is not in it.",
        *(said_of(account) if account else ()),
    ]
    if options.informed:
        assumed.append(
            f"Stated public, not measured: {known_words(options)}. What is published there is "
            "what was stated, without noise."
        )
    if said.unit:
        assumed.append(
            f"The steward states that one {said.unit} has at most "
            f"{counted(said.per_unit, 'record')}."
        )
    if said.records:
        assumed.append(f"The steward states {said.records:,} as the public number of records.")
    return assumed
