"""The memory of lists: of those that a region makes, and of Python's, whose items are found where it has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from llvmlite import ir

from tsc.runtime.native.forms import (
    BIT,
    POINTER,
    TRUTH,
    WORD,
    Form,
    ListForm,
    Native,
)
from tsc.runtime.native.numbers import Numbers

LENGTH_IN_OBJECT: Final = 16
"""Bytes before the length in a list of Python's; `python_layout` verifies it."""
ITEMS_IN_OBJECT: Final = 24

_LIST: Final = ir.LiteralStructType([POINTER, POINTER, WORD, WORD, POINTER])
NEXT, DATA, LENGTH, CAPACITY, OBJECT = range(5)
_FEWEST: Final = 8
_SIZES: Final = {"i8": 1, "i64": 8, "double": 8, "ptr": 8}


class ListMemory(Numbers):
    """Emits what makes lists, frees them, and gives them to Python."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self._boxed: dict[ListForm, int] = {}

    def leave_if(self, condition: Native) -> None:
        """Leave the region with an error that Python knows already."""
        raise NotImplementedError

    def prepare_lists(self) -> None:
        """At the beginning of a region: it has no lists yet."""
        self._chain = self.builder.alloca(POINTER)
        self.builder.store(ir.Constant(POINTER, None), self._chain)

    def free_lists(self) -> None:
        """At the end of a region."""
        if "list_new" in self.module.globals:
            self.builder.call(self._own_function("list_free", self._define_free), [self._chain])

    # -- Python's lists ----------------------------------------------------------------------

    def load_at(self, object: Native, offset: int, type: ir.Type) -> Native:
        return self.builder.load(self._address(object, offset), typ=type)

    def _address(self, object: Native, offset: int) -> Native:
        return self.builder.gep(object, [ir.Constant(WORD, offset)], source_etype=ir.IntType(8))

    def item_slot(self, list: Native, place: Native) -> Native:
        items = self.load_at(list, ITEMS_IN_OBJECT, POINTER)
        return self.builder.gep(items, [place], source_etype=POINTER)

    # -- Lists of the region's own -----------------------------------------------------------

    def list_of(self, form: ListForm, items: Sequence[Native]) -> Native:
        made = self.new_list(form, ir.Constant(WORD, len(items)))
        for place, item in enumerate(items):
            self.stored(form.element, item, self.slot(form, made, ir.Constant(WORD, place)))
        return made

    def new_list(self, form: ListForm, length: Native) -> Native:
        """A list of that length, whose elements are not set."""
        function = self._own_function("list_new", self._define_new)
        size = ir.Constant(WORD, self.size_of(form.element))
        made = self.builder.call(function, [self._chain, size, length])
        self.leave_if(self.builder.icmp_unsigned("==", made, ir.Constant(POINTER, None)))
        return made

    def reserve(self, form: ListForm, list: Native, more: Native) -> None:
        """Have room for more elements."""
        builder = self.builder
        wanted = builder.add(self.field(list, LENGTH), more)
        is_full = builder.icmp_signed(">", wanted, self.field(list, CAPACITY))
        with builder.if_then(is_full, likely=False):
            grow = self._own_function("list_grow", self._define_grow)
            size = ir.Constant(WORD, self.size_of(form.element))
            self.leave_if(builder.call(grow, [list, size, wanted]))

    def set_length(self, list: Native, length: Native) -> None:
        self.builder.store(length, self.place(list, LENGTH))

    def data(self, list: Native) -> Native:
        """Where the elements of an own list begin."""
        return self.field(list, DATA)

    def size_of(self, form: Form) -> int:
        """The bytes that an element takes."""
        return _size(form.stored)

    def slot(self, form: ListForm, list: Native, place: Native) -> Native:
        return self.builder.gep(self.data(list), [place], source_etype=form.element.stored)

    def loaded(self, form: Form, slot: Native) -> Native:
        value = self.builder.load(slot, typ=form.stored)
        return self.builder.trunc(value, BIT) if form is TRUTH else value

    def stored(self, form: Form, value: Native, slot: Native) -> None:
        self.builder.store(self.builder.zext(value, form.stored) if form is TRUTH else value, slot)

    def place(self, list: Native, field: int) -> Native:
        numbers = [ir.Constant(ir.IntType(32), each) for each in (0, field)]
        return self.builder.gep(list, numbers, source_etype=_LIST)

    def field(self, list: Native, field: int) -> Native:
        return self.builder.load(self.place(list, field), typ=_LIST.elements[field])

    def repeat(self, length: Native, body: Callable[[Native], None], start: int = 0) -> None:
        """Emit a loop over places of a list."""
        builder = self.builder
        before = builder.block
        head, turn, after = (builder.append_basic_block(name) for name in ("each", "do", "done"))
        builder.branch(head)
        builder.position_at_end(head)
        place = builder.phi(WORD)
        place.add_incoming(ir.Constant(WORD, start), before)
        builder.cbranch(builder.icmp_signed("<", place, length), turn, after)
        builder.position_at_end(turn)
        body(place)
        place.add_incoming(builder.add(place, ir.Constant(WORD, 1)), builder.block)
        builder.branch(head)
        builder.position_at_end(after)

    # -- Functions that regions share --------------------------------------------------------

    def _own_function(self, name: str, define: Callable[[str], ir.Function]) -> ir.Function:
        known = self.module.globals.get(name)
        if known is not None:
            return known
        outer = self.builder
        function = define(name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        self.builder = outer
        return function

    def _begin(self, name: str, result: ir.Type, parameters: Sequence[ir.Type]) -> ir.Function:
        function = ir.Function(self.module, ir.FunctionType(result, parameters), name)
        self.builder = ir.IRBuilder(function.append_basic_block())
        return function

    def _define_new(self, name: str) -> ir.Function:
        function = self._begin(name, POINTER, [POINTER, WORD, WORD])
        chain, size, length = function.args
        builder, null = self.builder, ir.Constant(POINTER, None)
        room = builder.select(
            builder.icmp_signed("<", length, ir.Constant(WORD, _FEWEST)),
            ir.Constant(WORD, _FEWEST),
            length,
        )
        bytes = builder.umul_with_overflow(room, size)
        data = self.call("malloc", builder.extract_value(bytes, 0))
        made = self.call("malloc", ir.Constant(WORD, _size(_LIST)))
        failed = builder.or_(
            builder.icmp_unsigned("==", data, null), builder.icmp_unsigned("==", made, null)
        )
        with builder.if_then(builder.or_(failed, builder.extract_value(bytes, 1)), likely=False):
            self.call("free", data)
            self.call("free", made)
            builder.ret(self.call("PyErr_NoMemory"))
        fields = [builder.load(chain, typ=POINTER), data, length, room, null]
        for field, value in enumerate(fields):
            builder.store(value, self.place(made, field))
        builder.store(made, chain)
        builder.ret(made)
        return function

    def _define_grow(self, name: str) -> ir.Function:
        """Makes room for at least so many elements; says whether that failed."""
        function = self._begin(name, BIT, [POINTER, WORD, WORD])
        list, size, wanted = function.args
        builder = self.builder
        room = builder.add(wanted, builder.lshr(wanted, ir.Constant(WORD, 1)))
        data = self.call("realloc", self.data(list), builder.mul(room, size))
        failed = builder.icmp_unsigned("==", data, ir.Constant(POINTER, None))
        with builder.if_then(failed, likely=False):
            self.call("PyErr_NoMemory")
            builder.ret(ir.Constant(BIT, 1))
        builder.store(data, self.place(list, DATA))
        builder.store(room, self.place(list, CAPACITY))
        builder.ret(ir.Constant(BIT, 0))
        return function

    def _define_free(self, name: str) -> ir.Function:
        """Frees all lists of a region; the objects that were made of them belong to others."""
        function = self._begin(name, ir.VoidType(), [POINTER])
        builder, null = self.builder, ir.Constant(POINTER, None)
        before = builder.block
        head, turn, after = (builder.append_basic_block(each) for each in ("head", "turn", "after"))
        first = builder.load(function.args[0], typ=POINTER)
        builder.branch(head)
        builder.position_at_end(head)
        list = builder.phi(POINTER)
        list.add_incoming(first, before)
        builder.cbranch(builder.icmp_unsigned("==", list, null), after, turn)
        builder.position_at_end(turn)
        following, object = self.field(list, NEXT), self.field(list, OBJECT)
        self.call("free", self.data(list))
        with builder.if_then(builder.icmp_unsigned("!=", object, null)):
            self.call("Py_DecRef", object)
        self.call("free", list)
        list.add_incoming(following, builder.block)
        builder.branch(head)
        builder.position_at_end(after)
        builder.ret_void()
        return function

    # -- To Python ---------------------------------------------------------------------------

    def box_list(self, form: ListForm, value: Native) -> Native:
        """The object that stands for an own list: made once, so that aliases stay aliases."""
        name = f"list_box_{self._boxed.setdefault(form.root(), len(self._boxed))}"
        function = self._own_function(name, lambda name: self._define_box(name, form))
        return self.builder.call(function, [value])

    def _define_box(self, name: str, form: ListForm) -> ir.Function:
        function = self._begin(name, POINTER, [POINTER])
        (list,) = function.args
        builder, null = self.builder, ir.Constant(POINTER, None)
        known = self.field(list, OBJECT)
        with builder.if_then(builder.icmp_unsigned("!=", known, null)):
            builder.ret(self.owned(known))
        length = self.field(list, LENGTH)
        made = self.call("PyList_New", length)
        with builder.if_then(builder.icmp_unsigned("==", made, null), likely=False):
            builder.ret(null)
        builder.store(self.owned(made), self.place(list, OBJECT))

        def item(place: Native) -> None:
            value = self.loaded(form.element, self.slot(form, list, place))
            boxed = self.box(form.element, value)
            items = self.item_slot(made, place)
            self.builder.store(boxed, items)

        self.repeat(length, item)
        builder.ret(made)
        return function


def _size(type: ir.Type) -> int:
    """The bytes that a value takes in memory, with what lies between parts."""
    if isinstance(type, ir.LiteralStructType):
        total = 0
        for part in type.elements:
            size, alignment = _size(part), _alignment(part)
            total = -(-total // alignment) * alignment + size
        return -(-total // _alignment(type)) * _alignment(type)
    return 1 if type == BIT else _SIZES[str(type)]


def _alignment(type: ir.Type) -> int:
    if isinstance(type, ir.LiteralStructType):
        return max((_alignment(part) for part in type.elements), default=1)
    return _size(type)
