"""The audit: a method on neighbouring made-up data, and what its outputs prove about its ε."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from figures.release import audit_figure
from pages.ui.kit import jobs, words
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.messages import View
from pages.ui.kit.progress import watched
from pages.ui.kit.sheet import Words, figure_view
from pages.ui.release.numbers import Review, audit_key, audits
from pages.ui.release.views import alone
from release.audit.audited import Audit
from release.audit.auditing import Ask, auditing
from release.audit.planted import PLANTED

JOB = "release_audit"
TRIALS = (4_000, 20_000, 100_000)
NONE = "none: the method as it is"
WHY = (
    "The method runs many times on pairs of made-up data sets that differ in one record. If its "
    "outputs tell the two apart better than ε allows, or a noisy table better than its part of ε, "
    "the claim is wrong. Finding nothing proves nothing: a copy with half the noise shows what "
    "would have been caught."
)


def section(review: Review) -> None:
    """Choose method, runs and perhaps a bug; run in the background; see the proof."""
    st.markdown("#### Audit the mechanism")
    st.caption(WHY)
    names = [name for name, method in METHODS.items() if method.guarantee.private]
    one, two, three, four = st.columns([2, 1.2, 2.6, 1], vertical_alignment="bottom")
    method = one.selectbox(
        "Method", names, names.index(review.asked.method), key=f"audit_of_{review.asked.method}"
    )
    trials = two.selectbox(
        "Runs each", TRIALS, 1, format_func="{:,}".format, key="audit_trials",
        persist_state="session",
    )  # fmt: skip
    bug = three.selectbox(
        "Planted bug, for teaching",
        ["", *PLANTED],
        format_func=lambda name: PLANTED[name].title if name else NONE,
        key="audit_bug",
        persist_state="session",
    )
    job = jobs.current(JOB)
    running = job is not None and job.alive
    if four.button("Audit", key="audit_run", disabled=running, width="stretch"):
        try:
            _start(review, method, trials, bug)
        except EquipoiseError as problem:
            refuse(problem)
        else:
            st.rerun()
    watched(JOB, "Auditing", "blocks of runs")
    found = audits().get(audit_key(method, review.asked.scenario, bug))
    if found is not None and found.pairs:
        st.markdown(literal(found.sentence))
        alone(view(found)).mount(key="release_audited")
    elif not running:
        st.caption("Not audited yet with these knobs.")


def _start(review: Review, method: str, trials: int, bug: str) -> None:
    ask = Ask(method=method, scenario=review.asked.scenario, trials=trials, bug=bug)
    key, found = audit_key(method, review.asked.scenario, bug), audits()

    def work() -> Iterator[None]:
        for state in auditing(ask):
            found[key] = state
            yield

    jobs.start(JOB, key, len(ask.copies) * ask.steps, work)


def view(found: Audit) -> View:
    """The result as a picture."""
    worst = max(found.pairs, key=lambda shown: shown.lower_bound)
    delta = f", δ = {found.delta:g}, {found.where}" if found.delta else ""
    texts = Words(
        title="The claim is broken" if found.violated else "What the runs prove",
        subtitle=f"{found.method}, ε = {found.claimed:g}{delta}; {found.trials:,} runs on each "
        "data set of each pair",
        caption=_caption(found),
        alt=f"Proven ε of {len(found.pairs)} pairs against {found.tested.epsilon:.3g}; the most "
        f"is {worst.lower_bound:.2f} for {worst.pair}.",
        details=(
            (
                "Formula",
                "ε ≥ ln((p − δ)/q), p a lower and q an upper Clopper-Pearson bound of an output "
                "event's probability on the two data sets. An attacker trained on a quarter of the "
                "runs orders outputs, as does the likelihood ratio of the noisy tables, all "
                "together and each alone; a quarter chooses events, half test them; all bounds "
                "hold together.",
            ),
            ("Source", "Jagielski, Ullman, Oprea 2020; release/audit/."),
            ("Command line", _command(found)),
        ),
        file="equipoise-audit.csv",
    )
    pairs = [s.pair for s in found.pairs]
    bounds = [round(s.lower_bound, 4) for s in found.pairs]
    claim = round(found.tested.epsilon, 4)
    unit = f"ε proven at least, {100 * found.confidence:g} % confidence"
    table: dict[str, list[object]] = {
        "pair of neighbours": [*pairs],
        "proven at least": [*bounds],
        "claim": [claim] * len(pairs),
    }
    return figure_view(
        "audited", texts, {"bounds": audit_figure(pairs, bounds, claim, unit)}, table
    )


def _caption(found: Audit) -> str:
    """How far it came, and whether the checklist counts it."""
    ended = f"{len(found.pairs)} pairs in {found.seconds:.0f} s."
    if found.done < found.total:
        ended = f"{len(found.pairs)} pairs so far; the rest was not run."
    if found.power:
        ended = f"{ended} {found.power}"
    if found.bug:
        return f"{ended} A planted bug: this is not the method that would be released."
    return f"{ended} Rehearsal noise on made-up records; nothing private was looked at."


def _command(found: Audit) -> str:
    """The same audit from a shell."""
    scenario = found.scenario
    knobs = (
        f"python cli.py audit --method {words.quoted(found.method)} --epsilon {found.claimed:g} "
        f"--trials {found.trials} --neighbours {found.neighbours} --split {scenario.split:g} "
        f"--rate {scenario.rate:g} --seed {scenario.seed} --delta {scenario.options.delta:g}"
    )
    bug = f"--planted {found.bug}" if found.bug else ""
    return " ".join(part for part in (knobs, words.flags(scenario.options), bug) if part)
