"""Spelling correction of audience texts, limited to words with a single near meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from voxpop.text_files import text_of
from voxpop_simulator.audiences.mentions import Sense
from voxpop_simulator.questions.wordlists import word_set

_ORDINARY = word_set(
    "atheists bilingual care catholic catholics christian christians conservatives currently diabolic "
    "doctorate engaged "
    "even extroverts female gamers heath hindu horse independents insular introverts jewish jews "
    "liberals minors "
    "moderates muslim muslims nursery ozone patent patents player progressives purses recruit rent "
    "respondents save "
    "shall statues sure survey talk toys trainers vegans widowed yoga"
)
"""Words that are spelled correctly, and that the simulator's own texts do not have."""
_TABLES = word_set(
    "examples_body examples_food examples_leisure examples_life examples_money examples_tech examples_world"
    " topics"
)
_TEXTS = word_set(
    "stories life life_health life_home life_work topics_body topics_life topics_money topics_tech"
    " topics_world"
)
_LEAST = 5
_SPOKEN = re.compile(r"[aeiouy]")
_COMMON = word_set(
    "between years older younger women without living taking aged people adults female males working parents "
    "diagnosed currently under smokers nobody except excluding health insurance"
)
"""Words of the frame that are corrected too; each means itself."""
_SHORT = {
    **{"w/": "with", "w/o": "without", "yrs": "years", "yr": "year", "yers": "years", "yeras": "years"},
    **{"pls": "please", "plz": "please", "ppl": "people", "mgr": "manager", "mgrs": "managers"},
    **{"hhi": "income", "dont": "don't", "doesnt": "doesn't", "arent": "aren't", "btw": "between"},
    **{"b/w": "between", "wmn": "women", "wimmen": "women", "adlts": "adults", "oder": "older"},
    **{"thru": "through", "incl": "including", "incl.": "including", "excl": "excluding", "hh": "household"},
    **{"hhs": "households", "hhld": "household", "ea": "each", "ea.": "each", "rx": "prescription"},
    **{"mths": "months", "mos": "months", "btwn": "between", "b/t": "between", "cant": "can't"},
    **{"isnt": "isn't", "wont": "won't", "didnt": "didn't", "havent": "haven't", "approx": "about"},
    **{
        "approx.": "about",
        "devs": "developers",
        "techs": "technicians",
        "govt": "government",
        "mfg": "manufacturing",
    },
    **{"mktg": "marketing", "depts": "departments", "vs.": "vs", "preg": "pregnant"},
    **{"edu": "education", "avg": "average", "assoc": "associate", "univ": "university", "dx": "diagnosed"},
    **{"dx'd": "diagnosed", "hx": "history", "peeps": "people", "dems": "democrats"},
    **{"repubs": "republicans", "min.": "minimum", "max.": "maximum", "yr-old": "years", "w/out": "without"},
    **{"htn": "hypertension", "hcps": "clinicians"},
}
_SHORTENED = re.compile(
    rf"(?<![\w/.@])(?:{'|'.join(map(re.escape, sorted(_SHORT, key=len, reverse=True)))})(?![\w/])", re.I
)


def spelled(text: str) -> str:
    """Return a text with plain quotation marks, single spaces, and common abbreviations written out.

    Examples
    --------
    >>> spelled("mgrs w/o  kids, 20-30 yrs")
    'managers without kids, 20-30 years'
    """
    plain = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return _SHORTENED.sub(
        lambda found: _as_written(_SHORT[found[0].lower()], found[0]), " ".join(plain.split())
    )


@cache
def _english() -> frozenset[str]:
    """Return the words of the simulator's own texts, which are spelled correctly."""
    here = Path(__file__).parent.parent
    texts = [here / "questions" / "tables" / f"{name}.txt" for name in sorted(_TABLES)]
    texts += [here / "speech" / "texts" / f"{name}.txt" for name in sorted(_TEXTS)]
    return frozenset(word for path in texts for word in re.findall(r"[a-z]{5,}", text_of(path).lower()))


