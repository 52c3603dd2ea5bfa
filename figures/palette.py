"""One palette, light and dark: the same colour means the same thing on screen and on paper.

Fills draw, text tones write (contrast 4.5:1 or better). Hues are told apart by colour-blind
readers, and nothing is said by colour alone.
"""

from collections import Counter
from collections.abc import Sequence

PALETTE: dict[str, tuple[str, str]] = {
    "page": ("#FFFFFF", "#0F1419"),
    "sidebar": ("#F5F6F4", "#151B21"),
    "ink": ("#1B2127", "#E9EDF0"),
    "second": ("#56606B", "#A3AEB8"),
    "third": ("#6E7881", "#75808A"),
    "line": ("#E2E5E7", "#2A333B"),
    "faint": ("#EFF1F2", "#1E262D"),
    "field": ("#FFFFFF", "#0F1419"),
    "border": ("#D5D9DC", "#37414A"),
    "node": ("#9FB3AB", "#47625A"),
    "edge": ("#AAB2B9", "#56626C"),
    "truth": ("#1B2127", "#F4F6F7"),
    "uniform": ("#E69F00", "#E8A93A"),
    "uniform-text": ("#946200", "#F0BC5E"),
    "data-dependent": ("#0072B2", "#56B4E9"),
    "data-dependent-text": ("#00639B", "#7CC5EF"),
    "equipoise": ("#009E73", "#2DBE92"),
    "equipoise-text": ("#00734F", "#4FD0A8"),
    "undirected": ("#CC79A7", "#D68FB8"),
    "undirected-text": ("#96376D", "#E7A8CB"),
    "risk": ("#D55E00", "#EE6A2E"),
    "risk-text": ("#B24A00", "#FF9A66"),
    "risk-wash": ("#FBF1EA", "#2A1D15"),
    "budget-low": ("#F3F8F6", "#17211F"),
    "budget-high": ("#4DB18D", "#1B7558"),
    "error-low": ("#FDF8EE", "#221D14"),
    "error-high": ("#F0BE57", "#8A6318"),
    "share-low": ("#FDF4EF", "#241A15"),
    "share-high": ("#EFA274", "#8F4420"),
}
"""Name -> (light, dark)."""

METHOD_HUES = ("uniform", "data-dependent", "equipoise", "undirected")
"""Methods with a hue of their own; any other is drawn in ink."""

UNDIRECTED = ("cgm", "mrf-naive")
"""Methods that learn an undirected model."""


def hue(method: str) -> str:
    """Palette name of a method's fill: a variant has the hue of its kind."""
    if method in UNDIRECTED:
        return "undirected"
    return next((name for name in METHOD_HUES if method.startswith(name)), "truth")


DASHES = ("solid", "6px,4px", "2px,3px", "8px,3px,2px,3px")
"""How the variants of one hue are told apart."""


def dashes(methods: Sequence[str]) -> dict[str, str]:
    """A dash pattern for each method: solid for the first of its hue."""
    seen: Counter[str] = Counter()
    patterns = {}
    for method in methods:
        patterns[method] = DASHES[seen[hue(method)] % len(DASHES)]
        seen[hue(method)] += 1
    return patterns


def properties() -> str:
    """Every colour as a CSS custom property, following the scheme in force."""
    rows = "".join(
        f"--{name}:light-dark({light},{dark});" for name, (light, dark) in PALETTE.items()
    )
    return f"{rows}--truth-text:var(--truth)"
