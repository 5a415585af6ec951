"""ArgumentSpec: what a plan may be made for, of the inputs of one call.

Of each tensor that is an input, or in a tuple that is one: dtype, rank (but not sizes), device, whether it requires a
gradient, and of one that may be None whether it is there. It is found in one pass over the inputs, and is a key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tsc.compiler.analysis.metadata import UnsteadyTensors
from tsc.compiler.ir import Graph, Value, prim
from tsc.compiler.types import NONE, OptionalType, TensorType, TupleType, Type, with_requires_grad
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY
from tsc.runtime.values.tensor import Tensor


class ArgumentInfo(NamedTuple):
    """What is recorded of a tensor; of an undefined one nothing else is known. ``dtype`` is NumPy's."""

    dtype: Any = None
    rank: int | None = None
    device: str | None = None
    requires_grad: bool | None = None
    defined: bool = True


ArgumentSpec = tuple[ArgumentInfo, ...]
"""Of the tensors of a call, in the order of the inputs."""

_UNDEFINED = ArgumentInfo(defined=False)
_OPAQUE = ArgumentInfo()


class _Infos(dict[tuple[Any, int, bool], ArgumentInfo]):
    """The same record for tensors that are alike: looking one up is cheaper than making it."""

    def __missing__(self, key: tuple[Any, int, bool]) -> ArgumentInfo:
        dtype, rank, requires_grad = key
        info = self[key] = ArgumentInfo(dtype, rank, "cpu", requires_grad)
        return info


_infos = _Infos()
_Reader = Callable[[Any, list[ArgumentInfo]], None]


class ArgumentSpecCreator:
    """Knows where the tensors are in the inputs of a graph."""

    __slots__ = ("_readers", "_types")

    def __init__(self, graph: Graph) -> None:
        self._types = [value.type for value in graph.inputs]
        readers = [_reader(type) for type in self._types]
        self._readers = [(place, read) for place, read in enumerate(readers) if read is not None]

    def spec_of(self, inputs: Sequence[Any]) -> ArgumentSpec:
        """The spec of a call."""
        infos: list[ArgumentInfo] = []
        for place, read in self._readers:
            read(inputs[place], infos)
        return tuple(infos)

    def specialize(self, graph: Graph, spec: ArgumentSpec, *, with_gradients: bool) -> None:
        """Give the inputs of a graph the types that they have in calls of a spec.

        Whether they require gradients is left open unless wanted: it may change while a program is recorded. Inputs
        whose metadata may change stay as they are.
        """
        infos = iter(spec)
        unsteady = UnsteadyTensors(graph)
        for value, type in zip(graph.inputs, self._types):
            found = _specialized(type, infos)
            if found == NONE or value not in unsteady:
                _refine(value, found if with_gradients else with_requires_grad(found, None))


def _refine(value: Value, type: Type) -> None:
    """Tell the type of an input, and of what is taken out of a tuple."""
    value.set_type(type)
    if isinstance(type, TupleType):
        for use in value.uses:
            if use.node.kind == prim.TupleUnpack:
                for output, element in zip(use.node.outputs, type.elements):
                    _refine(output, element)


def _reader(type: Type) -> _Reader | None:
    """What finds the tensors in a value of a type; None where there are none."""
    if isinstance(type, TensorType) or _is_optional_tensor(type):
        return _read_tensor
    if not isinstance(type, TupleType):
        return None
    inner = [(place, _reader(each)) for place, each in enumerate(type.elements)]
    readers = [(place, read) for place, read in inner if read is not None]

    def read_tuple(value: Any, infos: list[ArgumentInfo]) -> None:
        for place, read in readers:
            read(value[place], infos)

    return read_tuple if readers else None


def _read_tensor(value: Any, infos: list[ArgumentInfo]) -> None:
    if value.__class__ is Tensor:
        array = value.array
        requires_grad = value.autograd is not None and value.requires_grad
        infos.append(_infos[array.dtype, array.ndim, requires_grad])
    else:
        infos.append(_UNDEFINED if value is None else _OPAQUE)


def _is_optional_tensor(type: Type) -> bool:
    return isinstance(type, OptionalType) and isinstance(type.element, TensorType)


def _specialized(type: Type, infos: Any) -> Type:
    """Takes as many infos as `_reader` has found."""
    if isinstance(type, TensorType) or _is_optional_tensor(type):
        return _of_info(type, next(infos))
    if isinstance(type, TupleType):
        return replace(type, elements=tuple(_specialized(each, infos) for each in type.elements))
    return type


def _of_info(type: Type, info: ArgumentInfo) -> Type:
    if not info.defined:
        return NONE
    if info.rank is None:
        return type
    return TensorType(
        dtype=DTYPE_OF_NUMPY[info.dtype].scalar_name,
        sizes=(None,) * info.rank,
        device=info.device,
        requires_grad=info.requires_grad,
    )
