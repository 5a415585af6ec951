"""Operators, items, iteration and truth of values, with the special methods of classes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from tsc.compiler.types import EnumMember
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.construction import calls
from tsc.runtime.construction.calls import type_name
from tsc.runtime.construction.values import (
    MISSING,
    BoundMethod,
    ClassMethod,
    ClassObject,
    InstanceObject,
    ModuleInstance,
    Namespace,
    NativeFunction,
    TypeForm,
)
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.construction.evaluator import Evaluator

_LARGEST_EXPONENT = 100_000  # bits of an integer
_HOST_CONTEXTS = (NoGrad,)

_BINARY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "+": ("add", operator.add),
    "-": ("sub", operator.sub),
    "*": ("mul", operator.mul),
    "/": ("truediv", operator.truediv),
    "floordiv": ("floordiv", operator.floordiv),
    "%": ("mod", operator.mod),
    "pow operator": ("pow", operator.pow),
    "@": ("matmul", operator.matmul),
    "&": ("and", operator.and_),
    "|": ("or", operator.or_),
    "^": ("xor", operator.xor),
    "<<": ("lshift", operator.lshift),
    ">>": ("rshift", operator.rshift),
    "<": ("lt", operator.lt),
    ">": ("gt", operator.gt),
    "le": ("le", operator.le),
    "ge": ("ge", operator.ge),
    "eq": ("eq", operator.eq),
    "ne": ("ne", operator.ne),
}
_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "floordiv": operator.ifloordiv,
    "%": operator.imod,
    "pow operator": operator.ipow,
    "@": operator.imatmul,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
COMPARISONS = frozenset(("<", ">", "le", "ge", "eq", "ne", "in", "is", "is not"))
_OWN = (InstanceObject, ModuleInstance, ClassObject, EnumMember)


def special_method(value: Any, name: str) -> Any:
    """The bound method ``__name__`` of an instance's class, or `MISSING`."""
    if not isinstance(value, InstanceObject | ModuleInstance):
        return MISSING
    found = value.cls.find(f"__{name}__")
    if found is MISSING or found is None:
        return MISSING
    return BoundMethod(value, found)


def special_method_of(value: InstanceObject, name: str, *arguments: Any) -> Any:
    """What the method of that name gives, called from where no evaluator is at hand; or `MISSING`."""
    method = value.cls.find(name)
    scope = next((each.scope for each in value.cls.mro if each.scope is not None), None)
    if method is MISSING or method is None or scope is None:
        return MISSING
    return calls.call(scope.evaluator, method, [value, *arguments], {})


def binary(evaluator: Evaluator, kind: str, left: Any, right: Any) -> Any:
    """``left <kind> right``"""
    if kind == "is":
        return left is right or _is_same(left, right)
    if kind == "is not":
        return not (left is right or _is_same(left, right))
    if kind == "in":
        return contains(evaluator, right, left)
    left, right = _plain(evaluator, left), _plain(evaluator, right)
    name, function = _BINARY[kind]
    if isinstance(left, _OWN) or isinstance(right, _OWN):
        return _of_objects(evaluator, kind, name, left, right)
    if kind == "%" and isinstance(left, str):
        return _percent_format(evaluator, left, right)
    if kind == "|" and (isinstance(left, TypeForm) or isinstance(right, TypeForm)):
        return TypeForm("Union")
    _check_operands(evaluator, kind, left, right)
    return function(left, right)


def _plain(evaluator: Evaluator, value: Any) -> Any:
    """A member of an enum that is an int or a str as well stands for its value."""
    if not isinstance(value, EnumMember):
        return value
    from tsc.runtime.construction.enum_classes import is_mixed

    return value.value if is_mixed(evaluator, value) else value


def _is_same(left: Any, right: Any) -> bool:
    """Members and modules are made anew at each look, and are the same nonetheless."""
    return isinstance(left, EnumMember | Namespace | DType) and left == right


def _of_objects(evaluator: Evaluator, kind: str, name: str, left: Any, right: Any) -> Any:
    method = special_method(left, name)
    if method is not MISSING:
        result = evaluator.call(method, [right])
        if result is not NotImplemented:
            return result
    reflected = _MIRRORED.get(name, f"r{name}")
    method = special_method(right, reflected)
    if method is not MISSING:
        result = evaluator.call(method, [left])
        if result is not NotImplemented:
            return result
    if name == "eq":
        return _equal_objects(left, right)
    if name == "ne":
        return not evaluator.truth(binary(evaluator, "eq", left, right))
    if kind == "|":
        return (*_alternatives(left), *_alternatives(right))
    symbol = {"floordiv": "//", "pow operator": "**", "le": "<=", "ge": ">="}.get(kind, kind)
    raise TypeError(
        f"unsupported operand type(s) for {symbol}: '{type_name(left)}' and '{type_name(right)}'"
    )


