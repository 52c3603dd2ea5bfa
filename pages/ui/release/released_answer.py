"""Questions to a released model: its answer with an interval, from its public files alone."""

from __future__ import annotations

import shlex

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.privbayes.learners import STRUCTURE
from pages.ui.kit import compute
from pages.ui.kit.markdown import refuse
from release.files import MODEL
from release.measurements import MEASUREMENTS
from release.publish import Outcome
from release.uncertainty import ABOUT, ask


def section(outcome: Outcome) -> None:
    """One target, one given variable, and what the release says."""
    published = outcome.published
    if published.method == STRUCTURE:
        return
    st.divider()
    st.markdown(f"#### Ask release {published.id}")
    st.caption(f"From its files alone: no record is looked at. {ABOUT}")
    names = {v.name: v for v in published.model.network.variables}
    left, middle, right = st.columns(3)
    target = left.selectbox("Probability of", list(names), key=f"released_target_{published.id}")
    others = [name for name in names if name != target]
    given = middle.selectbox("given", others, None, placeholder="nothing",
                             key=f"released_given_{published.id}_{target}")  # fmt: skip
    states = names[given].states if given else ()
    state = right.selectbox("is", states, disabled=not given,
                            key=f"released_state_{published.id}_{given}")  # fmt: skip
    evidence = {given: state} if given and state else {}
    asked = Query((target,), evidence)
    try:
        answer = compute.latest(
            "released answer",
            (published.id, target, given, state),
            lambda: ask(
                (outcome.directory / MODEL).read_bytes(),
                (outcome.directory / MEASUREMENTS).read_bytes(),
                asked,
            ),
        )
    except OSError:
        st.caption("Its files are not where they were released any more.")
        return
    except EquipoiseError as problem:
        refuse(problem)
        return
    st.dataframe(
        [
            {
                "state": row["states"][target],
                "released": f"{row['probability']:.4f}",
                "90 % from": f"{row['low']:.4f}",
                "to": f"{row['high']:.4f}",
            }
            for row in answer.rows
        ],
        hide_index=True,
        key="released_answer",
        alt="What the released model says, and what else the noisy tables leave open.",
    )
    words = ["python", "cli.py", "query", "--model", MODEL, "--target", target]
    words += ["--given", f"{given}={state}"] if evidence else []
    st.code(shlex.join(words), language="bash", wrap_lines=True)
