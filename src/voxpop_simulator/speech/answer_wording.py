"""Wording of answers: open answers in the first person, and coded answers as spoken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.option_order import ESCAPE, NONE, OTHER
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER, NUMBER, RANKING
from voxpop_simulator.questions.context import in_context
from voxpop_simulator.questions.follow_ups import offer_in, points_back
from voxpop_simulator.questions.forms import STORIES
from voxpop_simulator.questions.offers import Offer, offer_read
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject, asked, in_terms_of, names_nothing
from voxpop_simulator.questions.subjects import FAMILIES, HEALTHY_TOPICS
from voxpop_simulator.questions.things import ANYTHING, MATTER, UNKNOWN
from voxpop_simulator.questions.understanding import understood
from voxpop_simulator.speech import phrases
from voxpop_simulator.speech.grammar import Dice, say
from voxpop_simulator.speech.grounding import detail, lacks
from voxpop_simulator.speech.offered import REACTIONS, named_once, naming, points_of, reaction_to
from voxpop_simulator.speech.outline import (
    Shell,
    Slot,
    lacking_outline,
    lacking_shells,
    outline_of,
    side_of,
)
from voxpop_simulator.speech.tales import Narrator
from voxpop_simulator.speech.telling import (
    NOT_WORKING,
    RARE,
    capital,
    cased,
    ended,
    from_memory,
    short,
    small,
    told,
)
from voxpop_simulator.speech.texts import topics
from voxpop_simulator.stances.amounts import amount_of, spoken
from voxpop_simulator.stances.stance import AnswerPlan, plan_of

_WHY = Pattern(
    r"^(?:and |but |so )?(?:why|how come|what (?:makes|made) you (?:say|think|choose|pick|feel)"
    r"|what (?:is|are|was|were) (?:the|your) (?:main )?reasons?"
    r"|(?:please |can you |could you )?(?:please )?(?:explain|elaborate)|tell (?:us|me) why|what (?:led"
    r"|brought) you)",
    re.I,
)


def asks_why(text: str) -> bool:
    """Return whether a question asks for the reason of an earlier answer.

    Examples
    --------
    >>> asks_why("Why?"), asks_why("What would make you switch?")
    (True, False)
    """
    return bool(_WHY.match(text.strip()))


_LED = Pattern(
    r"(?:honest|frank|personal|to be|well\b|hm|oh\b|tbh|if i'm|in all|for what|i'd say|not gonna|truth"
    r"|no,|yes,)",
    re.I,
)
"""Starts of answers that need no opening word."""
_TRAILING = Pattern(
    r"\b(?:I (?:guess|suppose|think|figure|know|mean|hope|believe)|I'd say|though|mostly|mainly|really"
    r"|probably|maybe|perhaps|honestly|honest|anyway|at least|sometimes|either|too|of course|all|it|me|myself"
    r"|simple as that|either way|not|please|thanks|thank you|sorry|now|yet|so)\W*$",
    re.I,
)
"""Ends of answers whose last sentence takes no addition."""
_LONGEST = 45
_MORE_FIRST = ("more", "led", "more", "trailed")
_ORDERS = (
    *(4 * (_MORE_FIRST,)),
    ("led", "more", "trailed", "more"),
    ("trailed", "more", "led", "more"),
)
"""Additions to an answer that many agents might give, in order of use; mostly one more sentence."""
_OWN_WORDS = 4_000_000
"""Number of possible wordings below which an answer gets an additional word or two."""
_MOST = 3  # maximum number of sentences, or pairs of them
_WHOLE = ("t", "good", "bad", "h", "d", "o", "n", "u", "e")  # slots that hold whole sentences


class Writer:
    """Fills the slots of one answer without repeating a line."""

    __slots__ = (
        "closed",
        "dice",
        "families",
        "found",
        "narrator",
        "offer",
        "outline",
        "points",
        "side",
        "used",
    )

    def __init__(
        self, narrator: Narrator, found: AskedSubject, side: int, offer: Offer | None = None
    ) -> None:
        self.narrator, self.dice, self.found, self.offer = narrator, narrator.dice, found, offer
        self.families = found.families
        self.outline, self.side = outline_of(found, offer), side
        self.points = points_of(offer, narrator.agent.uuid.encode()) if offer is not None else {}
        self.used: set[int] = set()
        self.closed = False

    def take(self, slot: str) -> str:
        """Return a wording for a slot such as ``r``; ``w`` is two or three things, ``l`` the agent's life."""
        if slot == "l":
            topic = self.found.topic
            if not self.families:
                return ""
            return detail(self.narrator, topic, self.families, topic in HEALTHY_TOPICS, self.used)
        if self.offer is not None and self.points.get(slot):
            left = [point for point in self.points[slot] if id(point) not in self.used]
            point = one_of(self.dice, left) if left else ""
            self.used.add(id(point))
            return naming(point, self.offer) if point else ""
        bank = self.outline.banks[slot][self.side]
        first = self.narrator.tell(bank, self.used)
        if slot != "w" or not first:
            return ended(first) if slot in _WHOLE else first
        things = [first, *(self.narrator.tell(bank, self.used) for _ in range(1 + self.dice.below(2)))]
        things = [each for each in things if each]
        if any("," in each or " and " in each for each in things):
            return ", ".join(things)
        return listed(things)

    def write(self, shell: Shell) -> str:
        """Return a shell with its slots filled, as whole sentences; "" if a slot has no line."""
        said = []
        for part in shell.parts:
            if isinstance(part, Slot):
                self.closed = self.closed or part.bank == "y"
                text = self.take(part.bank)
                if not text:
                    return ""
                said.append(capital(text) if part.capital else small(text))
            else:
                said.append(say(part, self.narrator))
        text = ended(cased("".join(said)))
        return text if self.offer is None else named_once(text, self.offer)

    def more(self) -> str:
        """Return one more sentence: another one on the topic, or one about the agent's life."""
        return self.one_of(self.outline.more[self.side])

    def apart(self, text: str) -> list[str]:
        """Return a more individual answer: common ones get a word or two, or one more sentence."""
        if self.found.form == "words":
            return [text]
        said = [text]
        for way in _ORDERS[self.dice.below(len(_ORDERS))]:
            if self.dice.ways >= _OWN_WORDS or self.closed or len(said) == _MOST:
                break
            if way == "more" and self.dice.ways >= RARE:
                continue
            if way == "led":
                said[0] = self.led(said[0])
            elif way == "trailed":
                said[-1] = self.trailed(said[-1])
            else:
                said.append(self.more())
        return said

    def led(self, text: str) -> str:
        """Return an answer with an opening word, unless it has one or is a question."""
        return text if _LED.match(text) or text.endswith("?") else f"{self.take('i')}, {small(text)}"

    def trailed(self, text: str) -> str:
        """Return an answer with a closing word or two, unless it has some or is a question."""
        if not text.endswith(".") or _TRAILING.search(text):
            return text
        return f"{text[:-1]}, {self.take('z')}."

    def sentences(self) -> str:
        """Return one answer from the first shell that can be filled, tried in the agent's own order.

        If no line on the agent's side is true of it, those of the other sides are tried.
        """
        for side in (self.side, *(each for each in (2, 0, 1) if each != self.side)):
            self.side = side
            if text := self.one_of(self.outline.shells[side]) or ended(self.take("t")):
                return text
        return ""

    def one_of(self, shells: Sequence[Shell]) -> str:
        """Return one of these shells, filled; a shell without matching lines is tried once."""
        start = self.dice.below(len(shells))
        empty: set[int] = set()
        for step in range(len(shells)):
            shell = shells[(start + step) % len(shells)]
            if id(shell) in empty:
                continue
            used = self.used.copy()
            text = self.write(shell)
            if text and text.count(" ") < _LONGEST:
                self.dice.ways //= shell.times
                return text
            if not text:
                empty.add(id(shell))
            self.used = used
        return ""


