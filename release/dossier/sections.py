"""Sections of a dossier's page that show numbers: risk, plan, forecast, guardrails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.study.quantities import ROW_ALIKE
from release.dossier.drawings import band_chart, noise_chart, plan_chart, risk_chart
from release.dossier.markup import Markup, element
from release.published import Document
from release.words import error, share

ONE_PAGE = 24
"""Most rows of a table that is kept on one page of paper."""


def section(title: str, *parts: Markup, class_: str | None = None) -> Markup:
    """A section with its heading."""
    return element("section", element("h2", title), *parts, class_=class_)


def table(head: Sequence[str], rows: Iterable[Sequence[str | Markup]], numbers: int = 0) -> Markup:
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


def facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Names with their values."""
    return element(
        "dl", [m for name, value in rows for m in (element("dt", name), element("dd", value))]
    )


def risk_section(risk: Document) -> Markup:
    """Members found at most against the steward's limits, and the curves."""
    rows = [
        [f"{100 * row['alarms']:g} %", share(row["found"]), share(row["limit"])]
        for row in risk["grid"]
    ]
    rows.append(["AUC (0.5 is guessing)", f"{risk['auc']:.3f}", f"{risk['auc_limit']:g}"])
    return section(
        "Risk of membership inference",
        element(
            "p",
            f"The most members that anyone finds, whatever they know ({risk['estimate']}).",
            class_="caption",
        ),
        table(("false alarms", "members found, at most", "limit"), rows, 2),
        element("figure", risk_chart(risk)),
    )


def criteria_section(criteria: Sequence[Document]) -> Markup:
    """Singling out, linkability, inference: what anyone reaches at most, and what is not said."""
    caption = (
        "Guarantees from the composed curve of the plan, for every attacker; proofs are in "
        "core/membership/criteria.py. Not attacks that were run."
    )
    rows = [
        [
            element("strong", row["criterion"]),
            element("span", f"{row['question']}. ",
                    element("span", f"Not promised: {row['not_promised']}", class_="advice")),
            _chance(row["without"]),
            _chance(row["most"]),
        ]
        for row in criteria
    ]  # fmt: skip
    return section(
        "Three criteria",
        element("p", caption, class_="caption"),
        table(("criterion", "what an attacker tries", "without it", "at most"), rows, 2),
    )


def _chance(value: float) -> str:
    return share(value) if value >= 1e-4 or not value else f"{100 * value:.1g} %"


def deployments_section(deployments: Document, epsilon: float) -> Markup:
    """ε among those of published deployments, smallest first."""
    rows = [[d["name"], d["unit"], d["published"], d["epsilon"]] for d in deployments["listed"]]
    rows.append(["this release, for one unit", "as stated", "", epsilon])
    rows.sort(key=lambda row: row[-1])
    return section(
        "ε among published deployments",
        element("p", deployments["caveat"], class_="caption"),
        table(("deployment", "ε is for one", "published", "ε"),
              [[*row[:-1], f"{row[-1]:g}"] for row in rows], 1),
    )  # fmt: skip


def plan_section(plan: Document, method: str) -> Markup:
    """Every measured table with budget and noise."""
    if not plan["tables"]:
        caption = "Which tables are measured follows from the graph that is drawn; the dossier of "
        caption += "the release lists every choice and every table."
        spent = [[name, exact, part] for name, part, exact in plan["parts"]]
        return section("Plan", element("p", caption, class_="caption"),
                       table(("part", "ε, exact", "ε"), spent, 2))  # fmt: skip
    chosen = [t for t in plan["tables"] if t["choice"]]
    what = f"{len(plan['tables']) - len(chosen)} tables, {plan['noise']} noise"
    if chosen:
        what = f"{len(chosen)} choices by {chosen[0]['noise']}, {what}"
    caption = f"{what}; exact fractions prove {plan['unit']} = {plan['cost_decimal']} in all"
    caption += "".join(f", {name} {part}" for name, part, _ in plan["parts"]) + "."
    if not (plan["public"] or chosen):
        caption += " The division of the second stage depends on the noisy first one."
    caption += " Budgets are rounded here; the JSON has the fractions."
    rows = [
        [
            f"{'choice of ' if t['choice'] else ''}{', '.join(t['variables'])}"
            or "number of records",
            f"{t['cells']:,}",
            element("span", f"{t['budget_decimal']:.6f}", title=t["budget"]),
            f"{t['scale_decimal']:,.4g}",
        ]
        for t in plan["tables"]
    ]
    return section(
        "Plan",
        element("p", caption, class_="caption"),
        element("figure", plan_chart(plan, method)),
        table(("in this order", "cells", plan["unit"], "noise scale, records"), rows, 3),
        class_="long" if len(rows) > ONE_PAGE else None,
    )


def graph_section(graph: Sequence[Document]) -> Markup:
    """The graph that was learned."""
    rows = [[row["variable"], ", ".join(row["parents"]) or "none"] for row in graph]
    return section(
        "Learned graph",
        table(("variable", "parents"), rows),
        class_="long" if len(rows) > ONE_PAGE else None,
    )


def forecast_section(forecast: Document, method: str) -> Markup:
    """Noise to expect, and what the rehearsal showed."""
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
    return section("Expected accuracy", *parts)


def guardrails_section(document: Document) -> Markup:
    """What the graph says, the audit, and the other limits."""
    rows = [[g["title"], g["number"], g["sentence"]] for g in document["guardrails"]]
    if document["audit"]:
        audit = document["audit"]
        at = f" at δ = {audit['tested']['delta']:.2g}" if audit["delta"] else ""
        rows.append(["Audit", f"ε ≥ {audit['lower_bound']:.3f}{at}", audit["sentence"]])
    limits = document["thresholds"]
    rows.append(
        [
            "Other limits",
            f"noise {share(limits['noise'])} of the records",
            f"{ROW_ALIKE.name} {error(limits['row_error'])}; ε {limits['epsilon']:g} counts as "
            f"strong, {limits['epsilon_most']:g} is the most that is usual",
        ]
    )
    return section("Guardrails and limits", table(("what", "number", "meaning"), rows))
