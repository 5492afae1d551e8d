"""States: whatever the caller wants judged, as text."""

from __future__ import annotations

from laya.state.render import render_state

__all__ = ["render_state"]
