"""Settings shared by all tests."""

from hypothesis import settings

# A shared or busy machine must not fail a law for being slow.
settings.register_profile("equipoise", deadline=None)
settings.load_profile("equipoise")
