"""Where guards say that metadata follows from inputs, it does: other elements in them leave it as it is.

Asked of every operator, by the samples of PyTorch's operator database: of each a few, in all forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np
import pytest

import tsc
from tests import work
from tsc.compiler.analysis.metadata import follows_from_inputs
from tsc.compiler.ir import Function, Node
from tsc.runtime.execution.bytecode.code import Code
from tsc.runtime.execution.bytecode.code_emitter import emit_code
from tsc.runtime.execution.bytecode.interpreter import InterpreterState
from tsc.runtime.execution.node_kernels import Kernel, kernel_of
from tsc.runtime.values.tensor import Tensor

PARTS = 8
SAMPLES = 12
SHARE = 20
"""One operator of so many is tried, unless the suite runs at its whole size."""
ELEMENTS = (0, 1, None)
"""What tensors are filled with; None: with zeros and ones."""


class Changing:
    """Runs every node with other elements, too, and notes the kinds whose results then have other metadata."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._random = np.random.default_rng(0)

    def code_of(self, function: Function) -> Code:
        return emit_code(function.graph, function.name, self.kernel)

    def kernel(self, node: Node) -> Kernel:
        kernel = kernel_of(node)
        if not follows_from_inputs(node, set(node.inputs)):
            return kernel

        def run(*inputs: Any) -> Any:
            others = [[self.changed(value, filling) for value in inputs] for filling in ELEMENTS]
            result = kernel(*inputs)
            for other in others:
                with suppress(tsc.Error, ArithmeticError, LookupError, ValueError):
                    if metadata(kernel(*other)) != metadata(result):
                        self.found.add(node.kind)
            return result

        return run

    def changed(self, value: Any, filling: int | None) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(self.changed(each, filling) for each in value)
        if value.__class__ is not Tensor:
            return value
        array = value.array.copy(order="K")
        chosen = self._random.integers(0, 2, array.shape) if filling is None else filling
        array[...] = np.asarray(chosen).astype(array.dtype)
        return Tensor(array)


def metadata(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [metadata(each) for each in value]
    return (value.dtype, value.array.shape) if value.__class__ is Tensor else None


def scripts_of(name: str) -> Iterator[Any]:
    from . import pytorch
    from .scripts import scripts

    for sample in islice(pytorch.samples(name), SAMPLES):
        for script in scripts(sample, pytorch.is_tensor):
            yield script.text, [pytorch.array_of(tensor) for tensor in script.tensors]


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_metadata_follows_from_metadata(part: int) -> None:
    pytest.importorskip("torch")
    from .ours import HEAD
    from .pytorch import entries

    changing = Changing()
    names = list(entries())[part::PARTS]
    for name in names if work.whole_size else names[::SHARE]:
        for text, arrays in scripts_of(name):
            with suppress(tsc.Error):
                function = tsc.CompilationUnit(HEAD + text).f.function
                inputs = [tsc.from_numpy(array) for array in arrays]
                InterpreterState(changing.code_of(function), changing.code_of, inputs).run()
    assert changing.found == set()
