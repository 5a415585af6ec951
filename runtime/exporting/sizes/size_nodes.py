"""The sizes of one graph that may change, as nodes, each of them once.

As in ``torch.export`` (PyTorch 2.13): sizes are asked of inputs, those that data decides of the first tensor. Others
are computed of these where the program reads or computes them, or, if a program is written anew, where the first tensor
has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.symbols.sym_values import SymFloat, SymInt, SymValue
from tsc.compiler.exir.targets import Target, operator_target
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.sizes.number_nodes import has_form
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder


_SIZE: Final = operator_target("aten::sym_size", "int")
_MINUS: Final = Target("operator.sub")
_DIVIDED: Final = Target("operator.floordiv")


class SizeNodes:
    """Of the graph that a recorder writes; `outer` are those of the graph around it."""

    def __init__(self, recorder: Recorder, outer: SizeNodes | None = None) -> None:
        self._recorder = recorder
        self._outer = outer
        self._sources: dict[str, tuple[Any, Tensor, int]] = {}
        self._nodes: dict[str, Node] = {}
        self._numbers: dict[str, DataNumber] = {}
        self._computed: list[Node] = []
        self._of_tensors: list[tuple[Argument, list[Node]]] = []
        self._written: dict[int, tuple[SymValue, Node]] = {}

    def note(self, tensor: Tensor, known: FakeTensor) -> None:
        """A tensor that sizes can be asked of."""
        for dim, size in enumerate(known.size):
            if isinstance(size, SymValue):
                self._sources.setdefault(str(size), (size, tensor, dim))

    def clear(self) -> None:
        """Give up the tensors."""
        self._sources.clear()
        self._numbers.clear()

    def compute(self, sizes: Sequence[Any]) -> None:
        """Those that are made of sizes of inputs are computed here."""
        for size in sizes:
            if self._is_computed_here(size):
                before = len(self._computed)
                self._of_tensors.append((self.node_of(size), self._computed[before:]))

    def note_computed(self, target: str, arguments: Sequence[Any], value: Any) -> None:
        """What the program computes of sizes of inputs: by the same call, unless a node has it; floats of floats."""
        if not self._is_computed_here(value) or str(value) in self._nodes:
            return
        if isinstance(value, SymFloat):
            self.node_of(value)
        else:
            given = [self.node_of(e) if isinstance(e, SymValue) else e for e in arguments]
            self.computed(Target(target), tuple(given), value.expression)

    def _is_computed_here(self, value: Any) -> bool:
        """Graphs of branches compute what they need, where they need it."""
        return (
            self._outer is None
            and isinstance(value, SymInt | SymFloat)
            and value.constant is None
            and value.environment.is_backed(value)
            and has_form(value.expression)
        )

    def note_number(self, value: SymValue, number: DataNumber) -> None:
        """A number out of a tensor that sizes are made of."""
        self._numbers.setdefault(str(value), number)

    def is_known(self, value: SymValue) -> bool:
        """Whether a tensor has a size, or a node gives it."""
        text = str(value)
        return text in self._nodes or self._source_of(text) is not None

    def number_of(self, text: str) -> DataNumber | None:
        """What a symbol was read as, here or around."""
        found = self._numbers.get(text)
        return self._outer.number_of(text) if found is None and self._outer else found

    def set(self, value: SymValue, node: Node) -> None:
        """A number that a node gives."""
        self._nodes[str(value)] = node

    def repeat(self, value: SymValue, make: Callable[[], Node]) -> None:
        """A number that a program which is written anew computes itself.

        That is another number than an equal size of a tensor, of which there may be a node, too, until nobody asks.
        """
        known = self._nodes.get(str(value))
        if known is None and not self.is_known(value):
            self.set(value, make())
        elif known is not None and known.target != _SIZE:
            self._written[id(value)] = (value, make())

    def settle(self) -> None:
        """Once nobody reads more of them: have each number computed once, where it is needed first.

        What the program computes itself becomes what is computed before of the same sizes, if somebody reads that.
        """
        if self._merge():
            self._recorder.graph.eliminate_dead_code()
        for whole, parts in reversed(self._of_tensors):
            if isinstance(whole, Node) and whole.graph is None:
                for each in reversed(parts):
                    _move_to_users(each)

    def _merge(self) -> bool:
        merged = False
        for value, node in reversed(self._written.values()):
            known = self._nodes[str(value)]
            if known.users and node.graph is not None:
                node.replace_all_uses_with(known)
                node.erase()
                merged = True
        return merged

    def node_of(self, value: SymValue) -> Argument:
        """A number that is made of sizes, as operators take it; a plain number, if it is known by now."""
        if id(value) in self._written:
            return self._written[id(value)][1]
        sizes = self._recorder.sizes
        assert sizes is not None
        return sizes.number_node(value, self.known, self.computed)

    def known(self, expression: Any) -> Node | None:
        """The node of a size that one has been made for, or that a tensor has; None of what is computed of others."""
        text = str(expression)
        if text not in self._nodes:
            number = self.number_of(text)
            if number is not None:
                self._nodes[text] = self._recorder.number_node(number)
                return self._nodes[text]
            if has_form(expression) and self._is_made_of_known(expression):
                return None
            return self.ask(text) or self._solved(expression)
        return self._nodes[text]

    def _is_made_of_known(self, expression: Any) -> bool:
        """Graphs of branches ask the tensors that they have."""
        if self._outer is not None and str(expression) in self._sources:
            return False
        return all(map(self._is_had, expression.free_symbols))

    def _is_had(self, symbol: Any) -> bool:
        """Whether a symbol is a size of a tensor or a number that was read, and not only follows from one."""
        text = str(symbol)
        return (
            text in self._nodes
            or self.number_of(text) is not None
            or self._source_of(text) is not None
        )

    def ask(self, text: str) -> Node | None:
        """The node of a size that a tensor has."""
        if text not in self._nodes:
            found = self._source_of(text)
            if found is None:
                return None
            size, tensor, dim = found
            self._nodes[text] = self._recorder.node_of_size(tensor, dim, size)
            self._recorder.note_auxiliary(self._nodes[text])
        return self._nodes[text]

    def _solved(self, expression: Any) -> Node | None:
        """A symbol out of a size that is a multiple of it and a number more."""
        if not expression.is_Symbol:
            return None
        for size, _, _ in self._sources.values():
            whole = size.expression
            rest = whole.subs(expression, 0)
            factor = whole.subs(expression, 1) - rest
            if whole != factor * expression + rest:
                continue
            if factor.is_Integer and rest.is_Integer and factor != 0:
                node = self.ask(str(whole))
                assert node is not None
                if rest != 0:
                    node = self.computed(_MINUS, (node, int(rest)), whole - rest)
                if factor != 1:
                    node = self.computed(_DIVIDED, (node, int(factor)), expression)
                return node
        return None

    def _source_of(self, text: str) -> tuple[Any, Tensor, int] | None:
        """The tensor that has a size, and in which dimension; by what has been learnt of symbols until now."""
        if text not in self._sources:
            self._sources = {str(each[0]): each for each in reversed(self._sources.values())}
        found = self._sources.get(text)
        if found is None and self._outer is not None:
            return self._outer._source_of(text)
        return found

    def computed(self, target: Target, args: tuple[Argument, ...], expression: Any) -> Node:
        text = str(expression)
        if text not in self._nodes:
            sizes = self._recorder.sizes
            assert sizes is not None
            self._nodes[text] = self._recorder.number(target, args, sizes.value_of(expression))
            self._recorder.note_auxiliary(self._nodes[text])
            self._computed.append(self._nodes[text])
        return self._nodes[text]


def _move_to_users(node: Node) -> None:
    """Have a node stand in front of the first one that reads it."""
    if node.graph is not None and node.users:
        node.move_before(next(each for each in node.graph.nodes if each in node.users))


def place_of_size(graph: Graph, node: Node, dim: int) -> Node | None:
    """What a size of an input stands in front of: those of later inputs, and all that is computed."""
    order: dict[Any, int] = {each: place for place, each in enumerate(graph.placeholders)}
    for each in graph.nodes:
        if each in order:
            continue
        if each.target != _SIZE:
            return each
        asked: tuple[Any, Any] = (each.args[0], each.args[1])
        if (order.get(asked[0], -1), asked[1]) > (order[node], dim):
            return each
    return None
