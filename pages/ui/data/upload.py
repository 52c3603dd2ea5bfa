"""What was uploaded, what was understood of it, and the study it makes."""

from dataclasses import dataclass

from core.errors import EquipoiseError
from pages.ui.data.file_step import key_of
from pages.ui.kit.compute import latest
from sources.preview import TablePreview, preview
from sources.schema import read_schema
from sources.study import File, Study, TableFile, graph_for, sampled_study, uploaded_study
from sources.units import Unit


@dataclass(frozen=True)
class Upload:
    """The files of one upload; without a network file the sample network ``name`` is used."""

    name: str | None
    data: TableFile | None
    dag: File | None
    schema: File | None
    missing: str
    records: int
    unit: str = ""
    per_unit: int = 1

    @property
    def bound(self) -> Unit | None:
        """At most so many records of each unit, where a column names it."""
        return Unit(self.unit, self.per_unit) if self.unit else None

    @property
    def files(self) -> tuple[TableFile, ...]:
        """What was uploaded."""
        return tuple(file for file in (self.data, self.dag, self.schema) if file is not None)

    @property
    def key(self) -> tuple[str, ...]:
        """Equal exactly for equal files and choices."""
        keys = [key_of(file) if file else "" for file in (self.data, self.dag, self.schema)]
        said = (self.missing, str(self.records), self.unit, str(self.per_unit))
        return (self.name or "", *said, *keys)


def understood(upload: Upload) -> TablePreview | None:
    """What the records look like against network and schema; none when there are no records."""
    if upload.data is None:
        return None
    return latest("preview", upload.key, lambda: _preview(upload))


def _preview(upload: Upload) -> TablePreview:
    name, data = upload.data or ("", b"")
    schema = None if upload.schema is None else read_schema(*upload.schema)
    network = graph_for(upload.name, upload.dag, name, schema)
    return preview(name, data, network, schema=schema, missing=upload.missing, unit=upload.bound)


def study_of(upload: Upload) -> Study:
    """The study these files make; the first problem is raised, and nothing is half loaded."""
    return latest("upload", upload.key, lambda: _study(upload))


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
        unit=upload.bound,
    )
