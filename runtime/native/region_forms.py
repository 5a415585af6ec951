"""The forms of all values of a region, and what of it has none: what a region must be to become native code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, prim
from tsc.compiler.schema import Promotion
from tsc.compiler.types import COMPLEX, ListType, TupleType, Type, TypeKind
from tsc.compiler.types.type_variables import VarType
from tsc.runtime.native.forms import (
    INTEGER,
    REAL,
    TRUTH,
    Form,
    ListForm,
    NotNative,
    TupleForm,
    form_of,
    join,
    lists_in,
)
from tsc.runtime.native.list_layout import lists_are_as_expected
from tsc.runtime.native.number_operators import is_known

CASTS: Final = frozenset({prim.unchecked_cast, prim.unchecked_unwrap_optional})
_STRUCTURE: Final = frozenset(
    {prim.Constant, prim.Uninitialized, prim.If, prim.Loop, prim.TupleConstruct, prim.TupleUnpack}
    | {prim.ListConstruct}
    | CASTS
)
NUMBERS: Final = (INTEGER, REAL, TRUTH)
IDENTITY: Final = frozenset({"aten::__is__", "aten::__isnot__"})


class NodeNotNative(NotNative):
    """The node that keeps a region from being native."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node


def is_last_resort(block: Block) -> bool:
    """Whether a block ends in an error and branches no more: it is left to the interpreter, whatever is in it."""
    nodes = list(block.nodes())
    raises = bool(nodes) and nodes[-1].kind == prim.RaiseException
    return raises and not any(node.blocks for node in nodes)


