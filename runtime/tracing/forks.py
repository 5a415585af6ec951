"""``fork`` in a trace: what is recorded between two marks becomes the graph of a ``prim::fork``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tsc.compiler.ir import Block, Graph, Node, Value, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.node_order import enclosing_nodes
from tsc.compiler.passes.lift_forks import lift_forks
from tsc.compiler.types import FutureType
from tsc.runtime.context import trace_state
from tsc.runtime.tracing.errors import TracingError
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.values.futures import Future

_BEGIN: Final = "prim::TracedForkBegin"
_END: Final = "prim::TracedForkEnd"


class TracedFuture(Future[Any]):
    """The future of a function that ran already; a trace records that it is waited for."""

    __slots__ = ("_output", "_recorder")

    def __init__(self, recorder: Recorder, output: Value, result: Any) -> None:
        super().__init__(output.type)
        self._recorder = recorder
        self._output = output
        self.set_result(result)

    def wait(self) -> Any:
        result = super().wait()
        recorder = self._recorder
        if trace_state.current() is recorder:
            node = recorder.insert_operator("aten::wait", "", [self._output])
            recorder.set_result(node.output.set_type(self._output.type.contained[0]), result)
        return result


def record_fork(
    recorder: Recorder, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> TracedFuture:
    """Call a function, and have what it does recorded as the work of a task."""
    recorder.insert(_BEGIN, outputs=0)
    result = function(*args, **kwargs)
    end = recorder.insert(_END, [recorder.any_value(result)])
    return TracedFuture(recorder, end.output.set_type(FutureType(end.inputs[0].type)), result)


def cut_out_forks(graph: Graph) -> None:
    """What was recorded between two marks becomes the graph of a ``prim::fork``, the innermost first."""
    for begin in [node for node in graph.all_nodes() if node.kind == _BEGIN][::-1]:
        _cut_out(begin)
    lift_forks(graph)


def _cut_out(begin: Node) -> None:
    graph = begin.graph
    closure = graph.create(prim.forkClosure, [], 1, begin.range).insert_before(begin)
    block = closure.add_block()
    while (node := begin.next).kind != _END:
        node.move_before(block.return_node)
    block.register_output(node.inputs[0])
    closure.output.copy_metadata(node.output)
    node.output.replace_all_uses_with(closure.output)
    node.destroy()
    begin.destroy()
    for inner in list(block.nodes()):
        for value in inner.outputs:
            _keep_inside(value, closure)
    _read_inside(block)


def _read_inside(block: Block) -> None:
    """Attributes that a fork uses are read in it, as its own uses of ``self``."""
    read: dict[Value, Value] = {}

    def inside(value: Value) -> Value:
        if value.node.kind != prim.GetAttr or value.node.block is block:
            return value
        if value not in read:
            owner = inside(value.node.inputs[0])
            copy = clone_node(value.node, block.graph, lambda each: each)
            copy.replace_input(0, owner)
            first = block.return_node.next if owner.node.block is not block else owner.node.next
            read[value] = copy.insert_before(first).output
        return read[value]

    for node in [*block.nodes(), block.return_node]:
        for offset, value in enumerate(list(node.inputs)):
            node.replace_input(offset, inside(value))


def _keep_inside(value: Value, closure: Node) -> None:
    """What else uses a value of the fork: a constant is there twice then."""
    for use in list(value.uses):
        if closure in enclosing_nodes(use.node):
            continue
        if value.node.kind != prim.Constant:
            raise TracingError(
                "a tensor that a forked function computed is used outside of it: let the function return it, and "
                "use what torch.jit.wait gives"
            )
        copy = clone_node(value.node, closure.graph, lambda each: each).insert_before(closure)
        use.node.replace_input(use.offset, copy.output)
