"""Kills of releases: ``python -m tests.release.killing [WAY ...] [--kills 2000] [--seed 0]``.

One process imports OpenDP and forks; each child releases once, with the exact sampler in its own
process so that a release takes milliseconds. It dies before a random line of ours is run: any line
that the release runs is as likely as any other, and any of the times that it is run. Every hundred
kills what is left is looked at: nothing unrecorded, nothing lost, nothing overspent.
"""

import argparse
import hashlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

from release import files, making
from release.ledger.book import Ledger
from release.publish import tidy
from release.worker import ExactSampler
from tests.release.ways import DONE, EPSILON, LOST, POOR, WAYS

ROOT = str(Path(__file__).parent.parent.parent) + os.sep
BATCH = 100
"""Kills for one ledger: a longer one takes longer to read."""

TRIED = (
    (ExactSampler, "noise"),
    (ExactSampler, "chosen"),
    (making, "judged"),
    (files, "model_files"),
    (files, "write"),
    (os, "fsync"),
)
"""What a release does on zeros first, in order."""

STEPS = ((Ledger, "spend"), *TRIED, (Ledger, "complete"), (files, "place"), (Path, "rename"))
"""What a release does, in order; a child can die before and after each."""


def room():
    """A directory in memory where there is one: a kill does not undo what was written anyway."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)


def steps_of(way):
    """Steps of a way to release, and those of them that it tries on zeros."""
    if not way.tried:
        return [step for step in STEPS if step[1] not in ("chosen", "judged", "model_files")], []
    return tuple([s for s in known if s[1] != "chosen" or way.chooses] for known in (STEPS, TRIED))


def before_step(owner, name, when):
    """Make a step kill the process that does it; ``trial`` kills before the payment."""
    step, spend, paid = getattr(owner, name), Ledger.spend, []

    def paying(*arguments, **named):
        paid.append(True)
        return spend(*arguments, **named)

    def deadly(*arguments, **named):
        if name != "spend" and bool(paid) == (when == "trial"):
            return step(*arguments, **named)
        if when == "after":
            step(*arguments, **named)
        return os.kill(os.getpid(), signal.SIGKILL)

    Ledger.spend = paying
    setattr(owner, name, deadly)


def at_lines(tell):
    """Have every line of ours told before it is run."""

    def inside(frame, event, _):
        if event == "line":
            tell((frame.f_code.co_filename, frame.f_lineno))
        return inside

    def entered(frame, *_):
        return inside if frame.f_code.co_filename.startswith(ROOT) else None

    sys.settrace(entered)


def before_line(line, times):
    """Die before that line is run for so many times."""
    left = [times]

    def tell(here):
        if here == line:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    at_lines(tell)


def fork(release, *deadly):
    """A child that releases; ``deadly`` is what will kill it and how that is set."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        if deadly:
            deadly[0](*deadly[1:])
        code = release()
    finally:
        os._exit(code)


