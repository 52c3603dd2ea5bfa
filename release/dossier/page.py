"""The page of a dossier: one HTML file, made from its document alone.

It loads nothing and runs nothing: no script, styles and pictures inside, a content policy that
allows this one style sheet and refuses everything else.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from figures.palette import PALETTE
from release.dossier import sections
from release.dossier.markup import Markup, element, facts, paragraph, section, style, table
from release.published import Document

STYLES = Path(__file__).with_name("dossier.css")
MARKS = {"pass": "✓", "fail": "✕", "note": "!"}
STATES = {"pass": "passes", "fail": "fails", "note": "note"}


def page(document: Document) -> str:
    """The whole page of a document."""
    colours = "".join(f"--{name}:{light};" for name, (light, _) in PALETTE.items())
    css = f":root{{{colours}}}\n{STYLES.read_text(encoding='utf-8')}"
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", document["title"]),
        style(css),
    )
    body = element("body", element("main", _sections(document)))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _sections(document: Document) -> Iterable[Markup]:
    """Every section that the document has something for."""
    released = document["status"] == "released"
    yield element(
        "header",
        element("h1", document["title"]),
        element("span", document["status"], class_="badge" if released else "badge waiting"),
    )
    yield _decision(document)
    yield from (show(document) for key, show in SECTIONS if document.get(key))
    lines = [element("div", role, class_="signature") for role in document["sign_off"]]
    yield element(
        "footer",
        element("div", lines, class_="signatures"),
        paragraph(
            f"{document['format']}, SHA-256 of its JSON ", element("code", document["checksum"])
        ),
    )


def _declared(document: Document) -> Markup:
    rows = [[row["title"], row["text"]] for row in document["declared"]]
    caption = paragraph("Stated by the steward and not checked by anyone here.")
    return section("What only the steward can say", caption, table(("about", "stated"), rows))


def _decision(document: Document) -> Markup:
    decision, guarantee = document["decision"], document["guarantee"]
    rows = [("Data", decision["data"])]
    if decision["release"]:
        rows += [("Release", decision["release"]), ("Time", decision["time"])]
    return element(
        "div",
        section(
            "Decision asked for", element("p", decision["asked"]),
            element("p", decision["checklist"]), facts(rows),
        ),
        section("Guarantee", element("p", guarantee["sentence"])),
        class_="columns",
    )  # fmt: skip


def _checklist(document: Document) -> Markup:
    caption = "Computed from public facts, the steward's statements and the ledger; no line looks "
    lines = element("ol", [_check(line) for line in document["checklist"]], class_="checks")
    return section("Checklist", paragraph(f"{caption}at the records."), lines)


def _check(line: Document) -> Markup:
    reason = []
    if line["reason"]:
        strong = element("strong", "Overridden: ")
        reason.append(paragraph(strong, line["reason"], class_="reason"))
    advice = [element("span", f" {line['advice']}", class_="advice")] if line["advice"] else []
    mark = element(
        "span", MARKS[line["state"]], class_=f"mark {line['state']}",
        aria_label=STATES[line["state"]],
    )  # fmt: skip
    return element(
        "li",
        mark,
        element("span", line["title"], class_="title"),
        element("span", line["number"], class_="figure"),
        element("p", f"{line['sentence'][:1].upper()}{line['sentence'][1:]}.", *advice),
        *reason,
        class_=line["state"],
    )


def _ledger(document: Document) -> Markup:
    ledger = document["ledger"]
    rows = [
        [e["id"], e["time"], e["what"], e["method"], e["state"], e["epsilon"], e["left"]]
        for e in ledger["entries"]
    ]
    delta = f", δ {ledger['delta_left']} of {ledger['delta_budget']}"
    told = f"Account {ledger['account']}, {ledger['neighbours']} neighbours: ε "
    told += f"{ledger['spent']} of {ledger['budget']} is spent, {ledger['left']} left{delta} left. "
    parts = [element("p", f"{told}What is spent cannot be had back.")]
    if rows:
        parts.append(table(("entry", "time", "what", "method", "state", "ε", "left"), rows, 2))
    for entry in ledger["entries"]:
        for word, key in (("overridden", "override"), ("signed by", "signed")):
            if entry.get(key):
                strong = element("strong", f"{entry['id']}, {word}: ")
                parts.append(paragraph(strong, entry[key], class_="reason"))
    receipt = ledger["receipt"]
    if receipt:
        number, digest = f"Receipt: entry {receipt['number']}, ", element("code", receipt["digest"])
        kept = ". Kept here, it shows if the ledger is rewritten later."
        parts.append(paragraph(number, digest, kept))
    return section("Budget of these data", *parts)


def _reproducibility(document: Document) -> Markup:
    repeated = document["reproducibility"]
    rows = [(name, version) for name, version in repeated["versions"].items()]
    parts = [facts(rows)]
    if repeated["command"]:
        words = [
            part
            for word in repeated["command"].split(" ")
            for part in (element("span", word) if word.startswith("--") else word, " ")
        ]
        parts.append(element("p", element("code", *words[:-1], class_="command")))
    if document["files"]:
        files = [
            [f["name"], element("code", f["sha256"]), f"{f['size']:,}"] for f in document["files"]
        ]
        parts.append(table(("file", "SHA-256", "bytes"), files, 1))
    told = "The plan and every number here can be computed again; the noise cannot, because its "
    return section("Reproducibility", *parts, paragraph(f"{told}entropy is not kept."))


def _study(document: Document) -> Markup:
    study = document["study"]
    rows = [[x["number"], x["sentence"], x["advice"]] for x in study["lines"]]
    return section(
        "Study section: private",
        paragraph(study["warning"], class_="reason"),
        table(("finding", "about", "what to do"), rows),
        class_="study",
    )


def _listed(title: str, key: str) -> tuple[str, Callable[[Document], Markup]]:
    """A section that is a list of sentences."""

    def show(document: Document) -> Markup:
        return section(title, element("ul", [element("li", x) for x in document[key]]))

    return key, show


SECTIONS: tuple[tuple[str, Callable[[Document], Markup]], ...] = (
    ("checklist", _checklist),
    ("risk", sections.risk_section),
    ("deployments", sections.deployments_section),
    ("criteria", sections.criteria_section),
    ("plan", sections.plan_section),
    ("graph", sections.graph_section),
    ("forecast", sections.forecast_section),
    ("intervals", sections.intervals_section),
    ("acceptance", sections.acceptance_section),
    ("guardrails", sections.guardrails_section),
    ("ledger", _ledger),
    ("declared", _declared),
    _listed("What is not protected", "unprotected"),
    _listed("How it is made", "making"),
    _listed("Assumptions", "assumptions"),
    ("reproducibility", _reproducibility),
    ("study", _study),
)
"""What a page shows, in this order: the part of the document, and what makes a section of it."""
