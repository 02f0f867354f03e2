"""The purpose of a study in an audience text: what it is about, which describes no people."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STUDY = (
    r"(?:study|studies|tests?|testing|surveys?|research|projects?|interviews?|idis?|panels?|focus "
    r"groups?|launch|"
    r"campaigns?|concepts?|pilot|trials?|workshops?|evaluation|poll|questionnaire|diary|paper|thesis|dissertation|"
    r"discussion|briefing|report|feedback|refresh|prototypes?|validation|pre-?tests?|positioning|"
    r"(?:listening|focus|co-creation|ideation) sessions?)"
)
_PEOPLE_AGAIN = (
    r"\b(?:could we|can you|can we|could you|we need|i need|need|looking for|please|in|from|aged?|ages|"
    r"between|over|"
    r"under|who|whom|whose|living|with|without|among|across|near|at|where|excluding|except|\d)\b"
)
"""Words after which a purpose speaks of the people again."""
_TAIL = rf"(?:(?!{_PEOPLE_AGAIN})[^.,;:!?()])*"
_NOT_FOR = (
    r"(?<!look )(?<!care )(?<!cares )(?<!caring )(?<!work )(?<!works )(?<!worked )(?<!working )(?<!pay "
    r")(?<!paid )"
    r"(?<!paying )(?<!responsible )(?<!volunteer )(?<!volunteered )(?<!applied )(?<!apply )(?<!applying "
    r")(?<!passion )(?<!waiting )(?<!wait )(?<!looking )(?<!ask )(?<!asked )(?<!asking )(?<!prepare "
    r")(?<!preparing )(?<!trained )"
    r"(?<!training )(?<!known )(?<!need )(?<!needs )"
)
_WHAT_FOR = re.compile(
    rf"{_NOT_FOR}\b(?:not )?(?:for|as part of) (?:(?:an?|our|the|my|this|some|upcoming|new)\s+)?"
    r"(?:(?!(?:who|that|which|and|or|with|in|on|from|to|at|by|took|take|is|are|do|does|have|has|a|an|the|their)\b)"
    rf"[\w'&-]+\s+){{0,6}}?{_STUDY}\b(?=\s*(?:$|[.,;:!?()—–-]|(?:of|on|about|into|regarding|for|in|with|among|at|where"
    rf"|could|can|we|this|next)\b)){_TAIL}",
    re.I,
)
_PURPOSE = re.compile(r"\b(?:purpose|objective|goal|aim|topic|use case|study)\s*:[^.,;!?]*", re.I)
_RUNNING = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:we|i|our (?:team|company|client))(?:'re| are|'m| am| is)? (?:currently "
    r")?(?:running|"
    r"conducting|doing|planning|testing|launching|developing|building|designing|working on|studying|"
    r"researching|"
    r"exploring|evaluating|preparing|redesigning|writing|run|conduct|sell|make)\b[^.!?]*[.!?]",
    re.I,
)
_SO_THAT = re.compile(
    r"\b(?:to (?:test|evaluate|react to|respond to|comment on|discuss|review|try out|give (?:us )?feedback|"
    r"learn about|understand|"
    r"explore|help us|"
    r"share (?:their )?(?:views|feedback|opinions|thoughts)|tell us|talk about|find out|ask (?:them "
    r")?about)|so "
    rf"(?:that )?we can|in order to)\b{_TAIL}",
    re.I,
)
_ABOUT = re.compile(
    rf"^\W*(?:survey|interview|talk|speak|ask|poll|hear)\b[^.;!?]*?(\s(?:about|regarding|on the topic "
    rf"of)\s{_TAIL})",
    re.I,
)
_INTRODUCED = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:we|i|our (?:team|company|client))(?:'re| are|'m| am| is) (?:an?|"
    r"the)\b[^.!?]*[.!?](?=\s+\S)",
    re.I,
)
"""A sentence on who is asking ("We are a small charity.")."""
_KINDS_OF_TEST = (
    r"(?:concept|message|messaging|ad|advert|advertising|copy|usability|ux|taste|product|price|pricing|pack|packaging|"
    r"prototype|beta|pilot|a/b|creative|logo|name|naming|home[- ]use|sensory|claims?|storyboard|"
    r"landing page|app|website|"
    r"in-home|in-market|label|campaign|comms|tagline|flavou?r|shelf|feature)"
)
_STUDIED = (
    rf"(?:{_KINDS_OF_TEST}[\w/ -]*? (?:tests?|testing)|concepts?|pre-?tests?|feedback|positioning|"
    rf"messaging|prototypes?|"
    r"ideas?|usability|ideation|brainstorm\w*|reactions?|stud(?:y|ies)|research|surveys?|perceptions?|"
    r"tracker|pain points|"
    r"(?:listening|focus|feedback|co-creation|discussion|ideation|design) sessions?|evaluation|"
    r"exploration|interviews?|"
    r"focus groups?|roundtables?|workshops?|segmentation|journey mapping|needs assessment|home[- ]use trial)"
)
_NO_TOPIC = (
    r"(?:with|without|no|not|never|on|in|at|taking|take|who|that|had|have|has|having|using|use|uses|prior|recent|recently|"
    r"from|previous|past|positive|failed|did|done|is|are|be|been|do|does|work|works|working|under|over|between|aged?|and|or|but)"
)
_TOPIC = re.compile(
    rf"^\s*(?:an?\s+|our\s+|the\s+)?(?:(?!{_NO_TOPIC}\b)[\w'’&/-]+\s+){{0,6}}?{_STUDIED}"
    r"(?:\s+(?:of|on|about|for|to|re|around|regarding|into)\b[^.;!?]*)?\s*$",
    re.I,
)
_LOOKING = re.compile(
    r"^\s*(?:looking (?:at|into)|want(?:ing)?|need(?:ing)?|seeking|after|interested in|exploring|"
    r"gauging|measuring|"
    r"assessing|testing|studying|evaluating|to (?:test|explore|gauge|learn|understand|react|get))\s+"
    r"(?:(?:their|some|quick|honest|early|initial) )*"
    r"(?:(?:reactions?|feedback|input|thoughts|opinions?|views|insights?|attitudes|perceptions?)\b[^.;!?]*|"
    r"[^.;!?,]*\b(?:pain points|unmet needs|barriers|drivers|attitudes|perceptions|reactions|feedback|"
    r"habits|behaviou?rs?|"
    r"experiences?|preferences|concepts?|ideas?|messages|messaging))\s*$",
    re.I,
)
_CLAUSES = re.compile(r"[^.,;:!?()–—•]+(?:\.(?=\w)[^.,;:!?()–—•]+)*")


def purposes(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the places of a text that say what the study is about, from a place on.

    Examples
    --------
    >>> text = "nurses in Texas, for a usability test of a scale"
    >>> [text[first:last].strip() for first, last in purposes(text, 0)]
    ['for a usability test of a scale']
    """
    for pattern in (_RUNNING, _INTRODUCED, _PURPOSE, _WHAT_FOR, _SO_THAT):
        for found in pattern.finditer(text[start:]):
            begin, end = start + found.start(), start + found.end()
            yield begin, end
    yield from (found.span(1) for found in _ABOUT.finditer(text))


def topics(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield clauses that name a study without "for"; they are purposes unless they name people.

    Examples
    --------
    >>> text = "nurses in Texas, 30-50, ad concept test"
    >>> [text[first:last] for first, last in topics(text, 0)]
    [' ad concept test']
    """
    for clause in _CLAUSES.finditer(text, start):
        first = not text[start : clause.start()].strip()
        for part in re.finditer(r"(?:(?!\s[-–]\s).)+", clause[0]):
            begin, end = clause.start() + part.start(), clause.start() + part.end()
            if first and not text[start:begin].strip():
                continue
            if _TOPIC.match(part[0]) or (
                _LOOKING.match(part[0]) and not text[start:begin].rstrip().endswith(",")
            ):
                yield begin, end


def without_study(text: str) -> str:
    """Return a text without the sentences on the study."""
    return _INTRODUCED.sub("", _RUNNING.sub("", text))


def blanked_studies(text: str) -> str:
    """Return a text with the sentences on the study as spaces, at the same length."""
    for pattern in (_RUNNING, _INTRODUCED):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text
