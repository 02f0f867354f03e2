"""The search for the best abilities of a model at its server, made with the first texts that are needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from voxpop.engines.model_abilities import PLAIN, Abilities
from voxpop.engines.model_trouble import Trouble

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Trial(Generic[T]):
    """Finds out how to call a model, and then calls it like that.

    The first text is sent in the best form. If the server refuses it, or answers without a JSON object, the
    same text is sent in words alone; if that works, the other forms are tried, best first, and then the
    settings. All of this costs a good server nothing, since its first answer counts. Until the abilities are
    known, one text is in trial at a time.

    Parameters
    ----------
    name
        Name of the engine, for the log.
    first
        Abilities to begin with.
    forms
        Forms that the model may have, best first.
    usable
        Whether an answer has the requested form; None if that cannot be told, as of one that was cut off.
    found
        Called with the abilities when they are found.
    """

    def __init__(
        self,
        name: str,
        first: Abilities,
        forms: Sequence[str],
        *,
        usable: Callable[[T], bool | None],
        found: Callable[[Abilities], None],
    ) -> None:
        self.abilities: Abilities = first
        self.known: bool = False
        self._name = name
        self._forms = forms
        self._usable = usable
        self._found = found
        self._one_at_a_time = asyncio.Lock()

    async def call(self, send: Callable[[Abilities], Awaitable[T]]) -> T:
        """Return the answer of a call made with the best abilities.

        A text that the server refuses in this form, for example because of a long schema, is sent in words.

        Parameters
        ----------
        send
            Makes the call with the given abilities.

        Raises
        ------
        Trouble
            The call failed for another reason than its form.
        """
        if not self.known:
            async with self._one_at_a_time:
                if not self.known:
                    return await self._search(send)
        try:
            return await send(self.abilities)
        except Trouble as trouble:
            if not trouble.of_form or self.abilities.form == PLAIN:
                raise
            answer = await _tried(send, replace(self.abilities, form=PLAIN))
            if answer is None:
                raise
            return answer

    async def _search(self, send: Callable[[Abilities], Awaitable[T]]) -> T:
        first, answer, trouble = await self._first(send)
        verdict = None if answer is None else self._usable(answer)
        if answer is not None and verdict is not False:
            return self._settle(first, answer) if verdict else answer
        bare = replace(first, form=PLAIN, seed=False, temperature=False)
        floor = await _tried(send, bare)
        works = floor is not None and self._usable(floor) is True
        down = trouble is not None and trouble.again
        found = None if down and not works else await self._better(send, first, plain_works=works)
        best, said = found or (bare, floor)
        if found is None and not works:
            if answer is None and trouble is not None:
                raise trouble
            return floor or answer  # type: ignore[return-value]
        assert said is not None
        if trouble is None:  # an unusable answer is no fault of the settings
            return self._settle(replace(best, seed=first.seed, temperature=first.temperature), said)
        return await self._with_settings(send, best, said, first, sure=not trouble.again)

    async def _better(
        self, send: Callable[[Abilities], Awaitable[T]], first: Abilities, *, plain_works: bool
    ) -> tuple[Abilities, T] | None:
        """Return the best form better than words that works without settings, and its answer.

        Where words do not work, the first form is not tried again.
        """
        for form in self._forms:
            if form == PLAIN or (form == first.form and not plain_works):
                continue
            wanted = replace(first, form=form, seed=False, temperature=False)
            answer = await _tried(send, wanted)
            if answer is not None and self._usable(answer):
                return wanted, answer
        return None

    async def _with_settings(
        self,
        send: Callable[[Abilities], Awaitable[T]],
        best: Abilities,
        said: T,
        first: Abilities,
        *,
        sure: bool,
    ) -> T:
        """Find the settings that work with the best form; ``sure`` if the first call must not be repeated."""
        for settings in (first, replace(first, seed=False), replace(first, temperature=False)):
            wanted = replace(best, seed=settings.seed, temperature=settings.temperature)
            if wanted == best or (sure and wanted == first):
                continue
            answer = await _tried(send, wanted)
            if answer is not None and self._usable(answer):
                return self._settle(wanted, answer)
        return self._settle(best, said)

    async def _first(
        self, send: Callable[[Abilities], Awaitable[T]]
    ) -> tuple[Abilities, T | None, Trouble | None]:
        """Try the best form, without the settings that the server names in its refusals."""
        wanted, dropped = self.abilities, set[str]()
        while True:
            try:
                return wanted, await send(wanted), None
            except Trouble as trouble:
                if not trouble.of_form:
                    raise
                setting = trouble.setting
                less = wanted.without(setting) if setting is not None and setting not in dropped else None
                if less is None or setting is None:
                    return wanted, None, trouble
                dropped.add(setting)
                wanted = less

    def _settle(self, found: Abilities, answer: T) -> T:
        self.abilities, self.known = found, True
        logger.info("%s is called with %s.", self._name, found.told())
        self._found(found)
        return answer


async def _tried(send: Callable[[Abilities], Awaitable[T]], abilities: Abilities) -> T | None:
    """Return the answer of a call, or None if the server refuses its form."""
    try:
        return await send(abilities)
    except Trouble as trouble:
        if not trouble.of_form:
            raise
        return None
