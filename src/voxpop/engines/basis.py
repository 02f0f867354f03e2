"""The basis of an answer: the agent's profile, published figures, a model, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

PROFILE = "profile"
PUBLISHED = "published"
MODELLED = "modelled"
NONE = "none"

KINDS = (PROFILE, PUBLISHED, MODELLED, NONE)
"""Kinds of basis, from the firmest."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The basis of an answer.

    Attributes
    ----------
    kind : str
        ``profile``: the agent's record holds the answer. ``published``: it follows a share with a source, or
        human records, for this question. ``modelled``: it comes from a language model, or from a model fitted
        to human answers to nearby questions. ``none``: no figure is known, and the answer is a placeholder.
    note : str
        One sentence for readers of the results, with source and year where there is one.

    Raises
    ------
    ValueError
        The kind is not one of :data:`KINDS`, or the note is empty.

    Examples
    --------
    >>> Basis("published", "Share of yes from Gallup, October 2024.").kind
    'published'
    >>> Basis("guess", "Nobody knows.")
    Traceback (most recent call last):
    ValueError: The basis 'guess' of an answer is not profile, published, modelled or none.
    """

    kind: str
    note: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(
                f"The basis {self.kind!r} of an answer is not {', '.join(KINDS[:-1])} or {KINDS[-1]}."
            )
        if not self.note.strip():
            raise ValueError(
                f"The basis {self.kind!r} of an answer needs a note: one sentence on where it is from."
            )


UNDECLARED = Basis(MODELLED, "The engine does not declare what its answers rest on.")
"""Basis of the answers of engines that declare none."""
