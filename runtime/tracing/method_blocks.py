"""From a recorded graph to methods: what ran in the ``forward`` of a submodule becomes a method of it.

While a trace is recorded, each such stretch is the block of a node, attributes stand for themselves by their
paths, and values are used wherever the tensors went. The steps here are PyTorch's, so that the methods are:
attributes are read from the nearest ``self`` around; values that are used outside of the block that computes
them are handed out of it; what a block takes from outside becomes arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tsc.compiler.ir import Block, Function, Graph, Node, Value, insert_graph, prim
from tsc.compiler.ir.clone import clone_block
from tsc.compiler.ir.graph_function import schema_of_graph
from tsc.compiler.ir.node_order import enclosing_nodes
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.lower_simple_tuples import lower_simple_tuples
from tsc.compiler.types import NONE, ClassType, TupleType
from tsc.runtime.tracing.forks import cut_out_forks
from tsc.runtime.tracing.graph_writer import SCOPE, TRACED_FORWARD
from tsc.runtime.tracing.recorder import TRACED_ATTRIBUTE

ROOT = "__module"
_FORWARD = "forward"
_BODY = "Subgraph"


def finish_method(graph: Graph, modules: Iterable[ClassType]) -> None:
    """Turn the recorded graph of a method into what it stays; methods of submodules are added."""
    _AttributeReads(graph).run()
    _hand_out_values(graph)
    _return_tuples(graph.block)
    _lift_blocks(graph.block)
    _call_methods(graph)
    for type in modules:
        for method in type.methods.values():
            assert isinstance(method, Function)
            if method.is_defined:
                _clean_up(method.graph)
    _clean_up(graph)


def finish_function(graph: Graph) -> None:
    """The same for a function: what modules did that it called stays in the one graph."""
    _hand_out_values(graph)
    _return_tuples(graph.block)
    _inline_blocks(graph.block)
    _clean_up(graph)


def _clean_up(graph: Graph) -> None:
    cut_out_forks(graph)
    lower_simple_tuples(graph)
    eliminate_dead_code(graph)
    graph.lint()


# -- Attributes ----------------------------------------------------------------------------------


class _AttributeReads:
    """Attributes by path become reads of the attributes of a ``self``."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        nodes = [each for each in graph.nodes() if each.kind == TRACED_ATTRIBUTE]
        self.paths = {each.output: each.string_attribute(SCOPE) for each in nodes}
        self.values = {path: value for value, path in self.paths.items()}

    def run(self) -> None:
        self._add_self(self.graph.block)
        self._resolve(self.graph.block, ROOT, self.graph.inputs[0])
        for value in self.paths:
            value.node.destroy()

    def _add_self(self, block: Block) -> None:
        for node in block.nodes():
            if node.kind == TRACED_FORWARD:
                module = self.values[node.string_attribute(SCOPE)]
                node.add_input(module)
                node.blocks[0].add_input("self", module.type)
                self._add_self(node.blocks[0])

    def _resolve(self, block: Block, path: str, owner: Value) -> list[Value]:
        """Returns the attributes that `path` does not lead to: they are handed in from outside."""
        outside: list[Value] = []
        known: dict[Value, Value] = {}
        for node in [*block.nodes(), block.return_node]:
            if node.kind == TRACED_FORWARD:
                inner = node.blocks[0]
                for value in self._resolve(inner, node.string_attribute(SCOPE), inner.inputs[0]):
                    node.add_input(value)
            for offset, value in enumerate(list(node.inputs)):
                if value in known:
                    node.replace_input(offset, known[value])
                elif value in self.paths:
                    found = self._read(block, path, owner, value)
                    if found is None:
                        found = block.add_input().copy_metadata(value)
                        outside.append(value)
                    node.replace_input(offset, found)
                    known[value] = found
        return outside

    def _read(self, block: Block, path: str, owner: Value, attribute: Value) -> Value | None:
        wanted = self.paths[attribute]
        if not f"{wanted}.".startswith(f"{path}."):
            return None
        place = block.return_node.next  # the first node
        for name in wanted[len(path) + 1 :].split(".") if wanted != path else ():
            node = self.graph.create(prim.GetAttr, [owner]).set_attribute("name", name)
            node.insert_before(place)
            assert isinstance(owner.type, ClassType)
            type = owner.type.attribute_type(name)
            assert type is not None
            owner = node.output.set_type(type)
            owner.set_debug_name(f"_{name}" if name.isdigit() else name)
        return owner


# -- Values that leave their block ---------------------------------------------------------------


