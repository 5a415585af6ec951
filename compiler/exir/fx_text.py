"""The text of a graph, a line for each node, as ``torch.fx`` writes it.

Strings are bare where they read back as themselves, and in quotes where they would not: FX never quotes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import Target

if TYPE_CHECKING:
    from tsc.compiler.exir.graph import Graph, GraphModule

BARE_WORD: Final = re.compile(r"[A-Za-z_][\w./-]*")
READ_AS_OTHERS: Final = re.compile(
    r"None|True|False|inf|nan|cpu|cuda|meta|mps|torch\..*|(cpu|cuda|meta|mps):\d+"
)
"""Words that are no strings in the text of a graph."""


def graph_text(graph: Graph) -> str:
    """``graph():`` and the nodes."""
    return "graph():\n" + "\n".join(f"    {node_text(each)}" for each in graph.nodes)


def module_text(module: GraphModule, name: str = "") -> str:
    """A graph, and after it, each under its name, the graphs that it branches and loops over."""
    head = f"{name} = " if name else ""
    inner = [
        module_text(each, f"{name}.{key}" if name else key) for key, each in module.modules.items()
    ]
    return "\n\n".join([head + graph_text(module.graph), *inner])


def node_text(node: Node) -> str:
    """One line."""
    if node.op is Op.OUTPUT:
        return f"return {node.args[0]!r}"
    start = f"%{node.name} : [num_users={len(node.users)}] = {node.op.value}[target={node.target}]"
    if node.op is Op.PLACEHOLDER:
        default = f"(default={argument_text(node.args[0])})" if node.args else ""
        return start + default
    if node.op is Op.GET_ATTR:
        return start
    return (
        f"{start}(args = {argument_text(node.args)}, kwargs = {argument_text(dict(node.kwargs))})"
    )


def argument_text(argument: Argument) -> str:
    """An argument of a node."""
    match argument:
        case Node():
            return f"%{argument.name}"
        case list():
            return f"[{_joined(argument)}]"
        case tuple():
            comma = "," if len(argument) == 1 else ""
            return f"({_joined(argument)}{comma})"
        case dict():
            items = [f"{key}: {argument_text(each)}" for key, each in argument.items()]
            return f"{{{', '.join(items)}}}"
        case str():
            is_plain = BARE_WORD.fullmatch(argument) and not READ_AS_OTHERS.fullmatch(argument)
            return argument if is_plain else repr(argument)
        case Target():
            return str(argument).removeprefix("torch.ops.")
        case _:
            return str(argument)


def _joined(arguments: list[Argument] | tuple[Argument, ...]) -> str:
    return ", ".join(map(argument_text, arguments))
