"""Numbers as strings, and strings that are put together of many: ``str(x)``, ``"{}".format(x)``, ``", ".join(l)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Node, constant_value, is_constant
from tsc.runtime.native.regions.decimal_texts import LONGEST, DecimalTexts
from tsc.runtime.native.regions.forms import INTEGER, REAL, TEXT, TRUTH, Form, Native
from tsc.runtime.native.regions.kernel_calls import KernelCalls
from tsc.runtime.native.regions.list_memory import DATA, LENGTH
from tsc.runtime.native.regions.list_sorting import Variable
from tsc.runtime.native.regions.llvm_types import BYTE, POINTER, WORD

_ROOM_FOR_INT: Final = 20
_ALL_INTS: Final = 2.0**63
_WRITTEN: Final = (TEXT, INTEGER, REAL, TRUTH)


class WrittenValues(DecimalTexts):
    """Emits what writes values."""

    # -- Numbers -----------------------------------------------------------------------------

    def text_of_int(self, _node: Node, operands: Sequence[Native]) -> Native:
        return self._int_text(operands[0])

    def _int_text(self, value: Native) -> Native:
        function = self.own_function("text_of_int", self._define_text_of_int)
        self.allocations += 1
        made = self.builder.call(function, [self.chain, value])
        self.leave_for_null(made)
        length, one = self.field(made, LENGTH), self.int_of(1)
        begin = self.builder.sub(self.int_of(_ROOM_FOR_INT), length)
        data = self.builder.gep(self.field(made, DATA), [begin], source_etype=BYTE)
        return self.aggregate(TEXT, [data, length, one, made])

    def _define_text_of_int(self, name: str) -> ir.Function:
        """The list with the decimal digits at its end, or null, as the interpreter knows."""
        function = self.begin(name, POINTER, [POINTER, WORD])
        outer, self.chain = self.chain, function.args[0]
        value, builder, room = function.args[1], self.builder, self.int_of(_ROOM_FOR_INT)
        made = self._new_letters(self.int_of(1), room)
        self._return_null_for(made)
        data, size = self.field(made, DATA), self._absolute(value)
        before, turn, after = builder.block, *map(builder.append_basic_block, ("digit", "sign"))
        builder.branch(turn)
        builder.position_at_end(turn)
        place, left = builder.phi(WORD), builder.phi(WORD)
        here = builder.sub(place, self.int_of(1))
        rest = builder.udiv(left, self.int_of(10))
        digit = builder.urem(left, self.int_of(10))
        self._put(data, here, builder.add(digit, self.int_of(ord("0"))))
        for phi, first, following in ((place, room, here), (left, size, rest)):
            phi.add_incoming(first, before)
            phi.add_incoming(following, turn)
        builder.cbranch(self.compare("!=", rest, self.int_of(0)), turn, after)
        builder.position_at_end(after)
        is_negative = self.compare("<", value, self.int_of(0))
        first = builder.sub(here, self.integer(is_negative))
        with builder.if_then(is_negative):
            self._put(data, first, self.int_of(ord("-")))
        self.set_length(made, builder.sub(room, first))
        builder.ret(made)
        self.chain = outer
        return function

    def text_of_real(self, node: Node, operands: Sequence[Native]) -> Native:
        (value,) = operands
        return self._unless_simple(
            node, operands, self._is_simple(value), lambda: self._real_text(value)
        )

    def _is_simple(self, value: Native) -> Native:
        """Whether a float is written as its digits, perhaps with a point behind them."""
        size, builder = self.math("fabs", value), self.builder
        is_usual = builder.fcmp_ordered("<", size, self.float_of(LONGEST))
        is_beyond = builder.fcmp_ordered(">", size, self.float_of(_ALL_INTS))
        return builder.or_(is_usual, is_beyond)

    # -- Many --------------------------------------------------------------------------------

    def formatted_text(self, node: Node, operands: Sequence[Native]) -> Native | None:
        """A template that is known, of numbers and strings."""
        template = constant_value(node.inputs[0]) if is_constant(node.inputs[0]) else None
        pieces = template.split("{}") if isinstance(template, str) else []
        values = list(zip(map(self.forms.of, node.inputs[1:]), operands[1:]))[: len(pieces) - 1]
        if len(values) < len(pieces) - 1 or any(form not in _WRITTEN for form, _ in values):
            return KernelCalls.call_kernel(self, node, operands)

        def make() -> Native:
            texts = [self._constant_if_any(pieces[0])]
            for each, piece in zip(values, pieces[1:]):
                texts += [self._text_of(*each), self._constant_if_any(piece)]
            return self._texts_in_one([text for text in texts if text is not None])

        simple = [self._is_simple(value) for form, value in values if form is REAL]
        if not simple:
            return make()
        return self._unless_simple(node, operands, reduce(self.builder.and_, simple), make)

    def _constant_if_any(self, letters: str) -> Native | None:
        return self.constant_text(letters) if letters else None

    def _text_of(self, form: Form, value: Native) -> Native:
        if form is INTEGER:
            return self._int_text(value)
        if form is REAL:
            return self._real_text(value)
        if form is TRUTH:
            texts = [self.constant_text(each) for each in ("True", "False")]
            return self.builder.select(value, *texts)
        return value

    def _texts_in_one(self, texts: Sequence[Native]) -> Native:
        if not texts:
            return self.constant_text("")
        fields = [self._fields(text) for text in texts]
        length = reduce(self.builder.add, [each[1] for each in fields])
        width = reduce(self._larger, [each[2] for each in fields])
        made = self._room_for(width, length)
        place = self.field(made, DATA)
        for each in fields:
            place = self._write(place, width, each)
        return self.aggregate(TEXT, [self.field(made, DATA), length, width, made])

    def joined_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """The strings of a list, with another one between them."""
        separator, list = operands
        form, count = (
            self._list_form(node.inputs[1]),
            self.length(self._list_form(node.inputs[1]), list),
        )
        between = self._fields(separator)
        gaps = self.builder.sub(count, self.int_of(1))
        gaps = self.builder.select(self.compare(">", gaps, self.int_of(0)), gaps, self.int_of(0))
        length = Variable(self.builder, self.builder.mul(gaps, between[1]))
        width = Variable(self.builder, between[2])

        def measure(place: Native) -> None:
            _, own_length, own_width = self._fields(self._element_at(form, list, place))
            length.set(self.builder.add(length.get(), own_length))
            width.set(self._larger(width.get(), own_width))

        self.repeat(count, measure)
        made = self._room_for(width.get(), length.get())
        behind = Variable(self.builder, self.field(made, DATA))

        def write(place: Native) -> None:
            with self.builder.if_then(self.compare(">", place, self.int_of(0))):
                behind.set(self._write(behind.get(), width.get(), between))
            item = self._fields(self._element_at(form, list, place))
            behind.set(self._write(behind.get(), width.get(), item))

        self.repeat(count, write)
        return self.aggregate(TEXT, [self.field(made, DATA), length.get(), width.get(), made])

    def _room_for(self, width: Native, length: Native) -> Native:
        self.charge(length)
        self.allocations += 1
        made = self._new_letters(width, length)
        self.leave_for_null(made)
        return made

    def _write(self, place: Native, width: Native, text: Sequence[Native]) -> Native:
        """Letters at a place; what is given is the place behind them."""
        copy = self.own_function("text_copy", self._define_copy)
        self.builder.call(copy, [place, width, *text])
        return self.builder.gep(place, [self.builder.mul(text[1], width)], source_etype=BYTE)

    def _unless_simple(
        self, node: Node, operands: Sequence[Native], is_simple: Native, make: Callable[[], Native]
    ) -> Native:
        """What is made of simple operands, or else what the kernel gives."""
        builder = self.builder
        with builder.if_else(is_simple) as (then, otherwise):
            with then:
                made = make()
                made_in = builder.block
            with otherwise:
                given = KernelCalls.call_kernel(self, node, operands)
                given_in = builder.block
        phi = builder.phi(made.type)
        phi.add_incoming(made, made_in)
        phi.add_incoming(given, given_in)
        return phi
