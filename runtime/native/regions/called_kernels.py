"""Which operators have native code of their own; of others code calls the kernels, on numbers, strings and lists of
these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Graph, Node, prim
from tsc.compiler.schema import Effects, Operator, Promotion
from tsc.compiler.types import COMPLEX, NUMBER, ListType, OptionalType, TupleType, Type
from tsc.runtime.execution.node_kernels import kernel_of, operator_of
from tsc.runtime.native.regions.forms import NUMBERS, NotNative, ScalarForm, form_of
from tsc.runtime.native.regions.number_operators import is_known


class KernelFailed(Exception):
    """A kernel that code called raised an error: the error, and the node."""


def is_lowered(operator: Operator, types: Sequence[Type]) -> bool:
    """Whether an operator says how it becomes native code on values of these types."""
    if operator.lowering is not None:
        takes_any = any(each.type == NUMBER for each in operator.schema.arguments)
        return not takes_any or COMPLEX not in types
    expression = operator.expression
    if expression is None or expression.promotion is not Promotion.NUMBERS:
        return False
    return all(form_of(each) in NUMBERS for each in types) and is_known(expression.term)


def is_lowered_for(node: Node) -> bool:
    """The same of the operator of a node, on what the node reads."""
    return node.operator is not None and is_lowered(
        node.operator, [value.type for value in node.inputs]
    )


def is_called_back(node: Node) -> bool:
    """Whether a node that has no native code can be run by its kernel: it changes nothing that native code sees."""
    operator = operator_of(node)
    if operator is None or operator.is_mutable or operator.kernel is None:
        return False
    if operator.effects is not Effects.PURE and node.kind != prim.Print:
        return False
    if any(each.alias_info is not None for each in operator.schema.returns):
        return False
    results = [value.type for value in node.outputs]
    return (
        len(results) <= 1
        and all(_is_given(value.type) for value in node.inputs)
        and all(map(_is_taken, results))
        and not is_lowered_for(node)
    )


def _is_given(type: Type) -> bool:
    """Whether a kernel can be given values of a type."""
    if isinstance(type, OptionalType):
        return _is_plain(type.element)
    return _is_taken(type)


def _is_taken(type: Type) -> bool:
    """Whether values of a type can be taken from a kernel."""
    if isinstance(type, ListType):
        return _is_taken(type.element) and not isinstance(type.element, ListType)
    if isinstance(type, TupleType):
        return type.field_names is None and all(map(_is_plain, type.elements))
    return _is_plain(type)


def _is_plain(type: Type) -> bool:
    try:
        return isinstance(form_of(type), ScalarForm)
    except NotNative:
        return False


def symbols_of_called(graph: Graph) -> dict[Node, str]:
    """What code calls the kernels."""
    called = [node for node in graph.all_nodes() if is_called_back(node)]
    return {node: f"kernel_{place}" for place, node in enumerate(called)}


def called_kernels(graph: Graph) -> dict[str, Callable[..., Any]]:
    """The kernels, by symbol."""
    return {symbol: _called(node) for node, symbol in symbols_of_called(graph).items()}


def _called(node: Node) -> Callable[..., Any]:
    kernel = kernel_of(node)

    def call(*values: Any) -> Any:
        try:
            return kernel(*values)
        except Exception as error:
            raise KernelFailed(error, node) from error

    return call
