"""Bodies: strict JSON within limits, whatever the encoding."""

import contextlib
import gzip
import json
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from laya.server.bodies import parse
from laya.server.errors import WireError
from server_builders import Running, body, client

ENCODERS = {
    "identity": lambda raw: raw,
    "zstd": lambda raw: zstandard.ZstdCompressor().compress(raw),
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_what_json_writes_is_read(value):
    raw = json.dumps(value, ensure_ascii=False).encode()
    assert parse(raw, 64) == value
    assert parse(b"\xef\xbb\xbf" + raw, 64) == value


@given(st.binary(max_size=64))
def test_no_bytes_raise_anything_but_a_refusal(raw):
    with contextlib.suppress(WireError):
        parse(raw, 8)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is not JSON"),
        (b'{"a": ', "is not JSON"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": [-Infinity]}', "-Infinity is not JSON"),
        (b'{"a": {"d": 1, "d": 2}}', "the key 'd' is there twice"),
        (b'{"a": "\\ud800"}', r"lone surrogate '\ud800'"),
        (b'{"\\udfff": 1}', "lone surrogate"),
        (b'{"a": "\xe9"}', "is not UTF-8: byte 7"),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8"),
        (b"[" * 70 + b"]" * 70, "nests deeper than 64 levels"),
        (b"[" * 9000 + b"]" * 9000, "nests deeper than 64 levels"),
        (b"9" * 5000, "cannot be read"),
    ],
)
def test_what_is_not_strict_json_is_refused(raw, message):
    with pytest.raises(WireError) as caught:
        parse(raw, 64)
    assert caught.value.status == 422
    assert message in caught.value.message


def test_a_pair_of_surrogates_is_a_character():
    assert parse(b'"\\ud83d\\ude00"', 4) == "\N{GRINNING FACE}"


def test_depth_is_counted():
    assert parse(b'[[{"a": 1}]]', 3) == [[{"a": 1}]]
    with pytest.raises(WireError):
        parse(b'[[{"a": [1]}]]', 3)


@pytest.mark.parametrize("encoding", list(ENCODERS))
def test_a_compressed_body_is_answered_alike(encoding):
    raw = json.dumps(body(state="I was charged twice. " * 100)).encode()
    headers = {"content-encoding": encoding, "content-type": "application/json"}
    with client() as api:
        plain = api.post("/v1/systemone", content=raw)
        packed = api.post("/v1/systemone", content=ENCODERS[encoding](raw), headers=headers)
    assert packed.status_code == plain.status_code == 200
    assert packed.json() == plain.json()


def test_bare_deflate_streams_are_read_too():
    packer = zlib.compressobj(wbits=-15)
    raw = packer.compress(json.dumps(body()).encode()) + packer.flush()
    with client() as api:
        assert api.post("/v1/systemone", content=raw, headers={"content-encoding": "deflate"}).status_code == 200


@pytest.mark.parametrize("encoding", ["zstd", "gzip", "deflate"])
def test_a_bomb_is_refused(encoding):
    raw = ENCODERS[encoding](b" " * 50_000_000)
    with client() as api:
        refused = api.post("/v1/systemone", content=raw, headers={"content-encoding": encoding})
    assert refused.status_code == 413
    assert refused.json()["error"]["code"] == "body_too_large"


@pytest.mark.parametrize("encoding", ["zstd", "gzip", "deflate"])
@pytest.mark.parametrize("damage", [lambda raw: b"junk" + raw, lambda raw: raw[: len(raw) // 2]])
def test_a_damaged_stream_is_refused(encoding, damage):
    raw = damage(ENCODERS[encoding](json.dumps(body(state="x" * 3000)).encode()))
    with client() as api:
        refused = api.post("/v1/systemone", content=raw, headers={"content-encoding": encoding})
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["type"] == "invalid_json"


def test_unknown_encodings_and_files_are_refused():
    with client() as api:
        unknown = api.post("/v1/systemone", content=b"x", headers={"content-encoding": "br"})
        files = api.post("/v1/systemone", files={"request": b"{}"})
    assert (unknown.status_code, files.status_code) == (415, 415)
    assert "use deflate, gzip" in unknown.json()["detail"]["message"]


@pytest.mark.parametrize("declared", [True, False])
def test_a_large_body_is_refused(declared):
    raw = b'{"state": "' + b"x" * 3_000_000 + b'"}'
    with client() as api:
        refused = api.post("/v1/systemone", content=raw if declared else iter([raw[:1_500_000], raw[1_500_000:]]))
    assert refused.status_code == 413
    assert "2097152" in refused.json()["detail"]["message"]


def test_a_slow_body_is_given_up():
    with Running(body_read_timeout=0.2) as server:
        sock = server.connect()
        sock.sendall(b"POST /v1/systemone HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        answer = sock.makefile("rb").read()
        sock.close()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive within 0.2 s" in answer
