"""Operators that are other operators under a second name get their first one."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import aten
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.types import BOOL

FIRST_NAMES: Final = {
    f"aten::{second}": f"aten::{first}"
    for second, first in {
        "absolute": "abs",
        "absolute_": "abs_",
        "adjoint": "mH",
        "arccos": "acos",
        "arccos_": "acos_",
        "arccosh": "acosh",
        "arccosh_": "acosh_",
        "arcsin": "asin",
        "arcsin_": "asin_",
        "arcsinh": "asinh",
        "arcsinh_": "asinh_",
        "arctan": "atan",
        "arctan_": "atan_",
        "arctan2": "atan2",
        "arctan2_": "atan2_",
        "arctanh": "atanh",
        "arctanh_": "atanh_",
        "clip": "clamp",
        "clip_": "clamp_",
        "concat": "cat",
        "concatenate": "cat",
        "det": "linalg_det",
        "divide": "div",
        "divide_": "div_",
        "fix": "trunc",
        "fix_": "trunc_",
        "ger": "outer",
        "greater": "gt",
        "greater_": "gt_",
        "greater_equal": "ge",
        "greater_equal_": "ge_",
        "inverse": "linalg_inv",
        "less": "lt",
        "less_": "lt_",
        "less_equal": "le",
        "less_equal_": "le_",
        "linalg_matmul": "matmul",
        "matrix_exp": "linalg_matrix_exp",
        "matrix_power": "linalg_matrix_power",
        "moveaxis": "movedim",
        "multiply": "mul",
        "multiply_": "mul_",
        "negative": "neg",
        "negative_": "neg_",
        "not_equal": "ne",
        "not_equal_": "ne_",
        "orgqr": "linalg_householder_product",
        "row_stack": "vstack",
        "special_digamma": "digamma",
        "special_erf": "erf",
        "special_erfc": "erfc",
        "special_erfinv": "erfinv",
        "special_exp2": "exp2",
        "special_expit": "sigmoid",
        "special_expm1": "expm1",
        "special_gammainc": "igamma",
        "special_gammaincc": "igammac",
        "special_gammaln": "lgamma",
        "special_i0": "i0",
        "special_log1p": "log1p",
        "special_log_softmax": "log_softmax",
        "special_logit": "logit",
        "special_logsumexp": "logsumexp",
        "special_multigammaln": "mvlgamma",
        "special_polygamma": "polygamma",
        "special_psi": "digamma",
        "special_round": "round",
        "special_sinc": "sinc",
        "special_softmax": "softmax",
        "special_xlogy": "xlogy",
        "subtract": "sub",
        "subtract_": "sub_",
        "swapaxes": "transpose",
        "swapaxes_": "transpose_",
        "swapdims": "transpose",
        "swapdims_": "transpose_",
        "true_divide": "div",
        "true_divide_": "div_",
    }.items()
}
_BOOL_COMPARISONS: Final = {aten.is_: aten.eq, aten.isnot: aten.ne}


def normalize_ops(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was such an operator. ``operators`` has those with first names."""
    changed = False
    for node in graph.all_nodes():
        changed |= _normalize(node, operators)
    return changed


def _normalize(node: Node, operators: OperatorTable) -> bool:
    if node.kind in FIRST_NAMES:
        return _rename(node, FIRST_NAMES[node.kind], operators)
    if node.kind == "aten::rsub" and node.operator is not None:
        return node.operator.overload_name == "Tensor" and _swap_subtraction(node, operators)
    if node.kind in _BOOL_COMPARISONS and [value.type for value in node.inputs] == [BOOL, BOOL]:
        return _rename(node, _BOOL_COMPARISONS[node.kind], operators)
    return False


def _swap_subtraction(node: Node, operators: OperatorTable) -> bool:
    """``rsub(a, b)`` is ``sub(b, a)``."""
    if not _rename(node, aten.sub, operators):
        return False
    subtrahend = node.replace_input(0, node.inputs[1])
    node.replace_input(1, subtrahend)
    return True


def _rename(node: Node, kind: str, operators: OperatorTable) -> bool:
    """An operator that has no implementation under its first name keeps its second."""
    operator = _same_overload(node, kind, operators)
    if operator is None:
        return False
    node.kind = kind
    node.operator = operator
    return True


def _same_overload(node: Node, kind: str, operators: OperatorTable) -> Operator | None:
    """The overload of the same name if it takes the inputs, or else the first one that does."""
    if node.operator is not None:
        same = operators.find(kind, node.operator.overload_name)
        if same is not None and _takes_inputs(same, node):
            return same
    overloads = operators.operators_for(kind)
    return next((operator for operator in overloads if _takes_inputs(operator, node)), None)


def _takes_inputs(operator: Operator, node: Node) -> bool:
    arguments = operator.schema.arguments
    return len(arguments) == len(node.inputs) and all(
        value.type.is_subtype_of(argument.type) for value, argument in zip(node.inputs, arguments)
    )
