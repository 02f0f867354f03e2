"""Variants of `ModelServer` that deviate from the OpenAI wire format as real servers do.

A character takes a call and its number, counted from 0, and returns status, body and headers.
"""

from __future__ import annotations

import json
import math
from typing import Any

from model_server import HANGS, Answer, Call, answered, openai_body, suiting

REASONING_TOKENS = 2_500
"""How many tokens the reasoning model takes before its first word."""


def _refused(status: int, words: str, **more: Any) -> Answer:
    return answered(status, {"error": {"message": words, "type": "invalid_request_error", **more}})


def _said(call: Call, text: str | None = None, **message: Any) -> Answer:
    made = openai_body(call, json.dumps(suiting(call)) if text is None else text)
    made["choices"][0]["message"].update(message)
    return answered(200, made)


def _in_words(call: Call) -> str:
    """An answer as a model gives it that nobody holds to a schema."""
    return f"Sure!\n```json\n{json.dumps(suiting(call))}\n```\nLet me know if you need {{anything}} else."


def schema_is_not_found(call: Call, number: int) -> Answer:
    """Respond like a router without an endpoint for the requested ability."""
    if call.form == "schema":
        return _refused(404, "No endpoints found that can handle the requested parameters.")
    return _said(call)


def schema_crashes_it(call: Call, number: int) -> Answer:
    if call.form == "schema":
        return answered(500, {"error": {"message": "failed to parse grammar", "type": "server_error"}})
    return _said(call)


def refuses_seeds(call: Call, number: int) -> Answer:
    if "seed" in call.body:
        return _refused(400, "Extra inputs are not permitted", param="seed")
    return _said(call)


def refuses_seeds_without_saying_so(call: Call, number: int) -> Answer:
    return _refused(422, "Unprocessable entity") if "seed" in call.body else _said(call)


def refuses_temperatures(call: Call, number: int) -> Answer:
    if "temperature" in call.body:
        return _refused(400, "Unsupported value: 'temperature' does not support 1.0 with this model.")
    return _said(call)


def talks_around_its_json(call: Call, number: int) -> Answer:
    """It takes a schema without a word, and takes no notice of it."""
    told = call.form == "plain" or "follows this schema" in call.persona
    return _said(call, _in_words(call) if told else "I would rather chat about it.", tool_calls=None)


def fences_its_json(call: Call, number: int) -> Answer:
    return _said(call, _in_words(call))


def drafts_before_it_answers(call: Call, number: int) -> Answer:
    draft = json.dumps({"answer": "a first draft", "value": "no such value"})
    return _said(call, f"{draft}\nOn reflection:\n{json.dumps(suiting(call))}")


def answers_in_its_reasoning(call: Call, number: int) -> Answer:
    return _said(call, "", content=None, reasoning_content=f"The person is {_in_words(call)}")


def reasons_at_length(call: Call, number: int) -> Answer:
    """It stops in the middle if it may not write enough."""
    limit = call.body.get("max_tokens") or call.body.get("max_completion_tokens")
    if limit >= REASONING_TOKENS:
        return _said(call, reasoning_content="I see.")
    made = openai_body(call, '{"answer": "I th')
    made["choices"][0]["finish_reason"] = "length"
    return answered(200, made)


def never_comes_to_an_end(call: Call, number: int) -> Answer:
    made = openai_body(call, '{"answer": "and so on and so on and')
    made["choices"][0]["finish_reason"] = "length"
    return answered(200, made)


def never_ends_and_allows_no_more(call: Call, number: int) -> Answer:
    limit = call.body.get("max_tokens") or call.body.get("max_completion_tokens")
    if limit > 4_000:
        return _refused(400, "max_tokens must be at most 4000.")
    return never_comes_to_an_end(call, number)


def limits_its_rate(call: Call, number: int) -> Answer:
    """Every second call comes too early."""
    if number % 2 == 0:
        error = {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}
        return answered(429, {"error": error}, {"Retry-After": "0.05"})
    return _said(call)


def hangs_at_first(call: Call, number: int) -> Answer:
    return (HANGS, b"", {}) if number == 0 else _said(call)


def always_hangs(call: Call, number: int) -> Answer:
    return HANGS, b"", {}


def breaks_off(call: Call, number: int) -> Answer:
    """Truncate every third response."""
    status, content, headers = _said(call)
    if number % 3 == 0:
        return status, content[: len(content) // 2], {**headers, "Content-Length": str(len(content))}
    return status, content, headers


def is_empty_at_times(call: Call, number: int) -> Answer:
    return _said(call, "") if number % 3 == 0 else _said(call)


def is_always_empty(call: Call, number: int) -> Answer:
    return _said(call, "")


def errs_within_a_success(call: Call, number: int) -> Answer:
    if number % 3 == 0:
        return answered(200, {"error": {"message": "Provider returned error", "code": 502}})
    return _said(call)


def always_errs_within_a_success(call: Call, number: int) -> Answer:
    return answered(200, {"error": {"message": "No credits left for sk-test-4Nq8", "code": 402}})


def knows_no_json_mode_and_no_tools(call: Call, number: int) -> Answer:
    if call.form != "plain":
        return _refused(400, "Unknown field in the request.")
    return _said(call, _in_words(call))


def knows_json_mode_only(call: Call, number: int) -> Answer:
    if call.form != "json":
        return _refused(400, "'response_format.type' must be 'json_object'.")
    return _said(call)


def knows_tools_only(call: Call, number: int) -> Answer:
    if call.form != "tools":
        return _refused(400, "This endpoint calls a function or fails.")
    return _said(call)


def never_writes_json(call: Call, number: int) -> Answer:
    return _said(call, "I would say that I quite like it.", tool_calls=None)


def is_no_api(call: Call, number: int) -> Answer:
    return 200, b"<!doctype html><title>It works!</title>", {"Content-Type": "text/html"}


def wants_the_newer_limit(call: Call, number: int) -> Answer:
    if "max_tokens" in call.body:
        words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return _refused(400, words, param="max_tokens")
    return _said(call)


def _weighed(call: Call, tokens: list[tuple[str, float]]) -> Answer:
    made = openai_body(call, tokens[0][0])
    likely = [{"token": token, "logprob": math.log(share), "bytes": None} for token, share in tokens]
    made["choices"][0]["logprobs"] = {"content": [{**likely[0], "top_logprobs": likely}], "refusal": None}
    return answered(200, made)


def gives_probabilities(call: Call, number: int) -> Answer:
    """The first letter is three times as likely as the second, in whichever order they stand."""
    if not call.body.get("logprobs"):
        return _said(call)
    return _weighed(call, [("A", 0.5), (" a", 0.1), ("B", 0.2), ("The", 0.2)])


def takes_no_notice_of_probabilities(call: Call, number: int) -> Answer:
    return _said(call) if not call.body.get("logprobs") else answered(200, openai_body(call, "A"))


def refuses_probabilities(call: Call, number: int) -> Answer:
    if call.body.get("logprobs"):
        return _refused(400, "logprobs are not supported with this model.", param="logprobs")
    return _said(call)


def crashes_at_probabilities(call: Call, number: int) -> Answer:
    if call.body.get("logprobs"):
        return answered(500, {"error": {"message": "An error.", "type": "server_error"}})
    return _said(call)


def would_rather_say_something_else(call: Call, number: int) -> Answer:
    if call.body.get("logprobs"):
        return _weighed(call, [("Well", 0.7), ("A", 0.2), ("{", 0.1)])
    return _said(call)
