"""Personal data is masked before anything reads the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, ArgumentTypeError, StateError
from laya.hooks.builtin.detectors import DETECTORS, Detector, spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from laya.hooks import PredictContext

SCRATCH: Final = "laya.redact"
"""Key in `ctx.scratch` of the counts by name."""


class Redact:
    """Masks e-mail addresses, IBANs, card numbers, IP addresses and phone numbers in the states of a call.

    States are rebuilt, never changed in place; keys of dicts are kept as they are. It works on `on_route` too, so
    that routing sees masked text. Whole numbers that are valid card numbers are masked as well. The number of masks
    by name is in `ctx.scratch["laya.redact"]`. Questions are the developer's own text and stay.

    A hook that cannot mask must stop the call: keep `hooks_raise=True`.

    Args:
        patterns: more to mask, name to regular expression; they win over the shipped ones where both match.
        replacement: what takes the place: a text in which `{name}` stands for the upper-case name, or a function of
            (name, matched text).
        detect: names of the shipped detectors to use: "email", "iban", "card", "ip", "phone".

    Raises:
        ArgumentError: a pattern is no regular expression or matches empty text, or a name is unknown.
        ArgumentTypeError: `replacement` is neither a text nor callable.
    """

    def __init__(
        self,
        patterns: Mapping[str, str | re.Pattern[str]] | None = None,
        replacement: str | Callable[[str, str], str] = "[{name}]",
        *,
        detect: str | Iterable[str] = tuple(DETECTORS),
    ) -> None:
        if not isinstance(replacement, str) and not callable(replacement):
            raise ArgumentTypeError(f"replacement must be a text or a function of (name, text), got {replacement!r}")
        own = [Detector(name, _compile(name, pattern)) for name, pattern in (patterns or {}).items()]
        names = (detect,) if isinstance(detect, str) else detect
        self._detectors = (*own, *(_shipped(name) for name in names))
        self._replacement = replacement

    def on_route(self, ctx: PredictContext) -> None:
        """Mask before the request is routed."""
        self._apply(ctx)

    def on_predict_start(self, ctx: PredictContext) -> None:
        """Mask before the request is read."""
        self._apply(ctx)

    def mask(self, value: Any, counts: Counter[str] | None = None) -> Any:
        """A copy of a state with everything that is found masked.

        Args:
            value: a text, JSON value or conversation.
            counts: where to count the masks by name.

        Raises:
            RecursionError: the value contains itself or is nested too deeply.
        """
        found: Counter[str] = Counter() if counts is None else counts
        if isinstance(value, str):
            return self._mask_text(value, found)
        if isinstance(value, Mapping):
            return {key: self.mask(item, found) for key, item in value.items()}
        if isinstance(value, list):
            return [self.mask(item, found) for item in value]
        if isinstance(value, tuple):
            return tuple([self.mask(item, found) for item in value])
        if isinstance(value, int) and not isinstance(value, bool):
            return self._mask_number(value, found)
        return value

    def _apply(self, ctx: PredictContext) -> None:
        counts: Counter[str] = Counter()
        if isinstance(ctx.states, (list, tuple)):
            ctx.states = [self._mask_state(i, state, counts) for i, state in enumerate(ctx.states)]
        else:
            ctx.states = self._mask_state(0, ctx.states, counts)
        total = Counter(ctx.scratch.get(SCRATCH, {}))
        total.update(counts)
        ctx.scratch[SCRATCH] = dict(total)

    def _mask_state(self, index: int, state: Any, counts: Counter[str]) -> Any:
        try:
            return self.mask(state, counts)
        except RecursionError:
            raise StateError(
                f"state {index} contains itself or is nested too deeply to be redacted; flatten it", index=index
            ) from None

    def _mask_text(self, text: str, counts: Counter[str]) -> str:
        parts: list[str] = []
        done = 0
        for start, end, name in spans(text, self._detectors):
            counts[name] += 1
            parts += [text[done:start], self._replace(name, text[start:end])]
            done = end
        return "".join([*parts, text[done:]]) if parts else text

    def _mask_number(self, value: int, counts: Counter[str]) -> int | str:
        # Twenty digits hold every card number; a larger number would only cost time.
        if not 0 < value < 10**20:
            return value
        masked = self._mask_text(str(value), counts)
        return value if masked == str(value) else masked

    def _replace(self, name: str, text: str) -> str:
        if isinstance(self._replacement, str):
            return self._replacement.replace("{name}", name.upper())
        return self._replacement(name, text)


def _compile(name: str, pattern: Any) -> re.Pattern[str]:
    try:
        compiled: re.Pattern[Any] = re.compile(pattern)
    except (re.error, TypeError) as exc:
        raise ArgumentError(f"pattern {name!r} is no regular expression for text: {exc}") from exc
    if isinstance(compiled.pattern, bytes):
        raise ArgumentError(f"pattern {name!r} is a pattern of bytes; states are text, so write it as a str")
    if compiled.match(""):
        raise ArgumentError(f"pattern {name!r} matches empty text, which would mask between all letters; anchor it")
    return compiled


def _shipped(name: str) -> Detector:
    if name not in DETECTORS:
        raise ArgumentError(f"there is no detector {name!r}; the shipped ones are {', '.join(DETECTORS)}")
    return DETECTORS[name]
