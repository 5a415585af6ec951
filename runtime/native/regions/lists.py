"""Lists in native code. Those that a region makes are typed buffers, which it frees when it is left, or hands to Python
as lists; those that it was given are Python's objects, whose memory is read and written in place.
"""

from __future__ import annotations

from llvmlite import ir

from tsc.runtime.native.code.list_layout import LENGTH_IN_OBJECT
from tsc.runtime.native.regions.forms import (
    INTEGER,
    REAL,
    Form,
    ListForm,
    Native,
    NotNative,
    is_borrowed,
)
from tsc.runtime.native.regions.list_collection import ListCollection
from tsc.runtime.native.regions.list_memory import LENGTH
from tsc.runtime.native.regions.llvm_types import POINTER, WORD


class Lists(ListCollection):
    """Emits operations on lists."""

    # -- Elements ----------------------------------------------------------------------------

    def length(self, form: ListForm, list: Native) -> Native:
        if form.is_python:
            return self.load_at(list, LENGTH_IN_OBJECT, WORD)
        return self.field(list, LENGTH)

    def get_item(self, form: ListForm, list: Native, index: Native) -> Native:
        place = self._checked(form, list, index)
        return self._element_at(form, list, place)

    def set_item(self, form: ListForm, list: Native, index: Native, value: Native) -> Native:
        place = self._checked(form, list, index)
        if form.is_python:
            self._store_object(list, place, self.box(form.element, value))
        else:
            self.stored(form.element, value, self.slot(form, list, place))
        return list

    def append(self, form: ListForm, list: Native, value: Native) -> Native:
        if form.is_python:
            made = self.box(form.element, value)
            failed = self.call("PyList_Append", list, made)
            self.call("Py_DecRef", made)
            self.leave_if(self.builder.icmp_signed("!=", failed, ir.Constant(failed.type, 0)))
            return list
        self.reserve(form, list, ir.Constant(WORD, 1))
        length = self.field(list, LENGTH)
        self.stored(form.element, value, self.slot(form, list, length))
        self.set_length(list, self.builder.add(length, ir.Constant(WORD, 1)))
        return list

    def _checked(self, form: ListForm, list: Native, index: Native) -> Native:
        """The place that an index means, which may count from the end; fails for one that is out of range."""
        builder, length = self.builder, self.length(form, list)
        is_negative = builder.icmp_signed("<", index, ir.Constant(WORD, 0))
        place = builder.select(is_negative, builder.add(index, length), index)
        self.fail_if(builder.icmp_unsigned(">=", place, length))
        return place

    # -- Python's lists ----------------------------------------------------------------------

    def _load_object(self, list: Native, place: Native) -> Native:
        return self.builder.load(self.item_slot(list, place), typ=POINTER)

    def _store_object(self, list: Native, place: Native, made: Native) -> None:
        slot = self.item_slot(list, place)
        old = self.builder.load(slot, typ=POINTER)
        self.builder.store(made, slot)
        self.call("Py_DecRef", old)

    def _element_at(self, form: ListForm, list: Native, place: Native) -> Native:
        """What is at a place that there is; of a list that may go meanwhile, strings are copied."""
        if not form.is_python:
            return self.loaded(form.element, self.slot(form, list, place))
        value = self._unboxed_item(form.element, self._load_object(list, place))
        return self.settled(form.element, value, self.leave_for_null) if form.is_kept else value

    def leave_for_null(self, made: Native) -> None:
        """Leave where there is no memory."""
        self.leave_if(self.builder.icmp_unsigned("==", made, ir.Constant(POINTER, None)))

    def _unboxed_item(self, form: Form, item: Native) -> Native:
        value = self.unbox(form, item)
        if form in (INTEGER, REAL):
            self._leave_for_error(value)
        return value

    def _leave_for_error(self, value: Native) -> None:
        """-1 may mean that the element was not of the type that the list is said to have."""
        builder = self.builder
        if value.type == WORD:
            suspicious = builder.icmp_signed("==", value, ir.Constant(WORD, -1))
        else:
            suspicious = builder.fcmp_ordered("==", value, ir.Constant(value.type, -1.0))
        with builder.if_then(suspicious, likely=False):
            occurred = self.call("PyErr_Occurred")
            self.leave_if(builder.icmp_unsigned("!=", occurred, ir.Constant(POINTER, None)))

    # -- Whole lists -------------------------------------------------------------------------

    def pop(self, form: ListForm, list: Native, index: Native) -> Native:
        """Take an element out; those behind it move up."""
        if form.is_python:
            return self._pop_object(form, list, index)
        builder, one = self.builder, ir.Constant(WORD, 1)
        place = self._checked(form, list, index)
        slot = self.slot(form, list, place)
        value = self.loaded(form.element, slot)
        left = builder.sub(self.field(list, LENGTH), one)
        size = ir.Constant(WORD, self.size_of(form.element))
        rest = builder.mul(builder.sub(left, place), size)
        self.charge(builder.sub(left, place))
        self.call("memmove", slot, self.slot(form, list, builder.add(place, one)), rest)
        self.set_length(list, left)
        return value

    def _pop_object(self, form: ListForm, list: Native, index: Native) -> Native:
        if is_borrowed(form.element):
            self._own(form)  # Python's list keeps what is read in it
        place = self._checked(form, list, index)
        value = self._unboxed_item(form.element, self._load_object(list, place))
        after = self.builder.add(place, ir.Constant(WORD, 1))
        self.charge(self.builder.sub(self.length(form, list), place))
        failed = self.call("PyList_SetSlice", list, place, after, ir.Constant(POINTER, None))
        self.leave_if(self.builder.icmp_signed("!=", failed, ir.Constant(failed.type, 0)))
        return value

    def cleared(self, form: ListForm, list: Native) -> None:
        self._own(form)
        self.set_length(list, ir.Constant(WORD, 0))

    def repeated(self, form: ListForm, list: Native, times: Native) -> Native:
        """A list several times over; fewer than zero times fails, but for an empty list."""
        self._own(form)
        builder, zero = self.builder, ir.Constant(WORD, 0)
        length = self.field(list, LENGTH)
        is_negative = builder.icmp_signed("<", times, zero)
        self.fail_if(builder.and_(is_negative, builder.icmp_signed("!=", length, zero)))
        times = builder.select(is_negative, zero, times)
        made = self.new_list(form, builder.mul(length, times))

        def one(turn: Native) -> None:
            self._copy(form, made, list, self.builder.mul(turn, length))

        def element(place: Native) -> None:
            self.stored(form.element, value, self.slot(form, made, place))

        is_single = builder.icmp_signed("==", length, ir.Constant(WORD, 1))
        with builder.if_else(is_single) as (then, otherwise):
            with then:
                value = self.loaded(form.element, self.slot(form, list, zero))
                self.repeat(times, element)
            with otherwise:
                self.repeat(times, one)
        return made

    def _copy(self, form: ListForm, to: Native, list: Native, place: Native) -> None:
        """All elements of one list to a place in another, which has room."""
        size = ir.Constant(WORD, self.size_of(form.element))
        bytes = self.builder.mul(self.field(list, LENGTH), size)
        self.call("memcpy", self.slot(form, to, place), self.data(list), bytes)

    def _own(self, form: ListForm) -> None:
        if form.is_python:
            raise NotNative("of a list that was given, single elements alone are read and written")
