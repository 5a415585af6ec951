"""Arithmetic as TorchScript has it: ints of 64 bits that wrap around, floats that never raise.

What an operator computes of numbers, its `ScalarExpression` says; this turns the terms of it into instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir

from tsc.compiler.schema.scalar_terms import Apply, Choice, Constant, Input, Term
from tsc.runtime.native.regions.forms import Native, NotNative
from tsc.runtime.native.regions.llvm_types import BIT, DOUBLE, WORD
from tsc.runtime.native.regions.number_operators import BITS, INTRINSICS, LIBRARY, ORDERS
from tsc.runtime.native.regions.python_objects import PythonObjects

SMALLEST: Final = -(2**63)


class Numbers(PythonObjects):
    """Emits operations on numbers."""

    def fail_if(self, condition: Native) -> None:
        """Leave the region where the condition holds: the node at hand raises its error."""
        raise NotImplementedError

    # -- Constants ---------------------------------------------------------------------------

    def int_of(self, value: int) -> Native:
        return ir.Constant(WORD, value)

    def float_of(self, value: float) -> Native:
        return ir.Constant(DOUBLE, value)

    # -- Conversions -------------------------------------------------------------------------

    def real(self, value: Native) -> Native:
        """A number as a float; an int becomes the nearest one."""
        if value.type == DOUBLE:
            return value
        make = self.builder.uitofp if value.type == BIT else self.builder.sitofp
        return make(value, DOUBLE)

    def integer(self, value: Native) -> Native:
        """A truth value as an int."""
        return self.builder.zext(value, WORD) if value.type == BIT else value

    def truncated(self, value: Native) -> Native:
        """Towards zero; what does not fit becomes the smallest int."""
        builder = self.builder
        fits = builder.and_(
            builder.fcmp_ordered(">=", value, ir.Constant(DOUBLE, -(2.0**63))),
            builder.fcmp_ordered("<", value, ir.Constant(DOUBLE, 2.0**63)),
        )
        small = builder.select(fits, value, ir.Constant(DOUBLE, 0.0))
        whole = builder.fptosi(small, WORD)
        return builder.select(fits, whole, ir.Constant(WORD, SMALLEST))

    # -- Operations --------------------------------------------------------------------------

    def compare(self, symbol: str, a: Native, b: Native) -> Native:
        builder = self.builder
        if DOUBLE in (a.type, b.type):
            a, b = self.real(a), self.real(b)
            make = builder.fcmp_unordered if symbol == "!=" else builder.fcmp_ordered
            return make(symbol, a, b)
        if a.type == BIT and b.type == BIT:
            return builder.icmp_unsigned(symbol, a, b)
        return builder.icmp_signed(symbol, self.integer(a), self.integer(b))

    def divided(self, a: Native, b: Native) -> tuple[Native, Native]:
        """Quotient, rounded down, and remainder of ints; division by zero fails."""
        builder = self.builder
        zero, minus_one = ir.Constant(WORD, 0), ir.Constant(WORD, -1)
        if not _is_constant_other_than(b, 0):
            self.fail_if(builder.icmp_signed("==", b, zero))
        if _is_constant_other_than(b, -1):
            divisor, is_negation = b, None
        else:
            is_negation = builder.icmp_signed("==", b, minus_one)
            divisor = builder.select(is_negation, ir.Constant(WORD, 1), b)
        quotient = builder.sdiv(a, divisor)
        rest = builder.sub(a, builder.mul(quotient, divisor))
        other_sign = builder.icmp_signed("<", builder.xor(rest, divisor), zero)
        is_low = builder.and_(builder.icmp_signed("!=", rest, zero), other_sign)
        quotient = builder.sub(quotient, builder.zext(is_low, WORD))
        rest = builder.add(rest, builder.select(is_low, divisor, zero))
        if is_negation is not None:
            quotient = builder.select(is_negation, builder.neg(a), quotient)
        return quotient, rest

    def power(self, base: Native, exponent: Native) -> Native:
        """A power of ints by squaring, without negative exponents."""
        builder = self.builder
        start = builder.block
        turn, end = (builder.append_basic_block(name) for name in ("power", "power_end"))
        builder.branch(turn)
        builder.position_at_end(turn)
        result, square, left = (builder.phi(WORD) for _ in range(3))
        is_odd = builder.trunc(left, BIT)
        product = builder.select(is_odd, builder.mul(result, square), result)
        rest = builder.lshr(left, ir.Constant(WORD, 1))
        squared = builder.mul(square, square)
        first = (ir.Constant(WORD, 1), base, exponent)
        for phi, initial, following in zip((result, square, left), first, (product, squared, rest)):
            phi.add_incoming(initial, start)
            phi.add_incoming(following, turn)
        builder.cbranch(builder.icmp_signed("==", rest, ir.Constant(WORD, 0)), end, turn)
        builder.position_at_end(end)
        return product

    def gcd(self, a: Native, b: Native) -> Native:
        """The greatest common divisor, by Euclid."""
        builder, zero = self.builder, ir.Constant(WORD, 0)
        start = builder.block
        first, second = self._absolute(a), self._absolute(b)
        head, turn, end = (builder.append_basic_block(name) for name in ("gcd", "rest", "gcd_end"))
        builder.branch(head)
        builder.position_at_end(head)
        larger, smaller = builder.phi(WORD), builder.phi(WORD)
        builder.cbranch(builder.icmp_signed("==", smaller, zero), end, turn)
        builder.position_at_end(turn)
        rest = builder.urem(larger, smaller)
        for phi, initial, following in ((larger, first, smaller), (smaller, second, rest)):
            phi.add_incoming(initial, start)
            phi.add_incoming(following, turn)
        builder.branch(head)
        builder.position_at_end(end)
        return larger

    def _absolute(self, a: Native) -> Native:
        is_negative = self.builder.icmp_signed("<", a, ir.Constant(WORD, 0))
        return self.builder.select(is_negative, self.builder.neg(a), a)

    def math(self, name: str, *operands: Native) -> Native:
        """A function of C's mathematical library, under a name that LLVM takes nothing for granted of."""
        reals = [self.real(each) for each in operands]
        if name in INTRINSICS:
            return self._function(INTRINSICS[name], reals)
        if name not in LIBRARY:
            raise NotNative(f"there is no native function {name}")
        return self._function(f"math_{name}", reals)

    def _function(self, name: str, operands: list[Native]) -> Native:
        known = self.module.globals.get(name)
        if known is None:
            type = ir.FunctionType(DOUBLE, [DOUBLE] * len(operands))
            known = ir.Function(self.module, type, name)
            known.attributes.add("nounwind")
        return self.builder.call(known, operands)

    # -- Expressions -------------------------------------------------------------------------

    def of_term(self, term: Term, inputs: dict[str, Native]) -> Native:
        """What a term computes of numbers."""
        match term:
            case Input(name):
                return inputs[name]
            case Constant(bool() as value):
                return ir.Constant(BIT, int(value))
            case Constant(int() as value):
                return ir.Constant(WORD, value)
            case Constant(float() as value):
                return ir.Constant(DOUBLE, value)
            case Choice(condition, chosen, other):
                parts = [self.of_term(each, inputs) for each in (chosen, other)]
                one, two = self._alike(*parts)
                return self.builder.select(self.of_term(condition, inputs), one, two)
            case Apply(operator, operands):
                return self.apply(operator, [self.of_term(each, inputs) for each in operands])
            case _:
                raise NotNative(f"there is no native form of {term}")

    def _alike(self, a: Native, b: Native) -> tuple[Native, Native]:
        return (self.real(a), self.real(b)) if DOUBLE in (a.type, b.type) else (a, b)

    def apply(self, operator: str, operands: list[Native]) -> Native:
        """A basic operator on numbers."""
        if operator in ORDERS:
            return self.compare(ORDERS[operator], operands[0], operands[1])
        if operator in BITS:
            return getattr(self.builder, BITS[operator])(*operands)
        make = _OPERATIONS.get(operator)
        if make is not None:
            return make(self, *operands)
        return self.math(operator, *operands)


