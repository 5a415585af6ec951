"""Operators that have no form in ONNX: of programs that are to be models, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tsc.compiler.exir import refusals
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.exir.explanation.finding import Finding, at_node
from tsc.compiler.exir.exportable_types import holds_tensors, is_open
from tsc.compiler.ir import Node

HasForm = Callable[[str], bool]
"""Whether an operator, ``aten::add.Tensor``, or what it is made of, has a form in ONNX."""


def without_form(node: Node, facts: Facts, has_form: HasForm) -> Iterator[Finding]:
    """A call of an operator on tensors that are no constants, which stays a call in what is exported."""
    operator = node.operator
    if operator is None or not node.kind.startswith("aten::") or has_form(operator.qualified_name):
        return
    schema = operator.schema
    if any(is_open(each.type) for each in schema.arguments):
        return  # of lists and dicts, which are dissolved
    if facts.constants.reads_others(node) and any(holds_tensors(e.type) for e in schema.returns):
        message = f"{operator.qualified_name} has no form in ONNX"
        yield at_node(refusals.ONNX_OPERATOR, node, message)
