"""The attack on one value: guessed of people in a release, and from one without them."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from core.membership.value_attack import AttributeAttack, Guessed, guessing
from core.study.exposure import pool_size
from pages.ui.kit import compute, inputs, jobs, state
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import sentence
from pages.ui.kit.progress import watched
from pages.ui.kit.rowless import rowless
from pages.ui.risk.numbers import population_of

JOB = "attribute"
POOLS, LIMIT = 20, 2_000
"""Pools of one attack, and their largest size on the page."""

TARGET = "risk_attribute"


def found(choice: Choice) -> dict[tuple[str, str], Guessed]:
    """Attacks of this session on these records, graph and budget, by release and variable."""
    scenario = replace(choice.scenario, replicates=1)
    key = ("attribute", choice.study.fingerprint, choice.network, scenario)
    return compute.remembered(key, dict)


def section(choice: Choice, session: state.Session) -> None:
    """Which value is guessed, the button, and what was found."""
    running = jobs.running(JOB)
    st.caption(
        "One value of a person, all others known, is guessed from a release with their record and "
        "from one without; the difference is what the record itself gave away. Study only: it uses "
        "the private rows."
    )
    if rowless(choice.study, "guess_rows"):
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        target = st.selectbox(
            "Guess of a person", choice.network.names, key=TARGET, width=260,
            persist_state="session",
        )  # fmt: skip
        st.button(
            "Guessing" if running else "Guess it", key="risk_guess", on_click=start,
            disabled=running,
        )  # fmt: skip
    watched(JOB, "Guessing", "pools")
    seen = found(choice).get((session.method, target))
    if seen is not None and seen.pools > 1:  # one pool has no interval
        st.markdown(sentence(seen.sentence))
        st.dataframe(_rows(seen), hide_index=True, key="risk_guessed",
                     alt="Shares guessed right, with and without the person.")  # fmt: skip


def _rows(seen: Guessed) -> list[dict[str, str]]:
    shares = {"with them": seen.attack, "without them": seen.control, "difference": seen.gain}
    rows = [
        *((name, f"{s.mean:.4f}", f"{s.low:.4f} to {s.high:.4f}", "measured")
          for name, s in shares.items()),
        ("no release: the commonest state", f"{seen.baseline:.4f}", "", "measured"),
        ("with them, at most", f"{seen.bound:.4f}", "", "guarantee"),
    ]  # fmt: skip
    head = ("guessed from a release", "share right", "95 % interval", "kind")
    return [dict(zip(head, row, strict=True)) for row in rows]


def start() -> None:
    """Attack the chosen variable in the background."""
    choice, session = inputs.chosen(), state.load()
    study, results = choice.study, found(choice)
    size = pool_size(study.records, study.population, LIMIT)
    asked = AttributeAttack(session.method, st.session_state[TARGET], size, POOLS)
    compute.looked(study, choice.network, (asked,), choice.scenario)

    def work() -> Iterator[None]:
        for result in guessing(population_of(study), choice.network, asked, choice.scenario):
            results[asked.release, asked.target] = result
            yield

    jobs.start(JOB, None, POOLS, work)
    state.change(refresh=True)
