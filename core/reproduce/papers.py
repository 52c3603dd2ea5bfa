"""Every item of the four papers."""

from core.errors import EquipoiseError
from core.reproduce import bernstein_learning as learning
from core.reproduce import bernstein_solvers as solvers
from core.reproduce import bernstein_tables as tables
from core.reproduce import chowdhury_answers as answers
from core.reproduce import chowdhury_bounds as bounds
from core.reproduce import chowdhury_budgets as budgets
from core.reproduce import chowdhury_curves as curves
from core.reproduce import chowdhury_graphs as graphs
from core.reproduce import chowdhury_views as views
from core.reproduce import murakonda_appendix as appendix
from core.reproduce import murakonda_moments as moments
from core.reproduce import murakonda_tables as attacks
from core.reproduce import privbayes_classes as classes
from core.reproduce import privbayes_errors as errors
from core.reproduce import privbayes_exact as computed
from core.reproduce import privbayes_rivals as rivals
from core.reproduce import privbayes_searches as searches
from core.reproduce.item import Item, items_in

PAPERS: dict[str, tuple[Item, ...]] = {
    "chowdhury": items_in(graphs, curves, answers, bounds, budgets, views),
    "bernstein": items_in(tables, learning, solvers),
    "murakonda": items_in(attacks, moments, appendix),
    "privbayes": items_in(computed, searches, errors, rivals, classes),
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
