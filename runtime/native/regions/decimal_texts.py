"""Floats as their decimal digits, as C writes them by ``%.17g``.

A float is a number of 53 bits times a power of two, and its 17 digits are those of the float times a power of ten.
From a ten-thousandth on and below 10 to the 17th, the product of the 53 bits and of a power of five is exact in 128
bits, and what is left is a shift, rounded to even. Other floats are the interpreter's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from llvmlite import ir

from tsc.runtime.native.regions.forms import TEXT, Native
from tsc.runtime.native.regions.kernel_calls import KernelCalls
from tsc.runtime.native.regions.list_memory import DATA, LENGTH
from tsc.runtime.native.regions.list_sorting import Variable
from tsc.runtime.native.regions.llvm_types import BYTE, DOUBLE, INT32, POINTER, WORD

LONGEST: Final = 1e17
"""From here on, numbers without a fraction have an exponent among their digits."""
_LEAST: Final = 1e-4
"""Below, all numbers have one."""
_DIGITS: Final = 17
_ROOM: Final = 24
"""Of letters: a sign, a zero, a point and three more zeros may go before the digits."""
WIDE: Final = ir.IntType(128)
FRACTION: Final = 52
"""Bits of a float behind its first one."""
_EXPONENT_OF_LAST_BIT: Final = 1075
_FIVES: Final = [5**power for power in range(23)]
_LOG_OF_TWO: Final = 1233
"""The decimal logarithm, times 4096."""


class DecimalTexts(KernelCalls):
    """Emits what writes floats."""

    def _real_text(self, value: Native) -> Native:
        function = self.own_function("text_of_real", self._define_text_of_real)
        self.allocations += 1
        made = self.builder.call(function, [self.chain, value])
        self.leave_for_null(made)
        fields = [self.field(made, DATA), self.field(made, LENGTH), self.int_of(1), made]
        return self.aggregate(TEXT, fields)

    def _define_text_of_real(self, name: str) -> ir.Function:
        """The list with the digits, or null, as the interpreter knows."""
        function = self.begin(name, POINTER, [POINTER, DOUBLE])
        outer, self.chain = self.chain, function.args[0]
        builder = self.builder
        value = builder.fadd(function.args[1], self.float_of(0.0))  # which zero it is is not told
        size = self.math("fabs", value)
        is_exact = builder.and_(
            builder.fcmp_ordered(">=", size, self.float_of(_LEAST)),
            builder.fcmp_ordered("<", size, self.float_of(LONGEST)),
        )
        with builder.if_then(is_exact, likely=True):
            made = self._new_letters(self.int_of(1), self.int_of(_ROOM))
            self._return_null_for(made)
            self.set_length(made, self._write_digits(self.field(made, DATA), value, size))
            builder.ret(made)
        self._return_by_interpreter(value, size)
        self.chain = outer
        return function

    def _return_by_interpreter(self, value: Native, size: Native) -> None:
        builder = self.builder
        numbers = [ir.Constant(INT32, each) for each in (ord("g"), _DIGITS, 0)]
        letters = self.call("PyOS_double_to_string", value, *numbers, ir.Constant(POINTER, None))
        self._return_null_for(letters)
        length = self.call("strlen", letters)
        is_whole = builder.fcmp_ordered("==", self.math("floor", value), value)
        is_short = builder.fcmp_ordered("<", size, self.float_of(LONGEST))
        point = self.integer(builder.and_(is_whole, is_short))
        made = self._new_letters(self.int_of(1), builder.add(length, point))
        is_made = builder.icmp_unsigned("!=", made, ir.Constant(POINTER, None))
        with builder.if_then(is_made, likely=True):
            data = self.field(made, DATA)
            self.call("memcpy", data, letters, length)
            with builder.if_then(self.compare("!=", point, self.int_of(0))):
                self._put(data, length, self.int_of(ord(".")))
        self.call("PyMem_Free", letters)
        builder.ret(made)

    def _put(self, data: Native, place: Native, code: Native) -> None:
        slot = self.builder.gep(data, [place], source_etype=BYTE)
        self.builder.store(self.builder.trunc(code, BYTE), slot)

    # -- Digits ------------------------------------------------------------------------------

    def _write_digits(self, data: Native, value: Native, size: Native) -> Native:
        """Into `_ROOM` letters; how many there are."""
        builder, zero, one, ten = self.builder, *map(self.int_of, (0, 1, 10))
        digits, exponent = self._decimal(size)
        left, count = Variable(builder, digits), Variable(builder, self.int_of(_DIGITS))

        def drop_zero() -> None:
            left.set(builder.udiv(left.get(), ten))
            count.set(builder.sub(count.get(), one))

        self.while_holds(lambda: self.compare("==", builder.urem(left.get(), ten), zero), drop_zero)
        for place in range(0, _ROOM, 8):
            slot = builder.gep(data, [self.int_of(place)], source_etype=BYTE)
            builder.store(ir.Constant(WORD, int.from_bytes(b"0" * 8, "little")), slot)
        sign = self.integer(builder.fcmp_ordered("<", value, self.float_of(0.0)))
        before = builder.select(self.compare(">", exponent, zero), exponent, zero)
        point = builder.add(builder.add(sign, before), one)
        is_small = self.compare("<", exponent, zero)
        first = builder.select(is_small, builder.sub(point, exponent), sign)
        last = builder.sub(builder.add(first, count.get()), one)

        def digit(place: Native) -> None:
            at = builder.sub(last, place)
            is_behind = builder.and_(builder.not_(is_small), self.compare(">=", at, point))
            at = builder.add(at, self.integer(is_behind))
            code = builder.add(builder.urem(left.get(), ten), self.int_of(ord("0")))
            self._put(data, at, code)
            left.set(builder.udiv(left.get(), ten))

        self.repeat(count.get(), digit)
        self._put(data, point, self.int_of(ord(".")))
        with builder.if_then(self.compare("!=", sign, zero)):
            self._put(data, zero, self.int_of(ord("-")))
        is_split = builder.and_(builder.not_(is_small), self.compare(">=", last, point))
        last = builder.add(last, self.integer(is_split))
        last = builder.select(self.compare(">", last, point), last, point)
        return builder.add(last, one)

    def _decimal(self, size: Native) -> tuple[Native, Native]:
        """The digits as one number, and the power of ten of the first."""
        builder, sixteen = self.builder, self.int_of(_DIGITS - 1)
        content, exponent = self.parts_of_real(size)
        first_bit = builder.add(exponent, self.int_of(FRACTION))
        tens = builder.mul(first_bit, self.int_of(_LOG_OF_TWO))
        tens = builder.ashr(tens, self.int_of(12))  # of the first digit, or one less
        power = builder.sub(self.int_of(_DIGITS - 2), tens)
        is_there = self.compare(">", power, self.int_of(0))
        power = builder.select(is_there, power, self.int_of(0))
        scaled = self.own_function("decimal_scaled", self._define_scaled)
        floor = self.builder.extract_value(builder.call(scaled, [content, exponent, power]), 0)
        is_short = self.compare("<", floor, self.int_of(10 ** (_DIGITS - 1)))
        power = builder.add(power, self.integer(is_short))
        rounded = builder.extract_value(builder.call(scaled, [content, exponent, power]), 1)
        is_next = self.compare("==", rounded, self.int_of(10**_DIGITS))
        digits = builder.select(is_next, self.int_of(10 ** (_DIGITS - 1)), rounded)
        return digits, builder.add(builder.sub(sixteen, power), self.integer(is_next))

    def parts_of_real(self, size: Native) -> tuple[Native, Native]:
        """The bits of a normal float above zero as a number, and the exponent of the last of them."""
        builder = self.builder
        bits = builder.bitcast(size, WORD)
        exponent = builder.lshr(bits, self.int_of(FRACTION))
        exponent = builder.sub(exponent, self.int_of(_EXPONENT_OF_LAST_BIT))
        content = builder.and_(bits, self.int_of((1 << FRACTION) - 1))
        return builder.or_(content, self.int_of(1 << FRACTION)), exponent

    def powers_of_five(self) -> Native:
        """A table of them."""
        return self._table("powers_of_five", WORD, _FIVES)

    def _define_scaled(self, name: str) -> ir.Function:
        """Of a number times powers of two and ten, what is below it and what is nearest to it, rounded to even."""
        result = ir.LiteralStructType([WORD, WORD])
        function = self.begin(name, result, [WORD, WORD, WORD])
        content, exponent, power = function.args
        builder = self.builder
        slot = builder.gep(self.powers_of_five(), [power], source_etype=WORD)
        five = builder.load(slot, typ=WORD)
        product = builder.mul(builder.zext(content, WIDE), builder.zext(five, WIDE))
        shift = builder.neg(builder.add(exponent, power))
        is_right = self.compare(">", shift, self.int_of(0))
        right = builder.zext(builder.select(is_right, shift, self.int_of(0)), WIDE)
        left = builder.select(is_right, self.int_of(0), builder.neg(shift))
        product = builder.shl(product, builder.zext(left, WIDE))
        floor = builder.lshr(product, right)
        one = ir.Constant(WIDE, 1)
        half = builder.lshr(builder.shl(one, right), one)
        odd = builder.and_(floor, one)
        above = builder.sub(builder.add(half, odd), one)
        above = builder.select(is_right, above, ir.Constant(WIDE, 0))
        nearest = builder.lshr(builder.add(product, above), right)
        made: Native = ir.Constant(result, ir.Undefined)
        for place, each in enumerate((floor, nearest)):
            made = builder.insert_value(made, builder.trunc(each, WORD), place)
        builder.ret(made)
        return function

    def _table(self, name: str, type: ir.Type, content: Sequence[float]) -> Native:
        """Numbers that are in the code."""
        if name not in self.module.globals:
            array = ir.ArrayType(type, len(content))
            table: Native = ir.GlobalVariable(self.module, array, name)
            table.linkage, table.global_constant = "internal", True
            table.initializer = ir.Constant(array, content)
        return self.module.globals[name]
