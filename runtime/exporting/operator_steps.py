"""Nodes that compute: operators on tensors, which are recorded, and what works on numbers and containers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tsc.compiler.exir import refusals
from tsc.compiler.exir.element_reads import reads_elements
from tsc.compiler.ir import Node, prim
from tsc.compiler.schema import Effects, Operator
from tsc.runtime.execution.node_kernels import operator_of
from tsc.runtime.exporting.capture_state import CaptureState
from tsc.runtime.exporting.control_flow.conditions import condition_read
from tsc.runtime.exporting.control_flow.isolation import refuse_changes_outside
from tsc.runtime.exporting.control_flow.late_texts import in_this_run, text_computed
from tsc.runtime.exporting.control_flow.number_arguments import refuse_unknown, with_sizes
from tsc.runtime.exporting.control_flow.number_arithmetic import may_compute, number_computed
from tsc.runtime.exporting.control_flow.tensor_arrays import answer_of_array, asks_array
from tsc.runtime.exporting.data_dependence import has_late_size, refuse_unknown_size
from tsc.runtime.exporting.data_numbers import data_numbers, hinted
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.kernels import run_kernel, with_number
from tsc.runtime.exporting.node_kinds import is_recorded, makes_containers, shares
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.size_tensors import size_computed, with_plain_sizes
from tsc.runtime.exporting.sizes.unanswered import Unanswered
from tsc.runtime.exporting.tensors import tensors_in

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes


def computed(state: CaptureState, node: Node, values: list[Any]) -> Any:
    """What a node gives on these values: one for its output, or several. Raises `ExportError`."""
    result = _result(state, node, values)
    if makes_containers(node):
        state.note_made(result)
    return result


def _result(state: CaptureState, node: Node, values: list[Any]) -> Any:
    if asks_array(node.kind, values):
        return _of_array(state, node, values)
    sizes = state.recorder.sizes
    if sizes is not None:
        found = _of_sizes(state, sizes, node, values)
        if not isinstance(found, Unanswered):
            return found
    if may_compute(node.kind, values):
        found = _deferred(state.tell_place(), node, values)
        if found is not None:
            return found
    text = text_computed(state.recorder, node, values)
    if text is not None:
        return text
    operator = operator_of(node)
    if node.kind == "prim::Print":
        values = [in_this_run(each) for each in values]
    refuse_unknown(node, operator, values)
    _refuse_kind(state, node)
    if operator is not None and is_recorded(operator):
        return _recorded(state, node, operator, values)
    return _unrecorded(state, node, operator, values)


def _of_array(state: CaptureState, node: Node, values: list[Any]) -> Any:
    """What a node gives, or does to it, for a list of which data tells how long it is."""
    operator = operator_of(node)
    if operator is not None:
        refuse_changes_outside(state, operator, values)
        state.note_changes(operator, values, node.range)
    return answer_of_array(state.tell_place(), node.kind, values)


def _of_sizes(state: CaptureState, sizes: SymbolicSizes, node: Node, values: list[Any]) -> Any:
    """What a node gives that reads sizes which may change, or computes with them."""
    operator = operator_of(node)
    told = operator is not None and is_recorded(operator)
    return sizes.computed(state.tell_place(), node.kind, values, is_recorded=told)


def _deferred(recorder: Recorder, node: Node, values: list[Any]) -> Any:
    """What is known when the program runs: a number or truth value in a tensor, or what is computed of one."""
    found = number_computed(recorder, node, values)
    return condition_read(recorder, node, values) if found is None else found


def _refuse_kind(state: CaptureState, node: Node) -> None:
    """Raise `ExportError` for what cannot be exported whatever it is given."""
    refusal = refusals.OF_KINDS.get(node.kind)
    if refusal is None and state.strict:
        refusal = refusals.LOST_EFFECTS.get(node.kind)
    if refusal is not None:
        raise ExportError(refusal.summary, refusal=refusal, hint=refusal.rewrite)


# -- Operators on tensors --------------------------------------------------------------------------


def _recorded(state: CaptureState, node: Node, operator: Operator, values: Sequence[Any]) -> Any:
    """An operator on tensors; one that has nothing but constants, and no effect, is a constant itself."""
    values = with_number(node, operator, values)
    recorder = state.recorder
    if _folds(recorder, operator, values):
        result = run_kernel(node, values)
        for each in tensors_in(result):
            recorder.note_constant(each, is_fresh=True)
        return result
    refuse_unknown_size(operator, values)
    state.tell_place()
    if has_late_size(operator, values):
        recorder.have_sizes()
    values = with_sizes(recorder, operator, values)
    hints = [hinted(each) for each in values]
    size = size_computed(recorder, operator, values)
    values = with_plain_sizes(recorder, operator, values)
    for each in tensors_in(list(values)):
        recorder.node_of(each)
    recorder.before_call(operator, values)
    result = run_kernel(node, hints)
    recorder.call(operator, values, result)
    if size is not None:
        recorder.note_size(result, size)
    return result


def _folds(recorder: Recorder, operator: Operator, values: Sequence[Any]) -> bool:
    """Whether a result is the same in every run."""
    given = list(tensors_in(list(values)))
    return (
        bool(given)
        and all(map(recorder.is_constant, given))
        and operator.effects is Effects.PURE
        and not shares(operator)
        and not any(data_numbers(list(values)))
    )


# -- All others ------------------------------------------------------------------------------------


def _unrecorded(
    state: CaptureState, node: Node, operator: Operator | None, values: Sequence[Any]
) -> Any:
    """What works on containers, numbers and objects; tensors only go through it."""
    recorder, given = state.recorder, list(tensors_in(list(values)))
    if operator is not None:
        refuse_changes_outside(state, operator, values)
        state.note_changes(operator, values, node.range)
    result = run_kernel(node, values)
    is_known = all(map(recorder.is_constant, given))
    recorder.note_results(node.kind, result, is_known, is_fresh=node.kind != prim.Constant)
    if given and not is_known and reads_elements(node, operator):
        raise ExportError(
            f"{node.kind} reads a number out of a tensor: what the program does next would be decided by "
            "these example arguments",
            hint="compute with tensors: torch.where in the place of if, a tensor of no dimensions in the place "
            "of a number",
            refusal=refusals.ELEMENT,
        )
    return result
