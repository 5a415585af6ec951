"""Functions of the library in a trace: recorded by the operators that they run, as PyTorch's Python functions are.

The graph of the function is walked with the values of the call, so that branches are taken and nothing of them is
left. A function that asks for the sizes of tensors stays a call, with its control flow: walked, it would fix them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tsc.compiler.ir import Block, Function, Graph, IfView, LoopView, Node, Value, callee_of, prim
from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.function import arguments_of
from tsc.runtime.context import trace_state
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.node_kernels import kernel_of, operator_of
from tsc.runtime.tracing.number_tensors import NumberTensor
from tsc.runtime.tracing.overloads import TAKES_NUMBERS, gives_tensors
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.values.tensor import Tensor

_ABOUT_SIZES: Final = ("aten::size", "aten::numel", "aten::len", "prim::shape", "aten::stride")
_NOT_WALKED: Final = (prim.CallMethod, prim.fork, prim.awaitable, prim.With)


class _StaysCall(Exception):
    """A function does what depends on the sizes of its tensors."""


def call_library(recorder: Recorder, function: Function, arguments: Sequence[Any]) -> Any:
    """Run a function, and record its operators on tensors, or else the call."""
    begin = recorder.mark()
    try:
        return _Walk(recorder).graph(executor_of(function).simplified_graph, arguments)
    except _StaysCall:
        recorder.forget_since(begin)
        run = executor_of(function).run
        return recorder.call_function(function, arguments, run)


class _Walk:
    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._values: dict[Value, Any] = {}

    def graph(self, graph: Graph, arguments: Sequence[Any]) -> Any:
        self._values.update(zip(graph.inputs, arguments))
        self._block(graph.block)
        results = [self._value(output) for output in graph.outputs]
        return results[0] if len(results) == 1 else tuple(results)

    def _value(self, value: Value) -> Any:
        if value.node.kind == prim.Constant:
            constant = constant_value(value)
            return list(constant) if isinstance(constant, list) else constant
        return self._values[value]

    def _block(self, block: Block) -> None:
        for node in block.nodes():
            if node.kind == prim.If:
                self._branch(IfView(node))
            elif node.kind == prim.Loop:
                self._loop(LoopView(node))
            elif node.kind != prim.Constant:
                self._set(node, self._run(node))

    def _set(self, node: Node, result: Any) -> None:
        if len(node.outputs) == 1:
            self._values[node.outputs[0]] = result
        elif node.outputs:
            self._values.update(zip(node.outputs, result))

    def _branch(self, view: IfView) -> None:
        chosen = 0 if self._value(view.condition) else 1
        block = view.node.blocks[chosen]
        self._block(block)
        results = [self._value(output) for output in block.outputs]
        self._values.update(zip(view.node.outputs, results))

    def _loop(self, view: LoopView) -> None:
        trips, goes_on, *carried = map(self._value, view.node.inputs)
        body = view.node.blocks[0]
        number = 0
        while goes_on and number < trips:
            self._values.update(zip(body.inputs, (number, *carried)))
            self._block(body)
            goes_on, *carried = map(self._value, body.outputs)
            number += 1
        self._values.update(zip(view.node.outputs, carried))

    def _run(self, node: Node) -> Any:
        if node.kind == prim.CallFunction:
            callee = callee_of(node)
            assert callee is not None
            arguments = [self._value(each) for each in arguments_of(node)]
            return _Walk(self._recorder).graph(executor_of(callee).simplified_graph, arguments)
        if node.kind in _NOT_WALKED or (node.kind in _ABOUT_SIZES and self._takes_tensor(node)):
            raise _StaysCall
        values = [self._value(each) for each in node.inputs]
        operator = operator_of(node)
        if operator is None or not node.kind.startswith("aten::") or not gives_tensors(operator):
            with trace_state.paused():
                return kernel_of(node)(*values)
        if operator.name in TAKES_NUMBERS and operator.overload_name == "Scalar":
            tensors = self._recorder.operators.find(operator.name, "Tensor")
            if tensors is not None:
                values[1] = NumberTensor(values[1])
                operator = tensors
        with self._recorder.local_names(self._names(node)):
            return self._recorder.record(operator, values)

    def _takes_tensor(self, node: Node) -> bool:
        return isinstance(self._value(node.inputs[0]), Tensor)

    def _names(self, node: Node) -> list[tuple[str, Any]]:
        """The variables that a node reads, as the frame of a Python function would have them."""
        named = [each for each in node.inputs if each.has_debug_name]
        return [(each.debug_name.partition(".")[0], self._value(each)) for each in named]
