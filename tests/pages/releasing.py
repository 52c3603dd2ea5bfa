"""Steps that tests of Release share: files, statements, reasons, the click."""

import json

import numpy as np

from release.review.request import Reason

EDGES = ("e.csv", "parent,child\nfirst,second\n")
SCHEMA = ("s.json", json.dumps({"columns": [
    {"name": "first", "states": ["zq-no", "zq-yes"]},
    {"name": "second", "states": ["zq-no", "zq-yes"]},
]}))  # fmt: skip
ROWS = 1237


def records(seed=0):
    picked = np.random.default_rng(seed).integers(0, 2, (ROWS, 2))
    lines = [",".join("zq-yes" if v else "zq-no" for v in row) for row in picked]
    return ("people.csv", "first,second\n" + "\n".join(lines))


QUICK = {"network": "figure-one", "records": "100", "replicates": "10"}
"""A first screen that costs little; what is tested comes after it."""


def page(open_app, **query):
    return open_app(**{"replicates": "10", **query}).visit("review_release")


def uploaded(open_app, schema=SCHEMA, seed=0, graph=EDGES, **query):
    screen = open_app(**QUICK, **query).visit("load_data")
    files = {"data_file": records(seed), "dag_file": graph}
    screen.upload(**files, **({"schema_file": schema} if schema else {}))
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    return screen.visit("review_release")


def stated(screen, name="visits", budget=1.5, unit="person", records=1200, people=None):
    at, here = screen.at, len(screen.at.session_state["release_slots"]) - 1
    at.text_input(key=f"release_name_{here}").set_value(name)
    at.number_input(key=f"release_budget_{here}").set_value(budget)
    at.text_input(key=f"release_unit_{here}").set_value(unit)
    if records is not None:
        at.number_input(key=f"release_records_{here}").set_value(records)
    at.selectbox(key=f"release_graph_{here}").set_value("known")
    if people:
        at.selectbox(key=f"release_people_{here}").set_value(people)
    at.run()
    return screen


def lines(screen):
    return {line["key"]: line for line in screen.component("equipoise_checks")["lines"]}


def finding(screen):
    return "".join(text for text, _ in screen.component("equipoise_release")["finding"])


def everything(screen):
    """All that the page sends to the browser, except the frame's sidebar."""
    boards = [e.proto.json for e in screen.at.get("bidi_component")]
    texts = [str(getattr(e, "value", "")) for kind in ("markdown", "warning", "error", "dataframe")
             for e in screen.at.main.get(kind)]  # fmt: skip
    return "".join([*boards, *texts, *(c.value for c in screen.at.main.caption)])


def overrule(screen, *keys):
    """Reasons as the checklist's board sends them."""
    shown = lines(screen)
    kept = {k: Reason(k, "agreed on 3 May", shown[k]["number"], shown[k]["sentence"]) for k in keys}
    here = len(screen.at.session_state["release_slots"]) - 1
    screen.at.session_state["release_reasons"] = {here: kept}
    screen.at.run()
    return screen


def confirm(screen, typed="1"):
    box = next(c for c in screen.at.checkbox if "read the dossier" in c.label)
    box.check()
    next(t for t in screen.at.text_input if t.label.startswith("Type the")).set_value(typed)
    screen.at.run()
    return screen


def spend_button(screen):
    return next(b for b in screen.at.button if b.label.startswith("Spend "))


def published(screen):
    """Click, wait for the job, see the page it leaves."""
    spend_button(screen).click().run()
    screen.at.session_state["jobs"]["release_publish"].wait(30)
    screen.at.run()
    assert not screen.at.exception
    return screen