def _is_constant_other_than(value: Native, number: int) -> bool:
    return isinstance(value, ir.Constant) and value.constant != number


def _ring(on_ints: str, on_floats: str) -> Callable[[Numbers, Native, Native], Native]:
    def make(numbers: Numbers, a: Native, b: Native) -> Native:
        a, b = numbers._alike(a, b)
        return getattr(numbers.builder, on_floats if a.type == DOUBLE else on_ints)(a, b)

    return make


def _quotient(numbers: Numbers, a: Native, b: Native) -> Native:
    return numbers.builder.fdiv(numbers.real(a), numbers.real(b))


def _floordiv(numbers: Numbers, a: Native, b: Native) -> Native:
    return numbers.divided(a, b)[0]


def _remainder(numbers: Numbers, a: Native, b: Native) -> Native:
    return numbers.divided(a, b)[1]


def _negated(numbers: Numbers, a: Native) -> Native:
    return numbers.builder.fneg(a) if a.type == DOUBLE else numbers.builder.neg(a)


def _absolute(numbers: Numbers, a: Native) -> Native:
    if a.type == DOUBLE:
        return numbers.math("fabs", a)
    return numbers._absolute(a)


_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "add": _ring("add", "fadd"),
    "sub": _ring("sub", "fsub"),
    "mul": _ring("mul", "fmul"),
    "div": _quotient,
    "floordiv": _floordiv,
    "remainder": _remainder,
    "neg": _negated,
    "abs": _absolute,
}
