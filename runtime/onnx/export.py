"""``tsc.export_onnx``: programs become checked models, and are written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import UsageError
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.packages import part_with_packages
from tsc.runtime.onnx.refusals import OnnxExportError
from tsc.runtime.serialization.atomic_files import write_file
from tsc.runtime.serialization.errors import ArchiveError

if TYPE_CHECKING:
    from tsc.runtime.onnx.checked_model import CheckedModel

SUPPORTED_OPSETS: Final = range(18, 24)
DEFAULT_OPSET: Final = 20
METHOD_PLACE: Final = "{method}"
"""What stands for the name of a method in the name of a file."""


@foreseen()
def export_onnx(
    program: LoadedProgram | Mapping[str, LoadedProgram],
    f: str | os.PathLike[str] | IO[bytes],
    *,
    opset: int = DEFAULT_OPSET,
    external_data: bool | None = None,
) -> None:
    """Write an exported program as a model of ONNX, to a path, atomically, or to an open binary file.

    Inputs and parameters keep their names; sizes that change are named. What the program writes to buffers, its own
    parameters or inputs follows the results, under the name of what is written with ``.new``. Several programs by name
    become several models: `f` is then a path with ``{method}`` in the place of the name, and all can be converted
    before the first is written.

    With `external_data`, weights of 1 KiB and more go to a file of their own, ``NAME.data``, straight from where they
    are; this is done anyway for models of 2 GiB and more, unless it is False.

    Raises:
        OnnxExportError: nodes that have no form in ONNX, all of them; an opset that is not supported; a model that is
            too large for one file.
        UsageError: several programs, and a path without ``{method}``; an open file, and weights beside it.
        ArchiveError: a file cannot be written.
    """
    if not isinstance(program, Mapping):
        (model,) = _models({"forward": program}, opset).values()
        write_model(model, f, external_data)
        return
    if not isinstance(f, str | os.PathLike) or METHOD_PLACE not in os.fspath(f):
        raise UsageError(
            f"several programs are several models: give a path with {METHOD_PLACE} in it"
        )
    for name, model in _models(program, opset).items():
        write_model(model, os.fspath(f).replace(METHOD_PLACE, name), external_data)


def _models(programs: Mapping[str, LoadedProgram], opset: int) -> Mapping[str, CheckedModel]:
    if opset not in SUPPORTED_OPSETS:
        first, last = SUPPORTED_OPSETS[0], SUPPORTED_OPSETS[-1]
        raise OnnxExportError(f"opset {opset} is not supported: take one of {first} to {last}")
    return part_with_packages("checked_model").checked_models(programs, opset)


def write_model(
    model: CheckedModel, f: str | os.PathLike[str] | IO[bytes], external_data: bool | None
) -> None:
    """Write one model as `export_onnx` does."""
    if external_data is False and model.needs_external_data:
        raise OnnxExportError(
            "the model has more than 2 GiB, which one file cannot hold: write its weights to a file of their own"
        )
    if external_data or model.needs_external_data:
        _write_with_data(model, f)
        return
    content = model.content()

    def write_to(write: Callable[[bytes | memoryview], object]) -> None:
        write(content)

    write_file(f, write_to)


def _write_with_data(model: CheckedModel, f: str | os.PathLike[str] | IO[bytes]) -> None:
    if not isinstance(f, str | os.PathLike) or (Path(f).exists() and not Path(f).is_file()):
        raise UsageError("weights lie in a file beside the model: give the path of a file")
    try:
        model.write_with_data(Path(f))
    except OSError as error:
        raise ArchiveError(
            f"{os.fspath(f)}: cannot be written: {error.strerror or error}"
        ) from None
