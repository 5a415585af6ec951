"""How tensors enter native code: the guard on each, and its layout, read from the objects themselves.

A tensor passes that is of the class itself, is recorded for no gradient, and has an array of NumPy's own class with the
dtype and the rank that code was made for, which may be written where code does. Its array is held until the end.
"""

from __future__ import annotations

from llvmlite import ir

from tsc.compiler.ir import Graph, Value
from tsc.runtime.native.code.object_layout import (
    DATA,
    DTYPE,
    FLAGS,
    RANK,
    SIZES,
    STRIDES,
    TYPE,
    WRITEABLE,
    object_layout,
)
from tsc.runtime.native.regions.forms import Native
from tsc.runtime.native.regions.llvm_types import INT32, POINTER, WORD
from tsc.runtime.native.regions.tensor_forms import TensorForm
from tsc.runtime.native.regions.tensor_specs import GUARD, tensor_places
from tsc.runtime.native.regions.tensors import Tensors


class TensorEntry(Tensors):
    """Emits the guards of a region, and what lets go of arrays."""

    def prepare_tensors(self, graph: Graph) -> None:
        """At the beginning of a region: no array is held yet."""
        places = tensor_places(graph)
        self._held = {graph.inputs[each]: self.builder.alloca(POINTER) for each in places}
        for slot in self._held.values():
            self.builder.store(ir.Constant(POINTER, None), slot)

    def release_tensors(self) -> None:
        """At the end of a region; null counts as nothing."""
        for slot in self._held.values():
            self.call("Py_DecRef", self.builder.load(slot, typ=POINTER))

    def take_tensor(self, value: Value, taken: Native) -> Native:
        """The view of all of an input, once it has passed the guard."""
        form, layout, builder = self.forms.of(value), object_layout(), self.builder
        assert isinstance(form, TensorForm)
        assert layout is not None
        self._check(self._is(taken, TYPE, "tensor"))
        self._check(self._is(taken, layout.autograd, "none"))
        array = self.load_at(taken, layout.array, POINTER)
        self._check(self._is(array, TYPE, "ndarray"))
        self._check(self._is(array, DTYPE, f"dtype_{form.dtype}"))
        rank = self.load_at(array, RANK, INT32)
        self._check(builder.icmp_signed("==", rank, ir.Constant(INT32, form.rank)))
        if self.forms.is_written(value):
            flag = builder.and_(self.load_at(array, FLAGS, INT32), ir.Constant(INT32, WRITEABLE))
            self._check(builder.icmp_signed("!=", flag, ir.Constant(INT32, 0)))
        builder.store(self.owned(array), self._held[value])
        data = self.load_at(array, DATA, POINTER)
        fields = [data]
        for field in (SIZES, STRIDES):
            begin = self.load_at(array, field, POINTER)
            fields += [self.load_at(begin, 8 * each, WORD) for each in range(form.rank)]
        return self.aggregate(form, [*fields, self.owner_of_input(form, taken, data)])

    def _is(self, object: Native, field: int, name: str) -> Native:
        found = self.load_at(object, field, POINTER)
        return self.builder.icmp_unsigned("==", found, self.constant(name))

    def _check(self, holds: Native) -> None:
        """Leave where an input is not as expected; nothing has been done then."""
        failed = self.builder.not_(holds)
        with self.builder.if_then(failed, likely=False):
            told = self.tuple_of([self.call("PyLong_FromLongLong", ir.Constant(WORD, GUARD))])
            self.call("PyErr_SetObject", self.constant("left"), told)
            self.call("Py_DecRef", told)
        self.leave_if(failed)
