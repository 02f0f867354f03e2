"""Failures of model calls: the reason, whether to try again, and whether the form is to blame."""

from __future__ import annotations

import re

from pydantic_ai import exceptions

_SETTINGS = ("seed", "temperature", "max_completion_tokens", "max_tokens")
_FORM_STATUS = (400, 404, 405, 415, 422, 500, 501)
"""Statuses that servers give for a form of call that they do not know; 500 may also be an outage."""

WIRE_TROUBLE = "engine_unavailable"


class Trouble(Exception):
    """A failed call.

    Attributes
    ----------
    code, message : str
        Error of the job that fails. The provider's own text is left out because it may quote the key.
    again : bool
        Whether another attempt may succeed.
    after_s : float or None
        Delay in seconds that the provider asks for.
    for_all : bool
        Whether every other call would fail in the same way.
    unknown_cost : bool
        Whether the call may have been charged.
    of_form : bool
        Whether the server may refuse the form of the call rather than its content.
    setting : str or None
        The setting that the server names in its refusal.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool = False,
        after_s: float | None = None,
        for_all: bool = False,
        unknown_cost: bool = False,
        of_form: bool = False,
        setting: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.again = again
        self.after_s = after_s
        self.for_all = for_all
        self.unknown_cost = unknown_cost
        self.of_form = of_form
        self.setting = setting


def trouble_of(error: exceptions.ModelAPIError) -> Trouble:
    """Return the trouble for an error of the provider's API."""
    status = getattr(error, "status_code", None)
    named = " ".join(str(one) for one in (status, error.provider_error_code) if one)
    shown = f" ({named[:80]})" if named else ""
    of_form, setting = status in _FORM_STATUS, _setting_in(error)
    match error:
        case exceptions.ModelRateLimitError():
            said = f"The provider's rate limit is reached{shown}."
            return Trouble("rate_limited", said, again=True, after_s=error.retry_after)
        case exceptions.ModelQuotaExceededError():
            said = f"The provider says that the account has nothing left{shown}."
            return Trouble("engine_refused", said, for_all=True)
        case exceptions.ModelAuthenticationError() if status == 403:  # may concern this text only
            return Trouble("engine_refused", f"The provider does not permit the call{shown}.")
        case exceptions.ModelAuthenticationError():
            return Trouble("engine_refused", f"The provider rejected the API key{shown}.", for_all=True)
        case exceptions.ModelNotFoundError():
            said = f"The provider does not know the model, or its address is wrong{shown}."
            return Trouble("engine_refused", said, for_all=True, of_form=of_form, setting=setting)
        case exceptions.ModelRequestRejectedError():
            said = f"The provider rejected the call{shown}."
            return Trouble("engine_refused", said, of_form=of_form, setting=setting)
    said = f"The provider failed or cannot be reached{shown}."
    return Trouble(WIRE_TROUBLE, said, again=True, after_s=error.retry_after, of_form=of_form)


def _setting_in(error: exceptions.ModelAPIError) -> str | None:
    """Return the first of our settings that an error names."""
    told = str(getattr(error, "body", None) or "")
    places = {name: found.start() for name in _SETTINGS if (found := re.search(rf"\b{name}\b", told))}
    return min(places, key=lambda name: places[name]) if places else None