def _alternatives(value: Any) -> tuple[Any, ...]:
    """``int | None`` is, for ``isinstance``, a tuple of classes."""
    return value if isinstance(value, tuple) else (value,)


def _equal_objects(left: Any, right: Any) -> bool:
    return left == right if isinstance(left, EnumMember) else left is right


def _check_operands(evaluator: Evaluator, kind: str, left: Any, right: Any) -> None:
    """Refuse what would take too much memory or time, or what only the host's Python can do."""
    if kind == "+" and isinstance(left, str | list | tuple) and type(left) is type(right):
        evaluator.check_size(len(left) + len(right))
    elif kind == "*":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, str | list | tuple) and isinstance(other, int):
                evaluator.check_size(len(one) * other)
    elif kind == "pow operator" and isinstance(left, int) and isinstance(right, int):
        if right > 0 and left.bit_length() * right > _LARGEST_EXPONENT:
            raise OverflowError("the result of a power is too large")
    elif kind == "<<" and isinstance(right, int) and right > _LARGEST_EXPONENT:
        raise OverflowError("the result of a shift is too large")
    if kind == "*" and isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() + right.bit_length()
        if bits > _LARGEST_EXPONENT:
            raise OverflowError("the product of two integers is too large")


def _percent_format(evaluator: Evaluator, template: str, values: Any) -> str:
    if "*" in template or _is_wide(template):
        raise ValueError("the format is too wide")
    return template % _as_plain(evaluator, values)


def _is_wide(template: str) -> bool:
    digits = "".join(letter if letter.isdigit() else " " for letter in template).split()
    return any(len(number) > 3 for number in digits)


def _as_plain(evaluator: Evaluator, values: Any) -> Any:
    if isinstance(values, tuple):
        return tuple(_as_plain(evaluator, value) for value in values)
    if isinstance(values, str | int | float | complex | dict):
        return values
    return evaluator.text(values)


def in_place(evaluator: Evaluator, kind: str, left: Any, right: Any) -> Any:
    """The value to assign for ``left <kind>= right``."""
    name, _ = _BINARY[kind]
    method = special_method(left, f"i{name}")
    if method is not MISSING:
        return evaluator.call(method, [right])
    if isinstance(left, list) and kind == "+":
        more = evaluator.listed(right)
        evaluator.check_size(len(left) + len(more))
        left.extend(more)
        return left
    if isinstance(left, list) and kind == "*" and isinstance(right, int):
        evaluator.check_size(len(left) * right)
        left *= right
        return left
    if isinstance(left, Tensor | set | dict) and not isinstance(right, _OWN):
        return _IN_PLACE[kind](left, right)
    return binary(evaluator, kind, left, right)


def unary(evaluator: Evaluator, kind: str, value: Any) -> Any:
    """``not``, ``-``, ``+`` and ``~``."""
    if kind == "not":
        return not evaluator.truth(value)
    name, function = {
        "unary minus": ("neg", operator.neg),
        "unary plus": ("pos", operator.pos),
        "~": ("invert", operator.invert),
    }[kind]
    method = special_method(value, name)
    return function(value) if method is MISSING else evaluator.call(method)


def truth(evaluator: Evaluator, value: Any) -> bool:
    """``bool(value)``"""
    for name in ("bool", "len"):
        method = special_method(value, name)
        if method is not MISSING:
            return bool(evaluator.call(method))
    return bool(value)


def length(evaluator: Evaluator, value: Any) -> int:
    """``len(value)``"""
    method = special_method(value, "len")
    if method is not MISSING:
        return evaluator.call(method)
    if isinstance(value, ClassObject) and "__members__" in value.attributes:
        return len(value.attributes["__members__"])
    if isinstance(value, _OWN):
        raise TypeError(f"object of type '{type_name(value)}' has no len()")
    return len(value)


def contains(evaluator: Evaluator, container: Any, item: Any) -> bool:
    """``item in container``"""
    method = special_method(container, "contains")
    if method is not MISSING:
        return evaluator.truth(evaluator.call(method, [item]))
    if isinstance(container, str | dict | set | frozenset | range):
        return item in container
    if isinstance(container, Tensor):
        return bool((container == item).any())
    return any(
        each is item or _is_equal(evaluator, each, item) for each in evaluator.iterate(container)
    )


def _is_equal(evaluator: Evaluator, left: Any, right: Any) -> bool:
    return evaluator.truth(binary(evaluator, "eq", left, right))


