"""The rest of a program, from a bailout on: what runs where what was assumed of a tensor does not hold.

In a loop, that is the rest of the turn, a loop of the turns that are left, and all that follows; in a branch, the rest
of the branch and what follows it.
"""

from __future__ import annotations

from tsc.compiler.analysis.live_values import REMADE
from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import OperatorTable


def build_bailout_graph_from(index: int, template: Graph, *, operators: OperatorTable) -> Graph:
    """A graph whose inputs are the tensor that was guarded by the bailout of a number, and what it captures.

    `template` is the graph that a `prim::BailoutTemplate` holds.
    """
    marks = [node for node in template.all_nodes() if node.kind == prim.BailOut]
    mark = next(node for node in marks if node.integer_attribute("index") == index)
    return _Rest(operators).build(mark)


class _Rest:
    """Copies what follows a mark, going outwards. `known` are the values of the template that there are in the copy."""

    def __init__(self, operators: OperatorTable) -> None:
        self.graph = Graph()
        self.known: dict[Value, Value] = {}
        self._operators = operators

    def build(self, mark: Node) -> Graph:
        for value in mark.inputs:
            self.known[value] = self.graph.add_input().copy_metadata(value)
        self.known[mark.output] = self.graph.inputs[0]
        self._copy_following(mark)
        block = mark.owning_block
        while block.owning_node is not None:
            owner = block.owning_node
            if owner.kind == prim.Loop:
                self._go_on_with_loop(owner, block)
            else:
                self.known.update(zip(owner.outputs, map(self._copy_of, block.outputs)))
            self._copy_following(owner)
            block = owner.owning_block
        for value in block.outputs:
            self.graph.register_output(self._copy_of(value))
        _remove_marks(self.graph)
        return self.graph

    def _copy_of(self, value: Value) -> Value:
        known = self.known.get(value)
        if known is not None:
            return known
        if value.node.kind not in REMADE:
            raise GraphError(f"%{value.debug_name} is needed after a bailout and not captured")
        remade = clone_node(value.node, self.graph, self._copy_of)
        self.known[value] = self.graph.prepend_node(remade).output
        return self.known[value]

    def _copy_following(self, node: Node) -> None:
        """The nodes after a node in its block."""
        end = node.owning_block.return_node
        node = node.next
        while node is not end:
            copy = self.graph.append_node(clone_node(node, self.graph, self._copy_of))
            self.known.update(zip(node.outputs, copy.outputs))
            node = node.next

    def _go_on_with_loop(self, loop: Node, body: Block) -> None:
        """A loop of the turns that are left, which counts on from where this one was left."""
        graph = self.graph
        following = [self._copy_of(value) for value in body.outputs]
        done = self._call("aten::add", [self._copy_of(body.inputs[0]), graph.insert_constant(1)])
        left = self._call("aten::sub", [self._copy_of(loop.inputs[0]), done])
        copy = graph.create(prim.Loop, [left, *following], len(loop.outputs), range=loop.range)
        copy.call_stack = loop.call_stack
        for output, value in zip(copy.outputs, loop.outputs):
            self.known[value] = output.copy_metadata(value)
        graph.append_node(copy)
        inner = copy.add_block()
        inner.clone_from(body, self._copy_of)
        turn = inner.inputs[0]
        if turn.has_uses:
            uses = list(turn.uses)
            with graph.insert_at(inner.return_node.next):
                counted = self._call("aten::add", [turn, done])
            for use in uses:
                use.node.replace_input(use.offset, counted)

    def _call(self, name: str, inputs: list[Value]) -> Value:
        return insert_call(self.graph, self._operators, f"{name}.int", inputs)


def _remove_marks(graph: Graph) -> None:
    for node in graph.all_nodes():
        if node.kind == prim.BailOut:
            node.output.replace_all_uses_with(node.inputs[0])
            node.destroy()
