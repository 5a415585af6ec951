"""What operators on numbers and lists are in native code, where a `ScalarExpression` does not say it.

Each is called with what emits instructions (`tsc.runtime.native.regions.region_builder`), the node, and its operands.
It gives the native value of the result. This file needs no code generator itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

Builder = Any
Operands = Sequence[Any]
Lowering = Callable[[Builder, Any, Operands], Any]

_LIMIT: Final = 2.0**63


def by(method: str) -> Lowering:
    """A method of the builder on the operands."""

    def lower(b: Builder, _node: Any, operands: Operands) -> Any:
        return getattr(b, method)(*operands)

    return lower


def by_node(method: str) -> Lowering:
    """A method of the builder on the node and its operands."""

    def lower(b: Builder, node: Any, operands: Operands) -> Any:
        return getattr(b, method)(node, operands)

    return lower


def by_list(method: str, element: int | None = None) -> Lowering:
    """A method of the builder on a list, which is told how the list is held; `element` is the place of the operand
    that gets into it, and may be of a subtype.
    """

    def lower(b: Builder, node: Any, operands: Operands) -> Any:
        form = b.forms.of(node.inputs[0])
        given = [*operands]
        if element is not None:
            given[element] = b.coerced(node.inputs[element], form.element)
        return getattr(b, method)(form, *given)

    return lower


def function(name: str) -> Lowering:
    """A function of C's library."""

    def lower(b: Builder, _node: Any, operands: Operands) -> Any:
        return b.math(name, *operands)

    return lower


def comparison(symbol: str) -> Lowering:
    def lower(b: Builder, _node: Any, operands: Operands) -> Any:
        return b.compare(symbol, *operands)

    return lower


def shift(direction: str) -> Lowering:
    """The processor looks at the lowest six bits of the distance."""

    def lower(b: Builder, _node: Any, operands: Operands) -> Any:
        value, distance = operands
        return getattr(b.builder, direction)(value, b.builder.and_(distance, b.int_of(63)))

    return lower


def quotient(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.builder.fdiv(*map(b.real, operands))


def truth(b: Builder, _node: Any, operands: Operands) -> Any:
    """Whether a number is other than zero."""
    return b.compare("!=", operands[0], b.int_of(0))


def negation(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.builder.not_(operands[0])


def identity(_b: Builder, _node: Any, operands: Operands) -> Any:
    return operands[0]


def div_mod(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.divided(*operands)


def floor_of_int(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.truncated(b.real(operands[0]))


def rounded(name: str) -> Lowering:
    """A float to an int; what is none of 64 bits fails."""

    def lower(b: Builder, _node: Any, operands: Operands) -> Any:
        whole = b.math(name, operands[0])
        fits = b.builder.and_(
            b.compare(">=", whole, b.float_of(-_LIMIT)), b.compare("<", whole, b.float_of(_LIMIT))
        )
        b.fail_if(b.builder.not_(fits))
        return b.truncated(whole)

    return lower


def whole(b: Builder, _node: Any, operands: Operands) -> Any:
    """A number as an int; a float that is none of 64 bits fails."""
    number = operands[0]
    if number.type != b.float_of(0.0).type:
        return b.integer(number)
    fits = b.builder.and_(
        b.compare(">=", number, b.float_of(-_LIMIT)), b.compare("<", number, b.float_of(_LIMIT))
    )
    b.fail_if(b.builder.not_(fits))
    return b.truncated(number)


def power(b: Builder, _node: Any, operands: Operands) -> Any:
    base, exponent = map(b.real, operands)
    zero = b.float_of(0.0)
    b.fail_if(b.builder.and_(b.compare("==", base, zero), b.compare("<", exponent, zero)))
    return b.math("pow", base, exponent)


def power_of_ints(b: Builder, _node: Any, operands: Operands) -> Any:
    """With a negative exponent, 1 and -1 stay what they are, and all else is 0."""
    base, exponent = operands
    zero, one = b.int_of(0), b.int_of(1)
    is_negative = b.compare("<", exponent, zero)
    b.fail_if(b.builder.and_(is_negative, b.compare("==", base, zero)))
    is_odd = b.compare("!=", b.builder.and_(exponent, one), zero)
    is_unit = b.builder.or_(b.compare("==", base, one), b.compare("==", base, b.int_of(-1)))
    unit = b.builder.select(is_odd, base, one)
    inverse = b.builder.select(is_unit, unit, zero)
    whole = b.power(base, b.builder.select(is_negative, zero, exponent))
    return b.builder.select(is_negative, inverse, whole)


def logarithm_to_base(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.builder.fdiv(*(b.math("log", each) for each in operands))


def range_length(b: Builder, _node: Any, operands: Operands) -> Any:
    low, high, step = operands
    zero, one = b.int_of(0), b.int_of(1)
    b.fail_if(b.compare("==", step, zero))
    rises, forward = b.compare("<", low, high), b.compare(">", step, zero)
    width = b.builder.select(rises, b.builder.sub(high, low), b.builder.sub(low, high))
    stride = b.builder.select(forward, step, b.builder.neg(step))
    turns = b.builder.add(b.builder.udiv(b.builder.sub(width, one), stride), one)
    is_empty = b.builder.or_(b.builder.xor(rises, forward), b.compare("==", low, high))
    return b.builder.select(is_empty, zero, turns)


def derive_index(b: Builder, _node: Any, operands: Operands) -> Any:
    index, start, step = operands
    return b.builder.add(start, b.builder.mul(index, step))


def repeated_list(b: Builder, node: Any, operands: Operands) -> Any:
    """A list, which is the second operand, several times over."""
    times, list = operands
    return b.repeated(b.forms.of(node.inputs[1]), list, times)


def not_a_number(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.compare("!=", operands[0], operands[0])


def infinite(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.compare("==", b.math("fabs", operands[0]), b.float_of(float("inf")))


def finite(b: Builder, _node: Any, operands: Operands) -> Any:
    return b.compare("<", b.math("fabs", operands[0]), b.float_of(float("inf")))
