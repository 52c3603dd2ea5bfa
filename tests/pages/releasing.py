"""Steps that tests of Release share: files, statements, reasons, the click."""

import json
import re

import numpy as np

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


def blocks(tree):
    """Every container on the page that has a key, outer ones first."""
    for child in getattr(tree, "children", {}).values():
        if getattr(child.proto, "id", ""):
            yield child.proto.id, child
        yield from blocks(child)


def letters(markdown):
    """What a reader sees of escaped text."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "")


SHOWN = re.compile(
    r"(?P<number>.*?)  \n:small\[:gray\[(?P<sentence>.*?)\\\.\]\](?:  \n:small\[(?P<advice>.*)\])?$"
)


def lines(screen):
    """The checklist as it stands on the page; a line that passed shows no advice."""
    found = {}
    for key, block in blocks(screen.at.main):
        named = re.search(r"-check_([a-z]+)_(pass|note|fail|reason)$", key)
        if not named:
            continue
        _, told, *acts = [m.value for m in block.markdown]
        parts = {k: letters(v or "") for k, v in SHOWN.match(told).groupdict().items()}
        reasons = [m.removeprefix("Your reason: ") for m in acts if m.startswith("Your reason")]
        found[named[1]] = {
            **parts,
            "state": "fail" if named[2] == "reason" else named[2],
            "reason": letters("".join(reasons)),
            "final": named[2] == "fail" and not block.text_input,
        }
    return found


def finding(screen):
    return "".join(text for text, _ in screen.sheet("release_top")["finding"])


def paper(screen):
    """The dossier in its frame."""
    return screen.sheet("release_paper")["paper"]["html"]


def everything(screen):
    """All that the page sends to the browser, except the frame's sidebar."""
    protos = [e.proto for e in screen.at.get("bidi_component")]
    boards = [f"{p.json}{p.bytes.decode()}" for p in protos]
    kinds = ("markdown", "caption", "text", "code", "warning", "error", "info", "dataframe",
             "text_input", "number_input", "selectbox")  # fmt: skip
    shown = [e for kind in kinds for e in screen.at.main.get(kind)]
    texts = [letters(str(getattr(e, "value", ""))) for e in shown]
    labels = [str(getattr(e, "label", "")) for e in (*shown, *screen.at.main.button)]
    return "".join([*boards, *texts, *labels])


def overrule(screen, *keys, reason="agreed on 3 May", signed="Ana Kim"):
    """Reasons written at their lines."""
    if signed:  # none where people log in
        screen.at.text_input(key="release_signed").set_value(signed)
    here = len(screen.at.session_state["release_slots"]) - 1
    for key in keys:
        screen.at.text_input(key=f"reason_{key}_{here}").set_value(reason)
        screen.at.button(key=f"accept_{key}").click().run()
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
