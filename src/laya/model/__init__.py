"""Checkpoints: finding, reading and checking their files, and the graphs that run them."""

from __future__ import annotations