def open_answer(
    plan: AnswerPlan,
    agent: Agent,
    stance: float,
    block: tuple[int, ...],
    found: AskedSubject,
    *,
    first: bool = True,
    unheard: bool = False,
    named: tuple[Question, Any] | None = None,
    offer: Offer | None = None,
) -> str:
    """Return one to four sentences that follow from the stance and the profile.

    Parameters
    ----------
    plan, found
        The question, and its interpretation by :func:`asked_for`.
    agent, stance, block
        The agent, its stance, and its random draws.
    first
        Whether the agent was asked no question before in this study.
    unheard
        Whether the agent has said that it has not heard of the subject.
    named
        The last question that the agent answered with an amount, with that amount.
    offer
        The offer that the answer is a reaction to.
    """
    if unheard and offer is None:
        name = found.name or found.subject or "it"
        found = replace(found, form="think", topic=UNKNOWN, families=(), name=name, kind=found.kind or "buy")
    narrator = Narrator(agent, Dice(block, 24))
    if found.form in STORIES:
        return told(found, agent, stance, narrator)
    side = side_of(found, stance, plan.frame.axis, plan.topics, plan.frame.name in _GLAD)
    if found.topic == "job" and agent.labour_status in NOT_WORKING and found.form not in ("would", "wants"):
        return from_memory(found, agent, narrator, side)
    writer = Writer(narrator, found, side, offer)
    missing = lacks(found, narrator) if offer is None else None
    unsaid = found.form != "reply" and first and asks_why(plan.sentence) and names_nothing(found)
    if missing is None and unsaid:
        missing = "subject"
    if missing == "subject":
        writer.families = found.families or ("any",)
        said = [writer.one_of(lacking_shells(missing))]
    elif missing:
        writer.outline = lacking_outline(writer.outline)
        said = writer.apart(writer.one_of(lacking_shells(missing)))
    else:
        said = writer.apart(writer.sentences())
    if named is not None and found.form in ("would", "think", "wants") and not writer.dice.below(8):
        price = spoken(amount_of(named[0]), named[1])
        said.append(_PRICE[writer.dice.below(len(_PRICE))].format(price))
    return short([text for text in said if text])