def end(child, at=None):
    """Kill a child at that time: its exit code, or None when a kill came first."""
    if at is not None:
        time.sleep(max(0.0, at - time.monotonic()))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def checksums(directory):
    return {
        (path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in directory.iterdir()
    }


def check_files(out, lines):
    """Nothing is seen that the ledger does not know, to the last byte."""
    for directory in (path for path in out.iterdir() if not path.name.startswith(".")):
        line = lines[directory.name]
        assert line.state == "complete", (line.id, line.state)
        assert {(f.name, f.sha256) for f in line.files} == checksums(directory), line.id


def check_words(exits, out, tokens):
    """Whoever said that it was done is there; whoever was refused has paid nothing."""
    for token, code in exits.items():
        assert code in (None, DONE, POOR, LOST), (token, code)
        if code == DONE:
            assert tokens[token].state == "complete", token
            assert (out / tokens[token].id).is_dir(), token
        if code == LOST:
            assert tokens[token].state == "lost", token
        if code == POOR:
            assert token not in tokens, token


def check_left(ledger, out, lines):
    """What a kill left behind is put in place or removed, and nothing is pending."""
    tidy(ledger, out)
    assert not list(out.glob(".*.partial"))
    for line in lines.values():
        assert line.state in ("complete", "lost"), (line.id, line.state)
        assert (out / line.id).is_dir() == (line.state == "complete"), line.id


def checked(root, exits, budget):
    """The account after all that; every promise held."""
    ledger, out = Ledger(root / "ledger.db", create=False), root / "out"
    assert ledger.verify().sound
    (account,) = ledger.accounts()
    lines = {line.id: line for line in account.lines}
    assert account.budget == budget
    assert account.spent == len(lines) * EPSILON <= account.budget
    check_files(out, lines)
    check_words(exits, out, {line.token: line for line in account.lines})
    check_left(ledger, out, lines)
    return account


def lines_of(way, root, budget):
    """How often a release runs each line of ours, once nothing is left to be loaded or made."""
    ledger, out, seen = Ledger(root / "ledger.db"), root / "out", Counter()
    way.once("first", budget, ledger, out)
    at_lines(lambda line: seen.update([line]))
    code = way.once("second", budget, ledger, out)
    sys.settrace(None)
    return seen, {"first": code, "second": code}


def kill_lines(way, kills, rng):
    """Kill so many releases, in batches; how many, what became of them, and at how many lines."""
    states, hit, budget = Counter(), set(), Fraction(10**6)
    while (killed := sum(states.values())) < kills:
        with room() as name:
            root = Path(name)
            seen, exits = lines_of(way, root, budget)
            ledger, out, lines = Ledger(root / "ledger.db"), root / "out", sorted(seen)
            while (dead := sum(c is None for c in exits.values())) < min(BATCH, kills - killed):
                line, token = rng.choice(lines), f"click {len(exits)}"
                assert len(exits) < 3 * BATCH, f"{dead} of {len(exits)} died"

                def click(token=token):
                    return way.once(token, budget, ledger, out)  # noqa: B023 - called at once

                times = rng.randint(1, seen[line])
                exits[token] = end(fork(click, before_line, line, times))
                hit.add(line)
            account = checked(root, exits, budget)
            paid = {line.token: line.state for line in account.lines}
            states.update(paid.get(t, "not paid") for t, code in exits.items() if code is None)
    return states, len(hit)


def kill_steps(way, root, budget):
    """Kill a release before and after each of its steps, and in its trial; how each ended."""
    ledger, out, exits = Ledger(root / "ledger.db"), root / "out", {}
    steps, tried = steps_of(way)
    for owner, name, when in [
        *((*step, when) for step in steps for when in ("before", "after")),
        *((*step, "trial") for step in tried),
    ]:
        tidy(ledger, out)  # or the child would die tidying up after the one before
        token = f"{when} {name}"
        child = fork(lambda: way.once(token, budget, ledger, out), before_step, owner, name, when)  # noqa: B023
        exits[token] = end(child)
    return exits


def kill_together(way, root, budget, kills, together):
    """Kill releases at random times, several at once; then let them compete for what is left."""
    ledger, out, rng, exits = Ledger(root / "ledger.db"), root / "out", random.Random(7), {}
    started = time.monotonic()
    exits["first"] = way.once("first", budget, ledger, out)
    usual = time.monotonic() - started

    def clicks(ends):
        tokens = [f"click {len(exits) + i}" for i in range(together)]
        forked = [
            (ends(), fork(lambda token=token: way.once(token, budget, ledger, out)), token)
            for token in tokens
        ]
        for at, child, token in sorted(forked) if forked[0][0] else forked:
            exits[token] = end(child, at)

    while len(exits) < kills:
        clicks(lambda: time.monotonic() + rng.uniform(0, (1 + together) * usual))
    while POOR not in exits.values():
        clicks(lambda: None)
    return exits


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--kills", type=int, default=2000, help="of each way")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for name in asked.ways or WAYS:
        states, lines = kill_lines(WAYS[name], asked.kills, random.Random(asked.seed))
        print(
            f"{name}: {sum(states.values())} kills at {lines} lines; "
            + ", ".join(f"{state} {count}" for state, count in sorted(states.items()))
            + "; 0 unrecorded, 0 lost without a word, 0 overspent",
            flush=True,
        )


if __name__ == "__main__":
    main()
