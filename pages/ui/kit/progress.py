"""How far long work is, with a button that stops it, and the page drawn again when it ends."""

import time
from collections.abc import Callable

import streamlit as st

from pages.ui.kit import jobs
from pages.ui.kit.markdown import sentence


def progress(job: jobs.Job | None, what: str, key: str, doing: str = "") -> None:
    """A bar while there is something to say; ``what`` is counted."""
    if job is None or job.end == "done":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(min(job.done / max(job.total, 1), 1.0), doing + jobs.status(job, what))
    if job.alive:
        right.button("Stop", on_click=job.stop, key=key, width="stretch")


def draw_again(job: jobs.Job | None) -> None:
    """The whole page once more, once for each job that has ended."""
    if job is not None and not job.alive and st.session_state.get("ended") is not job:
        st.session_state["ended"] = job
        st.rerun()


def follow(
    job: jobs.Job | None,
    what: str,
    key: str,
    resume: Callable[[], object],
    draw: Callable[[], None],
) -> None:
    """Draw what is measured so far; look again while more is to come, or a knob moves.

    ``resume`` takes up what was stopped.
    """
    under_way = job is not None and job.alive

    @st.fragment(run_every=jobs.POLL if under_way else None)
    def look() -> None:
        progress(job, what, f"{key}_stop")
        if job and job.end in ("stopped", "late") and st.button("Measure the rest"):
            resume()
            st.rerun()
        draw()
        if under_way:
            draw_again(job)

    look()


def watched(name: str, doing: str, what: str, *, key: str | None = None) -> None:
    """A bar while the job of that name runs; afterwards one line where it did not end well."""
    job = jobs.current(name)
    if job is None or job.end == "done":
        return
    if job.alive:
        _watch(name, doing, what, key)
    elif job.end == "failed" and job.message:
        st.error(f"{sentence(job.message)}.", icon=":material/error:")
    else:
        st.caption(jobs.status(job, what))


@st.fragment(run_every=jobs.POLL)
def _watch(name: str, doing: str, what: str, key: str | None) -> None:
    job = jobs.current(name)
    if job is None or not job.alive:
        st.rerun()
        return
    with st.container(key=key):
        progress(job, what, f"{name}_stop", f"{doing}: ")


class LiveBar:
    """A bar for what a page computes while it is drawn; it appears only if that takes long."""

    def __init__(self, total: int) -> None:
        self.began, self.total, self.done = time.monotonic(), total, 0
        self.bar, self.shown = st.empty(), False

    def __call__(self) -> None:
        """A step is done."""
        self.done += 1
        passed = time.monotonic() - self.began
        if passed > 0.7:
            left = passed / self.done * (self.total - self.done)
            self._show(
                self.done / self.total,
                f"Rehearsing {self.done} of {self.total} budgets, {left:.0f} s left. Any control "
                "stops it, and what is done is kept.",
            )

    def wait(self) -> None:
        """Another visitor's page computes the same; any control stops the waiting."""
        self._show(0.0, "Rehearsed for another visitor at this moment; nearly there.")

    def _show(self, share: float, text: str) -> None:
        self.shown = True
        self.bar.progress(share, text)

    def end(self) -> None:
        """Take the bar away, where there was one."""
        if self.shown:
            self.bar.empty()
