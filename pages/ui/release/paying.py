"""The click that spends: confirmed, paid once, drawn in a process of its own, kept in the session.

A click has a token made for the document that was read. A rerun or a double click gives the same
token, and a token pays once. Past releases are listed with their files.
"""

import contextlib
import mimetypes
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import streamlit as st

from core.errors import EquipoiseError
from core.privbayes.learners import STRUCTURE
from figures.chromium import find_chromium, to_pdf
from pages.ui.kit import jobs, visitors
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import literal, sentence
from pages.ui.release import views, words
from pages.ui.release.fields import slot
from pages.ui.release.numbers import Review
from pages.ui.release.place import Place
from release.dossier.verified import problems
from release.ledger.account import Account, PaidItem
from release.ledger.folders import released_files
from release.ledger.spending import shown
from release.meter import Drawer
from release.process import Worker
from release.publish import Outcome, publish
from release.published import Published
from release.rationals import fraction
from release.review.facts import Line

JOB = "release_publish"
STAGES = (
    "Waiting for its turn",
    "Proving the plan, counting the tables",
    "Starting the process that draws",
    "Trying everything once on zeros",
    "Paid; drawing the noise",
    "Writing model and dossier",
)


def released(choice: Choice) -> list[Outcome]:
    """Releases of the data on show in this session, oldest first."""
    kept: dict[int, list[Outcome]] = st.session_state.setdefault("release_outcomes", {})
    return kept.setdefault(slot(choice), [])


def token_of(checksum: str) -> str:
    """The token of the click that publishes what this document describes."""
    kept: tuple[str, str] = st.session_state.get("release_token", ("", ""))
    if kept[0] != checksum:
        kept = st.session_state["release_token"] = (checksum, secrets.token_hex(16))
    return kept[1]


def panel(review: Review, study: tuple[Line, ...]) -> None:
    """Confirm and spend; a disabled button says why."""
    cost = review.proposal.cost
    with st.container(border=True, key="publish"):
        st.markdown("**Publish**")
        if jobs.running(JOB):
            _watch()
            return
        _ended()
        twice = words.spent_twice(review.account, cost)
        if twice:
            st.caption(twice)
        checksum = str(review.document["checksum"])
        read = st.checkbox("I have read the dossier below", key=f"release_read_{checksum}")
        typed = st.text_input(
            "Type the ε to be spent", key=f"release_typed_{checksum}", placeholder=shown(cost),
            max_chars=20,
        )  # fmt: skip
        why = _unsigned(review) or views.waits_for(review) or confirmed(read, typed, cost)
        again = " again" if twice else ""
        st.button(
            f"Spend {shown(cost)} and publish{again}",
            key="release_spend",
            type="primary",
            disabled=bool(why),
            on_click=spend,
            args=(review, study, token_of(checksum)),
        )
        if why:
            st.caption(f":material/lock: {sentence(why)}")
        st.caption(words.PAYMENT)


def _unsigned(review: Review) -> str:
    return visitors.refusal(sampled=review.choice.study.sampled)


def confirmed(read: bool, typed: str, cost: Fraction) -> str:
    """What is missing of the confirmation; empty when it is complete."""
    if not read:
        return "Read the dossier below, then say so here."
    if not typed.strip():
        return f"Type {shown(cost)}, the ε to be spent."
    try:
        meant = fraction(typed.strip().lower().replace(",", "."))
    except EquipoiseError:
        return f"{typed.strip()[:40]!r} is not a number; type {shown(cost)}."
    if meant != cost and typed.strip() != shown(cost):
        return f"You typed {shown(meant)}, and this release costs {shown(cost)}."
    return ""


def spend(review: Review, study: tuple[Line, ...], token: str) -> None:
    """Start the release that this click orders, unless it was ordered before."""
    job = jobs.current(JOB)
    if job is not None and (job.alive or (job.key == token and job.end == "done")):
        return
    if _unsigned(review):
        return
    order, seen = review.seen.order(token), review.seen
    reached = st.session_state["release_stage"] = [0]

    def papers(published: Published, account: Account) -> Mapping[str, bytes]:
        reached.append(reached[-1] + 1)  # the trial's papers come before the payment
        return seen.papers(published, account, study)

    @contextlib.contextmanager
    def workers() -> Iterator[Drawer]:
        reached.append(2)
        with Worker() as drawer:
            reached.append(3)
            yield drawer

    place, outcomes = review.place, released(review.choice)

    def work() -> Iterator[None]:
        reached.append(1)
        ledger = place.opened()
        outcomes.append(publish(order, ledger, place.releases, workers=workers, extra=papers))
        yield

    jobs.start(JOB, token, 1, work)


