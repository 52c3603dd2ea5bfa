"""The import diagram of ARCHITECTURE.md: ``python -m docs.imports`` prints it.

``--write`` puts it in its place.
``python -m docs.imports modules`` prints every module with the first line of its docstring.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parent.parent
LAYERS = ("core", "figures", "sources", "release", "commands", "pages")
WITH_ROOMS = ("core", "release")
"""Layers drawn room by room; the others are one box each."""

PLACE = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the product by name, parsed."""
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def room(module: str) -> str:
    """The box a module is drawn in: its package in ``core`` and ``release``, else its layer."""
    parts = module.split(".")
    deep = parts[0] in WITH_ROOMS and (ROOT / parts[0] / "/".join(parts[1:2])).is_dir()
    return "/".join(parts[: 2 if deep and len(parts) > 1 else 1])


def graph() -> nx.DiGraph:
    """Rooms and who imports whom when loaded; what follows from others is left out.

    Rooms that need each other stand in one box: modules may, as long as no module does.
    """
    drawn: nx.DiGraph = nx.DiGraph()
    for name, tree in modules():
        drawn.add_node(room(name))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LAYERS:
                drawn.add_edge(room(name), room(node.module or ""))
    drawn.remove_edges_from(list(nx.selfloop_edges(drawn)))
    boxes = nx.condensation(drawn)
    named = {box: ", ".join(sorted(boxes.nodes[box]["members"])) for box in boxes}
    return nx.relabel_nodes(nx.transitive_reduction(boxes), named)


def diagram() -> str:
    """The graph as Mermaid, which forges draw."""
    boxes = graph()
    keys = {name: f"r{i}" for i, name in enumerate(sorted(boxes))}
    lines = [f'  {key}["{name}"]' for name, key in keys.items()]
    lines += [f"  {keys[b]} --> {keys[a]}" for a, b in sorted(boxes.edges)]
    return "\n".join(["```mermaid", "graph LR", *lines, "```"]) + "\n"


def listing() -> str:
    """Every module and what it holds, in its own words."""
    told = ((name, (ast.get_docstring(tree) or "").splitlines()) for name, tree in modules())
    return "".join(f"{name}: {lines[0]}\n" for name, lines in told if lines)


def main(arguments: list[str]) -> None:
    """Print, or write into ARCHITECTURE.md."""
    if arguments == ["--write"]:
        path = ROOT / "ARCHITECTURE.md"
        text = path.read_text(encoding="utf-8")
        path.write_text(PLACE.sub(diagram(), text), encoding="utf-8")
    else:
        sys.stdout.write(listing() if arguments == ["modules"] else diagram())


if __name__ == "__main__":
    main(sys.argv[1:])