def lacking(plan: AnswerPlan, agent: Agent, block: tuple[int, ...]) -> str | None:
    """Return the words for not having a thing, if the question asks for its age; otherwise None."""
    if plan.question.shape is not NUMBER or plan.question.unit != "years":
        return None
    found = asked(plan.sentence, False)
    narrator = Narrator(agent, Dice(block, 24))
    missing = lacks(found, narrator)
    return None if missing is None else Writer(narrator, found, 2).one_of(lacking_shells(missing))


def described(plan: AnswerPlan, agent: Agent, said: str, block: tuple[int, ...]) -> str:
    """Return the agent's words on its profile, with more from the bank of such questions, if any."""
    found = asked_for(plan)
    if not found.topic.endswith(_DESCRIBED):
        return said
    return short(Writer(Narrator(agent, Dice(block, 24)), found, 2).apart(said))


_DESCRIBED = (" think", " habit")
"""Name endings of banks on personal states or habits."""


def asked_for(plan: AnswerPlan, past: Sequence[Question] = ()) -> AskedSubject:
    """Return the interpretation of a question, with its own bank if its form and topic have one.

    A question without a subject takes the subject of an earlier question in ``past``, if any.
    """
    found = asked(plan.sentence, plan.sign < 0)
    if (offer := offer_reacted_to(plan)) is not None:
        return reaction_to(found, offer)
    if names_nothing(found) and (past or found.form in _ALONE) and not offer_in(plan.question.text):
        found = _about(found, past)
        found = _alone(found) if found.topic in (UNKNOWN, MATTER, ANYTHING) else found
    else:
        found = understood(plan.question.text, plan.sentence, plan.sign < 0)
    own = _own(found)
    if names_nothing(found) and not own:
        return _alone(found)
    return replace(found, form="reply", topic=own) if own else found


def offer_reacted_to(plan: AnswerPlan) -> Offer | None:
    """Return the offer that an open question asks to react to, or None."""
    form = asked(plan.sentence, plan.sign < 0).form
    return offer_read(plan.question.text) if form in REACTIONS else None


def _own(found: AskedSubject) -> str:
    """Return the bank for a form of a topic; "" if there is none or for an unknown name."""
    own = f"{found.topic} {found.form}"
    return "" if (found.topic == UNKNOWN and found.name) or own not in topics() else own


