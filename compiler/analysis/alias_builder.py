"""Fills an AliasTracker: what every node says about the memory of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tsc.compiler.analysis.alias_tracker import NOWHERE, AliasTracker, Locations
from tsc.compiler.analysis.effects import may_write_statistics
from tsc.compiler.analysis.mutable_types import is_mutable_type
from tsc.compiler.ir import Block, Graph, Node, Use, Value, prim
from tsc.compiler.schema import AliasInfo, Aliasing, FunctionSchema, Operator
from tsc.compiler.types import ANY, OptionalType, Type, TypeKind, without_shapes
from tsc.compiler.value_classes import value_class


@value_class
class Write:
    """``node`` writes to an element; ``to_contents`` means to everything in it as well."""

    node: Node
    element: int
    to_contents: bool = False


class AliasBuilder:
    """Walks over a graph once, then settles."""

    def __init__(self) -> None:
        self.elements: dict[Value, int] = {}
        self.writes: list[Write] = []
        self._tracker = AliasTracker()
        self._wildcards: dict[Type, int] = {}
        self._top_block: Block | None = None

    def analyze_graph(self, graph: Graph) -> None:
        self._top_block = graph.block
        for value in graph.inputs:
            self.set_wildcard(value)
        self.analyze_block(graph.block)

    def settle(self) -> AliasTracker:
        """Anything may be in the wildcard set of Any."""
        if ANY in self._wildcards:
            for element in self._wildcards.values():
                self._tracker.point_to(self._wildcards[ANY], element)
        self._tracker.settle()
        return self._tracker

    @property
    def wildcard_elements(self) -> Mapping[Type, int]:
        """The elements that stand for what is out of sight, by type."""
        return self._wildcards

    def wildcard_locations(self) -> Locations:
        return NOWHERE.union(*map(self._tracker.locations, self._wildcards.values()))

    # -- Elements ----------------------------------------------------------------------------

    def element_of(self, value: Value) -> int:
        """The element of a value of mutable type."""
        element = self.elements.get(value)
        if element is None:
            element = self.elements[value] = self._tracker.new_element()
        return element

    def make_fresh(self, value: Value, *, hides_contents: bool = True) -> None:
        """``value`` is new memory; what a container holds is out of sight unless told otherwise."""
        if not is_mutable_type(value.type) or value in self.elements:
            return
        element = self.element_of(value)
        if hides_contents:
            self.contain_wildcards(element, value.type)

    def make_pointer(self, pointer: Value, target: Value) -> None:
        """``pointer`` may be what ``target`` is."""
        if not is_mutable_type(pointer.type):
            return
        element = self.element_of(pointer)
        if is_mutable_type(target.type):
            self._tracker.point_to(element, self.element_of(target))

    def set_wildcard(self, value: Value) -> int | None:
        """``value`` may be anything of its type, or be found anywhere; returns the wildcard."""
        if not is_mutable_type(value.type):
            return None
        wildcard = self.wildcard(value.type)
        self._tracker.escape(self.element_of(value), wildcard)
        return wildcard

    def wildcard(self, type: Type) -> int:
        """The element that stands for all values of ``type`` out of sight."""
        key = _wildcard_key(type)
        known = self._wildcards.get(key)
        if known is not None:
            return known
        element = self._wildcards[key] = self._tracker.new_element()
        if key == ANY:
            self.add_unknown_object(element)
        self.contain_wildcards(element, key)
        return element

    def add_unknown_object(self, anything: int) -> None:
        """Among all that a value of type Any may be: an object that may hold anything."""
        unknown = self._tracker.new_element()
        self._tracker.point_to(anything, unknown)
        self._tracker.add_contained(unknown, anything)

    def contain_wildcards(self, element: int, type: Type) -> None:
        contained = (ANY,) if type.kind is TypeKind.ClassType else type.contained
        for inner in contained:
            if is_mutable_type(inner):
                self._tracker.add_contained(element, self.wildcard(inner))

    def write(self, value: Value, node: Node, *, to_contents: bool = False) -> None:
        if is_mutable_type(value.type):
            self.writes.append(Write(node, self.element_of(value), to_contents))

    # -- Nodes -------------------------------------------------------------------------------

    def analyze_block(self, block: Block) -> None:
        for node in block.nodes():
            analyze = _BY_KIND.get(node.kind)
            if analyze is not None:
                analyze(self, node)
            elif node.operator is not None:
                self.analyze_operator(node, node.operator)
            else:
                self.analyze_conservatively(node)

    def analyze_operator(self, node: Node, operator: Operator) -> None:
        analyze = None if operator.aliasing is None else _BY_EXCEPTION.get(operator.aliasing)
        if analyze is None:
            self.analyze_schema(node, operator.schema)
        else:
            analyze(self, node)

    def analyze_schema(self, node: Node, schema: FunctionSchema) -> None:
        """Binds the alias sets of the schema to the inputs, and hands them on to the outputs."""
        bound: dict[str, Value] = {}
        for argument, value in zip(schema.arguments, node.inputs):
            if argument.alias_info is not None and is_mutable_type(value.type):
                self.bind(argument.alias_info, value, node, bound)
        for returned, value in zip(schema.returns, node.outputs):
            self.analyze_output(returned.alias_info, value, node, bound)
        for value in node.outputs[len(schema.returns) :]:
            self.set_wildcard(value)

    def bind(self, info: AliasInfo, value: Value, node: Node, bound: dict[str, Value]) -> None:
        for name in info.before:
            bound.setdefault(name, value)
        if info.writes:
            self.write(value, node, to_contents=_writes_contents(info))
        if info.is_wildcard_after or any(inner.is_wildcard_after for inner in info.contained):
            self.set_wildcard(value)

    def analyze_output(
        self, info: AliasInfo | None, value: Value, node: Node, bound: dict[str, Value]
    ) -> None:
        if info is None:
            self.make_fresh(value)
            return
        if info.is_wildcard:
            self.set_wildcard(value)
            return
        sources = [bound[name] for name in info.before if name in bound]
        for source in sources:
            self.make_pointer(value, source)
        if not sources:
            self.make_fresh(value)
        if info.writes:
            self.write(value, node, to_contents=_writes_contents(info))

    def analyze_conservatively(self, node: Node) -> None:
        """Nothing is known: it may write to all it is given, keep it, and give it back."""
        for value in node.inputs:
            self.write(value, node, to_contents=True)
            self.set_wildcard(value)
        for block in node.blocks:
            for value in block.inputs:
                self.set_wildcard(value)
            self.analyze_block(block)
        for value in node.outputs:
            self.set_wildcard(value)

    def ignore(self, node: Node) -> None:
        """A node that only looks."""

    def escape(self, node: Node) -> None:
        """What is stored may be found wherever the variable is loaded."""
        for value in node.inputs:
            self.set_wildcard(value)

    def create(self, node: Node) -> None:
        for value in node.outputs:
            self.make_fresh(value)

    def extract(self, node: Node) -> None:
        """Takes something out of a container: it may be anything that was put into one."""
        for value in node.outputs:
            self.set_wildcard(value)

    def pass_on(self, node: Node) -> None:
        """Outputs are the inputs of the same place."""
        for output, value in zip(node.outputs, node.inputs):
            self.make_pointer(output, value)
        for output in node.outputs[len(node.inputs) :]:
            self.make_fresh(output)

    def take_apart(self, node: Node) -> None:
        """All outputs are parts of the input."""
        for output in node.outputs:
            self.make_pointer(output, node.inputs[0])

    def construct(self, node: Node) -> None:
        """What goes into a container is out of sight, unless the container is seen no more."""
        container = node.output
        if not is_mutable_type(container.type):
            return
        in_sight = container.use_count == 1 and self.lets_nothing_out(container.uses[0])
        self.make_fresh(container, hides_contents=not in_sight)
        for value in node.inputs:
            if not is_mutable_type(value.type):
                continue
            inner = self.element_of(value) if in_sight else self.set_wildcard(value)
            if inner is not None:
                self._tracker.add_contained(self.element_of(container), inner)

    def lets_nothing_out(self, use: Use) -> bool:
        """Whether what is in a list or tuple is not found anywhere after this use of it."""
        kind = use.node.inputs[use.offset].type.kind
        if use.node.kind == prim.Return and kind in (TypeKind.ListType, TypeKind.TupleType):
            return use.node.block is self._top_block
        operator = use.node.operator
        reads_list = operator is not None and operator.aliasing is Aliasing.READS_LIST
        return kind is TypeKind.ListType and reads_list

    def analyze_if(self, node: Node) -> None:
        for block in node.blocks:
            self.analyze_block(block)
        for offset, output in enumerate(node.outputs):
            for block in node.blocks:
                self.make_pointer(output, block.outputs[offset])

    def analyze_loop(self, node: Node) -> None:
        """A carried variable is what it was before the loop, or what an iteration made of it."""
        body = node.blocks[0]
        carried = list(zip(node.inputs[2:], body.inputs[1:], body.outputs[1:], node.outputs))
        for initial, inner, _, _ in carried:
            self.make_pointer(inner, initial)
        for block in node.blocks:
            self.analyze_block(block)
        for _, inner, following, output in carried:
            self.make_pointer(inner, following)
            self.make_pointer(output, inner)

    def analyze_subgraph(self, node: Node) -> None:
        subgraph = node.attribute("Subgraph")
        assert isinstance(subgraph, Graph)
        for inner, value in zip(subgraph.inputs, node.inputs):
            self.make_pointer(inner, value)
        self.analyze_block(subgraph.block)
        for output, inner in zip(node.outputs, subgraph.outputs):
            self.make_pointer(output, inner)

    def analyze_bailout(self, node: Node) -> None:
        """What is guarded goes through; with all the others another program goes on, and nothing comes back."""
        self.make_pointer(node.output, node.inputs[1])

    def analyze_fork(self, node: Node) -> None:
        for value in node.inputs:
            self.set_wildcard(value)
        self.create(node)

    def analyze_wait(self, node: Node) -> None:
        """What runs in the meantime may write to whatever was given to it."""
        for value in node.outputs:
            self.set_wildcard(value)
        for element in self._wildcards.values():
            self.writes.append(Write(node, element))

    def analyze_set_attribute(self, node: Node) -> None:
        self.write(node.inputs[0], node)
        self.set_wildcard(node.inputs[1])

    def analyze_normalization(self, node: Node) -> None:
        """While training, the running statistics are updated."""
        self.create(node)
        if may_write_statistics(node):
            self.write(node.inputs[3], node)
            self.write(node.inputs[4], node)


def _writes_contents(info: AliasInfo) -> bool:
    return any(inner.writes for inner in info.contained)


def _wildcard_key(type: Type) -> Type:
    """One wildcard for all tensors, and for a type that may be one of several, that of Any."""
    if isinstance(type, OptionalType):
        return _wildcard_key(type.element)
    return ANY if type.kind in _ONE_OF_SEVERAL else without_shapes(type)


_ONE_OF_SEVERAL: Final = (TypeKind.AnyType, TypeKind.UnionType, TypeKind.InterfaceType)
_BY_EXCEPTION: Final[dict[Aliasing, Callable[[AliasBuilder, Node], None]]] = {
    Aliasing.LETS_OTHERS_RUN: AliasBuilder.analyze_wait,
    Aliasing.WRITES_STATISTICS: AliasBuilder.analyze_normalization,
}
"""What the schema of an operator does not tell."""
_BY_KIND: Final[dict[str, Callable[[AliasBuilder, Node], None]]] = {
    prim.If: AliasBuilder.analyze_if,
    prim.Loop: AliasBuilder.analyze_loop,
    **dict.fromkeys((prim.fork, prim.awaitable, prim.awaitable_nowait), AliasBuilder.analyze_fork),
    prim.awaitable_wait: AliasBuilder.analyze_wait,
    prim.SetAttr: AliasBuilder.analyze_set_attribute,
    prim.BailOut: AliasBuilder.analyze_bailout,
    **dict.fromkeys(
        (prim.DifferentiableGraph, prim.FunctionalGraph, prim.FusionGroup, prim.FallbackGraph),
        AliasBuilder.analyze_subgraph,
    ),
    **dict.fromkeys(
        (
            prim.Constant,
            prim.Uninitialized,
            prim.EmptyListLiteral,
            prim.CreateObject,
            prim.Closure,
            prim.BailoutTemplate,
            prim.tolist,
            prim.rangelist,
            prim.TensorExprGroup,
            prim.AutogradZero,
            prim.AutogradAdd,
            prim.NumToTensor,
        ),
        AliasBuilder.create,
    ),
    **dict.fromkeys(
        (prim.TupleConstruct, prim.ListConstruct, prim.DictConstruct), AliasBuilder.construct
    ),
    **dict.fromkeys(
        (
            prim.TupleUnpack,
            prim.TupleIndex,
            prim.TupleSlice,
            prim.ListUnpack,
            prim.DictIndex,
            prim.Load,
            prim.GetAttr,
            prim.ModuleContainerIndex,
        ),
        AliasBuilder.extract,
    ),
    prim.ConstantChunk: AliasBuilder.take_apart,
    **dict.fromkeys(
        (
            prim.unchecked_cast,
            prim.unchecked_unwrap_optional,
            prim.profile,
            prim.profile_ivalue,
            prim.Guard,
            prim.TypeCheck,
            prim.RequiresGradCheck,
        ),
        AliasBuilder.pass_on,
    ),
    **dict.fromkeys(
        (prim.Print, prim.RaiseException, prim.isinstance, prim.HasAttr),
        AliasBuilder.ignore,
    ),
    **dict.fromkeys(
        (prim.Store, prim.ReturnStmt, prim.LoopContinuation),
        AliasBuilder.escape,
    ),
}
