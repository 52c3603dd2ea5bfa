"""Streamlit as it is, but long work waits after its first steps while a file says so.

    python -m tests.browser.held run serve.py

A test that stops work, or leaves it, would otherwise race with it: on a fast machine there would be
nothing left to stop. ``EQUIPOISE_GATE`` names the file; it holds the number of steps that each job
may do while it is there. A job that is stopped goes on to its next step, where it ends as always.
"""

import os
import time
from pathlib import Path

from streamlit.web import cli

from pages.ui.kit import jobs

GATE = "EQUIPOISE_GATE"


def gated(steps, job, gate):
    """The same steps, one by one; those beyond the number in the file wait, but not for nobody."""
    for done, step in enumerate(steps, 1):
        yield step
        while done >= allowed(gate) and not (job.halt.is_set() or job.forgotten):
            time.sleep(0.05)


def allowed(gate):
    """How many steps the file allows; all of them once it is gone."""
    try:
        return int(gate.read_text() or 0)
    except FileNotFoundError:
        return float("inf")


def install(gate):
    """Put the gate before every job."""
    run = jobs.Job.run

    def held(job):
        work = job.work
        job.work = lambda: gated(work(), job, gate)
        run(job)

    jobs.Job.run = held


if __name__ == "__main__":
    install(Path(os.environ[GATE]))
    cli.main(prog_name="streamlit")
