"""Odd arguments and places: a result or one sentence, and nothing lost."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli import main
from commands import output
from core.errors import EquipoiseError

ASKED = "allocate --network figure-one --method uniform --records 50 --replicates 2"
ATTACK = "attack --network figure-one --pools 1 --workers 1 --records"
RELEASE = "release --network figure-one --ledger l.db --out o --preview --epsilon"
HUGE = "9" * 30

ODD = {
    "a seed of records below zero": f"{ASKED} --data-seed -1",
    "a seed below zero": "undirected --network figure-one --seed -1",
    "records beyond any number": "undirected --network figure-one --records 10,inf",
    "a prior beyond any table": f"{ASKED} --pseudo-count 1e308",
    "more members than there are numbers": f"{ATTACK} {HUGE}",
    "guessed about as many": f"{ATTACK} {HUGE} --attribute A",
    "a fraction that no float holds": f"{RELEASE} 1{'0' * 400}/1",
    "a file that cannot be read on": f"{ASKED} --scenario /proc/self/mem",
    "a table that cannot be read on": "schema --data /proc/self/mem",
    "a folder as a model": "query --model . --target A",
    "the root as a model": "query --model / --target A",
    "no model": "query --target A --model",
    "a pipe that nobody reads": f"{ASKED} --save-scenario pipe",
    "a folder to write": f"{ASKED} --save-scenario .",
    "a name that is none": f"{ASKED} --save-scenario a\0b",
    "a folder of links to itself": f"{ASKED} --data links",
    "a pattern twice as deep": f"{ASKED} --data links/**/x/**",
    "a sum that no float holds": "describe --dag n.uai",
    "a folder that is none": "verify a\0b",
    "letters of half a sign": "verify \ud800",
    "a graph of too many cells": "risk --dag many.json",
    "a date with two years": "describe --dag g.json --data t.csv --schema s.json",
}
YEARS = '{"columns": [{"name": "d", "date": "%Y%Y", "bins": ["2000-01-01", "2001-01-01"]}]}'


MANY = [
    {"name": f"v{i}", "states": ["a", "b"], "parents": [f"v{j}" for j in range(i)[-18:]]}
    for i in range(60)
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
def test_what_cannot_be_done_is_one_sentence(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("links").mkdir()
    for name in "ab":
        Path("links", name).symlink_to(".", target_is_directory=True)
    Path("t.csv").write_text("d\n2000\n")
    Path("g.json").write_text('{"variables": [{"name": "d"}]}')
    Path("s.json").write_text(YEARS)
    Path("n.uai").write_text("BAYES\n1\n2\n1\n1 0\n2\n1e308 1e308\n")
    Path("many.json").write_text(json.dumps({"variables": MANY}))
    given = line.split(" ")
    try:
        code = main(given if not line.endswith("--model") else [*given, ""])
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr().err.splitlines()
    assert (code, len(said)) == (2, 1), said


IGNORED = (
    (ASKED, "--schema /none"),
    (ASKED, "--missing drop"),
    (ASKED, "--unit-column who"),
    (ASKED, "--per-unit 3"),
    ("risk --dag few.json", "--schema /none"),
    ("attack --network asia", "--schema /none"),
    ("query --model m.json --target tub", "--network asia"),
    ("describe --dag few.json --data t.csv", "--records 5"),
    ("risk --dag few.json --data t.csv", "--records 5"),
    (
        "release --dag few.json --data t.csv --unit person --epsilon 1 --ledger l --out o",
        "--records 5",
    ),
    ("sweep --dag few.json --data t.csv", "--data-seed 5"),
    ("compare --dag few.json --data t.csv", "--data-seed 5"),
    ("synthesise --data t.csv", "--records 5"),
    ("synthesise --data t.csv", "--per-unit 5"),
    ("attack --dag few.json --data t.csv", "--data-seed 5"),
    ("attack --network asia", "--data-seed 5"),
    ("lesson", "--step 9"),
    ("lesson", "--records 90"),
    ("lesson", "--points 1,2"),
    ("lesson 1", "--answers"),
    ("lesson --sheet s.html", "--step 1"),
    ("synthesise --network figure-one --records 50", "--study"),
    ("schema --schema s.json", "--delimiter ;"),
    ("schema --schema s.json", "--states d=1,2"),
    ("schema --schema s.json", "--private"),
)


@pytest.mark.parametrize(("line", "option"), IGNORED)
def test_what_would_be_ignored_is_refused(line, option, tmp_path, monkeypatch, capsys):
    """A schema that was not there went unnoticed where no data were given."""
    monkeypatch.chdir(tmp_path)
    Path("few.json").write_text(json.dumps({"variables": MANY[:3]}))
    Path("s.json").write_text('{"columns": [{"name": "d", "states": ["1", "2"]}]}')
    assert main([*line.split(), *option.split()]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(option.split()[0]), said


def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    """A full disk took the schema that was to be written over."""
    path, link = tmp_path / "schema.json", tmp_path / "link.json"
    path.write_bytes(b"what a steward wrote")
    path.chmod(0o600)
    link.symlink_to(path)

    def full(self, content):
        with self.open("wb") as file:
            file.write(content[:3])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        with pytest.raises(EquipoiseError, match="no space left"):
            output.write_file(link, b"another")
    assert path.read_bytes() == b"what a steward wrote"
    output.write_file(link, b"another")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"another", 0o600)
    assert link.is_symlink() and sorted(one.name for one in tmp_path.iterdir()) == [
        "link.json",
        "schema.json",
    ]


def shell(line, **more):
    program = [sys.executable, "cli.py", *line.split()]
    return subprocess.run(program, stderr=subprocess.PIPE, text=True, **more)


def test_an_answer_that_finds_no_room_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        done = shell("networks", stdout=full)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


@pytest.mark.parametrize(
    ("line", "shut", "code"),
    [("networks", 1, 2), ("networks", 2, 0), ("describe --network nope", 2, 2)],
)
def test_an_answer_without_a_place_to_go(line, shut, code):
    """Whoever starts it may close standard output or standard error."""
    told = {"stdout": subprocess.PIPE, "preexec_fn": lambda: os.close(shut)}
    done = shell(line, **told)
    assert done.returncode == code and "Traceback" not in done.stderr
    assert (shut == 1) == ("there is no standard output" in done.stderr)


UP = (
    "import runpy, sys; sys.argv[0] = 'cli.py'; print('up', file=sys.stderr, flush=True); "
    "runpy.run_path('cli.py', run_name='__main__')"
)


def heeds(process):
    """Whether Ctrl-C is seen by what runs, instead of ending it."""
    (caught,) = re.findall(r"SigCgt:\s*(\w+)", Path(f"/proc/{process}/status").read_text())
    return bool(int(caught, 16) & 1 << signal.SIGINT - 1)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", [(False,), (False, True)], ids=["loading", "working"])
def test_a_signal_ends_a_verb_without_a_traceback(sign, moment, tmp_path):
    """What it would have written is not there in part."""
    line = f"attack --network alarm --pools 400 --workers 2 --save-scenario {tmp_path / 's'}"
    with subprocess.Popen(
        [sys.executable, "-c", UP, *line.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as a terminal starts it
    ) as one:  # fmt: skip
        assert one.stderr.readline() == "up\n"
        end = time.monotonic() + 60
        for state in moment:
            while heeds(one.pid) != state and time.monotonic() < end:
                time.sleep(0.001)
        os.killpg(one.pid, sign)
        out, said = one.communicate(timeout=60)
    stopped = 130 if len(moment) > 1 and sign == signal.SIGINT else -sign
    assert one.returncode == stopped, said
    assert out == "" and "Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] in ([], ["s"])


def test_an_answer_is_given_where_letters_lack():
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = shell("glossary epsilon", stdout=subprocess.PIPE, env=narrow)
    assert (done.returncode, done.stderr) == (0, "") and "\\u03b5" in done.stdout


def test_a_name_commands_no_terminal(capsys):
    output.write_table(("a",), [["\x1b]0;x\x07\n"]])
    output.write_lines("b\x1b[2J\nc")
    output.say("d\x1b\ne")
    told = capsys.readouterr()
    assert told.out.replace("\n", "").isprintable() and told.err == "d  e\n"
