"""The IR text of a graph, as PyTorch 2.13 writes it.

Values are printed as ``%name : type``, nodes one a line with their place in the source behind them,
blocks indented under their node, and graphs in attributes after the graph that refers to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.ir.graph import set_graph_printer
from tsc.compiler.printing.constant_text import attribute_text, constant_value_text
from tsc.compiler.source import UNKNOWN_RANGE, Stage
from tsc.compiler.types.tensor_type import VERBOSITY

_SUBGRAPH: Final = "Subgraph"
_HIDDEN: Final = ("python_name", "scalar_arguments")


def print_graph(graph: Graph, mark: Node | None = None, *, source_comments: bool = True) -> str:
    """The text of ``graph``, ending in a newline; ``mark`` is underlined if given."""
    with Stage("printing", "a graph"):
        return "\n".join(_GraphPrinter(mark, source_comments).graph_lines(graph)) + "\n"


def print_node(node: Node) -> str:
    """The line of one node, without its blocks."""
    return _GraphPrinter(None, True).node_line(node, [])


class _GraphPrinter:
    """Prints one graph and its subgraphs; remembers the texts of types, which repeat."""

    def __init__(self, mark: Node | None, source_comments: bool) -> None:
        self.mark = mark
        self.source_comments = source_comments
        self.type_texts: dict[int, str] = {}

    def graph_lines(self, graph: Graph) -> Iterator[str]:
        subgraphs: list[Node] = []
        yield f"graph({self.declared(graph.inputs, separator=f',{chr(10)}      ')}):"
        if graph.param_node is self.mark:
            yield _marker("graph(")
        yield from self.block_lines(graph.block, subgraphs)
        yield f"  return ({_names(graph.outputs)})"
        if graph.return_node is self.mark:
            yield _marker("  return")
        for number, node in enumerate(subgraphs):
            subgraph = node.attribute(_SUBGRAPH)
            assert isinstance(subgraph, Graph)
            first, *rest = self.graph_lines(subgraph)
            yield f"with {node.kind}_{number} = {first}"
            yield from rest

    def block_lines(self, top: Block, subgraphs: list[Node]) -> Iterator[str]:
        """The nodes of a block and all that is nested in them, without recursion."""
        pending: list[Iterator[Node | str | Block]] = [iter(top.nodes())]
        while pending:
            item = next(pending[-1], None)
            if item is None:
                pending.pop()
                continue
            indent = "  " * len(pending)
            if isinstance(item, str):
                yield item
            elif isinstance(item, Node):
                yield from self.node_lines(item, indent, subgraphs)
                if item.blocks:
                    pending.append(self.nested(item, indent))
            else:
                pending.append(iter(item.nodes()))

    def nested(self, node: Node, indent: str) -> Iterator[str | Block]:
        """The lines around the blocks of ``node``, and the blocks themselves."""
        for number, block in enumerate(node.blocks):
            yield f"{indent}  block{number}({self.declared(block.inputs)}):"
            if block.param_node is self.mark:
                yield _marker(f"{indent}  block")
            yield block
            yield f"{indent}    -> ({_names(block.outputs)})"
            if block.return_node is self.mark:
                yield _marker(f"{indent}    ->")

    def node_lines(self, node: Node, indent: str, subgraphs: list[Node]) -> Iterator[str]:
        line = indent + self.node_line(node, subgraphs)
        yield line
        if node is self.mark:
            yield _marker(line)

    def node_line(self, node: Node, subgraphs: list[Node]) -> str:
        outputs, inputs = self.declared(node.outputs), _names(node.inputs)
        scope = f", scope: {node.scope}" if node.scope else ""
        return f"{outputs} = {self.head(node, subgraphs)}({inputs}){scope}{self.comment(node)}"

    def head(self, node: Node, subgraphs: list[Node]) -> str:
        """Kind and attributes."""
        if node.kind == prim.PythonOp:
            return _python_operator(node)
        if not node.attributes:
            return node.kind
        if not isinstance(node.attributes.get(_SUBGRAPH), Graph):
            return node.kind + _attributes(node, node.attributes)
        subgraphs.append(node)
        shown = [name for name in node.attributes if name != _SUBGRAPH]
        if not shown or node.kind == prim.DifferentiableGraph:
            return f"{node.kind}_{len(subgraphs) - 1}"
        return f"{node.kind}_{len(subgraphs) - 1}{_attributes(node, shown)}"

    def comment(self, node: Node) -> str:
        is_silent = node.range is UNKNOWN_RANGE or node.kind == prim.SetAttr  # as in PyTorch
        if is_silent or not self.source_comments:
            return ""
        return f" # {node.range.original}"

    def declared(self, values: Iterable[Value], separator: str = ", ") -> str:
        """Names with types."""
        if VERBOSITY == 0:
            return separator.join([f"%{value.debug_name}" for value in values])
        return separator.join(
            [f"%{value.debug_name} : {self.type_text(value)}" for value in values]
        )

    def type_text(self, value: Value) -> str:
        text = self.type_texts.get(id(value.type))
        if text is None:
            text = self.type_texts[id(value.type)] = str(value.type)
        return text


def _names(values: Iterable[Value]) -> str:
    return ", ".join([f"%{value.debug_name}" for value in values])


def _attributes(node: Node, names: Iterable[str]) -> str:
    return f"[{', '.join([f'{name}={_attribute(node, name)}' for name in names])}]"


def _attribute(node: Node, name: str) -> str:
    value = node.attribute(name)
    if node.kind == prim.Constant and name == "value":
        return constant_value_text(value, node.output.type)
    return attribute_text(value)


def _python_operator(node: Node) -> str:
    """``^name[attributes](plain arguments)``: a call out to Python."""
    shown = [name for name in node.attributes if name not in _HIDDEN]
    name, scalars = (node.string_attribute(hidden) for hidden in _HIDDEN)
    return f"^{name}{_attributes(node, shown)}({scalars})"


def _marker(line: str) -> str:
    body = line.lstrip()
    return " " * (len(line) - len(body)) + "~" * min(len(body), 60) + " <--- HERE"


set_graph_printer(print_graph)
