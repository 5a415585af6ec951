"""The backend ``openvino``: parts run in OpenVINO on the CPU, in the precision of the program."""

from __future__ import annotations

from collections.abc import Sequence
from threading import local
from typing import Any, Final

import numpy as np
import openvino  # pyright: ignore[reportMissingImports]

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.runtime.arrays.blas_threads import get_num_threads
from tsc.runtime.arrays.dtypes import with_known_dtype
from tsc.runtime.backends import onnx_models
from tsc.runtime.backends.backend import Compute
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.values.tensor import Tensor


class OpenVino:
    """Takes what has a form in ONNX that OpenVINO reads."""

    def refusals(self, program: LoadedProgram) -> dict[Node, str]:
        found = onnx_models.refusals(program)
        narrowed = {
            node: why for node in program.graph.nodes if (why := _narrowed(node)) is not None
        }
        return narrowed | found

    def compiled(self, part: LoadedProgram) -> Compute:
        model = onnx_models.model_of_part(part, shares_weights=False)
        settings = {"INFERENCE_NUM_THREADS": get_num_threads(), "INFERENCE_PRECISION_HINT": "f32"}
        try:
            core: Any = openvino.Core()
            compiled: Any = core.compile_model(core.read_model(model.content), "CPU", settings)
        except RuntimeError as error:
            raise onnx_models.not_compiled(part, error) from None
        feed = model.feeding(name for each in compiled.inputs for name in each.names)
        requests = _Requests()

        def compute(operands: Sequence[Any]) -> Sequence[Tensor]:
            try:
                results: Any = requests.of(compiled).infer(feed(operands))
            except RuntimeError as error:
                raise onnx_models.failed("openvino", error) from None
            return [Tensor(with_known_dtype(np.array(results[each]))) for each in compiled.outputs]

        return compute


_EXACT: Final = ("float32", "float16", "bool")
"""Dtypes that OpenVINO computes with on the CPU: it makes int64 int32, and float64 float32."""
_INDEXING: Final = frozenset({"embedding", "gather", "index", "index_select"})
"""Operators to which numbers of int64 are places, which are never so large."""


def _narrowed(node: Node) -> str | None:
    """Why results would not be those of the program; None if they are."""
    is_indexing = isinstance(node.target, Target) and node.target.base_name in _INDEXING
    used = [node, *node.input_nodes]
    dtypes = [
        each.meta["val"].dtype.name for each in used if isinstance(each.meta.get("val"), FakeTensor)
    ]
    inexact = [
        each for each in dtypes if each not in _EXACT and not (is_indexing and each == "int64")
    ]
    return f"OpenVINO does not compute with {inexact[0]} exactly" if inexact else None


class _Requests(local):
    """A request for each thread: one serves one run at a time."""

    def __init__(self) -> None:
        self._made: Any = None

    def of(self, compiled: Any) -> Any:
        if self._made is None:
            self._made = compiled.create_infer_request()
        return self._made


BACKEND: Final = OpenVino()
