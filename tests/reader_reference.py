"""A tiny checkpoint with reader layers, and the reader written down plainly to compare the engine with."""

from __future__ import annotations

import json
import math

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from laya.encoding import TextEncoder, encode_states, pack_rows, unpack
from laya.model.checkpoint import Checkpoint
from laya.questions import parse_questions
from laya.request import EncodedRow
from laya.runtime.onnx import OnnxRuntime
from tiny import BERT, write_checkpoint

SPECIAL = {"cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]", "pad": "[PAD]", "unk": "[UNK]"}
TRUNK = BERT | {"vocab_size": 300, "max_position_embeddings": 512}
READER = {
    "layers": 2, "heads": 3, "width": 24, "ffn": 40, "taps": [1, 2], "tau": [3.0, 5.0, 7.0],
    "pooling": "mean", "normalise": True, "compare": True, "gate": True,
}  # fmt: skip
ERF = np.vectorize(math.erf)


def write_reader(path, *, encoder_config=TRUNK, tensors=None, dtype=np.float32, **reader):
    """Write a checkpoint of the reader layout with random weights; one token is one byte."""
    write_checkpoint(
        path, encoder_config=encoder_config, tensors=tensors, dtype=dtype, option_layout="reader",
        reader=READER | reader, head_layers=0, act_costs={}, max_len=256, head_max_len=128,
    )  # fmt: skip
    write_tokenizer(path / "tokenizer")
    return path