def _about(found: AskedSubject, past: Sequence[Question]) -> AskedSubject:
    """Return a question without a subject as one on an earlier subject: with the same words, or the last."""
    referred = _referred(found, past)
    return found if referred is None else in_terms_of(found, _understood_before(referred))


def referent(plan: AnswerPlan, past: Sequence[Question]) -> Question | None:
    """Return the earlier question that supplies the subject, or None if the question has its own."""
    found = asked(plan.sentence, plan.sign < 0)
    return _referred(found, past) if names_nothing(found) and not offer_in(plan.question.text) else None


def _referred(found: AskedSubject, past: Sequence[Question]) -> Question | None:
    words = set(re.findall(r"[a-z]{4,}", found.source.lower())) - _COMMON
    named = [one for one in past if offer_in(one.text) or not points_back(one)]
    telling = [
        (len(words & set(re.findall(r"[a-z]{4,}", earlier.source.lower()))), at, one)
        for at, one in enumerate(named or past)
        if not names_nothing(earlier := _understood_before(one))
    ]
    return max(telling, key=lambda each: each[:2])[2] if telling else None


def _understood_before(question: Question) -> AskedSubject:
    before = plan_of(question)
    found, offer = asked(before.sentence, before.sign < 0), offer_in(question.text)
    return in_context(found, offer) if offer else found


def _alone(found: AskedSubject) -> AskedSubject:
    """Return a question without a subject or predecessor, with its own bank if there is one."""
    bank = _ALONE.get(found.form)
    return replace(found, form="reply", topic=bank, families=FAMILIES.get(bank, ())) if bank else found


_ALONE = {
    "more": "nothing more",
    "fix": "other feedback",
    "stops": "would_stop",
    "instead": "use_instead",
}
_COMMON = frozenset(
    ("what", "would", "make", "made", "could", "your", "that", "this", "about", "there", "anything", "else")
)
_GLAD = ("satisfaction", "liking", "recommend", "trust")


_PRICE = (
    "I said {}, and that's about my limit.",
    "I put down {}, so it has to stay near that.",
    "Like I said, {} is what I'd pay.",
    "Around {} is where I'd stop.",
    "At {} I'd feel fine about it.",
    "Much over {} and I'd put it back.",
    "For {} I'd expect it to be good.",
    "My number was {}, and I meant it.",
)


def one_of(dice: Dice, bank: Sequence[str]) -> str:
    """Return one of these phrases."""
    return bank[dice.below(len(bank))]


def listed(options: Sequence[str]) -> str:
    """Return options as a spoken list.

    Examples
    --------
    >>> listed(["TV", "radio"]), listed(["TV", "radio", "print"])
    ('TV and radio', 'TV, radio and print')
    """
    if len(options) < 2:
        return "".join(options)
    return f"{', '.join(options[:-1])} and {options[-1]}"


def spoken_answer(question: Question, value: Any, strength: float, block: tuple[int, ...]) -> str:
    """Return the spoken form of a coded answer; None is a "don't know"."""
    dice = Dice(block, 16)
    if value is None:
        return one_of(dice, phrases.UNSURE)
    if question.shape is BOOLEAN:
        if value:
            return one_of(dice, phrases.YES_STRONG if strength > 1.1 else phrases.YES)
        return one_of(dice, phrases.NO_STRONG if strength > 1.1 else phrases.NO)
    if question.shape is INTEGER:
        return one_of(dice, phrases.RATED).format(value)
    if question.shape is NUMBER:
        return capital(one_of(dice, phrases.GUESSED).format(spoken(amount_of(question), value)))
    if isinstance(value, list):
        if question.shape is RANKING:
            return capital(one_of(dice, phrases.RANKED).format(value[0], listed(value[1:])))
        alone = len(value) == 1 and len(value[0].split()) > 2
        return (
            (f"{value[0]}." if alone else one_of(dice, phrases.SEVERAL).format(listed(value)))
            if value
            else "None."
        )
    clause = len(value.split()) > 3 or ESCAPE.match(value) or NONE.match(value) or OTHER.match(value)
    return capital(one_of(dice, phrases.CHOSEN_CLAUSE if clause else phrases.CHOSEN).format(value))
