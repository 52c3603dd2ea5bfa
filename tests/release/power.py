"""Power loss: ``python -m tests.release.power [WAY ...]``. Every disk that a release could leave.

One release is recorded as the system sees it (strace): names made and removed, bytes written, and
what was flushed. What a file or directory was told after its last flush may be on disk or not, each
by itself and in its order; what was flushed is there. Of the states that this allows after each
call are looked at: all of it lost, all of it kept, and for each file and directory any part of its
own, with all of the others' lost or kept. In each of them the next start must find what it was
promised: whoever was told of a payment finds it in the ledger, a complete release has its files,
and nothing is seen that the ledger does not know.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from unittest import mock

from release import files
from release.ledger import liveness
from release.ledger.book import Ledger
from tests.release.killing import check_files, check_left, room
from tests.release.traced import CALLS, Record
from tests.release.ways import EPSILON, WAYS

BUDGET = Fraction(5)


def recorded(way, root, trace, flushes):
    """Two releases into an empty directory, with every call that changes a file."""
    command = ["strace", "-f", "-xx", "-s", str(2**24), "-e", f"trace={CALLS}", "-o", str(trace)]
    code = f"from tests.release.power import release; release({way!r}, {str(root)!r}, {flushes})"
    subprocess.run(
        [*command, sys.executable, "-c", code],
        cwd=Path(__file__).parent.parent.parent, check=True, stdout=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip


def release(way, root, flushes):
    """What is recorded: words on standard output are what somebody was told."""
    if not flushes:
        files.flush = lambda directory: None
    ledger, out = Ledger(Path(root) / "ledger.db"), Path(root) / "new" / "out"
    say("ledger")
    for name in ("spend", "complete"):
        setattr(Ledger, name, telling(name, getattr(Ledger, name)))
    for token in ("first", "second"):
        say(f"{WAYS[way].once(token, BUDGET, ledger, out)} {token}")


def telling(name, step):
    def told(*arguments, **named):
        result = step(*arguments, **named)
        say(f"{name} {result.line.id if name == 'spend' else arguments[1]}")
        return result

    return told


def say(text):
    os.write(1, f"said {text}\n".encode())


def states(calls):
    """Each state once: how many calls each object has kept, and what had been said by then."""
    told, flushed, given, seen = [], Counter(), Counter(), set()
    for call in calls:
        if call[0] == "said":
            told = [*told, call[1]]
        elif call[0] == "sync":
            flushed[call[1]] = given[call[1]]
        else:
            given[call[1]] += 1
        loose = [one for one in given if given[one] > flushed[one]]
        for kept in _cuts(flushed, given, loose):
            key = (len(told), frozenset(kept.items()))
            if key not in seen:
                seen.add(key)
                yield kept, told


def _cuts(flushed, given, loose):
    yield dict(flushed)
    yield dict(given)
    for one in loose:
        for most in range(flushed[one], given[one] + 1):
            yield {**flushed, one: most}
            yield {**given, one: most}


def disk(calls, kept):
    """Files and directories (None) by path, as they would be found."""
    names, data, count = defaultdict(dict), defaultdict(bytearray), Counter()
    for kind, one, *rest in (call for call in calls if call[0] not in ("said", "sync")):
        count[one] += 1
        if count[one] > kept.get(one, 0):
            continue
        if kind == "name":
            for name, target in rest[0]:
                names[one].pop(name, None)
                if target is not None:
                    names[one][name] = target
        else:
            held, at = data[one], rest[0]
            held.extend(bytes(max(0, at - len(held))))
            if kind == "size":
                del held[at:]
            else:
                held[at : at + len(rest[1])] = rest[1]
    directories = {call[1] for call in calls if call[0] == "name"}
    found, waiting = {}, [("", 0)]
    while waiting:
        path, one = waiting.pop()
        found[path] = None if one in directories else bytes(data[one])
        waiting += [(f"{path}/{name}", target) for name, target in names[one].items()]
    return found


def rebuild(found, root):
    """Make the directory that."""
    shutil.rmtree(root, ignore_errors=True)
    for path, data in found.items():
        place = Path(f"{root}{path}")
        if data is None:
            place.mkdir()
        else:
            place.write_bytes(data)


def check(root, told):
    """Whether the next start finds what was promised; the machine has started anew."""
    path, out = root / "ledger.db", root / "new" / "out"
    with mock.patch.object(liveness, "_boot", lambda: "another start"):
        if not path.exists():
            assert not told, told
            assert not out.exists() or not list(out.iterdir())
            return
        ledger = Ledger(path)
        found = ledger.verify()
        assert found.sound, found.problems
        lines = {line.id: line for account in ledger.accounts() for line in account.lines}
        for what, which in (words for words in told if len(words) == 2):
            if what == "spend":
                assert which in lines, "a payment was forgotten"
            if what == "complete":
                assert lines[which].state == "complete", "a complete release was forgotten"
        assert sum(line.epsilon for line in lines.values()) == len(lines) * EPSILON <= BUDGET
        if out.exists():
            check_files(out, lines)
            check_left(ledger, out, lines)
            check_files(out, lines)
        else:
            assert not [line for line in lines.values() if line.state == "complete"]


def lose_power(way, most=None, rng=None, flushes=True):
    """How many states there are, and how many were looked at; an assertion where one is wrong.

    What the next start finds is looked at once, in however many ways it may have come about.
    """
    with room() as name:
        root, trace = Path(name) / "disk", Path(name) / "trace"
        root.mkdir()
        recorded(way, root, trace, flushes)
        calls = Record(str(root)).read(trace).calls
        found, seen = list(states(calls)), set()
        for kept, told in found if most is None else rng.sample(found, min(most, len(found))):
            left = disk(calls, kept)
            key = (len(told), hash(frozenset(left.items())))
            if key not in seen:
                seen.add(key)
                rebuild(left, root)
                check(root, told)
    return len(found), len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--most", type=int, help="states of each way")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for way in asked.ways or WAYS:
        found, looked = lose_power(way, asked.most, random.Random(asked.seed))
        print(f"{way}: {found} losses of power, {looked} different disks, nothing lost", flush=True)


if __name__ == "__main__":
    main()
