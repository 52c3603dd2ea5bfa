"""Sections of a dossier's page that show numbers: risk, plan, forecast, guardrails."""

from collections.abc import Sequence

from core.notation import short
from core.study.quantities import ROW_ALIKE
from release.dossier.drawings import band_chart, noise_chart, plan_chart, risk_chart
from release.dossier.markup import Markup, element, paragraph, section, table
from release.published import Document
from release.rationals import fraction
from release.words import GROUP_HEAD, GROUPS, error, group_rows, noise_name, share

ONE_PAGE = 24
"""Most rows of a table that is kept on one page of paper."""


def risk_section(document: Document) -> Markup:
    """Members found at most against the steward's limits, and the curves."""
    risk = document["risk"]
    rows = [
        [f"{100 * row['alarms']:g} %", share(row["found"]), share(row["limit"])]
        for row in risk["grid"]
    ]
    rows.append(["AUC (0.5 is guessing)", f"{risk['auc']:.3f}", f"{risk['auc_limit']:g}"])
    return section(
        "Risk of membership inference",
        paragraph(f"The most members that anyone finds, whatever they know ({risk['estimate']})."),
        table(("false alarms", "members found, at most", "limit"), rows, 2),
        element("figure", risk_chart(risk)),
    )


def criteria_section(document: Document) -> Markup:
    """Singling out, linkability, inference: what anyone reaches at most, and what is not said."""
    caption = (
        "Guarantees from the same curve as the risk above, for every attacker; proofs are in "
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
        for row in document["criteria"]
    ]  # fmt: skip
    return section(
        "Three criteria",
        paragraph(caption),
        table(("criterion", "what an attacker tries", "without it", "at most"), rows, 2),
    )


def _chance(value: float) -> str:
    return share(value) if value >= 1e-4 or not value else f"{100 * value:.1g} %"


def deployments_section(document: Document) -> Markup:
    """ε among those of published deployments, smallest first."""
    deployments, epsilon = document["deployments"], document["guarantee"]["unit_epsilon"]
    rows = [[d["name"], d["unit"], d["published"], d["epsilon"]] for d in deployments["listed"]]
    rows.append(["this release, for one unit", "as stated", "", epsilon])
    rows.sort(key=lambda row: row[-1])
    return section(
        "ε among published deployments",
        paragraph(deployments["caveat"]),
        table(("deployment", "ε is for one", "published", "ε"),
              [[*row[:-1], f"{row[-1]:g}"] for row in rows], 1),
    )  # fmt: skip


def plan_section(document: Document) -> Markup:
    """Every measured table with budget and noise."""
    plan, method = document["plan"], document["guarantee"]["method"]
    if not plan["tables"]:
        caption = "Which tables are measured follows from the graph that is drawn; the dossier of "
        caption += "the release lists every choice and every table."
        spent = [[name, exact, part] for name, part, exact in plan["parts"]]
        parts = table(("part", f"{plan['unit']}, exact", plan["unit"]), spent, 2)
        return section("Plan", paragraph(caption), parts)
    chosen = [t for t in plan["tables"] if t["choice"]]
    what = f"{len(plan['tables']) - len(chosen)} tables, {noise_name(plan['noise'])} noise"
    if chosen:
        what = f"{len(chosen)} choices by {chosen[0]['noise']}, {what}"
    caption = f"{what}; exact fractions prove {plan['unit']} = {plan['cost_decimal']} in all"
    caption += "".join(f", {name} {part}" for name, part, _ in plan["parts"])
    wanted = document["acceptance"]
    if wanted:
        caption += f"; acceptance ε = {float(fraction(wanted['epsilon'])):g} beside it"
    caption += "."
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
    head = ("in this order", "cells", plan["unit"], "noise scale, records")
    chart = element("figure", plan_chart(plan, method))
    return _long("Plan", rows, paragraph(caption), chart, table(head, rows, 3))


def _long(title: str, rows: Sequence[object], *parts: Markup) -> Markup:
    return section(title, *parts, class_="long" if len(rows) > ONE_PAGE else None)


def graph_section(document: Document) -> Markup:
    """The graph that was learned."""
    rows = [[row["variable"], ", ".join(row["parents"]) or "none"] for row in document["graph"]]
    return _long("Learned graph", rows, table(("variable", "parents"), rows))


def forecast_section(document: Document) -> Markup:
    """Noise to expect, and what the rehearsal showed."""
    forecast, method = document["forecast"], document["guarantee"]["method"]
    parts: list[Markup] = []
    if forecast["noise"]:
        worst = max(forecast["noise"], key=lambda row: row["deviation"])
        bound = "at most " if forecast["most"] else ""
        told = f"Noise of each family's counts, from public facts only: {bound}±"
        told += f"{worst['deviation']:,.3g} records for {worst['variable']}, less for the others."
        chart = noise_chart(forecast["noise"], method)
        parts += [element("p", told), element("figure", chart)]
    seen = forecast["rehearsal"]
    if seen:
        told = f"Rehearsed on {seen['title']}: {seen['records']:,} public records, "
        told += f"{seen['runs']:,} runs at ε = {seen['epsilon']:g}. Total difference of "
        told += "probabilities, median with the 50, 80 and 95 % of runs."
        parts += [element("p", told), element("figure", band_chart(seen["bands"], method))]
        if seen["groups"]:  # who bears the error: rows by size, people by a state
            parts += [paragraph(GROUPS), table(GROUP_HEAD, group_rows(seen["groups"]), 4)]
    if not parts:
        told = "No forecast: public facts do not give the noise, and no rehearsal was run."
        parts.append(element("p", told))
    return section("Expected accuracy", *parts)


def acceptance_section(document: Document) -> Markup:
    """Criteria that are tested privately after the draw."""
    wanted = document["acceptance"]
    epsilon = float(fraction(wanted["epsilon"]))
    caption = (
        f"Tested with noise after the model is made, for ε = {epsilon:g} of this "
        "release. Where one fails, nothing is published and all of ε stays spent. "
        f"Forecast: {wanted['forecast']}."
    )
    rows = [
        [c["words"], c["verdict"], c["epsilon"], f"{c['scale']:,.3g}"] for c in wanted["criteria"]
    ]
    return section(
        "Acceptance",
        paragraph(caption),
        table(("criterion", "verdict", "ε", "noise scale, records"), rows, 2),
    )


def intervals_section(document: Document) -> Markup:
    """How much the release leaves open, variable by variable."""
    intervals = document["intervals"]
    if "absent" in intervals:
        return section("Intervals", element("p", intervals["absent"]))
    caption = (
        f"{100 * intervals['level']:g} % intervals of every probability are in "
        f"{intervals['file']}, from the noisy tables alone. {intervals['about']} Width of a row: "
        "of the least certain of its states. Little is known of a row wider than 0.5."
    )
    rows = [
        [
            r["variable"],
            f"{r['rows']:,}",
            *map(error, (r["median"], r["widest"])),
            f"{r['little']:,}",
        ]
        for r in intervals["variables"]
    ]
    head = ("variable", "rows", "median width", "widest", "little known")
    return _long("Intervals", rows, paragraph(caption), table(head, rows, 4))


def guardrails_section(document: Document) -> Markup:
    """What the graph says, the audit, and the other limits."""
    rows = [[g["title"], g["number"], g["sentence"]] for g in document["guardrails"]]
    if document["audit"]:
        audit = document["audit"]
        at = f" at δ = {short(audit['tested']['delta'])}" if audit["delta"] else ""
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
