"""Values of Python as the compiler and running programs hold them."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, Any

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.types import Device, EnumType, TupleType
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.live.known_objects import known_path
from tsc.runtime.live.torch_tensors import is_torch_tensor, shared_tensor
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.tuple_classes import named_tuple_class

if TYPE_CHECKING:
    from tsc.compiler.source import SourceRange
    from tsc.runtime.live.protocols import LiveCompilation

_SCALARS = (bool, int, float, complex, str, type(None))


class NoConstant(Exception):
    """A value of Python that no program can hold as a constant."""


def constant_of(value: Any, compilation: LiveCompilation, range: SourceRange) -> object:
    """The constant for numbers, strings, dtypes, devices, enum members, and containers of them.

    Raises `NoConstant`.
    """
    if isinstance(value, enum.Enum):
        return member_of(value, compilation, range)
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, DType):
        return value.code
    if isinstance(value, Device):
        return value
    if isinstance(value, tuple | list):
        items = [constant_of(each, compilation, range) for each in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {
            constant_of(key, compilation, range): constant_of(item, compilation, range)
            for key, item in value.items()
        }
    option = known.CONSTANTS.get(known_path(value) or "")
    if option is not None:
        return option
    if is_torch_device(value):
        return Device.parse(str(value))
    raise NoConstant


def is_torch_device(value: Any) -> bool:
    return type(value).__module__ == "torch" and type(value).__name__ == "device"


def member_of(value: enum.Enum, compilation: LiveCompilation, range: SourceRange) -> object:
    type_ = compilation.type_of_class(type(value), range)
    member = type_.member(value.name) if isinstance(type_, EnumType) else None
    if member is None:
        raise NoConstant
    return member


def program_value(value: Any, compilation: LiveCompilation, range: SourceRange) -> Any:
    """A value of Python with PyTorch's tensors and named tuples in it as a program holds them."""
    if is_torch_tensor(value):
        return shared_tensor(value)
    if isinstance(value, ScriptModule):
        return value.script_object
    if isinstance(value, Tensor | ScriptFunction):
        return value
    if isinstance(value, tuple):
        items = tuple(program_value(each, compilation, range) for each in value)
        type_ = compilation.type_of_class(type(value), range) if type(value) is not tuple else None
        return named_tuple_class(type_)._make(items) if isinstance(type_, TupleType) else items
    if isinstance(value, list):
        return [program_value(each, compilation, range) for each in value]
    if isinstance(value, dict):
        return {key: program_value(item, compilation, range) for key, item in value.items()}
    if is_scripted_by_torch(type(value)):
        compilation.compile_class(type(value), range)
    try:
        return constant_of(value, compilation, range)
    except NoConstant:
        return value


def is_scripted_by_torch(cls: type) -> bool:
    """Whether ``@torch.jit.script`` has compiled a class: its objects may be attributes."""
    known = getattr(sys.modules.get("torch.jit._state"), "_script_classes", {})
    return cls in known
