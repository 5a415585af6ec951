"""Comparison of numbers, strings, devices and lists of them, and logic on bools."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from tsc.compiler.types import Device
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import Number, of_numbers


def on_floats(compare: Callable[[Any, Any], bool]) -> Callable[[float, float], bool]:
    """A comparison of an int with a float: the int is rounded first, as C++ does."""

    def compare_floats(a: float, b: float) -> bool:
        return compare(float(a), float(b))

    return compare_floats


def on_scalars(compare: Callable[[Any, Any], bool]) -> Callable[[Number, Number], bool]:
    """An order of Scalars; complex numbers have none."""

    def compare_scalars(a: Number, b: Number) -> bool:
        if isinstance(a, complex) or isinstance(b, complex):
            raise ScriptError("RuntimeError", "complex numbers have no order")
        both_ints = isinstance(a, int) and isinstance(b, int)
        return compare(a, b) if both_ints else compare(float(a), float(b))

    return compare_scalars


def declare_order(name: str, symbol: str, compare: Callable[[Any, Any], bool]) -> None:
    """One of the four order relations, in all its overloads."""
    exact, mixed = operator(
        f"aten::{name}.int(int a, int b) -> bool",
        f"aten::{name}.float(float a, float b) -> bool",
        expression=of_numbers(f"a {symbol} b"),
    ), operator(
        f"aten::{name}.int_float(int a, float b) -> bool",
        f"aten::{name}.float_int(float a, int b) -> bool",
        expression=of_numbers(f"a {symbol} b"),
    )  # fmt: skip
    exact(compare)
    mixed(on_floats(compare))
    operator(f"aten::{name}(Scalar a, Scalar b) -> bool")(on_scalars(compare))
    operator(
        f"aten::{name}.str(str a, str b) -> bool", lowering=lowerings.by_node("compared_texts")
    )(compare)


declare_order("lt", "<", python.lt)
declare_order("gt", ">", python.gt)
declare_order("le", "<=", python.le)
declare_order("ge", ">=", python.ge)


def declare_equality(name: str, symbol: str, compare: Callable[[Any, Any], bool]) -> None:
    """``==`` or ``!=``, in all its overloads."""
    compared_lists = lowerings.by_node("compared_lists")
    operator(f"aten::{name}.int_list(int[] a, int[] b) -> bool", lowering=compared_lists)(compare)
    operator(f"aten::{name}.device(Device a, Device b) -> bool")(compare)
    operator(f"aten::{name}.bool(bool a, bool b) -> bool", lowering=lowerings.comparison(symbol))(
        compare
    )
    operator(f"aten::{name}.enum(AnyEnumType a, AnyEnumType b) -> bool")(compare)
    operator(
        f"aten::{name}.int(int a, int b) -> bool",
        f"aten::{name}.complex(complex a, complex b) -> bool",
        f"aten::{name}.float(float a, float b) -> bool",
        expression=of_numbers(f"a {symbol} b"),
    )(compare)
    operator(
        f"aten::{name}.int_float(int a, float b) -> bool",
        f"aten::{name}.float_int(float a, int b) -> bool",
        expression=of_numbers(f"a {symbol} b"),
    )(on_floats(compare))
    operator(
        f"aten::{name}.float_complex(float a, complex b) -> bool",
        f"aten::{name}.complex_float(complex a, float b) -> bool",
        f"aten::{name}(Scalar a, Scalar b) -> bool",
    )(compare)
    operator(
        f"aten::{name}.str(str a, str b) -> bool", lowering=lowerings.by_node("compared_texts")
    )(compare)
    operator(f"aten::{name}.float_list(float[] a, float[] b) -> bool", lowering=compared_lists)(
        on_float_lists(compare)
    )
    operator(f"aten::{name}.Tensor_list(Tensor[] a, Tensor[] b) -> bool")(on_tensor_lists(compare))
    operator(
        f"aten::{name}.bool_list(bool[] a, bool[] b) -> bool",
        f"aten::{name}.str_list(str[] a, str[] b) -> bool",
        lowering=compared_lists,
    )(compare)


def on_float_lists(compare: Callable[[Any, Any], bool]) -> Callable[[list, list], bool]:
    """A NaN in a list makes it equal to no other, not even to itself."""

    def compare_lists(a: list[float], b: list[float]) -> bool:
        return compare(a == b and not any(value != value for value in a), True)

    return compare_lists


def on_tensor_lists(compare: Callable[[Any, Any], bool]) -> Callable[[list, list], bool]:
    """Lists of tensors are equal when the tensors are equal, one by one, which must be plain truth
    values.
    """

    def compare_lists(a: list[Any], b: list[Any]) -> bool:
        equal = len(a) == len(b) and all(same_tensors(x, y) for x, y in zip(a, b))
        return compare(equal, True)

    return compare_lists


def same_tensors(x: Any, y: Any) -> bool:
    """Whether two tensors of one element are equal; larger ones have no truth value."""
    equal = x.array == y.array
    if equal.size != 1:
        message = (
            "Boolean value of Tensor with several elements is ambiguous: take one element, "
            "all() or any()"
        )
        raise ScriptError("RuntimeError", message)
    return bool(equal.item())


declare_equality("eq", "==", python.eq)
declare_equality("ne", "!=", python.ne)

operator("aten::__not__(bool self) -> bool", lowering=lowerings.negation)(python.not_)


_VALUES = (bool, int, float, Device)
"""What has no identity of its own: two of them are one when they are equal."""
_PARAM = "prim::Param"


@node_operator("aten::__is__(t1 self, t2 obj) -> bool")
def make_is(node: Any) -> Callable[[object, object], bool]:
    """Identity. A literal string is no other one, nor what a caller gave: PyTorch makes each anew."""
    if node is None:
        return _is
    first, second = node.inputs
    kinds = (first.node.kind, second.node.kind)
    is_fresh = "prim::Constant" in kinds or (first is not second and kinds[0] == kinds[1] == _PARAM)
    return _is_fresh if is_fresh else _is


def _is(self: object, obj: object) -> bool:
    if isinstance(self, _VALUES):
        return type(self) is type(obj) and self == obj
    return self is obj


def _is_fresh(self: object, obj: object) -> bool:
    return not isinstance(self, (str, complex)) and _is(self, obj)


@node_operator("aten::__isnot__(t1 self, t2 obj) -> bool")
def make_is_not(node: Any) -> Callable[[object, object], bool]:
    identical = make_is(node)
    return lambda self, obj: not identical(self, obj)
