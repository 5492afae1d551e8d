"""Bodies of requests: read in time and within a limit, decompressed within the same limit, parsed strictly."""

from __future__ import annotations

import io
import json
import re
import zlib
from typing import TYPE_CHECKING, Any, Final, NoReturn

import anyio
import zstandard
from starlette.requests import ClientDisconnect

from laya.server.errors import Problem, WireError, invalid

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from laya.server.settings import ServerSettings

_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_WINDOW: Final = 1 << 27
"""Most memory that a zstd frame may ask for, in bytes."""


async def read_json(request: Request, settings: ServerSettings) -> Any:
    """The JSON value in a body.

    Raises:
        WireError: 408 too slow, 413 too large, 415 unknown encoding or multipart, 422 not strict JSON.
        ClientDisconnect: the client hung up.
    """
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise WireError(415, "unsupported_media_type", "send the request as JSON; this server reads no files or images")
    decode = _decoder(request.headers.get("content-encoding", "identity"))
    raw = await _read(request, settings)
    return parse(decode(raw, settings.max_body_bytes), settings.max_depth)


async def _read(request: Request, settings: ServerSettings) -> bytes:
    limit = settings.max_body_bytes
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(f"{declared} bytes", limit)
    chunks = bytearray()
    with anyio.move_on_after(settings.body_read_timeout) as scope:
        async for chunk in request.stream():
            chunks += chunk
            if len(chunks) > limit:
                raise _too_large(f"more than {limit} bytes", limit)
    if scope.cancelled_caught:
        raise WireError(
            408,
            "body_timeout",
            f"the body did not arrive within {settings.body_read_timeout:g} s; send it again",
            headers={"Connection": "close"},
        )
    return bytes(chunks)


def _too_large(what: str, limit: int) -> WireError:
    return WireError(
        413,
        "body_too_large",
        f"the body has {what}, and at most {limit} are read; split the request",
        headers={"Connection": "close"},
    )


def _decoder(encoding: str) -> Callable[[bytes, int], bytes]:
    name = encoding.strip().lower()
    if name not in _DECODERS:
        raise WireError(
            415,
            "unsupported_encoding",
            f"content encoding {name!r} is not known; use {', '.join(sorted(_DECODERS))}",
            headers={"Accept-Encoding": "zstd, gzip, deflate"},
        )
    return _DECODERS[name]


def _identity(raw: bytes, _limit: int) -> bytes:
    return raw


def _zstd(raw: bytes, limit: int) -> bytes:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    with decompressor.stream_reader(io.BytesIO(raw), read_across_frames=True) as reader:
        data = reader.read(limit + 1)
    if len(data) > limit:
        raise _too_large("too many bytes once decompressed", limit)
    if not data and raw:
        raise zstandard.ZstdError("the frame is not complete")
    return data


def _gzip(raw: bytes, limit: int) -> bytes:
    return _inflate(raw, limit, zlib.MAX_WBITS | 16)


def _deflate(raw: bytes, limit: int) -> bytes:
    try:
        return _inflate(raw, limit, zlib.MAX_WBITS)
    except zlib.error:  # some clients send the bare stream, without the zlib header that HTTP asks for
        return _inflate(raw, limit, -zlib.MAX_WBITS)


def _inflate(raw: bytes, limit: int, wbits: int) -> bytes:
    stream = zlib.decompressobj(wbits)
    data = stream.decompress(raw, limit + 1)
    if len(data) > limit:
        raise _too_large("too many bytes once decompressed", limit)
    if not stream.eof:
        raise zlib.error("the stream is not complete")
    return data


def _checked(name: str, decode: Callable[[bytes, int], bytes]) -> Callable[[bytes, int], bytes]:
    def run(raw: bytes, limit: int) -> bytes:
        try:
            return decode(raw, limit)
        except (zlib.error, zstandard.ZstdError) as exc:
            raise _malformed(f"the body is not valid {name}: {exc}") from exc

    return run


_DECODERS: Final = {
    "identity": _identity,
    "zstd": _checked("zstd", _zstd),
    "gzip": _checked("gzip", _gzip),
    "x-gzip": _checked("gzip", _gzip),
    "deflate": _checked("deflate", _deflate),
}


def parse(raw: bytes, max_depth: int) -> Any:
    """A JSON value, strictly: UTF-8, no NaN or Infinity, no key twice, no lone surrogate, not nested too deeply.

    Raises:
        WireError: 422; says what is wrong and where.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise _malformed(f"the body is not UTF-8: byte {exc.start} {exc.reason}") from exc
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except RecursionError as exc:
        raise _malformed(f"the body nests deeper than {max_depth} levels") from exc
    except json.JSONDecodeError as exc:
        raise _malformed(f"the body is not JSON: {exc}") from exc
    except ValueError as exc:
        raise _malformed(f"the body cannot be read: {exc}") from exc
    if _depth_exceeds(value, max_depth):
        raise _malformed(f"the body nests deeper than {max_depth} levels")
    if _SURROGATE.search(raw):
        _refuse_surrogates(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is there twice in one object")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON; use null or a string")


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [
            item
            for outer in level
            if isinstance(outer, (dict, list))
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _refuse_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as exc:
        lone = exc.object[exc.start]
        raise _malformed(
            f"the body holds the lone surrogate {lone!a}, which is no character; decode the text again or replace it"
        ) from exc


def _malformed(message: str) -> WireError:
    return invalid([Problem((), message, "invalid_json")])


__all__ = ["ClientDisconnect", "parse", "read_json"]
