"""The vocabulary of a request: what flows from questions and states to answers.

Each noun says who fills it. `questions` makes `Question`; `encoding` makes `Head`, `EncodedState`, `EncodedRow`
and the batches; `runtime` makes `Forward`; `encoding` turns it into `Scores`; `calibration` and `decode` turn those
into the plain dicts that callers see (`laya.types`). This module imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]

QuestionType = Literal["choice", "score", "noul"]
OptionLayout = Literal["sequential", "parallel", "reader"]
GraphPart = Literal["rows", "question", "pairs"]
"""The graphs of a checkpoint: encoder and decision head, or trunk; reader on a question; reader on pairs."""
TYPE_INDEX: Final[dict[str, int]] = {"choice": 0, "score": 1, "noul": 2}


@dataclass(frozen=True, slots=True)
class Question:
    """One validated question. Filled by `questions`; canonical order is the order of the caller's criteria."""

    id: str | int
    type: QuestionType
    instructions: str
    labels: tuple[Any, ...]
    """choice: the caller's label objects; score: the level numbers 0..k-1; noul: (False, True)."""
    options: tuple[str, ...]
    """Text of each option as the published checkpoints read it ("label: description", "level 0: low", ...)."""
    names: tuple[str, ...]
    """Label text of each option alone: str(label), the level's text, or the noul label ("false", "true")."""
    descriptions: tuple[str | None, ...]
    """Rendered description of each option, None where the caller gave none."""
    order: tuple[int, ...]
    """order[slot] = canonical index of the option shown in that slot (`option_order`, or identity)."""
    key: Any = field(default=None, compare=False)
    """Hashable content of the definition (id excluded), or None when it cannot be cached."""

    @property
    def k(self) -> int:
        """Number of options."""
        return len(self.options)

    @property
    def type_index(self) -> int:
        """Row of the type embedding and of the temperature list: choice 0, score 1, noul 2."""
        return TYPE_INDEX[self.type]


@dataclass(frozen=True, slots=True)
class Budget:
    """Token budget of a call. Filled by the agent from the config, the call and the start hooks; both positive."""

    max_len: int
    head_max_len: int


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The question half of a row under a budget. Filled by the layout, once per question content and budget."""

    question: Question
    ids: IntArray
    """[H] CLS, instructions, SEP, (MASK option)*, SEP. Reader layout: empty."""
    markers: IntArray
    """[k] index in `ids` of the MASK of each slot, in slot order."""
    positions: IntArray
    """[H] position id of each token."""
    options: IntArray
    """[H] 0 for shared tokens, s+1 for the tokens of slot s (parallel layout; zeros otherwise)."""
    state_position: int
    """Position id of the first state token."""
    tokens: int
    """Tokens of the question that the encoder reads (once cached, reading costs nothing but still counts)."""
    instruction_dropped: int = 0
    options_dropped: int = 0
    options_distinct: int = 0
    """Number of different option token sequences after cuts."""
    tokens_per_option: int | None = None
    """Tokens that each slot was cut to, None when the budget sufficed."""
    payload: Any = None
    """Reader layout: what trunk and reader said of the instructions and of the options; it has `nbytes`."""

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays in memory."""
        arrays = (self.ids, self.markers, self.positions, self.options)
        return sum(array.nbytes for array in arrays) + getattr(self.payload, "nbytes", 0)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedState:
    """One tokenised state, uncut. Filled by the encoder."""

    index: int
    ids: IntArray
    keep_tail: bool
    """A conversation (list) keeps its last tokens when it must be cut, anything else its first."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedRow:
    """One token sequence for the encoder. Filled by the layout: a (state, question) pair, or one text (reader)."""

    ids: IntArray
    positions: IntArray
    options: IntArray
    markers: IntArray
    """Tokens whose score is wanted; empty for a text row."""
    type_index: int
    state_used: int
    """Tokens of the state that are in `ids`."""

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class PackedBatch:
    """Rows concatenated without padding, plus where each token attends. Filled by `encoding.pack`.

    T tokens in all, P attention packs of L slots. A slot sees the slots of the same pack with the same `row`; under
    the parallel layout an option's token additionally sees only shared tokens and those of its own option.
    """

    part: ClassVar[GraphPart] = "rows"
    row_numbers: tuple[int, ...]
    """Caller's number of each row, in the order in which the rows lie in the batch."""
    row_starts: IntArray
    """[R+1] first token of each row, and T."""
    input_ids: IntArray
    """[T]"""
    position_ids: IntArray
    """[T] position inside the row."""
    type_ids: IntArray
    """[T] question type of the token's row, 0..2."""
    row: npt.NDArray[np.int32]
    """[P, L] row of each slot, unique within a pack; -1 = empty slot."""
    option: npt.NDArray[np.int32]
    """[P, L] 0 for shared tokens, s+1 for option s, 0 in empty slots."""
    pack_index: IntArray
    """[P, L] token of each slot; 0 in empty slots."""
    unpack_index: IntArray
    """[T] slot p*L + c of each token."""
    out_index: IntArray
    """[N] tokens wanted, row after row: the row's first token (CLS), then its markers."""
    out_starts: IntArray
    """[R+1] first entry of each row in `out_index`, and N."""

    @property
    def rows(self) -> int:
        """Number of rows R."""
        return len(self.row_numbers)


