"""Prices of language models: those of the settings, or the library's price list."""

from __future__ import annotations

from pydantic_ai.messages import ModelResponse
from pydantic_ai.usage import RequestUsage

from voxpop.engines.budget import Price
from voxpop.settings import EngineSettings

BATCH_SHARE = 0.5
"""Price of a call in a batch, as a share of the usual one, where the price list does not say."""

_MILLION = 1_000_000


def price_of(settings: EngineSettings) -> Price | None:
    """Return the price of a model, or None if it is unknown."""
    if settings.prices is not None:
        share = BATCH_SHARE if settings.batch else 1
        return Price(*(share * one for one in settings.prices))
    read = _listed(settings, RequestUsage(input_tokens=_MILLION))
    written = _listed(settings, RequestUsage(output_tokens=_MILLION))
    return None if read is None or written is None else Price(read, written)


def cost_of(settings: EngineSettings, usage: RequestUsage, price: Price | None) -> int | None:
    """Return the cost of usage in millionths of a dollar; None if price or usage is unknown."""
    if price is None or not (usage.input_tokens or usage.output_tokens):
        return None
    listed = None if settings.prices is not None else _listed(settings, usage)
    if listed is None:
        return price.microdollars(usage.input_tokens, usage.output_tokens)
    return -int(-listed * _MILLION // 1)


def _listed(settings: EngineSettings, usage: RequestUsage) -> float | None:
    """Return the cost of usage in dollars, by the price list of the library."""
    response = ModelResponse(
        parts=[], usage=usage, model_name=settings.model, provider_name=settings.provider
    )
    if settings.batch:
        response.provider_details = {"processing": "batch"}
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError):
        return None
