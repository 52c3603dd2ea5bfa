"""Side-by-side measurements: each module is a command that prints a table of ratios.

One thread for everybody, set here because it must happen before numpy is imported.
"""

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
