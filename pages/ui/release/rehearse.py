"""Rehearse in public: the plan on records that are nobody's, before anything is spent."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import method_named
from core.privbayes.learners import STRUCTURE
from core.study.quantities import QUANTITIES
from figures.release import rehearsal_figure, rehearsal_table
from pages.ui.kit import jobs, limits
from pages.ui.kit.markdown import literal, sentence, written
from pages.ui.kit.messages import View
from pages.ui.kit.progress import watched
from pages.ui.kit.sheet import Words, figure_view, stacked
from pages.ui.kit.state import KEEP
from pages.ui.release import words
from pages.ui.release.fields import key_of, slot
from pages.ui.release.numbers import Review, rehearsal_key, rehearsals
from pages.ui.release.paying import released
from release.review import rehearsing
from release.review.standin import DRAWS, StandIn, StandInRehearsal
from release.words import GROUP_HEAD, GROUPS, group_rows
from sources.networks import EXTENSIONS
from sources.study import File

JOB = "release_rehearsal"
OWN, FILE, LAST, RANDOM = (
    "the network's own parameters",
    "a file of an earlier release",
    "the last release of this session",
    "uniformly random tables",
)
WHY = (
    "Choosing ε by errors measured on the private rows is itself a leak. A stand-in has the same "
    "variables and as many records, and nobody's."
)


def section(review: Review) -> None:
    """Choose a stand-in, run, see what to expect."""
    st.markdown("#### Rehearse in public")
    st.caption(WHY)
    left, middle, right = st.columns([2.4, 1.6, 1.1], vertical_alignment="bottom")
    kind = left.selectbox(
        "Stand-in: records drawn from", _kinds(review), key="rehearse_kind",
        **KEEP,
    )  # fmt: skip
    middle.selectbox(
        "Who bears the error, by", review.choice.network.names, None, placeholder="size alone",
        key=key_of("group_by", slot(review.choice)),
        disabled=method_named(review.asked.method).learns, **KEEP,
    )  # fmt: skip
    file = None
    if kind == FILE:
        file = st.file_uploader(
            "Network file with probabilities, over the same variables",
            [e[1:] for e in EXTENSIONS if e != ".csv"],
            key="rehearse_file",
            max_upload_size=limits.upload_megabytes(),
        )
    running = jobs.running(JOB)
    asked = right.button(
        "Rehearse", key="rehearse_run", width="stretch",
        disabled=running or (kind == FILE and file is None),
    )  # fmt: skip
    if asked:
        try:
            given = None if file is None else (file.name, file.getvalue())
            _start(review, _stand_in(review, kind, given))
        except EquipoiseError as problem:
            st.error(sentence(str(problem)), icon=":material/error:")
        else:
            st.rerun()
    watched(JOB, "Rehearsing", "pools")
    rehearsal = review.proposal.rehearsal
    if rehearsal is not None:
        st.markdown(written(words.rehearsed(rehearsal)))
        stacked(view(review, rehearsal)).mount(key="release_rehearsed")
        _groups(rehearsal)
    elif not running:
        st.caption("Not rehearsed yet at this ε, method, graph and grouping.")


def _groups(rehearsal: StandInRehearsal) -> None:
    if rehearsal.groups:
        rows = group_rows(map(asdict, rehearsal.groups))
        told = [dict(zip(GROUP_HEAD, map(literal, row), strict=True)) for row in rows]
        st.table(told, border="horizontal", hide_index=True, alt="Who bears the error.")
        st.caption(GROUPS)


def _kinds(review: Review) -> list[str]:
    own = [OWN] if rehearsing.has_own(review.seen.request) else []
    done = released(review.choice)
    last = [LAST] if done and done[-1].published.method != STRUCTURE else []  # it has no tables
    return [*own, *last, RANDOM, FILE]


def _stand_in(review: Review, kind: str, file: File | None) -> StandIn:
    request = review.seen.request
    if kind == LAST:
        return rehearsing.last_release(request, released(review.choice)[-1].published)
    return rehearsing.stand_in(
        request,
        rehearsing.OWN if kind == OWN else rehearsing.RANDOM,
        file if kind == FILE else None,
        review.place.existing(),
    )


def _start(review: Review, stand_in: StandIn) -> None:
    request, kept = review.seen.request, rehearsals()
    key, runs = rehearsal_key(request), rehearsing.rehearsal(request, stand_in)

    def work() -> Iterator[None]:
        for result in runs:
            kept[key] = result
            yield

    jobs.start(JOB, key, DRAWS, work)


def view(review: Review, rehearsal: StandInRehearsal) -> View:
    """The result as a picture."""
    row, measured = rehearsal.band, [QUANTITIES[name] for name in rehearsal.bands]
    texts = Words(
        title="What to expect",
        subtitle=f"{rehearsal.records:,} public records, {rehearsal.runs:,} runs; bands hold 50, "
        "80 and 95 % of them, the line is the median",
        caption=words.beyond(rehearsal, review.asked.thresholds.row_error),
        alt=f"Errors on {rehearsal.title}: {rehearsal.quantity.name} {row.median:.3g}, "
        f"95 % of runs between {row.low:.3g} and {row.high:.3g}.",
        details={
            "Formula": "; ".join(f"{q.name}: {q.formula}" for q in measured)
            + ". True is the stand-in's own.",
            "Source": "release/review/standin.py; core/study/metrics.py.",
        },
        file="equipoise-rehearsal.csv",
    )
    rows = [quantity.short for quantity in measured]
    limit = review.asked.thresholds.row_error
    order = ("low", "low_80", "low_50", "median", "high_50", "high_80", "high")
    quantiles = np.array(
        [[getattr(band, name) for band in rehearsal.bands.values()] for name in order]
    )
    return figure_view(
        "rehearsed",
        texts,
        {"errors": rehearsal_figure(rows, quantiles, rehearsal.method, limit)},
        rehearsal_table(rows, quantiles),
    )
