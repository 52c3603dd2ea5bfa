"""Data as they travel, without the picture before."""

from pages.ui.kit.parcels import packed, sent


def parcelled(data, known):
    """The data with every part in ``known`` as its digest; new parts are added to it."""
    return sent(packed(data), known)
