"""Shared by all tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small products

from hypothesis import HealthCheck, settings

from tests import processor

processor.check()

# A busy machine must not fail a law for being slow.
settings.register_profile("equipoise", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("equipoise")
