"""The playground: static files of ours under a policy that lets the page reach this server and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response
    from starlette.types import Scope

_POLICY: Final = (
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"),
    *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    # no text can become markup, whatever the scripts of the page do
    *("require-trusted-types-for 'script'", "trusted-types 'none'"),
)

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "; ".join(_POLICY),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""Headers of every file; a browser asks each time, so that the files of two versions never mix."""


class Playground(StaticFiles):
    """The files of the playground."""

    def __init__(self) -> None:
        super().__init__(directory=Path(__file__).parent / "playground", html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with the headers; see `HEADERS`."""
        response = await super().get_response(path, scope)
        response.headers.update(HEADERS)
        return response
