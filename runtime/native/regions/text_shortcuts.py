"""What kernels of strings are for simple operands, which are the usual ones: for others the kernel is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Node, constant_value, is_constant
from tsc.compiler.types import FLOAT, INT, STRING
from tsc.runtime.native.regions.decimal_numbers import DecimalNumbers
from tsc.runtime.native.regions.forms import TEXT, Native
from tsc.runtime.native.regions.llvm_types import POINTER, WORD

_MOST_DIGITS: Final = 18
"""Of a decimal number that surely fits."""
_TO_OTHER_CASE: Final = 32


class TextShortcuts(DecimalNumbers):
    """Emits what is done without calling a kernel."""

    def call_kernel(self, node: Node, operands: Sequence[Native]) -> Native | None:
        shortcut = _SHORTCUTS.get((node.kind, node.inputs[0].type)) if node.inputs else None
        if shortcut is not None:
            return shortcut(self, node, operands)
        return super().call_kernel(node, operands)

    # -- Numbers -----------------------------------------------------------------------------

    def int_of_text(self, node: Node, operands: Sequence[Native]) -> Native:
        """Of digits alone."""
        function = self.own_function("int_of_text", self._define_int_of_text)
        found = self.builder.call(function, self._fields(operands[0]))
        is_simple = self.compare(">=", found, self.int_of(0))
        return self._unless_simple(node, operands, is_simple, lambda: found)

    def _define_int_of_text(self, name: str) -> ir.Function:
        """The number, or -1 where there is anything but a few digits."""
        function = self.begin(name, WORD, [POINTER, WORD, WORD])
        text = self.aggregate(TEXT, function.args)
        builder, length, other = self.builder, function.args[1], self.int_of(-1)
        total = builder.alloca(WORD)
        builder.store(self.int_of(0), total)
        has_some = builder.icmp_unsigned(
            "<", builder.sub(length, self.int_of(1)), self.int_of(_MOST_DIGITS)
        )
        with builder.if_then(builder.not_(has_some)):
            builder.ret(other)

        def letter(place: Native) -> None:
            builder = self.builder
            digit = builder.sub(self._code(text, place), self.int_of(ord("0")))
            with builder.if_then(builder.icmp_unsigned(">", digit, self.int_of(9))):
                builder.ret(other)
            tens = builder.mul(builder.load(total, typ=WORD), self.int_of(10))
            builder.store(builder.add(tens, digit), total)

        self.repeat(length, letter)
        builder.ret(builder.load(total, typ=WORD))
        return function

    # -- Case --------------------------------------------------------------------------------

    def lower_text(self, node: Node, operands: Sequence[Native]) -> Native:
        return self._in_case(node, operands, "A")

    def upper_text(self, node: Node, operands: Sequence[Native]) -> Native:
        return self._in_case(node, operands, "a")

    def _in_case(self, node: Node, operands: Sequence[Native], first: str) -> Native:
        """A single letter of ASCII in the other case, if it is from `first` on."""
        text = operands[0]
        is_single = self.compare("==", self.text_length(text), self.int_of(1))
        code = self._chosen(is_single, lambda: self._code(text, self.int_of(0)), self.int_of(128))

        def make() -> Native:
            builder = self.builder
            offset = builder.sub(code, self.int_of(ord(first)))
            turns = builder.icmp_unsigned("<", offset, self.int_of(26))
            other = builder.xor(code, self.int_of(_TO_OTHER_CASE))
            return self._narrow_letter(builder.select(turns, other, code))

        is_simple = self.compare("<", code, self.int_of(128))
        return self._unless_simple(node, operands, is_simple, make)

    # -- Parts -------------------------------------------------------------------------------

    def split_text(self, node: Node, operands: Sequence[Native]) -> Native | None:
        """At each of a letter that is known: the parts are views."""
        separator, most = (constant_value(v) if is_constant(v) else None for v in node.inputs[1:])
        if not isinstance(separator, str) or len(separator) != 1 or most != -1:
            return super().call_kernel(node, operands)
        form, text = self._list_form(node.output), operands[0]
        length, code, one = self.text_length(text), self.int_of(ord(separator)), self.int_of(1)
        with self.builder.goto_entry_block():
            begin = self.builder.alloca(WORD)
        self.builder.store(self.int_of(0), begin)
        self.charge(length)
        made = self.new_list(form, self.int_of(0))

        def add_part(end: Native) -> None:
            start = self.builder.load(begin, typ=WORD)
            self.append(form, made, self._stretch(text, start, self.builder.sub(end, start)))
            self.builder.store(self.builder.add(end, one), begin)

        def letter(place: Native) -> None:
            builder = self.builder
            following, part = map(builder.append_basic_block, ("on", "part"))
            is_end = self.compare("==", self._code(text, place), code)
            builder.cbranch(is_end, part, following)
            builder.position_at_end(part)
            add_part(place)
            builder.branch(following)
            builder.position_at_end(following)

        self.repeat(length, letter)
        add_part(length)
        return made


_SHORTCUTS: Final = {
    ("aten::str", INT): TextShortcuts.text_of_int,
    ("aten::str", FLOAT): TextShortcuts.text_of_real,
    ("aten::format", STRING): TextShortcuts.formatted_text,
    ("aten::join", STRING): TextShortcuts.joined_list,
    ("aten::Int", STRING): TextShortcuts.int_of_text,
    ("aten::Float", STRING): TextShortcuts.real_of_text,
    ("aten::lower", STRING): TextShortcuts.lower_text,
    ("aten::upper", STRING): TextShortcuts.upper_text,
    ("aten::split", STRING): TextShortcuts.split_text,
}
