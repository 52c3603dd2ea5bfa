"""XMLBIF, NET and XDSL files, through pgmpy in a short-lived process with limits.

pgmpy takes seconds and hundreds of megabytes to import and trusts what it reads, so it never
enters our own process: a stranger's file is turned into our JSON format in another one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import EquipoiseError
from sources.json_network import read_json_network
from sources.loaded import Loaded
from sources.text import SHOWN, fail, shown

TIME_LIMIT = 20.0
"""Seconds after which the process is ended."""

MEMORY_LIMIT = 2 * 2**30
"""Bytes of address space the process may use."""

FEW_DIGITS = 1e-4
"""How far a row may be from one: other programs write six significant digits."""

_WORKER = Path(__file__).with_name("foreign_worker.py")
_DECLARATION = re.compile(r"<!(?:ENTITY|DOCTYPE)[^\[>]*")


def read_foreign(
    name: str, text: str, form: str, *, seconds: float = TIME_LIMIT, memory: int = MEMORY_LIMIT
) -> Loaded:
    """The network of a file in the form ``xmlbif``, ``net`` or ``xdsl``."""
    if form != "net":
        refuse_entities(name, text)
    command = [sys.executable, "-I", str(_WORKER), form, str(memory)]
    answer = run_limited(name, command, text.encode(), seconds=seconds)
    loaded = read_json_network(name, answer, tolerance=FEW_DIGITS, limit=len(answer))
    if not isinstance(loaded, Loaded):
        raise EquipoiseError(f"{name} gives no states; list the states of every variable")
    return loaded


def run_limited(name: str, command: Sequence[str], data: bytes, *, seconds: float) -> bytes:
    """What a process answers; one that takes longer than ``seconds`` is killed."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads reserve address space
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=seconds, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise EquipoiseError(
            f"{name} was not read within {seconds:g} seconds; convert it to BIF"
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise EquipoiseError(
            f"{name} could not be read ({said[-1][: 3 * SHOWN]}); export it again, or as BIF"
        )
    return done.stdout


def refuse_entities(name: str, text: str) -> None:
    """Refuse declarations that let a small file grow without end or read other files."""
    for declared in _DECLARATION.finditer(text):
        if any(word in declared[0] for word in ("ENTITY", "SYSTEM", "PUBLIC")):
            fail(
                name,
                text,
                declared.start(),
                f"{shown(declared[0])} declares an entity or an outside definition; remove it",
            )
