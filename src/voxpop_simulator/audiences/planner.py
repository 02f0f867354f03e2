"""The embedded planner: rule-based interpretation of audience texts, without a language model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from voxpop.engines.audience import AudiencePlan, Clarification, Refusal, Screen
from voxpop.vocabulary import FIELDS, AnyOf, Between, Filter
from voxpop.vocabulary.conditions import HowMany
from voxpop.vocabulary.places import CANADIAN_PROVINCES, US_STATES
from voxpop_simulator.audiences import refusals as refusals
from voxpop_simulator.audiences.audience_health import OTHER_ILLNESSES
from voxpop_simulator.audiences.audience_places import ALL_OF, AMERICAN_WORDS, ANYWHERE
from voxpop_simulator.audiences.audience_text import Reader, Reading
from voxpop_simulator.audiences.framing import ungreeted
from voxpop_simulator.audiences.harm import harmful
from voxpop_simulator.audiences.held import lost
from voxpop_simulator.audiences.languages import other_language
from voxpop_simulator.audiences.mentions import Mention, Sense
from voxpop_simulator.audiences.merging import Merged, merge
from voxpop_simulator.audiences.nearest_phrases import choices
from voxpop_simulator.audiences.occupation_names import fold_phrase
from voxpop_simulator.audiences.plan_state import PlanState
from voxpop_simulator.audiences.settling import (
    LEAVE_OUT,
    LEFT_OUT,
    settle_fields,
    settle_logic,
    settle_spelling,
)
from voxpop_simulator.audiences.text_quotas import Cells, cells_of
from voxpop_simulator.audiences.understood import account, quota_words, replaced, words_of

_ILL_FIELDS = ("health_conditions", "health_drug_classes", "phq9_severity", "phq9_score")
_EVERYBODY = re.compile(
    r"\b(?:people|adults?|anyone|everyone|everybody|persons?|individuals|consumers|population|residents)\b",
    re.I,
)
_ANYWHERE = re.compile(r"\b(?:anywhere|worldwide|globally|everywhere|(?:any|all) countr(?:y|ies))\b", re.I)
_RECORDED_IN = ("USA",)
"""Where every agent has health data; elsewhere, an exclusion says so of the agents it keeps."""
_UNREAD = {"audience", "language"}
_WESTERN = frozenset(("AK", "CA", "HI", "ID", "MT", "NV", "OR", "WY"))


class EmbeddedPlanner:
    """Interprets audience texts by rules over the filter vocabulary; deterministic.

    Examples
    --------
    >>> plan = EmbeddedPlanner().plan("women in Texas over 65", labels={}, titles={})
    >>> plan.filters
    vp.where(country="USA", state="TX", age=vp.between(66), gender="female")
    """

    name = "embedded-1"

    def __init__(self) -> None:
        self._reader: tuple[object, object, Reader] | None = None

    def plan(
        self,
        text: str,
        *,
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> AudiencePlan:
        """Return the plan for a text; see :class:`~voxpop.engines.audience.Planner`."""
        for said in (text, *(answer for _, answer in answers)):
            if (unread := refusals.too_long(said)) is not None:
                return _refuse(unread)
        written, text = text, " ".join(text.split())
        reader = self._reader_of(labels, titles)
        state = PlanState(reader.read(text))
        state.original, state.origins = written, tuple(range(len(text.split())))
        state.anywhere = _ANYWHERE.search(text) is not None
        refusal = harmful(text) or refusals.no_audience(ungreeted(text)) or _refused(state.reading)
        if refusal is not None:
            return _refuse(refusal)
        _find_quotas(state, reader)
        for _, answer in answers:
            state.refusal = harmful(answer)
            if state.refusal is None:
                _settle(state, labels, answer, reader)
                _find_quotas(state, reader)
            if state.refusal is not None:
                return _refuse(state.refusal)
        return _planned(state, labels)

    def spotted(
        self, text: str, *, labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]
    ) -> tuple[tuple[tuple[str, str], ...], str | None]:
        """Return the phrases about people in a text that says more, with their fields, and a place abroad.

        Parameters
        ----------
        text : str
            Any text, such as a thesis; words without a known meaning are passed over.
        labels, titles
            As for :meth:`plan`.
        """
        found, abroad = self._reader_of(labels, titles).spotted(" ".join(text.split()))
        return tuple((m.words, name) for m in found for name in (m.fields or ("screening",))), abroad

    def _reader_of(self, labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> Reader:
        jobs = labels.get("occupation", ())
        kept = self._reader
        if kept is None or kept[1] is not titles or (kept[0] is not jobs and kept[0] != jobs):
            kept = (jobs, titles, Reader(labels, titles))
            self._reader = kept
        return kept[2]


def _known(reading: Reading) -> tuple[Mention, ...]:
    """Return the phrases that keep their meaning, and the places that speak of somebody else."""
    governed = tuple(Mention(start, end, "", Sense()) for start, end in reading.governed)
    return (*(m for m in reading.mentions if m.sense.parts or m.sense.person), *governed)


def _refused(reading: Reading) -> Refusal | None:
    known = _known(reading)
    others = [m for m in reading.phrases if "is_parent" in m.fields]
    return refusals.under_age(reading.text, (*known, *others)) or refusals.individuals(
        reading.text, known, reading.phrases
    )


def _refuse(refusal: Refusal) -> AudiencePlan:
    return AudiencePlan(Filter(), (), None, refusal, None, ())


def _planned(state: PlanState, labels: Mapping[str, Sequence[str]]) -> AudiencePlan:
    merged = _merged(state, labels)
    clarification = _clarification(state, merged, labels)
    filters = _filter(state, merged, labels, clarification.missing if clarification else ())
    mentions = state.reading.mentions
    understood = account(state.original, _told(state, merged), state.origins, state.quotas)
    screens = () if clarification and _UNREAD & set(clarification.missing) else _instead(merged, labels)
    return AudiencePlan(
        filters, screens, clarification, None, _sensitive(merged, mentions), understood, quotas=_cells(state)
    )


def _told(state: PlanState, merged: Merged) -> Reading:
    """Return the reading as the plan has it: what it lost is unclear, and a place that is settled is not."""
    gone = _lost(state, merged)
    mentions = tuple(
        replace(m, sense=replace(m.sense, options=())) if m.sense.options and _hinted(state, m) else m
        for m in state.reading.mentions
        if m not in gone
    )
    return replace(state.reading, mentions=mentions, unclear=(*state.reading.unclear, *gone))


def _lost(state: PlanState, merged: Merged) -> tuple[Mention, ...]:
    """Return the phrases that are in no part of the plan, although no question is open about them."""
    open_about = {m.words for m in (*merged.former, *(merged.either or ()))}
    if open_about or merged.conflict is not None:
        return ()
    return lost(state.reading.mentions, _filter(state, merged, {}, ()), merged.screens, state.fixed)


def _instead(merged: Merged, labels: Mapping[str, Sequence[str]]) -> tuple[Screen, ...]:
    return tuple(replace(one, instead=choices(one.criterion, labels)) for one in merged.screens)


def _merged(state: PlanState, labels: Mapping[str, Sequence[str]]) -> Merged:
    merged = merge(state.reading.plain, state.reading.mentions, both=state.both)
    for name, condition in state.fixed.items():
        merged.conditions[name] = condition
    return merged


def _filter(
    state: PlanState, merged: Merged, labels: Mapping[str, Sequence[str]], missing: Sequence[str]
) -> Filter:
    conditions = dict(merged.conditions)
    for name in (*missing, *(merged.conflict[0] if merged.conflict else ())):
        conditions.pop(name, None)
    if merged.either:
        for mention in merged.either:
            for name in mention.fields:
                conditions.pop(name, None)
    ambiguous = [
        m
        for m in state.reading.mentions
        if m.sense.options and m.words not in state.settled and not _hinted(state, m)
    ]
    for mention in ambiguous:
        for name in mention.fields:
            conditions.pop(name, None)
    countries = () if "country" in missing else _countries(state, merged)
    if countries:
        conditions["country"] = AnyOf(countries)
    if countries != _RECORDED_IN:
        for name in merged.recorded - set(conditions):
            conditions[name] = HowMany(0, None)
    return reduce(and_, merged.groups, Filter("all", tuple(conditions.items())))


def _countries(state: PlanState, merged: Merged) -> tuple[str, ...]:
    named = merged.conditions.get("country")
    if isinstance(named, AnyOf):
        return tuple(str(value) for value in named.values if value in FIELDS["country"].levels)
    if state.country:
        return state.country
    if parts := _countries_of_parts(_cells(state)):
        return parts
    if any(m.sense.american for m in state.reading.mentions) or _american(state.reading.text):
        return ("USA",)
    return ()


def _countries_of_parts(cells: Cells) -> tuple[str, ...]:
    """Return the countries of the parts of a quota, if each part has its own."""
    found: list[str] = []
    for part, _ in cells:
        own = [one.values for name, one in part.conditions if name == "country" and isinstance(one, AnyOf)]
        states = [one.values for name, one in part.conditions if name == "state" and isinstance(one, AnyOf)]
        if not own and any(set(codes) <= set(US_STATES) for codes in states):
            own = [("USA",)]
        if not own:
            return ()
        found += [str(value) for values in own for value in values]
    return tuple(dict.fromkeys(found))


def _american(text: str) -> bool:
    letters = re.sub(r"[^\w\s-]", " ", text)
    folded = f" {fold_phrase(letters)} "
    return any(f" {word} " in folded for word in AMERICAN_WORDS)


def _clarification(
    state: PlanState, merged: Merged, labels: Mapping[str, Sequence[str]]
) -> Clarification | None:
    reading = state.reading
    countries = _options_of(labels)
    language = other_language(reading.text)
    if language is not None:
        question = (
            f"The text is in {language}, and embedded-1 reads English only. Who is wanted, in English? (A "
            "language model as the engine reads other languages.)"
        )
        return Clarification(question, ("language",), ())
    if not _anything(state):
        question = "Who should be recruited? Nothing in the text says whom to look for."
        return Clarification(question, ("audience",), ())
    doubt = _doubt(state)
    if doubt is not None:
        return doubt
    unclear = _not_understood(state, labels)
    if unclear is not None:
        return unclear
    if merged.former:
        words = ", ".join(f'"{m.words}"' for m in merged.former)
        question = (
            f"What people used to work as is not recorded. Should {words} be left out, or who is meant?"
        )
        return Clarification(question, ("wording",), (LEAVE_OUT,))
    if merged.conflict is not None:
        return _contradiction(merged.conflict)
    odd = _odd(merged)
    if odd is not None:
        return odd
    if merged.either:
        one, other = (mention.words for mention in merged.either)
        question = f'Should people be both "{one}" and "{other}", or is one of the two meant?'
        return Clarification(question, ("logic",), ("both", f"only {one}", f"only {other}"))
    if reading.abroad is not None and not state.country:
        question = f'No agents are known for "{reading.abroad}". Which country should the people live in?'
        return Clarification(question, ("country",), countries)
    gone = _lost(state, merged)
    if gone:
        words = " and ".join(f'"{mention.words}"' for mention in gone)
        question = f"How {words} goes together with the rest is not understood. What is meant?"
        return Clarification(question, ("wording",), (LEAVE_OUT,))
    if not _countries(state, merged) and not state.anywhere:
        return Clarification(
            "Which country should the people live in?", ("country",), (*countries, "anywhere")
        )
    return None


def _options_of(labels: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(labels.get("country", ())) or FIELDS["country"].levels


def _anything(state: PlanState) -> bool:
    """Return whether the text describes people at all, apart from unknown words."""
    reading = state.reading
    known = [m for m in reading.mentions if m.fields or m.sense.person or m.sense.group is not None]
    known += [m for m in reading.mentions if (m.start, m.end) in reading.governed]
    return bool(known or state.fixed or state.quotas or _EVERYBODY.search(reading.text) or reading.abroad)


def _not_understood(state: PlanState, labels: Mapping[str, Sequence[str]]) -> Clarification | None:
    """Return the question about the phrases that are not understood, or None."""
    words = _unclear_words(state)
    if not words:
        return None
    held_up = _held_up(state)
    if words == held_up:
        asked = next(m.words for m in state.reading.mentions if m.sense.questions)
        question = (
            f'A quota ("{words[0]}") cannot be combined with a screening question ("{asked}"). '
            "Should the quota be left out?"
        )
        return Clarification(question, ("wording",), (LEAVE_OUT,))
    if len(words) > 1:
        told = ", ".join(f'"{one}"' for one in words[:-1]) + f' and "{words[-1]}"'
        question = f"{told} are not understood. Should they be left out, or what is meant?"
        return Clarification(question, ("wording",), ("leave them out",))
    question = f'"{words[0]}" is not understood. Should it be left out, or what is meant?'
    return Clarification(question, ("wording",), (*choices(words[0], labels), LEAVE_OUT))


def _find_quotas(state: PlanState, reader: Reader) -> None:
    """Read the quotas of the text; a group has one set of them, and none if it is screened."""
    state.quotas = {}
    words = quota_words(state.reading)
    screened = any(m.sense.questions for m in state.reading.mentions)
    if (
        len(words) == 1
        and not screened
        and (cells := cells_of(words[0], state.reading, reader.read)) is not None
    ):
        state.quotas[words[0]] = cells


def _held_up(state: PlanState) -> list[str]:
    """Return the words of a quota that is not read because the text also needs a screening."""
    screened = any(m.sense.questions for m in state.reading.mentions)
    return quota_words(state.reading) if screened and not state.quotas else []


def _cells(state: PlanState) -> Cells:
    return next(iter(state.quotas.values()), ())


def _unclear_words(state: PlanState) -> list[str]:
    reading = state.reading
    quotas = [words for words in quota_words(reading) if words not in state.quotas]
    return [*(" ".join(m.words.split()) for m in reading.unclear), *quotas]


def _doubt(state: PlanState) -> Clarification | None:
    for mention in state.reading.mentions:
        options = mention.sense.options
        if (
            options
            and options != ("unknown",)
            and mention.words not in state.settled
            and not _hinted(state, mention)
        ):
            missing = mention.fields[:1] or ("state",)
            if len(options) == 1 and options[0].startswith(ALL_OF):
                question = f'Agents are known by state, not by city: is "{mention.words}" to be {options[0]}?'
                return Clarification(question, missing, options)
            return Clarification(f'What does "{mention.words}" mean here?', missing, options)
    doubt = state.reading.doubt
    if doubt is not None and doubt[0] not in state.settled:
        return Clarification(f'What is meant by "{doubt[0]}"?', ("spelling",), doubt[1])
    return None


def _hinted(state: PlanState, mention: Mention) -> bool:
    """Return whether the rest of the text indicates that Georgia, or Washington, is the state."""
    others = [m for m in state.reading.mentions if m is not mention]
    if mention.words.lower() == "washington":
        return any(_western(m) for m in others)
    if mention.words.lower() != "georgia":
        return False
    american = any(m.sense.american or ("country", AnyOf(("USA",))) in m.sense.parts for m in others)
    return american or "USA" in state.country


def _western(mention: Mention) -> bool:
    """Return whether a phrase is one western state, beside which Washington is a state too."""
    return any(
        name == "state" and isinstance(one, AnyOf) and len(one.values) == 1 and set(one.values) <= _WESTERN
        for name, one in mention.sense.parts
    )


def _contradiction(conflict: tuple[tuple[str, ...], str, str]) -> Clarification:
    fields, one, other = conflict
    label = FIELDS[fields[0]].label.lower()
    if one == other:
        one = f"the rest of the text on {label}"
    question = f'"{one}" and "{other}" do not go together in {label}. Which one is meant?'
    return Clarification(question, fields, (one, other))


def _odd(merged: Merged) -> Clarification | None:
    """Return the question about words that contradict each other across fields."""
    age, status = merged.conditions.get("age"), merged.conditions.get("labour_status")
    if status == AnyOf(("retired",)) and isinstance(age, Between) and age.max is not None and age.max < 40:
        words = (merged.sources.get("labour_status", "retired"), merged.sources.get("age", "the age"))
        question = f'"{words[0]}" and "{words[1]}" do not go together. Which one is meant?'
        return Clarification(question, ("labour_status", "age"), words)
    country, state = merged.conditions.get("country"), merged.conditions.get("state")
    if isinstance(country, AnyOf) and isinstance(state, AnyOf):
        homes = {"USA": US_STATES, "Canada": CANADIAN_PROVINCES}
        if not any(
            str(code) in homes.get(str(value), {}) for value in country.values for code in state.values
        ):
            words = (merged.sources.get("state", "the state"), merged.sources.get("country", "the country"))
            question = f'"{words[0]}" and "{words[1]}" do not go together. Which one is meant?'
            return Clarification(question, ("state", "country"), words)
    return None


def _sensitive(merged: Merged, mentions: Sequence[Mention]) -> str | None:
    """Return the reason for a human review: a health condition combined with an ethnic group."""
    ethnic = next((m.words for m in mentions if "ethnicity" in m.fields), None)
    ill = next((m.words for m in mentions if set(m.fields) & set(_ILL_FIELDS) or _illness(m.words)), None)
    if ethnic is None or ill is None:
        return None
    return (
        f'The audience is defined by a health condition ("{ill}") together with an ethnic group ("{ethnic}").'
    )


def _illness(words: str) -> bool:
    folded = f" {fold_phrase(words)} "
    return any(f" {name} " in folded for name in OTHER_ILLNESSES)


def _open_question(state: PlanState, labels: Mapping[str, Sequence[str]]) -> Clarification | None:
    return _clarification(state, _merged(state, labels), labels)


def _settle(state: PlanState, labels: Mapping[str, Sequence[str]], answer: str, reader: Reader) -> None:
    """Apply an answer to the open clarification."""
    asked = _open_question(state, labels)
    if asked is None:
        return
    reply = reader.read(answer)
    state.refusal = refusals.under_age(reply.text, _known(reply))
    folded = answer.strip().casefold().rstrip(".!")
    if "audience" in asked.missing or "language" in asked.missing:
        words = answer.split()
        state.origins = (None,) * len(words)
        state.refusal = state.refusal or refusals.no_audience(answer) or _refused(reply)
        state.reading = reply
    elif asked.missing == ("logic",):
        settle_logic(state, _merged(state, labels).either, folded)
    elif asked.missing == ("spelling",):
        settle_spelling(state, answer, reader)
    elif asked.missing == ("wording",):
        _settle_wording(state, answer, reader)
        state.refusal = state.refusal or _refused(state.reading)
    elif asked.missing == ("country",) and folded in ANYWHERE:
        state.anywhere, state.reading = True, replace(state.reading, abroad=None)
    else:
        settle_fields(state, asked, answer, reply, reader)


def _settle_wording(state: PlanState, answer: str, reader: Reader) -> None:
    """Replace what was not understood by an answer, or leave it out."""
    said = "" if answer.strip().casefold().rstrip(".!") in LEFT_OUT else answer.strip()
    gone = [(m.start, m.end) for m in state.reading.unclear]
    gone += [
        (frame.start, frame.end)
        for frame in state.reading.frames
        if (words := words_of(state.reading, frame)) in quota_words(state.reading)
        and words not in state.quotas
    ]
    if not gone:
        merged = merge(state.reading.plain, state.reading.mentions, both=state.both)
        gone = [(m.start, m.end) for m in merged.former or _lost(state, merged)]
    text, state.origins = replaced(state.reading.text, state.origins, gone, said)
    state.reading = reader.read(text)
