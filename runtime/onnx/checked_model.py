"""What needs the package onnx: a program's model, which its checker has taken."""

from __future__ import annotations

from typing import Final

import onnx
import onnx_ir as ir

from tsc.compiler.exir.delegation.local_writes import without_local_writes
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.conversion import model_of_program
from tsc.runtime.onnx.refusals import OnnxExportError

_LARGEST: Final = 1 << 31


def checked_model(program: LoadedProgram, opset: int) -> bytes:
    """The serialized model. Writes that nobody else sees become operators that write nothing.

    Raises `OnnxExportError` for what has no form in ONNX, and for more than 2 GiB.
    """
    functional = without_local_writes(program, toolchain().operators)
    proto = ir.to_proto(model_of_program(functional, opset))
    if proto.ByteSize() >= _LARGEST:
        raise OnnxExportError("the model has more than 2 GiB, which one file of ONNX cannot hold")
    onnx.checker.check_model(proto, full_check=True)  # pyright: ignore[reportUnknownMemberType]
    return proto.SerializeToString()
