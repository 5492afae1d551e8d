"""What a runtime needs of a checkpoint. `laya.model.Checkpoint` has this shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from laya.request import FloatArray, GraphPart, OptionLayout

ActHead = tuple["FloatArray", "FloatArray", "FloatArray", "FloatArray"]
"""Weight and bias of both layers of an action head: [H, D + 4], [H], [A, H], [A]."""


class GraphSource(Protocol):
    """The graphs of a checkpoint and their weights."""

    @property
    def layout(self) -> OptionLayout:
        """The option layout that the graph is built for."""

    @property
    def parts(self) -> tuple[GraphPart, ...]:
        """The graphs that there are; "rows" always."""

    def graph(self, dialect: str, part: GraphPart = "rows") -> bytes:
        """The ONNX model over the fields of the batch with this `part`, without its weights."""

    def initializers(self, dialect: str, part: GraphPart = "rows") -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Name and value of every weight of `graph(dialect, part)`."""

    def act_head(self) -> ActHead | None:
        """The action head, or None for a trunk."""
