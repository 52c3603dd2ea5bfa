"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""

from pages.ui.kit import inputs
from pages.ui.kit.acting import live
from pages.ui.kit.progress import watched
from pages.ui.risk import page, questions

watched(page.JOB, "Attacking", "blocks of pools", key="running_job")  # kept in view by frame.css
if live(page.show):
    questions.show(inputs.chosen())
