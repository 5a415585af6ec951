"""What nodes make of tensors: the forms of their results.

Of computations on single elements nothing is told twice: their kernels are tried on tensors of one element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Node, constant_value, is_constant, prim
from tsc.compiler.schema import Operator, Promotion
from tsc.compiler.schema.scalar_terms import operators_in
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.native.expressions.expression_lowering import LOWERED
from tsc.runtime.native.expressions.pointwise_nodes import compute_dtype
from tsc.runtime.native.regions.forms import (
    INTEGER,
    REAL,
    TRUTH,
    Form,
    ListForm,
    NotNative,
)
from tsc.runtime.native.regions.tensor_forms import (
    ElementForm,
    KnownForm,
    TensorForm,
    is_single,
    is_small,
    new_tensor,
    number_form,
)
from tsc.runtime.operators.registration import table
from tsc.runtime.values.tensor import Tensor

_SAMPLES: Final[dict[Form, Any]] = {INTEGER: 1, REAL: 1.0, TRUTH: True}
FILLED: Final = ("aten::zeros", "aten::ones", "aten::full")
"""What makes tensors of one number."""
SEEN: Final = frozenset({"aten::select", "prim::dtype", "prim::device"})
"""What makes no tensor and changes none: it can be done again."""


@dataclass(frozen=True, slots=True)
class Computation:
    """What a node computes of single elements: by which operator, in which dtype, and of which the result is."""

    operator: Operator
    computed: np.dtype
    result: np.dtype
    rank: int
    writes: bool


def result_forms(node: Node, operands: Sequence[Form]) -> list[Form]:
    """The forms of what a node makes of tensors. Raises NotNative."""
    rule = _RULES.get(node.kind)
    if rule is not None:
        return [rule(node, operands)]
    if node.kind == "aten::tensor":
        made = _tried(node, operands).array
        return [new_tensor(made.dtype, made.ndim)]
    computation = computation_of(node, operands)
    if computation.writes:
        return [operands[0]]
    return [new_tensor(computation.result, computation.rank)]


def computation_of(node: Node, operands: Sequence[Form]) -> Computation:
    """Raises NotNative for what is none."""
    operator = node.operator
    if operator is None or len(node.outputs) != 1:
        raise NotNative(f"{node.kind} of tensors has no native code")
    writes = operator.is_mutable
    if writes:
        _check_written(node, operands)
        operator = table.find(node.kind[:-1], operator.overload_name) or operator
    expression = operator.expression
    if (
        expression is None
        or expression.promotion is Promotion.NUMBERS
        or not operators_in(expression.term) <= LOWERED
        or not all(
            is_small(each) or each in _SAMPLES or isinstance(each, KnownForm) for each in operands
        )
    ):
        raise NotNative(f"{node.kind} of tensors has no native code")
    _tried(node, operands)
    samples = [_sample(*each) for each in zip(node.inputs, operands)]
    kernel: Any = operator.kernel
    result = kernel(*samples)
    return Computation(
        operator,
        compute_dtype(expression, samples, result),
        result.array.dtype,
        result.array.ndim,
        writes,
    )


def _check_written(node: Node, operands: Sequence[Form]) -> None:
    written = operands[0]
    if not isinstance(written, TensorForm | ElementForm) or written.rank > 1:
        raise NotNative("only single elements and rows of a tensor are written")
    others = [each for each in operands[1:] if isinstance(each, TensorForm)]
    if written.rank == 1:
        _check_row(written, others)
    elif any(each.dtype.itemsize != written.dtype.itemsize for each in others):
        raise NotNative("elements of several sizes may share memory")


def _check_row(written: TensorForm | ElementForm, others: Sequence[TensorForm]) -> None:
    """What is written may not be read at other places meanwhile."""
    if written.memory.roots or any(each.memory.is_same(written.memory) for each in others):
        raise NotNative("rows that may share memory with others are not written")


def _tried(node: Node, operands: Sequence[Form]) -> Tensor:
    samples = [_sample(*each) for each in zip(node.inputs, operands)]
    try:
        result: Any = kernel_of(node)(*samples)
    except ScriptError as error:
        raise NotNative(f"{node.kind} raises {error.kind}") from None
    if not isinstance(result, Tensor) or result.array.ndim > 1 or result.autograd is not None:
        raise NotNative(f"{node.kind} of tensors has no native code")
    return result


def _sample(value: Any, form: Form) -> Any:
    if is_constant(value):
        return constant_value(value)
    if isinstance(form, TensorForm | ElementForm):
        return Tensor(np.ones((2,) * form.rank, form.dtype))
    if isinstance(form, KnownForm):
        return form.content
    if isinstance(form, ListForm) and form.element in _SAMPLES:
        return [_SAMPLES[form.element]] * 2
    if form not in _SAMPLES:
        raise NotNative("there is no sample of it")
    return _SAMPLES[form]


# -- Rules of operators ------------------------------------------------------------------------


def _tensor(form: Form) -> TensorForm:
    if not isinstance(form, TensorForm):
        raise NotNative("an element that was computed has no memory")
    return form


def _single(form: Form) -> Any:
    if not is_single(form):
        raise NotNative("a tensor of several elements is no number")
    return form


def dimension(node: Node, form: Form) -> int:
    """The dimension that a node names; one that the tensor does not have is left to the interpreter."""
    rank, place = _tensor(form).rank, constant_value(node.inputs[1])
    if not isinstance(place, int) or not -rank <= place < rank:
        raise NotNative("the dimension is not known, or there is none")
    return place % rank


def _selected(node: Node, operands: Sequence[Form]) -> Form:
    form = _tensor(operands[0])
    dimension(node, form)
    return TensorForm(form.dtype, form.rank - 1, form.memory)


def _sizes(node: Node, operands: Sequence[Form]) -> Form:
    form = _tensor(operands[0])
    if len(node.inputs) == 1:
        return ListForm(INTEGER)
    dimension(node, form)
    return INTEGER


def _count(node: Node, operands: Sequence[Form]) -> Form:
    if _tensor(operands[0]).rank == 0 and node.kind == "aten::len":
        raise NotNative("a tensor without dimensions has no length")
    return INTEGER


def _number(_node: Node, operands: Sequence[Form]) -> Form:
    return number_form(_single(operands[0]).dtype)


def _number_as(form: Form) -> Callable[[Node, Sequence[Form]], Form]:
    def rule(_node: Node, operands: Sequence[Form]) -> Form:
        _single(operands[0])
        return form

    return rule


def _implicit_int(_node: Node, operands: Sequence[Form]) -> Form:
    if number_form(_single(operands[0]).dtype) is not INTEGER:
        raise NotNative("only an integral tensor stands for an int")
    return INTEGER


def _written(node: Node, operands: Sequence[Form]) -> Form:
    _check_written(node, operands)
    if not (is_single(operands[1]) or operands[1] in _SAMPLES):
        raise NotNative("only single elements are written")
    return operands[0]


def _known(node: Node, operands: Sequence[Form]) -> Form:
    form = operands[0]
    if not isinstance(form, TensorForm | ElementForm):
        raise NotNative("this is known of tensors only")
    return KnownForm(kernel_of(node)(Tensor(np.ones((), form.dtype))))


def filled_sample(node: Node) -> np.ndarray:
    """What ``zeros([n])``, ``zeros_like`` and the like make, with at most two elements. Raises NotNative."""
    first, *settings = node.inputs
    if not all(map(is_constant, settings)):
        raise NotNative(f"{node.kind} of what is not known has no native code")
    sizes = [2] * len(first.node.inputs)
    if first.node.kind != prim.ListConstruct or len(sizes) > 1:
        raise NotNative(f"{node.kind} of several dimensions has no native code")
    made: Any = kernel_of(node)(sizes, *map(constant_value, settings))
    if made.autograd is not None:
        raise NotNative("what gradients are recorded for is no number")
    return made.array


def _filled(node: Node, _operands: Sequence[Form]) -> Form:
    made = filled_sample(node)
    return new_tensor(made.dtype, made.ndim)


def _in_list(form: Form) -> TensorForm | ElementForm:
    element = form.element if isinstance(form, ListForm) else None
    if not isinstance(element, TensorForm | ElementForm):
        raise NotNative("it is not known what the tensors in a list are")
    return element


def _item(_node: Node, operands: Sequence[Form]) -> Form:
    return _in_list(operands[0])


def _stacked(node: Node, operands: Sequence[Form]) -> Form:
    element = _in_list(operands[0])
    if constant_value(node.inputs[1]) != 0 or element.rank > 1:
        raise NotNative("only elements and rows are stacked, one after the other")
    return new_tensor(element.dtype, element.rank + 1)


_RULES: Final[dict[str, Callable[[Node, Sequence[Form]], Form]]] = {
    "aten::select": _selected,
    "aten::size": _sizes,
    "aten::len": _count,
    "aten::dim": _count,
    "aten::numel": _count,
    "aten::item": _number,
    "aten::Float": _number_as(REAL),
    "aten::FloatImplicit": _number_as(REAL),
    "aten::Int": _number_as(INTEGER),
    "aten::IntImplicit": _implicit_int,
    "aten::Bool": _number_as(TRUTH),
    "aten::copy_": _written,
    "aten::__getitem__": _item,
    "aten::stack": _stacked,
    **dict.fromkeys(FILLED, _filled),
    "prim::dtype": _known,
    "prim::device": _known,
}