class RegionForms:
    """The form of each value of a graph. Raises `NodeNotNative` for a graph that cannot be native."""

    def __init__(self, graph: Graph) -> None:
        self._forms: dict[Value, Form] = {}
        for value in graph.inputs:
            form = self._new(value, graph.param_node)
            for each in lists_in(form):
                each.make_python()
        self._block(graph.block)
        for node in graph.all_nodes():
            self._check_lists(node)

    def of(self, value: Value) -> Form:
        return self._forms[value]

    def has(self, value: Value) -> bool:
        """Whether a value is one of native code; those that only errors tell of are not."""
        return value in self._forms

    def _new(self, value: Value, node: Node) -> Form:
        try:
            form = self._forms[value] = form_of(value.type)
        except NotNative as error:
            raise NodeNotNative(node, str(error)) from None
        if lists_in(form) and not lists_are_as_expected():
            raise NodeNotNative(node, "this interpreter lays out lists in another way")
        return form

    def _block(self, block: Block) -> None:
        for node in block.nodes():
            self._node(node)

    def _node(self, node: Node) -> None:
        if node.kind == prim.Constant and not _is_number(node.output.type):
            return
        if node.kind not in _STRUCTURE and not has_lowering(node):
            raise NodeNotNative(node, f"{node.kind} has no native code")
        for value in node.outputs:
            self._new(value, node)
        if node.kind == prim.Loop:
            self._loop(node)
        elif node.kind == prim.If:
            self._if(node)
        else:
            self._computation(node)

    def _if(self, node: Node) -> None:
        for block in node.blocks:
            if is_last_resort(block):
                continue
            self._block(block)
            self._same(node, block.outputs, node.outputs)

    def _loop(self, node: Node) -> None:
        view = LoopView(node)
        for value in view.body_block.inputs:
            self._new(value, node)
        self._same(node, view.carried_inputs, view.body_carried_inputs)
        self._same(node, view.carried_inputs, view.carried_outputs)
        self._block(view.body_block)
        self._same(node, view.body_carried_outputs, view.body_carried_inputs)

    def _same(self, node: Node, some: Iterable[Value], others: Iterable[Value]) -> None:
        for one, other in zip(some, others):
            join(self._operand(node, one), self._forms[other])

    def _operand(self, node: Node, value: Value) -> Form:
        if value not in self._forms:
            raise NodeNotNative(node, f"values of type {value.type} have no native form")
        return self._forms[value]

    def _computation(self, node: Node) -> None:
        operands = [self._operand(node, value) for value in node.inputs]
        results = [self._forms[value] for value in node.outputs]
        if node.kind in CASTS:
            join(operands[0], results[0])
        elif node.kind == prim.TupleConstruct:
            join(TupleForm(operands), results[0])
        elif node.kind == prim.TupleUnpack:
            join(operands[0], TupleForm(results))
        elif node.kind == prim.ListConstruct:
            for operand in operands:
                join(operand, _element(results[0]))
        elif node.operator is not None and node.operator.schema is not None:
            self._by_schema(node, operands, results)

    def _by_schema(self, node: Node, operands: Sequence[Form], results: Sequence[Form]) -> None:
        """What a schema calls by one type variable may be the same."""
        assert node.operator is not None
        schema = node.operator.schema
        variables: dict[str, Form] = {}
        for argument, form in zip(schema.arguments, operands):
            _bind(argument.type, form, variables)
        for returned, form in zip(schema.returns, results):
            _bind(returned.type, form, variables)
        written = [
            operand
            for argument, operand in zip(schema.arguments, operands)
            if argument.alias_info is not None and argument.alias_info.is_write
        ]
        if written and results and isinstance(results[0], ListForm):
            join(written[0], results[0])

    @property
    def reads_inner_lists(self) -> bool:
        """Whether code holds lists that are in a list of Python's, which keeps them until it is changed."""
        lists = [each for form in self._forms.values() for each in lists_in(form)]
        return any(each.is_python and lists_in(each.element) for each in lists)

    def _check_lists(self, node: Node) -> None:
        """Lists that are made here must not mingle with Python's; of what is in those, no list is let go of here."""
        if node.kind == "aten::_set_item" and isinstance(node.inputs[0].type, ListType):
            changed = self._forms[node.inputs[0]]
            if isinstance(changed, ListForm) and changed.is_python and lists_in(changed.element):
                raise NodeNotNative(node, "a list that was given keeps the lists that are in it")
        makes = node.kind == prim.ListConstruct or _makes_list(node)
        for value in node.outputs if makes else ():
            form = self._forms.get(value)
            if isinstance(form, ListForm) and form.is_python:
                raise NodeNotNative(node, "a new list may stand for one that was given")


def has_lowering(node: Node) -> bool:
    """Whether the operator of a node says how it becomes native code."""
    if node.kind in IDENTITY:
        return any(value.type.kind is TypeKind.NoneType for value in node.inputs)
    operator = node.operator
    if operator is None:
        return False
    if operator.lowering is not None:
        return all(each.type != COMPLEX for each in node.inputs)
    expression = operator.expression
    if expression is None or expression.promotion is not Promotion.NUMBERS:
        return False
    return all(form_of(each.type) in NUMBERS for each in node.inputs) and is_known(expression.term)


def _makes_list(node: Node) -> bool:
    """Whether the result of an operator is a new list."""
    if node.operator is None or not node.outputs or node.operator.is_mutable:
        return False
    return isinstance(node.operator.schema.returns[0].type, ListType)


def _is_number(type: Type) -> bool:
    try:
        form_of(type)
    except NotNative:
        return False
    return not isinstance(type, ListType)


def _element(form: Form) -> Form:
    assert isinstance(form, ListForm)
    return form.element


def _bind(formal: Type, form: Form, variables: dict[str, Form]) -> None:
    if isinstance(formal, VarType):
        join(variables.setdefault(formal.name, form), form)
    elif isinstance(formal, ListType) and isinstance(form, ListForm):
        _bind(formal.element, form.element, variables)
    elif isinstance(formal, TupleType) and isinstance(form, TupleForm):
        for each, item in zip(formal.elements, form.items):
            _bind(each, item, variables)
