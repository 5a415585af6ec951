"""``tsc.export_onnx``: a program becomes a checked model, and is written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Final

from tsc.compiler.outer_net import foreseen
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.refusals import OnnxExportError
from tsc.runtime.serialization.atomic_files import write_file

SUPPORTED_OPSETS: Final = range(18, 24)
DEFAULT_OPSET: Final = 20


@foreseen()
def export_onnx(
    program: LoadedProgram, f: str | os.PathLike[str] | IO[bytes], *, opset: int = DEFAULT_OPSET
) -> None:
    """Write an exported program as a model of ONNX, to a path, atomically, or to an open binary file.

    Inputs and parameters keep their names; sizes that change are named. What the program writes to buffers, its own
    parameters or inputs follows the results, under the name of what is written with ``.new``.

    Raises:
        OnnxExportError: nodes that have no form in ONNX, all of them; or an opset that is not supported.
    """
    content = model_bytes(program, opset)

    def write_to(write: Callable[[bytes | memoryview], object]) -> None:
        write(content)

    write_file(f, write_to)


def model_bytes(program: LoadedProgram, opset: int = DEFAULT_OPSET) -> bytes:
    """The model, which onnx's checker has taken, its shape inference included."""
    if opset not in SUPPORTED_OPSETS:
        first, last = SUPPORTED_OPSETS[0], SUPPORTED_OPSETS[-1]
        raise OnnxExportError(f"opset {opset} is not supported: take one of {first} to {last}")
    try:
        from tsc.runtime.onnx.checked_model import checked_model
    except ImportError as error:
        message = f"ONNX needs the package {error.name}: pip install 'tsc-torchscript[onnx]'"
        raise OnnxExportError(message) from None
    return checked_model(program, opset)
