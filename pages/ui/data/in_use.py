"""What is in use, always named on Data: saved, opened again, forgotten; and where to go next.

And tables that nobody has to measure: the network's own by name, or those of a file.
"""

from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from core.options import PLAIN, Options
from pages.ui.data import upload as uploads
from pages.ui.data.upload import Upload
from pages.ui.data.work_file import PRIVATE, Saved, read_work, write_work
from pages.ui.kit import inputs, limits, links, returning, state
from pages.ui.kit.compute import add_looks, looks_at
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.words import counted
from pages.ui.release import fields
from pages.ui.release.numbers import signed
from sources.known import stated_known
from sources.loaded import EdgeList, Loaded
from sources.study import File, Study, open_network

GIVEN = "known_given"
"""Session key of what was stated, by the name in the picker: names of tables, and a file."""


def network_on_show() -> Loaded | EdgeList | None:
    """The network file of what is on show; none where there is no such file."""
    if st.session_state.network != state.UPLOADED:
        return open_network(st.session_state.network, None)
    files = st.session_state.get(state.FILES)
    if not isinstance(files, Upload) or (files.name is None and files.dag is None):
        return None
    return open_network(files.name, files.dag)


def known() -> None:
    """Which tables are public: they cost no budget and have no error."""
    try:
        choice, loaded = inputs.chosen(), network_on_show()
    except EquipoiseError:
        return  # the page says what is wrong
    own = choice.scenario.options.known
    title = f"Known tables of {literal(st.session_state.network)}: {len(own) or 'none'}"
    with st.expander(title, icon=":material/lock_open:"):
        st.caption(
            "A conditional that is public (an OR, a code table) is not measured: no budget, no "
            "error, nothing an attacker could learn from it. Name only what is known without these "
            "records. It holds on every page and is not in the address."
        )
        tables = isinstance(loaded, Loaded) and loaded.model is not None
        names = choice.network.names if tables else ()
        st.multiselect(
            "Tables that the network file has, taken as public", names,
            [one.name for one in own if not one.source and one.name in names],
            key=f"known_{st.session_state.network}", on_change=_apply, disabled=not tables,
        )  # fmt: skip
        if not tables:
            st.caption("The graph on show comes without probabilities: state tables in a file.")
        st.file_uploader("File of known tables and impossible cells", ["json"], key="known_file",
                         on_change=_apply, max_upload_size=limits.upload_megabytes())  # fmt: skip
        if refused := st.session_state.pop("known_refused", ""):
            refuse(refused, icon=":material/block:")


def _apply() -> None:
    on_show, file = st.session_state.network, st.session_state.get("known_file")
    names = tuple(st.session_state.get(f"known_{on_show}") or ())
    apply(names, None if file is None else (file.name, file.getvalue()))


def apply(names: tuple[str, ...], file: File | None) -> None:
    """State tables of what is on show as known."""
    on_show = st.session_state.network
    before: Options = state.load().options.get(on_show, PLAIN)
    try:
        after = stated_known(before, inputs.chosen().network, network_on_show(), names, file)
    except EquipoiseError as problem:
        st.session_state.known_refused = str(problem)
        return
    st.session_state.setdefault(GIVEN, {})[on_show] = names, file
    state.change(options={**state.load().options, on_show: after})


REFUSED, NOTES = "work_refused", "work_notes"
DOORS = (
    (
        "There is no graph: Synthesise rehearses what a private run would learn (each look is "
        "counted), Release learns it inside the release and pays for it once.",
        ("Learn it inside the release, on Release", "Rehearse learning it, on Synthesise",
         "pages/synthesise_data.py"),
    ),
    (
        "For a release, rehearse first: a stand-in has the same columns and nobody's records. "
        "Explore, Allocate, Utility and Risk compare with the exact rows; each look is counted, "
        "also after a reload, and the checklist prints the number.",
        ("Rehearse on a stand-in, on Release", "Explore the exact rows (counted)",
         "pages/explore_tradeoff.py"),
    ),
)  # fmt: skip
"""Where to go without and with a graph: a caption, the labels of Release and of another page."""


def panel() -> None:
    """The data in use, in a frame of its own."""
    study, files = state.load().upload, st.session_state.get(state.FILES)
    with st.container(border=True, key="in_use"):
        if study is None:
            records = f"{int(st.session_state.records):,} sampled records, nobody's"
            sample = f"{st.session_state.network}, a sample network with {records}"
            st.markdown(f"**Data on show:** {literal(sample)}")
            st.caption("Nothing of yours is here. A link in the address restores a sample.")
            return
        st.markdown(f"**Your data:** {literal(described(study, files))}")
        if st.session_state.network != state.UPLOADED:
            st.caption(f"The sidebar shows {st.session_state.network}; your upload waits in it.")
        if said := public(study):
            st.caption(literal(said))
        st.caption(returning.told())
        with st.container(horizontal=True):
            if isinstance(files, Upload) and _whole(files):
                st.download_button(
                    "Save my work", lambda: write_work(saved(study, files)),
                    "equipoise-private-work.zip", "application/zip", key="save_work",
                    on_click="ignore", icon=":material/lock:", help=PRIVATE,
                )  # fmt: skip
            st.button(
                "Forget this data", key="forget_work", on_click=returning.forget,
                icon=":material/delete:", help="Removes it from the server's memory at once.",
            )  # fmt: skip
        if study.connected:
            st.caption("Not saved: a connection is never kept, and its rows are not here.")
        elif not isinstance(files, Upload):
            st.caption("Not saved: sampled records are nobody's, recoded columns have no file.")
        elif not _whole(files):
            st.caption("Records read from a path are in no saved file: save the schema.")
        _next(study)


