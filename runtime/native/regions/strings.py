"""Strings in native code: views of letters that lie in Python's strings or in the code, with how wide a letter is.

Characters and slices are views of the same letters, so nothing is copied; a string of Python's is made where one is
given away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.runtime.native.code.text_layout import (
    ASCII,
    ASCII_HEADER,
    COMPACT,
    HEADER,
    LENGTH_IN_TEXT,
    STATE_IN_TEXT,
    WIDTH_BITS,
    WIDTH_SHIFT,
)
from tsc.runtime.native.regions.forms import TEXT, Native
from tsc.runtime.native.regions.list_parts import ListParts
from tsc.runtime.native.regions.llvm_types import BIT, BYTE, INT32, OWNER, POINTER, WORD

DATA, LENGTH, WIDTH = range(3)
_WIDTHS: Final = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
_ORDERS: Final = {"lt": "<", "gt": ">", "le": "<=", "ge": ">="}


class Strings(ListParts):
    """Emits operations on strings."""

    # -- From Python and back ----------------------------------------------------------------

    def unbox_text(self, taken: Native) -> Native:
        builder = self.builder
        length = self.load_at(taken, LENGTH_IN_TEXT, WORD)
        state = self.load_at(taken, STATE_IN_TEXT, INT32)
        width = builder.lshr(state, ir.Constant(INT32, WIDTH_SHIFT))
        width = builder.zext(builder.and_(width, ir.Constant(INT32, WIDTH_BITS)), WORD)
        header = builder.select(
            self._has(state, ASCII), self.int_of(ASCII_HEADER), self.int_of(HEADER)
        )
        behind = builder.gep(taken, [header], source_etype=BYTE)
        is_elsewhere = builder.not_(self._has(state, COMPACT))
        data = self._chosen(is_elsewhere, lambda: self.load_at(taken, HEADER, POINTER), behind)
        return self.aggregate(TEXT, [data, length, width, self._moved(taken, 1)])

    def _moved(self, place: Native, bytes: int) -> Native:
        """A place so many bytes behind another one: one byte behind objects of Python's, where no list is."""
        return self.builder.gep(place, [self.int_of(bytes)], source_etype=BYTE)

    def _has(self, state: Native, bit: int) -> Native:
        found = self.builder.and_(state, ir.Constant(INT32, bit))
        return self.builder.icmp_unsigned("!=", found, ir.Constant(INT32, 0))

    def box_text(self, text: Native) -> Native:
        """The string that all of it was read from, or a new one; None for a variable that was never set."""
        function = self.own_function("text_box", self._define_box_text)
        fields = [*self._fields(text), self.builder.extract_value(text, OWNER)]
        return self.builder.call(function, fields)

    def _define_box_text(self, name: str) -> ir.Function:
        function = self.begin(name, POINTER, [POINTER, WORD, WORD, POINTER])
        data, length, width, owner = function.args
        builder = self.builder
        with builder.if_then(builder.icmp_unsigned("==", data, ir.Constant(POINTER, None))):
            builder.ret(self.owned(self.constant("none")))
        with builder.if_then(self.is_python_owner(owner)):
            whole = self._moved(owner, -1)
            own_length = self.load_at(whole, LENGTH_IN_TEXT, WORD)
            with builder.if_then(builder.icmp_signed("==", own_length, length)):
                builder.ret(self.owned(whole))
        kind = builder.trunc(width, INT32)
        builder.ret(self.call("PyUnicode_FromKindAndData", kind, data, length))
        return function

    def constant_text(self, content: str) -> Native:
        """Letters that are in the code."""
        largest = max(map(ord, content), default=0)
        width = 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4
        letters = bytearray(content.encode(_WIDTHS[width]) + bytes(width))
        type = ir.ArrayType(BYTE, len(letters))
        name = self.module.get_unique_name("letters")
        held: Native = ir.GlobalVariable(self.module, type, name)
        held.linkage, held.global_constant = "internal", True
        held.initializer, held.align = ir.Constant(type, letters), width
        fields = [held, self.int_of(len(content)), self.int_of(width), ir.Constant(POINTER, None)]
        return self.aggregate(TEXT, fields)

    # -- Parts -------------------------------------------------------------------------------

    def _fields(self, text: Native) -> list[Native]:
        return [self.builder.extract_value(text, each) for each in range(3)]

    def text_length(self, text: Native) -> Native:
        return self.builder.extract_value(text, LENGTH)

    def character(self, text: Native, index: Native) -> Native:
        """The view of one letter; fails for an index that is out of range."""
        builder, length = self.builder, self.text_length(text)
        is_negative = builder.icmp_signed("<", index, self.int_of(0))
        place = builder.select(is_negative, builder.add(index, length), index)
        self.fail_if(builder.icmp_unsigned(">=", place, length))
        return self._stretch(text, place, self.int_of(1))

    def _stretch(self, text: Native, place: Native, length: Native) -> Native:
        data, _, width = self._fields(text)
        begin = self.builder.gep(data, [self.builder.mul(place, width)], source_etype=BYTE)
        owner = self.builder.extract_value(text, OWNER)
        return self.aggregate(TEXT, [begin, length, width, owner])

    def letters_of_text(self, node: Node, operands: Sequence[Native]) -> Native:
        """A list of all characters."""
        form, text = self._list_form(node.output), operands[0]
        length = self.text_length(text)
        made = self.new_list(form, length)

        def one(place: Native) -> None:
            letter = self._stretch(text, place, self.int_of(1))
            self.stored(form.element, letter, self.slot(form, made, place))

        self.repeat(length, one)
        return made

    # -- Letters as numbers ------------------------------------------------------------------

    def code_of(self, text: Native) -> Native:
        """The number of the only letter; fails where there is not just one."""
        is_single = self.compare("==", self.text_length(text), self.int_of(1))
        self.fail_if(self.builder.not_(is_single))
        return self._code(text, self.int_of(0))

    def _code(self, text: Native, place: Native) -> Native:
        data, _, width = self._fields(text)
        read = self.own_function("text_code", self._define_code, "alwaysinline")
        return self.builder.call(read, [data, width, place])

    def _define_code(self, name: str) -> ir.Function:
        """The number of a letter, of which there is one."""
        function = self.begin(name, WORD, [POINTER, WORD, WORD])
        data, width, place = function.args
        for size in (1, 2):
            with self.builder.if_then(self.compare("==", width, self.int_of(size))):
                self._return_letter(data, place, size)
        self._return_letter(data, place, 4)
        return function

    def _return_letter(self, data: Native, place: Native, size: int) -> None:
        type = ir.IntType(8 * size)
        slot = self.builder.gep(data, [place], source_etype=type)
        self.builder.ret(self.builder.zext(self.builder.load(slot, typ=type), WORD))

    # -- Comparison --------------------------------------------------------------------------

    def compared_texts(self, node: Node, operands: Sequence[Native]) -> Native:
        """By the numbers of letters, from the first on."""
        name = node.kind.removeprefix("aten::")
        if name in _ORDERS:
            return self.compare(_ORDERS[name], self.order_of_texts(*operands), self.int_of(0))
        equal = self._equal_texts(node, operands)
        return equal if name == "eq" else self.builder.not_(equal)

    def _both(self, operands: Sequence[Native]) -> list[Native]:
        return [field for text in operands[:2] for field in self._fields(text)]

    def _equal_texts(self, node: Node, operands: Sequence[Native]) -> Native:
        for value, other in zip(node.inputs, reversed(operands)):
            code = _known_letter(value)
            if code is not None:
                return self._is_letter(other, code)
        return self.same_texts(*operands)

    def same_texts(self, one: Native, other: Native) -> Native:
        equal = self.own_function("text_equal", self._define_equal)
        return self.builder.call(equal, self._both([one, other]))

    def order_of_texts(self, one: Native, other: Native) -> Native:
        """Less than zero, zero or more, as the first string is less than the second, equal, or greater."""
        order = self.own_function("text_order", self._define_order)
        return self.builder.call(order, self._both([one, other]))

    def _is_letter(self, text: Native, code: int) -> Native:
        is_single = self.compare("==", self.text_length(text), self.int_of(1))

        def same() -> Native:
            return self.compare("==", self._code(text, self.int_of(0)), self.int_of(code))

        return self._chosen(is_single, same, ir.Constant(BIT, 0))

    def _define_equal(self, name: str) -> ir.Function:
        function = self._begin_of_two(name, BIT)
        one, other = self._two(function)
        length, true = self.text_length(one), ir.Constant(BIT, 1)
        is_longer = self.compare("!=", length, self.text_length(other))
        with self.builder.if_then(is_longer):
            self.builder.ret(ir.Constant(BIT, 0))

        def letter(place: Native) -> None:
            differs = self.compare("!=", self._code(one, place), self._code(other, place))
            with self.builder.if_then(differs):
                self.builder.ret(ir.Constant(BIT, 0))

        self.repeat(length, letter)
        self.builder.ret(true)
        return function

    def _define_order(self, name: str) -> ir.Function:
        function = self._begin_of_two(name, WORD)
        one, other = self._two(function)
        lengths = self.text_length(one), self.text_length(other)
        shorter = self.builder.select(self.compare("<", *lengths), *lengths)

        def letter(place: Native) -> None:
            codes = self._code(one, place), self._code(other, place)
            with self.builder.if_then(self.compare("!=", *codes)):
                self.builder.ret(self.builder.sub(*codes))

        self.repeat(shorter, letter)
        self.builder.ret(self.builder.sub(*lengths))
        return function

    def _begin_of_two(self, name: str, result: ir.Type) -> ir.Function:
        return self.begin(name, result, [POINTER, WORD, WORD] * 2)

    def _two(self, function: ir.Function) -> list[Native]:
        nobody = ir.Constant(POINTER, None)
        return [self.aggregate(TEXT, [*function.args[k : k + 3], nobody]) for k in (0, 3)]

    # -- Searching ---------------------------------------------------------------------------

    def found_in_text(self, _node: Node, operands: Sequence[Native]) -> Native:
        """The first place of a string in a stretch of another, or -1; what begins behind the end fails."""
        builder, zero = self.builder, self.int_of(0)
        text, wanted, start, end = operands
        length = self.text_length(text)
        start = self._from_the_end(start, length, zero)
        end = self._from_the_end(end, length, self.int_of(1))
        is_open = self.compare("<", start, end)
        self.fail_if(builder.and_(is_open, self.compare(">", start, length)))
        is_empty = self.compare("==", self.text_length(wanted), zero)
        closed = builder.select(is_empty, start, self.int_of(-1))
        self.charge(length)
        find = self.own_function("text_find", self._define_find)
        given = [*self._both(operands), start, end]
        return self._chosen(is_open, lambda: builder.call(find, given), closed)

    def _from_the_end(self, place: Native, length: Native, more: Native) -> Native:
        """A place that may be negative, which counts from the end; at least zero."""
        builder, zero = self.builder, self.int_of(0)
        from_end = builder.add(builder.add(place, length), more)
        from_end = builder.select(self.compare("<", from_end, zero), zero, from_end)
        return builder.select(self.compare("<", place, zero), from_end, place)

    def _define_find(self, name: str) -> ir.Function:
        function = self.begin(name, WORD, [*[POINTER, WORD, WORD] * 2, WORD, WORD])
        text, wanted = self._two(function)
        start, end = function.args[6:]
        builder, length = self.builder, self.text_length(text)
        is_single = self.compare("==", self.text_length(wanted), self.int_of(1))
        with builder.if_then(builder.not_(is_single)):
            builder.ret(self._found_by_python(text, wanted, start, end))
        last = builder.select(self.compare("<", end, length), end, length)
        code = self._code(wanted, self.int_of(0))

        def letter(offset: Native) -> None:
            place = self.builder.add(start, offset)
            with self.builder.if_then(self.compare("==", self._code(text, place), code)):
                self.builder.ret(place)

        self.repeat(builder.sub(last, start), letter)
        builder.ret(self.int_of(-1))
        return function

    def _found_by_python(self, text: Native, wanted: Native, start: Native, end: Native) -> Native:
        """Which takes no longer where parts repeat."""
        objects = [self.box_text(each) for each in (text, wanted)]
        forward = ir.Constant(INT32, 1)
        found = self.call("PyUnicode_Find", *objects, start, end, forward)
        for each in objects:
            self.call("Py_DecRef", each)
        return found

    # -- Kinds of letters --------------------------------------------------------------------

    def all_letters_are(self, node: Node, operands: Sequence[Native]) -> Native:
        """Whether there are letters and all are of a kind."""
        kind = node.kind.removeprefix("aten::")
        name = f"text_{kind}"
        function = self.own_function(name, lambda name: self._define_kind(name, kind))
        return self.builder.call(function, self._fields(operands[0]))

    def _define_kind(self, name: str, kind: str) -> ir.Function:
        function = self.begin(name, BIT, [POINTER, WORD, WORD])
        text = self.aggregate(TEXT, function.args)
        length = self.text_length(text)

        def letter(place: Native) -> None:
            is_other = self.builder.not_(self._is_of(kind, self._code(text, place)))
            with self.builder.if_then(is_other):
                self.builder.ret(ir.Constant(BIT, 0))

        self.repeat(length, letter)
        self.builder.ret(self.compare(">", length, self.int_of(0)))
        return function

    def _is_of(self, kind: str, code: Native) -> Native:
        is_ascii = self.compare("<", code, self.int_of(128))
        inside: Native = ir.Constant(BIT, 0)
        for low, high in _ranges(kind):
            offset = self.builder.sub(code, self.int_of(low))
            found = self.builder.icmp_unsigned("<", offset, self.int_of(high - low))
            inside = self.builder.or_(inside, found)
        is_other = self.builder.not_(is_ascii)
        return self._chosen(is_other, lambda: self._asked(kind, code), inside)

    def _asked(self, kind: str, code: Native) -> Native:
        """What the interpreter says of a letter."""
        answer: Native = ir.Constant(BIT, 0)
        for name in _KINDS[kind][1]:
            said = self.call(f"_PyUnicode_Is{name}", self.builder.trunc(code, INT32))
            is_so = self.builder.icmp_signed("!=", said, ir.Constant(INT32, 0))
            answer = self.builder.or_(answer, is_so)
        return answer


