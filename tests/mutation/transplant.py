"""A changed program put into the module that is loaded: every user of its functions gets it."""

import importlib
import types
from fractions import Fraction

PLAIN = bool, int, float, str, tuple, frozenset, Fraction


def transplant(name, tree):
    """Give a loaded module the code of a changed tree; an error is one that its import has."""
    module = importlib.import_module(name)
    fresh = dict.fromkeys(("__builtins__",), module.__builtins__)
    fresh |= {key: vars(module)[key] for key in ("__name__", "__file__", "__package__", "__spec__")}
    exec(compile(tree, module.__file__, "exec"), fresh)
    for key, value in fresh.items():
        if key.startswith("__"):
            continue
        _given(vars(module).get(key), value, name)
        if type(value) in PLAIN:
            setattr(module, key, value)


def _given(old, new, name):
    """A function's or a class's code, where both are the module's own."""
    if isinstance(old, type) and isinstance(new, type) and old.__module__ == name:
        for key, part in vars(new).items():
            _given(vars(old).get(key), part, name)
            if type(part) in PLAIN and not key.startswith("__"):
                setattr(old, key, part)
        return
    for way in ("__func__", "fget", "func", "__wrapped__"):  # what a decorator has wrapped
        if hasattr(old, way) and hasattr(new, way):
            _given(getattr(old, way), getattr(new, way), name)
    if isinstance(old, types.FunctionType) and isinstance(new, types.FunctionType):
        if old.__code__.co_freevars == new.__code__.co_freevars:
            old.__code__ = new.__code__
        old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
