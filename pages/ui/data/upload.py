"""What was uploaded, what was understood of it, and the study it makes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from core.errors import EquipoiseError
from pages.ui.kit.compute import remembered
from sources.preview import TablePreview, preview
from sources.schema import read_schema
from sources.study import File, Study, open_network, sampled_study, uploaded_study

MISSING = {"refuse": "refuse the file", "drop": "drop those rows", "state": "treat as a state"}

EXAMPLES = (
    ("records.csv: one row per person, states by name", "smoke,age,lung\nyes,41,no\nno,67,yes"),
    (
        "edges.csv: or BIF, XMLBIF, NET, XDSL, UAI, JSON, GraphML, GML, adjacency list",
        "parent,child\nsmoke,lung\nage,lung",
    ),
    (
        "schema.json: public states, or bin edges",
        '{"columns": [\n {"name": "smoke", "states": ["yes", "no"]},\n'
        ' {"name": "age", "bins": [0, 18, 40, 65, 120]},\n'
        ' {"name": "lung", "states": ["yes", "no"]}]}',
    ),
)
"""What the files look like."""


@dataclass(frozen=True)
class Upload:
    """The files of one upload; without a network file the sample network ``name`` is used."""

    name: str | None
    data: File | None
    dag: File | None
    schema: File | None
    missing: str
    records: int

    @property
    def files(self) -> tuple[File, ...]:
        """What was uploaded."""
        return tuple(file for file in (self.data, self.dag, self.schema) if file is not None)

    @property
    def key(self) -> tuple[str, ...]:
        """Equal exactly for equal files and choices."""
        digests = [
            hashlib.sha256(f[1]).hexdigest() + f[0] if f else ""
            for f in (self.data, self.dag, self.schema)
        ]
        return (self.name or "", self.missing, str(self.records), *digests)


def understood(upload: Upload) -> TablePreview | None:
    """What the records look like against network and schema; none when there are no records."""
    if upload.data is None:
        return None
    return remembered(("preview", *upload.key), lambda: _preview(upload))


def _preview(upload: Upload) -> TablePreview:
    name, data = upload.data or ("", b"")
    network = open_network(upload.name, upload.dag)
    schema = None if upload.schema is None else read_schema(*upload.schema)
    return preview(name, data, network, schema=schema, missing=upload.missing)


def study_of(upload: Upload) -> Study:
    """The study these files make; the first problem is raised, and nothing is half loaded."""
    return remembered(("upload", *upload.key), lambda: _study(upload))


def _study(upload: Upload) -> Study:
    if upload.data is None:
        if upload.dag is None:
            raise EquipoiseError("no file is chosen; add records, a network file, or both")
        return sampled_study(None, upload.dag, records=upload.records, seed=0)
    return uploaded_study(
        upload.name,
        upload.dag,
        data=upload.data,
        schema=upload.schema,
        missing=upload.missing,
    )


def columns_table(table: TablePreview) -> list[dict[str, object]]:
    """One row for each column the network needs."""
    return [
        {
            "column": c.name,
            "states": c.states,
            "values seen": c.distinct,
            "missing": c.missing,
            "states come from": c.origin,
            "verdict": c.problem or "understood",
        }
        for c in table.columns
    ]


def largest(understood: TablePreview) -> str:
    """Which table is the largest, in a sentence."""
    if not understood.largest:
        return ""
    name, cells = understood.largest
    return f"The largest table is that of {name} and its parents: {cells:,} cells."


def in_use(study: Study, current: Study | None) -> bool:
    """Whether this study is the one on show."""
    return (
        current is not None
        and current.fingerprint == study.fingerprint
        and current.network == study.network
    )
