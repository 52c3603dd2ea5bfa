"""Four ways to show a table to the search, each with its way back.

Source: Zhang et al. 2017 (TODS), section 5.1. Variables, their states, which of them are ordered
and the taxonomies are public and given.
"""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.attributes import Attribute
from core.recoding import Derivation, derived
from core.table import Variable

Taxonomy = Mapping[str, tuple[str, ...]]
"""Groups of each state from the widest to the narrowest, the state itself left out."""

DEEPEST, LONGEST = 16, 100
"""Most groups within each other in a taxonomy, and most letters of one's name."""

ENCODINGS = ("vanilla", "hierarchical", "binary", "gray")


@dataclass(frozen=True, eq=False)
class Encoding:
    """What is searched, and derivations there and back."""

    name: str
    variables: tuple[Variable, ...]
    attributes: tuple[Attribute, ...]
    forward: tuple[Derivation, ...]
    backward: tuple[Derivation, ...]

    def encode(self, rows: Rows) -> Rows:
        """The records over every level of every attribute."""
        return derived(rows, self.forward)

    def decode(self, rows: Rows) -> Rows:
        """Records over the attributes as records over the variables."""
        return derived(rows, self.backward)


def encoding(
    name: str,
    variables: Sequence[Variable],
    *,
    taxonomies: Mapping[str, Taxonomy] | None = None,
    ordered: Collection[str] = (),
) -> Encoding:
    """The encoding of that name; taxonomies and order serve the hierarchical one.

    An ordered variable without a taxonomy gets a binary tree over its states.
    """
    taxonomies = taxonomies or {}
    for owner in taxonomies:
        if owner not in {v.name for v in variables}:
            raise EquipoiseError(
                f"the taxonomy of {owner!r} belongs to no column; correct its name or remove it"
            )
    match name:
        case "vanilla":
            return _whole(name, variables, [Attribute((v,)) for v in variables])
        case "hierarchical":
            names = {v.name for v in variables}
            trees = [_tree(v, taxonomies.get(v.name), v.name in ordered, names) for v in variables]
            return _whole(name, variables, trees)
        case "binary":
            return _bits(name, variables, lambda code: code)
        case "gray":
            return _bits(name, variables, lambda code: code ^ code >> 1)
        case _:
            raise EquipoiseError(f"no encoding {name!r}; there are {', '.join(ENCODINGS)}")


def _whole(name: str, variables: Sequence[Variable], attributes: Sequence[Attribute]) -> Encoding:
    """Variables stay as they are; coarser levels are derived from them."""
    same = tuple(Derivation(v, (v,), np.arange(v.cardinality)) for v in variables)
    coarser = tuple(
        Derivation(level, (a.variable,), np.array(codes))
        for a in attributes
        for level, codes in zip(a.levels[1:], a.maps, strict=True)
    )
    return Encoding(name, tuple(variables), tuple(attributes), same + coarser, same)


def _tree(
    variable: Variable, taxonomy: Taxonomy | None, is_ordered: bool, names: set[str]
) -> Attribute:
    """A variable with its coarser levels, none of which has the name of a column."""
    if taxonomy is not None:
        cuts = _taxonomy_cuts(variable, taxonomy)
    elif is_ordered:
        cuts = _halvings(variable)
    else:
        cuts = []
    levels, maps = [variable], []
    for groups in cuts:
        states = tuple(dict.fromkeys(groups))
        if 1 < len(states) < levels[-1].cardinality:  # else the cut says nothing new
            name = f"{variable.name} (level {len(levels)})"
            while name in names:
                name += " "
            levels.append(Variable(name, states))
            maps.append(tuple(states.index(group) for group in groups))
    return Attribute(tuple(levels), tuple(maps))


def _halvings(variable: Variable) -> list[list[str]]:
    """Two, four, eight ... neighbouring states together, named by their first and last."""
    states, levels, width = variable.states, [], 2
    while width < len(states):
        starts = [i - i % width for i in range(len(states))]
        levels.append([f"{states[s]} to {states[min(s + width, len(states)) - 1]}" for s in starts])
        width *= 2
    return levels


