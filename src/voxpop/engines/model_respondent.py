"""The respondent that answers as each agent's persona with a language model, and validates the answers."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.basis import MODELLED, Basis
from voxpop.engines.cost import Cost
from voxpop.engines.draws import key
from voxpop.engines.model_abilities import PLAIN
from voxpop.engines.model_answers import DONT_KNOW_WORDS, asked, given, read_answer, schema_of
from voxpop.engines.model_caller import ModelCaller, NotMade
from voxpop.engines.model_probabilities import Ballot, Weighing, ballot_of, by_letter, spoken_turn
from voxpop.engines.model_prompts import File, Prompt
from voxpop.engines.option_order import shown_order
from voxpop.engines.persona import LETTER_RULES, RULES, persona
from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Reply

MOST_PAST = 30
"""Maximum number of earlier answers of an agent in the prompt; the newest are kept."""

MOST_PAST_CHARACTERS = 30_000
"""Maximum number of characters of these earlier questions and answers."""

USUAL_ANSWER = 200
"""Usual number of characters of an answer."""

_PAGE = re.compile(rb"/Type\s*/Page\b")
_MOST_UNPACKED = 4_000_000
_MOST_PAGES = 100
_SHORTEST_PAGE = 500  # bytes


class ModelRespondent:
    """Answers for agents with a language model, with concurrent calls.

    Parameters
    ----------
    caller
        Calls the model.
    """

    def __init__(self, caller: ModelCaller) -> None:
        self.name: str = caller.name
        self._caller = caller
        told = f"Answered by the language model {self.name}; not checked against people."
        self._basis = Basis(MODELLED, told)
        self._weighing = Weighing(caller.name) if caller.weighs else None

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        """Yield what the answers would rest on, one basis per agent."""
        return repeat(self._basis, len(agents))

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply or failure per agent, in the given order.

        Parameters
        ----------
        agents : sequence of Agent
            The agents to ask.
        question : Question
            The interpreted question; its attachments are read once.
        history : mapping of agent id to sequence of Exchange
            Earlier answers of each agent in the same study, oldest first.
        seed : int
            Seed of the study's questions; combined with the agent and the question to seed the model.

        Raises
        ------
        EngineClosed
            The engine was closed meanwhile.
        """
        files = files_of(question)
        schema = schema_of(question)
        yield from self._caller.each(
            self._reply(agent, question, history.get(agent.id, ()), files, schema, seed) for agent in agents
        )

    def notice(self, question: Question) -> str | None:
        """Return a caution if the model at its server is held to the form of its answers by words alone."""
        told = plain_notice(self._caller)
        if self._weighing is not None and self._weighing.gives is False and ballot_of(question, None):
            told = " ".join(one for one in (told, self._weighing.told()) if one)
        return told

    def estimate(
        self, agents: Sequence[Agent], count: int, question: Question, past: Sequence[Question]
    ) -> Cost:
        """Return the expected cost of a question; see :func:`voxpop.engines.cost.estimated`."""
        files = files_of(question)
        schema = schema_of(question)
        ballot = ballot_of(question, None) if self._weighing and self._weighing.gives is not False else None
        rules, text = (
            (RULES, asked(question)) if ballot is None else (LETTER_RULES, by_letter(question, ballot))
        )
        prompts = [
            Prompt(rules, (), text, schema, profile=persona(agent), files=files, weighs=ballot is not None)
            for agent in agents
        ]
        told = sum(len(asked(one)) + USUAL_ANSWER for one in past[-MOST_PAST:])
        return self._caller.estimate(prompts, count, min(told, MOST_PAST_CHARACTERS))

    async def _reply(
        self,
        agent: Agent,
        question: Question,
        past: Sequence[Exchange],
        files: tuple[File, ...],
        schema: Mapping[str, Any],
        seed: int,
    ) -> Reply | Failure:
        salt, uuid = key(seed, question.text, self._caller.replicate), agent.uuid.encode()
        order = shown_order(question, uuid, salt)
        prompt = Prompt(
            instructions=RULES,
            profile=persona(agent),
            past=newest(past, _turn),
            text=asked(question, order),
            schema=schema,
            files=files,
            seed=int.from_bytes(key(salt.hex(), agent.uuid)[:4], "big") >> 1,
            about=agent.uuid,
        )
        ballot = ballot_of(question, order, salt, uuid) if self._weighing is not None else None
        if self._weighing is None or ballot is None:
            return await self._usual(agent, question, prompt, order)
        letters = replace(
            prompt,
            instructions=LETTER_RULES,
            past=newest(past, spoken_turn),
            text=by_letter(question, ballot),
            most_tokens=1,
            weighs=True,
        )
        said = await self._weighing.reply(
            lambda: self._weighed(agent, question, letters, ballot, (salt, uuid)),
            lambda: self._usual(agent, question, prompt, order),
        )
        if isinstance(said, Failure):
            return said
        return replace(said, option_order=order, basis=self._noted())

    async def _usual(
        self, agent: Agent, question: Question, prompt: Prompt, order: tuple[int, ...] | None
    ) -> Reply | Failure:
        try:
            (text, value), spent = await self._caller.make(prompt, lambda data: read_answer(question, data))
        except NotMade as failure:
            return _not_made(agent, failure)
        return Reply(agent.id, text, value, order, self.name, spent, self._basis)

    async def _weighed(
        self, agent: Agent, question: Question, prompt: Prompt, ballot: Ballot, draw: tuple[bytes, bytes]
    ) -> Reply | Failure:
        try:
            found, spent = await self._caller.make(prompt, ballot.read)
        except NotMade as failure:
            return _not_made(agent, failure)
        value = ballot.drawn(found["shares"], *draw)
        text = DONT_KNOW_WORDS if value is None else question.shape.spoken(value)
        return Reply(agent.id, text, value, None, self.name, replace(spent, probabilities=found), self._basis)

    def _noted(self) -> Basis:
        """Return the basis of a reply, with what is known of the server's probabilities."""
        if self._weighing is None or self._weighing.gives is None:
            return self._basis
        told = "Drawn from its token probabilities." if self._weighing.gives else self._weighing.told()
        return Basis(self._basis.kind, f"{self._basis.note} {told}")


