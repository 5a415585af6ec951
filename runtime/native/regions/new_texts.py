"""Strings that a region makes: their letters lie in lists of its own, which are freed as lists are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Node, constant_value
from tsc.runtime.native.regions.forms import TEXT, Form, Native, TupleForm
from tsc.runtime.native.regions.list_memory import DATA
from tsc.runtime.native.regions.llvm_types import BYTE, POINTER, WORD
from tsc.runtime.native.regions.strings import Strings

_LARGEST_LETTER: Final = 0x10FFFF


class NewTexts(Strings):
    """Emits what makes strings."""

    def joined_texts(self, one: Native, other: Native) -> Native:
        """The letters of one string, then those of another."""
        join = self.own_function("text_join", self._define_join)
        return self._made_by(join, [one, other], self.leave_for_null)

    def part_of_text(self, node: Node, operands: Sequence[Native]) -> Native:
        """A slice: a view, if no letter is left out."""
        text = operands[0]
        first, count, step = self.slice_places(node, operands, self.text_length(text))
        if constant_value(node.inputs[3]) == 1:
            return self._stretch(text, first, count)
        pick = self.own_function("text_pick", self._define_pick)
        data, _, width = self._fields(text)
        self.charge(count)
        self.allocations += 1
        made = self.builder.call(pick, [self.chain, data, width, first, count, step])
        self.leave_for_null(made)
        return self.aggregate(TEXT, [self.field(made, DATA), count, width, made])

    def settled(self, form: Form, value: Native, check: Callable[[Native], None]) -> Native:
        if isinstance(form, TupleForm):
            items = [self.builder.extract_value(value, k) for k in range(len(form.items))]
            return self.aggregate(
                form, [self.settled(*each, check) for each in zip(form.items, items)]
            )
        if form is not TEXT:
            return value
        return self._made_by(
            self.own_function("text_join", self._define_join),
            [value, self.constant_text("")],
            check,
        )

    def letter_of(self, code: Native) -> Native:
        """The string with the letter of a number; fails for a number that is of none."""
        is_one = self.builder.icmp_unsigned("<=", code, self.int_of(_LARGEST_LETTER))
        self.fail_if(self.builder.not_(is_one))
        is_wide = self.compare(">=", code, self.int_of(256))
        return self._chosen(is_wide, lambda: self._wide_letter(code), self._narrow_letter(code))

    # -- How it is done ----------------------------------------------------------------------

    def _new_letters(self, width: Native, length: Native) -> Native:
        new = self.own_function("list_new", self._define_new)
        return self.builder.call(new, [self.chain, width, length])

    def _made_by(
        self, join: ir.Function, texts: list[Native], check: Callable[[Native], None]
    ) -> Native:
        """Of two strings."""
        fields = [self._fields(text) for text in texts]
        (_, first, width), (_, second, other_width) = fields
        length = self.builder.add(first, second)
        self.allocations += 1
        made = self.builder.call(join, [self.chain, *fields[0], *fields[1]])
        check(made)
        wider = self._larger(width, other_width)
        return self.aggregate(TEXT, [self.field(made, DATA), length, wider, made])

    def _larger(self, one: Native, other: Native) -> Native:
        return self.builder.select(self.compare(">", one, other), one, other)

    def _define_join(self, name: str) -> ir.Function:
        """The list with the letters, or null, as the interpreter knows."""
        function = self.begin(name, POINTER, [POINTER, *[POINTER, WORD, WORD] * 2])
        outer, self.chain = self.chain, function.args[0]
        one, other = function.args[1:4], function.args[4:7]
        width = self._larger(one[2], other[2])
        made = self._new_letters(width, self.builder.add(one[1], other[1]))
        self._return_null_for(made)
        data = self.field(made, DATA)
        copy = self.own_function("text_copy", self._define_copy)
        self.builder.call(copy, [data, width, *one])
        behind = self.builder.gep(data, [self.builder.mul(one[1], width)], source_etype=BYTE)
        self.builder.call(copy, [behind, width, *other])
        self.builder.ret(made)
        self.chain = outer
        return function

    def _define_pick(self, name: str) -> ir.Function:
        """The list with letters that are a step apart, or null, as the interpreter knows."""
        function = self.begin(name, POINTER, [POINTER, POINTER, *[WORD] * 4])
        outer, self.chain = self.chain, function.args[0]
        data, width, first, count, step = function.args[1:]
        made = self._new_letters(width, count)
        self._return_null_for(made)
        target, text = self.field(made, DATA), self.aggregate(TEXT, [data, count, width])

        def letter(place: Native) -> None:
            at = self.builder.add(first, self.builder.mul(place, step))
            self._write_letter(target, width, place, self._code(text, at))

        self.repeat(count, letter)
        self.builder.ret(made)
        self.chain = outer
        return function

    def _define_copy(self, name: str) -> ir.Function:
        """Writes letters, each as wide as is said."""
        function = self.begin(name, ir.VoidType(), [POINTER, WORD, POINTER, WORD, WORD])
        target, width, data, length, own_width = function.args
        with self.builder.if_then(self.compare("==", width, own_width)):
            self.call("memcpy", target, data, self.builder.mul(length, width))
            self.builder.ret_void()
        text = self.aggregate(TEXT, [data, length, own_width])

        def letter(place: Native) -> None:
            self._write_letter(target, width, place, self._code(text, place))

        self.repeat(length, letter)
        self.builder.ret_void()
        return function

    def _write_letter(self, target: Native, width: Native, place: Native, code: Native) -> None:
        """One of one, two or four bytes."""
        for size in (1, 2, 4):
            type = ir.IntType(8 * size)
            with self.builder.if_then(self.compare("==", width, self.int_of(size))):
                slot = self.builder.gep(target, [place], source_etype=type)
                self.builder.store(self.builder.trunc(code, type), slot)

    def _narrow_letter(self, code: Native) -> Native:
        """One of those that are in the code in their order."""
        name = "letters_of_one_byte"
        if name not in self.module.globals:
            letters = bytearray(range(256))
            type = ir.ArrayType(BYTE, len(letters))
            table: Native = ir.GlobalVariable(self.module, type, name)
            table.linkage, table.global_constant = "internal", True
            table.initializer = ir.Constant(type, letters)
        place = self.builder.and_(code, self.int_of(255))
        data = self.builder.gep(self.module.globals[name], [place], source_etype=BYTE)
        return self.aggregate(
            TEXT, [data, self.int_of(1), self.int_of(1), ir.Constant(POINTER, None)]
        )

    def _wide_letter(self, code: Native) -> Native:
        is_wider = self.compare(">=", code, self.int_of(1 << 16))
        width = self.builder.select(is_wider, self.int_of(4), self.int_of(2))
        self.allocations += 1
        made = self._new_letters(width, self.int_of(1))
        self.leave_for_null(made)
        data = self.field(made, DATA)
        self._write_letter(data, width, self.int_of(0), code)
        return self.aggregate(TEXT, [data, self.int_of(1), width, made])
