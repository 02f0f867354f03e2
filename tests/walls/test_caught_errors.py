"""Errors that hide faults of the program are caught only in the places listed here, each for a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import voxpop
import voxpop_simulator

PACKAGE = Path(voxpop.__file__).parent
SIMULATOR = Path(voxpop_simulator.__file__).parent
FAULTS = {
    "BaseException",
    "Exception",
    "AssertionError",
    "AttributeError",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "RuntimeError",
    "TypeError",
}
"""What Python raises for a mistake in a program; an error of voxpop's own is never one of these."""

Place = tuple[str, str, str]
_FILE = "what stands in a file that anybody may have changed; it becomes an error that names the file"
_CALLER = "a caller's own value of any type; it becomes an error that names the value"
_THREAD = "the boundary of a thread: logged, and the work item is found again"
_LIBRARY = "the library raises many kinds for malformed responses; it becomes trouble of the call"
_CLEANS_UP = "lets go of what was opened, and raises the error again"

ALLOWED: dict[Place, str] = {
    ("survey/choosing.py", "_number", "TypeError ValueError"): _CALLER,
    ("analysis/prices.py", "_ladder", "TypeError ValueError"): _CALLER,
    ("analysis/rows.py", "scale_of", "TypeError ValueError"): _CALLER,
    ("checking.py", "_forms", "pass"): "data that this table cannot be made of; another part may be",
    ("client/checks.py", "whole_number", "TypeError"): _CALLER,
    ("client/jsonrows.py", "_columns", "pass"): "msgspec's own error; the next reader of the row is tried",
    (
        "client/transport.py",
        "_retry_after",
        "ValueError TypeError",
    ): "a header in any form",
    ("connecting.py", "embedded", "BaseException"): _CLEANS_UP,
    ("engines/engine.py", "_takes", "TypeError"): _CALLER,
    ("engines/registry.py", "_loaded", "ImportError AttributeError"): (
        "an entry point of another package; it becomes an error that names it"
    ),
    ("jobs/apart.py", "_told", "PicklingError TypeError AttributeError"): _CALLER,
    ("jobs/apart.py", "__call__", "pass"): "a process that has ended at once; its status is told below",
    ("jobs/local.py", "_work", "Exception"): _THREAD,
    ("jobs/opening.py", "open_database", "BaseException"): _CLEANS_UP,
    ("jobs/postgres.py", "_say", "pass"): "somebody else has told of the work, so it is looked at again",
    (
        "jobs/postgres.py",
        "_turn",
        "Exception",
    ): _THREAD,
    (
        "jobs/postgres.py",
        "stop",
        "suppress(RuntimeError)",
    ): "the loop has ended meanwhile",
    ("jobs/postgres.py", "_live", "suppress(TimeoutError)"): "the end of a pause",
    ("jobs/postgres.py", "_look_after", "suppress(ProcrastinateException)"): "another worker cleared it away",
    (
        "jobs/runner.py",
        "handle",
        "Exception",
    ): "the boundary of the work: logged, tried again",
    ("population/queries.py", "__init__", "Error KeyError ValueError OSError"): _FILE,
    ("records/database.py", "_copied", "Exception"): "names the copy, and raises an error that has it",
    ("records/database.py", "open", "BaseException"): _CLEANS_UP,
    ("records/together.py", "part", "BaseException"): "marks the transaction as failed, and raises it again",
    (
        "voxpop_simulator/embedded.py",
        "answer",
        "Exception",
    ): "adds the agent's id, and raises it again",
    ("engines/model_caller.py", "make", "pass"): "an answer in the wrong form; the model is asked again",
    ("engines/model_respondent.py", "_pages", "pass"): "a stream of a PDF that is packed in another way",
    (
        "engines/model_prices.py",
        "_listed",
        "LookupError ValueError",
    ): "a model without a listed price",
    ("engines/model_batch_wire.py", "send", "Exception"): _LIBRARY,
    ("engines/model_batches.py", "_await", "Exception"): _LIBRARY,
    ("engines/model_batches.py", "_send_all", "Exception"): _LIBRARY,
    ("engines/model_batches.py", "_take_up", "KeyError TypeError ValueError"): _FILE,
    (
        "engines/model_wire.py",
        "send",
        "Exception",
    ): "the library trips in many ways over what a server sends: logged, and raised as Trouble",
    (
        "service/billing_pages.py",
        "_changed",
        "pass",
    ): "it has ended meanwhile, as the page says",
    ("service/limits.py", "_answer", "Exception"): "the boundary of a call: logged, and answered with a 500",
    ("service/membership.py", "_uuid_of", "pass"): "there is no group to name; the error is raised below",
    ("tables/bulk.py", "batch_of", "ArrowException TypeError ValueError OverflowError"): (
        "rows in an unusual form; the slower reader takes them one by one and names what is wrong"
    ),
    ("tables/manifest.py", "entries", "KeyError TypeError AttributeError"): _FILE,
    ("tables/migrating.py", "_migrate", "BaseException"): _CLEANS_UP,
    ("tables/opening.py", "open_export", "OSError ValueError KeyError TypeError ArrowException Error"): _FILE,
    ("tables/results.py", "read_results", "OSError ValueError KeyError TypeError"): _FILE,
    ("tables/results.py", "read_spec", "OSError ValueError KeyError TypeError"): _FILE,
    ("tables/store.py", "__init__", "BaseException"): _CLEANS_UP,
    ("tables/store.py", "_writing", "BaseException"): _CLEANS_UP,
    ("tables/store.py", "_writing", "suppress(Error)"): "a rollback after an error, which is raised again",
    ("tables/writing.py", "watched", "Exception"): "keeps the error that DuckDB would reword, and raises it",
    ("tables/writing.py", "held_short", "suppress(FatalException)"): (
        "the limit of a connection that an error has ended; the error itself is raised"
    ),
    ("tables/attested.py", "keep", "KeyError TypeError ValueError"): _FILE,
    ("tables/attested.py", "read_statement", "ValueError KeyError TypeError"): _FILE,
    (
        "tables/deriving.py",
        "check",
        "OSError ValueError KeyError TypeError ArrowException Error VoxpopError",
    ): _FILE,
    (
        "tables/manifest.py",
        "read",
        "suppress(OSError)",
    ): "a folder that cannot be restored is told as missing",
    (
        "tables/signature.py",
        "check",
        "OSError ValueError KeyError TypeError AttributeError StoreError ArrowException",
    ): _FILE,
    ("tables/trust.py", "fingerprint_of", "OSError ValueError KeyError TypeError"): _FILE,
    ("tables/trust.py", "known", "OSError ValueError KeyError TypeError AttributeError"): _FILE,
    ("validation/benchmarks.py", "_human", "TypeError ValueError OverflowError"): _CALLER,
    ("validation/item_tables.py", "_figures", "TypeError ValueError"): _CALLER,
    ("verbatims/answers.py", "_ordered", "TypeError"): "ids of several types, which are ordered as text",
    ("widgets/ask_running.py", "_load", "pass"): "what is left of a quota is an aside of the panel",
    ("widgets/keeping.py", "kept", "OSError ValueError KeyError TypeError"): _FILE,
    ("widgets/worker.py", "_run", "pass"): "the worker's own signal to stop",
}


