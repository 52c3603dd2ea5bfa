"""Small changes of a program, one at a time: each should be noticed by a test."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
KEPT = "annotation", "returns", "decorator_list", "type_params"
"""Fields that are not run, or run once and for all."""

SYMMETRIC = "min", "max", "minimum", "maximum", "isclose", "add", "multiply"
"""Functions whose first two arguments may change places."""


@dataclass(frozen=True)
class Mutant:
    """A changed program; ``what`` says how, at which line of which statement.

    ``lines`` are those of the statement, none where it is run when the module is loaded.
    """

    line: int
    what: str
    tree: ast.Module
    lines: range | None


def mutants(source: str) -> Iterator[Mutant]:
    """Every change of a program, in the order of its text."""
    tree = ast.parse(source)
    for path, node in _walked(tree):
        for what, changed in _changed(node):
            yield Mutant(node.lineno, what, _with(tree, path, changed), _statement(tree, path))


def _statement(node: ast.AST, path: tuple) -> range | None:
    """Lines of the innermost statement on the way; of one that holds others those before them."""
    lines, called = range(0), False
    for name, place in path:
        called |= isinstance(node, ast.FunctionDef | ast.Lambda) and name == "body"
        value = getattr(node, name)
        node = value if place is None else value[place]
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(body[0].lineno, node.lineno + 1) if body else (node.end_lineno or 0) + 1
            lines = range(node.lineno, last)
    return lines if called else None


def _walked(node: ast.AST, path: tuple = ()) -> Iterator[tuple[tuple, ast.AST]]:
    """Every node that is run, with the way there."""
    for name, value in ast.iter_fields(node):
        if name in KEPT:
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _silent(child):
                here = (*path, (name, place))
                if hasattr(child, "lineno"):
                    yield here, child
                yield from _walked(child, here)


def _silent(node: ast.AST) -> bool:
    """A text that stands alone, what is only imported, and ``strict`` of zip: it checks itself."""
    alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    strict = isinstance(node, ast.keyword) and node.arg == "strict"
    return alone or strict or isinstance(node, ast.Import | ast.ImportFrom)


def _with(tree: ast.Module, path: tuple, changed: ast.AST) -> ast.Module:
    """The tree with another node there; the rest of it is shared, and never changed."""

    def put(node: ast.AST, rest: tuple) -> ast.AST:
        if not rest:
            return changed
        node, (name, place) = copy.copy(node), rest[0]
        value = getattr(node, name)
        if place is None:
            setattr(node, name, put(value, rest[1:]))
        else:
            value = [*value]
            value[place] = put(value[place], rest[1:])
            setattr(node, name, value)
        return node

    return ast.fix_missing_locations(put(tree, path))


def _changed(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in a node's place."""
    for other in _others(node):
        changed = ast.copy_location(other, node)
        text = "nothing" if isinstance(changed, ast.Pass) else ast.unparse(changed)
        yield f"{_short(ast.unparse(node))}  ->  {_short(text)}", changed


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) < 70 else f"{line[:67]}..."


def _others(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901 - one line for each kind
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                if type(op) in COMPARED:
                    yield _with_field(node, ops=_put(ops, place, COMPARED[type(op)]()))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in COMPUTED:
            yield _with_field(node, op=COMPUTED[type(op)]())
        case ast.Constant(value=bool() as value):
            yield _with_field(node, value=not value)
        case ast.Constant(value=int() | float() as value):
            yield _with_field(node, value=value + 1)
        case ast.BoolOp(op=op):
            yield _with_field(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp():
            yield _with_field(node, body=node.orelse, orelse=node.body)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield _with_field(node, value=ast.Constant(None))
        case ast.Call(func=func, args=[first, second, *rest]) if not isinstance(first, ast.Starred):
            if ast.unparse(func).rpartition(".")[-1] not in SYMMETRIC:
                yield _with_field(node, args=[second, first, *rest])
    if _deletable(node):
        yield ast.Pass()


def _deletable(node: ast.AST) -> bool:
    """A statement without which the program may still run: no name is lost with it."""
    if isinstance(node, ast.Assign):
        return not any(isinstance(name, ast.Name | ast.Tuple) for name in node.targets)
    return isinstance(node, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete)


def _with_field(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _put(values: list, place: int, value: object) -> list:
    return [*values[:place], value, *values[place + 1 :]]
