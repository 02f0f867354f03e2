"""Resolution of everyday job names to the occupation labels of the population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxpop.vocabulary.conditions import AnyOf
from voxpop.vocabulary.filters import Filter, Group
from voxpop.vocabulary.nearest import nearest

CLOSE = 0.8
"""Minimum similarity of the fuzzy-match fallback, from 0 to 1."""

_OTHER_WORDS = {
    "doctor": "physician",
    "trucker": "truck driver",
    "salesman": "salesperson",
    "police": "police and sheriff's patrol officer",
}


def resolve(value: str, labels: Sequence[str], corpus: Mapping[str, str]) -> tuple[str, ...]:
    """Return the live occupation labels that a text refers to.

    The first rule with a result decides:

    1. the text is a live label;
    2. the text is a job title or synonym of a live occupation;
    3. the text is an occupation of the title corpus that is live under another spelling of its titles;
    4. titles and synonyms of the same occupation that are live labels themselves;
    5. similar live labels: the family named by a common noun ("nurse" for all kinds of nurses), otherwise the
    single most similar label.

    Parameters
    ----------
    value : str
        The text, in any case.
    labels : sequence of str
        Occupation labels that occur in the population.
    corpus : mapping of str to str
        Job title or synonym, in lower case -> occupation.

    Returns
    -------
    tuple of str
        Live labels; empty if nothing matches.

    Examples
    --------
    >>> labels, corpus = ["Registered Nurses", "Cashiers"], {"nurse": "Registered Nurses"}
    >>> [resolve(word, labels, corpus) for word in ("nurse", "cashier", "pirate")]
    [('Registered Nurses',), ('Cashiers',), ()]
    """
    wanted = _key(value)
    live = {_key(label): label for label in labels}
    if wanted in live:
        return (live[wanted],)
    occupation = corpus.get(wanted) or corpus.get(wanted.removesuffix("s"))
    if occupation is not None and _key(occupation) in live:
        return (live[_key(occupation)],)
    family = _key(occupation) if occupation is not None else wanted
    relatives = [title for title, kept in corpus.items() if _key(kept) == family]
    found = tuple(dict.fromkeys(live[_key(title)] for title in relatives if _key(title) in live))
    return found or _named_family(wanted, labels) or tuple(nearest(wanted, labels, n=1, cutoff=CLOSE))


def resolve_occupations(filter: Filter, labels: Sequence[str], corpus: Mapping[str, str]) -> Filter:
    """Return the filter with its occupations resolved; ``all_of`` and unknown occupations are kept as given.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> resolve_occupations(where(occupation="nurse"), ["Registered Nurses"], {"nurse": "Registered Nurses"})
    vp.where(occupation="Registered Nurses")
    """
    if filter.groups:
        filter = Filter(
            filter.match,
            filter.conditions,
            filter.own,
            filter.given,
            tuple(
                Group(group.kind, tuple(resolve_occupations(one, labels, corpus) for one in group.filters))
                for group in filter.groups
            ),
        )
    condition = filter.get("occupation")
    if not isinstance(condition, AnyOf):
        return filter
    found: dict[str | bool, None] = {}
    for value in condition.values:
        found.update(dict.fromkeys(resolve(str(value), labels, corpus) or (value,)))
    return filter.replace("occupation", AnyOf(tuple(found)))


def _named_family(word: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels whose part before the first comma ends with the word, in singular or plural."""
    noun = _OTHER_WORDS.get(word.removesuffix("s"), word)
    plurals = (noun, f"{noun}s", f"{noun}es")
    heads = {label: f" {_key(label.split(',')[0])}" for label in labels}
    return tuple(
        label for label, head in heads.items() if head.endswith(tuple(f" {each}" for each in plurals))
    )


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
