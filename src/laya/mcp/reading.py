"""From the arguments of a tool to a struct, and from any error to what a client is told of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from mcp.types import CallToolResult, TextContent

from laya.server.bodies import parse
from laya.server.errors import Problem, WireError, invalid, path_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from msgspec import Struct

    from laya.server.errors import Loc
    from laya.server.settings import ServerSettings

Arguments = TypeVar("Arguments", bound="Struct")


def check_size(arguments: Mapping[str, Any], settings: ServerSettings) -> None:
    """Hold arguments that came without HTTP around them to the limits of a body.

    Raises:
        WireError: 413 too large, 422 nested too deeply or not strict JSON.
    """
    raw = json.dumps(arguments, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if len(raw) > settings.max_body_bytes:
        message = f"the arguments have {len(raw)} bytes, and at most {settings.max_body_bytes} are read; split the call"
        raise WireError(413, "body_too_large", message)
    parse(raw, settings.max_depth)


def read_arguments(kind: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """The struct of some arguments.

    Raises:
        WireError: 422 with everything that is missing, unknown or of a wrong type.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    problems = [
        Problem((name,), f"there is no argument {name!r:.80}; this tool takes {', '.join(fields)}", "unknown_argument")
        for name in arguments
        if name not in fields
    ]
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in arguments:
            if field.required:
                problems.append(Problem((name,), f"{name!r} is required", "missing"))
            continue
        try:
            values[name] = msgspec.convert(arguments[name], field.type)
        except msgspec.ValidationError as exc:
            message, _, inside = str(exc).partition(" - at `$")
            where = f" (at {name}{inside.rstrip('`')})" if inside else ""
            problems.append(Problem((name,), f"{message[:1].lower()}{message[1:]}{where}", "invalid_type"))
    if problems:
        raise invalid(problems)
    return kind(**values)


def failed(error: WireError, names: Mapping[str, str], request_id: str) -> CallToolResult:
    """An error as the result of a tool: a JSON text with `code`, `message` and `path`, and every problem if several.

    Args:
        error: what went wrong.
        names: parts of a body, or ids of questions made here, to the argument that each came from.
        request_id: under which the log has it.
    """
    found = [_problem(problem, names) for problem in error.problems]
    first = found[0] if found else {"code": error.code, "message": error.message, "path": error.path}
    told: dict[str, Any] = {**first, "request_id": request_id}
    if len(found) > 1:
        told["problems"] = found
    text = json.dumps({"error": told}, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _problem(problem: Problem, names: Mapping[str, str]) -> dict[str, Any]:
    return {"code": problem.code, "message": problem.message, "path": path_of(_renamed(problem.loc, names))}


def _renamed(loc: Loc, names: Mapping[str, str]) -> Loc:
    if len(loc) > 1 and loc[0] == "questions" and loc[1] in names:
        return (names[str(loc[1])],)
    return (names.get(str(loc[0]), loc[0]), *loc[1:]) if loc else loc
