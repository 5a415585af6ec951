"""What types of tensors are known follows values through a graph, around loops and into branches.

Nothing here knows an operator: `Infer` is given, and tells of the outputs of a node from what is known of its inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.analysis.metadata import UnsteadyTensors
from tsc.compiler.ir import Block, Graph, IfView, Node, Value, constant_value, prim
from tsc.compiler.passes.known_values import (
    Elements,
    Exactly,
    Infer,
    Known,
    known_of_type,
    merge_known,
)
from tsc.compiler.types import (
    TENSOR,
    FunctionType,
    TensorType,
    Type,
    unify_types,
    without_shapes,
)

Refine = Callable[[TensorType, TensorType], TensorType]
"""Of the type that a tensor has and what is known of it, the type that it gets."""


def take_all(_type: TensorType, known: TensorType) -> TensorType:
    """Of tensors what is known of them now, nothing else."""
    return known


def propagate(graph: Graph, infer: Infer, refine: Refine) -> bool:
    """Gives tensors the types that follow from those of the inputs; returns whether a type changed."""
    return _Propagation(graph, infer, refine).run()


class _Propagation:
    def __init__(self, graph: Graph, infer: Infer, refine: Refine) -> None:
        self._graph = graph
        self._infer = infer
        self._refine = refine
        self._alias_db = AliasDb(graph)
        self._known: dict[Value, Known] = {}
        self._types_before: dict[Value, Type] = {}
        self._loops: dict[Node, list[Known]] = {}
        self._visits: dict[str, Callable[[Node], None]] = {
            prim.Constant: self._visit_constant,
            prim.If: self._visit_if,
            prim.Loop: self._visit_loop,
            prim.TupleConstruct: self._visit_construction,
            prim.ListConstruct: self._visit_construction,
            prim.TupleUnpack: self._visit_unpacking,
            prim.ListUnpack: self._visit_unpacking,
            prim.TupleIndex: self._visit_indexing,
            prim.ConstantChunk: self._visit_chunks,
            "aten::__getitem__": self._visit_indexing,
        }
        self._unsteady = UnsteadyTensors(graph, self._alias_db)

    def run(self) -> bool:
        for value in self._graph.inputs:
            self._record(value, known_of_type(value.type))
        self._visit_block(self._graph.block)
        return any(value.type != before for value, before in self._types_before.items())

    # -- Values ------------------------------------------------------------------------------

    def _record(self, value: Value, known: Known) -> None:
        if value in self._unsteady:
            known = without_shapes(value.type)
        if isinstance(known, Elements) and self._alias_db.has_writers(value):
            known = known.type
        self._known[value] = known
        if isinstance(value.type, TensorType):
            told = known if isinstance(known, TensorType) else TENSOR
            self._set_type(value, self._refine(value.type, told))
        elif isinstance(known, Elements) and self._refine is take_all:
            self._set_type(value, known.as_type())

    def _set_type(self, value: Value, type: Type) -> None:
        self._types_before.setdefault(value, value.type)
        value.set_type(type)

    def _record_all(self, values: Sequence[Value], known: Sequence[Known]) -> None:
        for value, each in zip(values, known, strict=True):
            self._record(value, each)

    def _known_of(self, values: Sequence[Value]) -> list[Known]:
        return [self._known[value] for value in values]

    # -- Nodes -------------------------------------------------------------------------------

    def _visit_block(self, block: Block) -> None:
        for node in block.nodes():
            self._visits.get(node.kind, self._visit)(node)

    def _visit(self, node: Node) -> None:
        for block in node.blocks:
            self._forget(block.inputs)
            self._visit_block(block)
        if node.operator is None:
            for value in node.outputs:
                self._record(value, known_of_type(value.type))
            return
        known = None if has_side_effects(node) else self._infer(node, self._known_of(node.inputs))
        if known is None:
            self._forget(node.outputs)
        else:
            self._record_all(node.outputs, known)

    def _forget(self, values: Sequence[Value]) -> None:
        for value in values:
            self._record(value, known_of_type(without_shapes(value.type)))

    def _visit_constant(self, node: Node) -> None:
        value = node.output
        known: Known = value.type
        if isinstance(value.type, TensorType):
            [known] = self._infer(node, ()) or (value.type,)
        elif not isinstance(value.type, FunctionType):
            known = Exactly(constant_value(value))
        self._record(value, known)

    def _visit_if(self, node: Node) -> None:
        for block in node.blocks:
            self._visit_block(block)
        branches = IfView(node)
        for value, first, second in zip(
            node.outputs, branches.then_outputs, branches.else_outputs, strict=True
        ):
            type = unify_types(first.type, second.type, default_to_union=True)
            assert type is not None
            self._set_type(value, type)
            known = merge_known(self._known[first], self._known[second], without_shapes(type))
            self._record(value, known)

    def _visit_loop(self, node: Node) -> None:
        """As often as what is known of the carried values becomes less, and no less than when last visited."""
        [body] = node.blocks
        self._forget(body.inputs[:1])
        types = [without_shapes(value.type) for value in node.outputs]
        known = self._known_of(node.inputs[2:])
        if node in self._loops:
            known = list(map(merge_known, known, self._loops[node], types))
        while True:
            self._record_all(body.inputs[1:], known)
            self._visit_block(body)
            after = self._known_of(body.outputs[1:])
            merged = list(map(merge_known, known, after, types))
            if merged == known:
                break
            known = merged
        self._loops[node] = known
        self._record_all(node.outputs, known)

    def _visit_construction(self, node: Node) -> None:
        known = tuple(self._known_of(node.inputs))
        self._record(node.output, Elements(known, without_shapes(node.output.type)))

    def _visit_chunks(self, node: Node) -> None:
        """Parts have as many dimensions as the whole; how large each is, nobody asks."""
        whole = self._known[node.input]
        if not isinstance(whole, TensorType) or whole.sizes is None:
            self._forget(node.outputs)
            return
        part = replace(whole, sizes=(None,) * len(whole.sizes), strides=None)
        self._record_all(node.outputs, [part] * len(node.outputs))

    def _visit_unpacking(self, node: Node) -> None:
        whole = self._known[node.inputs[0]]
        if isinstance(whole, Elements) and len(whole.members) == len(node.outputs):
            self._record_all(node.outputs, whole.members)
        else:
            self._forget(node.outputs)

    def _visit_indexing(self, node: Node) -> None:
        whole, index = self._known_of(node.inputs)
        if isinstance(whole, Elements) and isinstance(index, Exactly):
            place = index.value
            if isinstance(place, int) and -len(whole.members) <= place < len(whole.members):
                self._record(node.output, whole.members[place])
                return
        self._visit(node)
