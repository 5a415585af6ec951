"""The right-hand sides of printed Python: one node as an expression over the texts of its inputs.

The constructs that the language has syntax for are in ``_FORMS``, by kind; every other node is a
call of its operator, ``torch.add(x, 1)`` or ``ops.prim.min(x)``, without arguments that equal their
defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from tsc.compiler.ir import NOT_CONSTANT, GraphError, Node, Value, aten, constant_value, prim
from tsc.compiler.printing.constant_text import quoted
from tsc.compiler.printing.python_constants import ConstantsTable, parenthesized, told_by_members
from tsc.compiler.schema import Argument
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import (
    NONE,
    ClassType,
    DictType,
    InterfaceType,
    ListType,
    TupleType,
    Type,
    optional,
)

_CALLED_OTHERWISE: Final = {
    "aten::backward": "torch.autograd.backward",
    "aten::grad": "torch.autograd.grad",
}


class ExpressionPrinter:
    """``text_of`` gives the text of an input; ``constants`` collects what has none."""

    __slots__ = ("constants", "text_of")

    def __init__(self, text_of: Callable[[Value], str], constants: ConstantsTable) -> None:
        self.text_of = text_of
        self.constants = constants

    def expression(self, node: Node) -> str:
        form = _FORMS.get(node.kind)
        return self.call(node) if form is None else form(self, node)

    def inputs(self, node: Node) -> list[str]:
        return [self.text_of(value) for value in node.inputs]

    def call(self, node: Node) -> str:
        """A call of an operator."""
        return f"{_operator_name(node.kind)}({', '.join(self._arguments(node))})"

    def _arguments(self, node: Node) -> list[str]:
        texts = self.inputs(node)
        if node.schema is None:
            return texts
        formals = node.schema.arguments
        needed, outs = _needed_arguments(formals, node.inputs)
        shown = [*range(needed), *range(max(needed, len(formals) - outs), len(formals))]
        return [
            f"{formals[i].name}={texts[i]}"
            if i < len(formals) and formals[i].kwarg_only
            else texts[i]
            for i in shown
        ]


def _operator_name(kind: str) -> str:
    if kind in _CALLED_OTHERWISE:
        return _CALLED_OTHERWISE[kind]
    namespace, _, name = kind.partition("::")
    return f"torch.{name}" if namespace == "aten" else f"ops.{namespace}.{name}"


def _needed_arguments(formals: Sequence[Argument], actuals: Sequence[Value]) -> tuple[int, int]:
    """How many arguments must be written from the left, and how many are ``out=`` at the end."""
    if not formals:
        return len(actuals), 0
    end = len(formals)
    while end > 0 and formals[end - 1].kwarg_only and formals[end - 1].is_write:
        end -= 1
    outs = len(formals) - end
    if len(actuals) > len(formals):
        return len(actuals), outs
    while end > 0 and _is_default(formals[end - 1], actuals[end - 1]):
        end -= 1
    return end, outs


def _is_default(formal: Argument, actual: Value) -> bool:
    if not formal.has_default:
        return False
    value = constant_value(actual)
    if value is NOT_CONSTANT:
        return False
    if isinstance(value, list):
        value = tuple(cast("list[object]", value))
    return type(value) is type(formal.default) and value == formal.default


def _constant(printer: ExpressionPrinter, node: Node) -> str:
    return printer.constants.text(constant_value(node.output), node.output.type)


def _uninitialized(printer: ExpressionPrinter, node: Node) -> str:
    del printer
    return f"uninitialized({node.output.type.annotation})"


def _annotated(printer: ExpressionPrinter, node: Node) -> str:
    return f"annotate({node.output.type.annotation}, {printer.text_of(node.input)})"


def _called(name: str) -> Callable[[ExpressionPrinter, Node], str]:
    """A call of a builtin function of the language."""
    return lambda printer, node: f"{name}({', '.join(printer.inputs(node))})"


def _item(printer: ExpressionPrinter, node: Node) -> str:
    container, index = printer.inputs(node)
    return f"{container}[{index}]" if _is_name(container) else f"({container})[{index}]"


def _is_name(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def _tuple(printer: ExpressionPrinter, node: Node) -> str:
    type = node.output.type
    name = type.annotation if isinstance(type, TupleType) and type.name is not None else ""
    return name + parenthesized(printer.inputs(node))


def _tuple_item(printer: ExpressionPrinter, node: Node) -> str:
    container, index = printer.inputs(node)
    return f"({container})[{index}]"


def _tuple_slice(printer: ExpressionPrinter, node: Node) -> str:
    start, end = node.integer_attribute("beg"), node.integer_attribute("end")
    return f"({printer.text_of(node.input)})[{start}:{end}]"


def _list(printer: ExpressionPrinter, node: Node) -> str:
    type = node.output.type
    assert isinstance(type, ListType)
    text = f"[{', '.join(printer.inputs(node))}]"
    if node.inputs and told_by_members(type.element):
        return text
    return f"annotate({type.annotation}, {text})"


def _dict(printer: ExpressionPrinter, node: Node) -> str:
    type = node.output.type
    assert isinstance(type, DictType)
    texts = printer.inputs(node)
    items = [f"{key}: {value}" for key, value in zip(texts[::2], texts[1::2])]
    text = f"{{{', '.join(items)}}}"
    if items and told_by_members(type.key) and told_by_members(type.value):
        return text
    return f"annotate({type.annotation}, {text})"


def _new_object(printer: ExpressionPrinter, node: Node) -> str:
    del printer
    name = node.output.type.annotation
    return f"{name}.__new__({name})"


def _attribute(printer: ExpressionPrinter, node: Node) -> str:
    owner, name = printer.text_of(node.input), node.string_attribute("name")
    if _is_name(name):
        return f"{owner}.{name}"
    return f"getattr({owner}, {quoted(name)})"


def _function_call(printer: ExpressionPrinter, node: Node) -> str:
    callee, *arguments = printer.inputs(node)
    return f"{callee}({''.join(f'{argument}, ' for argument in arguments)})"


def _python_call(printer: ExpressionPrinter, node: Node) -> str:
    return f"^{node.string_attribute('python_name')}()({', '.join(printer.inputs(node))})"


def _method_call(printer: ExpressionPrinter, node: Node) -> str:
    owner_type = node.inputs[0].type
    if not isinstance(owner_type, ClassType | InterfaceType):
        raise CompileError(
            f"the method '{node.string_attribute('name')}' of a value of type "
            f"{owner_type.message_text} cannot be written down: nothing that reads it back finds it",
            node.range,
            code=codes.DIFFERENT_BRANCHES,
            hint="take the objects through a function whose result is the interface, as in "
            "`def make() -> Interface:`",
        )
    owner, *arguments = printer.inputs(node)
    passed = "".join(f"{argument}, " for argument in arguments)
    return f"({owner}).{node.string_attribute('name')}({passed})"


def _unwrap_optional(printer: ExpressionPrinter, node: Node) -> str:
    """None alone would not show of which Optional it is the None."""
    text = printer.text_of(node.input)
    if node.input.type.is_subtype_of(NONE) or constant_value(node.input) is None:
        text = f"annotate({optional(node.output.type).annotation}, {text})"
    return f"{_operator_name(node.kind)}({text})"


def _unchecked_cast(printer: ExpressionPrinter, node: Node) -> str:
    return f"unchecked_cast({node.output.type.annotation}, {printer.text_of(node.input)})"


def _type_test(printer: ExpressionPrinter, node: Node) -> str:
    types = node.attribute("types")
    if not isinstance(types, (list, tuple)):
        raise GraphError("the attribute 'types' of prim::isinstance is not a list of types")
    names = [type.annotation for type in cast("Sequence[Type]", types)]
    tested = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return f"isinstance({printer.text_of(node.input)}, {tested})"


def _tolist(printer: ExpressionPrinter, node: Node) -> str:
    return f"annotate({node.output.type.annotation}, {printer.text_of(node.inputs[0])}.tolist())"


def _enum_part(name: str) -> Callable[[ExpressionPrinter, Node], str]:
    return lambda printer, node: f"({printer.text_of(node.input)}).{name}"


_FORMS: Final[dict[str, Callable[[ExpressionPrinter, Node], str]]] = {
    prim.Constant: _constant,
    prim.Uninitialized: _uninitialized,
    aten.ScalarImplicit: _annotated,
    aten.FloatImplicit: _annotated,
    aten.IntImplicit: _annotated,
    aten.Int: _called("int"),
    aten.Float: _called("float"),
    aten.Bool: _called("bool"),
    aten.str: _called("str"),
    "aten::sorted": _called("sorted"),
    prim.Print: _called("print"),
    aten.getitem: _item,
    prim.TupleConstruct: _tuple,
    prim.TupleIndex: _tuple_item,
    prim.TupleSlice: _tuple_slice,
    prim.ListConstruct: _list,
    prim.DictConstruct: _dict,
    prim.CreateObject: _new_object,
    prim.GetAttr: _attribute,
    prim.CallFunction: _function_call,
    prim.CallMethod: _method_call,
    prim.PythonOp: _python_call,
    "aten::_unwrap_optional": _unwrap_optional,
    prim.unchecked_unwrap_optional: _unchecked_cast,
    prim.unchecked_cast: _unchecked_cast,
    prim.isinstance: _type_test,
    prim.tolist: _tolist,
    prim.EnumName: _enum_part("name"),
    prim.EnumValue: _enum_part("value"),
}
