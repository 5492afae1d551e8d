"""Fixtures of the MCP server's tests; without the extra `mcp` there is nothing to test here."""

import pytest

pytest.importorskip("mcp.server")  # `mcp` alone would find this very folder
