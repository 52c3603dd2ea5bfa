"""The Bayesian interchange format: text to network and model, and back.

Our own reader, because it is strict, names lines and reads a thousand-node network in a fraction
of a second. What it accepts: ``network``, ``variable`` and ``probability`` blocks, ``property``
lines (ignored), ``//`` and ``/* */`` comments, names in double quotes with backslash escapes,
commas or blanks between items, and in a probability block either one ``table``, or one row
``(state, state) p, p;`` per setting of the parents with an optional ``default`` row for the rest.
In a ``table`` the child varies slowest and the last parent fastest.

Every variable needs one probability block. A file whose blocks are all empty gives a network
without a model.
"""

import itertools
from collections.abc import Iterator, Mapping

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import Model
from core.table import Variable
from sources.bif_rows import ProbabilityBlock, conditional
from sources.bif_tokens import SYMBOLS, Tokens, in_quotes, quoted, unquoted
from sources.loaded import Loaded
from sources.text import listed, naming, shown


def read_bif(name: str, text: str) -> Loaded:
    """The network of a BIF file, and its model where it gives probabilities."""
    tokens = Tokens(name, text)
    variables: dict[str, Variable] = {}
    blocks: dict[str, ProbabilityBlock] = {}
    at = 0
    while at < len(tokens.items):
        match tokens.items[at]:
            case "network":
                unnamed = tokens.at(at + 1, at) == "{"
                body = tokens.expect(at + 1 if unnamed else at + 2, "{", at)
                at = tokens.find("}", body, at) + 1
            case "variable":
                variable, following = _variable(tokens, at)
                if variable.name in variables:
                    tokens.fail(at, f"variable {variable.name!r} is declared twice; remove one")
                variables[variable.name] = variable
                at = following
            case "probability":
                block = _block(tokens, at)
                if block.child in blocks:
                    tokens.fail(at, f"a second probability block for {block.child!r}; remove one")
                blocks[block.child] = block
                at = block.end + 1
            case found:
                tokens.fail(
                    at, f"found {shown(found)} where 'variable' or 'probability' must stand"
                )
    network = _network(tokens, variables, blocks)
    return Loaded(name, network, _model(tokens, network, blocks), source=name)


def _variable(tokens: Tokens, start: int) -> tuple[Variable, int]:
    """The variable declared by the block at ``start``, and the index after it."""
    name = tokens.word(start + 1, start)
    at = tokens.expect(start + 2, "{", start)
    states: tuple[str, ...] | None = None
    while (word := tokens.at(at, start)) != "}":
        if word == "property":
            at = tokens.find(";", at, start) + 1
        elif word == "type" and states is None:
            states, at = _states(tokens, at, start, name)
        else:
            tokens.fail(
                at,
                f"found {shown(word)} in the block of variable {name!r}, which began on line "
                f"{tokens.line(start)}; only one 'type' line and properties may stand there",
            )
    if states is None:
        tokens.fail(start, f"variable {name!r} has no 'type discrete' line; add its states")
    try:
        return Variable(name, states), at + 1
    except EquipoiseError as problem:
        tokens.fail(start, str(problem))


def _states(tokens: Tokens, at: int, start: int, name: str) -> tuple[tuple[str, ...], int]:
    """The states of ``type discrete [ n ] { a, b };``, and the index after it."""
    kind = tokens.word(at + 1, start)
    if kind != "discrete":
        tokens.fail(at, f"variable {name!r} has type {shown(kind)}; only 'discrete' is supported")
    tokens.expect(at + 2, "[", start)
    size = tokens.word(at + 3, start)
    tokens.expect(at + 4, "]", start)
    first = tokens.expect(at + 5, "{", start)
    last = tokens.find("}", first, start)
    states = tuple(map(unquoted, tokens.items[first:last]))
    if size != str(len(states)):
        tokens.fail(
            at,
            f"variable {name!r} declares [{size}] states and lists {len(states)} "
            f"({listed(states)}); make the two agree and quote names that hold blanks",
        )
    return states, tokens.expect(last + 1, ";", start)


