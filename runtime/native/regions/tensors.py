"""Tensors in native code: views are places in memory, and elements are read and written where they lie.

Nothing is known of which tensors share memory, so every access goes there. Indices are checked each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.compiler.schema.scalar_expression import argument_names
from tsc.runtime.native.regions.forms import INTEGER, REAL, Form, ListForm, Native
from tsc.runtime.native.regions.llvm_types import BIT, BYTE, WORD
from tsc.runtime.native.regions.new_tensors import NUMBER_DTYPES, NewTensors, Row
from tsc.runtime.native.regions.tensor_forms import (
    ElementForm,
    KnownForm,
    TensorForm,
    is_single,
    number_form,
)
from tsc.runtime.native.regions.tensor_rules import FILLED, Computation, computation_of, dimension


class Tensors(NewTensors):
    """Emits what nodes do with tensors."""

    def of_tensors(self, node: Node) -> Native:
        """The result of a node that reads or makes tensors."""
        emit = _EMITTED.get(node.kind)
        return self._computation(node) if emit is None else emit(self, node)

    # -- Views -------------------------------------------------------------------------------

    def _view(self, value: Value) -> tuple[TensorForm, Native]:
        form = self.forms.of(value)
        assert isinstance(form, TensorForm)
        return form, self.value(value)

    def _sizes(self, form: TensorForm, view: Native) -> list[Native]:
        return [self.builder.extract_value(view, 1 + place) for place in range(form.rank)]

    def select(self, node: Node) -> Native:
        """One index of a dimension, which may count from the end; fails for one that is out of range."""
        form, view = self._view(node.inputs[0])
        builder, place, index = self.builder, dimension(node, form), self.value(node.inputs[2])
        size = builder.extract_value(view, 1 + place)
        is_negative = builder.icmp_signed("<", index, ir.Constant(WORD, 0))
        index = builder.select(is_negative, builder.add(index, size), index)
        self.fail_if(builder.icmp_unsigned(">=", index, size))
        stride = builder.extract_value(view, 1 + form.rank + place)
        data = builder.extract_value(view, 0)
        begin = builder.gep(data, [builder.mul(index, stride)], source_etype=BYTE)
        fields = [1 + each for each in range(2 * form.rank) if each % form.rank != place]
        kept = [builder.extract_value(view, each) for each in (*fields, form.owner)]
        return self.aggregate(self.forms.of(node.output), [begin, *kept])

    def sizes(self, node: Node) -> Native:
        form, view = self._view(node.inputs[0])
        if len(node.inputs) == 2:
            return self.builder.extract_value(view, 1 + dimension(node, form))
        result = self.forms.of(node.output)
        assert isinstance(result, ListForm)
        return self.list_of(result, self._sizes(form, view))

    def first_size(self, node: Node) -> Native:
        return self.builder.extract_value(self.value(node.inputs[0]), 1)

    def rank(self, node: Node) -> Native:
        return self.int_of(self._view(node.inputs[0])[0].rank)

    def count(self, node: Node) -> Native:
        total = self.int_of(1)
        for size in self._sizes(*self._view(node.inputs[0])):
            total = self.builder.mul(total, size)
        return total

    # -- Elements ----------------------------------------------------------------------------

    def _element(self, value: Value) -> tuple[Native, np.dtype]:
        """The element of a tensor without dimensions, as it is now."""
        form, held = self.forms.of(value), self.value(value)
        if isinstance(form, ElementForm):
            return held, form.dtype
        assert isinstance(form, TensorForm)
        return self.load_element(form.dtype, self.builder.extract_value(held, 0)), form.dtype

    def _as_number(self, value: Value, form: Form) -> Native:
        return self.cast_element(*self._element(value), NUMBER_DTYPES[form])

    def number(self, node: Node) -> Native:
        return self._as_number(node.inputs[0], self.forms.of(node.output))

    def whole_number(self, node: Node) -> Native:
        """Towards zero; a float that does not fit fails."""
        form = self.forms.of(node.inputs[0])
        assert isinstance(form, TensorForm | ElementForm)
        if number_form(form.dtype) is not REAL:
            return self._as_number(node.inputs[0], INTEGER)
        number, limit = self._as_number(node.inputs[0], REAL), self.float_of(2.0**63)
        fits = self.builder.and_(
            self.compare(">=", number, self.float_of(-(2.0**63))), self.compare("<=", number, limit)
        )
        self.fail_if(self.builder.not_(fits))
        return self.truncated(number)

    # -- Lists -------------------------------------------------------------------------------

    def item_of_list(self, node: Node) -> Native:
        return self.get_item(self._list_form(node.inputs[0]), *map(self.value, node.inputs))

    def stacked(self, node: Node) -> Native:
        """One after the other; fails where there are none, or sizes differ."""
        form, list = self._list_form(node.inputs[0]), self.value(node.inputs[0])
        result, count = self.forms.of(node.output), self.length(form, list)
        assert isinstance(result, TensorForm)
        self.fail_if(self.builder.icmp_signed("==", count, self.int_of(0)))
        if result.rank == 1:
            return self.row_of(result, count, lambda place: self._single_at(form, list, place))
        return self._stacked_rows(form, list, result)

    def _single_at(self, form: ListForm, list: Native, place: Native) -> Native:
        item = self._element_at(form, list, place)
        if isinstance(form.element, ElementForm):
            return item
        assert isinstance(form.element, TensorForm)
        return self.load_element(form.element.dtype, self.builder.extract_value(item, 0))

    def _stacked_rows(self, form: ListForm, list: Native, result: TensorForm) -> Native:
        builder, row_form = self.builder, form.element
        assert isinstance(row_form, TensorForm)
        count = self.length(form, list)
        size = builder.extract_value(self._element_at(form, list, self.int_of(0)), 1)
        differs = self._first_place(
            count,
            lambda place: self.compare(
                "!=", self.builder.extract_value(self._element_at(form, list, place), 1), size
            ),
        )
        self.fail_if(self.compare(">=", differs, self.int_of(0)))
        made = self.new_rows(result, count, size)
        begin, stride = (builder.extract_value(made, place) for place in (0, 3))

        def one(place: Native) -> None:
            given = Row(self._element_at(form, list, place), row_form)
            target = self.builder.gep(begin, [self.builder.mul(place, stride)], source_etype=BYTE)

            def element(at: Native) -> None:
                found = self.load_element(row_form.dtype, self.slot_of(given, at, is_plain=False))
                slot = self.slot_of(
                    Row(self.aggregate(row_form, [target]), row_form), at, is_plain=True
                )
                self.store_element(result.dtype, found, slot)

            self.repeat(size, element)

        self.repeat(count, one)
        return made

    # -- Computing ---------------------------------------------------------------------------

    def copy(self, node: Node) -> Native:
        form, view = self._view(node.inputs[0])
        value = self.cast_element(*self._element(node.inputs[1]), form.dtype)
        self.store_element(form.dtype, value, self.builder.extract_value(view, 0))
        return view

    def _computation(self, node: Node) -> Native:
        computation = computation_of(node, [self.forms.read(each) for each in node.inputs])
        names = argument_names(computation.operator.text)
        operands = {name: self._operand(each) for name, each in zip(names, node.inputs)}
        if computation.rank:
            return self._row(node, computation, operands)
        made = self.computed_element(computation, operands)
        if not computation.writes:
            return self.new_element(self.forms.of(node.output), made)
        form, view = self._view(node.inputs[0])
        value = self.cast_element(made, computation.result, form.dtype)
        self.store_element(form.dtype, value, self.builder.extract_value(view, 0))
        return view

    def _operand(self, value: Value) -> Any:
        if is_constant(value):
            return constant_value(value)
        form = self.forms.of(value)
        if is_single(form):
            return self._element(value)
        if isinstance(form, TensorForm):
            return Row(self.value(value), form)
        return form.content if isinstance(form, KnownForm) else (self.value(value), form)

    # -- Rows --------------------------------------------------------------------------------

    def _row(self, node: Node, computation: Computation, operands: Mapping[str, Any]) -> Native:
        """Each element of a result of one dimension; fails for sizes that do not fit together."""
        rows = [each for each in operands.values() if isinstance(each, Row)]
        size = self._common_size(rows)
        if computation.writes:
            form, target = self._view(node.inputs[0])
            own = self.builder.extract_value(target, 1)
            self.fail_if(self.builder.icmp_signed("!=", own, size))
        else:
            form = self.forms.of(node.output)
            assert isinstance(form, TensorForm)
            target = self.new_row(form, size)

        def elements(*, are_plain: bool) -> None:
            def element(place: Native) -> None:
                taken = {
                    name: self._element_of(each, place, are_plain)
                    if isinstance(each, Row)
                    else each
                    for name, each in operands.items()
                }
                made = self.computed_element(computation, taken)
                made = self.cast_element(made, computation.result, form.dtype)
                slot = self.slot_of(Row(target, form), place, is_plain=are_plain)
                self.store_element(form.dtype, made, slot)

            self.repeat(size, element)

        self.charge(size)
        with self.builder.if_else(self._are_plain(rows, size)) as (then, otherwise):
            with then:
                elements(are_plain=True)
            with otherwise:
                elements(are_plain=False)
        return target

    def _are_plain(self, rows: Sequence[Row], size: Native) -> Native:
        """Whether rows have one size, and no gaps."""
        builder = self.builder
        result: Native = ir.Constant(BIT, 1)
        for row in rows:
            own, stride = (builder.extract_value(row.view, each) for each in (1, 2))
            width = self.int_of(row.form.dtype.itemsize)
            for pair in ((own, size), (stride, width)):
                result = builder.and_(result, builder.icmp_signed("==", *pair))
        return result

    def _common_size(self, rows: Sequence[Row]) -> Native:
        """That of a row with which all others agree but for those of one element."""
        builder, one = self.builder, self.int_of(1)
        common: Native = one
        for row in rows:
            size = builder.extract_value(row.view, 1)
            is_one, was_one = (builder.icmp_signed("==", each, one) for each in (size, common))
            differs = builder.icmp_signed("!=", size, common)
            self.fail_if(builder.and_(differs, builder.not_(builder.or_(is_one, was_one))))
            common = builder.select(was_one, size, common)
        return common

    def _element_of(self, row: Row, place: Native, is_plain: bool) -> tuple[Native, np.dtype]:
        """That at a place, or the only one."""
        if not is_plain:
            size = self.builder.extract_value(row.view, 1)
            is_one = self.builder.icmp_signed("==", size, self.int_of(1))
            place = self.builder.select(is_one, self.int_of(0), place)
        slot = self.slot_of(row, place, is_plain=is_plain)
        return self.load_element(row.form.dtype, slot), row.form.dtype


def _nothing(_tensors: Tensors, _node: Node) -> None:
    """What is known when code is made."""


_EMITTED: Final[dict[str, Callable[[Tensors, Node], Native]]] = {
    "aten::select": Tensors.select,
    "aten::size": Tensors.sizes,
    "aten::len": Tensors.first_size,
    "aten::dim": Tensors.rank,
    "aten::numel": Tensors.count,
    "aten::item": Tensors.number,
    "aten::Float": Tensors.number,
    "aten::FloatImplicit": Tensors.number,
    "aten::Bool": Tensors.number,
    "aten::Int": Tensors.whole_number,
    "aten::IntImplicit": Tensors.whole_number,
    "aten::tensor": Tensors.tensor,
    "aten::copy_": Tensors.copy,
    "aten::__getitem__": Tensors.item_of_list,
    "aten::stack": Tensors.stacked,
    **dict.fromkeys(FILLED, Tensors.filled),
    "prim::dtype": _nothing,
    "prim::device": _nothing,
}
