"""Verb reproduce: what the four papers say, measured again, each with a verdict."""

import argparse
from pathlib import Path

from commands.arguments import WORKERS
from commands.output import Document, progress_bar, say, write_lines, write_table
from commands.values import SEED, options
from core.errors import EquipoiseError
from core.reproduce.papers import PAPERS, TITLES
from release.reproduced import ALL, Chosen, chosen, inquiry, listed, reproduce, reproducing, write


def add(parser: argparse.ArgumentParser) -> None:
    """Which paper, which item, how thoroughly."""
    told = f"of {', '.join(PAPERS)}, {ALL}; without one, list the shipped verdicts"
    parser.add_argument("paper", nargs="?", metavar="PAPER", help=told)
    options(
        parser,
        ("--item", str, None, "ID", "one item of the paper, such as C2"),
        ("--full", bool, False, None, "as many repetitions as in the paper (minutes)"),
        SEED,
        ("--save", Path, None, "FILE", "write the results as docs/reproduced holds them"),
        WORKERS,
    )


def run(arguments: argparse.Namespace) -> Document:
    """Items with their verdicts; run, or without a paper as shipped."""
    if arguments.paper is None:
        if arguments.item or arguments.full:
            raise EquipoiseError("name the paper whose items are to be run, such as chowdhury")
        return {"run": False, "items": listed(ALL)}
    if arguments.seed < 0:
        raise EquipoiseError(f"the seed is {arguments.seed}; it must not be negative")
    if arguments.paper == ALL and arguments.item:
        raise EquipoiseError(f"name the paper of item {arguments.item}, such as chowdhury")
    wanted = chosen(arguments.paper, arguments.item)
    if len(wanted) == 1:
        asked = inquiry(full=arguments.full, seed=arguments.seed)
        documents = [reproduce(*wanted[0], asked, progress_bar)]
    else:
        documents = _several(arguments, wanted)
    if arguments.save is not None:
        write(arguments.save, documents)
    return {"run": True, "items": documents}


def _several(arguments: argparse.Namespace, wanted: Chosen) -> list[Document]:
    """Many items at once, told as they are done and given back in their order."""
    done: dict[tuple[str, str], Document] = {}
    for group in reproducing(
        wanted, full=arguments.full, seed=arguments.seed, workers=arguments.workers
    ):
        for own in group:
            done[own["paper"], own["item"]] = own
            say(f"{len(done)}/{len(wanted)} {own['item']} {own['verdict']} "
                f"({own['seconds']:.1f} s)")  # fmt: skip
    return [done[paper, item.key] for paper, item in wanted]


def show(document: Document) -> None:
    """A table of verdicts; of one item all numbers."""
    items = document["items"]
    if len(items) == 1:
        _one(items[0])
        return
    for paper in dict.fromkeys(item["paper"] for item in items):
        write_lines("", TITLES[paper], "")
        write_table(
            ("item", "what", "verdict", "seconds"),
            [(i["item"], i["title"], i["verdict"], i.get("seconds")) for i in items
             if i["paper"] == paper],
        )  # fmt: skip


def _one(item: Document) -> None:
    write_lines(
        f"{item['item']}  {item['title']} ({item['source']})",
        f"Claim: {item['claim']}",
        f"Setting: {item['setting']}",
        *(f"Printed: {p['what']}: {p['value']}" for p in item["published"]),
        f"Rule: {item['rule']}",
        "",
    )
    if item["ours"]:
        write_table(("reading", "what", "value", "low", "high", "replicates"), item["ours"])
    if item["readings"]:
        write_lines("")
        write_table(("reading", "verdict", "why"), item["readings"])
    write_lines("", f"Verdict: {item['verdict']}. {item['why']}", *item["notes"])
