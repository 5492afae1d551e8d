"""Text to token ids: a read-only wrapper of the Rust tokenizer that lets no user text become a control token."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from tokenizers import Tokenizer

from laya.errors import CheckpointError, CheckpointNotFoundError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from laya.request import IntArray

ROLES: Final = ("cls", "sep", "mask", "pad")
LFS_PREFIX: Final = b"version https://git-lfs"
UNKNOWN_TOKENS: Final = frozenset({"[UNK]", "<unk>"})
NEVER: Final = "(?!)"


class TextEncoder:
    """Turns texts into token ids, without special tokens, truncation or padding.

    Every text is user text: whatever it says, its ids hold no control token (all special tokens but "unknown").
    Nothing is changed after construction, so one encoder serves any number of threads without a lock. Make one with
    `from_directory` or `from_tokenizer`.

    Attributes:
        cls_id: id that starts a row.
        sep_id: id that ends the instructions, the options and the state.
        mask_id: id of the marker in front of an option.
        pad_id: id that means nothing.
        mask_token: text of the marker token.
        control_ids: ids that user text can never produce.
    """

    def __init__(self, tokenizer: Tokenizer, tokens: dict[str, str], unk_token: str | None, path: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        ids = {role: _token_id(tokenizer, role, tokens.get(role), path) for role in ROLES}
        self._tokenizer = tokenizer
        self.cls_id, self.sep_id, self.mask_id, self.pad_id = (ids[role] for role in ROLES)
        self.mask_token = tokens["mask"]
        harmless = UNKNOWN_TOKENS | {unk_token, getattr(tokenizer.model, "unk_token", None)}
        added = tokenizer.get_added_tokens_decoder()
        special = {i: t.content for i, t in added.items() if t.special and t.content not in harmless}
        control = special | {ids[role]: tokens[role] for role in ROLES}
        self.control_ids: frozenset[int] = frozenset(control)
        # A lone space stays: it is what the others are replaced by.
        texts = sorted(set(control.values()) - {" ", ""})
        self._control = re.compile(_any_of(texts) if texts else NEVER)

    @classmethod
    def from_directory(cls, path: str | os.PathLike[str]) -> TextEncoder:
        """Read the tokenizer of a checkpoint; nothing is written.

        Args:
            path: folder with `tokenizer.json` and `tokenizer_config.json` (the texts of the control tokens;
                `special_tokens_map.json` fills in what it leaves out).

        Raises:
            CheckpointNotFoundError: the folder or a file is missing.
            CheckpointError: a file cannot be read, or a control token is not named or not in the vocabulary.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise CheckpointNotFoundError(
                f"tokenizer folder not found: {str(folder)!r}; a checkpoint needs one that holds tokenizer.json",
                path=str(folder),
            )
        config = _read_json(folder / "tokenizer_config.json")
        fallback = folder / "special_tokens_map.json"
        if fallback.is_file():
            config = _read_json(fallback) | {key: value for key, value in config.items() if value is not None}
        tokens = {role: _token_text(config.get(f"{role}_token")) for role in ROLES}
        named = {role: text for role, text in tokens.items() if text is not None}
        return cls(_read_tokenizer(folder / "tokenizer.json"), named, _token_text(config.get("unk_token")), str(folder))

    @classmethod
    def from_tokenizer(
        cls,
        tokenizer: Tokenizer,
        *,
        cls_token: str = "[CLS]",  # noqa: S107  these are token texts, not passwords
        sep_token: str = "[SEP]",  # noqa: S107  as above
        mask_token: str = "[MASK]",  # noqa: S107  as above
        pad_token: str = "[PAD]",  # noqa: S107  as above
        unk_token: str | None = None,
    ) -> TextEncoder:
        """Wrap a copy of a `tokenizers.Tokenizer` made by the caller, whose own object stays as it is.

        Raises:
            CheckpointError: a control token is not in the vocabulary.
        """
        tokens = {"cls": cls_token, "sep": sep_token, "mask": mask_token, "pad": pad_token}
        return cls(Tokenizer.from_str(tokenizer.to_str()), tokens, unk_token, "the given tokenizer")

    @property
    def vocab_size(self) -> int:
        """Number of ids, added tokens included."""
        return int(self._tokenizer.get_vocab_size())

    def neutralise(self, text: str) -> str:
        """Replace the text of every control token by one space, until none is left."""
        while True:
            cleaned = self._control.sub(" ", text)
            if cleaned == text:
                return text
            text = cleaned

    def encode(self, texts: Sequence[str]) -> list[IntArray]:
        """Token ids of each text, of any length, free of control tokens (`neutralise` is applied first)."""
        if not texts:
            return []
        cleaned = [self.neutralise(text) for text in texts]
        encodings = self._tokenizer.encode_batch_fast(cleaned, add_special_tokens=False)
        return [self._user_ids(encoding.ids) for encoding in encodings]

    def _user_ids(self, ids: list[int]) -> IntArray:
        # A vocabulary piece or a match after normalisation can still be a control id.
        if not self.control_ids.isdisjoint(ids):
            ids = [i for i in ids if i not in self.control_ids]
        return np.array(ids, dtype=np.int64)

    def __repr__(self) -> str:
        return f"TextEncoder(vocab_size={self.vocab_size}, mask_token={self.mask_token!r})"


