"""Operators that take graphs, in a program that is replayed: the graphs are replayed on the operands of this run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.autocast import dtype_inside
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.exir.targets import Target
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.exporting.branch_recorder import BranchRecorder
from tsc.runtime.exporting.control_flow.branches import own_outputs
from tsc.runtime.exporting.data_numbers import RecordedNumber, hinted
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor
from tsc.runtime.exporting.decomposition.replay import Replay
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.sizes.declared_before import KnownSizes
from tsc.runtime.exporting.tensors import fake_tensor
from tsc.runtime.values.tensor import Tensor


def higher_order(replay: Replay, node: Node, args: list[Any]) -> Any:
    """The results of an operator that takes graphs."""
    assert isinstance(node.target, Target)
    run = _OPERATORS.get(node.target.name)
    if run is None:
        raise ExportError(
            f"{node.name} calls {node.target}, which tsc does not decompose",
            hint="leave it out of the program, or call run_decompositions before it is put in",
            refusal=refusals.OPERATOR,
        )
    return run(replay, node, *args)


def _cond(
    replay: Replay, node: Node, predicate: Any, first: Any, second: Any, operands: Any = ()
) -> Any:
    named = (("true_graph", first), ("false_graph", second))
    graphs = [_replayed(replay, name, module, operands) for name, module in named]
    nodes, more = _finished(replay, graphs)
    taken = graphs[0 if _holds(predicate) else 1].results
    given = (*_operands(replay, operands), *more)
    return _note(replay, node, (_told(replay, predicate), *nodes, given), taken)


def _while_loop(
    replay: Replay, node: Node, condition: Any, body: Any, carried: Any, others: Any = ()
) -> Any:
    """What a loop carries has the form of what one turn gives."""
    named = (("while_loop_cond_graph", condition), ("while_loop_body_graph", body))
    graphs = [_replayed(replay, name, module, [*carried, *others]) for name, module in named]
    nodes, more = _finished(replay, graphs)
    operands = (_operands(replay, carried), (*_operands(replay, others), *more))
    return _note(replay, node, (*nodes, *operands), graphs[1].results)


def _map(replay: Replay, node: Node, body: Any, xs: Any, others: Any = ()) -> Any:
    slices = [_first(replay, each) for each in xs]
    graph = _replayed(replay, "body_graph", body, [*slices, *others])
    nodes, more = _finished(replay, [graph])
    stacked = [_stacked(each, xs[0]) for each in graph.results]
    operands = (list(_operands(replay, xs)), [*_operands(replay, others), *more])
    return _note(replay, node, (*nodes, *operands), stacked)


def _scan(replay: Replay, node: Node, body: Any, start: Any, xs: Any, others: Any = ()) -> Any:
    slices = [_first(replay, each) for each in xs]
    graph = _replayed(replay, "scan_combine_graph", body, [*start, *slices, *others])
    nodes, more = _finished(replay, [graph])
    stacked = [_stacked(each, xs[0]) for each in graph.results[len(start) :]]
    operands = (list(_operands(replay, start)), list(_operands(replay, xs)))
    found = [*graph.results[: len(start)], *stacked]
    return _note(replay, node, (*nodes, *operands, (*_operands(replay, others), *more)), found)


def _inlined(replay: Replay, node: Node, enabled: bool, body: GraphModule, *operands: Any) -> Any:
    """A region without gradients: what it does is the same."""
    return replay.run(body, operands)


def _with_autocast(
    replay: Replay,
    node: Node,
    device: Any,
    dtype: int | None,
    enabled: bool,
    cache_enabled: bool,
    body: GraphModule,
    *operands: Any,
) -> Any:
    """A region of automatic casts: they are calls in the new program."""
    told = None if dtype is None else DTYPE_OF_CODE[dtype].name
    inside = dtype_inside(replay.calls.autocast, str(device), told, enabled=enabled)
    with replay.calls.casting(inside):
        return replay.run(body, operands)


_OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "cond": _cond,
    "while_loop": _while_loop,
    "map_impl": _map,
    "scan": _scan,
    "wrap_with_set_grad_enabled": _inlined,
    "wrap_with_autocast": _with_autocast,
}


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A graph that is written anew, and what it gives for the operands of this run."""

    name: str
    recorder: BranchRecorder
    results: list[Tensor]