def described(study: Study, files: object) -> str:
    """Files, records, graph, states and what was set, in one line."""
    names = [file[0] for file in files.files] if isinstance(files, Upload) else [study.name]
    graph = state.load().edits.get(state.UPLOADED, study.network)
    edited = ", edited" if graph != study.network else ""
    states = "read off the records" if study.inferred or study.seen else "declared"
    edges = "no graph yet" if study.graph == "none" else counted(len(graph.edges), "edge")
    floors = state.load().options.get(state.UPLOADED, PLAIN).floors
    locks = f"; {counted(len(floors), 'lock')}" if floors else ""
    return (
        f"{', '.join(names)}: {counted(study.records, 'record')}, "
        f"{counted(len(graph.names), 'column')} with states {states}, "
        f"{edges}{edited}{locks}; {seen(study)}"
    )


def _whole(files: Upload) -> bool:
    return all(isinstance(file[1], bytes) for file in files.files)


def public(study: Study) -> str:
    """What is public by whose word, and what is not, in a sentence; empty where nothing is said."""
    sources: dict[str, list[str]] = {}
    for name, source in study.known_from:
        sources.setdefault(source, []).append(name)
    told = [f"{', '.join(names)} (known from: {source})" for source, names in sources.items()]
    said = f"Public: {'; '.join(told)}. " if told else ""
    if study.seen:
        said += f"Seen in the records, not private: {', '.join(study.seen)}. "
    if study.unit:
        said += f"At most {counted(study.per_unit, 'record')} of each {study.unit}."
    return said


def seen(study: Study) -> str:
    """How often the exact rows were looked at."""
    if study.sampled:
        return "sampled records, nobody's"
    looks = len(looks_at(study))
    return f"{counted(looks, 'look')} at the exact rows so far" if looks else "not looked at yet"


def _next(study: Study) -> None:
    if study.sampled:
        st.page_link("pages/explore_tradeoff.py", label="See what publishing costs")
        return
    told, (first, second, page) = DOORS[study.graph != "none"]
    st.caption(told)
    with st.container(horizontal=True):
        st.page_link("pages/review_release.py", label=first, icon=":material/theater_comedy:")
        st.page_link(page, label=second, icon=":material/visibility:")


def saved(study: Study, files: Upload) -> Saved:
    """Everything that would be lost."""
    numbers = {name: str(st.session_state[name]) for name in (*links.NUMBERS, "neighbours")}
    own = st.session_state.network == state.UPLOADED
    told = {**links.parameters(), **(links.particulars() if own else {})}
    names, file = st.session_state.get(GIVEN, {}).get(state.UPLOADED, ((), None))
    return Saved(
        upload=files,
        scenario={**numbers, **{key: value for key, value in told.items() if value}},
        stated=fields.stated(study.fingerprint),
        reasons=tuple(
            (r.key, r.text, r.number, r.sentence)
            for r in fields.reasons(study.fingerprint).values()
        ),
        signed=signed(),
        spent=study.spent if study.graph == "rehearsed" else 0.0,
        looks=tuple(sorted(looks_at(study))),
        known=names,
        known_file=file,
    )


def opener() -> None:
    """Open what Save my work wrote."""
    with st.expander("Open saved work", icon=":material/folder_open:"):
        file = st.file_uploader(
            "File that Save my work wrote", ["zip"], key="work_file",
            max_upload_size=limits.upload_megabytes(),
        )  # fmt: skip
        if file is not None:
            st.button(
                "Open it", key="open_work", on_click=reopen, args=(file.name, file.getvalue())
            )
        if refused := st.session_state.pop(REFUSED, ""):
            refuse(refused, icon=":material/block:")
            st.caption("Nothing was loaded; what was on screen before is still there.")
        for note in st.session_state.pop(NOTES, ()):
            st.warning(literal(note))


def reopen(name: str, data: bytes) -> None:
    """Put the saved work in place of what is in use; a file that is none changes nothing."""
    try:
        work = read_work(name, data)
        study = uploads.study_of(work.upload)
        if work.spent:
            study = replace(study, graph="rehearsed", spent=work.spent)
        scenario = links.checked(work.scenario)
        fields.restate(study.fingerprint, work.stated, work.reasons, work.signed)
    except EquipoiseError as problem:
        st.session_state[REFUSED] = str(problem)
        return
    state.adopt(study, work.upload)
    add_looks(study, work.looks)
    st.session_state[NOTES] = links.reopen({**scenario, "network": state.UPLOADED})
    apply(work.known, work.known_file)