class Speller:
    """The single words of the lexicon with their meanings."""

    def __init__(self, senses: Mapping[str, Sense], ordinary: frozenset[str] = frozenset()) -> None:
        self._words: set[str] = set(ordinary)
        self._meanings: dict[str, object] = {}
        for phrase, meaning in senses.items():
            for word in phrase.split():
                self._words.add(word)
            if " " not in phrase and len(phrase) >= _LEAST:
                self._meanings[phrase] = meaning.parts
        for phrase, meaning in senses.items():
            self._add_parts(phrase, meaning)
        for word in sorted(_COMMON):
            self._words.add(word)
            self._meanings.setdefault(word, word)
        self._by_start: dict[str, list[str]] = {}
        for word in self._meanings:
            self._by_start.setdefault(word[0], []).append(word)

    def _add_parts(self, phrase: str, meaning: Sense) -> None:
        if any(name in ("state", "health_conditions", "occupation") for name, _ in meaning.parts):
            for word in phrase.split():
                if len(word) >= 6:
                    self._meanings.setdefault(word, word)

    def correct(self, text: str) -> tuple[str, tuple[str, tuple[str, ...]] | None]:
        """Return the text with corrected spelling, and an ambiguous word, if any.

        Examples
        --------
        >>> from voxpop_simulator.audiences.mentions import sense
        >>> Speller({"nurses": sense(occupation="Registered Nurses")}).correct("all nurces")
        ('all nurses', None)
        """
        doubt: list[tuple[str, tuple[str, ...]]] = []

        def put_right(found: re.Match[str]) -> str:
            near = self._near(found[0]) if _correctable(text, found) else []
            far = any(distance(found[0].lower(), word, 2) > 1 for word in near)
            if far or len({repr(self._meanings[word]) for word in near}) > 1:
                doubt.append((found[0], tuple(near)))
                return found[0]
            return _as_written(near[0], found[0]) if near else found[0]

        corrected = re.sub(r"(?<![\w'’@.])[A-Za-z]{5,20}(?![\w'’@])", put_right, text)
        return corrected, doubt[0] if doubt else None

    def _near(self, written: str) -> list[str]:
        word = written.lower()
        if (
            word in self._words
            or word in _ORDINARY
            or word.rstrip("s") in self._words
            or word.rstrip("s") in _ORDINARY
            or word in _english()
            or word.rstrip("s") in _english()
        ):
            return []
        if written[:1].isupper() and not written.isupper() and word + "s" in self._words:
            return []
        allowed = 1 if len(word) < 9 else 2
        best: dict[int, list[str]] = {}
        for known in self._by_start.get(word[0], ()):
            if (
                not _SPOKEN.search(known[:3])
                or abs(len(known) - len(word)) > allowed
                or known.startswith(word)
                or word.startswith(known)
            ):
                continue
            if _alike(known, word):
                steps = distance(word, known, allowed)
                if steps <= allowed:
                    best.setdefault(steps, []).append(known)
        return best[min(best)] if best else []


def _correctable(text: str, found: re.Match[str]) -> bool:
    """Return whether a word may be misspelt: two capitalised words together may be a name."""
    if not found[0][:1].isupper() or text.isupper():
        return True
    after = re.match(r"[ ]+([A-Z])[a-z]", text[found.end() :])
    before = re.search(r"\b[A-Z][\w.]*[ ]+$", text[: found.start()])
    return after is None and before is None


def _alike(known: str, word: str) -> bool:
    return SequenceMatcher(None, known, word, autojunk=False).quick_ratio() >= 0.7


def _as_written(word: str, written: str) -> str:
    return word.capitalize() if written[:1].isupper() else word


def distance(one: str, other: str, limit: int) -> int:
    """Return how many letters must be changed, added, left out or swapped with the next; above the limit, more.

    Examples
    --------
    >>> distance("nurces", "nurses", 2), distance("diabteics", "diabetics", 2), distance("cat", "house", 2)
    (1, 1, 3)
    """  # noqa: E501
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        older, before, row = before, row, [at]
        for to, target in enumerate(other, 1):
            steps = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != target))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == target:
                steps = min(steps, older[to - 2] + 1)
            row.append(steps)
        if min(row) > limit:
            return limit + 1
    return row[-1]
