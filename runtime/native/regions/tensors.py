"""Tensors in native code: views are places in memory, and elements are read and written where they lie.

Nothing is known of which tensors share memory, so every access goes there. Indices are checked each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.compiler.schema.scalar_expression import argument_names
from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT, LONG
from tsc.runtime.native.regions.forms import INTEGER, REAL, TRUTH, Form, ListForm, Native
from tsc.runtime.native.regions.llvm_types import BYTE, WORD, llvm_type
from tsc.runtime.native.regions.region_forms import RegionForms
from tsc.runtime.native.regions.tensor_forms import (
    ElementForm,
    KnownForm,
    TensorForm,
    is_single,
    number_form,
)
from tsc.runtime.native.regions.tensor_memory import TensorMemory
from tsc.runtime.native.regions.tensor_rules import computation_of, dimension, filled_element

_LARGEST_FLOAT: Final = float(np.finfo(np.float32).max)
_NUMBER_DTYPES: Final[dict[Form, np.dtype]] = {REAL: DOUBLE, INTEGER: LONG, TRUTH: BOOL}


class Tensors(TensorMemory):
    """Emits what nodes do with tensors."""

    forms: RegionForms

    def value(self, value: Value) -> Native:
        """A value that was computed, or a constant."""
        raise NotImplementedError

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
        return self.cast_element(*self._element(value), _NUMBER_DTYPES[form])

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

    # -- New elements ------------------------------------------------------------------------

    def tensor(self, node: Node) -> Native:
        """Of a number; floats become float32 before they become anything else."""
        form, result = self.forms.of(node.inputs[0]), self.forms.of(node.output)
        assert isinstance(result, TensorForm | ElementForm)
        number, own = self.value(node.inputs[0]), _NUMBER_DTYPES[form]
        if form is REAL:
            size = self.math("fabs", number)
            is_large = self.compare(">", size, self.float_of(_LARGEST_FLOAT))
            is_finite = self.compare("<", size, self.float_of(float("inf")))
            self.fail_if(self.builder.and_(is_large, is_finite))
            number, own = self.cast_element(number, DOUBLE, FLOAT), FLOAT
        return self.new_element(result, self.cast_element(number, own, result.dtype))

    def filled(self, node: Node) -> Native:
        """Of a number that is known."""
        form, made = self.forms.of(node.output), filled_element(node)
        number = number_form(made.array.dtype)
        held = ir.Constant(llvm_type(number), made.array.item())
        element = self.cast_element(held, _NUMBER_DTYPES[number], made.array.dtype)
        return self.new_element(form, element)

    def copy(self, node: Node) -> Native:
        form, view = self._view(node.inputs[0])
        value = self.cast_element(*self._element(node.inputs[1]), form.dtype)
        self.store_element(form.dtype, value, self.builder.extract_value(view, 0))
        return view

    def _computation(self, node: Node) -> Native:
        computation = computation_of(node, [self.forms.read(each) for each in node.inputs])
        names = argument_names(computation.operator.text)
        operands = {name: self._operand(each) for name, each in zip(names, node.inputs)}
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
        return form.content if isinstance(form, KnownForm) else (self.value(value), form)


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
    **dict.fromkeys(("aten::zeros", "aten::ones", "aten::full"), Tensors.filled),
    "prim::dtype": _nothing,
    "prim::device": _nothing,
}
