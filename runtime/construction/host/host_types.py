"""The one table from host types to their behaviours, and the one look-up in it."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any, Final

from tsc.compiler.types import Device, EnumMember
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.construction.host import mappings, numbers, sequences, tensors
from tsc.runtime.construction.host.enum_members import Member
from tsc.runtime.construction.host.host_value import HostValue
from tsc.runtime.construction.host.texts import Text
from tsc.runtime.construction.iteration import Elements
from tsc.runtime.construction.values.modules import Buffer, Parameter
from tsc.runtime.construction.values.value import Value
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.values.tensor import Tensor

HOST_TYPES: Final[dict[type, type[HostValue]]] = {
    object: HostValue,
    type(None): HostValue,
    Elements: HostValue,
    int: numbers.Int,
    bool: numbers.Int,
    float: numbers.Float,
    complex: numbers.Complex,
    str: Text,
    list: sequences.List,
    tuple: sequences.Tuple,
    range: sequences.Range,
    slice: sequences.Slice,
    dict: mappings.Dict,
    OrderedDict: mappings.OrderedDictionary,
    defaultdict: mappings.DefaultDict,
    **dict.fromkeys((type({}.keys()), type({}.values()), type({}.items())), sequences.Iterable),
    set: mappings.Set,
    frozenset: mappings.FrozenSet,
    EnumMember: Member,
    Tensor: tensors.TensorValue,
    Parameter: tensors.ParameterValue,
    Buffer: tensors.BufferValue,
    DType: tensors.DataType,
    Device: tensors.TensorDevice,
    NoGrad: tensors.WithoutGradients,
}


def as_value(value: Any) -> Value:
    """What answers for a value: itself, or the behaviour of its type or the nearest base of that."""
    behaviour = HOST_TYPES.get(type(value))
    if behaviour is not None:
        return behaviour(value)
    if isinstance(value, Value):
        return value
    return next(HOST_TYPES[each] for each in type(value).__mro__ if each in HOST_TYPES)(value)
