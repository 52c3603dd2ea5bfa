"""The run with vector extensions off has none: otherwise it proves nothing."""

import os
import subprocess
import sys

import pytest

from tests import processor

SHOW = (
    "import numpy; from tests import processor; "
    "print(' '.join(processor.extensions()), *processor.kernels(), sep='|')"
)


def fresh(**environment):
    """Extensions and kernels of a new process."""
    found = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    used, *multiplying = found.strip("\n").split("|")
    return used.split(), multiplying


def test_what_is_listed_is_what_numpy_uses_and_can_be_switched_off():
    used, _ = fresh(NPY_DISABLE_CPU_FEATURES="")
    script = [sys.executable, str(processor.DISPATCH)]
    clean = {**os.environ, "NPY_DISABLE_CPU_FEATURES": ""}
    listed = subprocess.run(script, env=clean, capture_output=True, text=True, check=True).stdout
    assert listed.split() == used
    off, multiplying = fresh(NPY_DISABLE_CPU_FEATURES=listed.strip(), OPENBLAS_CORETYPE="Nehalem")
    assert off == []
    assert multiplying in (["Nehalem"], [])


@pytest.mark.parametrize(
    ("wanted", "used", "multiplying", "problem"),
    [
        ("", ["X86_V3"], ["Haswell"], ""),
        ("plain", [], ["Nehalem"], ""),
        ("plain", ["X86_V3"], ["Nehalem"], "numpy still uses X86_V3"),
        ("plain", [], ["Haswell"], "OpenBLAS multiplies for Haswell and not for Nehalem"),
        ("plain", [], [], ""),  # neither Intel nor AMD
        ("haswell", ["X86_V3"], ["Haswell"], ""),
        ("haswell", [], ["Zen"], "OpenBLAS multiplies for Zen and not for Haswell"),
    ],
)
def test_a_run_that_is_not_what_it_says_is_refused(wanted, used, multiplying, problem):
    assert processor.complaint(wanted, used, multiplying) == problem