def caught() -> Iterator[Place]:
    """Yield file, function and errors of every handler that could hide a fault, and of every silent one."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from _in(ast.parse(path.read_text(encoding="utf-8")), path.relative_to(PACKAGE).as_posix(), "")
    for path in sorted(SIMULATOR.rglob("*.py")):
        name = path.relative_to(SIMULATOR.parent).as_posix()
        yield from _in(ast.parse(path.read_text(encoding="utf-8")), name, "")


def _in(node: ast.AST, file: str, function: str) -> Iterator[Place]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = node.name
    if isinstance(node, ast.ExceptHandler):
        errors = _names(node.type)
        if FAULTS & set(errors):
            yield file, function, " ".join(errors)
        elif all(isinstance(line, ast.Pass | ast.Continue) for line in node.body):
            yield file, function, "pass"
    if isinstance(node, ast.Call) and _names(node.func) == ["suppress"]:
        errors = [name for argument in node.args for name in _names(argument)]
        yield file, function, f"suppress({' '.join(errors)})"
    for child in ast.iter_child_nodes(node):
        yield from _in(child, file, function)


def _names(node: ast.AST | None) -> list[str]:
    if node is None:
        return ["BaseException"]
    if isinstance(node, ast.Tuple):
        return [name for each in node.elts for name in _names(each)]
    return [node.id if isinstance(node, ast.Name) else getattr(node, "attr", "?")]


def test_faults_are_caught_only_where_the_list_gives_a_reason() -> None:
    found = set(caught())
    assert found - ALLOWED.keys() == set(), "narrow it, or list it with the reason"
    assert ALLOWED.keys() - found == set(), "the list names a handler that is gone"
