"""Regular expressions compiled on first use, to keep the start of a service fast."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from voxpop_simulator.questions.needs import Ways, folded, needs_of


class Pattern:
    """A regular expression with the interface of a compiled one.

    Examples
    --------
    >>> Pattern(r"how (?:many|much)", re.I).search("How many?")[0]
    'How many'
    """

    __slots__ = ("_made", "_needs", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags
        self._made: re.Pattern[str] | None = None
        self._needs: Ways | bool | None = True  # until it is computed

    def _compiled(self) -> re.Pattern[str]:
        if self._made is None:
            self._made = re.compile(self.pattern, self.flags)
        return self._made

    def _may_fit(self, text: str) -> bool:
        """Return whether a text contains the literals that the pattern requires."""
        needs = self._needs
        if needs is True:
            needs = self._needs = None if self.flags & re.VERBOSE else needs_of(self.pattern)
        return not isinstance(needs, Ways) or needs.may_fit(folded(text))

    def search(self, text: str, at: int = 0) -> re.Match[str] | None:
        """Return the first match of the pattern."""
        return self._compiled().search(text, at) if self._may_fit(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text."""
        return self._compiled().match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of the whole text."""
        return self._compiled().fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all matches of the pattern."""
        return self._compiled().finditer(text)

    def findall(self, text: str) -> list[Any]:
        """Return all matches as text."""
        return self._compiled().findall(text)

    def split(self, text: str, most: int = 0) -> list[str]:
        """Return the text split at the matches of the pattern."""
        return self._compiled().split(text, most)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return a text with the matches of the pattern replaced."""
        return self._compiled().sub(new, text, count)