@dataclass(frozen=True, slots=True, eq=False)
class QuestionBatch:
    """The texts of one question, for the part of the reader that needs no state. Filled by `encoding.reader_pairs`.

    T tokens, k markers, P blocks. In a block L slots ask and K slots are seen; a token sees the tokens of its block
    that belong to the instructions or to its own option.
    """

    part: ClassVar[GraphPart] = "question"
    hidden: FloatArray
    """[T, D * taps] what the trunk says of the tokens, CLS and SEP left out."""
    segment: IntArray
    """[T] kind of text: 0 instructions, 1 choice option, 2 level, 3 denial, 4 statement."""
    option: FloatArray
    """[k, D] unit vector of each marker's text."""
    kind: IntArray
    """[k] kind of marker: 0 choice, 1 score, 2 false, 3 true."""
    key_index: IntArray
    """[P, K] token of each slot that is seen; any in empty slots."""
    key_option: npt.NDArray[np.int32]
    """[P, K] 0 instructions, n option n, `encoding.reader_blocks.EMPTY` in empty slots."""
    query_index: IntArray
    """[P, L] token of each slot that asks; any in empty slots."""
    query_option: npt.NDArray[np.int32]
    """[P, L] as `key_option`."""
    query_place: IntArray
    """[T] slot p*L + c of each token among those that ask."""

    @property
    def rows(self) -> int:
        """Number of tokens."""
        return len(self.segment)


@dataclass(frozen=True, slots=True, eq=False)
class PairBatch:
    """(state, question) pairs for the reader. Filled by `encoding.reader_pairs`.

    Rows are the tokens of all pairs and then the M markers of all pairs. A row sees as in a `QuestionBatch`; a marker
    sees what its option's tokens see, and all markers of its pair. Every row sees all tokens of its state: for that,
    the rows that ask stand in G groups, one for each state.
    """

    part: ClassVar[GraphPart] = "pairs"
    tokens: FloatArray
    """[T, d] see `QuestionTokens`, as are `query`, `key`, `value` [T, d] and `markers` [M, d]."""
    query: FloatArray
    key: FloatArray
    value: FloatArray
    markers: FloatArray
    paired: FloatArray
    """[M, D] see `QuestionTokens`."""
    state_vector: FloatArray
    """[M, D] unit vector of each marker's state."""
    cosine: FloatArray
    """[M, 1] cosine of the marker's text with its state."""
    place: FloatArray
    """[M, 3] place of a level in its scale; 0 for other markers."""
    key_index: IntArray
    """[P, K] row of each slot that is seen; any in empty slots."""
    key_option: npt.NDArray[np.int32]
    """[P, K] 0 instructions, n option n, -n marker of option n, `EMPTY` in empty slots."""
    query_index: IntArray
    """[P, L] row of each slot that asks."""
    query_option: npt.NDArray[np.int32]
    """[P, L] as `key_option`."""
    query_place: IntArray
    """[T + M] slot p*L + c of each row."""
    marker_index: IntArray
    """[P, J] marker (0 to M-1) of each slot, for layers where markers alone ask."""
    marker_option: npt.NDArray[np.int32]
    """[P, J] as `key_option`."""
    marker_place: IntArray
    """[M] slot p*J + c of each marker."""
    state_hidden: FloatArray
    """[S, D * taps] what the trunk says of all tokens of the states, CLS and SEP included."""
    state_index: IntArray
    """[G, N] token of the state in each slot, -1 in empty slots."""
    visit_index: IntArray
    """[G, V] row of each slot that asks the state; any in empty slots."""
    visit_place: IntArray
    """[T + M] slot g*V + c of each row."""
    marker_visit_index: IntArray
    """[G, W] marker of each slot that asks the state, for layers where markers alone ask."""
    marker_visit_place: IntArray
    """[M] slot g*W + c of each marker."""

    @property
    def rows(self) -> int:
        """Number of tokens and markers."""
        return len(self.query_place)


Batch = PackedBatch | QuestionBatch | PairBatch


@dataclass(frozen=True, slots=True, eq=False)
class QuestionTokens:
    """What the reader keeps of a question, whatever the state. Filled by a runtime for a `QuestionBatch`."""

    tokens: FloatArray
    """[T, d] tokens after the first self-attention."""
    query: FloatArray
    """[T, d] their first queries to the state."""
    key: FloatArray
    """[T, d] keys of the first self-attention, for the markers."""
    value: FloatArray
    """[T, d] values of the first self-attention."""
    markers: FloatArray
    """[k, d] what each marker starts from."""
    paired: FloatArray
    """[k, D] what is multiplied with the state's part, to see what the two have in common."""


@dataclass(frozen=True, slots=True, eq=False)
class Forward:
    """What a runtime returns for a batch.

    For a PackedBatch, joint layouts fill `scores` and `act`, a trunk fills `hidden`; for a QuestionBatch `question` is
    filled, for a PairBatch `scores`.
    """

    scores: FloatArray | None = None
    """[N] logit of each entry of `out_index` (the entries of CLS tokens are meaningless), or [M] of each marker."""
    act: FloatArray | None = None
    """[R, A] action logits of each row."""
    hidden: FloatArray | None = None
    """[T, D] last hidden state of every token, [T, D * taps] for a trunk whose reader sees several layers."""
    question: QuestionTokens | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Raw outcome of one (state, question). Filled by the layout."""

    logits: FloatArray
    """[k] in slot order."""
    act: FloatArray
    """[A] action logits; A = 1 where a checkpoint has no action costs or no action head."""


@dataclass(frozen=True, slots=True, eq=False)
class RowOutput:
    """What the runtime said of one row. Filled by `encoding.unpack`."""

    logits: FloatArray
    """[k] one per marker, in slot order; empty for a text row."""
    act: FloatArray
    """[A] action logits of the row; empty for a text row."""
    hidden: FloatArray
    """[n, D], or [n, D * taps], hidden states of the row's tokens; [0, 0] from a decision runtime."""