def _not_made(agent: Agent, failure: NotMade) -> Failure:
    return Failure(agent.id, failure.code, failure.message, failure.spent if failure.spent.calls else None)


def plain_notice(caller: ModelCaller) -> str | None:
    """Return a caution if a model at its server is held to the form of its answers by words alone."""
    if caller.trial.abilities.form != PLAIN:
        return None
    return (
        f"The server of {caller.name} takes no schema: its answers are held to their form by words alone, "
        "and some agents may fail to answer."
    )


def files_of(question: Question) -> tuple[File, ...]:
    """Read the attachments of a question."""
    return tuple(_file(one.read(), one.mime) for one in question.attachments)


def newest(
    past: Sequence[Exchange], turn: Callable[[Exchange], tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Return the newest earlier turns that fit the length limit, oldest first.

    Parameters
    ----------
    past
        Earlier answers, oldest first.
    turn
        Returns prompt and response of an earlier answer.
    """
    turns: list[tuple[str, str]] = []
    left = MOST_PAST_CHARACTERS
    for exchange in reversed(past[-MOST_PAST:]):
        told = turn(exchange)
        left -= sum(map(len, told))
        if left < 0:
            break
        turns.append(told)
    return tuple(reversed(turns))


def _turn(exchange: Exchange) -> tuple[str, str]:
    return asked(exchange.question), given(exchange.question, exchange.text, exchange.value)


def _file(data: bytes, mime: str) -> File:
    pages = _pages(data) if mime == "application/pdf" else 1
    return File(data, mime, hashlib.sha256(data).hexdigest(), pages)


def _pages(document: bytes) -> int:
    """Return the page count of a PDF; if it cannot be read, an upper bound within the provider's limit."""
    found = len(_PAGE.findall(document))
    for packed in _packed(document):
        try:
            found += len(_PAGE.findall(zlib.decompressobj().decompress(packed, _MOST_UNPACKED)))
        except zlib.error:  # compressed with another method, or encrypted
            continue
    return found or min(_MOST_PAGES, 1 + len(document) // _SHORTEST_PAGE)


def _packed(document: bytes) -> Iterator[bytes]:
    """Yield the object streams of a PDF."""
    end = 0
    while (start := document.find(b"/ObjStm", end)) >= 0:
        begin = document.find(b"stream", start)
        end = document.find(b"endstream", begin)
        if begin < 0 or end < 0:
            return
        yield document[begin + len(b"stream") : end].lstrip(b"\r\n")
