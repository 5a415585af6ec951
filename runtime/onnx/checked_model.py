"""What needs the package onnx: a program's model, which its checker has taken, as bytes or as two files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np
import onnx
import onnx_ir as ir

from tsc.compiler.exir.refusals import ONNX_VARIANT
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.lowering import lowered_model
from tsc.runtime.onnx.refusals import OnnxExportError

_LARGEST: Final = 1 << 31
"""Bytes of one message of protobuf."""
_SMALL: Final = 1024
"""Bytes of a weight that stays in the model in any case."""
_PAGE: Final = 4096
"""Where weights begin in a file of their own is a multiple of it, so that they can be mapped."""


@dataclass(frozen=True, slots=True)
class CheckedModel:
    """A model that onnx's checker has taken, shape inference included. Its weights are those of the program."""

    model: ir.Model

    @classmethod
    def of(cls, program: LoadedProgram, opset: int) -> CheckedModel:
        """Checked without the large weights, of which the checker would make copies.

        Raises `OnnxExportError` for what has no form in ONNX.
        """
        found = cls(lowered_model(program, opset))
        with found._outside("weights"):
            proto = ir.to_proto(found.model)
        _as_inputs(proto)
        _check(proto)
        return found

    @property
    def needs_external_data(self) -> bool:
        """Whether one file cannot hold it."""
        weights = (each.const_value for each in self.model.graph.initializers.values())
        return sum(each.nbytes for each in weights if each is not None) >= _LARGEST - (1 << 26)

    def content(self) -> bytes:
        """The model as one file."""
        return ir.to_proto(self.model).SerializeToString()

    def write_with_data(self, path: Path) -> None:
        """Write the model, and its large weights to ``NAME.data`` beside it, each from where it is.

        Both are complete, and checked once more, before either takes its name. Raises `OSError`.
        """
        path = path.resolve()
        data = f"{path.name}.data"
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name[:100]}.", dir=path.parent))
        try:
            with (folder / data).open("wb") as file:
                self._write_weights(file)
            with self._outside(data), (folder / path.name).open("wb") as file:
                file.write(ir.to_proto(self.model).SerializeToString())
                _flush(file)
            onnx.checker.check_model(str(folder / path.name))  # pyright: ignore[reportUnknownMemberType]
            (folder / data).replace(path.with_name(data))
            (folder / path.name).replace(path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _write_weights(self, file: IO[bytes]) -> None:
        for offset, value in self._places():
            assert value.const_value is not None
            file.write(b"\0" * (offset - file.tell()))
            file.write(
                np.ascontiguousarray(value.const_value.numpy()).reshape(-1).view(np.uint8).data
            )
        _flush(file)

    def _places(self) -> Iterator[tuple[int, ir.Value]]:
        """The large weights, and where each begins in a file of their own."""
        end = 0
        for value in self.model.graph.initializers.values():
            if value.const_value is None or value.const_value.nbytes < _SMALL:
                continue
            offset = -(-end // _PAGE) * _PAGE
            end = offset + value.const_value.nbytes
            yield offset, value

    @contextmanager
    def _outside(self, location: str) -> Generator[None]:
        """Have the model name its large weights alone."""
        kept = {value: value.const_value for _, value in self._places()}
        try:
            for offset, value in list(self._places()):
                value.const_value = _reference(value, location, offset)
            yield
        finally:
            for value, tensor in kept.items():
                value.const_value = tensor


def _reference(value: ir.Value, location: str, offset: int) -> ir.ExternalTensor:
    tensor = value.const_value
    assert tensor is not None
    shape = ir.Shape(tensor.shape.numpy())
    given = (location, offset, tensor.nbytes, tensor.dtype)
    return ir.ExternalTensor(*given, shape=shape, name=str(value.name))


def _check(proto: onnx.ModelProto) -> None:
    """Raises `OnnxExportError` for what the checker refuses: operators on dtypes that they do not take."""
    try:
        onnx.checker.check_model(proto, full_check=True)  # pyright: ignore[reportUnknownMemberType]
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        told = " ".join(str(error).split())
        raise OnnxExportError.of(ONNX_VARIANT, f"the checker of ONNX says: {told}") from None


def _as_inputs(proto: onnx.ModelProto) -> None:
    """Weights that are outside become inputs, whose types are known."""
    outside = [e for e in proto.graph.initializer if e.data_location == onnx.TensorProto.EXTERNAL]
    for each in outside:
        proto.graph.initializer.remove(each)
        described = onnx.helper.make_tensor_value_info(each.name, each.data_type, list(each.dims))
        proto.graph.input.append(described)


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def checked_models(programs: Mapping[str, LoadedProgram], opset: int) -> Mapping[str, CheckedModel]:
    """All of them. Raises `OnnxExportError` for what has no form in ONNX, of each of them."""
    found: dict[str, CheckedModel] = {}
    refused: dict[str, OnnxExportError] = {}
    for name, program in programs.items():
        try:
            found[name] = CheckedModel.of(program, opset)
        except OnnxExportError as error:
            refused[name] = error
    if len(programs) == 1 and refused:
        raise next(iter(refused.values()))
    if refused:
        text = "\n".join(f"{name}: {error}" for name, error in refused.items())
        raise OnnxExportError(text, [each for error in refused.values() for each in error.refusals])
    return found
