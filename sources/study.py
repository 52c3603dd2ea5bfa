"""Study: a network and the records it is learned from, ready for the engine.

The page and the command line load through these two functions, so they say the same of the same
files.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Literal

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.inference.sampling import sample as draw_records
from core.network import Network
from core.parameters import Model
from core.scenario import RECORD_LIMIT, check_count, check_seed
from core.table import Table, Variable
from sources.elsewhere import Elsewhere
from sources.examination import counted_notes
from sources.loaded import EdgeList, Loaded, with_states
from sources.networks import read_network, sample
from sources.opening import open_table
from sources.schema import Schema, read_schema
from sources.tables import INFERRED, network_for, read_table
from sources.text import Content, digest
from sources.units import Unit

File = tuple[str, bytes]
"""A file's name and content."""

TableFile = tuple[str, Content]
"""A table's name and its content, or where that is read from piece by piece."""

RECORDS = "records"
"""What a command line calls the file of the records: its real name stays with its keeper."""

NEEDS_ROWS = (
    "this needs rows, and a connection gives counts alone; take made-up records of the same "
    "network (public), or records that a release has drawn (charged to its budget)"
)


@dataclass(frozen=True)
class Once:
    """A source that counts each list of families once; moving a knob does not count again."""

    source: Rows | Elsewhere
    kept: dict[tuple[tuple[Variable, ...], ...], tuple[Table, ...]] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """Number of records."""
        return self.source.records

    @property
    def rows(self) -> Rows:
        """The rows, where they are here."""
        if not isinstance(self.source, Rows):
            raise EquipoiseError(NEEDS_ROWS)
        return self.source

    def counts(self, families: Sequence[tuple[Variable, ...]]) -> tuple[Table, ...]:
        """Counted before, or now."""
        key = tuple(families)
        if key not in self.kept:
            if len(self.kept) >= 8:
                self.kept.pop(next(iter(self.kept)))
            self.kept[key] = self.source.counts(families)
        return self.kept[key]


@dataclass(frozen=True, eq=False)
class Study:
    """A network over the variables of a dataset; ``sampled`` records are public, others private.

    ``inferred`` says that the states were read off the records; ``spent`` is the ε that learning
    the graph from them has cost already, which adds to whatever is spent on its tables. ``graph``
    says where the graph comes from: ``given`` with the files; ``rehearsed``, learned from the
    records by a seeded run, which is not private whatever ε it names; or ``none``, to be learned by
    a release: then the network has no edges. ``missing`` is what was done
    with missing values, ``binned`` the columns cut at the schema's edges. ``source`` is the SHA-256
    of the file the records came in, by which a ledger knows it again under other bins. ``model``
    is the network's own published parameters: of a sample network, or of what was sampled; those
    of a file beside private records may have been learned from them. ``loading`` names what a shell
    loads the same study with, argument by argument. ``before_dropping`` is the number of records
    in the file before those with missing values were left out, zero where it is not known.
    ``declared`` says that the states come from a schema or a sample network: what another network
    file says is public only if somebody says so. ``seen`` are columns whose states or edges a
    schema has from the records and nobody has confirmed; ``known_from`` pairs columns with where
    they are known from. ``unit`` is the column of whom at most ``per_unit`` records were kept,
    empty where nothing was bounded. ``guessed`` is what the records decide of how the file is
    read. ``notes`` are the same for all records; ``counted`` ones are for the keeper of the data.
    """

    name: str
    network: Network
    people: Dataset | Elsewhere
    sampled: bool
    inferred: bool = False
    notes: tuple[str, ...] = ()
    spent: float = 0.0
    graph: Literal["given", "rehearsed", "none"] = "given"
    missing: str = "refuse"
    binned: tuple[str, ...] = ()
    source: str = ""
    before_dropping: int = 0
    declared: bool = True
    model: Model | None = None
    loading: tuple[tuple[str, str], ...] = ()
    seen: tuple[str, ...] = ()
    known_from: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    per_unit: int = 1
    guessed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.spent < math.inf:
            raise EquipoiseError(
                f"learning the graph is said to have cost ε = {self.spent:g}; it must be zero or "
                "positive"
            )

    @property
    def population(self) -> Model | None:
        """The parameters that sampled records were drawn from."""
        return self.model if self.sampled else None

    @cached_property
    def counts(self) -> Once:
        """The records as a source of counts."""
        people = self.people
        return Once(Rows(people) if isinstance(people, Dataset) else people)

    @property
    def rows(self) -> Rows:
        """The rows; refused where only counts come from where they are."""
        return self.counts.rows

    @property
    def dataset(self) -> Dataset:
        """The same as codes."""
        return self.rows.dataset

    @property
    def connected(self) -> bool:
        """Whether the rows stay elsewhere."""
        return not isinstance(self.people, Dataset)

    @property
    def records(self) -> int:
        """Number of records."""
        return self.people.records

    @property
    def counted(self) -> tuple[str, ...]:
        """Notes that count records: they are private."""
        whole = self.before_dropping or self.records
        return counted_notes(whole, whole - self.records)

    @property
    def fingerprint(self) -> str:
        """Equal exactly for equal records over equal variables."""
        return self.people.fingerprint


