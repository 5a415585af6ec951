"""The parts of this room that need the packages of ONNX: they are imported when something is converted."""

from __future__ import annotations

import importlib
from types import ModuleType

from tsc.runtime.onnx.refusals import OnnxExportError


def part_with_packages(name: str) -> ModuleType:
    """A module of this room, as ``checked_model``. Raises `OnnxExportError` where the packages are not installed."""
    try:
        return importlib.import_module(f"tsc.runtime.onnx.{name}")
    except ImportError as error:
        message = f"ONNX needs the package {error.name}: pip install 'tsc-torchscript[onnx]'"
        raise OnnxExportError(message) from None
