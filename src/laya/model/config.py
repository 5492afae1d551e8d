"""The two config files of a checkpoint, read once and turned into checked values.

`rl_agent_config.json` becomes `CheckpointConfig`, `encoder/config.json` becomes `EncoderConfig`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.files import read_json_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from laya.request import OptionLayout

CONFIG_FILE: Final = "rl_agent_config.json"
ENCODER_CONFIG_FILE: Final = "encoder/config.json"
OPTION_LAYOUTS: Final[tuple[OptionLayout, ...]] = ("sequential", "parallel", "reader")
ENCODER_TYPES: Final = ("bert", "modernbert")
ACTIVATIONS: Final = ("gelu", "relu")
_REQUIRED: Final = ("encoder", "head_layers")


@dataclass(frozen=True, slots=True)
class CheckpointConfig:
    """Content of `rl_agent_config.json`. Filled by `read_config`.

    Attributes:
        encoder: name of the encoder that the checkpoint was trained from; for display only.
        head_layers: number of transformer layers of the decision head, 0 for none.
        n_act: width of the action head, 1 where no action has a cost.
        max_len: tokens of a whole sequence.
        head_max_len: tokens of the question half.
        temperature: three raw values by type (choice, score, noul); `calibration` clamps them.
        temperature_by_options: raw values by bucket ("choice:3-5", ...).
        option_layout: how question and state become token sequences.
        reader: settings of the reader layout, None for the other layouts.
        raw: the whole file.
    """

    encoder: str
    head_layers: int
    n_act: int
    max_len: int
    head_max_len: int
    temperature: tuple[Any, Any, Any]
    option_layout: OptionLayout
    temperature_by_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    reader: Mapping[str, Any] | None = field(default=None, hash=False)
    raw: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """Content of `encoder/config.json` that the graph depends on. Filled by `read_encoder_config`.

    Attributes:
        model_type: "bert" or "modernbert".
        hidden_size: width D of the hidden states.
        heads: attention heads; they divide D.
        layers: number of encoder layers.
        intermediate: width F of the feed-forward part.
        vocab: rows of the token embedding.
        max_positions: positions that the encoder knows, the upper bound of `max_len`.
        norm_eps: epsilon of the layer norms.
        activation: "gelu" (exact) or "relu".
        type_vocab_size: rows of BERT's token type table, 0 for ModernBERT.
        local_attention: width of ModernBERT's sliding window in tokens; a token sees `local_attention // 2` each way.
        sliding: for each layer, whether it uses the sliding window.
        rope_theta: rotary base of the global layers.
        rope_theta_local: rotary base of the sliding layers.
        attention_bias, mlp_bias, norm_bias: which parts of ModernBERT have biases.
    """

    model_type: str
    hidden_size: int
    heads: int
    layers: int
    intermediate: int
    vocab: int
    max_positions: int
    norm_eps: float
    activation: str
    type_vocab_size: int = 0
    local_attention: int = 0
    sliding: tuple[bool, ...] = ()
    rope_theta: float = 0.0
    rope_theta_local: float = 0.0
    attention_bias: bool = True
    mlp_bias: bool = True
    norm_bias: bool = True

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden_size // self.heads


class _Fields:
    """Typed access to the keys of one JSON object; every failure names the file and the key."""

    def __init__(self, values: Mapping[str, Any], path: Path) -> None:
        self.values = values
        self.path = path

    def fail(self, key: str, wanted: str) -> CheckpointError:
        found = repr(self.values[key]) if key in self.values else "nothing"
        return CheckpointError(f"{str(self.path)!r}: {key} must be {wanted}, got {found}", path=str(self.path))

    def get(self, key: str, default: Any, accept: Callable[[Any], bool], wanted: str) -> Any:
        value = self.values.get(key, default)
        if not accept(value):
            raise self.fail(key, wanted)
        return value

    def positive(self, key: str, default: int | None = None) -> int:
        return int(self.get(key, default, lambda v: _is_int(v) and v > 0, "a positive integer"))

    def number(self, key: str, default: float | None = None) -> float:
        return float(self.get(key, default, lambda v: _is_number(v) and v > 0, "a positive number"))

    def flag(self, key: str, *, default: bool) -> bool:
        return bool(self.get(key, default, lambda v: isinstance(v, bool), "true or false"))

    def one_of(self, key: str, default: str, allowed: tuple[str, ...]) -> str:
        return str(self.get(key, default, lambda v: v in allowed, f"one of {', '.join(allowed)}"))

    def mapping(self, key: str) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", self.get(key, {}, lambda v: isinstance(v, dict), "an object"))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def read_config(directory: Path) -> CheckpointConfig:
    """Read and check `rl_agent_config.json`.

    Raises:
        CheckpointNotFoundError: the directory or the file is missing.
        CheckpointError: the file is unreadable or a value cannot work; the message names the key.
    """
    path = directory / CONFIG_FILE
    if not path.is_file():
        raise CheckpointNotFoundError(
            f"{str(directory)!r} does not contain {CONFIG_FILE!r}; a checkpoint directory holds {CONFIG_FILE}, "
            "model.safetensors, encoder/ and tokenizer/",
            path=str(path),
        )
    values = read_json_object(path)
    missing = [key for key in _REQUIRED if key not in values]
    if missing:
        raise CheckpointError(
            f"Incompatible model config for {str(directory)!r}: missing configuration keys {missing}. "
            f"Add them to {str(path)!r}, or take the file from the checkpoint's publisher",
            path=str(path),
        )
    return _checkpoint_config(_Fields(values, path), directory)


def _checkpoint_config(fields: _Fields, directory: Path) -> CheckpointConfig:
    layout = _option_layout(fields)
    act_costs = fields.get("act_costs", {}, lambda v: isinstance(v, (dict, list)), "an object or a list")
    return CheckpointConfig(
        encoder=fields.get("encoder", None, lambda v: isinstance(v, str), "a string"),
        head_layers=fields.get("head_layers", None, lambda v: _is_int(v) and v >= 0, "an integer from 0 on"),
        n_act=len(act_costs) + 1,
        max_len=fields.positive("max_len", 512),
        head_max_len=fields.positive("head_max_len", 192),
        temperature=_temperature(fields, directory),
        option_layout=layout,
        temperature_by_options=fields.mapping("temperature_by_options"),
        reader=fields.mapping("reader") if layout == "reader" else None,
        raw=fields.values,
    )


def _option_layout(fields: _Fields) -> OptionLayout:
    layout = fields.values.get("option_layout", "sequential")
    if layout not in OPTION_LAYOUTS:
        raise CheckpointError(
            f"option_layout must be one of {', '.join(OPTION_LAYOUTS)}, got {layout!r} in {str(fields.path)!r}",
            path=str(fields.path),
        )
    return cast("OptionLayout", layout)


def _temperature(fields: _Fields, directory: Path) -> tuple[Any, Any, Any]:
    raw = fields.values.get("temperature", [1.0, 1.0, 1.0])
    if not isinstance(raw, list) or len(raw) != 3 or not all(_reads_as_number(value) for value in raw):
        raise CheckpointError(
            f"Incompatible model: {str(directory)!r} temperature must be a list of 3 floats, got {raw!r}; "
            f"correct it in {str(fields.path)!r}",
            path=str(fields.path),
        )
    return raw[0], raw[1], raw[2]


def _reads_as_number(value: object) -> bool:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return _is_number(value)


def read_encoder_config(directory: Path) -> EncoderConfig:
    """Read and check `encoder/config.json`.

    Raises:
        CheckpointNotFoundError: the file is missing.
        CheckpointError: the file is unreadable, describes an unsupported encoder, or a value cannot work.
    """
    path = directory / ENCODER_CONFIG_FILE
    if not path.is_file():
        raise CheckpointNotFoundError(
            f"{str(directory)!r} does not contain {ENCODER_CONFIG_FILE!r}, which describes the encoder; "
            "copy the whole encoder/ folder of the checkpoint",
            path=str(path),
        )
    fields = _Fields(read_json_object(path), path)
    model_type = fields.get(
        "model_type", None, lambda v: v in ENCODER_TYPES, f"one of {', '.join(ENCODER_TYPES)} (the encoders we can run)"
    )
    config = _bert_config(fields) if model_type == "bert" else _modernbert_config(fields)
    if config.hidden_size % config.heads:
        raise fields.fail("num_attention_heads", f"a divisor of hidden_size {config.hidden_size}")
    if model_type == "modernbert" and config.head_size % 2:
        raise fields.fail("num_attention_heads", f"such that hidden_size {config.hidden_size} / heads is even")
    return config


def _bert_config(fields: _Fields) -> EncoderConfig:
    fields.one_of("position_embedding_type", "absolute", ("absolute",))
    return EncoderConfig(
        model_type="bert",
        hidden_size=fields.positive("hidden_size", 768),
        heads=fields.positive("num_attention_heads", 12),
        layers=fields.positive("num_hidden_layers", 12),
        intermediate=fields.positive("intermediate_size", 3072),
        vocab=fields.positive("vocab_size", 30522),
        max_positions=fields.positive("max_position_embeddings", 512),
        norm_eps=fields.number("layer_norm_eps", 1e-12),
        activation=fields.one_of("hidden_act", "gelu", ACTIVATIONS),
        type_vocab_size=fields.positive("type_vocab_size", 2),
    )


def _modernbert_config(fields: _Fields) -> EncoderConfig:
    layers = fields.positive("num_hidden_layers", 22)
    theta, theta_local = _rope_thetas(fields)
    return EncoderConfig(
        model_type="modernbert",
        hidden_size=fields.positive("hidden_size", 768),
        heads=fields.positive("num_attention_heads", 12),
        layers=layers,
        intermediate=fields.positive("intermediate_size", 1152),
        vocab=fields.positive("vocab_size", 50368),
        max_positions=fields.positive("max_position_embeddings", 8192),
        norm_eps=fields.number("norm_eps", 1e-5),
        activation=fields.one_of("hidden_activation", "gelu", ACTIVATIONS),
        local_attention=fields.positive("local_attention", 128),
        sliding=_sliding_layers(fields, layers),
        rope_theta=theta,
        rope_theta_local=theta_local,
        attention_bias=fields.flag("attention_bias", default=False),
        mlp_bias=fields.flag("mlp_bias", default=False),
        norm_bias=fields.flag("norm_bias", default=False),
    )


def _sliding_layers(fields: _Fields, layers: int) -> tuple[bool, ...]:
    kinds = fields.values.get("layer_types")
    if kinds is None:
        every = fields.positive("global_attn_every_n_layers", 3)
        return tuple(bool(layer % every) for layer in range(layers))
    known = ("full_attention", "sliding_attention")
    if not isinstance(kinds, list) or len(kinds) != layers or any(kind not in known for kind in kinds):
        raise fields.fail("layer_types", f"a list of {layers} entries, each one of {', '.join(known)}")
    return tuple(kind == "sliding_attention" for kind in kinds)


def _rope_thetas(fields: _Fields) -> tuple[float, float]:
    """Rotary bases of the global and of the sliding layers, from either of the two spellings in use."""
    parameters = fields.values.get("rope_parameters")
    if parameters is None:
        theta = fields.number("global_rope_theta", 160000.0)
        # An explicit null means "as the global layers"; an absent key has a default of its own.
        local = fields.values.get("local_rope_theta", 10000.0)
        return theta, theta if local is None else fields.number("local_rope_theta", 10000.0)
    if not isinstance(parameters, dict):
        raise fields.fail("rope_parameters", "an object")
    per_type = {kind: parameters.get(kind, parameters) for kind in ("full_attention", "sliding_attention")}
    for kind, entry in per_type.items():
        base = entry.get("rope_theta") if isinstance(entry, dict) else None
        if base is None or not _is_number(base) or base <= 0 or entry.get("rope_type", "default") != "default":
            raise fields.fail("rope_parameters", f"an object with rope_type 'default' and a rope_theta for {kind}")
    return float(per_type["full_attention"]["rope_theta"]), float(per_type["sliding_attention"]["rope_theta"])
