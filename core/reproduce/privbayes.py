"""Zhang et al. (TODS 2017), PrivBayes: all items."""

from __future__ import annotations

from core.reproduce import privbayes_classes as classes
from core.reproduce import privbayes_errors as errors
from core.reproduce import privbayes_exact as computed
from core.reproduce import privbayes_searches as searches
from core.reproduce.item import Item, printed

REPLACED = "one record replaced, n public, β = 0.3, θ = 4"
SURVEY = f"generated survey of 16 questions, 21,574 records (NLTCS is not ours to ship); {REPLACED}"
ADULT = f"Adult, 45,222 records, 15 columns; {REPLACED}"

ITEMS = (
    Item(
        key="P1", title="Scores of the example", source="Table 3, Example 4.4",
        claim="F = −0.2 at an L1 distance of 0.4; I = 1 for both maximum distributions.",
        setting="as printed", rule="EXACT(1e-12)", run=computed.example_scores,
        published=printed([("F", -0.2), ("L1 distance of (a) and (b)", 0.4)]),
    ),
    Item(
        key="P2", title="Sensitivities", source="Lemma 4.1, Theorems 4.5 and 5.3",
        claim="S(I) in closed form, S(F) = 1/n, S(R) ≤ 3/n + 2/n².",
        setting="every table of few records and every record replaced",
        rule="HOLDS: no change above the published one", run=computed.sensitivities,
    ),
    Item(
        key="P3", title="Usefulness and degree", source="Lemma 4.8",
        claim="Usefulness n ε₂ / ((d − k) 2^(k+2)) decides k.", setting="sizes of the four tables",
        rule="EXACT(1e-12)", run=computed.degrees,
    ),
    Item(
        key="P4", title="Costs of the scores", source="Table 4",
        claim="R costs O(|X||Π|), F grows with n.", setting="tables of 16 and 256 settings",
        rule="SHAPE: time of R does not grow with n, F costs more", run=searches.score_costs,
        timed=True,
    ),
    Item(
        key="P5", title="Size of Adult", source="Table 5",
        claim="45,222 records, 15 columns, a domain of about 2^52.", setting=ADULT,
        rule="EXACT(0.5)", run=errors.sizes, data=errors.ADULT,
        published=printed([("records", 45_222), ("columns", 15), ("bits of the domain", 52)]),
    ),
    Item(
        key="P6", title="Tables of the example", source="Example 3.1, Table 1",
        claim="k = 2: three noisy joint distributions give five conditionals.",
        setting="the network of Fig. 1", rule="EXACT(0)", run=computed.example_tables,
        published=printed([("noisy joint distributions", 3), ("conditionals", 5)]),
    ),
    Item(
        key="P7", title="Codes", source="Figs. 2 and 3", claim="(30,40] of eight ages is Gray 010.",
        setting="eight bins of ten years", rule="EXACT(0)", run=computed.gray_code,
    ),
    Item(
        key="P8", title="Divergence of a network", source="Eq. 6",
        claim="KL = −Σ I(X, Π) + Σ H(X) − H(A).", setting="Asia, 10,000 records, 2^8 cells",
        rule="HOLDS to 1e-9", run=computed.divergence,
    ),
    Item(
        key="P9", title="R and I", source="Section 5.3", claim="R ≤ √(ln 2 / 2 · I).",
        setting="10,000 random tables", rule="HOLDS", run=computed.pinsker,
    ),
    Item(
        key="P10", title="Maximal parent sets", source="Algorithms 5 and 6",
        claim="They find all maximal parent sets and nothing else.",
        setting="random sizes and levels", rule="HOLDS against brute force",
        run=computed.parent_sets,
    ),
    Item(
        key="P11", title="Quality of the structure", source="Fig. 4",
        claim="F and R above I; F at least R at small ε; the gap to no privacy shrinks.",
        setting=SURVEY, rule="ORDER for each, and a gap that falls", run=searches.structure_quality,
    ),
    Item(
        key="P12", title="Encodings, counts", source="Figs. 5 and 6",
        claim="Vanilla and hierarchical better than binary and Gray at small ε, and alike.",
        setting=ADULT, rule="ORDER, and at most 10 % apart", run=errors.encodings,
        data=errors.ADULT,
    ),
    Item(
        key="P13", title="Encodings, classification", source="Figs. 7 and 8",
        claim="Hierarchical is best overall.", setting=f"{ADULT}; four targets of two states",
        rule="ORDER: hierarchical below vanilla, for each task or their mean",
        run=classes.encodings, data=errors.ADULT,
    ),
    Item(
        key="P14", title="β, binary columns", source="Fig. 9",
        claim="Error is high for very small and very large β, good within 0.2 and 0.5.",
        setting=SURVEY, rule="SHAPE: least error within the range at most 1.1 times the least",
        run=errors.knob(errors.SURVEY, "split", errors.BETAS),
    ),
    Item(
        key="P14b", title="β, Adult", source="Fig. 9",
        claim="Error is high for very small and very large β, good within 0.2 and 0.5.",
        setting=ADULT, rule="SHAPE: least error within the range at most 1.1 times the least",
        run=errors.knob(errors.TABLE, "split", errors.BETAS), data=errors.ADULT,
    ),
    Item(
        key="P15", title="θ, binary columns", source="Fig. 10", claim="Good θ lie within 3 and 6.",
        setting=SURVEY, rule="SHAPE: least error within the range at most 1.1 times the least",
        run=errors.knob(errors.SURVEY, "theta", errors.SHORT_THETAS),
    ),
    Item(
        key="P15b", title="θ, Adult", source="Fig. 10", claim="Good θ lie within 3 and 6.",
        setting=ADULT, rule="SHAPE: least error within the range at most 1.1 times the least",
        run=errors.knob(errors.TABLE, "theta", errors.THETAS), data=errors.ADULT,
    ),
    Item(
        key="P16", title="Where the error comes from", source="Fig. 11",
        claim="Counts suffer from the noise of marginals more than from the network's.",
        setting=ADULT, rule="ORDER: exact tables below an exact network", data=errors.ADULT,
        run=errors.sources_of_error,
    ),
    Item(
        key="P17", title="Counts against baselines, binary columns", source="Figs. 12 to 15",
        claim="PrivBayes better than Laplace, Fourier, MWEM, Contingency and Uniform in all cases.",
        setting=f"{SURVEY}; three-way marginals, ε of 0.05, 0.1, 0.2", rule="ORDER",
        run=errors.rivals(errors.SURVEY),
    ),
    Item(
        key="P17b", title="Counts against baselines, Adult", source="Figs. 12 to 15",
        claim="PrivBayes better than Laplace and Uniform in all cases.",
        setting=f"{ADULT}; two-way marginals, ε from 0.05 to 1.6", rule="ORDER",
        run=errors.rivals(errors.TABLE), data=errors.ADULT,
    ),
    Item(
        key="P18", title="The advantage grows", source="Section 6.5",
        claim="The advantage over Laplace grows as ε falls and marginals widen.", setting=SURVEY,
        rule="SHAPE: ratio of errors rises both ways", run=errors.advantage,
    ),
    Item(
        key="P19", title="Classification against PrivateERM", source="Figs. 16 to 19",
        claim="PrivBayes better than PrivateERM (ε/4 each) and Majority.",
        setting=f"{ADULT}; four targets of two states", rule="ORDER for each", run=classes.rivals,
        data=errors.ADULT,
    ),
    Item(
        key="P20", title="Times", source="Section 6.2",
        claim="F with k ≤ 2 under a minute; k = 6 on NLTCS a few hours.", setting=SURVEY,
        rule="SHAPE: k ≤ 2 under a minute, others under an hour", run=searches.times, timed=True,
    ),
    Item(
        key="P21", title="The promise", source="Theorem 3.2",
        claim="(ε₁ + ε₂)-differentially private.", setting="audits of the whole, ε of 0.5 and 2",
        rule="HOLDS: no audit proves more than ε, at 99 % confidence", run=searches.promise,
    ),
    Item(
        key="P22", title="Where nothing is to choose", source="Footnote 6",
        claim="With k = 0 all of ε goes to the tables.",
        setting="16 columns, 500 records, ε = 0.05", rule="EXACT(1e-12)",
        run=computed.nothing_to_choose,
    ),
)  # fmt: skip
