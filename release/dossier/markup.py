"""Markup: elements of HTML and SVG in which every text is escaped.

There is no way to put text into a document but through :func:`element`, so a name that came from
a file cannot become a tag, an attribute or a script.
"""

import html
from collections.abc import Iterable


class Markup(str):
    """Text that is already markup; made here and nowhere else."""

    __slots__ = ()


Child = str | Markup | Iterable[Markup]

_VOID = frozenset({"meta", "br", "hr", "line", "circle", "rect", "path"})
_HARMLESS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "main", "header", "section", "footer"),
        *("h1", "h2", "h3", "p", "strong", "code", "span", "div", "figure", "br", "hr"),
        *("table", "thead", "tbody", "tr", "th", "td", "ol", "ul", "li", "dl", "dt", "dd"),
        *("svg", "g", "line", "circle", "rect", "path", "text"),
    )
)
"""Elements that can be made; nothing that loads, runs or submits."""


def element(tag: str, *children: Child, **attributes: str | float | None) -> Markup:
    """One element; texts are escaped, ``class_`` means class, an attribute of None is left out.

    >>> element("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    if tag not in _HARMLESS:
        raise ValueError(f"no element {tag!r} is made here")
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(_plain(value), quote=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inner = "".join(_text(child) for child in children)
    closing = "/>" if tag in _VOID and not inner else f">{inner}</{tag}>"
    return Markup(f"<{tag}{given}{closing}")


def _text(child: Child) -> str:
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return html.escape(_plain(child), quote=False)
    return "".join(_text(part) for part in child)


def _plain(value: str | float) -> str:
    """A number short; a text without characters that no document may hold."""
    if isinstance(value, str):
        return "".join(c if c in "\n\t" or c.isprintable() or c == " " else "�" for c in value)
    return f"{value:.6g}"


def style(css: str) -> Markup:
    """A style sheet of our own; refused if it could end itself."""
    if "</" in css:
        raise ValueError("a style sheet must not hold a closing tag")
    return Markup(f"<style>{css}</style>")
