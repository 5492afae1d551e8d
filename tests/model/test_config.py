import json

import pytest

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.config import read_config, read_encoder_config
from tiny import BERT, MODERNBERT, write_configs


def test_defaults_of_the_published_format(tmp_path):
    write_configs(tmp_path, head_layers=2, act_costs=None, max_len=None, head_max_len=None)
    config = read_config(tmp_path)
    assert (config.n_act, config.max_len, config.head_max_len) == (1, 512, 192)
    assert config.temperature == (1.0, 1.0, 1.0)
    assert config.temperature_by_options == {}
    assert config.option_layout == "sequential"
    assert config.reader is None


def test_values_are_kept_raw(tmp_path):
    write_configs(
        tmp_path, temperature=[0.01, "1.5", float("nan")], temperature_by_options={"noul:2": 9}, note="kept", max_len=40
    )
    config = read_config(tmp_path)
    assert config.temperature[:2] == (0.01, "1.5")
    assert config.temperature_by_options == {"noul:2": 9}
    assert config.raw["note"] == "kept"
    assert config.n_act == 2
    assert hash(config)


def test_reader_settings_belong_to_the_reader_layout(tmp_path):
    settings = {"pooling": "mean"}
    assert read_config(write_configs(tmp_path / "a", option_layout="reader", reader=settings)).reader == settings
    assert read_config(write_configs(tmp_path / "b", reader=settings)).reader is None


def test_missing_config(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match=r"does not contain 'rl_agent_config\.json'") as caught:
        read_config(tmp_path)
    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.path.endswith("rl_agent_config.json")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"  \n", "the file is empty"),
        (b"{oops", "as JSON"),
        (b"\xff\xfe{", "as JSON"),
        (b"[" * 100_000, "as JSON"),
        (b"[1]", "wanted a JSON object, got list"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
    ],
)
def test_a_broken_file_is_named_with_the_reason(tmp_path, content, reason):
    file = tmp_path / "rl_agent_config.json"
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=reason) as caught:
        read_config(tmp_path)
    assert "rl_agent_config.json" in str(caught.value)
    assert caught.value.path == str(file)


def test_a_byte_order_mark_is_no_problem(tmp_path):
    write_configs(tmp_path)
    file = tmp_path / "rl_agent_config.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_config(tmp_path).max_len == 48


@pytest.mark.parametrize("key", ["encoder", "head_layers"])
def test_missing_keys(tmp_path, key):
    write_configs(tmp_path, **{key: None})
    with pytest.raises(CheckpointError, match=f"Incompatible model config for .*: missing configuration keys .'{key}'"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_len", "256"),
        ("max_len", 0),
        ("max_len", True),
        ("head_max_len", 12.5),
        ("head_layers", -1),
        ("head_layers", "2"),
        ("encoder", 5),
        ("act_costs", 3),
        ("temperature_by_options", [1]),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(tmp_path, key, value):
    write_configs(tmp_path, **{key: value})
    with pytest.raises(CheckpointError) as caught:
        read_config(tmp_path)
    assert f"{key} must be" in str(caught.value)
    assert repr(value) in str(caught.value)


def test_null_instead_of_an_object(tmp_path):
    write_configs(tmp_path)
    file = tmp_path / "rl_agent_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"temperature_by_options": None}))
    with pytest.raises(CheckpointError, match="temperature_by_options must be an object, got None"):
        read_config(tmp_path)


@pytest.mark.parametrize("value", [[1.0, 2.0], 1.0, [1.0, 2.0, "hot"], [1.0, 2.0, True], [1.0, 2.0, [3.0]], {}])
def test_temperature_must_be_three_numbers(tmp_path, value):
    write_configs(tmp_path, temperature=value)
    with pytest.raises(CheckpointError, match=r"Incompatible model: .* temperature must be a list of 3 floats, got"):
        read_config(tmp_path)


@pytest.mark.parametrize("value", ["diagonal", 5, ["parallel"]])
def test_option_layout(tmp_path, value):
    write_configs(tmp_path, option_layout=value)
    with pytest.raises(CheckpointError, match="option_layout must be one of sequential, parallel, reader, got"):
        read_config(tmp_path)


def test_bert(tmp_path):
    config = read_encoder_config(write_configs(tmp_path, encoder_config=BERT))
    assert (config.model_type, config.head_size, config.type_vocab_size) == ("bert", 16, 2)
    assert config.sliding == ()


def test_modernbert_of_today(tmp_path):
    rope = {"full_attention": {"rope_theta": 5.0}, "sliding_attention": {"rope_theta": 6, "rope_type": "default"}}
    config = read_encoder_config(write_configs(tmp_path, encoder_config=MODERNBERT | {"rope_parameters": rope}))
    assert (config.rope_theta, config.rope_theta_local) == (5.0, 6.0)
    assert config.sliding == (False, True, True)
    assert not config.norm_bias


@pytest.mark.parametrize(
    ("given", "thetas"),
    [
        ({}, (160000.0, 10000.0)),
        ({"global_rope_theta": 7, "local_rope_theta": 8}, (7.0, 8.0)),
        ({"global_rope_theta": 7, "local_rope_theta": None}, (7.0, 7.0)),
        ({"rope_parameters": {"rope_theta": 9, "rope_type": "default"}}, (9.0, 9.0)),
    ],
)
def test_modernbert_of_yesterday(tmp_path, given, thetas):
    older = {key: value for key, value in MODERNBERT.items() if key != "layer_types"} | {"num_hidden_layers": 7}
    config = read_encoder_config(write_configs(tmp_path, encoder_config=older | given))
    assert (config.rope_theta, config.rope_theta_local) == thetas
    assert config.sliding == (False, True, True, False, True, True, False)


@pytest.mark.parametrize(
    ("encoder", "reason"),
    [
        (BERT | {"model_type": "t5"}, "model_type must be one of bert, modernbert"),
        (BERT | {"hidden_act": "silu"}, "hidden_act must be one of gelu, relu"),
        (BERT | {"hidden_size": "64"}, "hidden_size must be a positive integer"),
        (BERT | {"num_attention_heads": 3}, "num_attention_heads must be a divisor"),
        (BERT | {"position_embedding_type": "relative_key"}, "position_embedding_type must be one of absolute"),
        (MODERNBERT | {"layer_types": ["full_attention"]}, "layer_types must be a list of 3"),
        (MODERNBERT | {"layer_types": "full_attention"}, "layer_types must be a list of 3"),
        (MODERNBERT | {"norm_bias": 1}, "norm_bias must be true or false"),
        (MODERNBERT | {"norm_eps": 0}, "norm_eps must be a positive number"),
        (MODERNBERT | {"rope_parameters": [1]}, "rope_parameters must be an object"),
        (MODERNBERT | {"rope_parameters": {"rope_theta": 1, "rope_type": "yarn"}}, "rope_type 'default'"),
        (MODERNBERT | {"rope_parameters": {"full_attention": 3}}, "rope_theta for full_attention"),
        (MODERNBERT | {"hidden_size": 30, "num_attention_heads": 2}, "is even"),
    ],
)
def test_encoders_that_cannot_run(tmp_path, encoder, reason):
    with pytest.raises(CheckpointError, match=reason) as caught:
        read_encoder_config(write_configs(tmp_path, encoder_config=encoder))
    assert "encoder/config.json" in caught.value.path.replace("\\", "/")


def test_missing_encoder_config(tmp_path):
    write_configs(tmp_path)
    (tmp_path / "encoder" / "config.json").unlink()
    with pytest.raises(CheckpointNotFoundError, match=r"encoder/config\.json"):
        read_encoder_config(tmp_path)