def _block(tokens: Tokens, start: int) -> ProbabilityBlock:
    """The header of ``probability ( child | parents ) { rows }`` and where its rows lie."""
    first = tokens.expect(start + 1, "(", start)
    last = tokens.find(")", first, start)
    names = tokens.items[first:last]
    if len(names) > 1 and names[1] == "|":
        del names[1]
    if not names or not SYMBOLS.isdisjoint(names):
        tokens.fail(start, "a probability block must begin '( child | parent, parent ) {'")
    child, *parents = map(unquoted, names)
    body = tokens.expect(last + 1, "{", start)
    end = tokens.find("}", body, start)
    if "{" in tokens.items[body:end]:  # that brace belongs to a later block
        tokens.unclosed(start)
    return ProbabilityBlock(start, child, tuple(parents), body, end)


def _network(
    tokens: Tokens, variables: dict[str, Variable], blocks: dict[str, ProbabilityBlock]
) -> Network:
    for block in blocks.values():
        for name in (block.child, *block.parents):
            if name not in variables:
                tokens.fail(
                    block.start,
                    f"variable {shown(name)} is not declared; add a variable block or correct "
                    "the name",
                )
    for name in variables:
        if name not in blocks:
            raise EquipoiseError(
                f"{tokens.name}: variable {name!r} has no probability block; add one, empty if "
                "the file is to give the graph only"
            )
    with naming(tokens.name):
        return Network(tuple(variables.values()), tuple(blocks[name].parents for name in variables))


def _model(tokens: Tokens, network: Network, blocks: dict[str, ProbabilityBlock]) -> Model | None:
    empty = [block for block in blocks.values() if block.first == block.end]
    if len(empty) == len(blocks):
        return None
    if empty:
        tokens.fail(
            empty[0].start,
            f"the probability block of {empty[0].child!r} is empty while others are not; give "
            "its rows",
        )
    arrays = [conditional(tokens, blocks[f[-1].name], f) for f in network.families]
    return Model.from_conditionals(network, arrays)


def write_bif(
    network: Network,
    model: Model | None = None,
    *,
    name: str = "unknown",
    properties: Mapping[str, str] | None = None,
) -> str:
    """The text of a BIF file; probabilities are written so that reading gives the same numbers.

    ``properties`` of the network are words with any text; readers may ignore them.
    """
    if model is not None and model.replicates:
        raise EquipoiseError(
            f"the model holds replicates of shape {model.replicates}; choose one to write"
        )
    said = [f"  property {key} = {in_quotes(v)};\n" for key, v in (properties or {}).items()]
    parts = [f"network {quoted(name)} {{\n{''.join(said)}}}\n"]
    for variable in network.variables:
        states = ", ".join(map(quoted, variable.states))
        parts.append(
            f"variable {quoted(variable.name)} {{\n"
            f"  type discrete [ {variable.cardinality} ] {{ {states} }};\n}}\n"
        )
    for index, family in enumerate(network.families):
        given = ", ".join(quoted(parent.name) for parent in family[:-1])
        parts.append(f"probability ( {quoted(family[-1].name)}{' | ' * bool(given)}{given} ) {{\n")
        parts.extend(_written_rows(model, index, family[:-1]) if model else ())
        parts.append("}\n")
    return "".join(parts)


def _written_rows(model: Model, index: int, parents: tuple[Variable, ...]) -> Iterator[str]:
    values = model.network.layout.unpack(model.values, index)
    rows = values.reshape(-1, values.shape[-1]).tolist()
    settings = itertools.product(*(map(quoted, parent.states) for parent in parents))
    for setting, row in zip(settings, rows, strict=True):
        start = f"({', '.join(setting)})" if setting else "table"
        yield f"  {start} {', '.join(map(repr, row))};\n"
