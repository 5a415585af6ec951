"""Functions of Python on sizes, and operators that give, take or check them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.translation.scope import (
    Scope,
    Translated,
    TranslationError,
    arguments_of,
    plain_constant,
)
from tsc.compiler.ir import Value, prim
from tsc.compiler.types import BOOL, INT, TENSOR

_KINDS: Final = {
    "operator.add": "aten::add",
    "operator.sub": "aten::sub",
    "operator.mul": "aten::mul",
    "operator.floordiv": "aten::floordiv",
    "operator.truediv": "aten::div",
    "operator.mod": "aten::remainder",
    "operator.neg": "aten::neg",
    "operator.eq": "aten::eq",
    "operator.ne": "aten::ne",
    "operator.lt": "aten::lt",
    "operator.le": "aten::le",
    "operator.gt": "aten::gt",
    "operator.ge": "aten::ge",
    "operator.and_": "aten::__and__",
    "operator.or_": "aten::__or__",
    "operator.lshift": "aten::__lshift__",
    "operator.rshift": "aten::__rshift__",
    "math.trunc": "aten::Int",
    "torch.sym_int": "aten::Int",
    "torch.sym_float": "aten::Float",
    "torch.sym_not": "aten::__not__",
    "torch.sym_max": "prim::max",
    "torch.sym_min": "prim::min",
    "torch.sym_sqrt": "aten::sqrt",
    "torch.ops.aten.sym_numel.default": "aten::numel",
    "torch.ops.aten.sym_stride.int": "aten::stride",
    "torch.ops.aten.sym_storage_offset.default": "aten::storage_offset",
}
"""Operators of TorchScript that do the same."""


def translate_size_function(scope: Scope, node: Node, target: Target) -> Translated:
    """The value of a call that `is_size_function` knows."""
    special = _SPECIAL.get(target.text)
    if special is not None:
        return special(scope, node)
    return scope.insert(_KINDS[target.text], *map(scope.value, node.args))


def is_size_function(target: Target) -> bool:
    """Whether a target is translated here."""
    return target.text in _SPECIAL or target.text in _KINDS


def _getitem(scope: Scope, node: Node) -> Translated:
    """An element of a tuple of results, or of a list that the program makes."""
    whole, place, *_ = arguments_of(node, 2)
    if not isinstance(whole, Node) or type(place) is not int:
        raise TranslationError(f"{node.name} takes an element of what is no list")
    found = scope.values.get(whole)
    if isinstance(found, list):
        if not 0 <= place < len(found):
            raise TranslationError(f"{node.name}: {whole.name} has no element {place}")
        return found[place]
    return scope.insert("aten::__getitem__", scope.value(whole), place)


def _power(scope: Scope, node: Node) -> Translated:
    """Of ints, an int: TorchScript's own ``pow`` of ints is a float, as that of floats is."""
    base, exponent, *_ = map(scope.value, arguments_of(node, 2))
    if not all(each.type.is_subtype_of(INT) for each in (base, exponent)):
        return scope.insert("aten::pow", base, exponent)
    operator = scope.operators.find("aten::pow", "int_to_int")
    if operator is None:
        raise TranslationError("there is no aten::pow.int_to_int")
    call = scope.graph.insert_node(scope.graph.create(operator, [base, exponent]))
    return call.output.set_type(operator.schema.returns[0].type)


def _choice(scope: Scope, node: Node) -> Translated:
    """``sym_ite``: one of two numbers."""
    condition, *choices = map(scope.value, arguments_of(node, 3)[:3])
    graph = scope.graph
    branch = graph.insert_node(graph.create(prim.If, [condition], 0))
    for each in choices:
        branch.add_block().register_output(each)
    return branch.add_output(choices[0].type)


_NUMBER_OF: Final = {"bool": "aten::Bool", "float": "aten::Float", "complex": "aten::Complex"}


def _item(scope: Scope, node: Node) -> Translated:
    """The only element of a tensor, as a number of its kind."""
    given, *_ = arguments_of(node, 1)
    known = given.meta.get("val") if isinstance(given, Node) else None
    name = known.dtype.name.rstrip("0123456789") if isinstance(known, FakeTensor) else "int"
    kind = _NUMBER_OF.get("float" if name == "bfloat" else name, "aten::Int")
    return scope.insert(kind, scope.value(given))


# -- Assertions ----------------------------------------------------------------------------------


def assert_true(scope: Scope, condition: Value, message: str) -> None:
    """Raises a RuntimeError with the message, unless the condition holds."""
    graph = scope.graph
    if condition.type.is_subtype_of(TENSOR):
        condition = scope.insert("aten::Bool", condition)
    branch = graph.insert_node(graph.create(prim.If, [condition], 0))
    branch.add_block()
    with graph.insert_at(branch.add_block()):
        text = graph.insert_constant(message)
        kind = graph.insert_constant("RuntimeError")
        graph.insert_node(graph.create(prim.RaiseException, [text, kind], 0))


def _assert(scope: Scope, node: Node) -> Translated:
    checked, *rest = arguments_of(node, 1)
    condition = scope.value(checked)
    if not condition.type.is_subtype_of(TENSOR) and not condition.type.is_subtype_of(BOOL):
        condition = scope.insert("aten::ne", condition, 0)
    message = rest[0] if rest else "Expected Tensor with single nonzero value, but got zero"
    assert_true(scope, condition, str(message))


def _assert_metadata(scope: Scope, node: Node) -> Translated:
    """That a tensor has the dtype for which the program was made."""
    tensor, *rest = arguments_of(node, 1)
    dtype = node.kwargs.get("dtype", rest[2] if len(rest) > 2 else None)
    if dtype is not None:
        found = scope.insert("prim::dtype", scope.value(tensor))
        same = scope.insert("aten::eq", found, plain_constant(dtype))
        assert_true(scope, same, "Tensor dtype mismatch!")


def _constrain(scope: Scope, node: Node) -> Translated:
    """That a number lies in a range."""
    constrained, *bounds = arguments_of(node, 1)
    size = scope.value(constrained)
    for place, (name, kind, sign) in enumerate(_BOUNDS):
        bound = node.kwargs.get(name, bounds[place] if len(bounds) > place else None)
        if bound is not None:
            message = f"Invalid value range: expected {constrained} {sign} {bound}"
            assert_true(scope, scope.insert(kind, size, scope.value(bound)), message)


_BOUNDS: Final = (("min", "aten::ge", ">="), ("max", "aten::le", "<="))


_SPECIAL: Final[dict[str, Callable[[Scope, Node], Translated]]] = {
    "operator.getitem": _getitem,
    "operator.pow": _power,
    "operator.pos": lambda scope, node: scope.value(arguments_of(node, 1)[0]),
    "torch.sym_ite": _choice,
    "torch.ops.aten.item.default": _item,
    "torch.ops.aten._local_scalar_dense.default": _item,
    "torch.ops.aten._assert_scalar.default": _assert,
    "torch.ops.aten._assert_async.default": _assert,
    "torch.ops.aten._assert_async.msg": _assert,
    "torch.ops.aten._assert_tensor_metadata.default": _assert_metadata,
    "torch.ops.aten.sym_constrain_range.default": _constrain,
    "torch.ops.aten.sym_constrain_range_for_size.default": _constrain,
}
