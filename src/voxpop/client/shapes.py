"""Conversion of JSON responses to wire models, and of arguments to request bodies.

Responses are read leniently: a field left out by the service becomes its default or None, so that a service
with only the documented fields works too. Requests are checked strictly.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError, create_model
from pydantic import Field as PlainField

from voxpop.client.look import Look, QuestionLook
from voxpop.errors import ServiceError, UsageError
from voxpop.wire.questions import Question

M = TypeVar("M", bound=BaseModel)


def body(model: type[BaseModel], **fields: Any) -> dict[str, Any]:
    """Validate a request body against its model, and return it as JSON values without None.

    Raises
    ------
    UsageError
        A field is out of bounds; the message names it.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return model.model_validate(given).model_dump(mode="json", exclude_none=True)
    except ValidationError as error:
        raise UsageError("; ".join(_sentences(error))) from None


def read(model: type[M], data: Any) -> M:
    """Return the wire model of a response; fields left out by the service become None.

    Raises
    ------
    ServiceError
        The response has another form.
    """
    try:
        return cast(M, _open(model).model_validate(data))
    except ValidationError as error:
        told = "; ".join(_sentences(error)[:3])
        raise ServiceError(
            f"The service's {model.__name__} cannot be read: {told}", status=200, code="bad_answer"
        ) from None


def _sentences(error: ValidationError) -> list[str]:
    """Format each problem as 'field: message (got value)', without links and types."""
    said = []
    for problem in error.errors(include_url=False, include_context=False):
        where = ".".join(str(part) for part in problem["loc"]) or "body"
        shown = "" if problem["type"] == "missing" else f" (got {_short(problem.get('input'))})"
        said.append(f"{where}: {problem['msg']}{shown}")
    return said


def _short(value: Any, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


_LOOKS: dict[type[BaseModel], type[Look]] = {Question: QuestionLook}


@cache
def _open(model: type[BaseModel]) -> type[BaseModel]:
    """Return the model with every required field optional and a notebook display, including nested models."""
    fields: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = _open_type(field.annotation)
        if field.is_required():
            fields[name] = (kind | None, PlainField(None, alias=field.alias) if field.alias else None)
        elif kind != field.annotation:
            fields[name] = (kind, field)
    shown = (model,) if hasattr(model, "_repr_html_") else (_LOOKS.get(model, Look), model)
    return create_model(
        model.__name__, __base__=shown, __module__=model.__module__, __doc__=model.__doc__, **fields
    )


def _open_type(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _open(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is list:
        return list[_open_type(arguments[0])]  # type: ignore[misc]
    if origin is dict:
        return dict[arguments[0], _open_type(arguments[1])]  # type: ignore[misc,valid-type]
    if origin in (Union, UnionType):
        return Union[tuple(_open_type(part) for part in arguments)]  # noqa: UP007
    return kind