def write_tokenizer(folder):
    """A tokenizer with one token per byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {token: i for i, token in enumerate([*SPECIAL.values(), *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab, [], unk_token=SPECIAL["unk"]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL.values()))
    tokenizer.save(str(folder / "tokenizer.json"))
    names = {f"{role}_token": token for role, token in SPECIAL.items()}
    (folder / "tokenizer_config.json").write_text(json.dumps(names))


class Reference:
    """The reader in float64, one (question, state) pair at a time; only the trunk's states come from the engine."""

    def __init__(self, path):
        self.config = json.loads((path / "rl_agent_config.json").read_text())["reader"]
        self.tensors = {name: value.astype(np.float64) for name, value in load_file(path / "model.safetensors").items()}
        self.encoder = TextEncoder.from_directory(path / "tokenizer")
        self.prefix = self.encoder.encode([self.config.get("prefix", "")])[0].tolist()
        self.text = slice(1 + len(self.prefix), -1)
        self.trunk = OnnxRuntime(Checkpoint.open(path), threads=1)

    def logits(self, definition, state):
        """Logits in canonical order."""
        (question,) = parse_questions({"q": definition})
        canonical = {question.order[slot]: slot for slot in range(question.k)}
        s, s_vector = self.read_ids(encode_states(self.encoder, [state])[0].ids)
        instructions, i_vector = self.read(question.instructions)
        if question.type == "noul":
            texts = [text or None for text in question.descriptions]
        elif question.type == "score":
            texts = list(question.names)
        else:
            texts = [
                name if text is None else f"{text} ({name})"
                for name, text in zip(question.names, question.descriptions, strict=True)
            ]
        assert sorted(canonical) == list(range(len(texts)))
        options = [(None, i_vector) if text is None else self.read(text) for text in texts]
        x, asked, groups, markers = self.sequence(question, instructions[self.text], options, s_vector)
        scores = self.run(x, asked, groups, markers, s)
        tau = self.config["tau"][question.type_index] * (question.type != "noul" or None not in texts)
        share = self.config.get("residual", [1, 1, 1])[question.type_index]
        return [tau * (vector @ s_vector) + share * score for (_, vector), score in zip(options, scores, strict=True)]

    def read(self, text):
        return self.read_ids(self.encoder.encode([text])[0])

    def read_ids(self, ids):
        """Hidden states with CLS and SEP, and the unit vector of their last tap."""
        ids = np.array([self.encoder.cls_id, *self.prefix, *ids.tolist(), self.encoder.sep_id])
        nothing = np.zeros(0, np.int64)
        row = EncodedRow(ids, np.arange(len(ids)), np.zeros(len(ids), np.int64), nothing, 0, 0)
        ((batch,),) = ([*pack_rows([row], [0])],)
        ((_, output),) = unpack(batch, self.trunk.forward(batch))
        hidden = output.hidden.astype(np.float64)
        mean = hidden[:, -hidden.shape[1] // len(self.config["taps"]) :].mean(axis=0)
        return hidden, mean / np.linalg.norm(mean)

    def sequence(self, question, instructions, options, s):
        """Rows of one pair, rows of its question alone, the option of each (0: none), and which are markers."""
        t = self.tensors
        segments = {"choice": [1] * question.k, "score": [2] * question.k, "noul": [3, 4]}[question.type]
        kinds = {"choice": [0] * question.k, "score": [1] * question.k, "noul": [2, 3]}[question.type]
        rows = [self.linear("input", h) + t["reader.segment.weight"][0] for h in instructions]
        groups = [0] * len(rows)
        for j, (hidden, _) in enumerate(options):
            for h in [] if hidden is None else hidden[self.text]:
                rows.append(self.linear("input", h) + t["reader.segment.weight"][segments[j]])
                groups.append(j + 1)
        asked = list(rows)
        markers = [False] * len(rows)
        for j, (_, o) in enumerate(options):
            a, b = ((vector - t["reader.centre"]) * t["reader.scale"] for vector in (o, s))
            r = j / max(1, question.k - 1)
            place = [1 - r, r, 4 * r * (1 - r)] if question.type == "score" else [0, 0, 0]
            mean, spread = t["reader.usual"]
            marker = t["reader.marker.weight"][kinds[j]] + self.linear("option", a)
            asked.append(marker)
            marker = marker + self.linear("match", self.linear("pair_option", a) * self.linear("pair_state", b))
            rows.append(marker + self.linear("rank", np.array([(o @ s - mean) / spread, *place])))
            groups.append(j + 1)
            markers.append(True)
        return np.stack(rows), np.stack(asked), np.array(groups), np.array(markers)

    def run(self, x, asked, groups, markers, state):
        s = self.norm("state_norm", self.linear("input", state) + self.tensors["reader.segment.weight"][5])
        sees = np.zeros((len(x), len(x)), bool)
        for i in range(len(x)):
            for j in range(len(x)):
                if markers[j]:
                    sees[i, j] = markers[i]
                else:
                    sees[i, j] = groups[j] in (0, groups[i])
        gate = 1.0
        if self.config.get("gate"):
            first = self.look(asked, "layers.0", sees)[markers]
            gate = np.tanh(self.linear("gate", self.norm("gate_norm", first))[:, 0])
        for layer in range(self.config["layers"]):
            name = f"layers.{layer}"
            x = self.look(x, name, sees)
            q = self.linear(f"{name}.cross_q", self.norm(f"{name}.norm2", x))
            k, v = np.split(self.linear(f"{name}.cross_kv", s), 2, axis=1)
            mixed = self.attend(q, k, v, np.ones((len(x), len(s)), bool))
            x = x + self.linear(f"{name}.cross_out", mixed)
            if self.config.get("compare"):
                x = x + self.linear(f"{name}.compare", q * mixed)
            inner = self.linear(f"{name}.up", self.norm(f"{name}.norm3", x))
            x = x + self.linear(f"{name}.down", 0.5 * inner * (1 + ERF(inner / math.sqrt(2))))
        return gate * self.linear("scorer", self.norm("norm", x[markers]))[:, 0]

    def look(self, x, name, sees):
        """Self-attention of a layer."""
        q, k, v = np.split(self.linear(f"{name}.self_in", self.norm(f"{name}.norm1", x)), 3, axis=1)
        return x + self.linear(f"{name}.self_out", self.attend(q, k, v, sees))

    def attend(self, q, k, v, sees):
        size = q.shape[1] // self.config["heads"]
        parts = []
        for start in range(0, q.shape[1], size):
            head = slice(start, start + size)
            z = np.where(sees, q[:, head] @ k[:, head].T / math.sqrt(size), -np.inf)
            p = np.exp(z - z.max(axis=1, keepdims=True))
            parts.append(p / p.sum(axis=1, keepdims=True) @ v[:, head])
        return np.concatenate(parts, axis=1)

    def linear(self, name, value):
        return value @ self.tensors[f"reader.{name}.weight"].T + self.tensors[f"reader.{name}.bias"]

    def norm(self, name, value):
        centred = value - value.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(value.var(axis=-1, keepdims=True) + 1e-5)
        return scaled * self.tensors[f"reader.{name}.weight"] + self.tensors[f"reader.{name}.bias"]
