"""A few operators with their meaning in Python: enough to fold constants in the text cases."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Node, OpaqueConstant
from tsc.compiler.passes.known_values import Known
from tsc.compiler.schema import Aliasing, Effects, Facts, OperatorTable
from tsc.runtime.execution import shape_inference
from tsc.runtime.operators import load

MEANINGS: dict[str, Callable[..., Any] | None] = {
    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor": None,
    "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)": None,
    "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor": None,
    "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor": None,
    "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor": None,
    "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor": None,
    "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor": None,
    "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor": None,
    "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor": None,
    "aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)": None,
    "aten::zero_(Tensor(a!) self) -> Tensor(a!)": None,
    "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor": None,
    "aten::expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)": None,
    "aten::mm(Tensor self, Tensor mat2) -> Tensor": None,
    "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor": None,
    "aten::neg(Tensor self) -> Tensor": None,
    "aten::dim(Tensor self) -> int": None,
    "aten::size(Tensor self) -> int[]": None,
    "aten::size.int(Tensor self, int dim) -> int": None,
    "prim::dtype(Tensor a) -> int": None,
    "prim::is_cuda(Tensor a) -> bool": None,
    "prim::device(Tensor a) -> Device": None,
    "aten::is_floating_point(Tensor self) -> bool": None,
    "aten::type_as(Tensor self, Tensor other) -> Tensor": None,
    "aten::matmul(Tensor self, Tensor other) -> Tensor": None,
    "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor": None,
    "aten::wait(Future(t) self) -> t": None,
    "aten::__round_to_zero_floordiv.int(int a, int b) -> int": None,
    "aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()": None,
    "aten::relu_(Tensor(a!) self) -> Tensor(a!)": None,
    "aten::relu(Tensor self) -> Tensor": None,
    "aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor": None,
    "aten::_add_relu_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)": None,
    "aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor": None,
    "aten::t(Tensor(a) self) -> Tensor(a)": None,
    "aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)": None,
    "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]": None,
    "aten::cat(Tensor[] tensors, int dim=0) -> Tensor": None,
    "aten::_foreach_neg_(Tensor(a!)[] self) -> ()": None,
    "aten::__getitem__.t(t[](a) list, int idx) -> t(*)": None,
    "aten::sigmoid(Tensor self) -> Tensor": None,
    "aten::tanh(Tensor self) -> Tensor": None,
    "aten::acos(Tensor self) -> Tensor": None,
    "aten::arccos(Tensor self) -> Tensor": None,
    "aten::det(Tensor self) -> Tensor": None,
    "aten::gt.Tensor(Tensor self, Tensor other) -> Tensor": None,
    "aten::greater.Tensor(Tensor self, Tensor other) -> Tensor": None,
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor": None,
    "aten::add.int(int a, int b) -> int": operator.add,
    "aten::sub.int(int a, int b) -> int": operator.sub,
    "aten::mul.int(int a, int b) -> int": operator.mul,
    "aten::mul.float(float a, float b) -> float": operator.mul,
    "aten::floordiv.int(int a, int b) -> int": operator.floordiv,
    "aten::neg.float(float a) -> float": operator.neg,
    "aten::lt.int(int a, int b) -> bool": operator.lt,
    "aten::gt.int(int a, int b) -> bool": operator.gt,
    "aten::eq.int(int a, int b) -> bool": operator.eq,
    "aten::eq.bool(bool a, bool b) -> bool": operator.eq,
    "aten::ne.bool(bool a, bool b) -> bool": operator.ne,
    "aten::__and__.bool(bool a, bool b) -> bool": operator.and_,
    "aten::__not__(bool self) -> bool": operator.not_,
    "aten::__is__(t1 self, t2 obj) -> bool": operator.is_,
    "aten::__isnot__(t1 self, t2 obj) -> bool": operator.is_not,
    "aten::Int.float(float a) -> int": int,
    "aten::len.str(str s) -> int": len,
    "aten::len.t(t[] a) -> int": None,
    "aten::len.Dict_str(Dict(str, t) self) -> int": None,
    "aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]": None,
    "aten::__getitem__.Dict_str(Dict(str, t) self, str key) -> t(*)": None,
    "aten::__getitem__.Dict_int(Dict(int, t) self, int key) -> t(*)": None,
    "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)": None,
    "aten::ljust(str self, int width, str fillchar=' ') -> str": str.ljust,
    "aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor": None,
    "aten::dropout(Tensor input, float p, bool train) -> Tensor": None,
    "aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) "
    "-> (Tensor values, Tensor indices)": None,
    "aten::div.float(float a, float b) -> float": operator.truediv,
    "aten::div.int(int a, int b) -> float": operator.truediv,
    "aten::add.float(float a, float b) -> float": operator.add,
    "aten::floordiv.float(float a, float b) -> float": operator.floordiv,
    "aten::Float.Tensor(Tensor a) -> float": None,
    "aten::Float.int(int a) -> float": float,
    "aten::Float.Scalar(Scalar a) -> float": float,
    "prim::NumToTensor.Scalar(Scalar a) -> Tensor": None,
    "prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)": None,
    "aten::is_grad_enabled() -> bool": lambda: True,
    "aten::warn(str message, int stacklevel=2) -> ()": None,
    "prim::Print(...) -> ()": None,
    "prim::MMTreeReduce(...) -> Tensor": None,
    "prim::ConstantChunk(...) -> ...": None,
    "prim::MMBatchSide(...) -> ...": None,
    "prim::RaiseException(str msg, str? cls=None) -> ()": None,
    "prim::unchecked_cast(t x) -> t": lambda x: x,
}

FACTS: dict[str, Facts] = {
    **dict.fromkeys(
        ("aten::is_grad_enabled", "aten::warn", "prim::Print", "prim::RaiseException"),
        Facts(effects=Effects.SIDE_EFFECT),
    ),
    "aten::bernoulli": Facts(effects=Effects.RANDOM),
    "aten::dropout": Facts(effects=Effects.RANDOM_IN_TRAINING),
    "aten::cat": Facts(aliasing=Aliasing.READS_LIST),
    "aten::arccos": Facts(first_name="aten::acos"),
    "aten::greater": Facts(first_name="aten::gt"),
    "aten::det": Facts(first_name="aten::linalg_det"),
}


def make_table() -> OperatorTable:
    table = OperatorTable()
    for schema, meaning in MEANINGS.items():
        name = schema.partition("(")[0].partition(".")[0]
        table.declare(schema, meaning, **FACTS.get(name, {}))
    return table


def evaluate(node: Node, inputs: list[object]) -> list[object] | None:
    """Runs a node whose operator has a meaning here."""
    if node.kind == "prim::TupleUnpack":
        [elements] = inputs
        assert isinstance(elements, tuple)
        return list(elements)
    if node.kind == "prim::ListConstruct":
        return [list(inputs)]
    if node.operator is None or node.operator.kernel is None:
        return None
    try:
        return [node.operator.kernel(*inputs)]
    except ZeroDivisionError:
        return None


def infer(node: Node, inputs: Sequence[Known]) -> list[Known] | None:
    """What the runtime infers with its operator of that name."""
    operator = node.operator
    if operator is not None:
        node.operator = load().find(operator.name, operator.overload_name)
    try:
        return shape_inference.infer(node, inputs)
    finally:
        node.operator = operator


def number_of(constant: object) -> float | None:
    """The number of a constant that is printed as one in braces, as tensors with one element are."""
    text = constant.constant_text() if isinstance(constant, OpaqueConstant) else ""
    return float(text[1:-1]) if text.startswith("{") else None
