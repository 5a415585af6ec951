"""Exported graphs as Python code, as FX generates it: plain, or with what is known of values and of their origin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.targets import Target

_BINARY: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "floordiv": "//",
    "truediv": "/",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "gt": ">",
    "le": "<=",
    "ge": ">=",
    "matmul": "@",
}
_UNARY: Final = {"neg": "-", "pos": "+", "invert": "~"}
_FRAME: Final = re.compile(r'File "(?P<file>.+)", line (?P<line>\d+), in (?P<function>.+)')


def python_code(graph: Graph) -> str:
    """The function `forward` of a graph."""
    return _Writer(graph, annotate=False).text()


def readable_code(module: GraphModule, name: str = "GraphModule") -> str:
    """A class with a `forward` that annotates values, and in it the classes of the graphs that it branches over."""
    forward = indent(_Writer(module.graph, annotate=True).text(), "    ")
    inner = [indent(readable_code(each, key), "    ") for key, each in module.modules.items()]
    return "\n".join([f"class {name}(torch.nn.Module):", forward, *inner])


@dataclass(frozen=True, slots=True)
class _Frame:
    """A line of a program, from a stack trace."""

    file: str
    line: str
    function: str
    code: str


class _Writer:
    def __init__(self, graph: Graph, *, annotate: bool) -> None:
        self._graph, self._annotate = graph, annotate
        self._freed = _last_uses(graph)

    def text(self) -> str:
        inputs = ", ".join(["self", *map(self._parameter, self._graph.placeholders)])
        return "\n".join([f"def forward({inputs}):", *self._body(), ""])

    def _parameter(self, node: Node) -> str:
        default = f" = {node.args[0]!r}" if node.args else ""
        return f"{node.name}{self._annotation(node)}{default}"

    def _annotation(self, node: Node) -> str:
        value = node.meta.get("val")
        if not self._annotate or not isinstance(value, FakeTensor | SymbolicExpression):
            return ""
        text = str(value) if isinstance(value, FakeTensor) else f"Sym({value})"
        return f': "{text}"'

    def _body(self) -> Iterator[str]:
        place, is_first = "", True
        for node in self._graph.nodes:
            if node.op is Op.PLACEHOLDER:
                continue
            if self._annotate and node.op is not Op.OUTPUT and place != (place := _place(node)):
                yield from (place,) if is_first else ("", place)
                is_first = False
            yield f"    {self._statement(node)}"

    def _statement(self, node: Node) -> str:
        if node.op is Op.OUTPUT:
            return f"return {node.args[0]!r}"
        freed = [*self._freed.get(node, []), *([] if node.users else [node])]
        ending = f";  {' = '.join([each.name for each in freed] + ['None'])}" if freed else ""
        return f"{node.name}{self._annotation(node)} = {_call(node)}{ending}"


def _last_uses(graph: Graph) -> dict[Node, list[Node]]:
    """The nodes that nobody reads after a node, the one that it reads first at the front."""
    freed: dict[Node, list[Node]] = {}
    seen: set[Node] = set()
    for user in graph.reversed_nodes:
        for each in user.input_nodes:
            if each not in seen:
                seen.add(each)
                freed.setdefault(user, []).append(each)
    return freed


def _call(node: Node) -> str:
    target = node.target
    if not isinstance(target, Target):
        return f"self.{target}"
    form = _form(target)
    if form is not None and not node.kwargs and form.count("{}") == len(node.args):
        return form.format(*map(repr, node.args))
    named = [f"{key} = {each!r}" for key, each in node.kwargs.items()]
    return f"{target}({', '.join([*map(repr, node.args), *named])})"


def _form(target: Target) -> str | None:
    """How a function of Python's operators is written; None for what is called by its name."""
    module, _, name = target.text.rpartition(".")
    if module != "operator":
        return None
    if name == "getitem":
        return "{}[{}]"
    if name in _UNARY:
        return f"{_UNARY[name]}{{}}"
    return f"{{}} {_BINARY[name]} {{}}" if name in _BINARY else None


def _place(node: Node) -> str:
    """The comment that tells where a node comes from."""
    place = place_of(node)
    return f"    # File: {place}" if place else "    # No stacktrace found for following nodes"


def place_of(node: Node) -> str:
    """The line of the program that a node comes from, and its code; nothing where that is not told."""
    frame = _innermost_frame(node.meta.get("stack_trace"))
    if frame is None:
        return ""
    return f"{frame.file}:{frame.line} in {frame.function}, code: {frame.code}"


def _innermost_frame(trace: Any) -> _Frame | None:
    """The last frame of a stack trace, with the code of its line."""
    lines = [each.strip() for each in trace.splitlines()] if isinstance(trace, str) else []
    for number in reversed(range(len(lines))):
        match = _FRAME.fullmatch(lines[number])
        if match is not None and number + 1 < len(lines):
            return _Frame(match["file"], match["line"], match["function"], lines[number + 1])
    return None
