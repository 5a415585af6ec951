"""Values as those of other forms that can hold them, and constants."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from tsc.compiler.ir import Value
from tsc.runtime.native.regions.forms import (
    NOTHING,
    PAIR,
    TEXT,
    Form,
    Native,
    OptionalForm,
    TupleForm,
)
from tsc.runtime.native.regions.llvm_types import BIT, llvm_type
from tsc.runtime.native.regions.region_nodes import is_uninitialized
from tsc.runtime.native.regions.text_shortcuts import TextShortcuts


class Coercions(TextShortcuts):
    """Emits what a value is in another form."""

    def constant_of(self, form: Form, content: Any) -> Native:
        """A constant of a form."""
        if form is NOTHING:
            return ir.Constant(BIT, 0)
        if form is PAIR:
            return ir.Constant(llvm_type(form), [content.real, content.imag])
        if form is TEXT:
            return self.constant_text(content)
        if isinstance(form, TupleForm):
            items = [self.constant_of(*each) for each in zip(form.items, content)]
            return self.aggregate(form, items)
        if isinstance(form, OptionalForm):
            if content is None:
                return self.absent(form)
            there = ir.Constant(BIT, 1)
            return self.aggregate(form, [there, self.constant_of(form.inner, content)])
        return ir.Constant(llvm_type(form), content)

    def absent(self, form: OptionalForm) -> Native:
        return self.aggregate(form, [ir.Constant(BIT, 0), ir.Constant(llvm_type(form.inner), None)])

    def coerced(self, value: Value, wanted: Form) -> Native:
        """A value as one of another form that can hold it."""
        if is_uninitialized(value):
            return ir.Constant(llvm_type(wanted), None)
        return self._as(self.value(value), self.forms.of(value), wanted)

    def _as(self, value: Native, form: Form, wanted: Form) -> Native:
        if isinstance(wanted, OptionalForm) and not isinstance(form, OptionalForm):
            if form is NOTHING:
                return self.absent(wanted)
            inner = self._as(value, form, wanted.inner)
            return self.aggregate(wanted, [ir.Constant(BIT, 1), inner])
        if isinstance(form, OptionalForm) and not isinstance(wanted, OptionalForm):
            if wanted is NOTHING:
                return ir.Constant(BIT, 0)
            return self._as(self.builder.extract_value(value, 1), form.inner, wanted)
        if llvm_type(form) == llvm_type(wanted):
            return value
        if isinstance(form, OptionalForm) and isinstance(wanted, OptionalForm):
            there, inner = (self.builder.extract_value(value, k) for k in range(2))
            return self.aggregate(wanted, [there, self._as(inner, form.inner, wanted.inner)])
        assert isinstance(form, TupleForm) and isinstance(wanted, TupleForm)
        items = [self.builder.extract_value(value, k) for k in range(len(form.items))]
        made = [self._as(*each) for each in zip(items, form.items, wanted.items)]
        return self.aggregate(wanted, made)
