"""Every item of the four papers."""

from __future__ import annotations

from core.errors import EquipoiseError
from core.reproduce import bernstein, chowdhury, murakonda, privbayes
from core.reproduce.item import Item

PAPERS: dict[str, tuple[Item, ...]] = {
    "chowdhury": chowdhury.ITEMS,
    "bernstein": bernstein.ITEMS,
    "murakonda": murakonda.ITEMS,
    "privbayes": privbayes.ITEMS,
}

TITLES = {
    "chowdhury": "Roy Chowdhury, Rekatsinas, Jha: Data-dependent differentially private parameter "
    "learning for directed graphical models (arXiv 2019, ICML 2020)",
    "bernstein": "Bernstein, McKenna, Sun, Sheldon, Hay, Miklau: Differentially private learning "
    "of undirected graphical models using collective graphical models (ICML 2017)",
    "murakonda": "Murakonda, Shokri, Theodorakopoulos: Quantifying the privacy risks of learning "
    "high-dimensional graphical models (AISTATS 2021)",
    "privbayes": "Zhang, Cormode, Procopiuc, Srivastava, Xiao: PrivBayes (TODS 2017)",
}


def items_of(paper: str) -> tuple[Item, ...]:
    """The items of a paper, by its short name."""
    if paper not in PAPERS:
        raise EquipoiseError(f"no paper {paper!r}; there are {', '.join(PAPERS)}")
    return PAPERS[paper]


def item_of(paper: str, key: str) -> Item:
    """One item."""
    items = {item.key.casefold(): item for item in items_of(paper)}
    if key.casefold() not in items:
        raise EquipoiseError(
            f"no item {key!r} of {paper}; there are {', '.join(i.key for i in items.values())}"
        )
    return items[key.casefold()]
