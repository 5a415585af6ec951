"""What needs the package onnx: a program's model, which its checker has taken."""

from __future__ import annotations

from typing import Final

import onnx
import onnx_ir as ir

from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.lowering import lowered_model
from tsc.runtime.onnx.refusals import OnnxExportError

_LARGEST: Final = 1 << 31


def checked_model(program: LoadedProgram, opset: int) -> bytes:
    """The serialized model. Raises `OnnxExportError` for what has no form in ONNX, and for more than 2 GiB."""
    proto = ir.to_proto(lowered_model(program, opset))
    if proto.ByteSize() >= _LARGEST:
        raise OnnxExportError("the model has more than 2 GiB, which one file of ONNX cannot hold")
    onnx.checker.check_model(proto, full_check=True)  # pyright: ignore[reportUnknownMemberType]
    return proto.SerializeToString()