def _taxonomy_cuts(variable: Variable, taxonomy: Taxonomy) -> list[list[str]]:
    """The group of each state at each depth of the tree, narrowest cut first."""
    for state in variable.states:
        if state not in taxonomy:
            raise EquipoiseError(
                f"the taxonomy of {variable.name!r} misses the state {state!r}; every state needs "
                "a place"
            )
    for state in taxonomy:
        if state not in variable.code_of:
            raise EquipoiseError(
                f"the taxonomy of {variable.name!r} names {state!r}, which is not one of its "
                "states; correct or remove it"
            )
    paths = [(*taxonomy[state], state) for state in variable.states]
    depth = max(len(path) for path in paths)
    joined = {path[:cut]: " / ".join(path[:cut]) for path in paths for cut in range(1, depth)}
    return [[joined[path[:cut]] for path in paths] for cut in range(depth - 1, 0, -1)]


def _bits(name: str, variables: Sequence[Variable], spelling: Callable[[int], int]) -> Encoding:
    """Each state's position as bits, the highest first, spelt in the binary or Gray code.

    A pattern that stands for no state is read without its highest bit, which is always a state:
    so such patterns spread over many states instead of piling up on one.
    """
    forward, backward = [], []
    for variable in variables:
        width = (variable.cardinality - 1).bit_length()
        spelt = [spelling(code) for code in range(variable.cardinality)]
        bits = tuple(Variable(f"{variable.name} (bit {b + 1})", ("0", "1")) for b in range(width))
        for place, bit in enumerate(bits):
            shift = width - 1 - place
            codes = np.array([code >> shift & 1 for code in spelt])
            forward.append(Derivation(bit, (variable,), codes))
        read = {spelling(code): code for code in range(2**width)}
        states = [read[pattern] for pattern in range(2**width)]
        top = 2 ** max(width - 1, 0)
        valid = [code if code < variable.cardinality else code - top for code in states]
        backward.append(Derivation(variable, bits, np.array(valid)))
    attributes = tuple(Attribute((d.variable,)) for d in forward)
    return Encoding(name, tuple(variables), attributes, tuple(forward), tuple(backward))


def _leaves(tree: Sequence[object]) -> Iterator[object]:
    """What a list holds, and the lists in it, which say nothing."""
    waiting = [iter(tree)]
    while waiting:
        for branch in waiting[-1]:
            if isinstance(branch, list | tuple):
                waiting.append(iter(branch))
                break
            yield branch
        else:
            waiting.pop()


def taxonomy_of(tree: object, groups: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """A taxonomy from nested mappings and lists: keys are groups, texts are states.

    >>> taxonomy_of({"government": ["federal", "state"], "other": ["private"]})
    {'federal': ('government',), 'state': ('government',), 'private': ('other',)}
    """
    if len(groups) > DEEPEST or len("".join(groups[-1:])) > LONGEST:
        raise EquipoiseError(
            f"a taxonomy may be {DEEPEST} groups deep, each named with {LONGEST} letters at most; "
            "use fewer"
        )
    if isinstance(tree, str):
        return {tree: groups}
    if isinstance(tree, Mapping):
        parts = [taxonomy_of(branch, (*groups, str(key))) for key, branch in tree.items()]
    elif isinstance(tree, list | tuple):
        parts = [taxonomy_of(branch, groups) for branch in _leaves(tree)]
    else:
        raise EquipoiseError(
            f"a taxonomy holds {repr(tree)[:40]}; use groups, lists and states in quotes"
        )
    levels: dict[str, tuple[str, ...]] = {}
    for state, path in itertools.chain.from_iterable(part.items() for part in parts):
        if state in levels:
            raise EquipoiseError(f"a taxonomy names the state {state!r} twice; give it one place")
        levels[state] = path
    return levels