def get_item(evaluator: Evaluator, value: Any, key: Any) -> Any:
    """``value[key]``"""
    method = special_method(value, "getitem")
    if method is not MISSING:
        return evaluator.call(method, [key])
    if isinstance(value, ClassObject):
        return _of_class(evaluator, value, key)
    if isinstance(value, TypeForm | NativeFunction):
        return value
    if isinstance(value, _OWN):
        raise TypeError(f"'{type_name(value)}' object is not subscriptable")
    return value[key]


def _of_class(evaluator: Evaluator, cls: ClassObject, key: Any) -> Any:
    members = cls.attributes.get("__members__")
    if members is not None:
        return members[key]
    getter = cls.find("__class_getitem__")
    if isinstance(getter, ClassMethod):
        return evaluator.call(getter.function, [cls, key])
    return cls  # ``List[int]``, ``Generic[T]``: only annotations ask for more


def set_item(evaluator: Evaluator, value: Any, key: Any, item: Any) -> None:
    """``value[key] = item``"""
    method = special_method(value, "setitem")
    if method is not MISSING:
        evaluator.call(method, [key, item])
    elif isinstance(value, list | dict | Tensor):
        if isinstance(value, list) and isinstance(key, slice):
            item = evaluator.listed(item)
        value[key] = item
    else:
        raise TypeError(f"'{type_name(value)}' object does not support item assignment")


def delete_item(evaluator: Evaluator, value: Any, key: Any) -> None:
    """``del value[key]``"""
    method = special_method(value, "delitem")
    if method is not MISSING:
        evaluator.call(method, [key])
    elif isinstance(value, list | dict):
        del value[key]
    else:
        raise TypeError(f"'{type_name(value)}' object doesn't support item deletion")


def iterator(evaluator: Evaluator, value: Any) -> Iterator[Any]:
    """``iter(value)``"""
    method = special_method(value, "iter")
    if method is not MISSING:
        return iterator(evaluator, evaluator.call(method))
    if isinstance(value, Iterator) and not isinstance(value, _OWN):
        return value
    if special_method(value, "next") is not MISSING:
        raise TypeError("iterators that are classes of a program are not supported")
    if isinstance(value, ClassObject) and "__members__" in value.attributes:
        return iter(value.attributes["__members__"].values())
    if special_method(value, "getitem") is not MISSING and not isinstance(value, ModuleInstance):
        return _by_index(evaluator, value)
    iterable = str | list | tuple | dict | set | frozenset | range | Tensor | _VIEWS
    if isinstance(value, iterable):
        return iter(value)
    raise TypeError(f"'{type_name(value)}' object is not iterable")


_VIEWS = type({}.keys()) | type({}.values()) | type({}.items())


def _by_index(evaluator: Evaluator, value: Any) -> Iterator[Any]:
    """Elements by their numbers, as many as ``__len__`` says."""
    for index in range(length(evaluator, value)):
        yield get_item(evaluator, value, index)


def text(evaluator: Evaluator, value: Any) -> str:
    """``str(value)``"""
    for name in ("str", "repr"):
        method = special_method(value, name)
        if method is not MISSING:
            return evaluator.call(method)
    if isinstance(value, EnumMember):
        from tsc.runtime.construction.enum_classes import member_text

        return member_text(evaluator, value)
    return shown(evaluator, value, str)


def representation(evaluator: Evaluator, value: Any) -> str:
    """``repr(value)``"""
    method = special_method(value, "repr")
    if method is not MISSING:
        return evaluator.call(method)
    return shown(evaluator, value, repr)


def shown(evaluator: Evaluator, value: Any, show: Callable[[Any], str]) -> str:
    """``str`` or ``repr`` of a value whose class does not say; containers show what they hold."""
    if isinstance(value, list):
        return f"[{_joined(evaluator, value)}]"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"({_joined(evaluator, value)}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        items = (
            f"{representation(evaluator, key)}: {representation(evaluator, item)}"
            for key, item in value.items()
        )
        return f"{{{', '.join(items)}}}"
    return show(value)


def _joined(evaluator: Evaluator, values: Any) -> str:
    return ", ".join(representation(evaluator, each) for each in values)


def context_manager(evaluator: Evaluator, value: Any) -> AbstractContextManager[Any]:
    """What ``with`` enters."""
    if isinstance(value, _HOST_CONTEXTS):
        return value
    if special_method(value, "enter") is MISSING:
        raise TypeError(
            f"'{type_name(value)}' object does not support the context manager protocol"
        )
    return _entered(evaluator, value)


@contextmanager
def _entered(evaluator: Evaluator, value: Any) -> Iterator[Any]:
    yield evaluator.call(special_method(value, "enter"))
    evaluator.call(special_method(value, "exit"), [None, None, None])
