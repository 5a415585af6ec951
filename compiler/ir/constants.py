"""Constant nodes: putting a Python value into one, getting it out again, inferring its type.

``None`` has no attribute at all. A function is kept in the output's type, its name as an attribute.
Everything else is the attribute ``value``: lists as lists, tuples as tuples, devices as Device.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast, runtime_checkable

from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.symbols import prim
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    Device,
    DictType,
    FunctionType,
    ListType,
    TupleType,
    Type,
    unify_all,
)
from tsc.compiler.value_classes import value_class

if TYPE_CHECKING:
    from tsc.compiler.ir.node import Node
    from tsc.compiler.ir.value import Value


class Missing(Enum):
    """The answer that a value is not known at compile time; ``None`` is a constant like others."""

    NOT_CONSTANT = "not constant"


NOT_CONSTANT: Final = Missing.NOT_CONSTANT
NotConstant = Literal[Missing.NOT_CONSTANT]


@runtime_checkable
class OpaqueConstant(Protocol):
    """A constant the compiler does not look into: a tensor, an enum's member, an object."""

    def constant_text(self) -> str:
        """What the graph printer writes for it."""
        ...

    def constant_type(self) -> Type: ...


@value_class
class ConstantText:
    """A constant known by its printed form only, as the IR parser finds it: ``<Tensor>``."""

    text: str
    type: Type = TENSOR

    def constant_text(self) -> str:
        return self.text

    def constant_type(self) -> Type:
        return self.type


def constant_value(value: Value) -> object | NotConstant:
    """What ``value`` is at run time, or NOT_CONSTANT."""
    node = value.node
    if node.kind != prim.Constant:
        return NOT_CONSTANT
    if node.has_attribute("value"):
        return node.attribute("value")
    if isinstance(value.type, FunctionType):
        return value.type.function
    return None


def is_constant(value: Value) -> bool:
    return value.node.kind == prim.Constant


def set_constant(node: Node, constant: object, type: Type | None = None) -> Value:
    """Makes the prim::Constant ``node`` stand for ``constant``; returns its output.

    Raises:
        GraphError: no constant can hold the value; the node is as it was.
    """
    known = infer_constant_type(constant) if type is None else type
    _check_width(constant)
    if constant is not None:
        node.set_attribute("value", constant)
    return node.output.set_type(known)


def _check_width(constant: object) -> None:
    """Raise GraphError for an int of more than 64 bits, in lists and tuples too."""
    if isinstance(constant, int):
        if not -(1 << 63) <= constant < 1 << 63:
            raise GraphError(f"no constant can hold {constant}: ints have 64 bits")
    elif isinstance(constant, list | tuple):
        for member in cast("Sequence[object]", constant):
            _check_width(member)


def infer_constant_type(constant: object) -> Type:
    """The type of a constant that says it all by itself; an empty list does not, for one."""
    if constant is None:
        return NONE
    for python_type, type in _SCALARS:
        if isinstance(constant, python_type):
            return type
    declared = getattr(constant, "script_type", None)  # a tuple with names, or an enum's member
    if isinstance(declared, Type):
        return declared
    if isinstance(constant, tuple):
        members = cast("tuple[object, ...]", constant)
        return TupleType(tuple(infer_constant_type(member) for member in members))
    if isinstance(constant, list):
        return ListType(_common_type(cast("list[object]", constant)))
    if isinstance(constant, dict):
        items = cast("dict[object, object]", constant)
        return DictType(_common_type(items.keys()), _common_type(items.values()))
    if isinstance(constant, OpaqueConstant):
        return constant.constant_type()
    raise GraphError(f"no constant can hold a '{type_name(constant)}'")


_SCALARS: Final = (
    (bool, BOOL),
    (int, INT),
    (float, FLOAT),
    (complex, COMPLEX),
    (str, STRING),
    (Device, DEVICE),
)


def type_name(constant: object) -> str:
    return type(constant).__name__


def _common_type(members: Iterable[object]) -> Type:
    common = unify_all([infer_constant_type(member) for member in members])
    if isinstance(common, str):
        raise GraphError("the members of a constant have no type in common: give the type")
    return common
