"""Attributes of objects in native code: they stay in the dictionary of their object, whoever else has that."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from tsc.compiler.ir import Node, prim
from tsc.runtime.native.code.object_layout import attributes_place
from tsc.runtime.native.regions.attribute_names import symbol_of_attribute
from tsc.runtime.native.regions.forms import Form, Native, NotNative
from tsc.runtime.native.regions.llvm_types import POINTER
from tsc.runtime.native.regions.region_steps import RegionSteps


class Attributes(RegionSteps):
    """Emits what reads and writes attributes."""

    def of_attribute(self, node: Node, operands: Sequence[Native]) -> Native | None:
        """What a prim::GetAttr gives; a prim::SetAttr gives nothing."""
        if node.kind == prim.GetAttr:
            return self._attribute(node, operands[0], self.forms.of(node.output))
        self._set_attribute(node, operands[0], self.forms.of(node.inputs[1]), operands[1])
        return None

    def _attribute(self, node: Node, owner: Native, form: Form) -> Native:
        """Fails for one that was never set."""
        found = self.call("PyDict_GetItemWithError", *self._place_of_attribute(node, owner))
        self.fail_if(self.builder.icmp_unsigned("==", found, ir.Constant(POINTER, None)))
        return self._unboxed_item(form, found)

    def _set_attribute(self, node: Node, owner: Native, form: Form, value: Native) -> None:
        content = self.box(form, value)
        failed = self.call("PyDict_SetItem", *self._place_of_attribute(node, owner), content)
        self.call("Py_DecRef", content)
        self.leave_if(self.builder.icmp_signed("!=", failed, ir.Constant(failed.type, 0)))

    def _place_of_attribute(self, node: Node, owner: Native) -> tuple[Native, Native]:
        """The dictionary and the key."""
        place = attributes_place()
        if place is None:
            raise NotNative("this interpreter lays out objects in another way")
        attributes = self.load_at(owner, place, POINTER)
        return attributes, self.constant(symbol_of_attribute(node))
