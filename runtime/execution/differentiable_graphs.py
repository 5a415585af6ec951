"""Running groups (`prim::DifferentiableGraph`): the forward graph is not recorded; the results get one node.

Its step is the backward graph.

The backward graph has an executor of its own for each choice of gradients that are undefined, and is recorded where
gradients of gradients are wanted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

from tsc.compiler.ir import Graph, prim
from tsc.compiler.ir import Node as IRNode
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.erase_shape_information import erase_shape_information
from tsc.compiler.passes.specialize_autogradzero import specialize_autogradzero
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.compiler.types import TENSOR
from tsc.runtime.autograd.nodes import Node, edge_of
from tsc.runtime.autograd.recording import described, may_require, requiring
from tsc.runtime.autograd.saved import Saved, restored
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.execution.differentiation import Gradient, differentiate
from tsc.runtime.execution.gradient_functions import GradientFunction
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.operators import load
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor


def differentiable_graph(node: IRNode) -> Callable[..., Any]:
    """What runs a node: the forward graph, and a note of it where an input requires a gradient.

    Which ones do is seen when it runs, whatever types say.
    """
    body = subgraph_of(node).copy()
    erase_shape_information(body)
    return DifferentiableStep(differentiate(body)).run


class DifferentiableStep:
    """A pair of graphs as a step of a recorded computation."""

    takes_undefined = True

    def __init__(self, gradient: Gradient) -> None:
        self.gradient = gradient
        self._forward = _executable(gradient.f)
        self._forward_results = len(gradient.f.outputs)
        self._backward = functools.cache(self._specialized)

    def run(self, *inputs: Any) -> Any:
        """The single real output, or a tuple of several."""
        found = self._forward.run(inputs)
        results = (found,) if self._forward_results == 1 else found
        if is_grad_enabled():
            self._note(inputs, results)
        real = results[: self.gradient.f_real_outputs]
        return real[0] if len(real) == 1 else tuple(real)

    def name_of(self, node: Node) -> str:
        return "DifferentiableGraphBackward"

    def _note(self, inputs: Sequence[Any], results: Sequence[Any]) -> None:
        edges = [
            edge_of(each, record, place, position)
            for place, k in enumerate(self.gradient.df_output_vjps)
            for position, each in _tensors_of(inputs[k])
            if each is not None and (record := requiring(each)) is not None
        ]
        if not edges:
            return
        saved = [_saved(inputs[k], -1) for k in self.gradient.df_input_captured_inputs]
        saved += [_saved(results[k], k) for k in self.gradient.df_input_captured_outputs]
        node = Node(self, edges, {"captured": saved}, [described(each) for each in results])
        for k in range(self.gradient.f_real_outputs):
            if k in self.gradient.df_input_vjps and may_require(results[k], inputs):
                results[k].autograd = AutogradRecord(True, node, k)

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """The gradient of each edge, None where all that leads to it is undefined."""
        vjps = [given[k] for k in self.gradient.df_input_vjps]
        undefined = frozenset(k for k, each in enumerate(vjps) if each is None)
        captured = restored(node.saved["captured"], create_graph, node)
        function, kept = self._backward(undefined)
        values = [*(each for each in vjps if each is not None), *captured]
        values = [value for value, keep in zip(values, kept) if keep]
        found = function.record(values) if create_graph else function.run(values)
        results = found if len(self.gradient.df_output_vjps) > 1 else (found,)
        return [_part(results[edge.argument], edge.position) for edge in node.edges]

    def _specialized(self, undefined: frozenset[int]) -> tuple[GradientFunction, list[bool]]:
        """The backward graph for gradients of which these are undefined, and which of the other inputs it reads."""
        graph = self.gradient.df.copy()
        for offset in sorted(undefined, reverse=True):
            zero = graph.prepend_node(graph.create(prim.AutogradZero, [], 1))
            graph.inputs[offset].replace_all_uses_with(zero.output.set_type(TENSOR))
            graph.erase_input(offset)
        specialize_autogradzero(graph, operators=load(), inputs_are_defined=True)
        _none_for_undefined(graph)
        eliminate_dead_code(graph)
        kept = [value.has_uses for value in graph.inputs]
        for offset in reversed(range(len(kept))):
            if not kept[offset]:
                graph.erase_input(offset)
        return _executable(graph), kept


def _executable(graph: Graph) -> GradientFunction:
    return GradientFunction(executor_of(function_of_graph(graph, "differentiable")))


def _none_for_undefined(graph: Graph) -> None:
    """None where the graph would give an undefined gradient."""
    for offset, value in enumerate(graph.outputs):
        if value.node.kind == prim.AutogradZero:
            graph.set_insertion_point(graph.return_node)
            graph.replace_output(offset, graph.insert_constant(None))


def _saved(value: Any, result: int) -> Any:
    if type(value) is list:
        return [_saved(each, -1) for each in cast("list[Any]", value)]
    return Saved(value, result) if isinstance(value, Tensor) else value


def _tensors_of(value: Any) -> list[tuple[int, Any]]:
    """The tensors that an input is or has, each with its position, -1 for what is no list."""
    if type(value) is list:
        return list(enumerate(cast("list[Any]", value)))
    return [(-1, value)]


def _part(gradient: Any, position: int) -> Any:
    """The gradient of one tensor, of that of an input; None is one of nothing."""
    return gradient if gradient is None or position < 0 else gradient[position]
