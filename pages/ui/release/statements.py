"""What only the steward can say of the data: unit, number of records, states, graph."""

import json

import streamlit as st

from core.privacy import Neighbours
from pages.ui.kit.inputs import Choice
from pages.ui.kit.state import KEEP
from pages.ui.release.fields import GRAPHS, amount, key_of, one_of, text
from release.ledger.account import Account
from release.ledger.spending import released_graph
from release.review.declared import DECLARATIONS, MOST, NOT_STATED, Declared, declared
from release.review.facts import Known, Stated, Statements

UNIT = "made-up person"
"""What a record of a sample network stands for."""

UNSAID: tuple[Stated, float] = ("", 0.0)


def statements(choice: Choice, number: int, account: Account | None, *, learns: bool) -> Statements:
    """Draw the widgets; what they say. Nothing is asked of a graph that is learned here."""
    unit = text(
        "unit", number, "One record is about one", UNIT if choice.study.sampled else "",
        placeholder="person, visit, ...", help="What the guarantee protects.", width=160,
    )  # fmt: skip
    most = amount(
        "most", number, "Records of one, at most", 1, width=150,
        help="One who has several records is protected that many times less.",
    )  # fmt: skip
    records = _records(choice, number, most)
    graph, cost = _graph(choice, number, account) if not learns else UNSAID
    return Statements(
        unit=unit,
        per_unit=most,
        records=records,
        graph=graph,
        graph_epsilon=cost,
        domain=_domain(choice, number),
    )


def declarations(number: int) -> Declared:
    """Texts for the dossier: filled once, kept with the session and with saved work."""
    with st.expander("What only you can say: for the dossier", icon=":material/edit_note:"):
        st.caption(f"All optional; what is left empty is printed as “{NOT_STATED}”.")
        columns = st.columns(2)
        texts = {
            one.key: columns[place % 2].text_area(
                one.title, max_chars=MOST, height=68, placeholder=one.asks,
                key=key_of(f"said_{one.key}", number), **KEEP,
            )
            for place, one in enumerate(DECLARATIONS)
        }  # fmt: skip
        said = declared(texts)
        st.download_button(
            "statements.json", json.dumps(dict(said), ensure_ascii=False, indent=1),
            file_name="equipoise-statements.json", mime="application/json", on_click="ignore",
            key=f"file_statements_{number}", icon=":material/download:",
            help="For the next release: --statements in a shell.",
        )  # fmt: skip
    return said


def _domain(choice: Choice, number: int) -> Known:
    """Whether the states of an uploaded network are public; a schema says so by itself."""
    study = choice.study
    if study.sampled or study.declared or study.inferred:
        return ""
    said = st.checkbox(
        "States and bins are public knowledge", key=key_of("domain", number), **KEEP,
        help="A network file does not say whether its states were read off these records.",
    )  # fmt: skip
    return "public" if said else ""


def _graph(choice: Choice, number: int, account: Account | None) -> tuple[Stated, float]:
    """Where the graph of an upload comes from, unless the ledger knows, and what it has cost."""
    released = account is not None and released_graph(account, choice.network)
    if choice.study.sampled or choice.study.graph == "rehearsed" or released:
        return UNSAID
    said = one_of(
        "graph", number, "The graph was", GRAPHS, width=214,
        help="A file does not say whether its edges were learned from these records.",
    )  # fmt: skip
    if said != "private":
        return said or "", 0.0
    cost = amount(
        "graph_epsilon", number, "at ε", 0.1, step=0.1, format="%.6g", width=112,
        help="What learning it has cost; the ledger is charged once.",
    )  # fmt: skip
    return said, cost


def _records(choice: Choice, number: int, most: int) -> int:
    """The public number of records; zero where it is known without being stated.

    ``most`` records of one unit: who takes the place of several may have fewer.
    """
    label, relation = "Public number of records", choice.scenario.neighbours
    known = choice.study.before_dropping
    if choice.study.sampled or (known and relation is Neighbours.REPLACE and most == 1):
        sampled, replaced = "the records are sampled", "by definition where a record is replaced"
        why = sampled if choice.study.sampled else replaced
        st.text_input(
            label, f"{known:,}", disabled=True, help=f"Public: {why}.", width=170,
            key=key_of(f"records_known_{relation.value}", number),
        )  # fmt: skip
        return 0
    stated = amount(
        "records", number, label, None, step=100, placeholder="rounded is fine", width=170,
        help="Where a record is added or removed, or a unit has several, the exact number is "
        "private; state a public one.",
    )  # fmt: skip
    return stated or 0
