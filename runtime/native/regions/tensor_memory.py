"""The memory of tensors: each view tells what owns it, an own list of the region's, or what stands for an input.

What a region makes of tensors becomes an object where it is given away: once, so that aliases stay aliases. A part of
an input becomes a view of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from llvmlite import ir

from tsc.runtime.native.code.object_layout import DATA as ARRAY_DATA
from tsc.runtime.native.code.object_layout import object_layout
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
            return self._new_object(TensorForm(form.dtype, 0, form.memory), [data])
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
        with builder.if_then(is_known):
            builder.ret(self._view_object(known, view))
        made = self._new_object(form, view)
        builder.store(self.owned(made), self.place(owner, OBJECT))
        builder.ret(made)
        return function

    def _new_object(self, form: TensorForm, view: Sequence[Native]) -> Native:
        """A new tensor with the elements of a view without gaps."""
        builder, sizes = self.builder, view[1 : 1 + form.rank]
        dtype = self.owned(self.constant(f"dtype_{form.dtype}"))
        made = self._made("new_tensor", [dtype, *map(self._number_object, sizes)])
        bytes: Native = ir.Constant(WORD, form.dtype.itemsize)
        for size in sizes:
            bytes = builder.mul(bytes, size)
        is_made = builder.icmp_unsigned("!=", made, ir.Constant(POINTER, None))
        with builder.if_then(is_made, likely=True):
            layout = object_layout()
            assert layout is not None
            array = self.load_at(made, layout.array, POINTER)
            self.call("memcpy", self.load_at(array, ARRAY_DATA, POINTER), view[0], bytes)
        return made

    def _view_object(self, base: Native, view: Sequence[Native]) -> Native:
        """A view of a tensor that there is."""
        address = self.builder.ptrtoint(view[0], WORD)
        numbers = map(self._number_object, (address, *view[1:]))
        return self._made("part_of_tensor", [self.owned(base), *numbers])

    def _number_object(self, number: Native) -> Native:
        return self.call("PyLong_FromLongLong", number)

    def _made(self, name: str, arguments: Sequence[Native]) -> Native:
        given = self.tuple_of(arguments)
        made = self.call("PyObject_CallObject", self.constant(name), given)
        self.call("Py_DecRef", given)
        return made
