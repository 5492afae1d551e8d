"""Fixtures of the server's tests; without the extra `server` there is nothing to test here."""

import pytest

pytest.importorskip("starlette")
