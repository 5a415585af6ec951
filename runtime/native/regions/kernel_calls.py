"""Calls of kernels in native code: operands become objects, which the kernel looks at, and results are copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tsc.compiler.ir import Node
from tsc.runtime.native.regions.attributes import Attributes
from tsc.runtime.native.regions.forms import Form, ListForm, Native


class KernelCalls(Attributes):
    """Emits what has no native code of its own."""

    called: Mapping[Node, str]
    """The symbols of the kernels that are called."""

    def call_kernel(self, node: Node, operands: Sequence[Native]) -> Native | None:
        given = [self._shown(self.forms.of(v), each) for v, each in zip(node.inputs, operands)]
        arguments = self.tuple_of(given)
        result = self.call("PyObject_CallObject", self.constant(self.called[node]), arguments)
        self.call("Py_DecRef", arguments)
        self.leave_for_null(result)
        value = self._taken(self.forms.of(node.output), result) if node.outputs else None
        self.call("Py_DecRef", result)
        return value

    def _shown(self, form: Form, value: Native) -> Native:
        if isinstance(form, ListForm):
            return self.boxed_afresh(form, value)
        return self.box(form, value)

    def _taken(self, form: Form, result: Native) -> Native:
        if not isinstance(form, ListForm):
            return self.settled(form, self.unbox(form, result), self.leave_for_null)
        self.allocations += 1
        made = self.builder.call(self.taking(form, is_given=False), [self.chain, result])
        self.leave_for_null(made)
        return made
