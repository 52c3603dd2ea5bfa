"""Code books: a table of column, value and label that says what a column's values mean."""

from dataclasses import dataclass

from core.errors import EquipoiseError
from core.table import Variable
from sources.coding import texts
from sources.opening import open_table
from sources.schema import STATE_LIMIT, SchemaColumn
from sources.text import Content, listed, shown


@dataclass(frozen=True)
class CodeBook:
    """For each column its values with their labels, in the order of the file."""

    name: str
    columns: dict[str, dict[str, str]]

    def column(self, name: str) -> SchemaColumn:
        """The column as the book describes it; values with one label become one state."""
        labels = self.columns[name]
        states = tuple(dict.fromkeys(labels.values()))
        plain = all(value == label for value, label in labels.items())
        values = () if plain else tuple(labels.items())
        return SchemaColumn(Variable(name, states), values=values, source=f"code book {self.name}")


def read_codebook(name: str, content: Content) -> CodeBook:
    """The code book of a table with the columns ``column``, ``value`` and perhaps ``label``."""
    stream = open_table(name, content, stated={"header": True, "missing": ()})
    own = {title.strip().casefold(): title for title in stream.header}
    if "column" not in own or "value" not in own:
        raise EquipoiseError(
            f"{name} is no code book: it has {listed(stream.header)}, and a code book has the "
            "columns column, value and label"
        )
    wanted = [own[title] for title in ("column", "value", "label") if title in own]
    columns: dict[str, dict[str, str]] = {}
    for batch in stream.batches(wanted):
        cells = [texts(batch.column(title).cast("string")).to_pylist() for title in wanted]
        for column, value, *label in zip(*cells, strict=True):
            labels = columns.setdefault(column or "", {})
            if value in labels:
                raise EquipoiseError(
                    f"{name} lists the value {shown(value)} of {shown(column)} twice; remove one"
                )
            labels[value or ""] = (label[0] if label else "") or value or ""
            if len(labels) > STATE_LIMIT:
                raise EquipoiseError(
                    f"{name} has more than {STATE_LIMIT:,} values of {shown(column)}; merge some"
                )
    return CodeBook(name, columns)
