"""Calls that are no calls: forms such as ``annotate(T, x)``, with rules of their own."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.calls.call_arguments import check_argument_count
from tsc.compiler.emit.calls.conversions import try_convert_to_type
from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.expressions.container_forms import emit_dict_form, emit_list_form
from tsc.compiler.emit.expressions.forks import emit_awaitable, emit_fork
from tsc.compiler.emit.expressions.iteration_forms import (
    emit_enumerate,
    emit_range,
    emit_reversed,
    emit_zip,
)
from tsc.compiler.emit.expressions.legacy_tensors import emit_legacy_constructor
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.statements.conditions import emit_hasattr
from tsc.compiler.emit.statements.type_tests import emit_isinstance
from tsc.compiler.emit.subscripts.item_assignment import index_list
from tsc.compiler.emit.sugared_values import (
    BoundFormValue,
    LegacyTensorConstructor,
    NoGradClass,
    NoneValue,
    SimpleValue,
    SpecialFormValue,
)
from tsc.compiler.emit.sugared_values.class_value import ClassValue, SuperForm, SuperValue
from tsc.compiler.emit.sugared_values.objects import new_object
from tsc.compiler.frontend.tree_views import Apply, Expr, StringLiteral
from tsc.compiler.ir import Value, aten, prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import BOOL, COMPLEX, FLOAT, INT, NONE, TENSOR, ListType, OptionalType, Type

Emit = Callable[["Emitter", "Apply", "Type | None"], "SugaredValue"]
EmitMethod = Callable[["Emitter", "Apply", "Value", "Type | None"], "SugaredValue"]


def emit_special_form(
    emitter: Emitter, tree: Apply, callee: SpecialFormValue, type_hint: Type | None
) -> SugaredValue:
    if isinstance(callee, BoundFormValue):
        return _METHODS[callee.form](emitter, tree, callee.self_value, type_hint)
    if isinstance(callee, LegacyTensorConstructor):
        return emit_legacy_constructor(emitter, tree, callee)
    if isinstance(callee, SuperForm):
        return SuperValue(callee, _self_value(emitter, tree))
    return _FORMS[callee.form](emitter, tree, type_hint)


# -- Types and values ------------------------------------------------------------------------


def _emit_annotate(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``torch.jit.annotate(T, x)``: ``x``, which must be a ``T``."""
    check_argument_count(tree, 2)
    type = emitter.types.parse_type(tree.inputs[0])
    value = emitter.emit_expression(tree.inputs[1], type)
    value = try_convert_to_type(tree.range, emitter, type, value, allow_conversions=True)
    if not value.type.is_subtype_of(type):
        raise CompileError(
            f"expected an expression of type {type.message_text} but found "
            f"{value.type.message_text}",
            tree.inputs[0].range.through(tree.inputs[1].range),
            code=codes.ANNOTATION_MISMATCH,
            notes=list(filter(None, [value.type.why_not_subtype_of(type)])),
        )
    if isinstance(type, OptionalType) and value.type.is_subtype_of(NONE):
        value = emitter.graph.insert_constant(None, type)
    return SimpleValue(value)