def _replayed(replay: Replay, name: str, module: GraphModule, operands: Sequence[Any]) -> _Replayed:
    recorder = BranchRecorder(replay.recorder)
    inner = Replay(recorder, replay.make_calls, higher_order)
    inner.calls.autocast = replay.calls.autocast
    inputs = [
        _input(inner, recorder, place, each)
        for place, each in zip(module.graph.placeholders, operands, strict=True)
    ]
    try:
        found = inner.run(module, inputs)
    except ScriptError as error:
        raise ExportError(
            f"a graph that data decides about fails on the example arguments: {error.message}",
            hint="give example arguments on which it runs",
            refusal=refusals.BRANCH_FAILS,
        ) from None
    results = own_outputs(recorder, [_result(each) for each in found])
    nodes = [recorder.node_of(each) for each in results]
    is_one = isinstance(module.graph.output_node.args[0], Node)
    recorder.graph.output(nodes[0] if is_one else tuple(nodes))
    return _Replayed(name, recorder, results)


def _finished(
    replay: Replay, graphs: Sequence[_Replayed]
) -> tuple[list[Node], tuple[Argument, ...]]:
    """The nodes that read the graphs, and the operands that these have beside those of the program.

    Such have sizes that are computed anew, of those of tensors from outside.
    """
    outer = replay.recorder
    operands = list({id(e): e for each in graphs for e in each.recorder.operands}.values())
    nodes: list[Node] = []
    for each in graphs:
        each.recorder.take_operands(operands)
        each.recorder.graph.eliminate_dead_code()
        nodes.append(outer.graph.get_attr(outer.add_module(each.name, each.recorder.module())))
    return nodes, tuple([outer.node_of(each) for each in operands])


def _input(inner: Replay, recorder: BranchRecorder, place: Node, value: Any) -> Any:
    """An input of a graph, of the sizes that the program tells: turns of a loop may change them."""
    if isinstance(value, FunctionalTensor):
        own = Tensor(value.value.array)
        told, sizes, known = (
            place.meta.get("val"),
            recorder.sizes,
            recorder.outer.known(value.value),
        )
        if isinstance(sizes, KnownSizes) and isinstance(told, FakeTensor):
            known = sizes.with_sizes(fake_tensor(own), sizes.of_data(told.size, own.array.shape))
        recorder.carried(place.name, own, known)
        return inner.calls.tensor(own)
    node = recorder.graph.placeholder(place.name)
    node.target, node.meta["val"] = node.name, value if isinstance(value, SymValue) else None
    return RecordedNumber(node, hinted(value))


def _result(found: Any) -> Tensor:
    if not isinstance(found, FunctionalTensor):
        raise ExportError(
            "a graph that data decides about gives a number",
            hint="give a tensor of no dimensions",
            refusal=refusals.RESULT,
        )
    return found.value


def _first(replay: Replay, tensor: FunctionalTensor) -> FunctionalTensor:
    """The first slice of a tensor that a graph goes over: of a copy that no node of the graph around computes."""
    whole = tensor.value.array
    first = whole[0] if len(whole) else np.zeros(whole.shape[1:], whole.dtype)
    own = Tensor(np.ascontiguousarray(first))
    replay.recorder.note_constant(own, is_fresh=False)
    return replay.calls.tensor(own)


def _stacked(result: Tensor, over: FunctionalTensor) -> Tensor:
    count = over.value.array.shape[0]
    return Tensor(np.repeat(result.array[None], count, axis=0))


def _holds(predicate: Any) -> bool:
    if isinstance(predicate, FunctionalTensor):
        return bool(predicate.value.array.reshape(()).item())
    return bool(hinted(predicate))


def _told(replay: Replay, value: Any) -> Argument:
    if isinstance(value, FunctionalTensor):
        return replay.recorder.node_of(value.value)
    return (
        replay.recorder.argument(value) if isinstance(value, SymValue | RecordedNumber) else value
    )


def _operands(replay: Replay, operands: Sequence[Any]) -> tuple[Argument, ...]:
    return tuple([_told(replay, each) for each in operands])


def _known(replay: Replay, node: Node, results: Sequence[Tensor]) -> list[FakeTensor] | None:
    """The sizes of results as the program tells them, which may be symbols of their own."""
    sizes, told = replay.recorder.sizes, node.meta.get("val")
    if not isinstance(sizes, KnownSizes) or not isinstance(told, tuple | list):
        return None
    return [
        sizes.with_sizes(fake_tensor(each), sizes.of_data(known.size, each.array.shape))
        for known, each in zip(told, results, strict=True)
    ]


def _note(replay: Replay, node: Node, args: Sequence[Any], results: Sequence[Tensor]) -> Any:
    """The call; its results are other tensors than those in the graphs, known as far as the old node tells."""
    assert isinstance(node.target, Target)
    recorder = replay.recorder
    made = [Tensor(each.array) for each in results]
    call = recorder.graph.call_function(node.target, tuple(args))
    recorder.set_parts(call, tuple(made), _known(replay, node, made))
    return [replay.calls.tensor(each) for each in made]
