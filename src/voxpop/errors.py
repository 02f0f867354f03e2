"""The tree of errors raised by voxpop.

::

    VoxpopError
    ├── UsageError (also ValueError)      bad input, found before anything was sent or written
    │   └── FilterError                   .problems: field -> messages
    ├── ServiceError                      .code .message .details .status .request_id
    │   ├── InvalidRequest                400, 405, 413, 415, 422
    │   ├── Unauthorized                  401
    │   ├── QuotaExceeded                 402
    │   ├── Forbidden                     403
    │   ├── NotFound                      404
    │   ├── Conflict                      409
    │   ├── RateLimited                   429, .retry_after
    │   └── Unavailable                   500 and above
    ├── ConnectionFailed                  no answer from the service's address
    ├── JobFailed                         a job ended as failed; .job_id .code
    ├── JobTimeout                        a job did not end in time; it continues in the service
    ├── RequestStopped                    a recruitment request has no group (yet); .request
    │   ├── NeedsClarification            it asks a question; .question .options
    │   ├── AwaitingReview                it awaits approval; .review
    │   └── Refused                       it was refused; .refusal
    ├── PopulationError                   a population file cannot be built or read
    ├── StoreError                        a store or an export cannot be read or written
    ├── BackupError                       a service's database cannot be copied or restored
    └── ServiceStartError                 the service cannot start

    FieldworkWarning (a UserWarning)      a problem that does not stop the work
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class VoxpopError(Exception):
    """The root of all errors raised by voxpop."""


class UsageError(VoxpopError, ValueError):
    """Bad input, found before anything was sent or written."""


class FilterError(UsageError):
    """A filter that cannot be used.

    Attributes
    ----------
    problems : dict of str to list of str
        Messages by field name, as in ``details.filters`` of the service.
    """

    def __init__(self, problems: Mapping[str, Sequence[str]]) -> None:
        self.problems: dict[str, list[str]] = {field: list(messages) for field, messages in problems.items()}
        super().__init__(
            "; ".join(f"{field}: {text}" for field, texts in self.problems.items() for text in texts)
        )


class ServiceError(VoxpopError):
    """An error response of the service.

    Attributes
    ----------
    status : int
        The HTTP status.
    code : str
        The machine-readable ``error.code``.
    message : str
        One readable sentence.
    details : dict
        The optional ``error.details``; empty if absent.
    request_id : str or None
        The ``X-Request-Id`` of the response.
    """

    default_status = 500
    default_code = "internal_error"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        self.message = message
        self.status: int = self.default_status if status is None else status
        self.code: str = code or self.default_code
        self.details: dict[str, Any] = dict(details or {})
        self.request_id = request_id
        super().__init__(message)

    def __str__(self) -> str:
        where = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} [{self.status} {self.code}{where}]"


class InvalidRequest(ServiceError):
    """The call was malformed (400, 405, 413, 415) or its filter values are unknown (422)."""

    default_status = 400
    default_code = "invalid_request"


class Unauthorized(ServiceError):
    """The key is missing, malformed, unknown or revoked."""

    default_status = 401
    default_code = "unauthorized"


class QuotaExceeded(ServiceError):
    """The organization's quota does not cover this call; nothing was queued."""

    default_status = 402
    default_code = "quota_exceeded"


class Forbidden(ServiceError):
    """The key lacks the scope, or the job belongs to another organization."""

    default_status = 403
    default_code = "forbidden"


class NotFound(ServiceError):
    """The object does not exist for this key."""

    default_status = 404
    default_code = "not_found"


class Conflict(ServiceError):
    """The state of the object does not allow this call."""

    default_status = 409
    default_code = "conflict"


class RateLimited(ServiceError):
    """Too many calls; ``retry_after`` is the number of seconds to wait."""

    default_status = 429
    default_code = "rate_limited"

    def __init__(self, message: str, *, retry_after: float = 1.0, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.retry_after = retry_after


class Unavailable(ServiceError):
    """The service failed or is unavailable; ``retry_after`` is the number of seconds to wait.

    It is None if the response does not contain it. ``details["database"]`` is ``damaged`` if the service's
    database has to be restored first.
    """

    default_status = 503
    default_code = "unavailable"

    def __init__(self, message: str, *, retry_after: float | None = 1.0, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.retry_after = retry_after


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    402: QuotaExceeded,
    403: Forbidden,
    404: NotFound,
    405: InvalidRequest,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}


def service_error_class(status: int) -> type[ServiceError]:
    """Return the error class for an HTTP status; the general class for an unknown one.

    Examples
    --------
    >>> [service_error_class(status).__name__ for status in (404, 502, 418)]
    ['NotFound', 'Unavailable', 'ServiceError']
    """
    if status >= 500:
        return Unavailable
    return _BY_STATUS.get(status, ServiceError)


class ConnectionFailed(VoxpopError):
    """The service's address did not respond."""


class JobFailed(VoxpopError):
    """A job failed."""

    def __init__(self, message: str, *, job_id: str, code: str = "failed") -> None:
        super().__init__(message)
        self.job_id = job_id
        self.code = code


class JobTimeout(VoxpopError):
    """A job did not end in the allowed time; it continues in the service."""

    def __init__(self, message: str, *, job_ids: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.job_ids: tuple[str, ...] = tuple(job_ids)


class RequestStopped(VoxpopError):
    """A recruitment request has no group (yet).

    Attributes
    ----------
    request : GroupRequest
        The last known state of the request.
    """

    def __init__(self, message: str, *, request: Any) -> None:
        super().__init__(message)
        self.request = request


class NeedsClarification(RequestStopped):
    """A recruitment request asks a question; answer with ``client.requests.respond(id, answer="…")``."""

    def __init__(self, message: str, *, request: Any, question: str, options: Iterable[str] = ()) -> None:
        super().__init__(message, request=request)
        self.question = question
        self.options: tuple[str, ...] = tuple(options)


class AwaitingReview(RequestStopped):
    """A recruitment request awaits approval; approve with ``client.requests.respond(id, approve=True)``."""

    def __init__(self, message: str, *, request: Any, review: Any) -> None:
        super().__init__(message, request=request)
        self.review = review


class Refused(RequestStopped):
    """A recruitment request was refused; ask for another audience."""

    def __init__(self, message: str, *, request: Any, refusal: Any) -> None:
        super().__init__(message, request=request)
        self.refusal = refusal


class PopulationError(VoxpopError):
    """A population file cannot be built or read."""


class StoreError(VoxpopError):
    """A store or an export cannot be read or written."""


class BackupError(VoxpopError):
    """A service's database cannot be copied or restored."""


class ServiceStartError(VoxpopError):
    """The service cannot start."""


class FieldworkWarning(UserWarning):
    """A warning about recruiting or asking.

    Issued if a filter value matches no agents, a group is smaller than requested, a question seems to be two,
    the embedded engine knows few words of a question, agents failed to answer, or a study is pulled or
    exported without the service's signature. ``warnings.simplefilter("ignore", FieldworkWarning)`` silences
    it.
    """
