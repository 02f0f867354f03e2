"""Elements of XML files as indented lines, with every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxpop.vocabulary.markup import xml_text

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
Lines = list[str]


def leaf(name: str, text: object = "", /, **attributes: object) -> Lines:
    """Return an element with a text, or without content.

    Examples
    --------
    >>> leaf("value", "a < b", code=1), leaf("position", start=3)
    (['<value code="1">a &lt; b</value>'], ['<position start="3"/>'])
    """
    inside = xml_text(text)
    opened = f"{name}{_written(attributes)}"
    return [f"<{opened}>{inside}</{name}>" if inside else f"<{opened}/>"]


def element(name: str, /, *inside: Iterable[str], **attributes: object) -> Lines:
    """Return an element with elements inside, each on lines of its own.

    Examples
    --------
    >>> element("values", leaf("value", "yes", code=1))
    ['<values>', '  <value code="1">yes</value>', '</values>']
    """
    return [f"<{name}{_written(attributes)}>", *_indented(inside), f"</{name}>"]


def document(root: Lines, *, comments: Iterable[str] = ()) -> str:
    """Return a file with comments before its root."""
    told = [f"<!-- {xml_text(comment).replace('--', '- -')} -->" for comment in comments]
    return "\n".join([HEAD, *told, *root]) + "\n"


def _written(attributes: dict[str, object]) -> str:
    """Return attributes; a trailing underscore of a name is left out, and two stand for a colon."""
    return "".join(
        f' {name.rstrip("_").replace("__", ":")}="{xml_text(value)}"' for name, value in attributes.items()
    )


def _indented(inside: Iterable[Iterable[str]]) -> Iterator[str]:
    for lines in inside:
        yield from (f"  {line}" for line in lines)
