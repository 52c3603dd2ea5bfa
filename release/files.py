"""Released files: made from the record of a release, put in place all at once.

They are written under a name that no one looks for, flushed to disk, and the whole directory gets
its name in one step: a reader sees all files or none.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from core.errors import EquipoiseError, brief
from core.privbayes.learners import STRUCTURE, drawn_records, uniform_model
from release.ledger.spending import shown
from release.ledger.store import flush, make_directory
from release.published import Published, ReleasedFile, document, published_from
from release.versions import check_text
from sources.bif import write_bif
from sources.json_network import network_document, read_document
from sources.loaded import Loaded
from sources.records import records_csv
from sources.text import as_written, contents, digest, opened, read_json

MODEL, GRAPH = "model.json", "graph.json"
TRIAL = ".dry-run"
"""End of the hidden name of a trial."""


def model_files(published: Published) -> dict[str, bytes]:
    """The private model as BIF and JSON, and synthetic records where they are wanted; or the graph.

    Sampling from a private model is post-processing: it costs nothing.
    """
    files = network_files(published)
    if published.synthetic:
        rows = drawn_records(
            published.method,
            published.model,
            published.columns,
            published.synthetic,
            rng=np.random.default_rng(),
        )
        files["records.csv"] = records_csv(rows)
    return files


def network_files(published: Published) -> dict[str, bytes]:
    """The private model as BIF and JSON, or the graph: the same bytes for the same record."""
    network, model = published.model.network, published.model
    name = f"release {published.id}"
    if published.method == STRUCTURE:
        graph = {**network_document(network, name=name), "release": document(published)}
        return {GRAPH: f"{json.dumps(graph, ensure_ascii=False, indent=1)}\n".encode()}
    properties = {
        "release": published.id,
        "method": published.method,
        "guarantee": published.guarantee,
        "epsilon": shown(published.epsilon),
        "delta": shown(published.delta),
        "neighbours": published.neighbours.value,
    }
    if published.graph_epsilon:
        properties["graph_epsilon"] = shown(published.graph_epsilon)
    whole = {**network_document(network, model, name=name), "release": document(published)}
    return {
        "model.bif": write_bif(network, model, name=name, properties=properties).encode(),
        MODEL: f"{json.dumps(whole, ensure_ascii=False, indent=1)}\n".encode(),
    }


def read_published(
    directory: Path, released: tuple[ReleasedFile, ...], *, dataset: str = "", override: str = ""
) -> Published:
    """The release whose files lie there; refused unless they are the ``released`` ones.

    The ledger has their checksums: a model that somebody changed is not what was paid for.
    """
    problems = tuple(differing(directory, released))
    if problems:
        raise EquipoiseError(
            f"{problems[0]}; restore the files of the release from where they went"
        )
    name = GRAPH if GRAPH in {file.name for file in released} else MODEL
    data = contents(directory / name)
    whole = read_json(name, data, limit=len(data))
    loaded, facts = read_document(name, whole), whole.get("release")
    model = loaded.model if isinstance(loaded, Loaded) else None
    if name == GRAPH and isinstance(loaded, Loaded):
        model = uniform_model(loaded.network)
    if model is None or not isinstance(facts, dict):
        raise EquipoiseError(f"{directory / name} is not a released model; choose another")
    with as_written(name, "restore the files of the release from where they went"):
        published = published_from(facts, model, dataset=dataset, override=override)
    return published.with_files(released)


def differing(folder: Path, released: Iterable[ReleasedFile]) -> Iterator[str]:
    """What is wrong with each released file that is not as the ledger has it."""
    for file in released:
        path = folder / file.name
        try:
            what = difference(path, file.size, file.sha256)
        except (EquipoiseError, OSError):
            yield f"{path} is missing"
            continue
        if what:
            yield f"{path} is not as it was released; its {what} differs"


def difference(path: Path, size: int, sha256: str) -> str:
    """What shows that a file was changed, if anything does; one of another size is not read."""
    with opened(path):  # refuses what is no file
        if path.stat().st_size != size:
            return "size"
    return "" if digest(path) == sha256 else "checksum"


def listed(files: Mapping[str, bytes]) -> tuple[ReleasedFile, ...]:
    """Names, sizes and checksums."""
    return tuple(
        ReleasedFile(name, len(data), hashlib.sha256(data).hexdigest())
        for name, data in sorted(files.items())
    )


def hidden(out: Path, release: str) -> Path:
    """Where the files of a release are written before they are complete."""
    return out / f".{release}.partial"


def trial(out: Path, release: str) -> Path:
    """Where the files of a trial are written; as long as the hidden name of a release."""
    return out / f".{release}{TRIAL}"


def write(directory: Path, files: Mapping[str, bytes]) -> None:
    """Write all files into a new directory, on disk when this returns."""
    try:
        directory.mkdir()
        for name, data in files.items():
            with (directory / name).open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        flush(directory)
        flush(directory.parent)
    except OSError as problem:
        raise EquipoiseError(f"{directory} cannot be written ({_reason(problem)})") from None


def place(out: Path, release: str) -> Path:
    """Give a complete directory its name, unless another process has done so."""
    final = out / release
    try:
        hidden(out, release).rename(final)
        flush(out)
    except FileNotFoundError:
        if not final.is_dir():
            raise EquipoiseError(
                f"the files of release {release} are gone from {out}; its budget stays spent"
            ) from None
    except OSError as problem:
        raise EquipoiseError(
            f"release {release} is paid and complete, and {hidden(out, release)} could not be "
            f"given its name ({_reason(problem)}); release or ask for it again to have that done"
        ) from None
    return final


def discard(out: Path, release: str) -> None:
    """Remove what was written of a release that came to nothing."""
    shutil.rmtree(hidden(out, release), ignore_errors=True)


def check_writable(out: Path) -> None:
    """Refuse a directory that cannot be written or recorded, before anything is spent."""
    check_text("the directory of the releases", str(out))
    try:
        make_directory(out)
        Path(tempfile.mkdtemp(dir=out, prefix=".probe")).rmdir()
    except OSError as problem:
        raise EquipoiseError(
            f"{brief(str(out))} cannot be written ({_reason(problem)}); choose another"
        ) from None


def _reason(problem: OSError) -> str:
    return (problem.strerror or type(problem).__name__).lower()
