"""The types of Python that programs may name, as classes: ``int``, ``list``, ``object`` …"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from tsc.compiler.types import Device, EnumMember
from tsc.runtime.arrays.dtypes import DType, float32
from tsc.runtime.construction.hashing import all_hashable, hashable_keys
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import (
    AbstractMethod,
    BoundMethod,
    ClassMethod,
    FunctionObject,
    NativeFunction,
    PropertyObject,
    StaticMethod,
)
from tsc.runtime.construction.values.instances import InstanceObject, new_instance
from tsc.runtime.construction.values.modules import Buffer, Parameter
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import type_name
from tsc.runtime.python_api.eager import call
from tsc.runtime.python_api.tensor_api import device, tensor
from tsc.runtime.values.tensor import Tensor


def _new_instance(
    evaluator: Evaluator, cls: ClassObject, /, *arguments: Any, **keywords: Any
) -> InstanceObject:
    abstract = [
        name
        for each in cls.mro
        for name, value in each.attributes.items()
        if isinstance(value, AbstractMethod) and cls.find(name) is value
    ]
    if abstract:
        raise TypeError(
            f"Can't instantiate abstract class {cls.name} with abstract method {abstract[0]}"
        )
    instance = InstanceObject(cls)
    instance.initialize(evaluator, list(arguments), keywords)
    return instance


OBJECT = ClassObject(
    "object",
    "object",
    attributes={"__new__": NativeFunction("__new__", new_instance)},
    create=_new_instance,
)


def _type(name: str, *instances: type, create: Callable[..., Any] | None = None) -> ClassObject:
    return ClassObject(name, name, (OBJECT,), instances=instances, create=create)


def _int(evaluator: Evaluator, _cls: ClassObject, value: Any = 0, base: Any = None) -> int:
    if isinstance(value, EnumMember):
        value = value.value
    if isinstance(value, str) and len(value) > 4000:
        raise ValueError("a number with too many digits")
    return int(value) if base is None else int(value, base)


def _str(evaluator: Evaluator, _cls: ClassObject, value: Any = "") -> str:
    return evaluator.text(value)


def _float(_evaluator: Evaluator, _cls: ClassObject, value: Any = 0.0) -> float:
    return float(value)


def _complex(_evaluator: Evaluator, _cls: ClassObject, *parts: Any) -> complex:
    return complex(*parts)


def _bool(evaluator: Evaluator, _cls: ClassObject, value: Any = False) -> bool:
    return evaluator.truth(value)


def _collected(make: Callable[[Any], Any]) -> Callable[..., Any]:
    def create(evaluator: Evaluator, _cls: ClassObject, values: Any = ()) -> Any:
        return make(evaluator.iterate(values))

    return create


def _mapping(make: Callable[..., Any]) -> Callable[..., Any]:
    def create(
        evaluator: Evaluator, _cls: ClassObject, values: Any = (), /, **keywords: Any
    ) -> dict[Any, Any]:
        return make(hashable_keys(evaluator.pairs(values)), **keywords)

    return create


def _default_dict(
    evaluator: Evaluator, _cls: ClassObject, factory: Any = None, values: Any = ()
) -> dict[Any, Any]:
    make = None if factory is None else (lambda: evaluator.call(factory))
    return defaultdict(make, hashable_keys(evaluator.pairs(values)))


def _range(_evaluator: Evaluator, _cls: ClassObject, *bounds: Any) -> range:
    return range(*bounds)


def _type_of(evaluator: Evaluator, _cls: ClassObject, value: Any) -> ClassObject:
    return evaluator.class_of(value)


def _parameter(
    _evaluator: Evaluator, _cls: ClassObject, data: Any = None, requires_grad: bool = True
) -> Parameter:
    if data is None:
        data = call("empty", [0])
    if not isinstance(data, Tensor):
        raise TypeError(f"cannot make a Parameter of a '{type_name(data)}': it is made of a Tensor")
    return Parameter(data, requires_grad)


def _tensor(_evaluator: Evaluator, _cls: ClassObject, *arguments: Any) -> Tensor:
    """``torch.Tensor(2, 3)`` is not initialized, ``torch.Tensor([1, 2])`` holds these numbers."""
    if len(arguments) == 1 and isinstance(arguments[0], list | tuple):
        return tensor(list(arguments[0]), float32)
    if len(arguments) == 1 and isinstance(arguments[0], Tensor):
        return Tensor(arguments[0].array)
    return call("empty", list(arguments))


def _buffer(
    _evaluator: Evaluator, _cls: ClassObject, data: Any = None, *, persistent: bool = True
) -> Buffer:
    if data is None:
        data = call("empty", [0])
    return Buffer(data, persistent)


def _device(
    _evaluator: Evaluator, _cls: ClassObject, name: Any, index: int | None = None
) -> Device:
    return device(name, index)


def _slice(_evaluator: Evaluator, _cls: ClassObject, *bounds: Any) -> slice:
    return slice(*bounds)


def _size(evaluator: Evaluator, _cls: ClassObject, values: Any = ()) -> tuple[Any, ...]:
    return tuple(evaluator.iterate(values))


INT = _type("int", int, create=_int)
FLOAT = _type("float", float, create=_float)
COMPLEX = _type("complex", complex, create=_complex)
BOOL = ClassObject("bool", "bool", (INT,), instances=(bool,), create=_bool)
STR = _type("str", str, create=_str)
LIST = _type("list", list, create=_collected(list))
TUPLE = _type("tuple", tuple, create=_collected(tuple))
SET = _type("set", set, create=_collected(lambda values: set(all_hashable(values))))
FROZEN_SET = _type(
    "frozenset", frozenset, create=_collected(lambda values: frozenset(all_hashable(values)))
)
DICT = _type("dict", dict, create=_mapping(dict))
ORDERED_DICT = ClassObject(
    "OrderedDict", "OrderedDict", (DICT,), instances=(OrderedDict,), create=_mapping(OrderedDict)
)
DEFAULT_DICT = ClassObject(
    "defaultdict", "defaultdict", (DICT,), instances=(defaultdict,), create=_default_dict
)
RANGE = _type("range", range, create=_range)
SLICE = _type("slice", slice, create=_slice)
NONE = _type("NoneType", type(None))
TYPE = ClassObject("type", "type", (OBJECT,), instances=(ClassObject,), create=_type_of)
TENSOR = ClassObject("Tensor", "torch.Tensor", (OBJECT,), instances=(Tensor,), create=_tensor)
PARAMETER = ClassObject(
    "Parameter", "torch.nn.Parameter", (TENSOR,), instances=(Parameter,), create=_parameter
)
BUFFER = ClassObject("Buffer", "torch.nn.Buffer", (TENSOR,), instances=(Buffer,), create=_buffer)
DEVICE = ClassObject("device", "torch.device", (OBJECT,), instances=(Device,), create=_device)
DTYPE = ClassObject("dtype", "torch.dtype", (OBJECT,), instances=(DType,))
SIZE = ClassObject("Size", "torch.Size", (TUPLE,), instances=(tuple,), create=_size)
FUNCTION = _type("function", FunctionObject, BoundMethod, NativeFunction)
PROPERTY = ClassObject(
    "property",
    "property",
    (OBJECT,),
    instances=(PropertyObject,),
    create=lambda _evaluator, _cls, getter=None, setter=None: PropertyObject(getter, setter),
)
STATIC_METHOD = ClassObject(
    "staticmethod",
    "staticmethod",
    (OBJECT,),
    instances=(StaticMethod,),
    create=lambda _evaluator, _cls, function: StaticMethod(function),
)
CLASS_METHOD = ClassObject(
    "classmethod",
    "classmethod",
    (OBJECT,),
    instances=(ClassMethod,),
    create=lambda _evaluator, _cls, function: ClassMethod(function),
)

CLASS_OF_TYPE: dict[type, ClassObject] = {
    host: each
    for each in (
        *(INT, FLOAT, COMPLEX, BOOL, STR, LIST, TUPLE, SET, FROZEN_SET, DICT, ORDERED_DICT),
        *(DEFAULT_DICT, RANGE, SLICE, NONE, TYPE, TENSOR, PARAMETER, BUFFER, DEVICE, DTYPE),
        *(FUNCTION, PROPERTY),
    )
    for host in each.instances
}
"""By the host type, or the type of values of ours that carry no class."""
