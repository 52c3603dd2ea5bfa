"""The page of a dossier: one HTML file, made from its document alone.

It loads nothing and runs nothing: no script, styles and pictures inside, a content policy that
allows this one style sheet and refuses everything else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from release.drawings import band_chart, noise_chart, plan_chart, risk_chart
from release.markup import Markup, element, style
from release.palette import PALETTE
from release.published import Document
from release.words import error, share

STYLES = Path(__file__).with_name("dossier.css")
MARKS = {"pass": "✓", "fail": "✕", "note": "!"}
ONE_PAGE = 24
"""Most rows of a table that is kept on one page of paper."""

STATES = {"pass": "passes", "fail": "fails", "note": "note"}


def page(document: Document) -> str:
    """The whole page of a document."""
    css = _css()
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


def _css() -> str:
    colours = "".join(f"--{name}:{light};" for name, (light, _) in PALETTE.items())
    return f":root{{{colours}}}\n{STYLES.read_text(encoding='utf-8')}"


def _sections(document: Document) -> Iterable[Markup]:
    yield _header(document)
    yield _decision(document)
    yield _checklist(document["checklist"])
    if document["risk"]:
        yield _risk(document["risk"])
    if document["plan"]:
        yield _plan(document["plan"], document["guarantee"]["method"])
    yield _forecast(document["forecast"], document["guarantee"]["method"])
    yield _guardrails(document)
    if document["ledger"]:
        yield _ledger(document["ledger"])
    assumed = [element("li", x) for x in document["assumptions"]]
    yield _section("Assumptions", element("ul", assumed))
    yield _reproducibility(document)
    if document["study"]:
        yield _study(document["study"])
    yield _footer(document)


def _section(title: str, *parts: Markup, class_: str | None = None) -> Markup:
    return element("section", element("h2", title), *parts, class_=class_)


def _table(head: Sequence[str], rows: Iterable[Sequence[str | Markup]], numbers: int = 0) -> Markup:
    """A table whose last ``numbers`` columns hold numbers."""
    first = len(head) - numbers

    def kind(column: int) -> str | None:
        return "number" if column >= first else None

    top = [element("th", text, class_=kind(i), scope="col") for i, text in enumerate(head)]
    body = [
        element("tr", [element("td", cell, class_=kind(i)) for i, cell in enumerate(row)])
        for row in rows
    ]
    return element("table", element("thead", element("tr", top)), element("tbody", body))


def _facts(rows: Iterable[tuple[str, str]]) -> Markup:
    return element(
        "dl", [m for name, value in rows for m in (element("dt", name), element("dd", value))]
    )


def _header(document: Document) -> Markup:
    released = document["status"] == "released"
    return element(
        "header",
        element("h1", document["title"]),
        element("span", document["status"], class_="badge" if released else "badge waiting"),
    )


def _decision(document: Document) -> Markup:
    decision, guarantee = document["decision"], document["guarantee"]
    rows = [("Data", decision["data"])]
    if decision["release"]:
        rows += [("Release", decision["release"]), ("Time", decision["time"])]
    return element(
        "div",
        _section(
            "Decision asked for", element("p", decision["asked"]),
            element("p", decision["checklist"]), _facts(rows),
        ),
        _section("Guarantee", element("p", guarantee["sentence"])),
        class_="columns",
    )  # fmt: skip


def _checklist(lines: Sequence[Document]) -> Markup:
    return _section(
        "Checklist",
        element(
            "p",
            "Computed from public facts, the steward's statements and the ledger; no line looks at "
            "the records.",
            class_="caption",
        ),
        element("ol", [_check(line) for line in lines], class_="checks"),
    )


def _check(line: Document) -> Markup:
    reason = (
        [element("p", element("strong", "Overridden: "), line["reason"], class_="reason")]
        if line["reason"]
        else []
    )
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


def _risk(risk: Document) -> Markup:
    rows = [
        [f"{100 * row['alarms']:g} %", share(row["found"]), share(row["limit"])]
        for row in risk["grid"]
    ]
    rows.append(["AUC (0.5 is guessing)", f"{risk['auc']:.3f}", f"{risk['auc_limit']:g}"])
    return _section(
        "Risk of membership inference",
        element(
            "p",
            f"The most members that anyone finds, whatever they know ({risk['estimate']}).",
            class_="caption",
        ),
        _table(("false alarms", "members found, at most", "limit"), rows, 2),
        element("figure", risk_chart(risk)),
    )


def _plan(plan: Document, method: str) -> Markup:
    caption = (
        f"{len(plan['tables'])} tables, {plan['noise']} noise; exact fractions prove "
        f"{plan['unit']} = {plan['cost_decimal']} in all."
    )
    if not plan["public"]:
        caption += " The division of the second stage depends on the noisy first one."
    caption += " Budgets are rounded here; the JSON has the fractions."
    rows = [
        [
            ", ".join(t["variables"]) or "number of records",
            f"{t['cells']:,}",
            element("span", f"{t['budget_decimal']:.6f}", title=t["budget"]),
            f"{t['scale_decimal']:,.4g}",
        ]
        for t in plan["tables"]
    ]
    return _section(
        "Plan",
        element("p", caption, class_="caption"),
        element("figure", plan_chart(plan, method)),
        _table(("table over", "cells", plan["unit"], "noise scale, records"), rows, 3),
        class_="long" if len(rows) > ONE_PAGE else None,
    )


def _forecast(forecast: Document, method: str) -> Markup:
    parts: list[Markup] = []
    if forecast["noise"]:
        worst = max(forecast["noise"], key=lambda row: row["deviation"])
        bound = "at most " if forecast["most"] else ""
        parts += [
            element(
                "p",
                f"Noise of each family's counts, from public facts only: {bound}±"
                f"{worst['deviation']:,.3g} records for {worst['variable']}, less for the others.",
            ),
            element("figure", noise_chart(forecast["noise"], method)),
        ]
    seen = forecast["rehearsal"]
    if seen:
        parts += [
            element(
                "p",
                f"Rehearsed on {seen['title']}: {seen['records']:,} public records, "
                f"{seen['runs']:,} runs at ε = {seen['epsilon']:g}. Total difference of "
                "probabilities, median with the 50, 80 and 95 % of runs.",
            ),
            element("figure", band_chart(seen["bands"], method)),
        ]
    if not parts:
        parts.append(element("p", "No forecast: public facts do not give the noise, and no "
                             "rehearsal was run."))  # fmt: skip
    return _section("Expected accuracy", *parts)


def _guardrails(document: Document) -> Markup:
    rows = [[g["title"], g["number"], g["sentence"]] for g in document["guardrails"]]
    if document["audit"]:
        audit = document["audit"]
        rows.append(["Audit", f"ε ≥ {audit['lower_bound']:.3f}", audit["sentence"]])
    limits = document["thresholds"]
    rows.append(
        [
            "Other limits",
            f"noise {share(limits['noise'])} of the records",
            f"error of a row {error(limits['row_error'])}; ε {limits['epsilon']:g} counts as "
            f"strong, {limits['epsilon_most']:g} is the most that is usual",
        ]
    )
    return _section(
        "Guardrails and limits", _table(("what", "number", "meaning"), rows)
    )


def _ledger(ledger: Document) -> Markup:
    rows = [
        [e["id"], e["time"], e["what"], e["method"], e["state"], e["epsilon"], e["left"]]
        for e in ledger["entries"]
    ]
    delta = f", δ {ledger['delta_left']} of {ledger['delta_budget']}"
    parts = [
        element(
            "p",
            f"Account {ledger['account']}, {ledger['neighbours']} neighbours: ε "
            f"{ledger['spent']} of {ledger['budget']} is spent, {ledger['left']} left{delta} left. "
            "What is spent cannot be had back.",
        )
    ]
    if rows:
        parts.append(_table(("entry", "time", "what", "method", "state", "ε", "left"), rows, 2))
    for entry in ledger["entries"]:
        if entry["override"]:
            parts.append(
                element("p", element("strong", f"{entry['id']}, overridden: "), entry["override"],
                        class_="reason")
            )  # fmt: skip
    receipt = ledger["receipt"]
    if receipt:
        parts.append(
            element(
                "p",
                f"Receipt: entry {receipt['number']}, ",
                element("code", receipt["digest"]),
                ". Kept here, it shows if the ledger is rewritten later.",
                class_="caption",
            )
        )
    return _section("Budget of these data", *parts)


def _reproducibility(document: Document) -> Markup:
    found = document["reproducibility"]
    rows = [(name, version) for name, version in found["versions"].items()]
    parts = [_facts(rows)]
    if found["command"]:
        parts.append(element("p", element("code", found["command"], class_="command")))
    if document["files"]:
        files = [
            [f["name"], element("code", f["sha256"]), f"{f['size']:,}"] for f in document["files"]
        ]
        parts.append(_table(("file", "SHA-256", "bytes"), files, 1))
    parts.append(
        element(
            "p",
            "The plan and every number here can be computed again; the noise cannot, because its "
            "entropy is not kept.",
            class_="caption",
        )
    )
    return _section("Reproducibility", *parts)


def _study(study: Document) -> Markup:
    rows = [[x["number"], x["sentence"], x["advice"]] for x in study["lines"]]
    return _section(
        "Study section: private",
        element("p", study["warning"], class_="reason"),
        _table(("finding", "about", "what to do"), rows),
        class_="study",
    )


def _footer(document: Document) -> Markup:
    lines = [element("div", role, class_="signature") for role in document["sign_off"]]
    return element(
        "footer",
        element("div", lines, class_="signatures"),
        element(
            "p",
            f"{document['format']}, SHA-256 of its JSON ",
            element("code", document["checksum"]),
            class_="caption",
        ),
    )
