"""Sorting of lists: stable, by merging, as Python's own. Lists in which a NaN is Python sorts itself: their order
follows from how it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir

from tsc.compiler.ir import Node
from tsc.runtime.native.regions.forms import (
    INTEGER,
    REAL,
    TEXT,
    TRUTH,
    Form,
    ListForm,
    Native,
    NotNative,
    TupleForm,
)
from tsc.runtime.native.regions.list_changes import ListChanges
from tsc.runtime.native.regions.list_memory import OBJECT
from tsc.runtime.native.regions.llvm_types import BIT, POINTER, WORD

_BLOCK: Final = 16
"""So many elements are sorted by inserting each."""
_WORDS_OF_SORTED: Final = 6
"""As a power of two: as how many words it counts to bring an element in order."""
_ORDERED: Final = (INTEGER, REAL, TRUTH, TEXT)


class Variable:
    """A place that holds a value, which LLVM turns into registers."""

    def __init__(self, builder: Any, initial: Native) -> None:
        self._builder, self._type = builder, initial.type
        with builder.goto_entry_block():
            self._slot = builder.alloca(initial.type)
        self.set(initial)

    def get(self) -> Native:
        return self._builder.load(self._slot, typ=self._type)

    def set(self, value: Native) -> None:
        self._builder.store(value, self._slot)


class ListSorting(ListChanges):
    """Emits sorting."""

    def sorted_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """A new list."""
        made = self.copied_list(node, operands)
        self.sort_items(self._list_form(node.output), made, ir.Constant(BIT, 0))
        return made

    def sort_items(self, form: ListForm, list: Native, backwards: Native) -> None:
        """In place."""
        if not _has_order(form.element):
            raise NotNative("only lists of numbers, strings and tuples of them are sorted")
        length = self.length(form, list)
        self.charge(self.builder.shl(length, ir.Constant(length.type, _WORDS_OF_SORTED)))
        if form.is_python:
            self._sort_objects(list, backwards)
            return
        if not _has_reals(form.element):
            self._sort_own(form, list, backwards)
            return
        check = self._of_form("list_nan", form, self._define_has_nan)
        has_nan = self.builder.call(check, [list])
        with self.builder.if_else(has_nan, likely=False) as (then, otherwise):
            with then:
                self._sort_by_python(form, list, backwards)
            with otherwise:
                self._sort_own(form, list, backwards)

    def _of_form(
        self, name: str, form: ListForm, define: Callable[[str, ListForm], ir.Function]
    ) -> ir.Function:
        numbered = f"{name}_{self.number_of(form)}"
        return self.own_function(numbered, lambda name: define(name, form))

    def _sort_own(self, form: ListForm, list: Native, backwards: Native) -> None:
        sort = self._of_form("list_sort", form, self._define_sort)
        self.leave_if(self.builder.call(sort, [list, backwards]))

    # -- By Python ---------------------------------------------------------------------------

    def _sort_objects(self, list: Native, backwards: Native) -> None:
        for name in ("PyList_Reverse", "PyList_Sort", "PyList_Reverse"):
            if name == "PyList_Sort":
                self._leave_for_status(self.call(name, list))
                continue
            with self.builder.if_then(backwards):
                self.call(name, list)

    def _sort_by_python(self, form: ListForm, list: Native, backwards: Native) -> None:
        """Through a list of objects, which is kept: strings are read in it."""
        length, keeper = self.length(form, list), self.new_list(form, self.int_of(0))
        objects = self.call("PyList_New", length)
        self.leave_if(self.builder.icmp_unsigned("==", objects, ir.Constant(POINTER, None)))
        self.builder.store(objects, self.place(keeper, OBJECT))

        def take(place: Native) -> None:
            item = self.loaded(form.element, self.slot(form, list, place))
            self.builder.store(self.box(form.element, item), self.item_slot(objects, place))

        def give(place: Native) -> None:
            item = self.unbox(form.element, self._load_object(objects, place))
            self.stored(form.element, item, self.slot(form, list, place))

        self.repeat(length, take)
        self._sort_objects(objects, backwards)
        self.repeat(length, give)

    def _define_has_nan(self, name: str, form: ListForm) -> ir.Function:
        function = self.begin(name, BIT, [POINTER])
        (list,) = function.args

        def check(place: Native) -> None:
            item = self.loaded(form.element, self.slot(form, list, place))
            with self.builder.if_then(self._is_nan(form.element, item)):
                self.builder.ret(ir.Constant(BIT, 1))

        self.repeat(self.length(form, list), check)
        self.builder.ret(ir.Constant(BIT, 0))
        return function

    def _is_nan(self, form: Form, item: Native) -> Native:
        if isinstance(form, TupleForm):
            found: Native = ir.Constant(BIT, 0)
            for place, inner in enumerate(form.items):
                part = self.builder.extract_value(item, place)
                found = self.builder.or_(found, self._is_nan(inner, part))
            return found
        return self.compare("!=", item, item) if form is REAL else ir.Constant(BIT, 0)

    # -- By merging --------------------------------------------------------------------------

    def _define_sort(self, name: str, form: ListForm) -> ir.Function:
        """Sorts the elements of a list; says whether that failed."""
        function = self.begin(name, BIT, [POINTER, BIT])
        list, backwards = function.args
        sorting = _Sorting(self, form.element, self.data(list), backwards)
        length = self.length(form, list)
        sorting.sort_blocks(length)
        is_short = self.compare("<=", length, self.int_of(_BLOCK))
        with self.builder.if_then(is_short):
            self.builder.ret(ir.Constant(BIT, 0))
        bytes = self.builder.mul(length, self.int_of(self.size_of(form.element)))
        room = self.call("malloc", bytes)
        failed = self.builder.icmp_unsigned("==", room, ir.Constant(POINTER, None))
        with self.builder.if_then(failed, likely=False):
            self.call("PyErr_NoMemory")
            self.builder.ret(ir.Constant(BIT, 1))
        source = sorting.merge_all(length, room)
        is_there = self.builder.icmp_unsigned("==", source, room)
        with self.builder.if_then(is_there):
            self.call("memcpy", sorting.data, room, bytes)
        self.call("free", room)
        self.builder.ret(ir.Constant(BIT, 0))
        return function

    def while_holds(self, holds: Callable[[], Native], body: Callable[[], None]) -> None:
        """Emit a loop."""
        builder = self.builder
        head, turn, after = (builder.append_basic_block(each) for each in ("while", "do", "end"))
        builder.branch(head)
        builder.position_at_end(head)
        builder.cbranch(holds(), turn, after)
        builder.position_at_end(turn)
        body()
        builder.branch(head)
        builder.position_at_end(after)

    def is_before(self, form: Form, one: Native, other: Native) -> Native:
        """Whether a value comes before another."""
        if form is TEXT:
            return self.compare("<", self.order_of_texts(one, other), self.int_of(0))
        if isinstance(form, TupleForm):
            return self._is_tuple_before(form.items, one, other, 0)
        return self.compare("<", one, other)

    def _is_tuple_before(
        self, items: Sequence[Form], one: Native, other: Native, place: int
    ) -> Native:
        """By the first items that differ."""
        if place == len(items):
            return ir.Constant(BIT, 0)
        parts = [self.builder.extract_value(each, place) for each in (one, other)]
        is_before = self.is_before(items[place], *parts)
        is_behind = self.is_before(items[place], *reversed(parts))
        is_decided = self.builder.or_(is_before, is_behind)
        return self._chosen(
            self.builder.not_(is_decided),
            lambda: self._is_tuple_before(items, one, other, place + 1),
            is_before,
        )


class _Sorting:
    """Emits the parts of sorting one kind of elements."""

    def __init__(self, b: ListSorting, form: Form, data: Native, backwards: Native) -> None:
        self._b, self._form, self.data, self._backwards = b, form, data, backwards

    def _load(self, data: Native, place: Native) -> Native:
        return self._b.loaded(self._form, self._b.slot_in(self._form, data, place))

    def _store(self, item: Native, data: Native, place: Native) -> None:
        self._b.stored(self._form, item, self._b.slot_in(self._form, data, place))

    def _goes_before(self, one: Native, other: Native) -> Native:
        b = self._b
        return b.builder.select(
            self._backwards,
            b.is_before(self._form, other, one),
            b.is_before(self._form, one, other),
        )

    def sort_blocks(self, length: Native) -> None:
        """Each element goes to its place among those before it in its block."""
        b = self._b
        last_bits = b.int_of(-_BLOCK)

        def insert(place: Native) -> None:
            item, begin = self._load(self.data, place), b.builder.and_(place, last_bits)
            hole = Variable(b.builder, place)

            def goes_on() -> Native:
                return b._chosen(
                    b.compare(">", hole.get(), begin),
                    lambda: self._goes_before(item, self._load(self.data, before())),
                    ir.Constant(BIT, 0),
                )

            def before() -> Native:
                return b.builder.sub(hole.get(), b.int_of(1))

            def move() -> None:
                self._store(self._load(self.data, before()), self.data, hole.get())
                hole.set(before())

            b.while_holds(goes_on, move)
            self._store(item, self.data, hole.get())

        b.repeat(length, insert)

    def merge_all(self, length: Native, room: Native) -> Native:
        """Merge blocks from one place to another and back; where all are in the end."""
        b = self._b
        builder = b.builder
        source, target = Variable(builder, self.data), Variable(builder, room)
        width = Variable(builder, b.int_of(_BLOCK))

        def at_most(place: Native) -> Native:
            return builder.select(b.compare("<", place, length), place, length)

        def merge_pairs() -> None:
            low = Variable(builder, b.int_of(0))

            def merge_pair() -> None:
                middle = builder.add(low.get(), width.get())
                high = builder.add(middle, width.get())
                bounds = low.get(), at_most(middle), at_most(high)
                self._merge(source.get(), target.get(), *bounds)
                low.set(high)

            b.while_holds(lambda: b.compare("<", low.get(), length), merge_pair)
            before = source.get()
            source.set(target.get())
            target.set(before)
            width.set(builder.add(width.get(), width.get()))

        b.while_holds(lambda: b.compare("<", width.get(), length), merge_pairs)
        return source.get()

    def _merge(
        self, source: Native, target: Native, low: Native, middle: Native, high: Native
    ) -> None:
        b, false = self._b, ir.Constant(BIT, 0)
        builder, one = b.builder, b.int_of(1)
        left, right, place = (Variable(builder, each) for each in (low, middle, low))

        def takes_right() -> Native:
            return b._chosen(
                b.compare("<", right.get(), high),
                lambda: b._chosen(
                    b.compare("<", left.get(), middle),
                    lambda: self._goes_before(
                        self._load(source, right.get()), self._load(source, left.get())
                    ),
                    ir.Constant(BIT, 1),
                ),
                false,
            )

        def take() -> None:
            is_right = takes_right()
            step = builder.zext(is_right, WORD)
            chosen = builder.select(is_right, right.get(), left.get())
            self._store(self._load(source, chosen), target, place.get())
            right.set(builder.add(right.get(), step))
            left.set(builder.add(left.get(), builder.sub(one, step)))
            place.set(builder.add(place.get(), one))

        b.while_holds(lambda: b.compare("<", place.get(), high), take)


def _has_order(form: Form) -> bool:
    if isinstance(form, TupleForm):
        return all(map(_has_order, form.items))
    return form in _ORDERED


def _has_reals(form: Form) -> bool:
    if isinstance(form, TupleForm):
        return any(map(_has_reals, form.items))
    return form is REAL
