"""Murakonda, Shokri, Theodorakopoulos (2021): all items."""

from __future__ import annotations

from core.reproduce import murakonda_appendix as appendix
from core.reproduce import murakonda_moments as moments
from core.reproduce import murakonda_tables as tables
from core.reproduce.item import Item, printed
from core.reproduce.murakonda_printed import DATA

GENERATED = (
    "generated networks with exactly the printed edges and parameters (quick: Location, 5 splits; "
    "full: all three, 50); pool and reference as in Table 1, Dirichlet(1) on every row"
)
PAIRS = "child and alarm, pools of 1,000, reference 200,000 (quick: 10 pools; full: 50)"
ROWS = [
    (name, parents, row) for name, data in DATA.items() for parents, row in enumerate(data.rows)
]

ITEMS = (
    Item(
        key="M1", title="The bound", source="Theorem 1, Eq. 8",
        claim="z_α + z_(1−β) = √(C/n); for independent marginals √(m/n).",
        setting="C of 18, 446, 4,323; n of 1,000, 3,000, 30,000; five false-alarm rates",
        rule="EXACT(1e-9)", run=tables.theorem,
    ),
    Item(
        key="M2", title="Table 2, theory", source="Table 2, AUC (Theoretical)",
        claim="AUC of twelve structures from C and n.", setting="C and n as printed",
        rule="EXACT(1.5e-4)", run=tables.theory,
        published=printed(
            [(f"{name}, at most {k} parents", row.theoretical) for name, k, row in ROWS]
        ),
    ),
    Item(
        key="M3", title="Table 2, measured", source="Table 2, AUC (Empirical)",
        claim="AUC of the attack on twelve structures.", setting=GENERATED,
        rule="SHAPE: every AUC at most the theory + 2 standard errors, rising with the parents, "
        "and within 0.02 of print in three quarters of the rows (partly: without the last).",
        run=tables.empirical,
        published=printed(
            [(f"{name}, at most {k} parents", row.empirical) for name, k, row in ROWS]
        ),
    ),
    Item(
        key="M4", title="Power rises with complexity", source="Fig. 1, column 1",
        claim="More parents, more power at every false-alarm rate.", setting=GENERATED,
        rule="ORDER over neighbouring numbers of parents at 0.01, 0.05, 0.1, 0.2",
        run=tables.rising_power,
    ),
    Item(
        key="M5", title="Attack close to the bound", source="Fig. 1, columns 2 and 3",
        claim="Measured power is close to the bound with 0 and 3 parents (but Genome with 0).",
        setting=GENERATED, rule="SHAPE: largest gap of the two curves at most 0.05",
        run=tables.close_to_bound,
    ),
    Item(
        key="M6", title="Moments of L", source="Appendix A, steps 3a to 3d",
        claim="Mean C/2n outside and −C/2n inside, variance C/n for both.",
        setting="Location with 3 parents, population known exactly",
        rule="SHAPE: each within 5 %", run=moments.moments,
    ),
    Item(
        key="M7", title="Second order of one parameter", source="Lemma 1, Eq. 12",
        claim="(1/2n) (1 + (1−p_v)/(n p_v)).", setting="one node with one parent, p = 0.4",
        rule="SHAPE: within 5 % wherever n p_v is 10 or more, under the kinder reading",
        run=moments.second_order,
    ),
    Item(
        key="M8", title="Variance for naive Bayes", source="Appendix F, Eq. 33",
        claim="C/n + (m²/4n²) (1/(p(1−p)) − 4).", setting="m = 100, n = 1,000, p from 0.5 to 0.05",
        rule="SHAPE: each within 5 %", run=moments.naive_variance,
    ),
    Item(
        key="M9", title="Errors are independent", source="Appendix G",
        claim="Estimation errors of different parameters are independent.",
        setting="child, pools of 1,000, the true structure and none",
        rule="HOLDS: mean absolute correlation at most 2/√pools, for the kinder structure",
        run=moments.independence,
    ),
    Item(
        key="M10", title="Gaussian privacy", source="Appendix H, Eq. 34, Corollary 1",
        claim="δ(ε) of a mechanism as private as N(0,1) against N(μ,1), and its bound on power.",
        setting="ε from 0.1 to 4", rule="EXACT(1e-9) and HOLDS: power under ε alone is below it",
        run=moments.gaussian,
    ),
    Item(
        key="M11", title="Random edges", source="Appendix J.1, Fig. 1",
        claim="Random and learned edges leak almost the same at equal complexity.", setting=PAIRS,
        rule="SHAPE: AUC differ by at most 0.02", run=appendix.equal_edges,
    ),
    Item(
        key="M12", title="Thresholds", source="Appendix J.2, Fig. 2",
        claim="Without edges theory is much higher than estimated; with three parents close.",
        setting=PAIRS,
        rule="SHAPE: above at every false-alarm rate; the gap in deviations at least halves",
        run=appendix.theory_thresholds,
    ),
    Item(
        key="M13", title="A richer population model", source="Appendix J.3, Figs. 3 and 4",
        claim="A richer population model lowers the power.", setting=PAIRS,
        rule="ORDER: AUC lower", run=appendix.richer_model,
    ),
    Item(
        key="M14", title="Biased sampling", source="Appendix J.4, Fig. 5",
        claim="Power rises with the bias, above the bound.", setting=PAIRS,
        rule="ORDER: AUC above that without bias, and the last above the bound",
        run=appendix.selected_pools,
    ),
    Item(
        key="M15", title="The strongest attack", source="Section 3.2, appendix J.3",
        claim="The likelihood ratio has the most power; other statistics add none.", setting=PAIRS,
        rule="ORDER: likelihood ratio above a whitened attack on a release without edges",
        run=appendix.strongest_attack,
    ),
    Item(
        key="M16", title="An upper bound on power", source="Theorem 1, section 4",
        claim="A tight upper bound on the power of the attack.",
        setting="child and alarm, exact release, n of 1,000 and 10,000",
        rule="HOLDS: no lower end of a 95 % interval of power or AUC above the bound",
        run=moments.upper_bound,
    ),
    Item(
        key="M17", title="What complexity and records do", source="Section 4.1",
        claim="Quadrupling C doubles z_α + z_(1−β); quadrupling n halves it.", setting="Theorem 1",
        rule="EXACT(1e-12)", run=tables.scaling,
    ),
)  # fmt: skip
