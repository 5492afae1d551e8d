"""`python -m laya` is the command line."""

from __future__ import annotations

from laya.cli.app import main

if __name__ == "__main__":
    raise SystemExit(main())
