"""The backend ``onnxruntime``: parts run in ONNX Runtime on the CPU, with as many threads as tsc."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state  # pyright: ignore[reportAttributeAccessIssue]

from tsc.compiler.exir.node import Node
from tsc.runtime.arrays.blas_threads import get_num_threads
from tsc.runtime.arrays.dtypes import with_known_dtype
from tsc.runtime.backends import onnx_models
from tsc.runtime.backends.backend import Compute
from tsc.runtime.backends.free_memory import give_back
from tsc.runtime.backends.mapped_weights import leave_memory
from tsc.runtime.backends.onnx_models import PartModel
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.values.tensor import Tensor

_ERRORS: Final = (
    RuntimeError,
    *[
        each
        for each in vars(state).values()
        if isinstance(each, type) and issubclass(each, Exception)
    ],
)
"""What ONNX Runtime raises: a class of its own for each kind of failure."""
_FOLDER: Final = "session.model_external_initializers_file_folder_path"
_SILENT: Final = 4
"""Log nothing but fatal errors: others are raised."""


class OnnxRuntime:
    """Takes what has a form in ONNX that ONNX Runtime knows."""

    def refusals(self, program: LoadedProgram) -> dict[Node, str]:
        return onnx_models.refusals(program)

    def compiled(self, part: LoadedProgram) -> Compute:
        model = onnx_models.model_of_part(part, shares_weights=True)
        give_back()
        try:
            return _Run(model)
        except _ERRORS as error:
            raise onnx_models.not_compiled(part, error) from None
        finally:
            give_back()


class _Run:
    """A session, with the weights that it reads where they are."""

    def __init__(self, model: PartModel) -> None:
        self._session, self._kept = _session(model)
        self._feed = model.feeding(each.name for each in self._session.get_inputs())
        self._names = [each.name for each in self._session.get_outputs()]

    def __call__(self, operands: Sequence[Any]) -> Sequence[Tensor]:
        try:
            results: Sequence[Any] = self._session.run(self._names, self._feed(operands))
        except _ERRORS as error:
            raise onnx_models.failed("onnxruntime", error) from None
        return [Tensor(with_known_dtype(np.asarray(each))) for each in results]


def _session(model: PartModel) -> tuple[onnxruntime.InferenceSession, object]:
    """A session, and what it needs to be kept.

    Weights that a file has are read from there, one after the other: in memory are then only those that the session
    packs for its kernels. Where the file has become another one, or ONNX Runtime does not read it, they are shared.
    """
    files = model.folder
    if files.path is not None:
        leave_memory(model.weights[name] for name in files.names)
        try:
            found = _session_with(model, model.weights.keys() - files.names)
        except _ERRORS:
            pass
        else:
            if files.is_unchanged():
                return found
    return _session_with(model, model.weights.keys())


def _session_with(
    model: PartModel, names: AbstractSet[str]
) -> tuple[onnxruntime.InferenceSession, object]:
    """A session that shares the weights of these names with the program, and what it needs to be kept.

    They do not override initializers (`add_initializer`): optimizations write weights anew, in another order of
    dimensions, under the old name, and the override would keep the old order.
    """
    kept = {name: model.weights[name] for name in names}
    shared = {name: onnxruntime.OrtValue.ortvalue_from_numpy(each) for name, each in kept.items()}
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = get_num_threads()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.use_device_allocator_for_initializers", "1")
    if model.folder.path is not None:
        folder = str(model.folder.path)
        options.add_session_config_entry(_FOLDER, folder)
    if shared:
        options.add_external_initializers(list(shared), list(shared.values()))
    session = onnxruntime.InferenceSession(
        model.content, options, providers=["CPUExecutionProvider"]
    )
    return session, (kept, shared)


BACKEND: Final = OnnxRuntime()
