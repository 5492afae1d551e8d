"""A runtime without weights."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from laya.agent import Agent
from laya.calibration import Temperatures
from laya.decode import Calibration
from laya.encoding import JointLayout, ReaderLayout, TextEncoder
from laya.engine import Layout, Model
from laya.errors import ClosedError
from laya.loading import Loaded
from laya.request import Forward, OptionLayout, PairBatch, QuestionBatch, QuestionTokens
from laya.runtime.base import Capabilities

if TYPE_CHECKING:
    from collections.abc import Callable

    from laya.request import Batch, FloatArray, IntArray, PackedBatch

_SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WIDTH: Final = 16
_READER: Final = {"layers": 0, "pooling": "mean", "normalise": True, "tau": [8.0, 8.0, 8.0], "noul_bias": 0.0}


class FakeRuntime:
    """Answers from a checksum of the tokens: the same row gives the same numbers in any batch, process and machine.

    Args:
        score: logit of an option from its own tokens and those of the whole row; by default a checksum of both.

    Attributes:
        batches: packed batches that were run, for tests that count forward passes.
    """

    def __init__(self, score: Callable[[IntArray, IntArray], float] | None = None) -> None:
        self._score = score or _checksum_score
        self._closed = False
        self.batches: list[PackedBatch] = []

    @property
    def capabilities(self) -> Capabilities:
        """A fake of every layout."""
        return Capabilities("fake", "cpu", "fp32", ("sequential", "parallel", "reader"))

    def forward(self, batch: Batch) -> Forward:
        """Score every marker, and give every token a vector that depends on its id and its row alone.

        Reader layers score an option by its vector and that of the state.
        """
        if self._closed:
            raise ClosedError("this fake runtime is closed")
        if isinstance(batch, QuestionBatch):
            tokens, options = batch.hidden, batch.option
            return Forward(question=QuestionTokens(tokens, tokens, tokens, tokens, markers=options, paired=options))
        if isinstance(batch, PairBatch):
            return Forward(scores=np.sin(batch.markers + batch.paired * batch.state_vector).sum(axis=1))
        self.batches.append(batch)
        scores = np.zeros(len(batch.out_index), dtype=np.float32)
        for row in range(batch.rows):
            ids = batch.input_ids[batch.row_starts[row] : batch.row_starts[row + 1]]
            first, last = batch.out_starts[row], batch.out_starts[row + 1]
            markers = batch.out_index[first + 1 : last] - batch.row_starts[row]
            ends = np.append(markers[1:], markers[-1:] + 8)
            for i, (start, end) in enumerate(zip(markers, ends, strict=True)):
                scores[first + 1 + i] = self._score(ids[start:end], ids)
        act = np.zeros((batch.rows, 1), dtype=np.float32)
        return Forward(scores=scores, act=act, hidden=_vectors(batch.input_ids))

    def close(self) -> None:
        """Refuse further forwards."""
        self._closed = True


def _checksum_score(option: IntArray, row: IntArray) -> float:
    return zlib.crc32(option.tobytes() + np.sort(row).tobytes()) / 2**32 * 4.0 - 2.0


def _vectors(ids: IntArray) -> FloatArray:
    angles = np.outer(ids + 1.0, np.arange(1, _WIDTH + 1))
    return np.sin(angles).astype(np.float32)


def fake_encoder() -> TextEncoder:
    """A byte-level tokenizer that can write any text; one token a byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: i for i, token in enumerate([*_SPECIAL, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(_SPECIAL))
    return TextEncoder.from_tokenizer(
        tokenizer, cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]", pad_token="[PAD]"
    )


def fake_agent(
    *,
    layout: OptionLayout = "sequential",
    runtime: FakeRuntime | None = None,
    max_len: int = 2048,
    head_max_len: int = 1024,
    **hooks: Any,
) -> Agent:
    """An agent on a `FakeRuntime`.

    Args:
        layout: "sequential", "parallel" or "reader".
        runtime: the runtime, where a test wants to look into it.
        max_len: budget of a row in tokens, which are bytes here.
        head_max_len: budget of the question half.
        hooks: the hook options of `Agent`: hooks, on_predict_start, on_predict_end, hooks_raise, hooks_timeout,
            hooks_concurrent.
    """
    engine = runtime or FakeRuntime()
    encoder = fake_encoder()
    chosen: Layout = ReaderLayout(encoder, _READER, engine) if layout == "reader" else JointLayout(encoder, layout)
    model = Model(
        name="fake",
        layout=chosen,
        runtime=engine,
        max_len=max_len,
        head_max_len=head_max_len,
        max_positions=1 << 16,
    )
    config = {"option_layout": layout, "encoder": "fake", "head_layers": 0}
    loaded = Loaded(model, Calibration(Temperatures(), {}), config, lambda: "fake")
    return Agent(loaded, **hooks)
