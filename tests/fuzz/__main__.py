"""Try every door: ``python -m tests.fuzz --door all --inputs 10000 --seed 0``."""

import argparse
import hashlib
import logging
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.doors import doors
from tests.fuzz.harness import WAIT, Tally, coverage, fuzzed, judged, sorts

BATCH = 1000
ADDRESS_SPACE = 6 * 2**30
"""A guard for the machine: what takes more than this ends the worker."""


def worker(door, first, count, seed, note, pipe):
    """One batch in a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    logging.disable()
    tally = None
    for _, data, tally in fuzzed(door, first, count, seed):  # noqa: B007 - the last one counts
        note.write_bytes(data)
    pipe.send(tally)


def watched(door, first, count, seed):
    """The tally of a batch; an input that ends or holds up its process is a problem."""
    fork = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        note = Path(folder) / "input"
        note.write_bytes(b"")
        ours, theirs = fork.Pipe(duplex=False)
        child = fork.Process(target=worker, args=(door, first, count, seed, note, theirs))
        child.start()
        theirs.close()
        while not ours.poll(0.5):
            if time.time() - note.stat().st_mtime > WAIT:
                child.kill()
                break
        try:
            return ours.recv()
        except EOFError:
            said = f"the worker hung or died ({child.exitcode})"
            return Tally(problems=[(said, note.read_bytes())])
        finally:
            child.join()


def main():
    """Tally of the doors asked for; exit 1 where one broke."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--door", default="all", help=f"all, or some of {', '.join(doors())}")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for the inputs that broke something")
    parser.add_argument("--input", type=Path, help="one input instead, from a file")
    asked = parser.parse_args()
    every = doors()
    broken = False
    for name in every if asked.door == "all" else asked.door.split(","):
        if asked.input:
            print(judged(every[name], asked.input.read_bytes()))
            continue
        tally, began = Tally(), time.monotonic()
        for first in range(0, asked.inputs, BATCH):
            count = min(BATCH, asked.inputs - first)
            tally.add(watched(every[name], first, count, asked.seed))
        reached, there = coverage(tally.lines)
        print(
            f"{name:13} {tally.tried:6} inputs: {tally.taken} taken, {tally.refused} refused, "
            f"{len(tally.problems)} broken; slowest {tally.slowest:.2f} s, {tally.grown:.0f} MB; "
            f"{reached} of {there} lines; {time.monotonic() - began:.0f} s",
            flush=True,
        )
        for count, said, data in sorts(tally.problems):
            print(f"    {count} x {said}", flush=True)
            broken = True
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                mark = hashlib.sha256(data).hexdigest()[:8]
                (asked.keep / f"{name}-{mark}").write_bytes(data)
    sys.exit(broken)


if __name__ == "__main__":
    main()
