"""Text from files in Markdown: every letter is shown and none is markup."""

import pytest
from streamlit.string_util import clean_text

from pages.ui.kit.markdown import literal, sentence, written


def seen(markdown):
    """What is left when every escaped letter stands for itself."""
    parts = iter(markdown)
    return "".join(next(parts) if c == "\\" else c for c in parts).replace("\u2060", "")


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://a) *b*", "<script>alert(1)</script>", "a_b_c", ":red[x] :smile: $x$", "&lt;b",
        "1. one", "- item", "# head", "www.example.org", "me@example.org", "back\\slash", "=====",
    ],
)  # fmt: skip
def test_every_letter_is_shown(text):
    assert seen(literal(text)) == text
    assert clean_text(literal(text)) == literal(text)


def test_marks_are_escaped():
    assert literal("![x](http://a) *b*") == "\\!\\[x\\]\\(http\u2060\\://a\\) \\*b\\*"
    assert literal("two\n\n# lines") == "two \\# lines"
    assert sentence("the *ledger*") == "The \\*ledger\\*"


def test_addresses_are_no_links():
    for text in ("https://example.org", "www.example.org", "WWW.example.org", "me@example.org"):
        assert "\u2060" in literal(text)


def test_runs_are_written_with_their_spaces():
    assert written([("on ", ""), ("ε * 1", "strong"), (" of ", "risk")]) == (
        "on **ε \\* 1** **of** "
    )
