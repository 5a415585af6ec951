"""Tensors and lists that are changed right after they are made are made changed instead.

``x = torch.ones(2); x.add_(1)`` becomes a sum, ``l = [a]; l.append(b)`` a list of two. Only memory that nobody
else knows is looked at, and the change must be movable right behind the making: then nobody can have seen what
was there in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, IfView, Node, Value, aten, constant_value, prim
from tsc.compiler.passes.functional_to_inplace_activation import is_only_its_nodes
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.passes.replace_after import replace_uses_after
from tsc.compiler.schema import Operator, OperatorTable

Wanted = Callable[[Node], bool]


def remove_mutation(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether a mutation was removed, of a list or of a tensor."""
    changed = remove_list_mutation(graph)
    return remove_tensor_mutation(graph, operators) or changed


def remove_list_mutation(graph: Graph) -> bool:
    """`append` and `insert` on lists that are put together in the graph."""
    return _Removal(graph, None, lambda _node: True).lists(graph.block)


def remove_tensor_mutation(
    graph: Graph, operators: OperatorTable, wanted: Wanted = lambda _node: True
) -> bool:
    """Operators that end in an underscore, where there is one without it."""
    return _Removal(graph, operators, wanted).tensors(graph.block)


class _Removal:
    def __init__(self, graph: Graph, operators: OperatorTable | None, wanted: Wanted) -> None:
        self.graph = graph
        self.operators = operators
        self.wanted = wanted
        self._aliases: AliasDb | None = None

    @property
    def aliases(self) -> AliasDb:
        if self._aliases is None:
            self._aliases = AliasDb(self.graph)
        return self._aliases

    # -- Lists ---------------------------------------------------------------------------------

    def lists(self, block: Block) -> bool:
        changed = False
        for node in block.nodes():
            for nested in node.blocks:
                changed |= self.lists(nested)
            if _changes_made_list(node) and self.is_made_just_before(node.inputs[0], node):
                _make_changed(node)
                self._aliases = None
                changed = True
        return changed

    def is_made_just_before(self, value: Value, node: Node) -> bool:
        """Whether the making of a value could stand right before the node; then it does."""
        if not is_only_its_nodes(value, self.aliases):
            return False
        return self.aliases.move_before_topologically_valid(value.node, node)

    # -- Tensors -------------------------------------------------------------------------------

    def tensors(self, block: Block) -> bool:
        changed = False
        for node in block.nodes():
            for nested in node.blocks:
                changed |= self.tensors(nested)
            if self.wanted(node) and self.changes_one_tensor(node):
                changed |= self.remove(node)
        return changed

    def changes_one_tensor(self, node: Node) -> bool:
        if not node.kind.startswith("aten::") or len(node.outputs) != 1 or not node.inputs:
            return False
        if node.kind in _SPECIAL:
            return True
        if not node.kind.endswith("_") or node.kind.endswith("__"):
            return False
        first, *others = node.inputs
        if not self.aliases.writes_to_alias(node, [first]):
            return False
        return not self.aliases.writes_to_alias(node, others)

    def remove(self, node: Node) -> bool:
        value = node.inputs[0]
        operator = self.operator_of(node)
        if operator is None:
            return False
        if not self.is_made_just_before(value, node) and not self.is_decided_just_before(
            value, node
        ):
            return False
        made = self.replacement(node, operator)
        replace_uses_after(value, node, made)
        node.output.replace_all_uses_with(made)
        node.destroy()
        self._aliases = None
        return True

    def is_decided_just_before(self, value: Value, node: Node) -> bool:
        """The same, of what both branches of an If make and nobody else uses."""
        if value.node.kind != prim.If:
            return False
        view = IfView(value.node)
        made = (view.then_outputs[value.offset], view.else_outputs[value.offset])
        if any(each.use_count > 1 or not is_only_its_nodes(each, self.aliases) for each in made):
            return False
        return self.aliases.move_before_topologically_valid(value.node, node)

    def operator_of(self, node: Node) -> Operator | None:
        assert self.operators is not None
        if _is_special(node):
            return self.operators.find(*_SPECIAL[node.kind])
        overload = "" if node.operator is None else node.operator.overload_name
        return self.operators.find(node.kind[:-1], overload)

    def replacement(self, node: Node, operator: Operator) -> Value:
        graph = node.graph
        with graph.insert_at(node):
            inputs = self.inputs_of(node, operator)
        made = graph.create(operator.name, inputs, range=node.range).insert_before(node)
        made.operator = operator
        return made.output.copy_metadata(node.output)

    def asked(self, value: Value, question: str, *others: Value) -> Value:
        """What an operator tells of a tensor."""
        assert self.operators is not None
        return insert_call(value.node.graph, self.operators, question, [value, *others])

    def inputs_of(self, node: Node, operator: Operator) -> Sequence[Value]:
        if not _is_special(node):
            return node.inputs
        graph, inputs = node.graph, list(node.inputs)
        if node.kind == "aten::normal_":
            size, dtype, layout, device = (
                self.asked(inputs[0], each)
                for each in ("aten::size", "prim::dtype", "prim::layout", "prim::device")
            )
            plain = graph.insert_constant(None)
            pinned = self.asked(inputs[0], "aten::is_pinned", plain)
            inputs = [*inputs[1:3], size, inputs[3], dtype, layout, device, pinned]
        elif node.kind == "aten::fill_":
            inputs.append(self.asked(inputs[0], "prim::dtype"))
        missing = len(operator.schema.arguments) - len(inputs)
        return [*inputs, *(graph.insert_constant(None) for _ in range(missing))]


def _is_special(node: Node) -> bool:
    """Whether what makes the changed tensor goes by another name; a tensor that fills another does not."""
    overload = "" if node.operator is None else node.operator.overload_name
    return node.kind in _SPECIAL and overload != "Tensor"


_SPECIAL: Final = {
    "aten::zero_": ("aten::zeros_like", ""),
    "aten::fill_": ("aten::full_like", ""),
    "aten::normal_": ("aten::normal", "float_float"),
}
"""What makes the tensor that these leave, by another name."""


def _changes_made_list(node: Node) -> bool:
    if node.kind not in (aten.append, "aten::insert"):
        return False
    if node.inputs[0].node.kind != prim.ListConstruct:
        return False
    return node.kind == aten.append or isinstance(constant_value(node.inputs[1]), int)


def _make_changed(node: Node) -> None:
    made = node.inputs[0].node
    if node.kind == aten.append:
        made.add_input(node.inputs[1])
    else:
        size, place = len(made.inputs), constant_value(node.inputs[1])
        assert isinstance(place, int)
        made.insert_input(min(max(place + size, 0) if place < 0 else place, size), node.inputs[2])
    for output in node.outputs:
        output.replace_all_uses_with(made.output)
    node.destroy()
