"""New tensors in native code: of numbers, of lists of them, and rows of one dimension that lie without gaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from llvmlite import ir

from tsc.compiler.ir import Node, Value
from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT, LONG
from tsc.runtime.native.regions.forms import INTEGER, REAL, TRUTH, Form, ListForm, Native
from tsc.runtime.native.regions.list_memory import DATA
from tsc.runtime.native.regions.llvm_types import BYTE, POINTER, WORD, llvm_type
from tsc.runtime.native.regions.region_forms import RegionForms
from tsc.runtime.native.regions.tensor_forms import ElementForm, TensorForm, number_form
from tsc.runtime.native.regions.tensor_memory import TensorMemory
from tsc.runtime.native.regions.tensor_rules import filled_sample

_LARGEST_FLOAT: Final = float(np.finfo(np.float32).max)
NUMBER_DTYPES: Final[dict[Form, np.dtype]] = {REAL: DOUBLE, INTEGER: LONG, TRUTH: BOOL}


@dataclass(frozen=True, slots=True)
class Row:
    """A view of one dimension."""

    view: Native
    form: TensorForm


class NewTensors(TensorMemory):
    """Emits what makes tensors."""

    forms: RegionForms

    def value(self, value: Value) -> Native:
        """A value that was computed, or a constant."""
        raise NotImplementedError

    # -- Of numbers --------------------------------------------------------------------------

    def tensor(self, node: Node) -> Native:
        """Of a number, or of a list of some; floats become float32 before they become anything else."""
        form, result = self.forms.of(node.inputs[0]), self.forms.of(node.output)
        assert isinstance(result, TensorForm | ElementForm)
        if isinstance(form, ListForm):
            assert isinstance(result, TensorForm)
            return self._tensor_of_list(form, self.value(node.inputs[0]), result)
        number = self.value(node.inputs[0])
        if form is REAL:
            size = self.math("fabs", number)
            is_large = self.compare(">", size, self.float_of(_LARGEST_FLOAT))
            is_finite = self.compare("<", size, self.float_of(float("inf")))
            self.fail_if(self.builder.and_(is_large, is_finite))
        return self.new_element(result, self._element_of_number(form, number, result.dtype))

    def _tensor_of_list(self, form: ListForm, list: Native, result: TensorForm) -> Native:
        def element(place: Native) -> Native:
            number = self._element_at(form, list, place)
            return self._element_of_number(form.element, number, result.dtype)

        return self.row_of(result, self.length(form, list), element)

    def _element_of_number(self, form: Form, number: Native, dtype: np.dtype) -> Native:
        own = NUMBER_DTYPES[form]
        if form is REAL:
            number, own = self.cast_element(number, DOUBLE, FLOAT), FLOAT
        return self.cast_element(number, own, dtype)

    def filled(self, node: Node) -> Native:
        """Of a number that is known; a size below zero fails."""
        form, sample = self.forms.of(node.output), filled_sample(node)
        number = number_form(sample.dtype)
        held = ir.Constant(llvm_type(number), sample.item(0))
        element = self.cast_element(held, NUMBER_DTYPES[number], sample.dtype)
        if sample.ndim == 0:
            return self.new_element(form, element)
        assert isinstance(form, TensorForm)
        (size,) = (self.value(each) for each in node.inputs[0].node.inputs)
        self.fail_if(self.builder.icmp_signed("<", size, self.int_of(0)))
        return self.row_of(form, size, lambda _: element)

    # -- Rows --------------------------------------------------------------------------------

    def row_of(self, form: TensorForm, size: Native, make: Callable[[Native], Native]) -> Native:
        """A new row of what is made for each place."""
        made = self.new_row(form, size)
        row = Row(made, form)

        def element(place: Native) -> None:
            self.store_element(form.dtype, make(place), self.slot_of(row, place, is_plain=True))

        self.repeat(size, element)
        return made

    def new_row(self, form: TensorForm, size: Native) -> Native:
        """One dimension of so many elements, which are not set."""
        stride = ir.Constant(WORD, form.dtype.itemsize)
        owner = self._new_owner(form, size)
        return self.aggregate(form, [self.field(owner, DATA), size, stride, owner])

    def new_rows(self, form: TensorForm, count: Native, size: Native) -> Native:
        """So many rows without gaps; there is memory for them in smaller pieces already."""
        stride = ir.Constant(WORD, form.dtype.itemsize)
        owner = self._new_owner(form, self.builder.mul(count, size))
        strides = [self.builder.mul(size, stride), stride]
        return self.aggregate(form, [self.field(owner, DATA), count, size, *strides, owner])

    def _new_owner(self, form: TensorForm, count: Native) -> Native:
        new = self.own_function("list_new", self._define_new)
        self.allocations += 1
        self.charge(count)
        width = ir.Constant(WORD, form.dtype.itemsize)
        owner = self.builder.call(new, [self.chain, width, count])
        self.leave_if(self.builder.icmp_unsigned("==", owner, ir.Constant(POINTER, None)))
        self.set_length(owner, self.int_of(form.rank))
        return owner

    def slot_of(self, row: Row, place: Native, *, is_plain: bool) -> Native:
        """Where an element of a row is; one without gaps `is_plain`."""
        builder, width = self.builder, self.int_of(row.form.dtype.itemsize)
        stride = width if is_plain else builder.extract_value(row.view, 2)
        begin = builder.extract_value(row.view, 0)
        return builder.gep(begin, [builder.mul(place, stride)], source_etype=BYTE)
