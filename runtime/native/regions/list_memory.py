"""The memory of lists: of those that a region makes, and of Python's, whose items are found where it has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from llvmlite import ir

from tsc.runtime.native.code.list_layout import ITEMS_IN_OBJECT, LENGTH_IN_OBJECT
from tsc.runtime.native.regions.forms import Form, ListForm, Native
from tsc.runtime.native.regions.llvm_types import BIT, INT32, POINTER, WORD, is_bit, stored_type
from tsc.runtime.native.regions.pairs import Pairs

LIST: Final = ir.LiteralStructType([POINTER, POINTER, WORD, WORD, POINTER, WORD, WORD])
"""How a list is held: the next one of the region, its elements, how many, the room for them, the object that stands for
it in Python, the bytes it takes, and a mark."""
NEXT, DATA, LENGTH, CAPACITY, OBJECT, BYTES, MARK = range(7)
LISTS: Final = ir.LiteralStructType([POINTER, WORD, WORD])
"""All lists of a region: the first, the bytes that were made, and how many may be before some are freed."""
CHAIN, MADE, LIMIT = range(3)
REFERENCE: Final = -2
"""Stands for the room where there are no elements, but a reference of an object."""
_BYTES_OF_OBJECT: Final = 256
"""What an object is taken for."""
FEWEST_BYTES: Final = 1 << 18
_FEWEST: Final = 8
_SIZES: Final = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}


class ListMemory(Pairs):
    """Emits what makes lists, frees them, and gives them to Python."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self.allocations = 0
        self._boxed: dict[ListForm, int] = {}

    def leave_if(self, condition: Native) -> None:
        """Leave the region with an error that Python knows already."""
        raise NotImplementedError

    def charge(self, words: Native) -> None:
        """So many words of memory are written within a turn."""
        raise NotImplementedError

    def prepare_lists(self) -> None:
        """At the beginning of a region: it has no lists yet."""
        self.chain = self.builder.alloca(LISTS)
        first = ir.Constant(LISTS, [ir.Constant(POINTER, None), 0, FEWEST_BYTES])
        self.builder.store(first, self.chain)

    def chain_place(self, chain: Native, field: int) -> Native:
        """Where the lists of a region have a field."""
        numbers = [ir.Constant(ir.IntType(32), each) for each in (0, field)]
        return self.builder.gep(chain, numbers, source_etype=LISTS)

    def _count(self, chain: Native, bytes: Native) -> None:
        """So many bytes were made."""
        place = self.chain_place(chain, MADE)
        made = self.builder.load(place, typ=WORD)
        self.builder.store(self.builder.add(made, bytes), place)

    def free_lists(self) -> None:
        """At the end of a region."""
        if {"list_new", "object_keep"} & set(self.module.globals):
            self.builder.call(self.own_function("list_free", self._define_free), [self.chain])

    # -- Python's lists ----------------------------------------------------------------------

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
        function = self.own_function("list_new", self._define_new)
        size = ir.Constant(WORD, self.size_of(form.element))
        self.allocations += 1
        self.charge(length)
        made = self.builder.call(function, [self.chain, size, length])
        self.leave_if(self.builder.icmp_unsigned("==", made, ir.Constant(POINTER, None)))
        return made

    def reserve(self, form: ListForm, list: Native, more: Native) -> None:
        """Have room for more elements."""
        builder = self.builder
        wanted = builder.add(self.field(list, LENGTH), more)
        is_full = builder.icmp_signed(">", wanted, self.field(list, CAPACITY))
        with builder.if_then(is_full, likely=False):
            grow = self.own_function("list_grow", self._define_grow)
            size = ir.Constant(WORD, self.size_of(form.element))
            self.allocations += 1
            self.leave_if(builder.call(grow, [self.chain, list, size, wanted]))

    def set_length(self, list: Native, length: Native) -> None:
        self.builder.store(length, self.place(list, LENGTH))

    def data(self, list: Native) -> Native:
        """Where the elements of an own list begin."""
        return self.field(list, DATA)

    def size_of(self, form: Form) -> int:
        """The bytes that an element takes."""
        return _size(stored_type(form))

    def slot(self, form: ListForm, list: Native, place: Native) -> Native:
        return self.slot_in(form.element, self.data(list), place)

    def slot_in(self, form: Form, data: Native, place: Native) -> Native:
        return self.builder.gep(data, [place], source_etype=stored_type(form))

    def loaded(self, form: Form, slot: Native) -> Native:
        value = self.builder.load(slot, typ=stored_type(form))
        return self.builder.trunc(value, BIT) if is_bit(form) else value

    def stored(self, form: Form, value: Native, slot: Native) -> None:
        self.builder.store(
            self.builder.zext(value, stored_type(form)) if is_bit(form) else value, slot
        )

    def place(self, list: Native, field: int) -> Native:
        numbers = [ir.Constant(ir.IntType(32), each) for each in (0, field)]
        return self.builder.gep(list, numbers, source_etype=LIST)

    def field(self, list: Native, field: int) -> Native:
        return self.builder.load(self.place(list, field), typ=LIST.elements[field])

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

    def _define_new(self, name: str) -> ir.Function:
        function = self.begin(name, POINTER, [POINTER, WORD, WORD])
        chain, size, length = function.args
        builder, null = self.builder, ir.Constant(POINTER, None)
        room = builder.select(
            builder.icmp_signed("<", length, ir.Constant(WORD, _FEWEST)),
            ir.Constant(WORD, _FEWEST),
            length,
        )
        bytes = builder.umul_with_overflow(room, size)
        data = self.call("malloc", builder.extract_value(bytes, 0))
        made = self.call("malloc", ir.Constant(WORD, _size(LIST)))
        failed = builder.or_(
            builder.icmp_unsigned("==", data, null), builder.icmp_unsigned("==", made, null)
        )
        with builder.if_then(builder.or_(failed, builder.extract_value(bytes, 1)), likely=False):
            self.call("free", data)
            self.call("free", made)
            builder.ret(self.call("PyErr_NoMemory"))
        first = self.chain_place(chain, CHAIN)
        taken = builder.add(builder.extract_value(bytes, 0), ir.Constant(WORD, _size(LIST)))
        zero = ir.Constant(WORD, 0)
        fields = [builder.load(first, typ=POINTER), data, length, room, null, taken, zero]
        for field, value in enumerate(fields):
            builder.store(value, self.place(made, field))
        builder.store(made, first)
        self._count(chain, taken)
        builder.ret(made)
        return function

    def _define_keep(self, name: str) -> ir.Function:
        """Takes over a reference; says whether that failed."""
        function = self.begin(name, INT32, [POINTER, POINTER])
        chain, object = function.args
        builder, null, zero = self.builder, ir.Constant(POINTER, None), ir.Constant(WORD, 0)
        made = self.call("malloc", ir.Constant(WORD, _size(LIST)))
        with builder.if_then(builder.icmp_unsigned("==", made, null), likely=False):
            self.call("Py_DecRef", object)
            self.call("PyErr_NoMemory")
            builder.ret(ir.Constant(INT32, -1))
        first = self.chain_place(chain, CHAIN)
        room, bytes = (ir.Constant(WORD, each) for each in (REFERENCE, _BYTES_OF_OBJECT))
        fields = [builder.load(first, typ=POINTER), null, zero, room, object, bytes, zero]
        for field, value in enumerate(fields):
            builder.store(value, self.place(made, field))
        builder.store(made, first)
        self._count(chain, bytes)
        builder.ret(ir.Constant(INT32, 0))
        return function

    def _define_grow(self, name: str) -> ir.Function:
        """Makes room for at least so many elements; says whether that failed."""
        function = self.begin(name, BIT, [POINTER, POINTER, WORD, WORD])
        chain, list, size, wanted = function.args
        builder = self.builder
        room = builder.add(wanted, builder.lshr(wanted, ir.Constant(WORD, 1)))
        bytes = builder.mul(room, size)
        data = self.call("realloc", self.data(list), bytes)
        failed = builder.icmp_unsigned("==", data, ir.Constant(POINTER, None))
        with builder.if_then(failed, likely=False):
            self.call("PyErr_NoMemory")
            builder.ret(ir.Constant(BIT, 1))
        builder.store(data, self.place(list, DATA))
        builder.store(room, self.place(list, CAPACITY))
        builder.store(bytes, self.place(list, BYTES))
        self._count(chain, bytes)
        builder.ret(ir.Constant(BIT, 0))
        return function

    def _define_free(self, name: str) -> ir.Function:
        """Frees all lists of a region; the objects that were made of them belong to others."""
        function = self.begin(name, ir.VoidType(), [POINTER])

        def freed(list: Native) -> None:
            object, null = self.field(list, OBJECT), ir.Constant(POINTER, None)
            self.call("free", self.data(list))
            with self.builder.if_then(self.builder.icmp_unsigned("!=", object, null)):
                self.call("Py_DecRef", object)
            self.call("free", list)

        self.for_each_list(function.args[0], freed)
        self.builder.ret_void()
        return function

    def for_each_list(self, chain: Native, body: Callable[[Native], None]) -> None:
        """Write `body` for each list of a region in turn; it may free the list."""
        builder, null = self.builder, ir.Constant(POINTER, None)
        before = builder.block
        head, turn, after = map(builder.append_basic_block, ("head", "turn", "after"))
        first = builder.load(self.chain_place(chain, CHAIN), typ=POINTER)
        builder.branch(head)
        builder.position_at_end(head)
        list = builder.phi(POINTER)
        list.add_incoming(first, before)
        builder.cbranch(builder.icmp_unsigned("==", list, null), after, turn)
        builder.position_at_end(turn)
        following = self.field(list, NEXT)
        body(list)
        list.add_incoming(following, builder.block)
        builder.branch(head)
        builder.position_at_end(after)

    # -- From Python and back ---------------------------------------------------------------------------

    def copied_in(self, form: ListForm, taken: Native) -> Native:
        """Of None comes a list that was never set."""
        function = self.taking(form, is_given=True)
        is_set = self.builder.icmp_unsigned("!=", taken, self.constant("none"))
        return self._chosen(
            is_set,
            lambda: self.builder.call(function, [self.chain, taken]),
            ir.Constant(POINTER, None),
        )

    def taking(self, form: ListForm, *, is_given: bool) -> ir.Function:
        """What makes an own list of one of Python's, and what is in it, too, if nobody was given that list."""
        name = f"list_{'take' if is_given else 'copy'}_{self.number_of(form)}"
        return self.own_function(name, lambda name: self._define_take(name, form, is_given))

    def settled(self, form: Form, value: Native, check: Callable[[Native], None]) -> Native:
        """A value that was read of an object which is let go of; `check` leaves where there is no memory."""
        raise NotImplementedError

    def _define_take(self, name: str, form: ListForm, is_given: bool) -> ir.Function:
        """Null where that failed, as the interpreter knows."""
        function = self.begin(name, POINTER, [POINTER, POINTER])
        chain, taken = function.args
        outer, self.chain = self.chain, chain
        new = self.own_function("list_new", self._define_new)
        size = ir.Constant(WORD, self.size_of(form.element))
        length = self.load_at(taken, LENGTH_IN_OBJECT, WORD)
        made = self.builder.call(new, [chain, size, length])
        self._return_null_for(made)
        if is_given:
            self.builder.store(self.owned(taken), self.place(made, OBJECT))

        def item(place: Native) -> None:
            object = self.builder.load(self.item_slot(taken, place), typ=POINTER)
            value = self.unbox(form.element, object)
            if not is_given:
                value = self.settled(form.element, value, self._return_null_for)
            self.stored(form.element, value, self.slot(form, made, place))

        self.repeat(length, item)
        self.builder.ret(made)
        self.chain = outer
        return function

    def _return_null_for(self, made: Native) -> None:
        null = ir.Constant(POINTER, None)
        with self.builder.if_then(self.builder.icmp_unsigned("==", made, null), likely=False):
            self.builder.ret(null)

    def boxed_afresh(self, form: ListForm, list: Native) -> Native:
        """A list of Python's for somebody who only looks at it: an own list may change later."""
        if form.is_python:
            return self.box(form, list)
        null = ir.Constant(POINTER, None)
        is_new = self.builder.icmp_unsigned("==", self.field(list, OBJECT), null)
        made = self.box_list(form, list)
        with self.builder.if_then(is_new):
            self.builder.store(null, self.place(list, OBJECT))
            self.call("Py_DecRef", made)
        return made

    def box_list(self, form: ListForm, value: Native) -> Native:
        """The object that stands for an own list: made once, so that aliases stay aliases."""
        name = f"list_box_{self.number_of(form)}"
        function = self.own_function(name, lambda name: self._define_box(name, form))
        return self.builder.call(function, [value])

    def number_of(self, form: ListForm) -> int:
        """A number for all lists that are held alike."""
        return self._boxed.setdefault(form.root(), len(self._boxed))

    def _define_box(self, name: str, form: ListForm) -> ir.Function:
        function = self.begin(name, POINTER, [POINTER])
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
