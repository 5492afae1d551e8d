import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

from laya.encoding import TextEncoder
from laya.errors import CheckpointError, CheckpointNotFoundError

NAMED = {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>", "pad_token": "<pad>", "unk_token": "<unk>"}


def word_tokenizer(*, normalized=False, extra=()):
    """Whole words, lower-cased, with RoBERTa-like control tokens."""
    texts = [*NAMED.values(), "<|tool|>", "<|tool|>x", *extra]
    vocab = {text: i for i, text in enumerate([*texts, "a", "b", "mask", "s"])}
    tokenizer = Tokenizer(models.WordLevel(vocab, unk_token=NAMED["unk_token"]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens([AddedToken(text, normalized=normalized, special=True) for text in texts])
    return tokenizer


def write(folder, tokenizer=None, config=NAMED):
    (tokenizer or word_tokenizer()).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


def test_reads_the_control_tokens_of_a_directory_and_writes_nothing(tmp_path):
    config = NAMED | {
        "mask_token": {"content": "<mask>", "lstrip": True},
        "tokenizer_class": "TokenizersBackend",
        "extra_special_tokens": ["<|tool|>"],
        "bos_token": "<other>",
    }
    write(tmp_path, config=config)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    encoder = TextEncoder.from_directory(tmp_path)
    assert (encoder.cls_id, encoder.sep_id, encoder.mask_id, encoder.pad_id) == (0, 1, 2, 3)
    assert encoder.mask_token == NAMED["mask_token"]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_ignores_the_truncation_and_padding_of_the_file(tmp_path):
    tokenizer = word_tokenizer()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=8, pad_id=3, pad_token=NAMED["pad_token"])
    encoder = TextEncoder.from_directory(write(tmp_path, tokenizer))
    assert [len(ids) for ids in encoder.encode(["a b a b a", "", "a"])] == [5, 0, 1]
    assert encoder.encode(["a"])[0].dtype == np.int64


def test_the_callers_tokenizer_keeps_its_settings():
    tokenizer = word_tokenizer()
    tokenizer.enable_truncation(2)
    named = {role: text for role, text in NAMED.items() if role != "unk_token"}
    assert len(TextEncoder.from_tokenizer(tokenizer, **named).encode(["a b a"])[0]) == 3
    assert tokenizer.truncation["max_length"] == 2


def test_unknown_words_stay_and_no_text_costs_nothing(tmp_path):
    encoder = TextEncoder.from_directory(write(tmp_path))
    assert encoder.encode(["zebra <unk>"])[0].tolist() == [4, 4]
    assert encoder.encode([]) == []


def test_special_tokens_map_fills_in_what_the_config_leaves_out(tmp_path):
    write(tmp_path, config={"cls_token": None, "sep_token": "</s>"})
    (tmp_path / "special_tokens_map.json").write_text(json.dumps(NAMED | {"sep_token": "<s>"}))
    encoder = TextEncoder.from_directory(tmp_path)
    assert (encoder.cls_id, encoder.sep_id) == (0, 1)


@pytest.mark.parametrize("role", ["cls", "sep", "mask", "pad"])
def test_a_control_token_that_is_not_named_is_named_in_the_error(tmp_path, role):
    write(tmp_path, config={key: value for key, value in NAMED.items() if key != f"{role}_token"})
    with pytest.raises(CheckpointError, match=f"no {role}_token is named") as caught:
        TextEncoder.from_directory(tmp_path)
    assert caught.value.path == str(tmp_path)


def test_a_control_token_outside_the_vocabulary_is_refused(tmp_path):
    write(tmp_path, config=NAMED | {"mask_token": "<nope>"})
    with pytest.raises(CheckpointError, match="mask_token '<nope>' is not in the vocabulary"):
        TextEncoder.from_directory(tmp_path)


def test_missing_folder_and_files_are_named(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match=r"tokenizer folder not found: .*absent"):
        TextEncoder.from_directory(tmp_path / "absent")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        write(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(FileNotFoundError, match=name):
            TextEncoder.from_directory(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        ("tokenizer_config.json", "version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        ("tokenizer.json", "{", "not a tokenizer file"),
        ("tokenizer_config.json", "{", "not valid JSON"),
        ("tokenizer_config.json", "[]", "must hold a JSON object, got list"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content, reason):
    write(tmp_path)
    (tmp_path / name).write_text(content)
    with pytest.raises(CheckpointError, match=reason) as caught:
        TextEncoder.from_directory(tmp_path)
    assert caught.value.path == str(tmp_path / name)


def test_control_text_becomes_one_space(encoder):
    assert encoder.neutralise("a[MASK]b [SEP]") == "a b  "
    assert encoder.neutralise("[MA[MASK]SK]") == "[MA SK]"
    assert encoder.neutralise("[UNK] [mask]") == "[UNK] [mask]"


def test_the_longest_control_text_wins():
    named = {role: text for role, text in NAMED.items() if role != "unk_token"}
    encoder = TextEncoder.from_tokenizer(word_tokenizer(extra=("a a",)), **named)
    assert encoder.neutralise("<|tool|>x") == " "
    assert encoder.neutralise("<|tool|>y") == " y"
    assert encoder.neutralise("aa aa") == " "  # what a replacement forms is replaced too


def test_a_match_after_normalisation_is_dropped():
    named = {role: text for role, text in NAMED.items() if role != "unk_token"}
    tokenizer = word_tokenizer(normalized=True)
    assert 2 in tokenizer.encode("a <MASK> b").ids
    ids = TextEncoder.from_tokenizer(tokenizer, **named).encode(["a <MASK> b"])[0]
    assert ids.tolist() == tokenizer.encode("a b").ids


def test_a_vocabulary_piece_that_is_a_control_token_is_dropped():
    pieces = [
        ("[UNK]", 0.0),
        ("[CLS]", -1.0),
        ("[SEP]", -1.0),
        ("[MASK]", -1.0),
        ("[PAD]", -1.0),
        ("a", -2.0),
        ("[", -2),
    ]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0))
    tokenizer.normalizer = normalizers.Replace("~", "")
    assert tokenizer.encode("a[M~ASK]a").ids == [5, 3, 5]
    assert TextEncoder.from_tokenizer(tokenizer).encode(["a[M~ASK]a"])[0].tolist() == [5, 5]


PARTS = st.sampled_from(["[MASK]", "[SEP]", "[CLS]", "[PAD]", "[UNK]", "[", "]", "MASK", "M", "ASK]", " ", "é", "\0"])


@settings(deadline=None)
@given(st.lists(st.one_of(PARTS, st.text(max_size=5)), max_size=20).map("".join))
def test_no_control_token_survives_any_text(encoder, text):
    clean = encoder.neutralise(text)
    assert encoder.neutralise(clean) == clean
    assert not any(token in clean for token in ("[MASK]", "[SEP]", "[CLS]", "[PAD]"))
    (ids,) = encoder.encode([text])
    assert encoder.control_ids.isdisjoint(ids.tolist())
    assert np.array_equal(ids, encoder.encode([clean])[0])
    if clean == text and "[UNK]" not in text:
        assert len(ids) == len(text.encode())


def test_threads_share_one_encoder(encoder):
    texts = [f"text number {i} " * (i % 7) for i in range(40)]
    alone = [encoder.encode([text])[0].tolist() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: encoder.encode([text])[0].tolist(), texts))
    assert together == alone
