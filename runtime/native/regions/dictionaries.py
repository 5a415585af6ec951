"""Dictionaries in native code: they are Python's own, whoever made them, and are asked through the interpreter.

So keys keep their order, and aliases stay aliases. What code holds of them (a dictionary that it made, a list in one)
it counts as a reference of its own, which is let go of between turns, once nothing leads to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from llvmlite import ir

from tsc.compiler.ir import Graph, Node, Value, is_constant
from tsc.compiler.types import INT, DictType
from tsc.runtime.native.code.number_layout import numbers_are_as_expected
from tsc.runtime.native.regions.coercions import Coercions
from tsc.runtime.native.regions.forms import (
    DictForm,
    Form,
    ListForm,
    Native,
    OptionalForm,
)
from tsc.runtime.native.regions.llvm_types import POINTER, llvm_type

_CONTENTS: Final = {"aten::keys": "PyDict_Keys", "aten::values": "PyDict_Values"}

_KEEP: Final = frozenset({"aten::_set_item", "aten::setdefault", "aten::Delete", "aten::pop"})
"""What may keep a key, or asks for its object."""


class Dictionaries(Coercions):
    """Emits operations on dictionaries."""

    # -- Keys --------------------------------------------------------------------------------

    def prepare_keys(self, graph: Graph) -> None:
        """At the beginning of a region: of values that are keys several times an object is made once."""
        counts = Counter(node.inputs[1] for node in graph.all_nodes() if _takes_key(node))
        counted = [value for value, count in counts.items() if count > 1 and not is_constant(value)]
        self._keys = {value: self.builder.alloca(POINTER) for value in counted}
        for slot in self._keys.values():
            self.builder.store(ir.Constant(POINTER, None), slot)

    def release_keys(self) -> None:
        """At the end of a region; null counts as nothing."""
        for slot in self._keys.values():
            self.call("Py_DecRef", self.builder.load(slot, typ=POINTER))

    def renew_keys(self, values: Sequence[Value]) -> None:
        """The values are set, perhaps once more."""
        for slot in [self._keys[value] for value in values if value in self._keys]:
            self.call("Py_DecRef", self.builder.load(slot, typ=POINTER))
            self.builder.store(ir.Constant(POINTER, None), slot)

    def _with_key(self, node: Node, key: Native, use: Callable[[Native], Native]) -> Native:
        """What is done with the object of a key."""
        form, slot = self._dict_form(node), self._keys.get(node.inputs[1])
        if slot is None:
            boxed = self._made_key(form, key)
            result = use(boxed)
            self.call("Py_DecRef", boxed)
            return result
        known = self.builder.load(slot, typ=POINTER)
        with self.builder.if_then(self.builder.not_(self._is_there(known))):
            self.builder.store(self._made_key(form, key), slot)
        return use(self.builder.load(slot, typ=POINTER))

    def _made_key(self, form: DictForm, key: Native) -> Native:
        boxed = self.box(form.key, key)
        self.leave_for_null(boxed)
        return boxed

    # -- New ones ----------------------------------------------------------------------------

    def new_dictionary(self, node: Node) -> Native:
        """Of keys and values, one after the other."""
        form = self.forms.of(node.output)
        assert isinstance(form, DictForm)
        made = self._kept(self.call("PyDict_New"))
        for key, value in zip(node.inputs[::2], node.inputs[1::2]):
            boxed = self._made_key(form, self.coerced(key, form.key))
            self._put_in(form, made, boxed, self.coerced(value, form.value))
            self.call("Py_DecRef", boxed)
        return made

    def new_object_list(self, form: ListForm, items: Sequence[Native]) -> Native:
        """A list of Python's, for it may get into a dictionary."""
        made = self._kept(self.call("PyList_New", self.int_of(len(items))))
        for place, item in enumerate(items):
            boxed = self.box(form.element, item)
            self.builder.store(boxed, self.item_slot(made, self.int_of(place)))
        return made

    # -- Looking -----------------------------------------------------------------------------

    def length_of_dictionary(self, _node: Node, operands: Sequence[Native]) -> Native:
        return self.call("PyDict_Size", operands[0])

    def has_key(self, node: Node, operands: Sequence[Native]) -> Native:
        return self._is_there(self._found(node, operands))

    def value_of_key(self, node: Node, operands: Sequence[Native]) -> Native:
        """Fails for a key that is not there."""
        form = self._dict_form(node)
        found = self._found(node, operands)
        self.fail_if(self.builder.not_(self._is_there(found)))
        return self._read(form.value, found)

    def value_or_other(self, node: Node, operands: Sequence[Native]) -> Native:
        """What a key has, or else what is said, or None."""
        form, result = self._dict_form(node), self.forms.of(node.output)
        found = self._found(node, operands)
        builder = self.builder
        blocks = [builder.append_basic_block(name) for name in ("there", "not_there", "got")]
        builder.cbranch(self._is_there(found), *blocks[:2])
        builder.position_at_end(blocks[0])
        there = self._as(self._read(form.value, found), form.value, result)
        there_in = builder.block
        builder.branch(blocks[2])
        builder.position_at_end(blocks[1])
        if len(node.inputs) > 2:
            other = self._as(operands[2], self.forms.of(node.inputs[2]), result)
        else:
            assert isinstance(result, OptionalForm)
            other = self.absent(result)
        builder.branch(blocks[2])
        builder.position_at_end(blocks[2])
        phi = builder.phi(llvm_type(result))
        phi.add_incoming(there, there_in)
        phi.add_incoming(other, blocks[1])
        return phi

    def list_of_dictionary(self, node: Node, operands: Sequence[Native]) -> Native:
        """A new list of the keys, the values, or both."""
        result = self._list_form(node.output)
        name = _CONTENTS.get(node.kind, "PyDict_Items")
        listed = self.call(name, operands[0])
        self.leave_for_null(listed)
        self.charge(self.length_of_dictionary(node, operands))
        made = self._taken(result, listed)
        self.call("Py_DecRef", listed)
        return made

    # -- Changing ----------------------------------------------------------------------------

    def set_value(self, node: Node, operands: Sequence[Native]) -> None:
        form = self._dict_form(node)
        value = self._as(operands[2], self.forms.of(node.inputs[2]), form.value)
        self._with_key(node, operands[1], lambda key: self._put_in(form, operands[0], key, value))

    def value_or_set(self, node: Node, operands: Sequence[Native]) -> Native:
        """What a key has; if it is not there, it gets what is said."""
        form = self._dict_form(node)
        with self.builder.if_then(self.builder.not_(self.has_key(node, operands))):
            self.set_value(node, operands)
        return self._read(form.value, self._found(node, operands))

    def delete_key(self, node: Node, operands: Sequence[Native]) -> None:
        """Fails for a key that is not there."""
        self.fail_if(self.builder.not_(self.has_key(node, operands)))
        self._delete(node, operands)

    def pop_value(self, node: Node, operands: Sequence[Native]) -> Native:
        """What a key has, which is taken out; fails for a key that is not there."""
        value = self.value_of_key(node, operands)
        self._delete(node, operands)
        return value

    def clear_dictionary(self, _node: Node, operands: Sequence[Native]) -> None:
        self.call("PyDict_Clear", operands[0])

    # -- How it is done ----------------------------------------------------------------------

    def _dict_form(self, node: Node) -> DictForm:
        form = self.forms.of(node.inputs[0])
        assert isinstance(form, DictForm)
        return form

    def _is_there(self, found: Native) -> Native:
        return self.builder.icmp_unsigned("!=", found, ir.Constant(POINTER, None))

    def _found(self, node: Node, operands: Sequence[Native]) -> Native:
        """What Python's dictionary has, which keeps the reference, or null."""
        if _is_only_looked_at(node):
            return self.call("PyDict_GetItemWithError", operands[0], self._passing_int(operands[1]))
        return self._with_key(
            node, operands[1], lambda key: self.call("PyDict_GetItemWithError", operands[0], key)
        )

    def _read(self, form: Form, found: Native) -> Native:
        """The value of what a dictionary has, however long it has it."""
        value = self._unboxed_item(form, found)
        if isinstance(form, DictForm | ListForm):
            return self._kept(self.owned(value))
        return self.settled(form, value, self.leave_for_null)

    def _put_in(self, form: DictForm, dictionary: Native, key: Native, value: Native) -> Native:
        boxed = self.box(form.value, value)
        failed = self.call("PyDict_SetItem", dictionary, key, boxed)
        self.call("Py_DecRef", boxed)
        self._leave_for_status(failed)
        return failed

    def _delete(self, node: Node, operands: Sequence[Native]) -> None:
        failed = self._with_key(
            node, operands[1], lambda key: self.call("PyDict_DelItem", operands[0], key)
        )
        self._leave_for_status(failed)

    def _kept(self, made: Native) -> Native:
        """A reference, which is let go of when nothing leads to the object any more."""
        self.leave_for_null(made)
        self.allocations += 1
        keep = self.own_function("object_keep", self._define_keep)
        self._leave_for_status(self.builder.call(keep, [self.chain, made]))
        return made


def _takes_key(node: Node) -> bool:
    """Whether the object of a key is needed."""
    is_of_key = len(node.inputs) > 1 and isinstance(node.inputs[0].type, DictType)
    return is_of_key and (node.kind in _KEEP or not _is_only_looked_at(node))


def _is_only_looked_at(node: Node) -> bool:
    """Whether a key is an int, which looking takes no lasting object for."""
    type = node.inputs[0].type
    assert isinstance(type, DictType)
    return type.key == INT and numbers_are_as_expected()
