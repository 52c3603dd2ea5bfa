"""Run as a script: a foreign network file on standard input, our JSON format on standard output.

Everything pgmpy does with a stranger's file happens in this process, which limits its own memory
and which the caller ends when it takes too long. It imports nothing of ours.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

_NET_COMMENT = re.compile(r'("[^"\n]*")|%[^\n]*')


def limit_memory(size: int) -> None:
    """Make an allocation beyond ``size`` bytes fail, where the system can."""
    try:
        import resource
    except ImportError:  # not a Unix system: the time limit remains
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def read_xml(text: str, form: str) -> tuple[list[str], Any]:
    """Names and reader of an XMLBIF or XDSL file."""
    from pgmpy.readwrite import XDSLReader, XMLBIFReader

    reader = (XMLBIFReader if form == "xmlbif" else XDSLReader)(string=text)
    if form == "xdsl":
        for node in reader.network.find("nodes"):
            if node.tag != "cpt":
                raise ValueError(f"node {node.get('id')!r} is of kind {node.tag!r}, not a table")
    return reader.variables, reader


def read_net(text: str) -> tuple[list[str], Any]:
    """Names and reader of a HUGIN file; pgmpy does not know its comments, so they go first."""
    from pgmpy.readwrite import NETReader

    reader = NETReader(string=_NET_COMMENT.sub(lambda match: match[1] or "", text))
    reader.variable_CPD = reader.variable_cpds
    return reader.variable_names, reader


def convert(form: str, text: str) -> dict[str, object]:
    """The network as our JSON document."""
    names, reader = read_net(text) if form == "net" else read_xml(text, form)
    if not names:
        raise ValueError("it names no variables")
    variables = []
    for name in names:
        entry = {"name": name, "states": reader.variable_states[name]}
        entry["parents"] = list(reader.variable_parents.get(name, ()))
        if name in reader.variable_CPD:  # one column per setting of the parents, last fastest
            columns = zip(*reader.variable_CPD[name], strict=True)
            entry["conditional"] = [list(map(float, column)) for column in columns]
        variables.append(entry)
    return {"variables": variables}


def main() -> None:
    """Print the document; whatever pgmpy raises ends the process and is read by the caller."""
    form, memory = sys.argv[1], int(sys.argv[2])
    limit_memory(memory)
    json.dump(convert(form, sys.stdin.buffer.read().decode("utf-8")), sys.stdout)


if __name__ == "__main__":
    main()