def sampled_study(name: str | None, dag: File | None, *, records: int, seed: int) -> Study:
    """Records drawn from the network's own parameters."""
    check_count("the number of records", records, RECORD_LIMIT)
    check_seed("the seed of the records", seed)
    loaded = open_network(name, dag)
    if isinstance(loaded, EdgeList) or loaded.model is None:
        raise EquipoiseError(
            f"{loaded.name} has no probabilities to sample records from; add a data file"
        )
    rng = np.random.default_rng(seed)
    dataset = draw_records(loaded.model, records, rng=rng)
    drawn = (("records", str(records)), ("data-seed", str(seed)))
    return Study(
        loaded.name,
        loaded.network,
        dataset,
        sampled=True,
        before_dropping=records,
        model=loaded.model,
        loading=(*_named(name, dag), *drawn),
    )


def without_graph(study: Study) -> Study:
    """The same records, whose graph is left for a release to learn."""
    variables = study.network.variables
    return replace(study, network=Network(variables, ((),) * len(variables)), graph="none")


def uploaded_study(
    name: str | None,
    dag: File | None,
    *,
    data: TableFile,
    schema: File | None,
    missing: str,
    unit: Unit | None = None,
    explore: bool = False,
) -> Study:
    """Records from a file, against the states that the network or the schema declares.

    Without a network there is no graph: the columns are those of the schema, or of the file where
    somebody only wants to ``explore``.
    """
    columns = None if schema is None else read_schema(*schema)
    header = filter(None, open_table(*data).header if explore else ())
    loaded = graph_for(name, dag, data[0], columns, header)
    network = network_for(*data, loaded, schema=columns)
    inferred = isinstance(loaded, EdgeList) and columns is None
    read = read_table(*data, network.variables, schema=columns, missing=missing, unit=unit)
    told = f"{RECORDS}{PurePath(data[0]).suffix}"
    study = described(
        read.dataset, network, loaded, columns, (name, dag), told, missing=missing, unit=unit
    )
    return replace(
        study,
        inferred=inferred,
        notes=((INFERRED,) if inferred else ()) + read.notes,
        declared=study.declared and not inferred,
        source=digest(data[1]),
        before_dropping=0 if unit else read.dataset.records + read.dropped,
        guessed=read.guessed,
    )


def described(  # noqa: PLR0913 - who, which graph, which columns, how they are read
    people: Dataset | Elsewhere,
    network: Network,
    loaded: Loaded | EdgeList,
    schema: Schema | None,
    given: tuple[str | None, File | None],
    data: str,
    *,
    missing: str,
    unit: Unit | None,
) -> Study:
    """A study with what its files say; ``given`` are a network's name and file."""
    name, dag = given
    network = with_states(network, people.variables)
    columns = () if schema is None else schema.of(network.names)
    return Study(
        loaded.name,
        network,
        people,
        False,
        graph="none" if name is None and dag is None else "given",
        missing=missing if schema is None else schema.policy(network.names, missing),
        binned=tuple(c.variable.name for c in columns if c.edges),
        declared=dag is None or (schema is not None and schema.covers(network.names)),
        model=loaded.model if dag is None and isinstance(loaded, Loaded) else None,
        loading=(
            *_named(name, dag),
            ("data", data),
            *(() if schema is None else (("schema", schema.name),)),
            ("missing", missing),
            *((("unit-column", unit.column), ("per-unit", str(unit.most))) if unit else ()),
        ),
        seen=tuple(c.variable.name for c in columns if not c.public),
        known_from=tuple((c.variable.name, c.source) for c in columns if c.source),
        unit=unit.column if unit else "",
        per_unit=unit.most if unit else 1,
    )


def graph_for(
    name: str | None, dag: File | None, data: str, schema: Schema | None, header: Iterable[str] = ()
) -> Loaded | EdgeList:
    """The network that is named, or the columns of a schema, or of a header, without any edge."""
    columns = tuple(header if schema is None else schema.by_name)
    if name is None and dag is None and columns:
        return EdgeList(columns, (), data)
    return open_network(name, dag)


def _named(name: str | None, dag: File | None) -> tuple[tuple[str, str], ...]:
    """The argument that opens the network; none where there is no graph."""
    if name is None and dag is None:
        return ()
    return (("network", str(name)),) if dag is None else (("dag", dag[0]),)


def open_network(name: str | None, dag: File | None) -> Loaded | EdgeList:
    """A network file, or the sample network of that name."""
    if dag is not None:
        return read_network(*dag)
    if name is None:
        raise EquipoiseError("no network is given; name a sample network or add a network file")
    return sample(name)
