"""Open answers: words, keywords, themes, code frames, coder agreement and quotes."""

from __future__ import annotations

from voxpop.verbatims.agreement import Agreement, agreement
from voxpop.verbatims.codeframe import Codeframe, codeframe
from voxpop.verbatims.codings import Codings
from voxpop.verbatims.keywords import Keywords, keywords
from voxpop.verbatims.quotes import Quotes, quotes
from voxpop.verbatims.themes import Themes, themes
from voxpop.verbatims.words import Words

__all__ = [
    "Agreement",
    "Codeframe",
    "Codings",
    "Keywords",
    "Quotes",
    "Themes",
    "Words",
    "agreement",
    "codeframe",
    "keywords",
    "quotes",
    "themes",
]
