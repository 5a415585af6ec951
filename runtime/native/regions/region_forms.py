"""The forms of all values of a region, and what of it has none: what a region must be to become native code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, constant_value, is_constant, prim
from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    NUMBER,
    ListType,
    TensorType,
    TupleType,
    Type,
    TypeKind,
)
from tsc.compiler.types.type_variables import VarType
from tsc.runtime.native.code.list_layout import lists_are_as_expected
from tsc.runtime.native.code.text_layout import texts_are_as_expected
from tsc.runtime.native.regions.attribute_names import ATTRIBUTES
from tsc.runtime.native.regions.called_kernels import is_called_back, is_lowered, is_lowered_for
from tsc.runtime.native.regions.forms import (
    INTEGER,
    NUMBERS,
    REAL,
    TEXT,
    TRUTH,
    Form,
    ListForm,
    NotNative,
    ObjectForm,
    TupleForm,
    form_of,
    is_borrowed,
    join,
    leads_to,
    lists_in,
)
from tsc.runtime.native.regions.tensor_forms import ElementForm, KnownForm, TensorForm, TensorSpec
from tsc.runtime.native.regions.tensor_rules import result_forms
from tsc.runtime.native.regions.written_lists import WrittenLists
from tsc.runtime.operators.registration import table

CASTS: Final = frozenset({prim.unchecked_cast, prim.unchecked_unwrap_optional})
_STRUCTURE: Final = frozenset(
    {prim.Constant, prim.Uninitialized, prim.If, prim.Loop, prim.TupleConstruct, prim.TupleUnpack}
    | {prim.ListConstruct, prim.TupleIndex}
    | CASTS
    | ATTRIBUTES
)
_TYPES: Final[dict[Form, Type]] = {INTEGER: INT, REAL: FLOAT, TRUTH: BOOL}
IDENTITY: Final = frozenset({"aten::__is__", "aten::__isnot__"})


class NodeNotNative(NotNative):
    """The node that keeps a region from being native."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node


class _Mingled(NodeNotNative):
    """A list that is made here may be the same as one that was given."""

    def __init__(self, node: Node, form: ListForm) -> None:
        super().__init__(node, "a new list may stand for one that was given")
        self.form = form


def is_last_resort(block: Block) -> bool:
    """Whether a block ends in an error and branches no more: it is left to the interpreter, whatever is in it."""
    nodes = list(block.nodes())
    raises = bool(nodes) and nodes[-1].kind == prim.RaiseException
    return raises and not any(node.blocks for node in nodes)


