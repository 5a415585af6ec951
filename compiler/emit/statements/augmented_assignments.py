"""Augmented assignments: in place on tensors and lists, ``x = x + y`` on everything else."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call, emit_builtin_values
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.subscripts.indexing import emit_int_and_slice_indexing, indices_of
from tsc.compiler.emit.subscripts.item_assignment import index_list
from tsc.compiler.emit.sugared_values.objects import MAGIC_METHODS, call_magic_method
from tsc.compiler.frontend.tree_views import AugAssign, Expr, Select, SliceExpr, Subscript, Var
from tsc.compiler.ir import Value, aten
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.types import TENSOR, ClassType, DictType, ListType, Type

_IN_PLACE = {
    "+": "aten::add_",
    "-": "aten::sub_",
    "*": "aten::mul_",
    "/": "aten::div_",
    "%": "aten::fmod_",
    "floordiv": "aten::floor_divide_",
    "|": "aten::bitwise_or",
    "&": "aten::bitwise_and",
    "^": "aten::bitwise_xor",
    "<<": "aten::__ilshift__",
    ">>": "aten::__irshift__",
    "pow operator": "aten::pow",
    "@": "aten::matmul",
}
_OUT_OF_PLACE = {
    "+": "aten::add",
    "-": "aten::sub",
    "*": "aten::mul",
    "/": "aten::div",
    "%": "aten::fmod",
    "floordiv": "aten::floordiv",
    "|": "aten::__or__",
    "&": "aten::__and__",
    "^": "aten::__xor__",
    "<<": "aten::__lshift__",
    ">>": "aten::__rshift__",
    "pow operator": "aten::pow",
    "@": "aten::matmul",
}


_ONLY_HERE = {"floordiv": "FloorDiv", "@": "MatMult"}
"""What PyTorch has no augmented assignment for, and its names of them."""


def emit_augmented_assignment(emitter: Emitter, tree: AugAssign) -> None:
    if tree.aug_op in _ONLY_HERE:
        refusal = f"unsupported kind of augmented assignment: {_ONLY_HERE[tree.aug_op]}"
        emitter.acceptance.use(extensions.AUGMENTED_OPERATORS, tree.range, refusal)
    match tree.lhs:
        case Var():
            _emit_to_variable(emitter, tree, tree.lhs)
        case Select():
            _emit_to_attribute(emitter, tree, tree.lhs)
        case Subscript():
            _emit_to_item(emitter, tree, tree.lhs)
        case _:
            raise CompileError(
                "unexpected expression on left-hand side of augmented assignment",
                tree.lhs.range,
                code=codes.INVALID_TARGET,
            )


def _operator(tree: AugAssign, type: Type) -> str:
    """The operator for an operand of that type; ``%`` is fmod, as in PyTorch."""
    in_place = type.is_subtype_of(TENSOR) or isinstance(type, ListType)
    return (_IN_PLACE if in_place else _OUT_OF_PLACE)[tree.aug_op]


def _augmented(emitter: Emitter, tree: AugAssign, value: Value) -> Value:
    lhs = NamedValue(value, tree.lhs.range)
    rhs = NamedValue(emitter.emit_expression(tree.rhs), tree.rhs.range)
    if isinstance(value.type, ClassType):
        return _augmented_object(emitter, tree, value.type, [lhs, rhs])
    return emit_builtin_call(tree.range, emitter, _operator(tree, value.type), [lhs, rhs])


def _augmented_object(
    emitter: Emitter, tree: AugAssign, type: ClassType, operands: list[NamedValue]
) -> Value:
    """``__iadd__`` if the class has it, or else ``__add__``."""
    plain = MAGIC_METHODS[tree.aug_op]
    in_place = plain.replace("__", "__i", 1)
    name = in_place if in_place in type.methods else plain
    called = call_magic_method(tree.range, emitter, name, operands)
    assert called is not None
    return called


def _emit_to_variable(emitter: Emitter, tree: AugAssign, variable: Var) -> None:
    value = _augmented(emitter, tree, emitter.emit_expression(variable))
    emitter.environment.set_value(variable.name.name, value, variable.range)


def _emit_to_attribute(emitter: Emitter, tree: AugAssign, target: Select) -> None:
    owner = emitter.emit_sugared_expression(target.value, 1)
    name = target.selector.name
    value = owner.attribute(target.range, emitter, name).as_value(target.range, emitter)
    owner.set_attribute(tree.range, emitter, name, _augmented(emitter, tree, value))


def _emit_to_item(emitter: Emitter, tree: AugAssign, target: Subscript) -> None:
    container = emitter.emit_expression(target.value)
    if container.type.is_subtype_of(TENSOR):
        _emit_to_tensor_part(emitter, tree, target, container)
    else:
        _emit_to_container_item(emitter, tree, target, container)


def _emit_to_tensor_part(
    emitter: Emitter, tree: AugAssign, target: Subscript, tensor: Value
) -> None:
    """In place on a view; what tensors index is no view, so it is read, changed and put back."""
    part, tensor_indices = emit_int_and_slice_indexing(
        emitter, target.range, tensor, indices_of(target)
    )
    if not tensor_indices:
        _augmented(emitter, tree, part)
        return
    rhs = NamedValue(emitter.emit_expression(tree.rhs), tree.rhs.range)
    indices = index_list(emitter, tensor_indices)
    indexed = emit_builtin_values(tree.range, emitter, aten.index, [part, indices])
    lhs = NamedValue(indexed, tree.lhs.range)
    operator = _operator(tree, tensor.type)
    augmented = emit_builtin_call(tree.range, emitter, operator, [lhs, rhs])
    emit_builtin_values(tree.range, emitter, aten.index_put_, [part, indices, augmented])


def _emit_to_container_item(
    emitter: Emitter, tree: AugAssign, target: Subscript, container: Value
) -> None:
    index_tree = _only_index(target, container)
    type = _decisive_type(container.type)
    if type is None:
        raise CompileError(
            f"{container.type.message_text} does not support augmented assignment.",
            target.range,
            code=codes.UNCHANGEABLE_ITEM,
        )
    index = emitter.emit_expression(index_tree)
    value = emitter.emit_expression(tree.rhs)
    range = tree.range
    item = emit_builtin_values(range, emitter, aten.getitem, [container, index])
    augmented = emit_builtin_values(range, emitter, _operator(tree, type), [item, value])
    emit_builtin_values(range, emitter, aten.set_item, [container, index, augmented])


def _only_index(target: Subscript, container: Value) -> Expr:
    indices = indices_of(target)
    if len(indices) == 1 and not isinstance(indices[0], SliceExpr):
        return indices[0]
    raise CompileError(
        f"Sliced expression not yet supported for {container.type.message_text} augmented "
        "assignment. File a bug if you want this",
        indices[0].range.through(indices[-1].range),
        code=codes.NO_SLICE_CHANGE,
        hint="change the items one by one",
    )


def _decisive_type(container: Type) -> Type | None:
    """The type that decides whether the operator works in place: of dicts, PyTorch asks the key."""
    if isinstance(container, ListType):
        return container.element
    return container.key if isinstance(container, DictType) else None
