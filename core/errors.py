"""The one exception raised on purpose."""


class EquipoiseError(ValueError):
    """What is wrong, where, and what to do, in one sentence a user can read."""
