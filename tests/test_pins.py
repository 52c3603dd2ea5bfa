"""Whatever ``make`` installs is pinned to its version and to the hashes of its files."""

import re

import pytest

from docs.pins import FILES, PINS, ROOT, pinned


def held(target):
    """Name and version -> hashes in a file of pins."""
    text = (PINS / target).read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line.split() for line in text.splitlines() if "==" in line]
    return {tuple(line[0].split("==")): line[1:] for line in lines}


@pytest.mark.parametrize("target", FILES)
def test_every_version_has_the_hashes_of_its_files(target):
    own = held(target)
    assert set(own) == set(pinned(FILES[target])), "run python -m docs.pins"
    for name, hashes in own.items():
        assert hashes, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), name


def test_nothing_is_installed_without_its_hash():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = [line for line in makefile.splitlines() if "pip install" in line]
    assert len(installs) == 3
    assert all("--require-hashes" in line and "-r pins/" in line for line in installs)


def test_no_pin_names_a_host_or_a_folder():
    for target in FILES:
        assert not re.search(r"//|index|find-links", (PINS / target).read_text(encoding="utf-8"))
