"""Past releases of the records on show: who has the records and the ledger has the files again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.ui.kit.markdown import literal, sentence
from pages.ui.release.paying import file_button
from pages.ui.release.place import Place
from release.dossier.verified import problems
from release.ledger.account import PaidItem
from release.ledger.folders import released_files
from release.ledger.spending import shown


def section(lines: Sequence[PaidItem], place: Place) -> None:
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
