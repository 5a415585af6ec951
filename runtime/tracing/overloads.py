"""Which overload of an operator a call from Python means, and the value of each of its arguments.

Like PyTorch's binding of operators to Python: overloads are tried in order; where a trace runs, a tensor of one
element may stand for a number, as the sizes of tensors do; and some operators take numbers for tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import Device, ListType, OptionalType, Type, TypeKind
from tsc.runtime.context import trace_state
from tsc.runtime.python_api.bound_values import NO_MATCH, bound_values
from tsc.runtime.values.value_types import fits

_ARITHMETIC: Final = ("add", "sub", "mul", "div", "divide", "multiply", "subtract", "true_divide")
TAKES_NUMBERS: Final = frozenset(
    f"aten::{name}{suffix}" for name in (*_ARITHMETIC, "floor_divide") for suffix in ("", "_")
)
"""Operators of which a number is a tensor without dimensions, as PyTorch's binding has it."""
_NUMBERS: Final = (TypeKind.IntType, TypeKind.FloatType, TypeKind.NumberType, TypeKind.BoolType)


class Matching:
    """`is_tensor` knows tensors, `constant_of` makes constants of dtypes, devices and the like."""

    def __init__(
        self,
        is_tensor: Callable[[Any], bool],
        constant_of: Callable[[Any], Any],
        tensor_of: Callable[[Any], Any],
    ) -> None:
        self._is_tensor = is_tensor
        self._constant_of = constant_of
        self._tensor_of = tensor_of

    def find(
        self, operators: Sequence[Operator], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Operator, list[Any]] | None:
        """The first overload that takes the arguments, and their values; None if there is none."""
        for operator in operators:
            values = self.bound(operator, args, kwargs)
            if values is not None:
                return operator, values
        return None

    def bound(
        self, operator: Operator, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> list[Any] | None:
        positional = operator.schema.positional
        if len(args) > len(positional) or self._may_be_gathered(positional, args):
            args = self._gathered(positional, args)
        if len(args) > len(positional):
            return None
        numbers = operator.name in TAKES_NUMBERS
        convert = partial(self._converted, numbers=numbers)
        return bound_values(operator.schema, args, kwargs, convert)

    def _may_be_gathered(self, positional: Sequence[Argument], args: Sequence[Any]) -> bool:
        """``x.expand(n)``: the only size is a tensor."""
        fixed = len(args) - 1
        return (
            0 <= fixed < len(positional)
            and isinstance(_inner(positional[fixed].type), ListType)
            and positional[fixed].list_size is None
            and (type(args[fixed]) is int or self._is_tensor(args[fixed]))
            and _inner(positional[fixed].type).contained[0].kind is TypeKind.IntType
        )

    def _gathered(self, positional: Sequence[Argument], args: Sequence[Any]) -> Sequence[Any]:
        """``x.view(2, 3)``: the sizes at the end of a call are one list. Likewise tensors."""
        for fixed, argument in enumerate(positional):
            inner = _inner(argument.type)
            rest = args[fixed:]
            if not isinstance(inner, ListType) or isinstance(next(iter(rest), ()), list | tuple):
                continue
            if inner.element.kind is TypeKind.IntType and all(map(self._is_size, rest)):
                return [*args[:fixed], list(rest)]
        return args

    def _is_size(self, value: Any) -> bool:
        return type(value) is int or self._is_tensor(value)

    def _converted(self, value: Any, argument: Argument, *, numbers: bool) -> Any:
        wanted = argument.type
        inner = _inner(wanted)
        if value is None:
            return None if isinstance(wanted, OptionalType) else NO_MATCH
        if self._is_tensor(value):
            return self._of_tensor(value, argument, inner)
        if isinstance(inner, ListType):
            return self._list(value, argument, inner)
        constant = self._constant_of(value)
        if constant is not value and not _takes_option(argument):
            return NO_MATCH
        return self._of_constant(constant, inner, numbers)

    def _of_tensor(self, value: Any, argument: Argument, inner: Type) -> Any:
        if inner.kind is TypeKind.TensorType:
            return value
        if _dimensions(value) == 0 and inner.kind in _NUMBERS:
            return value
        if isinstance(inner, ListType) and inner.element.kind is TypeKind.IntType:
            sized = argument.list_size is not None and _dimensions(value) == 0
            return [value] * (argument.list_size or 1) if sized else NO_MATCH
        return NO_MATCH

    def _list(self, value: Any, argument: Argument, inner: ListType) -> Any:
        if type(value) is int or (argument.list_size is not None and type(value) is float):
            value = [value] * (argument.list_size or 1)
        if not isinstance(value, list | tuple):
            return NO_MATCH
        element = inner.element
        items = [self._element(each, element) for each in value]
        return NO_MATCH if any(each is NO_MATCH for each in items) else items

    def _element(self, value: Any, element: Type) -> Any:
        inner = _inner(element)
        if value is None:
            return None if isinstance(element, OptionalType) else NO_MATCH
        if self._is_tensor(value):
            if inner.kind is TypeKind.TensorType:
                return value
            return value if _dimensions(value) == 0 and inner.kind in _NUMBERS else NO_MATCH
        return self._of_constant(self._constant_of(value), inner, numbers=False)

    def _of_constant(self, value: Any, inner: Type, numbers: bool) -> Any:
        if inner.kind is TypeKind.TensorType:
            is_number = isinstance(value, bool | int | float | complex)
            return self._tensor_of(value) if numbers and is_number else NO_MATCH
        if inner.kind is TypeKind.FloatType and type(value) is int:
            return float(value)
        if inner.kind is TypeKind.NumberType and type(value) is bool:
            return value
        if inner.kind is TypeKind.DeviceObjType and type(value) is str:
            return Device.parse(value)
        return value if fits(value, inner) else NO_MATCH


def gives_tensors(operator: Operator) -> bool:
    """Whether all results of an operator are tensors, or lists of them: only such ones are recorded."""
    kinds = [returned.type for returned in operator.schema.returns]
    return bool(kinds) and all(
        type.kind is TypeKind.TensorType
        or (type.kind is TypeKind.ListType and type.contained[0].kind is TypeKind.TensorType)
        for type in kinds
    )


def _dimensions(tensor: Any) -> int:
    with trace_state.paused():
        return len(tensor.shape)


def _inner(type: Type) -> Type:
    return type.element if isinstance(type, OptionalType) else type


def _takes_option(argument: Argument) -> bool:
    """Whether an argument is a dtype, a layout, a memory format or a device."""
    return _inner(argument.declared_type).kind in (
        TypeKind.ScalarTypeType,
        TypeKind.LayoutType,
        TypeKind.MemoryFormatType,
        TypeKind.DeviceObjType,
    )
