"""Whether a trace does what the function does: both run, and the function is recorded once more."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tsc.compiler.analysis.determinism import is_nondeterministic
from tsc.compiler.ir import Function, Graph, Node, prim
from tsc.compiler.passes.inline import inline
from tsc.compiler.printing.graph_printer import print_graph, print_node
from tsc.compiler.types.unshaped import unshaped
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.live.torch_tensors import is_torch_tensor, shared_tensor
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.tracing.errors import TracerWarning, TracingCheckError
from tsc.runtime.values.tensor import Tensor

_MOST_SHOWN = 20
"""Nodes that a warning lists."""


class Inputs(Protocol):
    def copied(self) -> Inputs: ...

    def call(self, function: Callable[..., Any]) -> Any: ...


@dataclass(frozen=True, slots=True)
class Check:
    """What is compared: the function of Python, and what became of it."""

    func: Callable[..., Any]
    traced: Any
    tolerance: float


def check_trace_of(check: Check, inputs: Inputs, again: Function, method: Any = None) -> None:
    """Warn of results that differ, and raise `TracingCheckError` if the graphs of two runs do.

    `again` is what a second run gave, `method` the method that it is.
    """
    graphs = check.traced.graph, again.graph
    ours = _outputs(check.traced, inputs, "trace", graphs)
    expected = _outputs(check.func, inputs, "Python function", graphs)
    if _warn_of_differences(check, ours, expected, "Python function"):
        repeated = _outputs(method or _callable(again), inputs, "repeated trace", graphs)
        _warn_of_differences(check, ours, repeated, "repeated trace")
    complaint = _differing_graphs(*graphs) + _differing_constants(*graphs)
    if complaint:
        raise TracingCheckError(f"Tracing failed sanity checks!\n{complaint}")


def _callable(function: Function) -> Callable[..., Any]:
    return ScriptFunction(function)


def _outputs(
    function: Callable[..., Any], inputs: Inputs, what: str, graphs: tuple[Graph, Graph]
) -> list[Tensor]:
    try:
        with _without_gradients():
            result = inputs.copied().call(function)
    except Exception as error:
        complaint = _differing_graphs(*graphs) + _differing_constants(*graphs)
        raise TracingCheckError(
            "Tracing failed sanity checks!\nencountered an exception while running the "
            f"{what} with test inputs.\nException:\n{_indented(str(error))}\n{complaint}"
        ) from error
    found = result if isinstance(result, tuple) else (result,)
    return [_as_tensor(each) for each in found if _is_tensor(each)]


def _without_gradients() -> Any:
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "no_grad"):
        return torch.no_grad()
    return NoGrad()


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or is_torch_tensor(value)


def _as_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    return shared_tensor(value.detach().resolve_conj().resolve_neg())


# -- Results -------------------------------------------------------------------------------------


def _warn_of_differences(check: Check, ours: list[Tensor], theirs: list[Tensor], what: str) -> bool:
    """Whether all results are the same up to the tolerance."""
    same = True
    for number, (mine, other) in enumerate(zip(ours, theirs), start=1):
        difference = _difference(mine.array, other.array, check.tolerance)
        if difference:
            _warn_of_nondeterminism(check, first=same)
            warnings.warn(
                f"Output nr {number}. of the traced function does not match the corresponding output, "
                f"that of the {what}:\n{difference}",
                TracerWarning,
                stacklevel=5,
            )
            same = False
    return same


def _difference(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> str:
    """How two arrays differ; empty if they do not."""
    if ours.shape != theirs.shape:
        return (
            "The values for attribute 'shape' do not match: one is "
            f"{list(ours.shape)}, the other {list(theirs.shape)}."
        )
    wide = np.complex128 if "c" in (ours.dtype.kind, theirs.dtype.kind) else np.float64
    a, b = ours.astype(wide), theirs.astype(wide)
    absolute = 1e-5 if theirs.dtype.itemsize <= 4 else 1e-7
    with np.errstate(all="ignore"):
        differs = ~np.isclose(a, b, rtol=tolerance, atol=absolute, equal_nan=True)
        if not differs.any():
            return ""
        distance = np.abs(a - b)
    place = np.unravel_index(int(np.argmax(np.nan_to_num(distance, nan=np.inf))), a.shape)
    count = int(differs.sum())
    where = f" at index {tuple(map(int, place))}" if place else ""
    return (
        f"Tensor-likes are not close!\n\nMismatched elements: {count} / {a.size} "
        f"({100 * count / a.size:.1f}%)\nGreatest absolute difference: {distance[place]}{where} "
        f"(up to {absolute} allowed)"
    )


def _warn_of_nondeterminism(check: Check, *, first: bool) -> None:
    nodes = [node for node in check.traced.graph.nodes() if is_nondeterministic(node)]
    if not nodes or not first:
        return
    shown = "\n".join([_indented(print_node(node)) for node in nodes[:_MOST_SHOWN]])
    warnings.warn(
        "Trace had nondeterministic nodes. Did you forget call .eval() on your model? "
        f"Nodes:\n{shown}\nThis may cause errors in trace checking. To disable trace checking, pass "
        "check_trace=False to tsc.trace()",
        TracerWarning,
        stacklevel=6,
    )


# -- Graphs --------------------------------------------------------------------------------------


def _differing_graphs(first: Graph, second: Graph) -> str:
    texts = [_comparable(first), _comparable(second)]
    if texts[0] == texts[1]:
        return ""
    diff = "".join(difflib.ndiff(texts[0].splitlines(True), texts[1].splitlines(True)))
    return (
        "ERROR: Graphs differed across invocations!\n"
        f"{_indented('Graph diff:' + chr(10) + _indented(diff))}\n"
    )


def _comparable(graph: Graph) -> str:
    """The text without shapes, names and places, calls inlined."""
    copy = graph.copy()
    inline(copy)
    for node in [copy.param_node, *copy.all_nodes()]:
        for value in node.outputs:
            value.set_type(unshaped(value.type))
            if value.has_debug_name:
                value.set_debug_name("")
    text = re.sub(r"___torch_mangle_[0-9]+\.", "", print_graph(copy, source_comments=False))
    names: dict[str, str] = {}
    return re.sub(r"%\d+", lambda found: names.setdefault(found.group(), f"%{len(names)}"), text)


def _differing_constants(first: Graph, second: Graph) -> str:
    for mine, other in zip(_inlined_nodes(first), _inlined_nodes(second)):
        if mine.kind != other.kind:
            break
        values = [_tensor_constant(mine), _tensor_constant(other)]
        if values[0] is None or values[1] is None:
            continue
        difference = _difference(values[0].array, values[1].array, 1.3e-6)
        if difference:
            return (
                "ERROR: Tensor-valued Constant nodes differed in value across invocations: a tensor made "
                "outside of what tracing records went into the graph as a constant.\n"
                f"{_indented('Node:' + chr(10) + _indented(print_node(mine)))}\n"
                f"{_indented('Comparison exception: ' + _indented(difference))}\n"
            )
    return ""


def _inlined_nodes(graph: Graph) -> list[Node]:
    copy = graph.copy()
    inline(copy)
    return list(copy.nodes())


def _tensor_constant(node: Node) -> Tensor | None:
    if node.kind != prim.Constant or not node.has_attribute("value"):
        return None
    value = node.attribute("value")
    return value if isinstance(value, Tensor) else None


def _indented(text: str) -> str:
    return "\n".join(f"\t{line}" for line in text.splitlines())
