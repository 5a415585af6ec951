"""``cond``: both branches of an ``if`` that data decides, each captured as a graph of its own.

Both run on the values of this run. What they read from outside are operands, the same for both graphs; what they give
has to be alike in dtype and number of dimensions: sizes that differ are symbols behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.pytrees import TreeSpec, tree_flatten
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.exir.targets import COND
from tsc.compiler.ir import Block, prim
from tsc.runtime.exporting.branch_recorder import BranchRecorder
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.tensor_arrays import array_with_sources
from tsc.runtime.exporting.control_flow.wide_numbers import like, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber, TensorArray, held_tensor
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.tensors import fake_tensor
from tsc.runtime.values.tensor import Tensor

_ALIKE: Final = (
    "give the same kind of thing in both branches, of the same dtype: torch.where chooses elements"
)


@dataclass(slots=True)
class Branch:
    """A captured branch: its recorder, its results, which may be nested, and which of them it leaves open."""

    recorder: BranchRecorder
    results: list[Any]
    undefined: set[int]


def undefined_places(block: Block) -> set[int]:
    """The results that a branch leaves open, as it goes elsewhere: nobody reads them."""
    return {
        place for place, each in enumerate(block.outputs) if each.node.kind == prim.Uninitialized
    }


def joined(recorder: Recorder, condition: Condition, pair: tuple[Branch, Branch]) -> list[Any]:
    """Note a ``cond`` of two branches; its results, as those of the branch that this run takes."""
    taken = pair[0] if condition.hint else pair[1]
    leaves, spec = _aligned(pair)
    tensors = [
        place
        for place, each in enumerate(zip(*leaves))
        if _is_tensor(each) and not _is_outside(recorder, each)
    ]
    outside = [_outside(pair, [found[place] for found in leaves]) for place in tensors]
    outputs = [_outputs(each, found, tensors) for each, found in zip(pair, leaves)]
    _check_alike(outputs)
    predicate = recorder.node_of(condition.checked(recorder))
    operands = _unite(recorder, pair)
    for branch, found in zip(pair, outputs):
        branch.recorder.graph.output(tuple([branch.recorder.node_of(each) for each in found]))
    names = [
        recorder.add_module(name, each.recorder.module())
        for name, each in zip(("true_graph", "false_graph"), pair)
    ]
    graphs = [recorder.graph.get_attr(each) for each in names]
    forms = [
        [branch.recorder.known(each) for each in found] for branch, found in zip(pair, outputs)
    ]
    which = 0 if taken is pair[0] else 1
    made = list(map(_own, outputs[which]))
    for result, others in zip(made, outside, strict=True):
        for each in others:
            recorder.separations.note(result, each)
    known = [_joined_form(recorder, *each) for each in zip(*forms, made, strict=True)]
    call = recorder.graph.call_function(COND, (predicate, *graphs, tuple(operands)))
    recorder.set_parts(call, tuple(made), known)
    chosen = list(leaves[0 if taken is pair[0] else 1])
    for place, each in zip(tensors, made):
        chosen[place] = _behind(recorder, leaves[0][place], each, pair)
    return cast("list[Any]", spec.unflatten(chosen))


def _behind(recorder: Recorder, model: Any, result: Tensor, pair: tuple[Branch, Branch]) -> Any:
    """What a result is behind the branches; elements of lists may be any tensor from outside."""
    if isinstance(model, TensorArray):
        others = [each for branch in pair for each in branch.recorder.operands]
        return array_with_sources(recorder, result, model.kind, others)
    return like(recorder, model, result)


def _is_tensor(pair: tuple[Any, Any]) -> bool:
    """Whether a result is one of the graphs: a tensor, or a number or truth value that is not the same in both."""
    first, second = pair
    if any(isinstance(each, Tensor | TensorArray | Condition | DataNumber) for each in pair):
        return True
    if any(isinstance(each, SymValue) for each in pair):
        return first is not second
    is_number = isinstance(first, bool | int | float) and type(first) is type(second)
    return is_number and first != second


def _is_outside(recorder: Recorder, pair: tuple[Any, Any]) -> bool:
    """Whether both branches give the same tensor, or number in one, that was there before."""
    first, second = pair
    tensor = first.tensor if isinstance(first, Condition | DataNumber) else held_tensor(first)
    return first is second and isinstance(tensor, Tensor) and recorder.knows(tensor)


def _aligned(
    pair: tuple[Branch, Branch],
) -> tuple[tuple[list[Any], list[Any]], TreeSpec]:
    """The leaves of both branches. A result that one of them leaves open is as the other one's."""
    _fill(pair, 0)
    _fill(pair, 1)
    (first, spec), (second, other) = (tree_flatten(each.results) for each in pair)
    if spec != other:
        raise ExportError(
            "data decides how the results of a branch are nested",
            hint=_ALIKE,
            refusal=refusals.BRANCHES_DIFFER,
        )
    for a, b in zip(first, second):
        if (
            a is not b
            and not _is_tensor((a, b))
            and (type(a) is not type(b) or (a is not b and a != b))
        ):
            raise ExportError(
                f"data decides whether a result of a branch is {_word(a)} or {_word(b)}",
                hint=_ALIKE,
                refusal=refusals.BRANCHES_DIFFER,
            )
    return (first, second), spec


