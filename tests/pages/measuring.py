"""Utility opened without a browser: measured to the end, and read."""

import time


def page(open_app, **query):
    screen = open_app(**query).visit("measure_utility")
    return finish(screen)


def look_on(job):
    """Stay with a job until it ends, as a page does: one that nobody looks at makes room."""
    end = time.monotonic() + 120
    while job.thread.is_alive() and time.monotonic() < end:
        job.seen = time.monotonic()
        job.thread.join(0.5)


def finish(screen):
    """Wait for the job in the background, then look again."""
    job = screen.at.session_state["jobs"]["sweep"]
    look_on(job)
    assert job.end == "done", (job.end, job.message)
    screen.at.run()
    assert not screen.at.exception
    return screen


CHARTS = ("l1_row", "marginal_l1", "query_l1", "map_accuracy")


def board(screen):
    return screen.sheet("utility")


def answers(screen):
    return screen.sheet("answers")["answers"]


def columns(view):
    """The table behind a view, as its file holds it."""
    file = view.get("kept") or view["table"]
    return dict(zip(file["head"], file["columns"], strict=True))


def rows(view):
    """A table's rows by their first cell."""
    return {row[0]: row for row in zip(*view["table"]["columns"], strict=True)}


def shown_at(view, name, variant=0):
    """The median that the legend says at the ε on show."""
    said = view["variants"][variant]["figure"]["layout"]["meta"]["values"][name]
    return float(said.split()[0])


def text(runs):
    return "".join(part for part, _ in runs)