def _any_of(texts: Sequence[str]) -> str:
    """Regular expression for any of `texts` (sorted), longest first; a trie, so thousands stay fast."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(text[:1], []).append(text)
    optional = groups.pop("", None) is not None
    branches = []
    for group in groups.values():
        first, last = group[0], group[-1]
        # What the first and the last of a sorted group share, all of it shares.
        n = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        rest = [text[n:] for text in group]
        branches.append(re.escape(first[:n]) + ("" if rest == [""] else _any_of(rest)))
    return f"(?:{'|'.join(branches)}){'?' if optional else ''}"


def _token_text(value: object) -> str | None:
    """Text of a special token entry, which is a string or a dict with "content"."""
    content = value.get("content") if isinstance(value, dict) else value
    return content if isinstance(content, str) and content else None


def _token_id(tokenizer: Tokenizer, role: str, text: str | None, path: str) -> int:
    if text is None:
        raise CheckpointError(f"{path}: no {role}_token is named; add {role}_token to tokenizer_config.json", path=path)
    token_id: int | None = tokenizer.token_to_id(text)
    if token_id is None:
        raise CheckpointError(
            f"{path}: the {role}_token {text!r} is not in the vocabulary; name a token that tokenizer.json holds",
            path=path,
        )
    return token_id


def _read_bytes(file: Path) -> bytes:
    try:
        data = file.read_bytes()
    except FileNotFoundError as exc:
        raise CheckpointNotFoundError(f"tokenizer file not found: {str(file)!r}", path=str(file)) from exc
    except OSError as exc:
        raise CheckpointError(f"{file}: cannot be read ({exc})", path=str(file)) from exc
    if data.startswith(LFS_PREFIX):
        raise CheckpointError(
            f"{file}: is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`", path=str(file)
        )
    return data


def _read_json(file: Path) -> dict[str, Any]:
    data = _read_bytes(file)
    try:
        value = json.loads(data)
    except ValueError as exc:
        raise CheckpointError(f"{file}: is not valid JSON ({exc})", path=str(file)) from exc
    if not isinstance(value, dict):
        raise CheckpointError(f"{file}: must hold a JSON object, got {type(value).__name__}", path=str(file))
    return value


def _read_tokenizer(file: Path) -> Tokenizer:
    data = _read_bytes(file)
    try:
        return Tokenizer.from_buffer(data)
    except Exception as exc:  # the Rust library raises nothing narrower
        raise CheckpointError(f"{file}: is not a tokenizer file that can be read ({exc})", path=str(file)) from exc
