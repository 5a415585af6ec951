"""The memory of tensors: each view tells what owns it, an own list of the region's, or what stands for an input.

What a region makes of tensors becomes an object where it is given away: once, so that aliases stay aliases. A part of
an input becomes a view of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from llvmlite import ir

from tsc.runtime.native.regions.element_functions import ElementFunctions
from tsc.runtime.native.regions.forms import Form, Native
from tsc.runtime.native.regions.list_memory import DATA, LENGTH, LIST, OBJECT
from tsc.runtime.native.regions.llvm_types import INT32, POINTER, WORD, llvm_type
from tsc.runtime.native.regions.tensor_forms import ElementForm, TensorForm

_GIVEN: Final = -1
"""Stands where an own list tells its room."""


class TensorMemory(ElementFunctions):
    """Emits what makes tensors, and objects of them."""

    # -- Owners ------------------------------------------------------------------------------

    def owner_of_input(self, form: TensorForm, given: Native, data: Native) -> Native:
        """What stands for a tensor that was given."""
        owner = self._room()
        null, zero = ir.Constant(POINTER, None), ir.Constant(WORD, 0)
        rank, mark = ir.Constant(WORD, form.rank), ir.Constant(WORD, _GIVEN)
        for field, value in enumerate([null, data, rank, mark, given, zero, zero]):
            self.builder.store(value, self.place(owner, field))
        return owner

    def _room(self) -> Native:
        """Memory that lasts as long as the function runs: enough for an owner, or for an element."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(POINTER, size=ir.Constant(INT32, len(LIST.elements)))

    def new_element(self, form: Form, value: Native) -> Native:
        """A tensor without dimensions: in memory of its own, if that is needed."""
        if not isinstance(form, TensorForm):
            return value
        size = ir.Constant(WORD, form.dtype.itemsize)
        new = self.own_function("list_new", self._define_new)
        self.allocations += 1
        owner = self.builder.call(new, [self.chain, size, ir.Constant(WORD, 1)])
        self.leave_if(self.builder.icmp_unsigned("==", owner, ir.Constant(POINTER, None)))
        self.set_length(owner, ir.Constant(WORD, 0))  # tells the rank
        data = self.field(owner, DATA)
        self.store_element(form.dtype, value, data)
        return self.aggregate(form, [data, owner])

    # -- As objects --------------------------------------------------------------------------

    def box(self, form: Form, value: Native) -> Native:
        if isinstance(form, ElementForm):
            data = self._room()
            self.store_element(form.dtype, value, data)
            return self._object(
                self.constant("none"), TensorForm(form.dtype, 0, form.memory), [data]
            )
        if isinstance(form, TensorForm):
            name = f"tensor_box_{form.dtype}_{form.rank}"
            function = self.own_function(name, lambda name: self._define_tensor_box(name, form))
            fields = [self.builder.extract_value(value, k) for k in range(form.owner + 1)]
            return self.builder.call(function, fields)
        return super().box(form, value)

    def _define_tensor_box(self, name: str, form: TensorForm) -> ir.Function:
        """What was given stays itself; None stands for what was never set."""
        function = self.begin(name, POINTER, list(llvm_type(form).elements))
        *view, owner = function.args
        builder, null = self.builder, ir.Constant(POINTER, None)
        with builder.if_then(builder.icmp_unsigned("==", owner, null)):
            builder.ret(self.owned(self.constant("none")))
        known = self.field(owner, OBJECT)
        is_known = builder.icmp_unsigned("!=", known, null)
        is_whole = builder.and_(
            builder.icmp_unsigned("==", view[0], self.field(owner, DATA)),
            builder.icmp_signed("==", self.field(owner, LENGTH), ir.Constant(WORD, form.rank)),
        )
        with builder.if_then(builder.and_(is_known, is_whole)):
            builder.ret(self.owned(known))
        base = builder.select(is_known, known, self.constant("none"))
        made = self._object(base, form, view)
        with builder.if_then(builder.icmp_unsigned("==", known, null)):
            builder.store(self.owned(made), self.place(owner, OBJECT))
        builder.ret(made)
        return function

    def _object(self, base: Native, form: TensorForm, view: Sequence[Native]) -> Native:
        """A new tensor, or a view of one that there is."""
        address = self.builder.ptrtoint(view[0], WORD)
        numbers = [self.call("PyLong_FromLongLong", each) for each in (address, *view[1:])]
        dtype = self.owned(self.constant(f"dtype_{form.dtype}"))
        arguments = self.tuple_of([self.owned(base), dtype, *numbers])
        made = self.call("PyObject_CallObject", self.constant("tensor_at"), arguments)
        self.call("Py_DecRef", arguments)
        return made