def _emit_unchecked_cast(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    check_argument_count(tree, 2)
    type = emitter.types.parse_type(tree.inputs[0])
    value = emitter.emit_expression(tree.inputs[1])
    if value.node.kind != prim.unchecked_cast or value.type != type:
        value = emitter.insert_unchecked_cast(value, type)
    return SimpleValue(value)


def _emit_uninitialized(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    check_argument_count(tree, 1)
    type = emitter.types.parse_type(tree.inputs[0])
    return SimpleValue(emitter.insert(prim.Uninitialized).output.set_type(type))


def _self_value(emitter: Emitter, tree: Apply) -> Value:
    """The object whose method ``super()`` is called in: ``super(C, self)`` says the same."""
    if tree.inputs:
        check_argument_count(tree, 2)
    return emitter.graph.inputs[0]


def _emit_new_object(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``C.__new__(C)``: an object of the class, before its ``__init__``."""
    check_argument_count(tree, 1)
    sugared = emitter.emit_sugared_expression(tree.inputs[0], 1)
    if isinstance(sugared, ClassValue):
        return SimpleValue(new_object(tree.range, emitter, sugared.type))
    if not isinstance(sugared, NoGradClass):
        raise CompileError(
            f"Expected class value as argument to __new__, not a value of the kind {sugared.kind}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    return SimpleValue(sugared.new_object(tree.range, emitter))


def _emit_isinstance(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    return SimpleValue(emit_isinstance(emitter, tree).value)


def _emit_tuple(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``tuple(x)`` of something whose length is known."""
    check_argument_count(tree, 1)
    sugared = emitter.emit_sugared_expression(tree.inputs[0], 1)
    elements = sugared.as_tuple(tree.range, emitter)
    values = [element.as_value(tree.range, emitter) for element in elements]
    return SimpleValue(insert_tuple(emitter.graph, values))


# -- Checks ----------------------------------------------------------------------------------


def _emit_check(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``torch._check(cond, message)``: an assertion, whose message may be left out."""
    given = _check_arguments(tree)
    condition = emitter.emit_expression(given["cond"])
    if "message" in given:
        message = emitter.emit_expression(given["message"])
    else:
        message = emitter.graph.insert_constant("", range=tree.range)
    emit_builtin_values(tree.range, emitter, "aten::_assert", [condition, message])
    return NoneValue()


def _check_arguments(tree: Apply) -> dict[str, Expr]:
    """The arguments of ``torch._check`` by their names."""
    count = len(tree.inputs) + len(tree.attributes)
    if not 1 <= count <= 2:
        raise _wrong_check(tree, f"expects 1 or 2 arguments, got {count}")
    given: dict[str, Expr] = dict(zip(("cond", "message"), tree.inputs))
    for attribute in tree.attributes:
        name = attribute.name.name
        if name not in ("cond", "message"):
            raise _wrong_check(tree, f"got unexpected keyword argument '{name}'")
        if name in given:
            raise _wrong_check(tree, f"got multiple values for argument '{name}'")
        given[name] = attribute.value
    if "cond" not in given:
        raise _wrong_check(tree, "missing required argument 'cond'")
    return given


def _wrong_check(tree: Apply, problem: str) -> CompileError:
    message = f"torch._check() {problem}"
    return CompileError(message, tree.callee.range, code=codes.WRONG_SPECIAL_CALL)


# -- Attributes ------------------------------------------------------------------------------


def _emit_getattr(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    check_argument_count(tree, 2, 3)
    owner = emitter.emit_sugared_expression(tree.inputs[0], 1)
    name = tree.inputs[1]
    if not isinstance(name, StringLiteral):
        raise CompileError(
            "getattr's second argument must be a string, written out here",
            name.range,
            code=codes.WRONG_SPECIAL_CALL,
            hint="write the name out; modules that belong together go into a ModuleList or "
            "ModuleDict, which can be looped over",
        )
    if len(tree.inputs) == 3 and not owner.has_attribute(tree.range, emitter, name.text):
        return emitter.emit_sugared_expression(tree.inputs[2], 1)
    return owner.attribute(tree.range, emitter, name.text)


def _emit_hasattr(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    return SimpleValue(emit_hasattr(emitter, tree).value)


# -- Methods of tensors ----------------------------------------------------------------------

_ELEMENT_CODES: dict[Type, int] = {INT: 0, FLOAT: 1, BOOL: 2, COMPLEX: 3}


def _emit_tolist(
    emitter: Emitter, tree: Apply, tensor: Value, type_hint: Type | None
) -> SugaredValue:
    """``tensor.tolist()``, whose depth and element type are those of the annotation."""
    if type_hint is None:
        raise CompileError(
            "Expected type hint for result of tolist()",
            tree.range,
            code=codes.UNKNOWN_RESULT_TYPE,
            hint="assign it to an annotated variable, as in `x: List[float] = t.tolist()`",
        )
    depth, element = 0, type_hint
    while isinstance(element, ListType):
        depth, element = depth + 1, element.element
    if element not in _ELEMENT_CODES:
        raise CompileError(
            f"{element.message_text} is not one of the supported element types for tolist, which "
            "are int, float, complex and bool",
            tree.range,
            code=codes.UNKNOWN_RESULT_TYPE,
        )
    numbers = [depth, _ELEMENT_CODES[element]]
    constants = [emitter.graph.insert_constant(number) for number in numbers]
    node = emitter.insert(prim.tolist, [tensor, *constants], range=tree.range)
    return SimpleValue(node.output.set_type(type_hint))


def _emit_getitem(
    emitter: Emitter, tree: Apply, tensor: Value, type_hint: Type | None
) -> SugaredValue:
    """``tensor.__getitem__(i)``, where ``i`` is a tensor or an int."""
    if len(tree.inputs) != 1 or tree.attributes:
        found = len(tree.inputs) + len(tree.attributes)
        raise CompileError(
            f"__getitem__ expected exactly 1 argument, got {found}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    index = emitter.emit_expression(tree.inputs[0])
    if not index.type.is_subtype_of(TENSOR):
        return SimpleValue(tensor).get_item(tree.range, emitter, index)
    indices = index_list(emitter, [index])
    return SimpleValue(emit_builtin_values(tree.range, emitter, aten.index, [tensor, indices]))


_METHODS: dict[str, EmitMethod] = {prim.tolist: _emit_tolist, aten.getitem: _emit_getitem}
_FORMS: dict[str, Emit] = {
    "prim::annotate": _emit_annotate,
    prim.unchecked_cast: _emit_unchecked_cast,
    prim.Uninitialized: _emit_uninitialized,
    prim.CreateObject: _emit_new_object,
    prim.isinstance: _emit_isinstance,
    prim.TupleConstruct: _emit_tuple,
    prim.GetAttr: _emit_getattr,
    prim.HasAttr: _emit_hasattr,
    "prim::check": _emit_check,
    prim.fork: emit_fork,
    prim.awaitable: emit_awaitable,
    "prim::list": emit_list_form,
    "prim::dict": emit_dict_form,
    "prim::range": emit_range,
    "prim::zip": emit_zip,
    "prim::enumerate": emit_enumerate,
    "prim::reversed": emit_reversed,
}
