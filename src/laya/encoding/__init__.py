"""States and questions to token rows, rows to batches."""

from __future__ import annotations

from laya.encoding.budget import check_budget
from laya.encoding.joint import JointLayout
from laya.encoding.pack import pack_rows, unpack
from laya.encoding.reader import ReaderLayout
from laya.encoding.states import encode_states
from laya.encoding.tokenizer import TextEncoder

__all__ = [
    "JointLayout",
    "ReaderLayout",
    "TextEncoder",
    "check_budget",
    "encode_states",
    "pack_rows",
    "unpack",
]
