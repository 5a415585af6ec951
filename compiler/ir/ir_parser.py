"""Reads IR text back into a graph: what our printer writes, and PyTorch's.

Names, numbers of values, places in the source and subgraphs are kept, so that the graph prints as
the text that was read. What the text does not say (which overload a node calls, which function a
constant stands for) is found in the tables given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tsc.compiler.ir.attribute_parser import AttributeParser
from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import set_constant
from tsc.compiler.ir.function import Function
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ir.verify_schema import fitting_operator
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Source, SourceRange, codes
from tsc.compiler.types import ClassResolver, FunctionType, ScanError, Scanner

if TYPE_CHECKING:
    from tsc.compiler.schema import OperatorTable

_NAME: Final = re.compile(r"%([^\s%,:()\[\]{}=#]+)")
_KIND: Final = re.compile(r"[\w.]+::[\w.]+")
_PYTHON_NAME: Final = re.compile(r"\^([^\s\[(]+)")
_SCALARS: Final = re.compile(r"\((.*?)\)(?=\((?:%|\)))")
_BLOCK: Final = re.compile(r"block[0-9]+\(")
_SUBGRAPH_HEADER: Final = re.compile(r"^with (\S+) = graph\(", re.MULTILINE)
_SCOPE: Final = re.compile(r", scope: (.*?)(?= # |$)", re.MULTILINE)
_PLACE: Final = re.compile(r" # (.*):([0-9]+):([0-9]+)$", re.MULTILINE)
_COMMENTS: Final = re.compile(r"(?:[ \t\r\n]*#[^\n]*)+")


def parse_ir(
    text: str,
    operators: OperatorTable | None = None,
    functions: Mapping[str, Function] | None = None,
    classes: ClassResolver | None = None,
    *,
    filename: str = "<ir>",
) -> Graph:
    """The graph that ``text`` describes; a CompileError with the place if it describes none.

    A node gets the first operator of its kind, in ``operators``, that its inputs and outputs fit.
    """
    scanner = Scanner(text)
    parser = _IRParser(scanner, operators, functions or {}, classes)
    try:
        graph = parser.parse_graph()
        parser.skip_comments()
        if not scanner.at_end():
            raise scanner.fail(f"expected the end of the graph but found {scanner.found()}")
    except ScanError as error:
        place = SourceRange(Source(text, filename), error.position, error.position + 1)
        raise CompileError(error.message, place, code=codes.INVALID_IR) from error
    return graph


class _IRParser:
    """What is the same for a graph and its subgraphs."""

    def __init__(
        self,
        scanner: Scanner,
        operators: OperatorTable | None,
        functions: Mapping[str, Function],
        classes: ClassResolver | None,
    ) -> None:
        self.scanner = scanner
        self.operators = operators
        self.functions = dict(functions)
        self.attributes = AttributeParser(scanner, classes)
        self.subgraph_names = frozenset(_SUBGRAPH_HEADER.findall(scanner.text))
        self.ranges: dict[str, SourceRange] = {}

    def parse_graph(self) -> Graph:
        self.skip_comments()
        self.scanner.expect("graph")
        body = _GraphBody(self)
        body.parse()
        for number, node in enumerate(body.subgraph_nodes):
            self.skip_comments()
            self.scanner.expect("with")
            self.scanner.expect(f"{node.kind}_{number}")
            self.scanner.expect("=")
            node.set_attribute("Subgraph", self.parse_graph())
        return body.graph

    def skip_comments(self) -> None:
        self.scanner.take_match(_COMMENTS)

    def function(self, name: str) -> Function:
        """A function that is not known keeps its name, at least."""
        return self.functions.setdefault(name, Function(name))

    def choose_operator(self, node: Node) -> None:
        if self.operators is not None:
            node.operator = fitting_operator(node, self.operators)

    def parse_place(self) -> SourceRange:
        """The comment behind a node, as a range in a source without text."""
        match = _PLACE.match(self.scanner.text, self.scanner.position)
        if match is None:
            return UNKNOWN_RANGE
        self.scanner.position = match.end()
        found = self.ranges.get(match.group())
        if found is None:
            filename, line, column = match[1], int(match[2]), int(match[3])
            found = SourceRange(Source(" " * column, filename, line), column, column)
            self.ranges[match.group()] = found
        return found


class _OpenBlock:
    """A block being read: its last node, which blocks that follow belong to, and its names."""

    __slots__ = ("block", "hidden", "last_node")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.last_node: Node | None = None
        self.hidden: list[tuple[str, Value | None]] = []


class _GraphBody:
    """Reads one graph without its subgraphs. Blocks are kept on a stack, however deep they are."""

    def __init__(self, parser: _IRParser) -> None:
        self.parser = parser
        self.scanner = parser.scanner
        self.graph = Graph(parser.operators)
        self.in_scope: dict[str, Value] = {}
        self.numbers: dict[int, Value] = {}
        self.unnumbered: list[Value] = []
        self.declared: list[tuple[str, Value]] = []
        self.open = [_OpenBlock(self.graph.block)]
        self.subgraph_nodes: list[Node] = []

    def parse(self) -> None:
        self.scanner.expect("(")
        self.parse_block_inputs()
        while self.parse_item():
            pass
        self.number_values()

    def parse_item(self) -> bool:
        """A node, or the beginning or the end of a block; False after the end of the graph."""
        scanner = self.scanner
        self.parser.skip_comments()
        if scanner.take_match(_BLOCK) is not None:
            self.begin_block()
        elif len(self.open) > 1 and scanner.take_if("->"):
            self.end_block()
        elif len(self.open) == 1 and scanner.take_if("return"):
            self.parse_block_outputs()
            return False
        else:
            self.parse_node()
        return True

    # -- Blocks ------------------------------------------------------------------------------

    def begin_block(self) -> None:
        owner = self.open[-1].last_node
        if owner is None:
            raise self.scanner.fail("a block needs a node in front of it")
        self.open.append(_OpenBlock(owner.add_block()))
        self.parse_block_inputs()

    def end_block(self) -> None:
        self.parse_block_outputs()
        for name, outer in reversed(self.open.pop().hidden):
            if outer is None:
                del self.in_scope[name]
            else:
                self.in_scope[name] = outer

    def parse_block_inputs(self) -> None:
        """What stands between the parentheses of ``graph(`` or ``block0(``, and the colon."""
        param_node = self.open[-1].block.param_node
        self.parse_declarations(param_node, ")")
        self.scanner.expect(":")
        self.define()

    def parse_block_outputs(self) -> None:
        for value in self.parse_operands():
            self.open[-1].block.register_output(value)

    # -- Nodes -------------------------------------------------------------------------------

    def parse_node(self) -> None:
        node = Node(self.graph, "")
        self.parse_declarations(node, "=")
        self.parse_head(node)
        for value in self.parse_operands():
            node.add_input(value)
        scope = _SCOPE.match(self.scanner.text, self.scanner.position)
        if scope is not None:
            node.scope = scope[1]
            self.scanner.position = scope.end()
        node.range = self.parser.parse_place()
        self.finish(node)

    def finish(self, node: Node) -> None:
        block = self.open[-1]
        block.block.append_node(node)
        block.last_node = node
        self.parser.choose_operator(node)
        self.define()

    def parse_head(self, node: Node) -> None:
        """Kind and attributes."""
        scanner = self.scanner
        python_name = scanner.take_match(_PYTHON_NAME)
        if python_name is not None:
            self.parse_python_operator(node, python_name[1:])
            return
        kind = scanner.take_match(_KIND)
        if kind is None:
            raise scanner.fail(f"expected a kind such as 'aten::add' but found {scanner.found()}")
        node.kind = self.without_number(kind)
        if node.kind != kind:
            self.subgraph_nodes.append(node)
        self.parse_attributes(node)
        if node.kind == prim.Constant:
            self.complete_constant(node)

    def without_number(self, kind: str) -> str:
        """The kind of ``prim::fork_0``, if that is the next one defined behind the graph."""
        base, _, number = kind.rpartition("_")
        is_next = number == str(len(self.subgraph_nodes))
        return base if is_next and kind in self.parser.subgraph_names else kind

    def parse_python_operator(self, node: Node, name: str) -> None:
        node.kind = prim.PythonOp
        self.parse_attributes(node)
        scalars = self.scanner.take_match(_SCALARS)
        if scalars is None:
            raise self.scanner.fail("expected the plain arguments of a call to Python")
        node.set_attribute("python_name", name)
        node.set_attribute("scalar_arguments", scalars[1:-1])

    def parse_attributes(self, node: Node) -> None:
        scanner = self.scanner
        if not scanner.take_if("["):
            return
        while not scanner.take_if("]"):
            if node.attributes:
                scanner.expect(",")
            name = scanner.expect_identifier("the name of an attribute")
            scanner.expect("=")
            node.set_attribute(name, self.parse_attribute(node, name))

    def parse_attribute(self, node: Node, name: str) -> object:
        if node.kind == prim.Constant and name == "value" and len(node.outputs) == 1:
            return self.parser.attributes.parse_constant(node.output.type)
        return self.parser.attributes.parse_value()

    def complete_constant(self, node: Node) -> None:
        """Gives a constant that stands for a function the function it names."""
        if len(node.outputs) != 1 or not isinstance(node.output.type, FunctionType):
            return
        name = node.attributes.get("name")
        if isinstance(name, str):
            set_constant(node, None, FunctionType(self.parser.function(name)))

    # -- Values ------------------------------------------------------------------------------

    def parse_declarations(self, node: Node, closing: str) -> None:
        """``%x : int, %y : Tensor`` up to ``closing``; a value without a type is a tensor."""
        scanner = self.scanner
        first = True
        while not scanner.take_if(closing):
            if not first:
                scanner.expect(",")
            first = False
            name = self.expect_name()
            value = node.add_output()
            if scanner.take_if(":"):
                value.set_type(self.parser.attributes.parse_type())
            self.declare(value, name)

    def declare(self, value: Value, name: str) -> None:
        """A name of digits is a number; a number given twice counts only the first time."""
        if not (name.isascii() and name.isdigit()):
            value.set_debug_name(name)
            self.unnumbered.append(value)
        elif int(name) in self.numbers:
            self.unnumbered.append(value)
        else:
            self.numbers[int(name)] = value
        self.declared.append((name, value))

    def define(self) -> None:
        """Brings what was declared into scope."""
        hidden = self.open[-1].hidden
        for name, value in self.declared:
            hidden.append((name, self.in_scope.get(name)))
            self.in_scope[name] = value
        self.declared.clear()

    def parse_operands(self) -> list[Value]:
        scanner = self.scanner
        scanner.expect("(")
        values: list[Value] = []
        while not scanner.take_if(")"):
            if values:
                scanner.expect(",")
            start = scanner.position
            name = self.expect_name()
            value = self.in_scope.get(name)
            if value is None:
                raise scanner.fail(f"Cannot find a variable with name '{name}'", start)
            values.append(value)
        return values

    def expect_name(self) -> str:
        name = self.scanner.take_match(_NAME)
        if name is None:
            raise self.scanner.fail(
                f"expected a value such as '%x' but found {self.scanner.found()}"
            )
        return name[1:]

    def number_values(self) -> None:
        """Values that are printed as numbers get these; the others follow them."""
        for number, value in self.numbers.items():
            value.unique = number
        free = max(self.numbers, default=-1) + 1
        for number, value in enumerate(self.unnumbered, start=free):
            value.unique = number
        self.graph.reserve_uniques(free + len(self.unnumbered))
