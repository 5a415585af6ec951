"""The forms of all values of a region, and what of it has none: what a region must be to become native code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, constant_value, is_constant, prim
from tsc.compiler.schema import Operator
from tsc.compiler.types import (
    NUMBER,
    ListType,
    TensorType,
    Type,
)
from tsc.runtime.native.code.list_layout import lists_are_as_expected
from tsc.runtime.native.code.text_layout import texts_are_as_expected
from tsc.runtime.native.regions.attribute_names import ATTRIBUTES
from tsc.runtime.native.regions.forms import (
    NUMBERS,
    TEXT,
    DictForm,
    Form,
    ListForm,
    NotNative,
    ObjectForm,
    TupleForm,
    form_of,
    is_borrowed,
    join,
    leads_to,
    leads_to_kept,
    lists_in,
)
from tsc.runtime.native.regions.region_nodes import (
    CASTS,
    STRUCTURE,
    NodeNotNative,
    concrete_operator,
    has_lowering,
    is_last_resort,
    is_uninitialized,
    makes_list,
)
from tsc.runtime.native.regions.schema_forms import join_by_schema
from tsc.runtime.native.regions.tensor_containers import Found, TensorContainers, holds_tensors
from tsc.runtime.native.regions.tensor_forms import (
    ElementForm,
    KnownForm,
    Memory,
    TensorForm,
    TensorSpec,
    UnsetForm,
    check_has_object,
    join_tensors,
    joined_tensors,
    new_tensor,
    settled_form,
)
from tsc.runtime.native.regions.tensor_rules import result_forms
from tsc.runtime.native.regions.written_lists import WrittenLists

_T = TypeVar("_T")


class _Mingled(NodeNotNative):
    """A list that is made here may be the same as one that was given."""

    def __init__(self, node: Node, form: ListForm) -> None:
        super().__init__(node, "a new list may stand for one that was given")
        self.form = form


class RegionForms(TensorContainers):
    """The form of each value of a graph. Raises `NodeNotNative` for a graph that cannot be native."""

    def __init__(self, graph: Graph, tensors: Mapping[Value, TensorSpec] | None = None) -> None:
        """With the dtypes and ranks of the inputs that are tensors."""
        super().__init__()
        self.copied: set[Value] = set()
        """The inputs whose lists become own ones at the entry, for they may be what a list is that is made here; nobody
        writes to them."""
        writes: WrittenLists | None = None
        while True:
            try:
                self._find(graph, tensors)
                return
            except Found:
                continue
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
        self._forms = {}
        self._concrete: dict[Node, Operator] = {}
        self._of_tensors: set[Node] = set()
        self._written: list[Memory] = []
        for value in graph.inputs:
            if tensors is not None and value in tensors:
                self._forms[value] = TensorForm(*tensors[value], Memory(value))
                continue
            form = self._new(value, graph.param_node)
            for each in lists_in(form) if value not in self.copied else ():
                each.make_python()
        self._block(graph.block)
        for node in graph.all_nodes():
            self._check_lists(node)
        for value in graph.outputs:
            self._check_output(graph, self._forms.get(value))
        self._forms = {value: settled_form(form) for value, form in self._forms.items()}

    def is_written(self, value: Value) -> bool:
        """Whether the memory of an input is."""
        return any(value in each.roots for each in self._written)

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
        form = self._forms[value] = self._tried(node, lambda: form_of(value.type))
        if not _is_laid_out_as_expected(form):
            raise NodeNotNative(node, "this interpreter lays out lists or strings in another way")
        return form

    def _block(self, block: Block) -> None:
        for node in block.nodes():
            self._node(node)

    def _node(self, node: Node) -> None:
        if node.kind == prim.Constant and not _is_number(node.output.type):
            return
        if node.kind == prim.Uninitialized and isinstance(node.output.type, TensorType):
            return
        if holds_tensors(node):
            self._container(node)
            return
        if node.kind not in STRUCTURE:
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

    def _results(self, node: Node) -> list[Form]:
        operands = [self.read(value) for value in node.inputs]
        if not operands or node.kind == "aten::tensor" or not set(operands) <= set(NUMBERS):
            self._of_tensors.add(node)
            return result_forms(node, operands)
        self._concrete[node] = operator = concrete_operator(node, operands)
        return [form_of(each.type) for each in operator.schema.returns]

    def _tensors(self, node: Node) -> None:
        """A node that reads or makes tensors, or numbers of a type that their dtype tells."""
        results = self._tried(node, lambda: self._results(node))
        self._forms.update(zip(node.outputs, results, strict=True))
        if node.operator is not None and node.operator.is_mutable:
            for each in results:
                if isinstance(each, TensorForm | ElementForm):
                    each.memory.need()
                    self._written.append(each.memory)

    def _check_output(self, graph: Graph, form: Form | None) -> None:
        """What a result is made of must be what Python can be given."""
        if isinstance(form, KnownForm):
            raise NodeNotNative(
                graph.return_node, "what is known when code is made is not returned"
            )
        if isinstance(form, TensorForm | ElementForm):
            form.memory.give_away()
            self._tried(graph.return_node, lambda: check_has_object(form))
        if isinstance(form, ListForm) and isinstance(form.element, TensorForm | ElementForm):
            form.element.memory.need()  # it may be there twice
            self._check_output(graph, form.element)
        if isinstance(form, TupleForm):
            for each in form.items:
                self._check_output(graph, each)

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
        self._same(node, view.body_carried_inputs, view.carried_outputs)
        self._block(view.body_block)
        self._find_unset(node, view)
        self._same(node, view.body_carried_outputs, view.body_carried_inputs)

    def _find_unset(self, node: Node, view: LoopView) -> None:
        """Of tensors that are not set before a loop, the loop tells what they are."""
        found = {
            value: self._operand(node, after)
            for value, after in zip(view.body_carried_inputs, view.body_carried_outputs)
            if isinstance(self._forms[value], UnsetForm)
        }
        places = {value: place for place, value in enumerate(view.body_carried_inputs)}
        for value, form in found.items():
            if not isinstance(form, TensorForm | ElementForm):
                raise NodeNotNative(node, "it is not known what a tensor is")
            result = view.carried_outputs[places[value]]
            self._found[value] = self._found[result] = form.dtype, form.rank
        if found:
            raise Found

    def _new_like(self, value: Value, node: Node, others: Sequence[Value]) -> None:
        """A value that comes from others; of which type a number is, or what a tensor is, they tell."""
        if isinstance(value.type, TensorType):
            known = [self._operand(node, each) for each in others if not is_uninitialized(each)]
            known += [new_tensor(*self._found[value])] if value in self._found else []
            self._forms[value] = self._tried(node, lambda: joined_tensors(known))
            return
        forms = {self._operand(node, each) for each in others} if value.type == NUMBER else set()
        if len(forms) == 1 and forms <= set(NUMBERS):
            self._forms[value] = forms.pop()
        else:
            self._new(value, node)

    def _same(self, node: Node, some: Iterable[Value], others: Iterable[Value]) -> None:
        for one, other in zip(some, others):
            if is_uninitialized(one):
                continue
            form, known = self._operand(node, one), self._forms[other]
            if isinstance(known, TensorForm | ElementForm):
                self._tried(node, lambda one=form, other=known: join_tensors(one, other))
            if other.type == NUMBER and form is not known:
                raise NodeNotNative(node, "a number may be of several types")
            join(form, known)

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
        elif node.kind == prim.DictConstruct and isinstance(results[0], DictForm):
            for operand in operands[1::2]:
                join(operand, results[0].value)
        elif node.kind in ATTRIBUTES:
            self._attribute(node, [*operands, *results])
        elif node.operator is not None and node.operator.schema is not None:
            join_by_schema(node.operator.schema, operands, results)

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
        makes = node.kind == prim.ListConstruct or makes_list(node)
        for value in node.outputs if makes else ():
            form = self._forms.get(value)
            if not isinstance(form, ListForm):
                continue
            if form.is_python and not (form.is_kept and node.kind == prim.ListConstruct):
                raise _Mingled(node, form)
            if not form.is_python and leads_to_kept(form.element):
                raise NodeNotNative(node, "a new list of dictionaries, or of lists that are in one")


def _is_laid_out_as_expected(form: Form) -> bool:
    return not is_borrowed(form) or (lists_are_as_expected() and texts_are_as_expected())


def _is_number(type: Type) -> bool:
    try:
        form = form_of(type)
    except NotNative:
        return False
    return not isinstance(form, ListForm | ObjectForm | DictForm)


def _element(form: Form) -> Form:
    assert isinstance(form, ListForm)
    return form.element
