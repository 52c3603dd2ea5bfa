"""Numbers that Murakonda et al. print: Tables 1 and 2, and the structures that have them."""

from dataclasses import dataclass
from typing import NamedTuple

from core.membership.generated import InDegrees


class TableRow(NamedTuple):
    """A row of Table 2, with nodes of one, two and three parents that give its edges and C."""

    edges: int
    complexity: int
    empirical: float
    theoretical: float
    released: InDegrees


@dataclass(frozen=True)
class PrintedData:
    """A data set of Table 1 and its rows of Table 2, for at most 0 to 3 parents."""

    nodes: int
    people: int
    records: int
    reference: int
    rows: tuple[TableRow, TableRow, TableRow, TableRow]

    @property
    def truth(self) -> InDegrees:
        """The richest structure stands for the population's own."""
        return self.rows[3].released


DATA = {
    "Location": PrintedData(446, 30_000, 3_000, 15_000, (
        TableRow(0, 446, 0.5928, 0.6074, (0, 0, 0)),
        TableRow(343, 789, 0.6337, 0.6415, (343, 0, 0)),
        TableRow(566, 1222, 0.6655, 0.6741, (146, 210, 0)),
        TableRow(757, 1905, 0.6998, 0.7134, (108, 98, 151)),
    )),
    "Purchase": PrintedData(600, 30_000, 3_000, 15_000, (
        TableRow(0, 600, 0.5700, 0.6241, (0, 0, 0)),
        TableRow(496, 1096, 0.6266, 0.6654, (496, 0, 0)),
        TableRow(941, 1942, 0.6885, 0.7153, (139, 401, 0)),
        TableRow(1358, 3431, 0.7541, 0.7752, (52, 161, 328)),
    )),
    "Genome": PrintedData(1000, 10_000, 1_000, 5_000, (
        TableRow(0, 1000, 0.6729, 0.7602, (0, 0, 0)),
        TableRow(729, 1729, 0.7875, 0.8237, (729, 0, 0)),
        TableRow(1244, 2706, 0.8495, 0.8776, (320, 462, 0)),
        TableRow(1712, 4323, 0.9058, 0.9292, (195, 247, 341)),
    )),
}  # fmt: skip
