"""The verb ``glossary``: what a symbol or a word means."""

import argparse
from dataclasses import asdict

from commands.output import Document, write_lines
from core.study.glossary import GLOSSARY, find


def add(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    told = "a symbol or word (default: all of them)"
    parser.add_argument("word", nargs="?", metavar="WORD", help=told)


def run(arguments: argparse.Namespace) -> Document:
    """The entries asked for."""
    terms = list(GLOSSARY.values()) if arguments.word is None else find(arguments.word)
    return {"terms": [asdict(term) for term in terms]}


def show(document: Document) -> None:
    """As paragraphs: name, meaning, source."""
    for term in document["terms"]:
        write_lines(term["name"], f"    {term['meaning']}", f"    [{term['source']}]")
