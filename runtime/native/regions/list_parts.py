"""Whole lists and parts of them: copies, which are the region's own whatever they are of, and what is computed of
all elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from tsc.compiler.ir import Node, Value, constant_value
from tsc.runtime.arrays.integers import SMALLEST
from tsc.runtime.native.regions.forms import (
    NOTHING,
    REAL,
    ListForm,
    Native,
    OptionalForm,
)
from tsc.runtime.native.regions.lists import Lists
from tsc.runtime.native.regions.region_forms import RegionForms

_Step = Callable[[Native, Native], Native]
"""What is computed of what came before and of an element."""


class ListParts(Lists):
    """Emits operations on many elements."""

    forms: RegionForms

    def copied_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """A list with the same elements."""
        form = self._list_form(node.inputs[0])
        length = self.length(form, operands[0])
        return self._part(node, operands[0], self.int_of(0), length, self.int_of(1))

    def part_of_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """A slice."""
        length = self.length(self._list_form(node.inputs[0]), operands[0])
        return self._part(node, operands[0], *self.slice_places(node, operands, length))

    def slice_places(
        self, node: Node, operands: Sequence[Native], length: Native
    ) -> tuple[Native, Native, Native]:
        """Where a slice of so many elements begins, how many it has, and the step; fails for a step that is none."""
        builder, zero, one = self.builder, self.int_of(0), self.int_of(1)
        step = operands[3]
        if not _is_usual_step(node.inputs[3]):
            is_none = builder.icmp_signed("==", step, zero)
            is_smallest = builder.icmp_signed("==", step, self.int_of(SMALLEST))
            self.fail_if(builder.or_(is_none, is_smallest))
        goes_back = builder.icmp_signed("<", step, zero)
        least = builder.select(goes_back, self.int_of(-1), zero)
        most = builder.select(goes_back, builder.sub(length, one), length)
        ends = (least, most), (most, least)
        first, last = (
            self._bound(
                node.inputs[k],
                operands[k],
                length,
                bounds,
                builder.select(goes_back, *otherwise[::-1]),
            )
            for k, bounds, otherwise in ((1, ends[0], ends[0]), (2, ends[0], ends[1]))
        )
        distance = builder.select(goes_back, builder.sub(first, last), builder.sub(last, first))
        stride = builder.select(goes_back, builder.sub(zero, step), step)
        turns = builder.add(builder.udiv(builder.sub(distance, one), stride), one)
        is_empty = builder.icmp_signed("<=", distance, zero)
        return first, builder.select(is_empty, zero, turns), step

    def sum_of_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """From the first to the last."""

        def added(total: Native, value: Native) -> Native:
            return self.apply("add", [total, self.integer(value)])

        form = self._list_form(node.inputs[0])
        zero = self.float_of(0.0) if form.element is REAL else self.int_of(0)
        return self._folded(form, operands[0], zero, added, 0)

    def extreme_of_list(self, node: Node, operands: Sequence[Native]) -> Native:
        """The first of the largest or of the smallest; there must be one."""
        form, list, symbol = self._list_form(node.inputs[0]), operands[0], "<"
        if node.kind == "prim::max":
            symbol = ">"
        is_empty = self.builder.icmp_signed("==", self.length(form, list), self.int_of(0))
        self.fail_if(is_empty)

        def better(best: Native, value: Native) -> Native:
            return self.builder.select(self.compare(symbol, value, best), value, best)

        first = self._element_at(form, list, self.int_of(0))
        return self._folded(form, list, first, better, 1)

    # -- How it is done ----------------------------------------------------------------------

    def _list_form(self, value: Value) -> ListForm:
        form = self.forms.of(value)
        assert isinstance(form, ListForm)
        return form

    def _bound(
        self,
        value: Value,
        index: Native,
        length: Native,
        bounds: tuple[Native, Native],
        otherwise: Native,
    ) -> Native:
        """Where a slice begins or ends: within bounds, counted from the end if negative; perhaps it is left out."""
        form = self.forms.of(value)
        if form is NOTHING:
            return otherwise
        if not isinstance(form, OptionalForm):
            return self._between(index, length, *bounds)
        there, inner = (self.builder.extract_value(index, k) for k in range(2))
        return self.builder.select(there, self._between(inner, length, *bounds), otherwise)

    def _within(self, index: Native, length: Native) -> Native:
        """The place from the first to behind the last that an index means or is nearest to."""
        return self._between(index, length, self.int_of(0), length)

    def _between(self, index: Native, length: Native, least: Native, most: Native) -> Native:
        builder = self.builder
        place = builder.select(
            builder.icmp_signed("<", index, self.int_of(0)), builder.add(index, length), index
        )
        place = builder.select(builder.icmp_signed("<", place, least), least, place)
        return builder.select(builder.icmp_signed(">", place, most), most, place)

    def _part(self, node: Node, list: Native, first: Native, count: Native, step: Native) -> Native:
        form, result = self._list_form(node.inputs[0]), self._list_form(node.output)
        made = self.new_list(result, count)
        data = self.data(made)
        if _is_one(step) and not form.is_python:
            bytes = self.builder.mul(count, self.int_of(self.size_of(form.element)))
            self.call("memcpy", data, self.slot(form, list, first), bytes)
            return made

        def element(place: Native) -> None:
            builder = self.builder
            at = builder.add(first, builder.mul(place, step))
            slot = self.slot_in(result.element, data, place)
            self.stored(result.element, self._element_at(form, list, at), slot)

        self.repeat(count, element)
        return made

    def joined_lists(self, node: Node, operands: Sequence[Native]) -> Native:
        """All elements of one list, then those of another, in a new one."""
        result = self._list_form(node.output)
        given = [(self._list_form(value), list) for value, list in zip(node.inputs, operands)]
        lengths = [self.length(*each) for each in given]
        made = self.new_list(result, self.builder.add(*lengths))
        for each, place in zip(given, (self.int_of(0), lengths[0])):
            self.copy_items(*each, result, made, place)
        return made

    def copy_items(
        self, form: ListForm, list: Native, result: ListForm, made: Native, place: Native
    ) -> None:
        """All elements of a list to a place in an own one, which has room."""
        if not form.is_python:
            size = self.int_of(self.size_of(form.element))
            bytes = self.builder.mul(self.length(form, list), size)
            self.call("memcpy", self.slot(result, made, place), self.data(list), bytes)
            return

        def one(at: Native) -> None:
            slot = self.slot(result, made, self.builder.add(place, at))
            self.stored(result.element, self._element_at(form, list, at), slot)

        self.repeat(self.length(form, list), one)

    def _folded(
        self, form: ListForm, list: Native, start: Native, step: _Step, begin: int
    ) -> Native:
        with self.builder.goto_entry_block():  # elsewhere, each turn would take more of the stack
            held = self.builder.alloca(start.type)
        self.builder.store(start, held)
        length = self.length(form, list)
        self.charge(length)

        def element(place: Native) -> None:
            so_far = self.builder.load(held, typ=start.type)
            self.builder.store(step(so_far, self._element_at(form, list, place)), held)

        self.repeat(length, element, begin)
        return self.builder.load(held, typ=start.type)


def _is_usual_step(value: Value) -> bool:
    """Whether a step is known, and one that slices may have."""
    step = constant_value(value)
    return isinstance(step, int) and step not in (0, SMALLEST)


def _is_one(number: Native) -> bool:
    return isinstance(number, ir.Constant) and number.constant == 1
