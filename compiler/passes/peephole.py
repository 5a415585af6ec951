"""Small rewritings, each of a node and what stands right before it.

A rewriting says what value stands for the output of a node. It never changes what a program can
tell: what it gives is the same number, or the same memory, as the node would have given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.ir import Block, Graph, IfView, Node, Value, aten, constant_value, prim
from tsc.compiler.ir.constants import NOT_CONSTANT
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.peephole_list_idioms import peephole_list_idioms
from tsc.compiler.passes.pool_constants import is_only_read
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import BOOL, FLOAT, INT, NONE, Type, TypeKind, unify_all

Rewriting = Callable[[Node], Value | None]


def peephole(graph: Graph) -> bool:
    """Returns whether anything was rewritten; if so, dead code is gone too.

    As in PyTorch, it is gone as well where one branch gives None and the other does not.
    """
    changed = peephole_list_idioms(graph)
    changed |= _rewrite_block(graph.block)
    if changed or any(map(_gives_optional, graph.all_nodes())):
        changed |= eliminate_dead_code(graph)
    return changed


def _gives_optional(node: Node) -> bool:
    """Whether a branch gives None where the other gives what never is."""
    if node.kind != prim.If:
        return False
    branches = zip(*(block.outputs for block in node.blocks))
    types = [{value.type for value in values} for values in branches]
    return any(len(each) > 1 and NONE in each and not _has_optional(each) for each in types)


def _has_optional(types: set[Type]) -> bool:
    return any(type.kind is TypeKind.OptionalType for type in types)


def _rewrite_block(block: Block) -> bool:
    changed = False
    for node in block.nodes():
        for nested in node.blocks:
            changed |= _rewrite_block(nested)
        if node.kind == prim.If:
            changed |= _rewrite_if(IfView(node))
        changed |= _rewrite_node(node)
    return changed


def _rewrite_node(node: Node) -> bool:
    if len(node.outputs) != 1 or not node.output.has_uses:
        return False
    changed = _is_sum_or_product_of_ints(node) and _constant_last(node)
    rewriting = _none if node.output.type == NONE else _REWRITINGS.get(node.kind)
    replacement = None if rewriting is None else rewriting(node)
    if replacement is None or not may_rewrite("peephole", node):
        return changed
    node.output.replace_all_uses_with(replacement)
    return True


def _rewrite_if(view: IfView) -> bool:
    """``True if c else False`` is ``c``; what neither branch leaves None is no Optional any more."""
    changed = False
    for output, then, otherwise in zip(view.outputs, view.then_outputs, view.else_outputs):
        says_the_same = constant_value(then) is True and constant_value(otherwise) is False
        if says_the_same and output.has_uses:
            output.replace_all_uses_with(view.condition)
            changed = True
        changed |= _refine_optional(output, then.type, otherwise.type)
    return changed


def _refine_optional(output: Value, then: Type, otherwise: Type) -> bool:
    if output.type.kind is not TypeKind.OptionalType:
        return False
    known = unify_all([then, otherwise])
    if isinstance(known, str) or NONE.is_subtype_of(known) or not known.is_subtype_of(output.type):
        return False
    output.set_type(known)
    return True


# -- One node and the one before it ----------------------------------------------------------


def _not_not(node: Node) -> Value | None:
    inner = node.inputs[0].node
    return inner.inputs[0] if inner.kind == aten.not_ else None


def _number_in_tensor(node: Node) -> Value | None:
    """A number that was made a tensor only to be made a number again."""
    tensor = node.inputs[0]
    if tensor.node.kind != prim.NumToTensor or not is_only_read(tensor):
        return _already_of_type(node)
    number = tensor.node.inputs[0]
    return number if number.type == node.output.type else None


def _already_of_type(node: Node) -> Value | None:
    """A conversion of what needs none."""
    value = node.inputs[0]
    return value if value.type == node.output.type else None


def _already_narrow(node: Node) -> Value | None:
    """A cast of what is known to be of the type."""
    value = node.inputs[0]
    return value if value.type.is_subtype_of(node.output.type) else None


def _none(node: Node) -> Value | None:
    """What can only be None, wherever it comes from."""
    if node.kind == prim.Constant:
        return None
    with node.graph.insert_at(node):
        return node.graph.insert_constant(None, range=node.range)


# -- Comparisons -----------------------------------------------------------------------------


def _is_none(node: Node) -> Value | None:
    """``x is None`` where ``x`` cannot be; None itself is left to the propagation of constants."""
    first, second = (value.type for value in node.inputs)
    if NONE not in (first, second) or any(map(_may_be_none, {first, second} - {NONE} or {NONE})):
        return None
    with node.graph.insert_at(node):
        return node.graph.insert_constant(node.kind != aten.is_, range=node.range)


def _may_be_none(type: Type) -> bool:
    return type.kind in (TypeKind.AnyType, TypeKind.VarType) or NONE.is_subtype_of(type)


def _compared_with_a_bool(node: Node) -> Value | None:
    """``b == True`` and ``b != False`` are ``b``."""
    value, other = node.inputs
    if value.type != BOOL or constant_value(other) is not (node.kind == aten.eq):
        return None
    return value


# -- Arithmetic ------------------------------------------------------------------------------


def _is_sum_or_product_of_ints(node: Node) -> bool:
    if node.kind not in _COMMUTATIVE or len(node.inputs) != 2:
        return False
    return all(value.type == INT for value in node.inputs)


def _constant_last(node: Node) -> bool:
    """``2 * n`` is ``n * 2``."""
    first, second = node.inputs
    if not isinstance(constant_value(first), int) or constant_value(second) is not NOT_CONSTANT:
        return False
    node.permute_inputs([1, 0])
    return True


def _sum_with_constants(node: Node) -> Value | None:
    """``n + 0`` is ``n``, for ints: ``0.0 + -0.0`` is another number than ``-0.0``. ``n + 1 - 3`` is ``n - 2``."""
    unchanged = _without(node, neutral=0, types=(INT,))
    return _with_one_constant(node) if unchanged is None else unchanged


def _with_one_constant(node: Node) -> Value | None:
    inner = node.inputs[0].node
    if not (_adds_constant(node) and _adds_constant(inner)):
        return None
    (number, inner_number), n = map(_constant_summand, (node, inner)), inner.inputs[0]
    total = number + inner_number if node.kind == inner.kind else number - inner_number
    with node.graph.insert_at(node):
        wrapped = (total + (1 << 63)) % (1 << 64) - (1 << 63)
        if wrapped == 0:
            return n
        summand = node.graph.insert_constant(wrapped)
        made = node.graph.insert_node(node.graph.create(node.kind, [n, summand], range=node.range))
    made.operator = node.operator
    return made.output.set_type(INT)


def _adds_constant(node: Node) -> bool:
    if node.kind not in (aten.add, aten.sub) or len(node.inputs) != 2 or node.output.type != INT:
        return False
    return isinstance(constant_value(node.inputs[1]), int)


def _constant_summand(node: Node) -> int:
    number = constant_value(node.inputs[1])
    assert isinstance(number, int)
    return number


def _times_one(node: Node) -> Value | None:
    return _without(node, neutral=1, types=(INT, FLOAT))


def _floor_divided_by_one(node: Node) -> Value | None:
    return _without(node, neutral=1, types=(INT,))


def _without(node: Node, neutral: int, types: tuple[Type, ...]) -> Value | None:
    """The operand beside ``neutral``; of subtractions and divisions only the first can be it."""
    if len(node.inputs) != 2 or node.output.type not in types:
        return None
    left, right = node.inputs
    if left.type == node.output.type and _is_number(right, neutral):
        return left
    if node.kind in _COMMUTATIVE and right.type == node.output.type and _is_number(left, neutral):
        return right
    return None


def _is_number(value: Value, number: int) -> bool:
    return value.type in (INT, FLOAT) and constant_value(value) == number


_COMMUTATIVE: Final = (aten.add, aten.mul)

_REWRITINGS: Final[dict[str, Rewriting]] = {
    aten.not_: _not_not,
    aten.Int: _number_in_tensor,
    aten.Float: _number_in_tensor,
    aten.Bool: _already_of_type,
    aten.IntImplicit: _number_in_tensor,
    aten.FloatImplicit: _number_in_tensor,
    "aten::item": _number_in_tensor,
    prim.unchecked_cast: _already_narrow,
    prim.unchecked_unwrap_optional: _already_narrow,
    "aten::_unwrap_optional": _already_narrow,
    aten.is_: _is_none,
    aten.isnot: _is_none,
    aten.eq: _compared_with_a_bool,
    aten.ne: _compared_with_a_bool,
    aten.add: _sum_with_constants,
    aten.sub: _sum_with_constants,
    aten.mul: _times_one,
    aten.div: _times_one,
    aten.floordiv: _floor_divided_by_one,
}