_NUMERALS: Final = ("DecimalDigit", "Digit", "Numeric")
_KINDS: Final[dict[str, tuple[Callable[[str], bool], tuple[str, ...]]]] = {
    "isdigit": (str.isdigit, ("Digit",)),
    "isdecimal": (str.isdecimal, ("DecimalDigit",)),
    "isnumeric": (str.isnumeric, ("Numeric",)),
    "isalpha": (str.isalpha, ("Alpha",)),
    "isalnum": (str.isalnum, ("Alpha", *_NUMERALS)),
    "isspace": (str.isspace, ("Whitespace",)),
}
"""What tells of a letter whether it is of a kind: of ASCII when code is made, of others when it runs."""


def _ranges(kind: str) -> list[tuple[int, int]]:
    """The ASCII letters of a kind: from each first to each last, which is none itself."""
    is_of = [_KINDS[kind][0](chr(code)) for code in range(128)] + [False]
    begins = [k for k in range(128) if is_of[k] and not (k and is_of[k - 1])]
    return [(k, is_of.index(False, k)) for k in begins]


def _known_letter(value: Value) -> int | None:
    """The number of the letter that a constant is."""
    content = constant_value(value) if is_constant(value) else None
    return ord(content) if isinstance(content, str) and len(content) == 1 else None
