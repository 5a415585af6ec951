"""Where the nodes of a graph stand in the program, as Python's code objects tell it; and the way back from a
traceback to the node that had been reached.

Lines and columns are those of the text that was compiled (of an archive: of the code in it), so that tracebacks,
debuggers, coverage and profilers show it. What was inlined from another file is shown at the call in this one.
Two nodes that would be in the same place are told apart by the line in which they end, which no tool looks at.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from itertools import islice
from types import CodeType, TracebackType
from typing import Any, Final

from tsc.compiler.ir import Function, Graph, Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.source import UNKNOWN_RANGE, Source, SourceRange
from tsc.runtime.execution.python.shown_files import shown_file
from tsc.runtime.execution.python.syntax import Place
from tsc.runtime.execution.tracebacks import GROUPS

_APART: Final = GROUPS | {prim.BailOut}
"""Nodes that have a place of their own, apart from others that stand in the same place of the program."""

_MARK: Final = "places"
"""The global variable of a generated function by which its frames are known."""


class Places:
    """The places of the nodes of one function."""

    __slots__ = (
        "_by_origin",
        "_ends",
        "_last",
        "_line_nodes",
        "_nodes",
        "beginning",
        "code",
        "filename",
        "head",
        "here",
        "name",
        "qualified_name",
    )

    def __init__(self, function: Function, graph: Graph) -> None:
        self.code: CodeType | None = None
        self.name = function.name
        self.qualified_name = function.qualified_name
        self.beginning = _beginning(function, graph)
        self.filename = shown_file(self.beginning.source)
        self.head = self.here = self._place(self.beginning)
        self._nodes: dict[tuple[int, int, int, int], Node | None] = {_key(self.head): None}
        self._line_nodes: dict[int, Node] = {}
        self._by_origin: dict[tuple[int, int, str | None], Place] = {}
        self._last: Node | None = None
        self._ends: dict[tuple[int, int, int, int], int] = {}

    def of(self, node: Node) -> Place:
        """The place of a node, which is known by it from then on.

        The end of a block is where the program returns, or else where the last node was. A bailout or a group has
        another place than the node that it guards something for, or that is in it.
        """
        if node is self._last or (node.kind == prim.Return and node.range is UNKNOWN_RANGE):
            return self.here
        self._last = node
        origin = id(node.range), id(node.call_stack), node.kind if node.kind in _APART else None
        place = self._by_origin.get(origin)
        if place is None:
            place = self._by_origin[origin] = self._new(node)
        self.here = place
        return place

    def go_back(self, place: Place) -> None:
        """What comes now is where `place` is, as after the block of a branch or loop."""
        self.here, self._last = place, None

    def _new(self, node: Node) -> Place:
        place = self._place(self._shown(node))
        key = _key(place)
        if key in self._nodes:
            end = self._ends[key] = self._ends.get(key, key[2]) + 1
            place = {**place, "end_lineno": end}
        self._nodes[_key(place)] = node
        self._line_nodes.setdefault(place["lineno"], node)
        return place

    def _shown(self, node: Node) -> SourceRange:
        """The innermost place of a node that is in the file of the function; if there is none, its beginning."""
        if node.call_stack is None or self._is_here(node.range.source):
            return node.range if self._is_here(node.range.source) else self.beginning
        calls = (call.call for call in node.call_stack.outwards())
        return next((each for each in calls if self._is_here(each.source)), self.beginning)

    def _is_here(self, source: Source) -> bool:
        return source is self.beginning.source or shown_file(source) == self.filename

    def _place(self, range: SourceRange) -> Place:
        source = range.source
        line, column = source.position(range.start)
        end_line, end_column = source.position(range.end)
        if not source.text.isascii():
            column = _bytes_before(source, line, column)
            end_column = _bytes_before(source, end_line, end_column)
        return {
            "lineno": line,
            "col_offset": column,
            "end_lineno": end_line,
            "end_col_offset": end_column,
        }

    def node_at(self, code: CodeType, instruction: int) -> Node | None:
        """The node that an instruction belongs to; None for what the function does on its own account."""
        line, end_line, column, end_column = next(
            islice(code.co_positions(), instruction // 2, None)
        )
        if line is None:
            return None
        if column is None or end_line is None or end_column is None:  # `-X no_debug_ranges`
            return self._line_nodes.get(line)
        return self._nodes.get((line, column, end_line, end_column))


def global_variables(places: Places) -> dict[str, Any]:
    """What a generated function starts with, before its kernels and constants."""
    return {"__builtins__": builtins, "__name__": "__torch__", _MARK: places}


def running(traceback: TracebackType | None, until: CodeType) -> Iterator[tuple[str, Node]]:
    """The generated functions that a traceback comes through, the outermost first, and the nodes they had reached.

    A function that goes on as another, which took its place, is not among them. It ends where another program was
    started from one of them: by a frame of the code `until`.
    """
    while traceback is not None and traceback.tb_frame.f_code is not until:
        code = traceback.tb_frame.f_code
        places = traceback.tb_frame.f_globals.get(_MARK)
        if isinstance(places, Places) and places.code is code:
            node = places.node_at(code, traceback.tb_lasti)
            if node is not None and node.kind != prim.BailOut:
                yield places.name, node
        traceback = traceback.tb_next


def _beginning(function: Function, graph: Graph) -> SourceRange:
    """Where a function begins; if nobody says, where its first node is that is no constant."""
    steps = (node for node in graph.nodes() if node.kind != prim.Constant)
    ranges = [function.range, *(node.range for node in islice(steps, 8))]
    return next((each for each in ranges if each.source is not UNKNOWN_RANGE.source), UNKNOWN_RANGE)


def _key(place: Place) -> tuple[int, int, int, int]:
    return place["lineno"], place["col_offset"], place["end_lineno"], place["end_col_offset"]


def _bytes_before(source: Source, line: int, column: int) -> int:
    """Python counts columns in the bytes of UTF-8."""
    return len(source.line_text(line)[:column].encode())
