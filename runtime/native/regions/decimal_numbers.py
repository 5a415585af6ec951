"""Decimal numerals as floats.

Of at most 15 digits or so, the number is a float without its point, and so is the power of ten that it is divided by:
the quotient is rounded once. Of up to 18, the quotient is the nearest float or one beside it, which a comparison in 128
bits tells. Other numerals are the interpreter's, which are copied to where a zero ends them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Node
from tsc.runtime.native.regions.decimal_texts import FRACTION, WIDE
from tsc.runtime.native.regions.forms import TEXT, Native
from tsc.runtime.native.regions.list_sorting import Variable
from tsc.runtime.native.regions.llvm_types import BIT, BYTE, DOUBLE, INT32, POINTER, WORD
from tsc.runtime.native.regions.written_values import WrittenValues

_LONGEST: Final = 40
"""Letters of a numeral."""
_MOST: Final = 10**18
"""No number that is compared is larger."""
_LARGEST: Final = 1 << 53
"""Up to here, all numbers are floats."""
_TENS: Final = [10.0**power for power in range(23)]
"""The powers of ten that are floats."""
_USUAL: Final = (1e-300, 1e300)
"""Between these, no numeral is out of range."""
_RESULT: Final = ir.LiteralStructType([BIT, DOUBLE])


class DecimalNumbers(WrittenValues):
    """Emits what reads floats."""

    def real_of_text(self, node: Node, operands: Sequence[Native]) -> Native:
        """Of digits, with a sign, a point and an exponent perhaps."""
        function = self.own_function("real_of_text", self._define_real_of_text)
        found = self.builder.call(function, self._fields(operands[0]))
        is_simple, value = (self.builder.extract_value(found, place) for place in range(2))
        return self._unless_simple(node, operands, is_simple, lambda: value)

    def _define_real_of_text(self, name: str) -> ir.Function:
        """Whether a string is such a numeral, and its value."""
        function = self.begin(name, _RESULT, [POINTER, WORD, WORD])
        text, length = self.aggregate(TEXT, function.args), function.args[1]
        builder, one = self.builder, self.int_of(1)
        is_longer = builder.icmp_unsigned(">", length, self.int_of(_LONGEST))
        with builder.if_then(is_longer):
            self._return_real(0, self.float_of(0.0))
        letters = builder.alloca(BYTE, size=ir.Constant(INT32, _LONGEST + 1))
        number, count, behind, point, exponent, sign = (
            Variable(builder, self.int_of(0)) for _ in range(6)
        )
        is_large = Variable(builder, ir.Constant(BIT, 0))

        def letter(place: Native) -> None:
            code = self._code(text, place)
            self._put(letters, place, code)
            digit = builder.sub(code, self.int_of(ord("0")))
            is_digit = builder.icmp_unsigned("<", digit, self.int_of(10))
            with builder.if_else(is_digit) as (then, otherwise):
                with then:
                    tens = builder.mul(number.get(), self.int_of(10))
                    number.set(builder.add(tens, digit))
                    is_larger = builder.icmp_unsigned(">", number.get(), self.int_of(_MOST))
                    is_large.set(builder.or_(is_large.get(), is_larger))
                    count.set(builder.add(count.get(), one))
                    behind.set(builder.add(behind.get(), point.get()))
                with otherwise:
                    other(place, code)

        def other(place: Native, code: Native) -> None:
            is_point, is_minus, is_plus, *is_e = (self._is_code_of(code, each) for each in ".-+eE")
            is_minus = builder.or_(is_minus, is_plus)
            is_e = builder.or_(*is_e)
            has_point, has_exponent = (
                self.compare("!=", each.get(), self.int_of(0)) for each in (point, exponent)
            )
            is_first = self.compare("==", place, self.int_of(0))
            has_digits = self.compare("!=", count.get(), self.int_of(0))
            fits = builder.or_(
                builder.and_(is_point, builder.not_(has_point)),
                builder.and_(is_minus, builder.or_(is_first, has_exponent)),
            )
            fits = builder.or_(fits, builder.and_(is_e, has_digits))
            with builder.if_then(builder.not_(fits)):
                self._return_real(0, self.float_of(0.0))
            is_negative = builder.and_(is_first, self._is_code_of(code, "-"))
            for variable, more in ((point, is_point), (exponent, is_e), (sign, is_negative)):
                variable.set(builder.or_(variable.get(), self.integer(more)))

        self.repeat(length, letter)
        with builder.if_then(self.compare("==", count.get(), self.int_of(0))):
            self._return_real(0, self.float_of(0.0))
        is_short = builder.and_(
            self.compare("<", behind.get(), self.int_of(len(_TENS))),
            self.compare("==", exponent.get(), self.int_of(0)),
        )
        with builder.if_then(builder.and_(is_short, builder.not_(is_large.get())), likely=True):
            self._return_quotient(number.get(), behind.get(), sign.get())
        self._put(letters, length, self.int_of(0))
        self._return_by_interpreter_of(letters, length)
        return function

    def _return_quotient(self, number: Native, power: Native, sign: Native) -> None:
        """Of a number and a power of ten, if it is found what the nearest float is."""
        builder = self.builder
        ten = builder.gep(self._table("powers_of_ten", DOUBLE, _TENS), [power], source_etype=DOUBLE)
        quotient = builder.fdiv(self.real(number), builder.load(ten, typ=DOUBLE))
        is_negative = self.compare("!=", sign, self.int_of(0))

        def signed(value: Native) -> Native:
            return builder.select(is_negative, builder.fneg(value), value)

        with builder.if_then(self.compare("<=", number, self.int_of(_LARGEST)), likely=True):
            self._return_real(1, signed(quotient))
        nearest = self.own_function("nearest_quotient", self._define_nearest)
        found = builder.call(nearest, [number, power, quotient])
        is_found, value = (builder.extract_value(found, place) for place in range(2))
        with builder.if_then(is_found, likely=True):
            self._return_real(1, signed(value))

    def _define_nearest(self, name: str) -> ir.Function:
        """The float that is nearest to a number divided by a power of ten, if it is a given one or beside that.

        What the number is more than the float times the power, in units of the float's last bit, is a whole number of
        parts, of which a unit has as many as the power of five is.
        """
        function = self.begin(name, _RESULT, [WORD, WORD, DOUBLE])
        number, power, quotient = function.args
        builder, one = self.builder, ir.Constant(WIDE, 1)
        content, exponent = self.parts_of_real(quotient)
        slot = builder.gep(self.powers_of_five(), [power], source_etype=WORD)
        five = builder.zext(builder.load(slot, typ=WORD), WIDE)
        shift = builder.neg(builder.add(exponent, power))
        fits = builder.icmp_unsigned("<=", shift, self.int_of(64))
        is_even_power = self.compare("==", content, self.int_of(1 << FRACTION))
        with builder.if_then(builder.or_(builder.not_(fits), is_even_power), likely=False):
            self._return_real(0, quotient)
        exact = builder.shl(builder.zext(number, WIDE), builder.zext(shift, WIDE))
        more = builder.sub(exact, builder.mul(builder.zext(content, WIDE), five))
        is_below = builder.icmp_signed("<", more, ir.Constant(WIDE, 0))
        twice = builder.shl(builder.select(is_below, builder.neg(more), more), one)
        odd = builder.zext(builder.and_(content, self.int_of(1)), WIDE)
        is_beside = builder.icmp_unsigned(">", builder.add(twice, odd), five)
        is_found = builder.icmp_unsigned("<", twice, builder.mul(five, ir.Constant(WIDE, 3)))
        step = builder.select(is_below, self.int_of(-1), self.int_of(1))
        step = builder.select(is_beside, step, self.int_of(0))
        bits = builder.add(builder.bitcast(quotient, WORD), step)
        self._return_real(is_found, builder.bitcast(bits, DOUBLE))
        return function

    def _return_by_interpreter_of(self, letters: Native, length: Native) -> None:
        """What may be out of range is not simple."""
        builder = self.builder
        end = builder.alloca(POINTER)
        value = self.call("PyOS_string_to_double", letters, end, ir.Constant(POINTER, None))
        last = builder.gep(letters, [length], source_etype=BYTE)
        is_read = builder.icmp_unsigned("==", builder.load(end, typ=POINTER), last)
        size = self.math("fabs", value)
        for symbol, bound in zip((">=", "<="), _USUAL):
            is_read = builder.and_(is_read, self.compare(symbol, size, self.float_of(bound)))
        self._return_real(is_read, value)

    def _return_real(self, is_simple: Native | int, value: Native) -> None:
        if isinstance(is_simple, int):
            is_simple = ir.Constant(BIT, is_simple)
        made = self.builder.insert_value(ir.Constant(_RESULT, ir.Undefined), is_simple, 0)
        self.builder.ret(self.builder.insert_value(made, value, 1))

    def _is_code_of(self, code: Native, letter: str) -> Native:
        return self.compare("==", code, self.int_of(ord(letter)))
