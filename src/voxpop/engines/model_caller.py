"""Language-model calls with limits on concurrency, retries and spend, and a cache of responses."""

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
"""Timeout for one text, including all retries, in seconds."""

LONGEST_WAIT_S = 120.0
"""Maximum wait that a provider may ask for before the call is abandoned, in seconds."""

_LONGEST_BACKOFF_S = 30.0
_LONGEST_REPAIRED = 4_000  # characters of a response that is sent back for repair
_PAGE_TOKENS = 5_000  # also of a picture


class NotMade(Exception):
    """Raised when the model produced no usable text; ``spent`` is the cost of the attempts."""

    def __init__(self, code: str, message: str, spent: Spent) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.spent = spent


@dataclass(slots=True)
class _Tally:
    """State of a text in progress: the round in which it started, its cost, and its last error."""

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
    """Generates texts with a language model.

    Parameters
    ----------
    settings
        Model and call settings.
    wire
        Sends the calls.
    budget
        Budget of the calls.
    cache
        Cache of the responses.
    rng
        Random generator for the jitter of retries.
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
        """Run several :meth:`make` calls concurrently and yield their results in order."""
        yield from self._loop.each(works)

    def one(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine."""
        (result,) = self.each([work])
        return result

    def close(self) -> None:
        """Cancel running calls and close connections."""
        self._loop.close(self._wire.close)

    async def make(
        self, prompt: Prompt, read: Callable[[Mapping[str, Any]], T], *, patience_s: float | None = None
    ) -> tuple[T, Spent]:
        """Return the parsed response of the model and its cost, which is zero for a cached response.

        Parameters
        ----------
        prompt
            The prompt to send.
        read
            Parses the JSON object of the response, or raises :class:`Misfit`; the model may then repair it
            once.
        patience_s
            Timeout in seconds, including all retries. Defaults to :data:`PATIENCE_S`, but at least the
            timeout of one call.

        Raises
        ------
        NotMade
            No valid response was obtained.
        """
        name = fingerprint(self._depends_on(prompt))
        temperature, seed = self._wire.temperature(prompt), self._wire.seed(prompt)
        tally = _Tally(self._pace.round, Spent(self.name, temperature=temperature, seed=seed))
        kept = self._cache.get(name)
        if kept is not None:
            try:
                return read(kept), replace(tally.spent, cost_microdollars=0, cached=True)
            except Misfit:
                pass  # the cached file was modified
        try:
            patience = max(PATIENCE_S, self._settings.timeout_s) if patience_s is None else patience_s
            async with self._slots, asyncio.timeout(patience):
                data, result = await self._made(prompt, read, tally)
        except Trouble as trouble:
            raise NotMade(trouble.code, trouble.message, tally.spent) from trouble
        except TimeoutError:
            last = tally.trouble or Trouble("engine_timeout", "The language model did not respond in time.")
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
                        "invalid_answer", f"The language model's answer was invalid twice: {misfit}"
                    ) from misfit
                repair = said.text[:_LONGEST_REPAIRED], str(misfit)

    async def _say(self, prompt: Prompt, repair: tuple[str, str] | None, tally: _Tally) -> Said:
        """Call the model until it responds, up to the number of attempts in the settings.

        A rate-limited call does not count as an attempt if other calls were answered meanwhile.
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
        taken = most  # worst case: the call was cancelled, or its server reports no usage
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
        """Return the delay before the next attempt, or None if there is none."""
        if not trouble.again or tries >= self._settings.attempts:
            return None
        longest: float = min(_LONGEST_BACKOFF_S, self._settings.first_wait_s * 2 ** max(0, tries - 1))
        jitter = float(self._rng.uniform(0.5, 1.0)) * longest
        if trouble.after_s is None:
            return jitter
        return None if trouble.after_s > LONGEST_WAIT_S else trouble.after_s + jitter * 0.1

    def _most_read(self, prompt: Prompt, repair: tuple[str, str] | None) -> int:
        """Return an upper bound for the tokens of a prompt: every token has at least one byte."""
        texts = [prompt.instructions, prompt.text, json.dumps(prompt.schema)]
        texts += [text for turn in (*prompt.past, *([repair] if repair else [])) for text in turn]
        files = sum(_PAGE_TOKENS * file.pages for file in prompt.files)
        return 500 + sum(len(text.encode("utf-8", "ignore")) for text in texts) + files

    def _amount(self, read: int, written: int, cost: int | None = None) -> int:
        """Return tokens in the unit of the budget."""
        if self._settings.budget_dollars is None:
            return read + written
        assert self._wire.price is not None  # checked when the engine was opened
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
            "seed": prompt.seed,  # kept even if the provider takes no seed: it distinguishes replicates
            "instructions": prompt.instructions,
            "past": prompt.past,
            "text": prompt.text,
            "schema": prompt.schema,
            "files": [[file.mime, file.digest] for file in prompt.files],
            "most_tokens": prompt.most_tokens,
        }