def _hand_out_values(graph: Graph) -> None:
    """A value that is used outside of its block is an output of the block, and of those around it."""
    moved: dict[Value, Value] = {}
    pending: list[Iterator[Node]] = [_nodes_of(graph.block)]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            continue
        for offset, value in enumerate(list(node.inputs)):
            current = moved.get(value, value)
            if current.node.block is not node.block:
                current = _handed_out(current, node)
            if current is not value:
                moved[value] = current
                node.replace_input(offset, current)
        if node.kind == TRACED_FORWARD:
            pending.append(_nodes_of(node.blocks[0]))


def _nodes_of(block: Block) -> Iterator[Node]:
    yield from list(block.nodes())
    yield block.return_node


def _handed_out(value: Value, user: Node) -> Value:
    around = {each.block for each in enclosing_nodes(user)}
    while value.node.owning_block not in around:
        block = value.node.owning_block
        owner = block.owning_node
        assert owner is not None
        block.register_output(value)
        value = owner.add_output(value.type)
    return value


def _return_tuples(block: Block) -> None:
    """A block gives one value: a tuple of several, None for none."""
    for node in list(block.nodes()):
        if node.kind != TRACED_FORWARD:
            continue
        inner = node.blocks[0]
        _return_tuples(inner)
        graph = node.graph
        if len(inner.outputs) > 1:
            types = tuple(value.type for value in inner.outputs)
            made = graph.create(prim.TupleConstruct, inner.outputs)
            made.insert_before(inner.return_node)
            made.output.set_type(TupleType(types))
            _unpack_outputs(node)
            while inner.outputs:
                inner.return_node.remove_input(0)
            inner.register_output(made.output)
        elif not inner.outputs:
            nothing = graph.create(prim.Constant).insert_before(inner.return_node)
            inner.register_output(nothing.output.set_type(NONE))
            node.add_output(NONE)


def _unpack_outputs(node: Node) -> None:
    olds = list(node.outputs)
    result = node.add_output(TupleType(tuple(value.type for value in olds)))
    unpack = node.graph.create(prim.TupleUnpack, [result], len(olds)).insert_after(node)
    for old, new in zip(olds, unpack.outputs):
        old.replace_all_uses_with(new.set_type(old.type))
    for _ in olds:
        node.erase_output(0)


# -- Blocks become methods -----------------------------------------------------------------------


def _lift_blocks(block: Block) -> None:
    """Each block becomes a graph, the innermost first; what it takes from outside becomes inputs."""
    for node in block.nodes():
        if node.kind != TRACED_FORWARD:
            continue
        _lift_blocks(node.blocks[0])
        body, taken = _as_graph(node.blocks[0])
        for value in taken:
            node.add_input(value)
        node.set_attribute(_BODY, body)
        node.erase_block(0)


def _as_graph(block: Block) -> tuple[Graph, list[Value]]:
    """The block as a graph of its own, and the values outside that became inputs of it."""
    graph = Graph(block.graph.operators)
    taken: dict[Value, Value] = {}

    def lifted(value: Value) -> Value:
        if value not in taken:
            taken[value] = graph.add_input().copy_metadata(value)
        return taken[value]

    clone_block(block, graph.block, lifted)
    return graph, list(taken)


def _call_methods(graph: Graph) -> None:
    """The graphs become methods of their modules, and are called."""
    for node in list(graph.nodes()):
        if node.kind != TRACED_FORWARD:
            continue
        body, owner = node.attribute(_BODY), node.inputs[0].type
        assert isinstance(body, Graph) and isinstance(owner, ClassType)
        _call_methods(body)
        name = _unused_name(owner)
        schema = schema_of_graph(body, name)
        owner.methods[name] = Function(f"{owner.qualified_name}.{name}", graph=body, schema=schema)
        call = graph.create(prim.CallMethod, node.inputs).set_attribute("name", name)
        call.insert_before(node)
        call.output.set_type(schema.returns[0].type)
        node.output.replace_all_uses_with(call.output)
        node.destroy()


def _unused_name(type: ClassType) -> str:
    number, name = 0, _FORWARD
    while name in type.methods:
        number += 1
        name = f"{_FORWARD}{number}"
    return name


def _inline_blocks(block: Block) -> None:
    for node in list(block.nodes()):
        for inner in node.blocks:
            _inline_blocks(inner)
        if node.kind == TRACED_FORWARD:
            body, taken = _as_graph(node.blocks[0])
            with node.graph.insert_at(node):
                outputs = insert_graph(node.graph, body, taken)
            for old, new in zip(node.outputs, outputs):
                old.replace_all_uses_with(new)
            node.destroy()
