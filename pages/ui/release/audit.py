"""The audit: a method on neighbouring made-up data, and what its outputs prove about its ε."""

from collections.abc import Iterator

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.notation import short
from figures.release import audit_figure
from pages.ui.kit import jobs, words
from pages.ui.kit.markdown import literal, sentence
from pages.ui.kit.messages import View
from pages.ui.kit.progress import watched
from pages.ui.kit.sheet import Words, figure_view, stacked
from pages.ui.release.numbers import Review, audit_key, audits
from release.audit.audited import Audit
from release.audit.auditing import Ask, auditing
from release.audit.planted import bugs_of

JOB = "release_audit"
TRIALS = (4_000, 20_000, 100_000)
NONE = "none: the method as it is"
WHY = (
    "The method runs many times on pairs of made-up data sets that differ in one record. If its "
    "outputs tell the two apart better than ε allows, or a noisy table better than its part of ε, "
    "the claim is wrong. Finding no violation is no proof of privacy: a copy with half the noise "
    "shows what would have been caught."
)


def section(review: Review) -> None:
    """Choose method, runs and perhaps a bug; run in the background; see the proof."""
    st.markdown("#### Audit the mechanism")
    st.caption(WHY)
    names = [name for name, m in (METHODS | LEARNERS).items() if m.guarantee.private]
    one, two, three, four = st.columns([2, 1.2, 2.6, 1], vertical_alignment="bottom")
    method = one.selectbox(
        "Method", names, names.index(review.asked.method), key=f"audit_of_{review.asked.method}"
    )
    trials = two.selectbox(
        "Runs each", TRIALS, 1, format_func="{:,}".format, key="audit_trials",
        persist_state="session",
    )  # fmt: skip
    bugs = bugs_of(method)
    titles = {name: bug.title for name, bug in bugs.items()}
    bug = three.selectbox(
        "Planted bug, for teaching",
        ["", *titles],
        format_func=lambda name: titles.get(name, NONE),
        key=f"audit_bug_{len(bugs)}",
        persist_state="session",
    )
    running = jobs.running(JOB)
    if four.button("Audit", key="audit_run", disabled=running, width="stretch"):
        try:
            _start(review, method, trials, bug)
        except EquipoiseError as problem:
            st.error(sentence(str(problem)), icon=":material/error:")
        else:
            st.rerun()
    watched(JOB, "Auditing", "blocks of runs")
    audit = audits().get(audit_key(method, review.asked.scenario, bug))
    if audit is not None and audit.pairs:
        st.markdown(literal(audit.sentence))
        stacked(view(audit)).mount(key="release_audited")
    elif not running:
        st.caption("Not audited yet with these knobs.")


def _start(review: Review, method: str, trials: int, bug: str) -> None:
    ask = Ask(method=method, scenario=review.asked.scenario, trials=trials, bug=bug)
    key, kept = audit_key(method, review.asked.scenario, bug), audits()

    def work() -> Iterator[None]:
        for state in auditing(ask):
            kept[key] = state
            yield

    jobs.start(JOB, key, len(ask.copies) * ask.steps, work)


def view(audit: Audit) -> View:
    """The result as a picture."""
    worst = max(audit.pairs, key=lambda shown: shown.lower_bound)
    delta = f", δ = {short(audit.delta, 6)}, {audit.where}" if audit.delta else ""
    texts = Words(
        title="The claim is broken" if audit.violated else "What the runs prove",
        subtitle=f"{audit.method}, ε = {audit.claimed:g}{delta}; {audit.trials:,} runs on each "
        "data set of each pair",
        caption=_caption(audit),
        alt=f"Proven ε of {len(audit.pairs)} pairs against {audit.tested.epsilon:.3g}; the most "
        f"is {worst.lower_bound:.2f} for {worst.pair}.",
        details={
            "Formula": "ε ≥ ln((p − δ)/q), p a lower and q an upper Clopper-Pearson bound of an "
            "output event's probability on the two data sets. An attacker trained on a quarter of "
            "the runs orders outputs, as does the likelihood ratio of the noisy tables, all "
            "together and each alone; a quarter chooses events, half test them; all bounds "
            "hold together.",
            "Source": "Jagielski, Ullman, Oprea 2020; release/audit/.",
            "Command line": _command(audit),
        },
        file="equipoise-audit.csv",
    )
    pairs = [s.pair for s in audit.pairs]
    bounds = [round(s.lower_bound, 4) for s in audit.pairs]
    claim = round(audit.tested.epsilon, 4)
    unit = f"ε proven at least, {100 * audit.confidence:g} % confidence"
    table: dict[str, list[object]] = {
        "pair of neighbours": [*pairs],
        "proven at least": [*bounds],
        "claim": [claim] * len(pairs),
    }
    return figure_view(
        "audited", texts, {"bounds": audit_figure(pairs, bounds, claim, unit)}, table
    )


def _caption(audit: Audit) -> str:
    """How far it came, and whether the checklist counts it."""
    ended = f"{len(audit.pairs)} pairs in {audit.seconds:.0f} s."
    if audit.done < audit.total:
        ended = f"{len(audit.pairs)} pairs so far; the rest was not run."
    if audit.power:
        ended = f"{ended} {audit.power}"
    if audit.bug:
        return f"{ended} A planted bug: this is not the method that would be released."
    return f"{ended} Rehearsal noise on made-up records; nothing private was looked at."


def _command(audit: Audit) -> str:
    scenario = audit.scenario
    knobs = (
        f"python cli.py audit --method {words.quoted(audit.method)} --epsilon {audit.claimed:g} "
        f"--trials {audit.trials} --neighbours {audit.neighbours} --split {scenario.split:g} "
        f"--rate {scenario.rate:g} --seed {scenario.seed} --delta {scenario.options.delta:g}"
    )
    bug = f"--planted {audit.bug}" if audit.bug else ""
    return " ".join(part for part in (knobs, words.flags(scenario.options), bug) if part)
