"""An engine of two: one decides on the answers, and a language model puts them into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from voxpop.engines.agents import Agent
from voxpop.engines.basis import MODELLED, Basis
from voxpop.engines.cost import Cost, estimated, together
from voxpop.engines.draws import key
from voxpop.engines.engine import Engine
from voxpop.engines.model_caller import ModelCaller, NotMade
from voxpop.engines.model_prompts import File, Prompt
from voxpop.engines.model_respondent import MOST_PAST_CHARACTERS, USUAL_ANSWER, files_of, newest, plain_notice
from voxpop.engines.model_restater import ModelRestater
from voxpop.engines.model_wording import SCHEMA, Words, earlier_turn, is_settled, settled_words, to_word
from voxpop.engines.model_writer import ModelWriter
from voxpop.engines.persona import WORDING_RULES, persona
from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Reply, Respondent, reads_values, unseen, without_unseen
from voxpop.engines.spent import added

Announced = Callable[[Question, Sequence[Agent]], Iterator[Basis]]


class HybridEngine:
    """Takes value, basis and option order of each answer from one engine, and the words from a model.

    An open question whose answer is neither in the profile nor published is answered by the model, from the
    profile and the earlier answers. Words that contradict the value are requested once more; if they
    contradict it again, those of the first engine stand, and the basis says so. An answer without words is a
    failure, and can be asked again.

    Parameters
    ----------
    values
        The engine that decides on the answers.
    values_name
        Its name in the settings.
    caller
        Calls the model.
    close_values
        Whether closing this engine closes the other one too.
    """

    remote = True

    def __init__(
        self, values: Engine, values_name: str, caller: ModelCaller, *, close_values: bool = True
    ) -> None:
        self.name: str = caller.name
        self._values = values
        self._values_name = values_name
        self._model_name = caller.name.removeprefix(f"{values_name}+")
        self._caller = caller
        self._close_values = close_values
        self.decider: Respondent = values.respondent
        self.reads_values: bool = reads_values(values.respondent)
        self.seen_items: frozenset[str] | None = getattr(values.respondent, "seen_items", None)
        self.reader, self.planner, self.guide = values.reader, values.planner, values.guide
        self.composer = values.composer
        self.batched: bool = caller.batched
        self.writer = None if caller.batched else ModelWriter(caller)
        self.restater = None if caller.batched else ModelRestater(caller, values.composer)
        announces = getattr(values.respondent, "basis", None) is not None
        self.basis: Announced | None = self._announced if announces else None

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
            The interpreted question.
        history : mapping of agent id to sequence of Exchange
            Earlier answers of each agent in the same study, oldest first.
        seed : int
            Seed of the study's questions.

        Raises
        ------
        EngineClosed
            The engine was closed meanwhile.
        """
        files = files_of(question)
        decided = list(self.decider.answer(agents, question, history, seed=seed))
        yield from self._caller.each(
            self._worded(agent, question, said, history.get(agent.id, ()), files, seed)
            for agent, said in zip(agents, decided, strict=True)
        )

    def notice(self, question: Question) -> str | None:
        """Return a caution for users of the answers to a question, if either engine has one."""
        own = self._values.notice(question) if question.shape.coded else None
        return " ".join(one for one in (own, plain_notice(self._caller)) if one) or None

    def estimate(
        self, agents: Sequence[Agent], count: int, question: Question, past: Sequence[Question]
    ) -> Cost:
        """Return the expected cost of a question, which is mostly that of its words."""
        files = files_of(question)
        settled = "." * 10 if question.shape.coded else None
        prompts = [self._prompt(agent, to_word(question, settled), (), files, 0) for agent in agents]
        told = sum(len(to_word(one, None)) + USUAL_ANSWER for one in past)
        words = self._caller.estimate(prompts, count, min(told, MOST_PAST_CHARACTERS))
        return together(estimated(self._values, agents, count, question, past), words)

    def close(self) -> None:
        """Cancel running calls."""
        self._caller.close()
        if self._close_values:
            self._values.close()

    def _announced(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        """Yield what the answers would rest on, one basis per agent."""
        for basis in self._values.basis(question, agents):
            yield self._basis(question, basis)

    def _basis(self, question: Question, basis: Basis) -> Basis:
        if is_settled(question, basis):
            return Basis(basis.kind, f"{basis.note} Worded by {self._model_name}.")
        return Basis(
            MODELLED,
            f"Answered by the language model {self._model_name} from the profile and the earlier answers; "
            "not checked against people.",
        )

    async def _worded(
        self,
        agent: Agent,
        question: Question,
        said: Reply | Failure,
        past: Sequence[Exchange],
        files: tuple[File, ...],
        seed: int,
    ) -> Reply | Failure:
        if isinstance(said, Failure):
            return said
        settled = settled_words(question, said)
        blind = settled is not None and without_unseen(said.text) != said.text
        text = to_word(question, settled, said.option_order)
        salt = key(seed, question.text, self._caller.replicate)
        prompt = self._prompt(
            agent,
            text,
            newest(past, earlier_turn),
            () if blind else files,  # words about a picture that the value does not follow would mislead
            int.from_bytes(key(salt.hex(), agent.uuid)[:4], "big") >> 1,
        )
        words, basis = Words(question, said), self._basis(question, said.basis)
        try:
            given, spent = await self._caller.make(prompt, words.read)
        except NotMade as failure:
            took = added(said.spent, failure.spent)
            if not words.contradicted or failure.code != "invalid_answer":
                told = f"The answer of {self._values_name} could not be put into words: {failure.message}"
                return Failure(agent.id, failure.code, told, took if took.calls else None)
            note = f"{basis.note} {self._replaced()}"
            return replace(said, engine=self.name, spent=took, basis=Basis(basis.kind, note))
        if blind:
            given = f"{given} {unseen(self._values.name)}"
        return replace(said, text=given, engine=self.name, spent=added(said.spent, spent), basis=basis)

    def _replaced(self) -> str:
        return f"Its words contradicted the answer twice and were replaced by those of {self._values_name}."

    def _prompt(
        self,
        agent: Agent,
        text: str,
        past: tuple[tuple[str, str], ...],
        files: tuple[File, ...],
        seed: int,
    ) -> Prompt:
        return Prompt(
            instructions=WORDING_RULES,
            profile=persona(agent),
            past=past,
            text=text,
            schema=SCHEMA,
            files=files,
            seed=seed,
            about=agent.uuid,
        )
