"""Exceptions as data: one finite chain per call, and reports that cannot fail a call."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING

from laya.hooks.protocol import hook_name

if TYPE_CHECKING:
    from typing import NoReturn

logger = logging.getLogger("laya.hooks")


def walk(exc: BaseException) -> list[BaseException]:
    """Follow `__context__` from an exception to the far end; a cycle is left where it would begin again."""
    nodes: list[BaseException] = []
    seen: set[int] = set()
    node: BaseException | None = exc
    while node is not None and id(node) not in seen:
        seen.add(id(node))
        nodes.append(node)
        node = node.__context__
    return nodes


def join(failures: list[BaseException], original: list[BaseException]) -> BaseException | None:
    """Make one finite chain of everything that failed in a call.

    Args:
        failures: what hooks failed with, in order.
        original: what the call itself failed with, which hooks may not mask, with its chain as it was before the
            hooks ran (`walk`); empty while only hooks have failed.

    Returns:
        The exception to raise, with everything else down its `__context__` chain: the first interrupt of a hook
        (KeyboardInterrupt, SystemExit, ...), else the original, else the first failure; None if nothing failed.
    """
    nodes = original.copy()
    interrupt = next((failure for failure in failures if not isinstance(failure, Exception)), None)
    if interrupt is not None:
        known = {id(node) for node in original}
        own = [node for node in walk(interrupt)[1:] if id(node) not in known]
        nodes = [interrupt, *own, *(node for node in original if node is not interrupt)]
    for failure in failures:
        _extend(nodes, failure)
    if not nodes:
        return None
    _link(nodes)
    return nodes[0]


def chain(original: BaseException, later: BaseException) -> None:
    """Append an exception at the far end of another's `__context__` chain.

    The chain stays finite, keeps the causes the original had, and holds each exception once.
    """
    nodes = walk(original)
    _extend(nodes, later)
    _link(nodes)


def _extend(nodes: list[BaseException], later: BaseException) -> None:
    known = {id(node) for node in nodes}
    nodes += [node for node in walk(later) if id(node) not in known]


def _link(nodes: list[BaseException]) -> None:
    # Every link is set again: a hook may have re-raised the original while it was handling something else.
    for node, following in zip(nodes, [*nodes[1:], None], strict=True):
        node.__context__ = following


def reraise(exc: BaseException) -> NoReturn:
    """Raise an exception with the chain it has, also while the caller is handling another one."""
    context = exc.__context__
    try:
        raise exc  # noqa: TRY301  # raised here to be able to mend what `raise` does to it
    except BaseException:
        exc.__context__ = context  # what the caller is handling had taken its place
        raise


def report(hook: object, event: str, exc: BaseException) -> None:
    """Report the failure of a hook under the lenient policy: a log record and a RuntimeWarning, never an exception."""
    text = f"laya: hook {hook_name(hook, event)} failed: {_text(exc)}"
    try:
        logger.warning(text, exc_info=exc, extra={"hook": hook_name(hook, event), "event": event})
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    except Exception:  # a filter that turns warnings into errors, or a broken log handler
        logger.debug("the failure of a hook could not be reported as a warning", exc_info=True)


def _text(exc: BaseException) -> str:
    try:
        return str(exc)
    except Exception:
        return type(exc).__name__