class RegionForms:
    """The form of each value of a graph. Raises `NodeNotNative` for a graph that cannot be native."""

    def __init__(self, graph: Graph, tensors: Mapping[Value, TensorSpec] | None = None) -> None:
        """With the dtypes and ranks of the inputs that are tensors."""
        self.copied: set[Value] = set()
        """The inputs whose lists become own ones at the entry, for they may be what a list is that is made here; nobody
        writes to them."""
        writes: WrittenLists | None = None
        while True:
            try:
                self._find(graph, tensors)
                return
            except _Mingled as error:
                writes = writes or WrittenLists(graph)
                more = {
                    value
                    for value in graph.inputs
                    if leads_to(self._forms[value], error.form) and not writes.may_write(value)
                } - self.copied
                if not more:
                    raise
                self.copied |= more

    def _find(self, graph: Graph, tensors: Mapping[Value, TensorSpec] | None) -> None:
        self._forms: dict[Value, Form] = {}
        self._concrete: dict[Node, Operator] = {}
        self._of_tensors: set[Node] = set()
        self.written: set[Value] = set()
        """The inputs whose memory is written."""
        for value in graph.inputs:
            if tensors is not None and value in tensors:
                self._forms[value] = TensorForm(*tensors[value], value)
                continue
            form = self._new(value, graph.param_node)
            for each in lists_in(form) if value not in self.copied else ():
                each.make_python()
        self._block(graph.block)
        for node in graph.all_nodes():
            self._check_lists(node)
        for value in graph.outputs:
            self._check_output(graph, value)

    def of(self, value: Value) -> Form:
        return self._forms[value]

    def has(self, value: Value) -> bool:
        """Whether a value is one of native code; those that only errors tell of are not."""
        return value in self._forms

    def read(self, value: Value) -> Form:
        """The form of an operand; constants that have none are known. Raises NotNative."""
        if value in self._forms and self._forms[value] is not TEXT:
            return self._forms[value]
        if is_constant(value):
            return KnownForm(constant_value(value))
        raise NotNative(f"values of type {value.type} have no native form")

    def reads_tensors(self, node: Node) -> bool:
        """Whether a node reads or makes tensors."""
        return node in self._of_tensors

    def operator_of(self, node: Node) -> Operator | None:
        """The operator of a node, or that for the numbers which the node has."""
        return self._concrete.get(node, node.operator)

    def _new(self, value: Value, node: Node) -> Form:
        try:
            form = self._forms[value] = form_of(value.type)
        except NotNative as error:
            raise NodeNotNative(node, str(error)) from None
        if not _is_laid_out_as_expected(form):
            raise NodeNotNative(node, "this interpreter lays out lists or strings in another way")
        return form

    def _block(self, block: Block) -> None:
        for node in block.nodes():
            self._node(node)

    def _node(self, node: Node) -> None:
        if node.kind == prim.Constant and not _is_number(node.output.type):
            return
        if node.kind not in _STRUCTURE:
            if self._is_for_tensors(node):
                self._tensors(node)
                return
            if not has_lowering(node):
                raise NodeNotNative(node, f"{node.kind} has no native code")
        if node.kind == prim.Loop:
            self._loop(node)
        elif node.kind == prim.If:
            self._if(node)
        else:
            for value in node.outputs:
                self._new(value, node)
            self._computation(node)

    def _is_for_tensors(self, node: Node) -> bool:
        forms = [self._forms.get(value) for value in node.inputs]
        types = [value.type for value in (*node.inputs, *node.outputs)]
        return any(isinstance(each, TensorForm | ElementForm | KnownForm) for each in forms) or any(
            isinstance(each, TensorType) or each == NUMBER for each in types
        )

    def _tensors(self, node: Node) -> None:
        """A node that reads or makes tensors, or numbers of a type that their dtype tells."""
        try:
            operands = [self.read(value) for value in node.inputs]
            if (
                operands
                and all(each in NUMBERS for each in operands)
                and node.kind != "aten::tensor"
            ):
                self._concrete[node] = operator = concrete_operator(node, operands)
                results = [form_of(each.type) for each in operator.schema.returns]
            else:
                results = result_forms(node, operands)
                self._of_tensors.add(node)
        except NotNative as error:
            raise NodeNotNative(node, str(error)) from None
        self._forms.update(zip(node.outputs, results, strict=True))
        if node.operator is not None and node.operator.is_mutable:
            self.written |= {each.root for each in results if isinstance(each, TensorForm)}

    def _check_output(self, graph: Graph, value: Value) -> None:
        form = self._forms.get(value)
        is_given = isinstance(form, TensorForm) and value in graph.inputs
        if isinstance(form, TensorForm | ElementForm | KnownForm) and not is_given:
            raise NodeNotNative(graph.return_node, "new tensors and views are not returned")

    def _if(self, node: Node) -> None:
        blocks = [block for block in node.blocks if not is_last_resort(block)]
        for block in blocks:
            self._block(block)
        for place, value in enumerate(node.outputs):
            self._new_like(value, node, [block.outputs[place] for block in blocks])
        for block in blocks:
            self._same(node, block.outputs, node.outputs)

    def _loop(self, node: Node) -> None:
        view = LoopView(node)
        self._new(view.current_trip_count, node)
        for values in (view.body_carried_inputs, view.carried_outputs):
            for value, first in zip(values, view.carried_inputs):
                self._new_like(value, node, [first])
        self._same(node, view.carried_inputs, view.body_carried_inputs)
        self._same(node, view.carried_inputs, view.carried_outputs)
        self._block(view.body_block)
        self._same(node, view.body_carried_outputs, view.body_carried_inputs)

    def _new_like(self, value: Value, node: Node, others: Sequence[Value]) -> None:
        """A value that comes from others; of which type a number is, they tell."""
        forms = {self._operand(node, each) for each in others} if value.type == NUMBER else set()
        if len(forms) == 1 and forms <= set(NUMBERS):
            self._forms[value] = forms.pop()
        else:
            self._new(value, node)

    def _same(self, node: Node, some: Iterable[Value], others: Iterable[Value]) -> None:
        for one, other in zip(some, others):
            form, known = self._operand(node, one), self._forms[other]
            if other.type == NUMBER and form is not known:
                raise NodeNotNative(node, "a number may be of several types")
            join(form, known)

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
        elif node.kind == prim.TupleIndex:
            join(self._item(node, operands[0]), results[0])
        elif node.kind == prim.ListConstruct:
            for operand in operands:
                join(operand, _element(results[0]))
        elif node.kind in ATTRIBUTES:
            self._attribute(node, [*operands, *results])
        elif node.operator is not None and node.operator.schema is not None:
            self._by_schema(node, operands, results)

    def _attribute(self, node: Node, forms: Sequence[Form]) -> None:
        """An object keeps what is Python's; what was read of it may not be let go of while it is in use."""
        owner, content = forms
        if not isinstance(owner, ObjectForm):
            raise NodeNotNative(node, "an object that may be absent")
        for each in lists_in(content):
            each.make_python()
        if node.kind == prim.SetAttr and is_borrowed(content):
            raise NodeNotNative(
                node, "an object keeps the lists, strings and objects that are its attributes"
            )

    def _item(self, node: Node, form: Form) -> Form:
        if not isinstance(form, TupleForm):
            raise NodeNotNative(node, "a tuple that may be absent")
        return form.items[tuple_place(node, form)]

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
            (argument, operand)
            for argument, operand in zip(schema.arguments, operands)
            if _is_written(argument)
        ]
        for returned, form in zip(schema.returns, results):
            if written and (_is_written(returned) or returned.type == written[0][0].type):
                join(written[0][1], form)

    @property
    def reads_inner_lists(self) -> bool:
        """Whether code holds what is in a list or an object of Python's, which keeps it until it is changed."""
        if any(isinstance(each, ObjectForm) for each in self._forms.values()):
            return True
        lists = [each for form in self._forms.values() for each in lists_in(form)]
        held = [each for each in lists if each.is_python]
        held += [each for value in self.copied for each in lists_in(self._forms[value])]
        return any(is_borrowed(each.element) for each in held)

    def _check_lists(self, node: Node) -> None:
        """Lists that are made here must not mingle with Python's; of what is in those, no list is let go of here."""
        if node.kind == "aten::_set_item" and isinstance(node.inputs[0].type, ListType):
            changed = self._forms.get(node.inputs[0])
            if isinstance(changed, ListForm) and changed.is_python and is_borrowed(changed.element):
                raise NodeNotNative(
                    node, "a list that was given keeps the lists and strings that are in it"
                )
        makes = node.kind == prim.ListConstruct or _makes_list(node)
        for value in node.outputs if makes else ():
            form = self._forms.get(value)
            if isinstance(form, ListForm) and form.is_python:
                raise _Mingled(node, form)


