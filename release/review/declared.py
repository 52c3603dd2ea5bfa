"""Declarations: what a privacy officer files and no program can know. All optional, none guessed.

One list for page, shell, dossier and saved work. What is not said is printed as "not stated": a
reader sees what was not answered.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import EquipoiseError
from release.versions import check_text

NOT_STATED = "not stated"
MOST = 1000
"""Most characters of one declaration."""


@dataclass(frozen=True)
class Declaration:
    """One thing to be said: its key in files and in a shell, its title, what it should answer."""

    key: str
    title: str
    asks: str


DECLARATIONS = tuple(
    Declaration(*one)
    for one in (
        ("curator", "Who publishes", "the organisation that answers for the release"),
        ("population", "Eligible records", "whose records, from where, of what time"),
        ("actors", "Actors and trust", "who sees the records, who the release, whom they trust"),
        ("attributes", "Attribute types", "which columns identify, help to, or are sensitive"),
        ("model", "Release model", "to the world or to whom; licence; ban on re-identification"),
        ("use", "Intended use", "what it is for"),
        ("unfit", "Not for", "what it must not be used for"),
        ("basis", "Lawful basis", "lawful basis, consent, number of the DPIA"),
        ("security", "Security of the records", "how they are kept and who has access"),
        ("retention", "Retention", "how long they are kept, when they are deleted"),
        ("threats", "Attackers considered", "who might try, what they know, why they would"),
        ("harm", "Harm", "what could go wrong, and for whom"),
        ("reason", "Reason for this ε", "why not less, why not more"),
        ("later", "Later releases", "which are planned from the same budget"),
        ("advice", "Advice taken", "of the data protection officer, of a review board"),
        ("review", "Review date", "when the release is looked at again, and by whom"),
        ("contact", "Contact", "for questions and incidents"),
        ("region", "Region", "where the people live"),
        ("sector", "Sector", "such as health, census, transport"),
    )
)
"""Every one, in the order of the dossier."""

_KNOWN = {one.key for one in DECLARATIONS}
Declared = tuple[tuple[str, str], ...]
"""What is declared: key and text, in the order of the list, blank ones left out."""


def declared(given: Mapping[str, object]) -> Declared:
    """Checked and in order; a key that nobody asks for, or what is no text, is refused."""
    for key, text in given.items():
        if key not in _KNOWN:
            raise EquipoiseError(
                f"nothing asks for the statement {key[:40]!a}; state one of "
                f"{', '.join(one.key for one in DECLARATIONS)}"
            )
        if not isinstance(text, str):
            raise EquipoiseError(f"the statement {key!r} is no text; write it in quotes")
        check_text(f"the statement {key!r}", text)
        if len(text) > MOST:
            raise EquipoiseError(
                f"the statement {key!r} has {len(text):,} characters; at most {MOST:,} are kept, "
                "so shorten it"
            )
    texts = ((one.key, " ".join(str(given.get(one.key, "")).split())) for one in DECLARATIONS)
    return tuple((key, text) for key, text in texts if text)
