"""What of a function is native and why the rest is not, by source line; and the code of it, for people to read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.ir import Function, Graph, Node, prim
from tsc.compiler.passes.create_native_groups import create_native_groups
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.compiler.source import UNKNOWN_RANGE
from tsc.runtime.context.hooks import code_making
from tsc.runtime.execution.fusion import fused
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.native.code import kernel_library
from tsc.runtime.native.regions.forms import NotNative
from tsc.runtime.native.regions.groups import is_native, region_graph
from tsc.runtime.native.regions.region_nodes import NodeNotNative
from tsc.runtime.native.regions.tensor_assumptions import assumptions

_NOTHING: Final = "no loop, and no pointwise operators that follow each other\n"


_WITH_LISTS: Final = "loop and the lists in front of it"


@dataclass(frozen=True, slots=True)
class _Verdict:
    """On a part of a function."""

    place: str
    verdict: str
    part: str

    def row(self, width: int) -> str:
        return f"{self.place:{width}}  {self.verdict:10}  {self.part}"


def explanation(function: Function) -> str:
    """A row for each loop, from the outermost inwards until one is native, and for each group of operators."""
    graph = executor_of(function).optimized_graph.copy()
    verdicts = _verdicts_on_loops(graph)
    verdicts += _verdicts_on_groups(fused(function, graph))
    width = max((len(each.place) for each in verdicts), default=0)
    return "".join(f"{each.row(width)}\n" for each in verdicts) or _NOTHING


def _verdicts_on_loops(graph: Graph) -> list[_Verdict]:
    """Of what the pass that makes groups asks for: the whole function, then its loops."""
    verdicts: list[_Verdict] = []

    def decide(part: Graph) -> bool:
        loop = part.find_all_nodes(prim.Loop)[0]
        name = _name(part) if verdicts else "function"
        error = _error_of(part)
        if error is not None and name != _WITH_LISTS:  # the loop is to be tried by itself
            verdicts.append(_Verdict(_place(loop), "not native", f"{name}: {_reason(error)}"))
        if error is None:
            verdicts.append(_Verdict(_place(loop), "native", name))
        return error is None

    create_native_groups(graph, is_native=decide, whole=True)
    return verdicts


def _name(part: Graph) -> str:
    nodes = [node for node in part.nodes() if node.kind not in (prim.Constant, prim.Uninitialized)]
    return "loop" if len(nodes) == 1 else _WITH_LISTS


def _error_of(graph: Graph) -> NotNative | None:
    """What keeps a graph from being native, whatever its tensors are, when it is made as far as LLVM's text."""
    error = NotNative("tensors are used as wholes")
    made = region_graph(graph)
    for tensors in assumptions(made):
        try:
            code_making().region(made.copy(), list(tensors.values()))
        except NotNative as found:
            error = found
        else:
            return None
    return error


def _verdicts_on_groups(graph: Graph) -> list[_Verdict]:
    return [
        _Verdict(_place(group), "fused", _operators(group))
        for group in graph.find_all_nodes(prim.FusionGroup)
    ]


def _operators(group: Node) -> str:
    kinds = [node.kind for node in subgraph_of(group).nodes() if node.kind != prim.Constant]
    counted = Counter(kinds)
    return ", ".join(f"{kind} × {n}" if n > 1 else kind for kind, n in counted.items())


def _reason(error: NotNative) -> str:
    place = _place(error.node) if isinstance(error, NodeNotNative) else ""
    return f"{error} ({place})" if place else str(error)


def _place(node: Node) -> str:
    """File, line and column; nothing for what stands nowhere, as inputs do."""
    return "" if node.range == UNKNOWN_RANGE else str(node.range.original)


def code_text(function: Function, stage: str, *, has_run: bool = False) -> str:
    """The code of all native loops of a function, as LLVM has optimized it ("llvm") or as "assembly".

    Of what depends on shapes (groups of operators, windows) too if it `has_run`, in a process that ran nothing else.
    """
    graph = executor_of(function).optimized_graph.copy()
    create_native_groups(graph, is_native=is_native, whole=True)
    groups = graph.find_all_nodes(prim.NativeGroup)
    mark = ";" if stage == "llvm" else "#"
    texts = [f"{mark} {_place(each)}\n{_code(each, stage).strip()}\n" for each in groups]
    if has_run:
        kernels = [_text_of(code_making().module(each), stage) for each in kernel_library.texts()]
        texts += [f"{mark} operators\n{each.strip()}\n" for each in kernels]
        return "\n".join(texts) or f"{mark} nothing is native: --explain-native says why\n"
    if fused(function, graph) is not graph:
        texts.append(f"{mark} code of operators depends on shapes: give arguments by --args\n")
    return "\n".join(texts) or f"{mark} no loop is native: --explain-native says why\n"


def _code(group: Node, stage: str) -> str:
    """The code for the first tensors that it can be native for."""
    graph = region_graph(subgraph_of(group))
    for tensors in assumptions(graph):
        try:
            text, _ = code_making().region(graph.copy(), list(tensors.values()))
        except NotNative:
            continue
        return _text_of(code_making().module(text), stage)
    return ""


def _text_of(module: Any, stage: str) -> str:
    return module.text if stage == "llvm" else module.assembly
