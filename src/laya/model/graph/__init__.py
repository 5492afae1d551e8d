"""ONNX graphs of the encoders and the decision head, built from the configs alone.

`cache` and `weights` are cheap to import; the other modules need the package `onnx` and are loaded only when a graph is
built for the first time.
"""

from __future__ import annotations
