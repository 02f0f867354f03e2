"""Creation of clients: `connect` to a service, or `local` for the embedded one.

This is the only module other than the command line that depends on both the toolkit and the service.
"""

from __future__ import annotations

import gc
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.settings import ClientSettings, ServiceSettings, home

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.engines import Respondent
    from voxpop.own_survey import Knowledge

AGENTS = 100_000
SEED = 7
_SCOPES = ("studies:read", "studies:write", "billing:read", "billing:write", "audit:read")
_ORGANIZATION = "local"
_UNLIMITED: dict[str, Any] = dict.fromkeys(("rate_live", "rate_free", "quota_live", "quota_free"))


def connect(base_url: str | None = None, api_key: str | None = None) -> Client:
    """Return a client of the service at ``base_url``, or of the embedded service without an address.

    Parameters
    ----------
    base_url
        Address of a service, with or without ``/v1``. Default: ``VOXPOP_BASE_URL``; if that is not set
        either, the embedded service is started as by :func:`local`.
    api_key
        Key for that service. Default: ``VOXPOP_API_KEY``.

    Raises
    ------
    UsageError
        The address has no key, or the key has no address.

    Examples
    --------
    >>> import voxpop as vp
    >>> client = vp.connect("http://127.0.0.1:8321", "vp_live_" + "0" * 43)
    >>> client.close()
    """
    settings = ClientSettings.from_environment()
    address = base_url or settings.base_url
    if address is None:
        if api_key is not None:
            raise UsageError("A key needs the address of its service: give base_url, or set VOXPOP_BASE_URL.")
        return local()
    key = api_key or settings.api_key
    if key is None:
        raise UsageError(f"The service at {address} needs a key: give api_key, or set VOXPOP_API_KEY.")
    from voxpop.client import Client

    return Client(address, key)


def local(
    *,
    seed: int = SEED,
    agents: int = AGENTS,
    data: str | Path | None = None,
    engine: str | Respondent | Sequence[str | Respondent] | None = None,
    engine_url: str | None = None,
    knowledge: Knowledge | str | Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> Client:
    """Start the embedded service in this process and return its client, without a key or network access.

    The same ``seed`` and ``agents`` give the same population on every machine. The population is built once
    and kept in ``VOXPOP_HOME``. The service stops with ``client.close()``, or when the client is
    garbage-collected or the process ends.

    Parameters
    ----------
    seed
        Seed of the population, and of every draw without its own seed.
    agents
        Size of the population, 1,000 to 10,000,000: 60 % live in the USA, the others in 13 countries.
    data
        Folder for groups, studies and answers. It keeps using the population of its first groups when a newer
        voxpop builds another. Default: a temporary folder that is removed with the client, so that rerunning
        a notebook from the top gives the same results.
    engine
        The engine that answers for the agents: the name of an installed engine, such as ``simulator``; a
        language model as ``PROVIDER:MODEL``, such as ``openai:gpt-5`` or ``ollama:llama3.2``, whose key is
        read from the provider's usual variable; or an engine object (docs/engines.md). Of a list, the first
        one is the default, and questions may name the others. Default: ``VOXPOP_ENGINE``, else ``simulator``.
    engine_url
        Another server that supports the provider's wire format, for example on this machine. Default:
        ``VOXPOP_ENGINE_URL``, else the provider's own.
    knowledge
        A survey of people (``vp.knowledge``), or the path of a saved one: agents answer its questions as its
        respondents did, and every other question with the engine. Default: ``VOXPOP_KNOWLEDGE``, else none.
    progress
        Called with a sentence for each long step, such as the first build of a population. By default a line
        is shown on the terminal or in the notebook.

    Examples
    --------
    >>> import voxpop as vp
    >>> with vp.local(agents=1_000) as client:
    ...     client.filters.count(vp.where(age=vp.between(18)))
    1000
    """
    with _nothing_collected():
        from voxpop.client import Client

        service = embedded(
            seed=seed,
            agents=agents,
            data=data,
            engine=engine,
            engine_url=engine_url,
            knowledge=knowledge,
            progress=progress,
        )
    client = Client(service.base_url, service.key)
    client.on_close(weakref.finalize(client, service.stop))
    return client


@dataclass(frozen=True, slots=True)
class Embedded:
    """The embedded service, for use with a custom client.

    Attributes
    ----------
    base_url, key : str
        Address of the service, and a key that is valid until it stops.
    stop : callable
        Stops the service.
    """

    base_url: str
    key: str = field(repr=False)
    stop: Callable[[], None] = field(repr=False)


def embedded(
    *,
    seed: int = SEED,
    agents: int = AGENTS,
    data: str | Path | None = None,
    engine: str | Respondent | Sequence[str | Respondent] | None = None,
    engine_url: str | None = None,
    knowledge: Knowledge | str | Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> Embedded:
    """Start the embedded service as :func:`local` does."""
    if not 1_000 <= agents <= 10_000_000:
        raise UsageError(f"agents must be 1,000 to 10,000,000, not {agents:,}.")
    settings = ServiceSettings.from_environment(engine=engine, engine_url=engine_url, knowledge=knowledge)
    from voxpop.engines import registry
    from voxpop.engines.survey_file import opened_survey

    registry.check(settings.engine, *settings.others)
    survey = opened_survey(settings.knowledge)
    from voxpop.fieldwork.progress import progress as progress_line
    from voxpop.records import audit, keys
    from voxpop.records.signing import key_of_machine
    from voxpop.service.app import create_app
    from voxpop.service.server import start_server
    from voxpop.service.state import open_service

    folder = Path(data).expanduser() if data is not None else Path(tempfile.mkdtemp(prefix="voxpop-"))
    leftovers = [] if data is not None else [folder]
    try:
        with progress_line() as say:
            state = open_service(
                folder,
                agents=agents,
                seed=seed,
                home=home(),
                settings=replace(
                    settings, knowledge=survey, signing_key=key_of_machine(home()), **_UNLIMITED
                ),
                progress=progress or say,
            )
    except BaseException:
        _remove(leftovers)
        raise
    with state.database.begin() as connection:
        organization = keys.organization_id(connection, _ORGANIZATION)
        if organization is None:
            organization = keys.create_organization(connection, _ORGANIZATION, actor=audit.SERVICE)
        key = keys.create_key(connection, organization, _SCOPES, actor=audit.SERVICE)
    server = start_server(create_app(state))

    def stop() -> None:
        server.stop()
        with state.database.begin() as connection:
            keys.revoke(connection, key[:16], actor=audit.SERVICE)
        state.close()
        _remove(leftovers)

    return Embedded(server.base_url, key, stop)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Disable garbage collection: importing a service creates many objects but no garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
