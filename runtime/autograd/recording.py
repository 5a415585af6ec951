"""Kernels that leave nodes behind: the plain kernel runs, and what requires a gradient is noted.

Whether anything does is one look at each operand. Programs run such kernels only while some tensor requires a gradient
(`context.gradient_state`); all others run the plain ones.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.schema import Argument, Operator
from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.autograd.formulas import NO_GRADIENT, Formula, Group
from tsc.runtime.autograd.inference import (
    WITHOUT_HISTORY,
    check_not_inference,
    hand_on,
    handing_on,
    marking,
)
from tsc.runtime.autograd.nodes import Edge, Node, edge_of
from tsc.runtime.autograd.operator_steps import (
    OperatorStep,
    in_place_step,
    is_list_of_tensors,
    is_tensor,
    step_of,
)
from tsc.runtime.autograd.views import (
    SEVERAL,
    WITHOUT_GRAD,
    Geometry,
    GeometryStep,
    check_history,
    check_view_writable,
    check_writable,
    link,
    meet_earlier,
    refreshed,
    rewrite,
    share_memory,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled, is_inference_mode_enabled
from tsc.runtime.context.gradient_state import note_write
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor

Kernel = Callable[..., Any]

_UNRECORDED: Final = frozenset(
    {
        *(
            "aten::detach_",
            "aten::requires_grad_",
            "aten::retain_grad",
        ),
        *("aten::backward", "aten::grad", "aten::_backward", "aten::set_data"),
    }
)
"""Operators that deal with gradients themselves."""


def recorded(operator: Operator, kernel: Kernel) -> Kernel:
    """`kernel`, which is that of the operator, or what runs it and notes what it did."""
    schema = operator.schema
    if operator.name in WITHOUT_HISTORY:
        return handing_on(kernel)
    if operator.name in _UNRECORDED or operator.name.startswith("prim::") or schema.is_vararg:
        return kernel
    gives_tensors = any(
        is_tensor(each.type) or is_list_of_tensors(each.type) for each in schema.returns
    )
    if schema.is_mutable:
        return _writing(operator, kernel)
    step = step_of(operator)
    if not gives_tensors or step.formula is NO_GRADIENT or not (step.tensors or step.lists):
        return kernel
    if step.formula is not None and step.formula.body is not None:
        return _in_other_terms(step, step.formula, step.formula.body, kernel)
    if any(each.alias_info is not None for each in schema.returns):
        return _viewing(step, kernel)
    if step.lists:
        return _of_lists(step, kernel)
    match step.tensors:
        case [0]:
            return _of_first(step, kernel)
        case [0, 1]:
            return _of_two(step, kernel)
        case _:
            return _of_lists(step, kernel)


def eager_kernel(operator: Operator) -> Kernel:
    """What runs an operator that is called from Python, where something may be recorded."""
    return (_marking_kernel if is_inference_mode_enabled() else _recording_kernel)(operator)


def _bare_kernel(operator: Operator) -> Kernel:
    kernel = operator.kernel
    assert kernel is not None
    return kernel(None) if operator.node_kernel else kernel


@functools.cache
def _recording_kernel(operator: Operator) -> Kernel:
    return recorded(operator, _bare_kernel(operator))


@functools.cache
def _marking_kernel(operator: Operator) -> Kernel:
    return marking(operator, _bare_kernel(operator))


def _of_first(step: OperatorStep, kernel: Kernel) -> Kernel:
    def run(first: Any, *rest: Any) -> Any:
        result = kernel(first, *rest)
        if first is not None and first.autograd is not None and is_grad_enabled():
            note(step, (first, *rest), result)
        return result

    return run


def _of_two(step: OperatorStep, kernel: Kernel) -> Kernel:
    def run(first: Any, second: Any, *rest: Any) -> Any:
        result = kernel(first, second, *rest)
        if (
            (first is not None and first.autograd is not None)
            or (second is not None and second.autograd is not None)
        ) and is_grad_enabled():
            note(step, (first, second, *rest), result)
        return result

    return run


def _of_lists(step: OperatorStep, kernel: Kernel) -> Kernel:
    def run(*values: Any) -> Any:
        result = kernel(*values)
        if is_grad_enabled() and has_record(step, values):
            note(step, values, result)
        return result

    return run


def _in_other_terms(step: OperatorStep, formula: Formula, body: str, kernel: Kernel) -> Kernel:
    """What an operator computes is recorded as what its body does."""
    names = [argument.name for argument in step.arguments]

    def run(*values: Any) -> Any:
        if not is_grad_enabled() or not has_record(step, values) or not edges_of(step, values):
            return kernel(*values)
        if formula.runs_operator:
            kernel(*values)
        function, parameters = step.function(Group(("",), body))
        return function.record([values[names.index(name)] for name in parameters])

    return run


def has_record(step: OperatorStep, values: Sequence[Any]) -> bool:
    """Whether any operand carries something for gradients."""
    for k in step.tensors:
        value = values[k]
        if value is not None and value.autograd is not None:
            return True
    for k in step.lists:
        for each in values[k] or ():
            if each is not None and each.autograd is not None:
                return True
    return False


# -- What was computed -----------------------------------------------------------------------------


def edges_of(step: OperatorStep, values: Sequence[Any]) -> list[Edge]:
    """An edge for each operand that requires a gradient."""
    edges: list[Edge] = []
    for k in step.tensors:
        value = values[k]
        if value is not None and (record := requiring(value)) is not None:
            edges.append(edge_of(value, record, k))
    for k in step.lists:
        for position, value in enumerate(values[k] or ()):
            if value is not None and (record := requiring(value)) is not None:
                edges.append(edge_of(value, record, k, position))
    return edges


def requiring(tensor: Tensor) -> AutogradRecord | None:
    """The record of a tensor that requires a gradient, as writing to what it looks into may have made it."""
    record = tensor.autograd if tensor.has_array else None
    if record is not None and record.base is not None:
        check_history(tensor)
        record = refreshed(tensor)
    return record if record is not None and record.requires else None


def note(step: OperatorStep, values: Sequence[Any], result: Any) -> None:
    """Give the results of an operator their node, if an operand requires a gradient."""
    edges = edges_of(step, values)
    if not edges:
        return
    results = result if type(result) in (list, tuple) else (result,)
    made = [k for k, each in enumerate(results) if may_require(each, values)]
    if step.withheld:
        made = [k for k in made if k not in step.withheld]
    if not made:
        return
    saved = step.saved_inputs(values)
    node = Node(step, edges, saved, [described(each) for each in results])
    step.save_results(saved, results)
    for k in made:
        results[k].autograd = AutogradRecord(True, node, k)


def may_require(result: Any, values: Sequence[Any]) -> bool:
    """Whether a result is a new tensor of floating-point or complex numbers that has no history yet."""
    if not _has_array(result) or any(result is value for value in values):
        return False
    if result.autograd is not None and result.autograd.requires:
        return False
    return CATEGORY[result.array.dtype] >= FLOATING


def _has_array(value: Any) -> bool:
    return isinstance(value, Tensor) and value.has_array


def described(value: Any) -> tuple[tuple[int, ...], np.dtype] | None:
    """Sizes and dtype of a result that is a tensor."""
    return (value.array.shape, value.array.dtype) if _has_array(value) else None


# -- Views -----------------------------------------------------------------------------------------


def _viewing(step: OperatorStep, kernel: Kernel) -> Kernel:
    """Operators whose results share memory with their first operand, or may."""
    has_geometry = step.operator.name == "aten::as_strided"

    def run(*values: Any) -> Any:
        result = kernel(*values)
        source = values[0]
        if result is source or not _has_array(source):
            return result
        if source.autograd is not None and source.autograd.inference is not None:
            _hand_on_all(result, source)
        if not is_grad_enabled():
            _link(result, source, WITHOUT_GRAD)
            return result
        if has_geometry:
            _note_geometry(values[0], result)
        elif has_record(step, values):
            note(step, values, result)
        _link(result, source)
        return result

    return run


def _hand_on_all(result: Any, source: Tensor) -> None:
    for view in result if type(result) is list else (result,):
        hand_on(view, source)


def _link(result: Any, source: Any, kind: str | None = None) -> None:
    several = type(result) is list
    if several and kind is None:
        kind = SEVERAL
    for view in result if several else (result,):
        if _has_array(view) and view is not source and share_memory(view.array, source.array):
            link(view, source, kind)


def _note_geometry(source: Tensor, view: Tensor) -> None:
    record = requiring(source)
    if record is not None:
        step = GeometryStep(Geometry.of(source), Geometry.of(view))
        node = Node(step, (edge_of(source, record),), {}, (described(view),))
        view.autograd = AutogradRecord(True, node)


# -- Writing ---------------------------------------------------------------------------------------


def _writing(operator: Operator, kernel: Kernel) -> Kernel:
    """Operators that write to operands: in place, to ``out``, or to running statistics."""
    arguments = operator.schema.arguments
    written = tuple(k for k, each in enumerate(arguments) if _writes(each))
    if written == (0,) and not arguments[0].kwarg_only:
        return _in_place(in_place_step(operator), kernel)
    if arguments[written[0]].kwarg_only:
        return _to_outputs(operator, kernel, written)
    return _of_lists(step_of(operator), kernel)


def _writes(argument: Argument) -> bool:
    return argument.alias_info is not None and argument.alias_info.writes


def _in_place(step: OperatorStep, kernel: Kernel) -> Kernel:
    keeps_self = any(k == 0 and whole for k, whole in step.saves)

    def run(*values: Any) -> Any:
        target = values[0]
        if not _has_array(target):
            return kernel(*values)
        check_not_inference(target)
        recording = is_grad_enabled()
        if recording:
            check_view_writable(target)
        edges = edges_of(step, values) if recording and has_record(step, values) else []
        if not edges:
            if recording:
                _check_view(target)
            note_write(storage_of(target.array))
            return kernel(*values)
        meet_earlier(target)
        check_writable(target)
        before = _kept(target) if keeps_self else target
        saved = step.saved_inputs((before, *values[1:]))
        result = kernel(*values)
        note_write(storage_of(target.array))
        node = Node(step, edges, saved, [described(target)])
        step.save_results(saved, (target,))
        rewrite(target, node)
        return result

    return run


def _check_view(target: Tensor) -> None:
    """Raise `ScriptError` where numbers are written to what looks into a tensor that requires a gradient."""
    if target.autograd is None and target.array.base is not None:
        meet_earlier(target)
        if target.autograd is None:
            target.autograd = AutogradRecord(
                False
            )  # nothing looks there too: it is not asked again
    record = target.autograd
    if record is not None and record.base is not None and record.base.requires_grad:
        check_writable(target)


def _kept(target: Tensor) -> Tensor:
    """What a tensor is before it is written to."""
    kept = Tensor(target.array.copy())
    kept.autograd = target.autograd
    return kept


def _to_outputs(operator: Operator, kernel: Kernel, written: Sequence[int]) -> Kernel:
    step = step_of(operator)

    def run(*values: Any) -> Any:
        if is_grad_enabled() and edges_of(step, values):
            name = operator.name.rpartition("::")[2]
            message = (
                f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
                "arguments requires grad. Call it without out, or under torch.no_grad()"
            )
            raise ScriptError("RuntimeError", message)
        outputs = [
            each
            for k in written
            for each in (values[k] if type(values[k]) is list else (values[k],))
            if _has_array(each)
        ]
        for each in outputs:
            check_not_inference(each)
        result = kernel(*values)
        for each in outputs:
            note_write(storage_of(each.array))
        return result

    return run
