"""Tuples and lists of tensors: what is in them is known by what is put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.types import TensorType, TupleType
from tsc.runtime.native.regions.forms import Form, ListForm, NotNative, TupleForm
from tsc.runtime.native.regions.region_nodes import NodeNotNative, tuple_place
from tsc.runtime.native.regions.tensor_forms import (
    ElementForm,
    TensorForm,
    TensorSpec,
    UnsetForm,
    join_tensors,
    new_tensor,
)

_T = TypeVar("_T")
_TUPLES: Final = frozenset({prim.TupleConstruct, prim.TupleUnpack, prim.TupleIndex})


class Found(Exception):
    """More is known of what tensors are."""


def holds_tensors(node: Node) -> bool:
    """Whether a node makes a tuple or a list of tensors, takes one apart, or puts a tensor in a list."""
    if node.kind == "aten::append":
        return isinstance(node.inputs[1].type, TensorType)
    if node.kind == prim.ListConstruct:
        return _has_tensors(node.output)
    made = node.outputs if node.kind == prim.TupleConstruct else node.inputs[:1]
    return node.kind in _TUPLES and any(map(_has_tensors, made))


def _has_tensors(value: Value) -> bool:
    return any(isinstance(each, TensorType) for each in value.type.contained)


class TensorContainers:
    """Finds their forms."""

    _forms: dict[Value, Form]

    def __init__(self) -> None:
        self._found: dict[Value, TensorSpec] = {}
        """What tensors are that nothing tells where they are first seen: those of a list are known by the list."""

    def _container(self, node: Node) -> None:
        if node.kind == prim.ListConstruct:
            self._list_of_tensors(node)
        elif node.kind == "aten::append":
            self._put_in(node)
        else:
            self._tuple_of_tensors(node)

    # -- Tuples ------------------------------------------------------------------------------

    def _tuple_of_tensors(self, node: Node) -> None:
        """What is in a tuple stays what it is."""
        operands = [self._operand(node, value) for value in node.inputs[:1]]
        if node.kind == prim.TupleConstruct:
            operands = [self._operand(node, value) for value in node.inputs]
            type = node.output.type
            assert isinstance(type, TupleType)
            named = None if type.field_names is None else type
            self._forms[node.output] = TupleForm(operands, named)
        elif node.kind == prim.TupleUnpack and isinstance(operands[0], TupleForm):
            self._forms.update(zip(node.outputs, operands[0].items, strict=True))
        else:
            self._forms[node.output] = self._item(node, operands[0])

    def _item(self, node: Node, form: Form) -> Form:
        if not isinstance(form, TupleForm):
            raise NodeNotNative(node, "a tuple that may be absent")
        return form.items[tuple_place(node, form)]

    # -- Lists -------------------------------------------------------------------------------

    def _list_of_tensors(self, node: Node) -> None:
        operands = [self._operand(node, value) for value in node.inputs]
        known = self._found.get(node.output)
        if known is not None:
            element = new_tensor(*known)
        elif operands:
            element = self._tried(node, lambda: self._like(operands[0]))
        else:
            element = UnsetForm(node.output)
        for each in operands:
            self._tried(node, lambda each=each: join_tensors(each, element))
        self._forms[node.output] = ListForm(element)

    def _like(self, form: Form) -> Form:
        if not isinstance(form, TensorForm | ElementForm):
            raise NotNative("it is not known what the tensors in a list are")
        return new_tensor(form.dtype, form.rank)

    def _put_in(self, node: Node) -> None:
        """What is first put in a list tells what is in it."""
        form, added = (self._operand(node, value) for value in node.inputs)
        if not isinstance(form, ListForm):
            raise NodeNotNative(node, "a list that may be absent")
        element = form.element
        if isinstance(element, UnsetForm) and isinstance(added, TensorForm | ElementForm):
            assert element.origin is not None
            self._found[element.origin] = added.dtype, added.rank
            raise Found
        self._tried(node, lambda: join_tensors(added, element))
        for value in node.outputs:
            self._forms[value] = form

    # -- How it is done ----------------------------------------------------------------------

    def _operand(self, node: Node, value: Value) -> Form:
        if value not in self._forms:
            raise NodeNotNative(node, f"values of type {value.type} have no native form")
        return self._forms[value]

    def _tried(self, node: Node, find: Callable[[], _T]) -> _T:
        """What is found. Raises `NodeNotNative` where it raises NotNative."""
        try:
            return find()
        except NotNative as error:
            raise NodeNotNative(node, str(error)) from None
