"""METHODS: every way from counts to a model, one signature."""

import importlib

from core.counts import CountSource
from core.errors import EquipoiseError
from core.methods.data_dependent import data_dependent_arxiv, data_dependent_icml
from core.methods.equipoise import equipoise, equipoise_filter, equipoise_zcdp, forecast
from core.methods.method import Method, Release, Run
from core.methods.one_table import (
    forecast_one_table,
    forecast_tables,
    one_table,
    privbayes_tables,
)
from core.methods.randomness import Randomness
from core.methods.uniform import exact, forecast_uniform, uniform
from core.network import Network
from core.privacy import Guarantee
from core.scenario import Scenario


def _later(module: str, name: str) -> Run:
    """A method whose module is loaded when it first runs: most processes never do."""

    def run(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        method: Run = getattr(importlib.import_module(module), name)
        return method(network, counts, scenario, rng=rng)

    return run


METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method(
            "exact",
            "Exact tables, no privacy",
            Guarantee.NONE,
            "maximum likelihood",
            False,
            exact,
            refused="it adds no noise, so nothing about it is private",
        ),
        Method(
            "uniform",
            "Uniform split (the paper's D-Ind)",
            Guarantee.PURE,
            "Chowdhury et al. 2020, section 5",
            False,
            uniform,
            forecast_uniform,
            refused="",
        ),
        Method(
            "one-table",
            "One table per family, none for parents",
            Guarantee.PURE,
            "this project; see docs/methods.md",
            False,
            one_table,
            forecast_one_table,
            refused="",
        ),
        Method(
            "privbayes-tables",
            "PrivBayes' tables on the given graph",
            Guarantee.PURE,
            "Zhang et al. 2017 (TODS), Algorithm 3",
            False,
            privbayes_tables,
            forecast_tables,
            refused="",
        ),
        Method(
            "data-dependent-arxiv",
            "Data-dependent allocation (arXiv version)",
            Guarantee.PURE,
            "Chowdhury et al. 2019 (arXiv), Algorithm 2",
            True,
            data_dependent_arxiv,
            refused="",
        ),
        Method(
            "data-dependent-icml",
            "Data-dependent allocation (ICML version)",
            Guarantee.PURE,
            "Chowdhury et al. 2020 (ICML), Algorithm 1",
            True,
            data_dependent_icml,
            refused="",
        ),
        Method(
            "mrf-naive",
            "Undirected model, maximum likelihood",
            Guarantee.PURE,
            "Bernstein et al. 2017, section 3.1",
            False,
            _later("core.markov.families", "mrf_naive"),
            refused="",
        ),
        Method(
            "cgm",
            "Undirected model, hidden tables (EM)",
            Guarantee.PURE,
            "Bernstein et al. 2017, section 3.2",
            False,
            _later("core.markov.families", "cgm"),
            refused="",
        ),
        Method(
            "equipoise",
            "Equipoise: merged tables, public plan",
            Guarantee.PURE,
            "this project; see docs/methods.md",
            False,
            equipoise,
            forecast,
            refused="",
        ),
        Method(
            "equipoise-filter",
            "Equipoise with matched filters",
            Guarantee.PURE,
            "this project; see docs/methods.md",
            False,
            equipoise_filter,
            refused="",
        ),
        Method(
            "equipoise-zcdp",
            "Equipoise with Gaussian noise",
            Guarantee.APPROXIMATE,
            "this project; Canonne, Kamath, Steinke 2020",
            False,
            equipoise_zcdp,
            refused="",
        ),
    )
}


def _learner(name: str) -> Run:
    """One that learns its graph; its module is loaded when it first runs."""

    def run(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        module = importlib.import_module("core.privbayes.learners")
        release: Release = module.learned(name, network, counts, scenario, rng=rng)
        return release

    return run


_OURS = "this project; see docs/methods.md"
LEARNERS: dict[str, Method] = {
    name: Method(
        name,
        title,
        Guarantee.APPROXIMATE if name.endswith("-zcdp") else Guarantee.PURE,
        source,
        False,
        _learner(name),
        refused="",
        learns=True,
    )
    for name, title, source in (
        ("privbayes", "PrivBayes: graph and tables", "Zhang et al. 2017 (TODS)"),
        ("privbayes-plus", "PrivBayes with better choices and estimators", _OURS),
        ("privbayes-structure", "The graph of privbayes-plus alone", _OURS),
        ("adaptive", "Pairs chosen where the model is most wrong", _OURS),
        ("adaptive-zcdp", "The same with Gaussian noise", _OURS),
        ("views", "Every pair, in small blocks of columns of few states", _OURS),
        ("views-zcdp", "The same with Gaussian noise", _OURS),
        ("equipoise-synthesis", "The way with the least error forecast", _OURS),
        ("equipoise-synthesis-zcdp", "The same with Gaussian noise", _OURS),
    )
}
"""Methods that learn their graph: released where there is none, and of no use on a given one."""


def method_named(name: str) -> Method:
    """The method of that name, or a sentence with those there are."""
    known = METHODS | LEARNERS
    if name not in known:
        raise EquipoiseError(
            f"no method {name!r}; there are {', '.join(METHODS)}, and those that learn a graph "
            "(python cli.py methods lists all)"
        )
    return known[name]
