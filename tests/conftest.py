"""Shared by all tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small products
