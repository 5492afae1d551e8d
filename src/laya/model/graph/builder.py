"""A small builder over the `onnx` helper API: names, constants, weights, and the operators that the encoders share.

Two dialects produce the same numbers. "fused" uses the `com.microsoft` operators of onnxruntime (OpenVINO reads them
too); "standard" uses plain ONNX operators, for files that any runtime should run. All weights have the torch layout
[out, in].
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from laya.model.graph.weights import rows_of
from laya.model.schema import Shape

OPSET: Final = 17
_IR_VERSION: Final = 9
_MICROSOFT: Final = "com.microsoft"
MASKED: Final = -1e9
"""Added to the attention scores of pairs that must not see each other; their weight becomes exactly zero."""
WeightWriter = Callable[[str, Shape, int], onnx.TensorProto]

INT64: Final = TensorProto.INT64
INT32: Final = TensorProto.INT32
FLOAT: Final = TensorProto.FLOAT
FLOAT16: Final = TensorProto.FLOAT16
BOOL: Final = TensorProto.BOOL


def outside_weight(name: str, shape: Shape, dtype: int) -> onnx.TensorProto:
    """An initializer without its data; the runtime gets the values beside the model."""
    tensor = onnx.TensorProto(name=name, data_type=dtype, dims=shape, data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="weights")
    return tensor


class GraphBuilder:
    """Collects the nodes of one graph. Methods take and return names of tensors.

    Args:
        name: name of the graph.
        weights: name to shape of the weights that the graph may use.
        fused: whether to use the fused operators of onnxruntime.
        half: weights that come as float16 and are widened inside the graph: the engine then owns the wide copy and can
            drop it once it has laid the weights out its own way.
        as_inputs: weights become inputs of the graph instead of initializers.
        writer: makes the initializer of a weight.
    """

    def __init__(
        self,
        name: str,
        weights: Mapping[str, Shape],
        *,
        fused: bool,
        half: Container[str] = (),
        as_inputs: bool = False,
        writer: WeightWriter = outside_weight,
    ) -> None:
        self.fused = fused
        self._name = name
        self._weights = weights
        self._half = half
        self._as_inputs = as_inputs
        self._writer = writer
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._weight_inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._initializers: dict[str, onnx.TensorProto | None] = {}
        self._widened: set[str] = set()
        self._count = 0

    def input(self, name: str, dtype: int, shape: Sequence[str | int]) -> str:
        """Declare an input; axes that vary are named by strings."""
        self._inputs.append(helper.make_tensor_value_info(name, dtype, list(shape)))
        return name

    def output(self, value: str, name: str, dtype: int, shape: Sequence[str | int]) -> None:
        """Declare that a value is the output `name`."""
        self._nodes.append(helper.make_node("Identity", [value], [name], name=name))
        self._outputs.append(helper.make_tensor_value_info(name, dtype, list(shape)))

    def weight(self, name: str) -> str:
        """Use a weight, as float32."""
        wide = f"{name}_wide"
        if name not in self._half:
            return self._declare(name, FLOAT)
        if wide not in self._widened:
            self._widened.add(wide)
            self._nodes.append(helper.make_node("Cast", [self._declare(name, FLOAT16)], [wide], name=wide, to=FLOAT))
        return wide

    def lookup(self, name: str, index: str) -> str:
        """Rows of a table; a float16 table stays so, its rows are widened as they are read."""
        if name not in self._half:
            return self.op("Gather", self._declare(name, FLOAT), index, axis=0)
        return self.op("Cast", self.op("Gather", self._declare(name, FLOAT16), index, axis=0), to=FLOAT)

    def _declare(self, name: str, dtype: int) -> str:
        if name not in self._initializers:
            shape = self._weights[name]
            if self._as_inputs:
                self._initializers[name] = None
                self._weight_inputs.append(helper.make_tensor_value_info(name, dtype, shape))
            else:
                self._initializers[name] = self._writer(name, shape, dtype)
        return name

    def optional_weight(self, name: str) -> str:
        """Use a weight where the checkpoint has it, else the empty name of an absent operand."""
        return self.weight(name) if name in self._weights else ""

    def constant(self, value: npt.ArrayLike, dtype: npt.DTypeLike = np.int64) -> str:
        """A small constant; equal ones are shared."""
        array = np.asarray(value, dtype=dtype)
        name = f"const_{array.dtype}_{'x'.join(map(str, array.shape))}_{'_'.join(map(str, array.ravel().tolist()))}"
        if name not in self._initializers:
            self._initializers[name] = numpy_helper.from_array(array, name)
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output."""
        return self.ops(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def ops(self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any) -> list[str]:
        """Add a node with several outputs."""
        self._count += 1
        names = [f"{kind}_{self._count}{f'_{i}' if i else ''}" for i in range(outputs)]
        operands = list(inputs)
        while operands and not operands[-1]:
            operands.pop()
        self._nodes.append(helper.make_node(kind, operands, names, name=names[0], domain=domain, **attributes))
        return names

    def shape_of(self, value: str, axis: int) -> str:
        """[1] length of one axis of a value."""
        return self.op("Shape", value, start=axis, end=axis + 1)

    def reshape(self, value: str, *shape: int) -> str:
        """Reshape; 0 keeps an axis, -1 is worked out."""
        return self.op("Reshape", value, self.constant(shape))

    def split(self, value: str, *sizes: int) -> list[str]:
        """Cut the last axis into pieces of the given sizes."""
        return self.ops("Split", value, self.constant(sizes), outputs=len(sizes), axis=-1)

    def linear(self, value: str, name: str, *, residual: str = "") -> str:
        """[T, in] to [T, out] by `NAME.weight` and, where there is one, `NAME.bias`; `residual` [T, out] is added."""
        bias = self.optional_weight(f"{name}.bias")
        return self._gemm(value, self.weight(f"{name}.weight"), bias, residual)

    def joined_linear(self, value: str, name: str, parts: int, height: int, *, sep: str = ".") -> list[str]:
        """The results [T, height] of several projections that the checkpoint stores as one, in their order.

        The tensors are `NAME.weight` and, where there is one, `NAME.bias`; `sep` takes the place of the dot.
        """
        return [self.part_linear(value, name, part, height, sep=sep) for part in range(parts)]

    def part_linear(self, value: str, name: str, part: int, height: int, *, sep: str = ".") -> str:
        """The result of one of the projections of `joined_linear`, counted from 0."""
        start = part * height
        weight, bias = (rows_of(f"{name}{sep}{kind}", start, start + height) for kind in ("weight", "bias"))
        return self._gemm(value, self.weight(weight), self.optional_weight(bias))

    def _gemm(self, value: str, weight: str, bias: str, residual: str = "") -> str:
        if residual and not bias:
            return self.op("Gemm", value, weight, residual, transB=1)
        product = self.op("Gemm", value, weight, bias, transB=1)
        return self.op("Add", product, residual) if residual else product

    def norm(self, value: str, name: str, eps: float) -> str:
        """Layer norm over the last axis by `NAME.weight` and, where there is one, `NAME.bias`."""
        gamma, beta = self.weight(f"{name}.weight"), self.optional_weight(f"{name}.bias")
        return self.op("LayerNormalization", value, gamma, beta, axis=-1, epsilon=eps)

    def add_norm(self, value: str, residual: str, name: str, eps: float) -> tuple[str, str]:
        """Layer norm of a sum; returns the norm and the sum."""
        # The fused SkipLayerNormalization of onnxruntime is several times slower on CPUs than its two parts.
        total = self.op("Add", value, residual)
        return self.norm(total, name, eps), total

    def activation(self, value: str, kind: str) -> str:
        """The exact GELU, or ReLU."""
        if kind == "relu":
            return self.op("Relu", value)
        if self.fused:
            return self.op("Gelu", value, domain=_MICROSOFT)
        scaled = self.op("Div", value, self.constant(np.sqrt(2.0), np.float32))
        half = self.op("Mul", value, self.constant(0.5, np.float32))
        return self.op("Mul", half, self.op("Add", self.op("Erf", scaled), self.constant(1.0, np.float32)))

    def attention(self, parts: Sequence[str], bias: str, heads: int, width: int) -> str:
        """Attention inside packs.

        Args:
            parts: query, key and value, each [P, L, D].
            bias: [P, 1, L, L], added to the scores.
            heads: number of heads.
            width: D.

        Returns:
            [P, L, D].
        """
        if self.fused:
            return self.op("MultiHeadAttention", *parts, "", "", bias, domain=_MICROSOFT, num_heads=heads)
        size = width // heads
        split = [
            self.op("Transpose", self.reshape(part, 0, 0, heads, size), perm=perm)
            for part, perm in zip(parts, ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3)), strict=True)
        ]
        scaled = self.op("Mul", split[0], self.constant(size**-0.5, np.float32))
        scores = self.op("Add", self.op("MatMul", scaled, split[1]), bias)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), split[2])
        return self.reshape(self.op("Transpose", mixed, perm=(0, 2, 1, 3)), 0, 0, width)

    def rotary(self, value: str, positions: str, cos: str, sin: str, size: int) -> str:
        """Rotate [T, H * size] by the positions [T]; the halves of each head are paired."""
        if self.fused:
            # One token per sequence: the operator wants sequences no longer than its tables.
            batch = self.op("Unsqueeze", value, self.constant([1]))
            rotated = self.op(
                "RotaryEmbedding",
                batch,
                self.op("Unsqueeze", positions, self.constant([1])),
                self.weight(cos),
                self.weight(sin),
                interleaved=0,  # the default, but OpenVINO wants to see it
                domain=_MICROSOFT,
            )
            return self.op("Squeeze", rotated, self.constant([1]))
        heads = self.reshape(value, 0, -1, size)
        first, second = self.split(heads, size // 2, size // 2)
        cosines, sines = (
            self.op("Unsqueeze", self.lookup(table, positions), self.constant([1])) for table in (cos, sin)
        )
        turned = (
            self.op("Sub", self.op("Mul", first, cosines), self.op("Mul", second, sines)),
            self.op("Add", self.op("Mul", second, cosines), self.op("Mul", first, sines)),
        )
        return self.op("Reshape", self.op("Concat", *turned, axis=-1), self.op("Shape", value))

    def model(self) -> onnx.ModelProto:
        """The finished model."""
        graph = helper.make_graph(
            self._nodes,
            self._name,
            self._inputs + self._weight_inputs,
            self._outputs,
            [tensor for tensor in self._initializers.values() if tensor is not None],
        )
        opsets = [helper.make_opsetid("", OPSET)]
        if self.fused:
            opsets.append(helper.make_opsetid(_MICROSOFT, 1))
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="laya")