def tuple_place(node: Node, form: TupleForm) -> int:
    """Which item a prim::TupleIndex gives. Raises `NodeNotNative`."""
    place, count = constant_value(node.inputs[1]), len(form.items)
    if not isinstance(place, int) or not -count <= place < count:
        raise NodeNotNative(node, "the place in a tuple is not known, or there is none")
    return place % count


def has_lowering(node: Node) -> bool:
    """Whether the operator of a node says how it becomes native code."""
    if node.kind in IDENTITY:
        return any(value.type.kind is TypeKind.NoneType for value in node.inputs)
    return is_lowered_for(node) or is_called_back(node)


def concrete_operator(node: Node, operands: Sequence[Form]) -> Operator:
    """The operator of a node for numbers of just these types. Raises NotNative."""
    own = node.operator
    types = [_TYPES[each] for each in operands]
    if own is not None and own.lowering is not None:
        return own
    for operator in table.operators_for(node.kind):
        if [each.type for each in operator.schema.arguments] == types and is_lowered(
            operator, types
        ):
            return operator
    raise NotNative(f"{node.kind} of these numbers has no native code")


def _makes_list(node: Node) -> bool:
    """Whether the result of an operator is a new list."""
    if node.operator is None or not node.outputs or node.operator.is_mutable:
        return False
    return isinstance(node.operator.schema.returns[0].type, ListType)


def _is_laid_out_as_expected(form: Form) -> bool:
    return not is_borrowed(form) or (lists_are_as_expected() and texts_are_as_expected())


def _is_number(type: Type) -> bool:
    try:
        form = form_of(type)
    except NotNative:
        return False
    return not isinstance(form, ListForm | ObjectForm)


def _element(form: Form) -> Form:
    assert isinstance(form, ListForm)
    return form.element


def _is_written(argument: Argument) -> bool:
    """Whether an operator writes to it; of a result, that it is what was written."""
    return argument.alias_info is not None and argument.alias_info.is_write


def _bind(formal: Type, form: Form, variables: dict[str, Form]) -> None:
    if isinstance(formal, VarType):
        join(variables.setdefault(formal.name, form), form)
    elif isinstance(formal, ListType) and isinstance(form, ListForm):
        _bind(formal.element, form.element, variables)
    elif isinstance(formal, TupleType) and isinstance(form, TupleForm):
        for each, item in zip(formal.elements, form.items):
            _bind(each, item, variables)
