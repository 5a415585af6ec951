"""What tensors go through a program when it runs, and whether they still are what they were.

A `ProfilingRecord` belongs to a graph with `prim::profile` nodes: each notes the types of the tensors that come
through, merged. Guards compare a tensor with such a type.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any, Final, cast

from tsc.compiler.analysis.metadata import is_complete
from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.insert_guards import PROFILED_TYPE
from tsc.compiler.types import TensorType
from tsc.runtime.arrays.dtypes import ALL_DTYPES
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.tensor_type import tensor_type

Guard = Callable[[Any], bool]


class ProfilingRecord:
    """The types that were seen at the profile nodes of a graph. `with_gradients` says whether to note that a tensor
    requires one.
    """

    def __init__(self, graph: Graph, *, with_gradients: bool) -> None:
        self.graph = graph
        self._with_gradients = with_gradients
        self._seen: dict[Node, TensorType] = {}

    def kernel(self, node: Node) -> Callable[[Any], Any]:
        """What a profile node runs: it gives back what it is given."""
        seen = self._seen

        def profile(value: Any) -> Any:
            if isinstance(value, Tensor):
                found = type_of(value, with_gradient=self._with_gradients)
                before = seen.get(node)
                seen[node] = found if before is None else before.merge(found)
            return value

        return profile

    def finish(self) -> Graph:
        """The graph, whose profile nodes tell what was seen."""
        for node, type in self._seen.items():
            node.set_attribute(PROFILED_TYPE, type)
        return self.graph


def type_of(tensor: Tensor, *, with_gradient: bool) -> TensorType:
    """All that is to be known of a tensor but its elements; of one that is kept elsewhere nothing."""
    if tensor.__class__ is not Tensor:
        return TensorType()
    type = tensor_type(tensor)
    return type if with_gradient else replace(type, requires_grad=None)


def guard_of(node: Node, failed: Callable[[], object]) -> Guard:
    """What tells whether a tensor is of the type that a guard is for. `failed` is called if one is not."""
    type = node.output.type
    assert isinstance(type, TensorType)
    holds = _test_of(type, failed)
    fails = _failures.random
    if fails is None:
        return holds

    def holds_with_luck(value: Any) -> bool:
        return holds(value) and not (fails() and not failed())

    return holds_with_luck


def _test_of(type: TensorType, failed: Callable[[], object]) -> Guard:
    """It runs for every tensor that is guarded: what is usual is found out first."""
    dtype = None if type.dtype is None else _NUMPY_OF_NAME[type.dtype]
    sizes, gradient = type.sizes, type.requires_grad
    may_be_plain = gradient is not True
    strides: tuple[int, ...] | None = None
    if dtype is not None and is_complete(type):
        strides = tuple(stride * dtype.itemsize for stride in cast("Any", type.strides))

    def holds(value: Any) -> bool:
        if value.__class__ is Tensor:
            array = value.array
            if (
                array.strides == strides
                and array.shape == sizes
                and array.dtype is dtype
                and value.autograd is None
                and may_be_plain
            ):
                return True
            found = type_of(value, with_gradient=gradient is not None)
            if type.merge(found) == type:
                return True
        failed()
        return False

    return holds


_NUMPY_OF_NAME: Final = {dtype.scalar_name: dtype.numpy for dtype in ALL_DTYPES}


class _Failures:
    """Whether guards are to fail at random; `random` draws when."""

    random: Callable[[], bool] | None = None


_failures: Final = _Failures()


@contextmanager
def random_failures(seed: int, probability: float) -> Generator[None]:
    """For tests: guards of plans that are made within the ``with`` statement fail with this probability."""
    generator = Random(seed)
    _failures.random = lambda: generator.random() < probability
    try:
        yield
    finally:
        _failures.random = None
