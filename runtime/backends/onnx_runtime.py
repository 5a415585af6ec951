"""The backend ``onnxruntime``: parts run in ONNX Runtime on the CPU, with as many threads as tsc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state  # pyright: ignore[reportAttributeAccessIssue]

from tsc.compiler.exir.node import Node
from tsc.runtime.arrays.blas_threads import get_num_threads
from tsc.runtime.arrays.dtypes import with_known_dtype
from tsc.runtime.backends import onnx_models
from tsc.runtime.backends.backend import Compute
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
_SILENT: Final = 4
"""Log nothing but fatal errors: others are raised."""


class OnnxRuntime:
    """Takes what has a form in ONNX that ONNX Runtime knows."""

    def refusals(self, program: LoadedProgram) -> dict[Node, str]:
        return onnx_models.refusals(program)

    def compiled(self, part: LoadedProgram) -> Compute:
        model = onnx_models.model_of_part(part, shares_weights=True)
        try:
            session = _session(model)
        except _ERRORS as error:
            raise onnx_models.not_compiled(part, error) from None
        taken = {each.name for each in session.get_inputs()}

        def compute(operands: Sequence[Any]) -> Sequence[Tensor]:
            given = {name: each for name, each in model.feed(operands).items() if name in taken}
            try:
                results: Sequence[Any] = session.run(None, given)
            except _ERRORS as error:
                raise onnx_models.failed("onnxruntime", error) from None
            return [Tensor(with_known_dtype(np.asarray(each))) for each in results]

        return compute


def _session(model: PartModel) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = get_num_threads()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(each) for each in model.weights.values()]
    if values:
        options.add_external_initializers(list(model.weights), values)
    return onnxruntime.InferenceSession(model.content, options, providers=["CPUExecutionProvider"])


BACKEND: Final = OnnxRuntime()
