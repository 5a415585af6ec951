"""A product with a transposed matrix, and the bias that is added to it, is one `aten::linear`."""

from __future__ import annotations

from tsc.compiler.ir import Graph, constant_value
from tsc.compiler.passes.replace_pattern import Match, anything, replace_pattern
from tsc.compiler.schema import OperatorTable

_ADDMM = """graph(%input, %weight, %bias, %beta, %alpha):
  %transposed = aten::t(%weight)
  %result = aten::addmm(%bias, %input, %transposed, %beta, %alpha)
  return (%result)"""
_ADDMM_LINEAR = """graph(%input, %weight, %bias, %beta, %alpha):
  %result = aten::linear(%input, %weight, %bias)
  return (%result)"""
_SUM = """graph(%input, %weight, %bias, %alpha):
  %transposed = aten::t(%weight)
  %product = aten::matmul(%input, %transposed)
  %result = aten::ADD(%product, %bias, %alpha)
  return (%result)"""
_SUM_LINEAR = """graph(%input, %weight, %bias, %alpha):
  %result = aten::linear(%input, %weight, %bias)
  return (%result)"""
_PRODUCT = """graph(%input, %weight):
  %transposed = aten::t(%weight)
  %result = aten::matmul(%input, %transposed)
  return (%result)"""
_PRODUCT_LINEAR = """graph(%input, %weight):
  %bias : Tensor? = prim::Constant()
  %result = aten::linear(%input, %weight, %bias)
  return (%result)"""


def fuse_linear(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was one. Sums are only taken in where nothing is multiplied with the summands."""
    changed = False
    for pattern, replacement, wanted in (
        (_ADDMM, _ADDMM_LINEAR, _adds_plainly),
        (_SUM.replace("ADD", "add_"), _SUM_LINEAR, _adds_plainly),
        (_SUM.replace("ADD", "add"), _SUM_LINEAR, _adds_plainly),
        (_PRODUCT, _PRODUCT_LINEAR, anything),
    ):
        changed |= replace_pattern(
            graph, operators=operators, pattern=pattern, replacement=replacement, wanted=wanted
        )
    return changed


def _adds_plainly(match: Match) -> bool:
    factors = [match[name] for name in ("alpha", "beta") if name in match]
    return all(constant_value(factor) == 1 for factor in factors)
