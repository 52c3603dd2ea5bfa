"""Names cut to fit a box: the middle goes, because long names differ at their ends."""

FONT = 12.5
"""Pixels of a node's name."""


def cut_label(name: str, room: float) -> str:
    """The name, or its beginning and its end around an ellipsis, in ``room`` pixels.

    >>> cut_label("respondent_answer_to_question_17", 95)
    'respond…on_17'
    """
    if text_width(name) <= room:
        return name
    left = (room - text_width("…")) * 0.58
    head = _fitting(name, left)
    tail = _fitting(name[::-1], room - text_width("…") - text_width(head))[::-1]
    return f"{head.rstrip()}…{tail.lstrip()}"


def _fitting(text: str, room: float) -> str:
    """As many letters from the start as fit."""
    used = 0.0
    for place, letter in enumerate(text):
        used += _letter_width(letter)
        if used > room:
            return text[:place]
    return text


def text_width(text: str) -> float:
    """Pixels of a text in a node's font; rather too many than too few."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    return _LETTER_WIDTH.get(letter, _OTHER_WIDTH) * FONT / 11.5


_LETTER_WIDTH = {
    letter: width
    for width, letters in {
        3.2: " !',.:;|Iijl",
        4.1: "()-/[]{}frt",
        5.4: "?*cszJ",
        6.0: "0123456789_=+<>#$aegkvxyEFLVXYZ",
        6.7: "bdhnopquABCKPRST",
        7.6: "&DGHNOQU",
        9.0: "MWw",
        9.9: "m%@",
    }.items()
    for letter in letters
}
"""Advance in pixels at 11.5 px semibold, rounded up; the browser's own measure comes too late."""

_OTHER_WIDTH = 11.5