@st.fragment(run_every=jobs.POLL)
def _watch() -> None:
    if not jobs.running(JOB):
        st.rerun()
        return
    stage = st.session_state.get("release_stage", [0])[-1]
    st.progress(stage / len(STAGES), STAGES[stage])
    st.caption("It cannot be stopped: what is paid stays paid.")


def _ended() -> None:
    job = jobs.current(JOB)
    if job is not None and job.end in ("failed", "late", "stopped"):
        text = job.message or "the release came to nothing; the server's log says why"
        st.error(f"{sentence(text)}.", icon=":material/error:")


def files(outcome: Outcome, account: Account | None) -> None:
    """What was released, to be taken away; and what the ledger has left for these data."""
    published = outcome.published
    left = "nothing" if account is None else shown(account.remaining)
    with st.container(border=True, key="released"):
        st.markdown(
            f"**Released {published.id}**: ε = {shown(published.epsilon)} is spent, {left} is "
            f"left. Hand out the {'graph' if published.method == STRUCTURE else 'model'}; keep the "
            "dossier with the receipt."
        )
        with st.container(horizontal=True):
            for file in published.files:
                path = outcome.directory / file.name
                file_button(file.name, path.read_bytes, f"{published.id}-{file.name}")
            paper = outcome.directory / "dossier.html"
            pdf_button(paper.read_bytes, f"{published.id}-dossier.pdf")


Bytes = Callable[[], bytes]
"""A file that is made when it is asked for."""


def pdf_button(page: Bytes, name: str, label: str = "dossier.pdf") -> None:
    """The dossier printed by Chromium, where there is one."""
    if find_chromium() is None:
        st.button(label, disabled=True, help="There is no Chromium here to print with; "
                  "print the HTML file instead.", key=f"no-{name}")  # fmt: skip
        return
    file_button(label, lambda: to_pdf(page()), name)


def file_button(label: str, data: Bytes, name: str, key: str = "file") -> None:
    """One file to take away."""
    st.download_button(
        label,
        data=data,
        file_name=f"equipoise-{name}",
        mime=mimetypes.guess_type(name)[0] or "text/plain",
        on_click="ignore",
        icon=":material/download:",
        key=f"{key}-{name}",
    )


def earlier(lines: Sequence[PaidItem], place: Place) -> None:
    """Releases of these records that the ledger has, with their files: a reload loses none."""
    if not lines:
        return
    with st.expander(f"Past releases of these records: {len(lines)}", key="past_releases"):
        for line in lines:
            why = f" Overridden: {line.override}." if line.override else ""
            st.markdown(
                literal(f"{line.time.replace('T', ' ').rstrip('Z')} UTC, release {line.id}, "
                        f"{line.method}, ε = {shown(line.epsilon)}.{why}")
            )  # fmt: skip
            with st.container(horizontal=True):
                for name, path in released_files(line).items():
                    if path is None:
                        st.caption(literal(f"{name} is missing or was changed since."))
                    else:
                        file_button(name, path.read_bytes, f"{line.id}-{name}", key="past")
            if st.button("Verify", key=f"verify-{line.id}", icon=":material/verified:"):
                _verify(line, place)


def _verify(line: PaidItem, place: Place) -> None:
    """What ``cli.py verify --ledger --rebuild`` says of the files where they were put."""
    folder = Path(line.directory) / line.id
    wrong = problems(folder, ledger=place.existing(), rebuild=True)
    if wrong:
        st.error(f"{sentence('; '.join(wrong))}.", icon=":material/error:")
        return
    st.success(
        "Files, dossier and ledger agree, and the model was made again from its measurements, byte "
        "for byte.", icon=":material/check_circle:",
    )  # fmt: skip
