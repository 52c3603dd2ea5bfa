"""The sentences of Risk."""

import math
from collections.abc import Sequence

from core.membership.bound import EdgeShare, PublishedBound, attribute_saving, removal_savings
from core.membership.curves import Curve
from core.membership.guardrails import Guardrail
from core.membership.outcomes import AttackResult
from core.network import Network
from pages.ui.kit import words
from pages.ui.kit.words import Runs

COUNTS = ("none", "one", "two", "three", "four")


def sorted_right(advantage: float) -> int:
    """Of 100 people, half of them members, how many the best attacker sorts right, at most.

    >>> sorted_right(0.0), sorted_right(0.137), sorted_right(1.0)
    (50, 57, 100)
    """
    return math.ceil(round(50 * (1 + advantage), 6))


def finding(best: Curve, broken: int, estimated: int) -> Runs:
    """The sentence at the top: attacker, number, coin; then the thresholds.

    A guarantee is not set against an estimate: ``estimated`` is how many thresholds the estimates
    and measurements of the exact conditionals exceed, where nothing is guaranteed.
    """
    hold = (
        f"The guarantee of this release misses {COUNTS[broken]} of four thresholds."
        if broken
        else "This release is guaranteed to keep all four thresholds."
    )
    exceeded = "all four" if estimated == 4 else f"{COUNTS[estimated]} of them"
    alone = f"exceed {exceeded}" if estimated else "stay below"
    start = "Shown 100 people, half of them in the data, the best attacker on this release sorts"
    right = words.toned(str(sorted_right(best.advantage)), "risk")
    return words.runs(
        f"{start} at most {right} correctly; a coin sorts 50. {hold} Without noise nothing is "
        f"guaranteed; the estimates alone would {alone}."
    )


def percent(value: float) -> str:
    """A rate without padding.

    >>> percent(0.001), percent(0.5)
    ('0.1 %', '50 %')
    """
    return f"{100 * value:.2g} %"


def of_hundred(share: float) -> str:
    """How many of a hundred; one decimal below ten, rounded up above.

    >>> of_hundred(0.0231), of_hundred(0.412)
    ('2.3', '42')
    """
    return f"{100 * share:.1f}" if share < 0.0995 else str(math.ceil(100 * share - 1e-6))


def _among(prior: float) -> str:
    """A share of the suspects.

    >>> _among(0.5), _among(0.005), _among(0.3)
    ('half', '1 in 200', '30 in 100')
    """
    if prior == 0.5:
        return "half"
    one_in = round(1 / prior, 9)
    return f"1 in {one_in:,.0f}" if one_in.is_integer() else f"{100 * prior:.0f} in 100"


def accusations(prior: float, right: float) -> str:
    """The sentence above the hundred accusations."""
    return (
        f"If {_among(prior)} of the people an attacker suspects are members, of 100 accusations at "
        f"most {of_hundred(right)} are right; guessing gets {of_hundred(prior)}."
    )


def other_accusations(loose: float, ran: float | None, *, guessing: bool) -> str:
    """What ε alone would allow, and what the attack got that was run."""
    alone = f"ε alone would allow {of_hundred(loose)}."
    if ran is None:
        return alone
    if guessing:
        return f"The attack we ran is no better than guessing. {alone}"
    return f"The attack we ran gets {of_hundred(ran)} right. {alone}"


def attack_sentence(result: AttackResult) -> str:
    """What one attack found, with its interval; guessing is a result."""
    what = {
        "exact": "The likelihood-ratio attack on the exact conditionals",
        "smoothed": "The same attack on smoothed conditionals (Dirichlet(1))",
    }.get(result.attack.release, "The noise-aware attack on this release")
    auc = f"AUC {result.auc.mean:.3f} ({result.auc.low:.3f} to {result.auc.high:.3f})"
    verdict = "is no better than guessing" if result.guessing else "finds members"
    return (
        f"{what} {verdict}: {auc} over {result.pools} pools of {result.attack.records:,} records."
    )


def support_sentence(result: AttackResult | None) -> str:
    """How much better members in nearly empty cells are found, in numbers only."""
    if result is None:
        return ""
    alone, _, many = result.by_support
    if alone is None or many is None:
        return ""
    return (
        f"At 1 % false alarms it finds {words.share(alone)} of members alone in a cell and "
        f"{words.share(many)} of those whose cells all hold 5 or more."
    )


def rails_subtitle(rails: Sequence[Guardrail]) -> str:
    """How many checks there are of each kind."""
    look, fine = (sum(r.state == s for r in rails) for s in ("look", "fine"))
    unknown = len(rails) - look - fine
    more = f", {unknown} unknown" if unknown else ""
    return f"Where theory stops being safe: {look} to look at, {fine} fine{more}"


def roc_details(bound: PublishedBound, span: int) -> dict[str, str]:
    """Formulas and sources of the curves."""
    shared = words.risk_details(bound, "")
    return {
        **{heading: shared[heading] for heading in ("Guarantee from ε", "Published bound")},
        "Composed guarantee": "Each table of the plan changes in two cells when a record is "
        "swapped; the distributions of their privacy losses are convolved, rounded outwards. Where "
        "a plan looks at the records, its two stages are composed as the worst mechanisms of their "
        "ε.",
        "Leverage": "h = Σ (1 − c/N)/c over a record's own cells c in rows N; the curve mixes "
        "normal tests of all h. Explains where the published power is exceeded. Its mean is about "
        "C/n.",
        "Noise heuristic": "C_noisy = min(C_span, Σ (K − 1)/(1 + K B²/n)) over tables of K cells "
        f"and scale B, in the published formula; C_span = {span:,} counts the joint family tables.",
        "Which are guarantees": "Only the solid curves: they hold for every attacker and any "
        "number of records. Where the structure is fixed, the smaller of the composed curve and "
        "the published one with C_span is valid too, for many records.",
        "Source": "Murakonda, Shokri, Theodorakopoulos 2021, Theorem 1 and appendix H.",
    }


def edges_caption(edges: Sequence[EdgeShare], complexity: int) -> str:
    """Which single edge weighs most."""
    if not edges:
        return "There is no edge to remove."
    heaviest = max(edges, key=lambda e: e.saves)
    return (
        f"Removing the edge {heaviest.parent} → {heaviest.child} takes away {heaviest.saves:,} of "
        f"{complexity:,} parameters."
    )


def node_caption(network: Network, name: str) -> str:
    """What the selected variable and its edges weigh."""
    own = network.complexities[network.index(name)]
    edges = [
        f"{e.parent} → {name} {e.saves:,}" for e in removal_savings(network) if e.child == name
    ]
    without = f" Removing an edge takes: {', '.join(edges)}." if edges else ""
    return (
        f"{name} has {words.counted(own, 'parameter')}; the network without it has "
        f"{attribute_saving(network, name):,} fewer.{without} Each further parent of two "
        "states doubles its parameters."
    )


def roc_caption(
    published: float, leverage: float, own: AttackResult | None, exact: AttackResult | None
) -> str:
    """What to see in the chart: which lines are guarantees, where the published one fails."""
    parts = ["Only solid lines are guarantees."]
    if leverage > 1.05 * published:
        members = (
            "" if exact is None else f", and the attack found {words.share(exact.powers[0].mean)}"
        )
        parts.append(
            f"At 0.1 % false alarms the published bound ({words.share(published)}) is exceeded: "
            f"rare records allow {words.share(leverage)}{members}."
        )
    ran = own or exact
    if ran is not None:
        parts.append(f"Whiskers: 95 % interval over {ran.pools} pools.")
    return " ".join(parts)
