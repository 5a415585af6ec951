"""Graphs of exported programs, and the modules that hold them with the graphs that they branch and loop over."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from tsc.compiler.exir.arguments import Argument, Leaf, leaves, map_argument
from tsc.compiler.exir.fx_text import graph_text
from tsc.compiler.exir.names import Namespace
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import Target
from tsc.compiler.ir.errors import GraphError


class Graph:
    """Nodes in the order in which they run: inputs first, one output last.

    New nodes are put at the end, or where `inserting_before` says.
    """

    def __init__(self) -> None:
        self._ring = Node(None, "", Op.OUTPUT, "")
        self._names = Namespace()
        self._before = self._ring

    @property
    def nodes(self) -> Iterator[Node]:
        """From first to last; the node that was given last may be erased meanwhile."""
        node = self._ring.next
        while node is not self._ring:
            following = node.next
            yield node
            node = following

    @property
    def reversed_nodes(self) -> Iterator[Node]:
        """From last to first."""
        node = self._ring.previous
        while node is not self._ring:
            following = node.previous
            yield node
            node = following

    @property
    def end(self) -> Node:
        """What stands behind the last node, and is none itself."""
        return self._ring

    @property
    def placeholders(self) -> list[Node]:
        """The inputs."""
        return self.find_nodes(Op.PLACEHOLDER)

    @property
    def output_node(self) -> Node:
        """The one that returns. Raises `GraphError` for a graph that has none."""
        last = self._ring.previous
        if last is self._ring or last.op is not Op.OUTPUT:
            raise GraphError("the graph has no output")
        return last

    @property
    def returned(self) -> list[Leaf]:
        """What the output returns, flat."""
        return list(leaves(self.output_node.args[0]))

    def find_nodes(self, op: Op, target: Target | str | None = None) -> list[Node]:
        """The nodes that do this, with this target if one is given, in their order."""
        return [node for node in self.nodes if node.op is op and target in (None, node.target)]

    # -- Making nodes ------------------------------------------------------------------------------

    def create_node(
        self,
        op: Op,
        target: Target | str,
        args: Sequence[Argument] = (),
        kwargs: Mapping[str, Argument] | None = None,
        name: str | None = None,
    ) -> Node:
        """A new node at the place of insertion. Its name is the wanted one, or one made of the target."""
        if name is None:
            name = target.base_name if isinstance(target, Target) else target
        node = Node(self, self._names.new_name(name), op, target)
        node.insert_before(self._before)
        node.args, node.kwargs = args, kwargs or {}
        return node

    def placeholder(self, name: str, *default: Argument) -> Node:
        """An input, with its default if it has one."""
        return self.create_node(Op.PLACEHOLDER, name, default)

    def call_function(
        self,
        target: Target,
        args: Sequence[Argument] = (),
        kwargs: Mapping[str, Argument] | None = None,
        name: str | None = None,
    ) -> Node:
        """A call of an operator."""
        return self.create_node(Op.CALL_FUNCTION, target, args, kwargs, name)

    def get_attr(self, name: str) -> Node:
        """A graph of the module that holds this one."""
        return self.create_node(Op.GET_ATTR, name)

    def output(self, result: Argument) -> Node:
        """The end: what is returned; it has the metadata of calls, that of the last of them for where it comes from."""
        node = self.create_node(Op.OUTPUT, "output", (result,))
        node.meta["val"] = map_argument(result, _value_of)
        last = next((each for each in reversed(node.input_nodes) if each.meta), None)
        if last is not None:
            node.meta |= {key: last.meta[key] for key in _ORIGIN if key in last.meta}
        return node

    @contextmanager
    def inserting_before(self, node: Node) -> Generator[None]:
        """Where new nodes are put meanwhile."""
        before, self._before = self._before, node
        try:
            yield
        finally:
            self._before = before

    # -- Cleaning up -------------------------------------------------------------------------------

    def eliminate_dead_code(self) -> bool:
        """Take out calls and attributes that nobody reads; the operators of exported graphs have no effects.

        Writes (operators whose name ends in an underscore), assertions and prints stay. Says whether one was taken out.
        """
        erased = False
        for node in self.reversed_nodes:
            if node.op in (Op.CALL_FUNCTION, Op.GET_ATTR) and not node.users and not _acts(node):
                node.erase()
                erased = True
        return erased

    def __str__(self) -> str:
        return graph_text(self)


EFFECTS: Final = frozenset(
    {"sym_constrain_range_for_size", "_linalg_check_errors", "_print", "with_effects"}
)
"""Calls of operators that act, and neither write nor assert."""


_ORIGIN: Final = ("stack_trace", "nn_module_stack", "source_fn_stack")
"""What metadata tells of where a node comes from."""


def _value_of(leaf: Leaf) -> Any:
    return leaf.meta.get("val") if isinstance(leaf, Node) else leaf


def _acts(node: Node) -> bool:
    """Whether what a node does shows, even where nobody reads its result."""
    if not isinstance(node.target, Target):
        return False
    name = node.target.base_name
    return name.endswith("_") or "assert" in name or name in EFFECTS


class GraphModule:
    """A graph and, by name, the modules of the graphs that its nodes branch and loop over."""

    def __init__(self, graph: Graph, modules: Mapping[str, GraphModule] | None = None) -> None:
        self.graph = graph
        self.modules = dict(modules or {})
