"""Calls of a language model, bounded: so many at once, so often again, so much money, each text paid once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from voxpop.engines.answer_cache import AnswerCache, fingerprint
from voxpop.engines.budget import Budget, BudgetSpent
from voxpop.engines.model_answers import Misfit, as_object
from voxpop.engines.model_loop import CallLoop
from voxpop.engines.model_pacing import OutOfOrder, Pace, pause
from voxpop.engines.model_wire import ModelWire, Prompt, Said, Trouble
from voxpop.engines.spent import Spent
from voxpop.settings import EngineSettings

T = TypeVar("T")

PATIENCE_S = 480.0
"""How long one text may take with all its tries."""

LONGEST_WAIT_S = 120.0
"""The longest that a provider may ask to wait before a call is given up."""

_LONGEST_BACKOFF_S = 30.0
_LONGEST_REPAIRED = 4_000  # characters of a text that is sent back for repair
_PAGE_TOKENS = 5_000  # of a picture too


class NotMade(Exception):
    """A text that the model did not make; ``spent`` is what trying took."""

    def __init__(self, code: str, message: str, spent: Spent) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.spent = spent


@dataclass(slots=True)
class _Tally:
    """A text that is being made: in which round it was begun, what it took, and what its last trouble was."""

    came_in: int
    spent: Spent
    trouble: Trouble | None = None

    def add(self, said: Said) -> None:
        before = self.spent
        known = said.cost_microdollars is not None
        self.spent = replace(
            before,
            calls=before.calls + 1,
            input_tokens=before.input_tokens + said.input_tokens,
            output_tokens=before.output_tokens + said.output_tokens,
            cost_microdollars=(before.cost_microdollars or 0) + (said.cost_microdollars or 0)
            if known
            else None,
        )


class ModelCaller:
    """Makes texts with a language model.

    Parameters
    ----------
    settings
        Which model, and how it is called.
    wire
        Sends the calls.
    budget
        What they may take.
    cache
        Where texts are kept.
    rng
        Where the waits between tries come from.
    """

    def __init__(
        self,
        settings: EngineSettings,
        wire: ModelWire,
        *,
        budget: Budget,
        cache: AnswerCache,
        rng: np.random.Generator,
    ) -> None:
        self.name: str = settings.name
        self.replicate: int = settings.replicate
        self._settings = settings
        self._wire = wire
        self._budget = budget
        self._cache = cache
        self._rng = rng
        self._loop = CallLoop()
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._pace = Pace(settings.concurrency)

    def each(self, works: Iterable[Coroutine[Any, Any, T]]) -> Iterator[T]:
        """Run several of :meth:`make` side by side; their results in order."""
        yield from self._loop.each(works)

    def one(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one."""
        (result,) = self.each([work])
        return result

    def close(self) -> None:
        """Stop what is under way and let connections go."""
        self._loop.close(self._wire.close)

    async def make(
        self, prompt: Prompt, read: Callable[[Mapping[str, Any]], T], *, patience_s: float | None = None
    ) -> tuple[T, Spent]:
        """Return what the model says, read, and what that took: nothing, when it was said before.

        Parameters
        ----------
        prompt
            What it is sent.
        read
            Gives what is meant by the JSON object that it sends back, or raises :class:`Misfit`, which the
            model may repair once.
        patience_s
            How long it may take with all its tries; without it :data:`PATIENCE_S`, and a whole call at least.

        Raises
        ------
        NotMade
            There is no text that fits.
        """
        name = fingerprint(self._depends_on(prompt))
        temperature, seed = self._wire.temperature(prompt), self._wire.seed(prompt)
        tally = _Tally(self._pace.round, Spent(self.name, temperature=temperature, seed=seed))
        kept = self._cache.get(name)
        if kept is not None:
            try:
                return read(kept), replace(tally.spent, cost_microdollars=0, cached=True)
            except Misfit:
                pass  # somebody has changed the file
        try:
            patience = max(PATIENCE_S, self._settings.timeout_s) if patience_s is None else patience_s
            async with self._slots, asyncio.timeout(patience):
                data, result = await self._made(prompt, read, tally)
        except Trouble as trouble:
            raise NotMade(trouble.code, trouble.message, tally.spent) from trouble
        except TimeoutError:
            last = tally.trouble or Trouble("engine_timeout", "The language model took too long.")
            self._pace.give_up(last)
            raise NotMade(last.code, last.message, tally.spent) from None
        except BudgetSpent:
            raise NotMade("quota_exceeded", self._over_budget(), tally.spent) from None
        self._cache.put(name, data)
        return result, tally.spent

    async def _made(
        self, prompt: Prompt, read: Callable[[Mapping[str, Any]], T], tally: _Tally
    ) -> tuple[Mapping[str, Any], T]:
        repair: tuple[str, str] | None = None
        while True:
            said = await self._say(prompt, repair, tally)
            try:
                data = as_object(said.text)
                return data, read(data)
            except Misfit as misfit:
                if repair is not None:
                    raise Trouble(
                        "invalid_answer", f"The language model's answer does not fit, twice: {misfit}"
                    ) from misfit
                repair = said.text[:_LONGEST_REPAIRED], str(misfit)

    async def _say(self, prompt: Prompt, repair: tuple[str, str] | None, tally: _Tally) -> Said:
        """Call the model until it answers, as often as the settings allow.

        A call that was turned away while others were answered does not count: its turn will come.
        """
        tries, answered = 0, self._pace.answered
        while True:
            try:
                async with self._pace.call(tally.came_in) as began:
                    said = await self._paid(prompt, repair, tally)
            except OutOfOrder as order:
                raise order.reason from None
            except Trouble as trouble:
                tally.trouble = trouble
                turned_away = trouble.code == "rate_limited"
                tries += not turned_away or self._pace.answered == answered
                answered = self._pace.answered
                wait = self._wait_after(trouble, tries)
                if wait is None:
                    if trouble.again or trouble.for_all:
                        self._pace.give_up(trouble, for_all=trouble.for_all)
                    raise
                if turned_away:
                    self._pace.slow_down(wait, began)
                await pause(wait)
            else:
                tally.trouble = None
                self._pace.served()
                return said

    async def _paid(self, prompt: Prompt, repair: tuple[str, str] | None, tally: _Tally) -> Said:
        most = self._amount(self._most_read(prompt, repair), self._wire.most_output(prompt))
        await self._budget.hold(most)
        taken = most  # where nobody knows better: the call is broken off, or not counted by its server
        try:
            said = await self._wire.send(prompt, repair)
            tally.add(said)
            if said.input_tokens or said.output_tokens:
                taken = self._amount(said.input_tokens, said.output_tokens, said.cost_microdollars)
            return said
        except Trouble as trouble:
            if not trouble.unknown_cost:
                taken = 0
            raise
        finally:
            self._budget.settle(most, taken)

    def _wait_after(self, trouble: Trouble, tries: int) -> float | None:
        """Return how long to wait before the next try, or None when there is none."""
        if not trouble.again or tries >= self._settings.attempts:
            return None
        longest: float = min(_LONGEST_BACKOFF_S, self._settings.first_wait_s * 2 ** max(0, tries - 1))
        jitter = float(self._rng.uniform(0.5, 1.0)) * longest
        if trouble.after_s is None:
            return jitter
        return None if trouble.after_s > LONGEST_WAIT_S else trouble.after_s + jitter * 0.1

    def _most_read(self, prompt: Prompt, repair: tuple[str, str] | None) -> int:
        """Return more tokens than a prompt can have: no token is shorter than a byte."""
        texts = [prompt.instructions, prompt.text, json.dumps(prompt.schema)]
        texts += [text for turn in (*prompt.past, *([repair] if repair else [])) for text in turn]
        files = sum(_PAGE_TOKENS * file.pages for file in prompt.files)
        return 500 + sum(len(text.encode("utf-8", "ignore")) for text in texts) + files

    def _amount(self, read: int, written: int, cost: int | None = None) -> int:
        """Return tokens in the money of the budget."""
        if self._settings.budget_dollars is None:
            return read + written
        assert self._wire.price is not None  # looked at when the engine was opened
        return self._wire.price.microdollars(read, written) if cost is None else cost

    def _over_budget(self) -> str:
        dollars, tokens = self._settings.budget_dollars, self._settings.budget_tokens
        limit = f"{dollars:,.2f} dollars" if dollars is not None else f"{tokens or 0:,} tokens"
        return f"The engine's budget of {limit} does not cover another answer; raise VOXPOP_ENGINE_BUDGET."

    def _depends_on(self, prompt: Prompt) -> dict[str, Any]:
        chosen = self._settings
        return {
            "engine": [chosen.name, chosen.url, chosen.replicate],
            "temperature": self._wire.temperature(prompt),
            "about": prompt.about,
            "seed": prompt.seed,  # also where the provider takes none: it tells replicates apart
            "instructions": prompt.instructions,
            "past": prompt.past,
            "text": prompt.text,
            "schema": prompt.schema,
            "files": [[file.mime, file.digest] for file in prompt.files],
            "most_tokens": prompt.most_tokens,
        }
