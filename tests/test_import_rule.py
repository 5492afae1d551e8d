"""Which part of the package may import which other part, and what `import laya` costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import laya

ROOT = Path(laya.__file__).parent

SHARED = {"types", "errors", "request", "extras", "settings"}
NOTHING = frozenset()
ALLOWED = {
    **dict.fromkeys(SHARED, NOTHING),
    **dict.fromkeys(("questions", "state", "runtime", "model", "calibration", "hooks"), NOTHING),
    "hooks.builtin": {"calibration", "hooks"},
    "encoding": {"questions", "state"},
    "language": NOTHING,
    "long": NOTHING,
    "usage": NOTHING,
    "structured": {"calibration"},
    "shortlist": {"usage"},
    "email": NOTHING,
    "decode": {"calibration"},
    "engine": {"calibration", "decode", "encoding", "questions", "runtime", "state", "usage"},
    "scan": {"decode", "encoding", "engine", "long", "questions", "usage"},
    "options": {"calibration", "engine", "hooks", "scan"},
    "loading": {"agent", "calibration", "decode", "encoding", "engine", "model", "onnx_agent", "options", "runtime"},
    "facts": {"calibration", "decode", "engine", "loading"},
    "agent": {
        "facts",
        "calibration",
        "decode",
        "encoding",
        "engine",
        "hooks",
        "loading",
        "options",
        "plan",
        "scan",
        "structured",
    },
    "onnx_agent": {"agent", "encoding", "loading", "model", "options", "runtime"},
    "router": {
        *("agent", "calibration", "hooks", "language", "loading", "options", "questions", "structured", "usage"),
    },
    "presets": NOTHING,
    "pretty": NOTHING,
    "plan": {"encoding", "engine", "questions", "usage"},
    "batch": {"questions"},
    "inventory": {"encoding", "loading", "model"},
    "cli": {"", "batch", "inventory", "mcp", "plan", "presets", "pretty", "server"},
    "server": {"", "hooks", "hooks.builtin", "plan", "questions", "router"},
    "mcp": {"plan", "router", "server"},
    "evals": {"", "calibration", "loading", "presets", "pretty"},
    "testing": {"agent", "calibration", "decode", "encoding", "engine", "loading", "runtime"},
    "__main__": {"cli"},
    "": {
        *(
            "agent",
            "calibration",
            "email",
            "hooks",
            "hooks.builtin",
            "language",
            "loading",
            "onnx_agent",
            "presets",
            "pretty",
        ),
        *("router", "shortlist", "structured"),
    },
}
"""Unit (module or folder directly below the package; "" is the package itself) to the units it may import."""

BANNED = {"torch", "transformers"}
HEAVY = {
    *("numpy", "onnx", "onnxruntime", "openvino", "rich", "safetensors", "tokenizers", "typer", "huggingface_hub"),
    *("mcp", "msgspec", "pydantic", "starlette", "uvicorn"),
}


def unit_of(dotted):
    """Unit of a dotted name such as `laya.encoding.pack`."""
    parts = dotted.split(".")[1:]
    return _unit(parts)


def _unit(parts):
    return "hooks.builtin" if parts[:2] == ["hooks", "builtin"] else parts[0] if parts else ""


def imports_of(path):
    """Absolute dotted names that a module imports; `from laya import errors` counts as `laya.errors`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import in line {node.lineno}"
            for alias in node.names:
                below = ROOT / alias.name
                is_module = node.module == "laya" and (below.is_dir() or below.with_suffix(".py").is_file())
                yield f"laya.{alias.name}" if is_module else node.module


def modules():
    return sorted(ROOT.rglob("*.py"))


def unit_of_path(path):
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return "" if parts == ["__init__"] else _unit(parts)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_unit_may(path):
    unit = unit_of_path(path)
    assert unit in ALLOWED, f"{unit!r} is new: say in ALLOWED which parts it may import"
    ours = {name for name in imports_of(path) if name.split(".")[0] == "laya"}
    outside = {name for name in ours if unit_of(name) not in ALLOWED[unit] | SHARED | {unit}}
    assert not outside, f"{unit!r} may import {sorted(ALLOWED[unit] | SHARED)} but imports {sorted(outside)}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_torch_and_transformers_are_nowhere(path):
    assert not BANNED & {name.split(".")[0] for name in imports_of(path)}


@pytest.mark.parametrize("path", sorted((ROOT / "cli").glob("*.py")), ids=lambda path: path.name)
def test_the_command_line_uses_public_names_only(path):
    used = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "laya"
    }
    assert used <= {*laya.__all__, "__version__"}


def loaded_by(statement):
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own code
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_by("import laya")
    assert "laya" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize("folder", ["mcp", "server"])
def test_importing_the_folder_of_a_server_loads_nothing_heavy(folder):
    assert not loaded_by(f"import laya.{folder}") & HEAVY


def test_the_command_line_starts_without_the_engine():
    loaded = loaded_by("import laya.cli.app")
    assert "typer" in loaded
    assert not loaded & (HEAVY - {"typer", "rich"})
