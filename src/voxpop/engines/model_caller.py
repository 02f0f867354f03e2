"""Language-model calls with limits on concurrency, retries and spend, and a cache of responses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from voxpop.engines.answer_cache import AnswerCache, fingerprint
from voxpop.engines.budget import Budget, BudgetSpent
from voxpop.engines.cost import Cost
from voxpop.engines.model_abilities import Abilities
from voxpop.engines.model_answers import Misfit, fitting_object
from voxpop.engines.model_loop import CallLoop
from voxpop.engines.model_memory import ModelMemory
from voxpop.engines.model_pacing import OutOfOrder, Pace, pause
from voxpop.engines.model_prompts import Prompt, Said
from voxpop.engines.model_sizes import Sizes
from voxpop.engines.model_tally import NotMade as NotMade
from voxpop.engines.model_tally import Tally
from voxpop.engines.model_trial import Trial
from voxpop.engines.model_trouble import Trouble
from voxpop.engines.model_wire import ModelWire
from voxpop.engines.spent import Spent
from voxpop.settings import EngineSettings

T = TypeVar("T")

PATIENCE_S = 480.0
"""Timeout for one text, including all retries, in seconds."""

BATCH_PATIENCE_S = 3 * 24 * 3600.0
"""Timeout for one text that is answered in batches, including all retries, in seconds."""

_IN_BATCHES = 100_000  # texts at once; their calls wait for their batch, not for each other

LONGEST_WAIT_S = 120.0
"""Maximum wait that a provider may ask for before the call is abandoned, in seconds."""

_LONGEST_BACKOFF_S = 30.0
_LONGEST_REPAIRED = 4_000  # characters of a response that is sent back for repair
_PAGE_TOKENS = 5_000  # also of a picture
_CUT_OFF = "answer_cut_off"
_ROOM = (4_000, 16_000)
"""Limits of output tokens to try in turn for an answer that was cut off."""


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
    memory
        Remembers how the model is called, and its sizes.
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
        memory: ModelMemory,
        rng: np.random.Generator,
    ) -> None:
        self.name: str = settings.name
        self.replicate: int = settings.replicate
        self.weighs: bool = settings.probabilities
        self.batched: bool = settings.batch
        self._settings = settings
        self._wire = wire
        self._budget = budget
        self._cache = cache
        self._rng = rng
        self._loop = CallLoop()
        at_once = _IN_BATCHES if settings.batch else settings.concurrency
        self._slots = asyncio.Semaphore(at_once)
        self._pace = Pace(at_once)
        self._memory = memory
        self.sizes: Sizes = memory.sizes()
        self.trial: Trial[Said] = Trial(
            settings.name,
            (None if settings.batch else memory.abilities(wire.forms)) or wire.first_abilities,
            wire.forms,
            usable=lambda said: said.usable,
            found=lambda abilities: memory.keep(abilities, self.sizes),
        )

        self.trial.known = settings.batch  # a trial would take days

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
        if self.trial.known and not self.batched:
            self._memory.keep(self.trial.abilities, self.sizes)

    def estimate(self, prompts: Sequence[Prompt], count: int, more_bytes: int = 0) -> Cost:
        """Return the expected cost of texts, from what was observed of the model.

        Parameters
        ----------
        prompts
            Some of the prompts.
        count
            Number of texts.
        more_bytes
            Size of what each prompt will have in addition.
        """
        sizes, calls = self.sizes, round(count * self.sizes.calls_per_text)
        size = more_bytes + sum(prompt.size() for prompt in prompts) / max(1, len(prompts))
        files = sum(_PAGE_TOKENS * prompt.pages for prompt in prompts[:1])
        written = calls * (1 if prompts and prompts[0].weighs else sizes.usual_output)
        read = calls * (sizes.usual_input(size) + files)
        price, pause = self._wire.price, sizes.seconds_per_call
        return Cost(
            calls=calls,
            input_tokens=read,
            output_tokens=written,
            cost_microdollars=None if price is None else price.microdollars(read, written),
            seconds=None if pause is None else pause * calls / max(1, min(self._pace.allowed, calls)),
            observed=sizes.calls,
        )

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
        tally = Tally(self._pace.round, Spent(self.name))
        kept = self._cache.get(name)
        if kept is not None:
            try:
                return read(kept), replace(self._as_called(prompt, tally), cost_microdollars=0, cached=True)
            except Misfit:
                pass  # the cached file was modified
        try:
            usual = BATCH_PATIENCE_S if self.batched else max(PATIENCE_S, self._settings.timeout_s)
            patience = usual if patience_s is None else patience_s
            async with self._slots, asyncio.timeout(patience) as limit:
                if patience_s is None:
                    tally.limit, tally.patience_s = limit, patience
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
        self.sizes.texts += 1
        return result, tally.spent

    async def _made(
        self, prompt: Prompt, read: Callable[[Mapping[str, Any]], T], tally: Tally
    ) -> tuple[Mapping[str, Any], T]:
        repair: tuple[str, str] | None = None
        while True:
            said = await self._say(prompt, repair, tally)
            try:
                return fitting_object(said.text, read)
            except Misfit as misfit:
                if repair is not None:
                    raise Trouble(
                        "invalid_answer", f"The language model's answer was invalid twice: {misfit}"
                    ) from misfit
                repair = said.text[:_LONGEST_REPAIRED], str(misfit)

    async def _say(self, prompt: Prompt, repair: tuple[str, str] | None, tally: Tally) -> Said:
        """Call the model until it responds, up to the number of attempts in the settings.

        A rate-limited call does not count as an attempt if other calls were answered meanwhile.
        """
        tries, answered = 0, self._pace.answered
        while True:
            try:
                async with self._pace.call(tally.came_in) as began:
                    tally.start()
                    said = await self._complete(prompt, repair, tally)
            except OutOfOrder as order:
                raise order.reason from None
            except Trouble as trouble:
                tally.trouble = trouble
                turned_away = trouble.code == "rate_limited"
                tries += not turned_away or self._pace.answered == answered
                answered = self._pace.answered
                wait = self._wait_after(trouble, tries)
                if wait is None:
                    if trouble.again or trouble.for_all or trouble.code == _CUT_OFF:
                        self._pace.give_up(trouble, for_all=trouble.for_all)
                    raise
                if turned_away or trouble.code == "engine_timeout":
                    self._pace.slow_down(wait if turned_away else 0.0, began)
                await pause(wait)
            else:
                tally.trouble = None
                self._pace.served()
                return said

    async def _complete(self, prompt: Prompt, repair: tuple[str, str] | None, tally: Tally) -> Said:
        """Return a response that is neither empty nor cut off; one that is cut off is given more room."""
        if prompt.weighs:
            return await self._weights(prompt, repair, tally)
        limit = prompt.most_tokens
        for most in (limit, *_ROOM):
            room = max(0, most - prompt.most_tokens)

            async def send(abilities: Abilities, room: int = room) -> Said:
                able = replace(abilities, room=max(room, abilities.room))
                return await self._paid(prompt, able, repair, tally)

            try:
                said = await self.trial.call(send)
            except Trouble as trouble:
                if most == limit or trouble.again or not trouble.of_form:
                    raise
                raise _cut_off(limit) from trouble  # the server allows no higher limit
            if said.usable is not None:
                break
            limit = max(limit, most)
        else:
            raise _cut_off(limit)
        if not said.text.strip(" \n{}"):
            raise Trouble("empty_answer", "The language model's answer was empty.", again=True)
        if said.abilities.room > self.trial.abilities.room:
            self.trial.abilities = replace(self.trial.abilities, room=said.abilities.room)
        return said

    async def _weights(self, prompt: Prompt, repair: tuple[str, str] | None, tally: Tally) -> Said:
        """Return token probabilities; they are no matter of the form, so there is no trial."""
        able = self.trial.abilities
        try:
            said = await self._paid(prompt, able, repair, tally)
        except Trouble as trouble:
            limit = trouble.setting if trouble.of_form and "tokens" in (trouble.setting or "") else None
            less = None if limit is None else able.without(limit)
            if less is None:
                raise
            said = await self._paid(prompt, less, repair, tally)
        if said.text == "{}":
            raise Trouble("no_probabilities", "The server's response has no token probabilities.")
        return said

    async def _paid(
        self, prompt: Prompt, abilities: Abilities, repair: tuple[str, str] | None, tally: Tally
    ) -> Said:
        size = prompt.size(repair)
        read = self.sizes.most_input(size) + _PAGE_TOKENS * prompt.pages
        most = self._amount(read, self.sizes.most_written(self._wire.most_output(prompt, abilities)))
        await self._budget.hold(most)
        taken = most  # worst case: the call was cancelled, or its server reports no usage
        try:
            said = await self._wire.send(prompt, abilities, repair)
            tally.add(said, self._wire.temperature(prompt, abilities), self._wire.seed(prompt, abilities))
            if said.input_tokens or said.output_tokens:
                taken = self._amount(said.input_tokens, said.output_tokens, said.cost_microdollars)
                if not prompt.files and not prompt.weighs:
                    self.sizes.add(size, said.input_tokens, said.output_tokens, said.seconds)
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

    def _as_called(self, prompt: Prompt, tally: Tally) -> Spent:
        """Return the spending of a text with the settings of its calls."""
        abilities = self.trial.abilities
        temperature, seed = self._wire.temperature(prompt, abilities), self._wire.seed(prompt, abilities)
        return replace(tally.spent, temperature=temperature, seed=seed)

    def _depends_on(self, prompt: Prompt) -> dict[str, Any]:
        chosen = self._settings
        return {
            "engine": [chosen.name, chosen.url, chosen.replicate],
            "temperature": self._wire.temperature(prompt, self._wire.first_abilities),
            "about": prompt.about,
            "seed": prompt.seed,  # kept even if the provider takes no seed: it distinguishes replicates
            "instructions": prompt.instructions,
            "profile": prompt.profile,
            "past": prompt.past,
            "text": prompt.text,
            "schema": prompt.schema,
            "files": [[file.mime, file.digest] for file in prompt.files],
            "most_tokens": prompt.most_tokens,
        }


def _cut_off(limit: int) -> Trouble:
    return Trouble(
        _CUT_OFF, f"The language model reached its limit of {limit:,} tokens before it had answered."
    )
