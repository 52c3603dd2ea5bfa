"""Markup: elements of HTML and SVG in which every text is escaped.

There is no way to put text into a document but through :func:`element`, so a name that came from
a file cannot become a tag, an attribute or a script.
"""

import html
from collections.abc import Iterable, Sequence


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


def section(title: str, *parts: Markup, class_: str | None = None) -> Markup:
    """A section with its heading."""
    return element("section", element("h2", title), *parts, class_=class_)


def paragraph(*parts: str | Markup, class_: str | None = "caption") -> Markup:
    """A paragraph, unless told otherwise a caption."""
    return element("p", *parts, class_=class_)


def table(head: Sequence[str], rows: Iterable[Sequence[str | Markup]], numbers: int = 0) -> Markup:
    """A table whose last ``numbers`` columns hold numbers."""
    first = len(head) - numbers

    def kind(column: int) -> str | None:
        return "number" if column >= first else None

    top = [element("th", text, class_=kind(i), scope="col") for i, text in enumerate(head)]
    body = [
        element("tr", [element("td", cell, class_=kind(i)) for i, cell in enumerate(row)])
        for row in rows
    ]
    return element("table", element("thead", element("tr", top)), element("tbody", body))


def facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Names with their values."""
    return element(
        "dl", [m for name, value in rows for m in (element("dt", name), element("dd", value))]
    )
