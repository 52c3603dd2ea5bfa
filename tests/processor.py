"""What the processor adds to numpy here, and what a run with it switched off must not have."""

import os
import platform
from pathlib import Path

import threadpoolctl
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

DISPATCH = Path(__file__).parent.parent / ".ci" / "dispatch"


def extensions():
    """Vector extensions beyond numpy's baseline that are in use."""
    return [name for name in __cpu_dispatch__ if __cpu_features__[name]]


def kernels():
    """Intel and AMD processors for which OpenBLAS multiplies; others have no names in common."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return []
    found = threadpoolctl.threadpool_info()
    return sorted({one["architecture"] for one in found if one["internal_api"] == "openblas"})


def complaint(wanted, used, multiplying):
    """Why this is not the processor that ``EQUIPOISE_PROCESSOR`` asks for, or nothing."""
    if wanted == "plain" and used:
        return f"numpy still uses {', '.join(used)}"
    kernel = {"plain": "Nehalem", "haswell": "Haswell"}.get(wanted)
    if kernel is not None and multiplying and multiplying != [kernel]:
        return f"OpenBLAS multiplies for {', '.join(multiplying)} and not for {kernel}"
    return ""


def check():
    """Refuse to run where the run would not be what its name says."""
    wanted = os.environ.get("EQUIPOISE_PROCESSOR", "")
    problem = complaint(wanted, extensions(), kernels())
    if problem:
        raise SystemExit(f"EQUIPOISE_PROCESSOR={wanted}: {problem}")
