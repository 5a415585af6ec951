"""What looks for an element in a list, and what takes elements in and out in the middle of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from tsc.compiler.ir import Node
from tsc.runtime.native.regions.forms import TEXT, Form, ListForm, Native, is_borrowed
from tsc.runtime.native.regions.llvm_types import BIT, POINTER, WORD
from tsc.runtime.native.regions.new_texts import NewTexts


class ListChanges(NewTexts):
    """Emits operations that go through lists."""

    # -- Looking -----------------------------------------------------------------------------

    def has_item(self, form: ListForm, list: Native, item: Native) -> Native:
        return self.compare(">=", self._place_of(form, list, item), self.int_of(0))

    def place_of_item(self, form: ListForm, list: Native, item: Native) -> Native:
        """The first place; fails for what is not there."""
        place = self._place_of(form, list, item)
        self.fail_if(self.compare("<", place, self.int_of(0)))
        return place

    def _place_of(self, form: ListForm, list: Native, item: Native) -> Native:
        def is_it(place: Native) -> Native:
            return self._same_items(form.element, self._element_at(form, list, place), item)

        return self._first_place(self.length(form, list), is_it)

    def count_of_item(self, form: ListForm, list: Native, item: Native) -> Native:
        def counted(total: Native, value: Native) -> Native:
            found = self._same_items(form.element, value, item)
            return self.builder.add(total, self.integer(found))

        return self._folded(form, list, self.int_of(0), counted, 0)

    def compared_lists(self, node: Node, operands: Sequence[Native]) -> Native:
        """Whether all elements are equal, or not."""
        one, other = (self._list_form(each) for each in node.inputs)
        lengths = [self.length(*each) for each in zip((one, other), operands)]

        def differ(place: Native) -> Native:
            items = (
                self._element_at(form, list, place) for form, list in zip((one, other), operands)
            )
            return self.builder.not_(self._same_items(one.element, *items))

        def same() -> Native:
            return self.compare("<", self._first_place(lengths[0], differ), self.int_of(0))

        alike = self._chosen(self.compare("==", *lengths), same, ir.Constant(BIT, 0))
        return alike if node.kind == "aten::eq" else self.builder.not_(alike)

    def truth_of_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """Whether any element is other than zero, or all are."""
        form, is_any = self._list_form(node.inputs[0]), node.kind == "aten::any"

        def decides(place: Native) -> Native:
            item = self._element_at(form, operands[0], place)
            is_true = self.compare("!=", item, self.int_of(0))
            return is_true if is_any else self.builder.not_(is_true)

        place = self._first_place(self.length(form, operands[0]), decides)
        return self.compare(">=" if is_any else "<", place, self.int_of(0))

    def _same_items(self, form: Form, one: Native, other: Native) -> Native:
        if form is TEXT:
            return self.same_texts(one, other)
        return self.compare("==", one, other)

    def _first_place(self, length: Native, holds: Callable[[Native], Native]) -> Native:
        """The first place that something holds for, or -1."""
        builder, before = self.builder, self.builder.block
        self.charge(length)
        head, turn, following, after = (
            builder.append_basic_block(name) for name in ("look", "at", "no", "looked")
        )
        builder.branch(head)
        builder.position_at_end(head)
        place = builder.phi(WORD)
        place.add_incoming(self.int_of(0), before)
        builder.cbranch(self.compare("<", place, length), turn, after)
        builder.position_at_end(turn)
        found = holds(place)
        found_in = builder.block
        builder.cbranch(found, after, following)
        builder.position_at_end(following)
        place.add_incoming(builder.add(place, self.int_of(1)), following)
        builder.branch(head)
        builder.position_at_end(after)
        result = builder.phi(WORD)
        result.add_incoming(self.int_of(-1), head)
        result.add_incoming(place, found_in)
        return result

    # -- Changing ----------------------------------------------------------------------------

    def insert_item(self, form: ListForm, list: Native, index: Native, item: Native) -> None:
        """In front of the place that an index means; one that is out of range means an end."""
        if form.is_python:
            made = self.box(form.element, item)
            failed = self.call("PyList_Insert", list, index, made)
            self.call("Py_DecRef", made)
            self._leave_for_status(failed)
            return
        builder, one = self.builder, self.int_of(1)
        self.reserve(form, list, one)
        length = self.length(form, list)
        place = self._within(index, length)
        self._move(form, list, place, builder.add(place, one), builder.sub(length, place))
        self.stored(form.element, item, self.slot(form, list, place))
        self.set_length(list, builder.add(length, one))

    def remove_item(self, form: ListForm, list: Native, item: Native) -> None:
        self._take_out(form, list, self.place_of_item(form, list, item))

    def delete_item(self, form: ListForm, list: Native, index: Native) -> None:
        self._take_out(form, list, self._checked(form, list, index))

    def _take_out(self, form: ListForm, list: Native, place: Native) -> None:
        builder, one = self.builder, self.int_of(1)
        after = builder.add(place, one)
        if form.is_python:
            if is_borrowed(form.element):
                self._own(form)
            null = ir.Constant(POINTER, None)
            self._leave_for_status(self.call("PyList_SetSlice", list, place, after, null))
            return
        left = builder.sub(self.length(form, list), one)
        self._move(form, list, after, place, builder.sub(left, place))
        self.set_length(list, left)

    def _move(self, form: ListForm, list: Native, place: Native, to: Native, count: Native) -> None:
        size = self.int_of(self.size_of(form.element))
        self.charge(count)
        source, target = self.slot(form, list, place), self.slot(form, list, to)
        self.call("memmove", target, source, self.builder.mul(count, size))

    def reverse_items(self, form: ListForm, list: Native) -> None:
        if form.is_python:
            self._leave_for_status(self.call("PyList_Reverse", list))
            return
        builder, length = self.builder, self.length(form, list)
        self.charge(length)

        def swap(place: Native) -> None:
            other = self.builder.sub(self.builder.sub(length, self.int_of(1)), place)
            slots = self.slot(form, list, place), self.slot(form, list, other)
            one, two = (self.loaded(form.element, slot) for slot in slots)
            self.stored(form.element, two, slots[0])
            self.stored(form.element, one, slots[1])

        self.repeat(builder.lshr(length, self.int_of(1)), swap)

    def extend_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """All elements of another list, which may be the list itself, behind those of a list."""
        form, other = (self._list_form(each) for each in node.inputs)
        list, added = operands
        if form.is_python:
            self._extend_objects(form, list, other, added)
            return list
        length, count = self.length(form, list), self.length(other, added)
        self.charge(count)
        self.reserve(form, list, count)
        self.copy_items(other, added, form, list, length)
        self.set_length(list, self.builder.add(length, count))
        return list

    def _extend_objects(self, form: ListForm, list: Native, other: ListForm, added: Native) -> None:
        length, objects = self.length(form, list), self.boxed_afresh(other, added)
        self.leave_for_null(objects)
        failed = self.call("PyList_SetSlice", list, length, length, objects)
        self.call("Py_DecRef", objects)
        self._leave_for_status(failed)

    def _leave_for_status(self, status: Native) -> None:
        self.leave_if(self.builder.icmp_signed("!=", status, ir.Constant(status.type, 0)))
