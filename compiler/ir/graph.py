"""Graphs: one function's code. A graph owns its blocks, nodes and values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import set_constant
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.names import NameTable
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ir.verify import verify
from tsc.compiler.ir.verify_schema import resolve_operator
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.compiler.types import TENSOR, Type

NO_KEYWORDS: Final[Mapping[str, object]] = MappingProxyType({})

GraphPrinter = Callable[["Graph", Node | None], str]

_printers: list[GraphPrinter] = []


def set_graph_printer(printer: GraphPrinter) -> None:
    """For ``compiler.printing``, which stands above this room: what ``str(graph)`` calls.

    The printer marks the node that it is given.
    """
    _printers[:] = [printer]


_alias_db_makers: list[Callable[[Graph], object]] = []


def set_alias_db_maker(make: Callable[[Graph], object]) -> None:
    """For ``compiler.analysis``, which stands above this room: what ``graph.alias_db()`` calls."""
    _alias_db_makers[:] = [make]


CallInserter = Callable[["Graph", str, Sequence[object], Mapping[str, object]], Value]

_call_inserters: list[CallInserter] = []


def set_call_inserter(insert: CallInserter) -> None:
    """For ``compiler.emit``, which stands above this room: what ``graph.insert()`` calls."""
    _call_inserters[:] = [insert]


class Graph:
    """A top-level block, the names and numbers of values, and the place where new nodes go.

    With ``operators``, nodes that are created by their kind alone find their operator there.
    """

    __slots__ = ("_insert_before", "_next_unique", "block", "names", "operators")

    def __init__(self, operators: OperatorTable | None = None) -> None:
        self.operators = operators
        self._next_unique = 0
        self.names = NameTable()
        self.block = Block(self, None)
        self._insert_before = self.block.return_node

    # -- The top-level block -----------------------------------------------------------------

    @property
    def inputs(self) -> Sequence[Value]:
        return self.block.inputs

    def add_input(self, name: str | None = None, type: Type = TENSOR) -> Value:
        return self.block.add_input(name, type)

    def insert_input(self, offset: int, name: str | None = None, type: Type = TENSOR) -> Value:
        return self.block.insert_input(offset, name, type)

    def erase_input(self, offset: int) -> None:
        self.block.erase_input(offset)

    @property
    def outputs(self) -> Sequence[Value]:
        return self.block.outputs

    def register_output(self, value: Value) -> int:
        return self.block.register_output(value)

    def insert_output(self, offset: int, value: Value) -> None:
        self.block.insert_output(offset, value)

    def replace_output(self, offset: int, value: Value) -> Value:
        return self.block.replace_output(offset, value)

    def erase_output(self, offset: int) -> None:
        self.block.erase_output(offset)

    def nodes(self) -> Iterator[Node]:
        return self.block.nodes()

    def nodes_reversed(self) -> Iterator[Node]:
        return self.block.nodes_reversed()

    def all_nodes(self) -> Iterator[Node]:
        return self.block.all_nodes()

    def find_all_nodes(self, kind: str, recurse: bool = True) -> list[Node]:
        return self.block.find_all_nodes(kind, recurse)

    def find_node(self, kind: str, recurse: bool = True) -> Node | None:
        return self.block.find_node(kind, recurse)

    @property
    def param_node(self) -> Node:
        return self.block.param_node

    @property
    def return_node(self) -> Node:
        return self.block.return_node

    def append_node(self, node: Node) -> Node:
        return self.block.append_node(node)

    def prepend_node(self, node: Node) -> Node:
        return self.block.prepend_node(node)

    # -- New nodes and values ----------------------------------------------------------------

    def next_unique(self) -> int:
        """A number no value of this graph has had."""
        number = self._next_unique
        self._next_unique = number + 1
        return number

    @property
    def values_made(self) -> int:
        """How many values this graph has had."""
        return self._next_unique

    def reserve_uniques(self, count: int) -> None:
        """For the IR parser: values created from now on are numbered ``count`` and up."""
        self._next_unique = max(self._next_unique, count)

    def new_block(self, owner: Node) -> Block:
        """For Node: an empty block of ``owner``."""
        return Block(self, owner)

    def create(
        self,
        kind: str | Operator,
        inputs: Iterable[Value] = (),
        outputs: int = 1,
        range: SourceRange | None = None,
    ) -> Node:
        """An unattached node; its outputs are tensors until told otherwise.

        Of a kind that is given by name, it gets the first operator that its inputs fit as they are, and its outputs
        the types that this returns. See `insert` for conversions and default arguments.
        """
        name = kind if isinstance(kind, str) else kind.name
        node = Node(self, name, UNKNOWN_RANGE if range is None else range)
        for value in inputs:
            node.add_input(value)
        while len(node.outputs) < outputs:
            node.add_output()
        if isinstance(kind, Operator):
            node.operator = kind
        elif self.operators is not None:
            resolve_operator(node, self.operators)
        return node

    def insert(
        self, kind: str, args: Sequence[object] = (), kwargs: Mapping[str, object] = NO_KEYWORDS
    ) -> Value:
        """A call of an operator at the insertion point: ``graph.insert("aten::add", [x, 3])``.

        It is bound to the operator's schemas as a call in a program is: defaults are filled in, and values converted
        where programs convert them. Python's values become constants. Several results are packed into a tuple.

        Raises:
            GraphError: nothing of the kind takes such arguments. Nothing is inserted then.
        """
        if not _call_inserters:
            raise GraphError("insert needs tsc.compiler.emit to be imported first")
        return _call_inserters[0](self, kind, args, kwargs)

    def insert_constant(
        self, value: object, type: Type | None = None, range: SourceRange | None = None
    ) -> Value:
        """A constant at the insertion point; its type is inferred unless given.

        Raises:
            GraphError: no constant can hold the value. Nothing is inserted then.
        """
        node = self.create(prim.Constant, range=range)
        constant = set_constant(node, value, type)
        self.insert_node(node)
        return constant

    # -- Insertion point ---------------------------------------------------------------------

    @property
    def insertion_point(self) -> Node:
        """New nodes are inserted right before it."""
        return self._insert_before

    def set_insertion_point(self, place: Node | Block) -> None:
        """Before a node, or at the end of a block."""
        node = place.return_node if isinstance(place, Block) else place
        if node.graph is not self or node.block is None:
            raise GraphError("an insertion point must be in a block of this graph")
        self._insert_before = node

    def insert_node(self, node: Node) -> Node:
        return node.insert_before(self._insert_before)

    @contextmanager
    def insert_at(self, place: Node | Block) -> Generator[None]:
        """Moves the insertion point for the time of a ``with`` statement."""
        previous = self._insert_before
        self.set_insertion_point(place)
        try:
            yield
        finally:
            self._insert_before = previous

    # -- Whole graphs ------------------------------------------------------------------------

    def copy(self) -> Graph:
        copy = Graph(self.operators)
        copy.block.clone_from(self.block, _out_of_scope)
        return copy

    def lint(self) -> None:
        """Raises InvalidGraph, with the culprit marked, when an invariant does not hold.

        A node of an operator must fit a schema of it. One that has none yet, since its inputs did not fit when it was
        created, gets the first that it fits now.
        """
        verify(self, operators=self.operators)

    def dump(self) -> None:
        """Prints the graph to standard output."""
        print(self)

    def alias_db(self) -> Any:
        """A new AliasDb of the graph: which values may share memory, and who writes to it.

        Needs ``compiler.analysis.alias_db`` imported, as everything does that makes graphs of programs.
        """
        if not _alias_db_makers:
            raise GraphError("alias_db needs tsc.compiler.analysis.alias_db to be imported first")
        return _alias_db_makers[0](self)

    def text(self, mark: Node | None = None) -> str:
        """The IR text, with one node marked if asked for; needs ``compiler.printing`` imported."""
        if not _printers:
            return object.__repr__(self)
        return _printers[0](self, mark)

    def __str__(self) -> str:
        return self.text()


def create_uninitialized(graph: Graph, type: Type) -> Node:
    """A value of ``type`` that no path through the program reads."""
    node = graph.create(prim.Uninitialized)
    node.output.set_type(type)
    return node


def _out_of_scope(value: Value) -> Value:
    raise GraphError(f"%{value.debug_name} is used out of its scope; lint the graph")