def _word(value: Any) -> str:
    return (
        repr(value) if isinstance(value, bool | int | float | str | None) else type(value).__name__
    )


def _fill(pair: tuple[Branch, Branch], which: int) -> None:
    own, other = pair[which], pair[1 - which]
    for place in own.undefined:
        own.results[place] = zeros_like(own.recorder, other.results[place])


def zeros_like(recorder: Recorder, model: Any) -> Any:
    """Something of the same form that nobody reads."""
    if isinstance(model, Tensor):
        return recorder.filled(model.array.shape, 0, model.array.dtype)
    if isinstance(model, bool | int | float):
        return type(model)()
    if isinstance(model, Condition | DataNumber):
        return False if isinstance(model, Condition) else model.kind()
    if isinstance(model, list | tuple):
        parts = [zeros_like(recorder, each) for each in cast("Sequence[Any]", model)]
        return parts if isinstance(model, list) else tuple(parts)
    return model


def _outputs(branch: Branch, leaves: list[Any], places: list[int]) -> list[Tensor]:
    """The tensors that the graph of a branch gives."""
    found = [tensor_of(branch.recorder, leaves[place]) for place in places]
    if not all(isinstance(each, Tensor) for each in found):
        raise ExportError(
            "data decides whether a result of a branch is a tensor",
            hint=_ALIKE,
            refusal=refusals.BRANCHES_DIFFER,
        )
    return own_outputs(branch.recorder, found)


def own_outputs(recorder: BranchRecorder, results: Sequence[Tensor]) -> list[Tensor]:
    """Tensors as a graph gives them: none is, or looks into, another one or what came from outside."""
    found: list[Tensor] = []
    for tensor in results:
        recorder.node_of(tensor)
        if recorder.comes_from_outside(tensor) or any(_share(tensor, each) for each in found):
            made = recorder.run("aten::clone", "", [tensor, None], tensor.array.copy())
            found.append(made)
        else:
            found.append(tensor)
    return found


def _share(first: Tensor, second: Tensor) -> bool:
    return first is second or np.may_share_memory(first.array, second.array)


def _outside(pair: tuple[Branch, Branch], results: Sequence[Any]) -> list[Tensor]:
    """The tensors from outside that a result is in one of the branches, or looks into."""
    return [
        each
        for branch, result in zip(pair, results, strict=True)
        if isinstance(result, Tensor)
        for each in branch.recorder.seen_outside(result)
    ]


def _joined_form(
    recorder: Recorder, first: FakeTensor, second: FakeTensor, taken: Tensor
) -> FakeTensor:
    """What is known of a result, whichever branch gives it; `taken` is that of this run."""
    known = fake_tensor(taken)
    if recorder.sizes is None and first.size == second.size:
        return known
    return recorder.have_sizes().joined(first, second, known)


def _check_alike(outputs: list[list[Tensor]]) -> None:
    for first, second in zip(*outputs):
        if first.array.ndim != second.array.ndim or first.array.dtype != second.array.dtype:
            raise ExportError(
                f"data decides whether a result is {_form(first)} or {_form(second)}",
                hint=_ALIKE,
                refusal=refusals.BRANCHES_DIFFER,
            )


def _form(tensor: Tensor) -> str:
    return f"a {tensor.dtype} of {list(tensor.array.shape)}"


def _own(tensor: Tensor) -> Tensor:
    """What the program goes on with: another tensor than the one in the branch."""
    return Tensor(tensor.array)


def _unite(recorder: Recorder, pair: tuple[Branch, Branch]) -> list[Node]:
    """The operands of both graphs, each of which gets all of them, in one order."""
    operands = list(
        {id(each): each for branch in pair for each in branch.recorder.operands}.values()
    )
    for branch in pair:
        branch.recorder.take_operands(operands)
    return [recorder.node_of(each) for each in operands]
