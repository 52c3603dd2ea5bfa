"""METHODS: every way from counts to a model, one signature."""

from __future__ import annotations

from typing import Any, Literal

from core.counts import CountSource
from core.methods.data_dependent import data_dependent_arxiv, data_dependent_icml
from core.methods.equipoise import equipoise, equipoise_filter, equipoise_zcdp, forecast
from core.methods.method import Method, Release, Run
from core.methods.one_table import forecast_one_table, one_table
from core.methods.uniform import exact, forecast_uniform, uniform
from core.network import Network


def _undirected(name: Literal["mrf_naive", "cgm"]) -> Run:
    """A method over undirected models, loaded when it first runs: most processes never do."""

    def run(network: Network, counts: CountSource, **knobs: Any) -> Release:  # noqa: ANN401
        from core.markov import families

        method: Run = getattr(families, name)
        return method(network, counts, **knobs)

    return run


METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method(
            "exact",
            "Exact tables, no privacy",
            "none",
            "maximum likelihood",
            False,
            exact,
            refused="it adds no noise, so nothing about it is private",
        ),
        Method(
            "uniform",
            "Uniform split (the paper's D-Ind)",
            "pure ε-DP",
            "Chowdhury et al. 2020, section 5",
            False,
            uniform,
            forecast_uniform,
            refused="",
        ),
        Method(
            "one-table",
            "One table per family, none for parents",
            "pure ε-DP",
            "this project; see ARCHITECTURE.md",
            False,
            one_table,
            forecast_one_table,
            refused="",
        ),
        Method(
            "data-dependent-arxiv",
            "Data-dependent allocation (arXiv version)",
            "pure ε-DP",
            "Chowdhury et al. 2019 (arXiv), Algorithm 2",
            True,
            data_dependent_arxiv,
            refused="",
        ),
        Method(
            "data-dependent-icml",
            "Data-dependent allocation (ICML version)",
            "pure ε-DP",
            "Chowdhury et al. 2020 (ICML), Algorithm 1",
            True,
            data_dependent_icml,
            refused="",
        ),
        Method(
            "mrf-naive",
            "Undirected model, maximum likelihood",
            "pure ε-DP",
            "Bernstein et al. 2017, section 3.1",
            False,
            _undirected("mrf_naive"),
            refused="",
        ),
        Method(
            "cgm",
            "Undirected model, hidden tables (EM)",
            "pure ε-DP",
            "Bernstein et al. 2017, section 3.2",
            False,
            _undirected("cgm"),
            refused="",
        ),
        Method(
            "equipoise",
            "Equipoise: merged tables, public plan",
            "pure ε-DP",
            "this project; see ARCHITECTURE.md",
            False,
            equipoise,
            forecast,
            refused="",
        ),
        Method(
            "equipoise-filter",
            "Equipoise with matched filters",
            "pure ε-DP",
            "this project; see ARCHITECTURE.md",
            False,
            equipoise_filter,
            refused="",
        ),
        Method(
            "equipoise-zcdp",
            "Equipoise with Gaussian noise",
            "(ε, δ)-DP",
            "this project; Canonne, Kamath, Steinke 2020",
            False,
            equipoise_zcdp,
            refused="",
        ),
    )
}
