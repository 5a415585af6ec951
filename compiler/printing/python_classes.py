"""Prints classes as the class statements that PyTorch's archives have: script classes and modules,
interfaces, NamedTuples and enums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard, cast

from tsc.compiler.ir import Function, Graph, infer_constant_type
from tsc.compiler.printing.constant_text import quoted
from tsc.compiler.printing.printed_file import PrintedFile
from tsc.compiler.printing.python_constants import ConstantsTable
from tsc.compiler.printing.python_printer import print_method, print_python
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.types import ClassType, EnumType, FunctionType, InterfaceType, TupleType, Type

NamedType = ClassType | InterfaceType | EnumType | TupleType


def print_functions(functions: Iterable[Function], methods: Iterable[Function] = ()) -> str:
    """Functions behind the classes that they use, and those of `methods`: a text that compiles to the same graphs."""
    printed = list(functions)
    classes = print_classes([*printed, *methods])
    texts = [classes] if classes else []
    return "\n".join([*texts, *map(print_python, printed)])


def print_classes(functions: Iterable[Function]) -> str:
    """The classes that functions use, each after those that it is made of, and their static methods."""
    found: dict[str, NamedType] = {}
    for function in functions:
        for type in types_of_function(function):
            _collect(type, found)
    constants = ConstantsTable()
    texts = [_with_origin(each, print_class(each, constants)) for each in found.values()]
    texts += [print_python(each, constants) for each in _static_methods(found.values())]
    return "\n".join(texts)


def _with_origin(type: NamedType, text: str) -> str:
    """A comment tells the file of an archive that a class would be in, if it is not the first one."""
    path = type.annotation.rpartition(".")[0]
    is_elsewhere = isinstance(type, ClassType) and path not in ("", "__torch__")
    return f"# {path}\n{text}" if is_elsewhere else text


def _static_methods(types: Iterable[NamedType]) -> Iterator[Function]:
    for type in types:
        if isinstance(type, ClassType):
            for function in type.static_methods.values():
                yield cast("Function", function)


def print_class(type: NamedType, constants: ConstantsTable, file: PrintedFile | None = None) -> str:
    """One class statement, ending in a newline. Tensors of its methods are added to `constants`.

    In the `file` of an archive, NamedTuples have no defaults: PyTorch reads none there.
    """
    has_defaults = file is None
    file = file or PrintedFile()
    name = type.annotation.rpartition(".")[2]
    match type:
        case EnumType():
            return f"class {name}(Enum):\n{_lines(_member_lines(type))}"
        case TupleType():
            return f"class {name}(NamedTuple):\n{_lines(_field_lines(type, has_defaults))}"
        case InterfaceType():
            base = "ModuleInterface" if type.is_module else "Interface"
            return f"class {name}({base}):\n{_lines(_declaration_lines(type))}"
        case ClassType():
            base = "(Module)" if type.is_module else ""
            lines = "".join(f"  {line}\n" for line in _attribute_lines(type, constants))
            head = f"class {name}{base}:\n{lines}"
            file.add(head)
            own = methods_of_class(type)
            methods = "".join([print_method(each, constants, file) for each in own])
            return head + (methods or ("" if lines else "  pass\n"))


# -- Which classes -----------------------------------------------------------------------------


def methods_of_class(type: ClassType) -> list[Function]:
    """The methods that the program defines, hooks last."""
    hooks = list(dict.fromkeys((*type.forward_hooks, *type.forward_pre_hooks)))
    names = [*(name for name in type.methods if name not in hooks), *hooks]
    return [cast("Function", type.methods[name]) for name in names]


def types_of_function(function: Function) -> Iterator[Type]:
    """The types in a function's schema and graph; one may come several times."""
    for argument in (*function.schema.arguments, *function.schema.returns):
        yield argument.type
    yield from types_in(function.graph)


def types_in(graph: Graph) -> Iterator[Type]:
    for node in (graph.param_node, *graph.all_nodes()):
        for value in node.outputs:
            yield value.type
        for attribute in node.attributes.values():
            if isinstance(attribute, Graph):
                yield from types_in(attribute)
            elif isinstance(attribute, (list, tuple)):
                for each in cast("Iterable[object]", attribute):
                    if isinstance(each, Type):
                        yield each


def types_below(type: NamedType) -> Iterator[Type]:
    """The types that a class statement mentions."""
    yield from type.contained
    if isinstance(type, ClassType):
        for attribute in type.attributes.values():
            yield attribute.type
        for method in methods_of_class(type):
            yield from types_of_function(method)
    elif isinstance(type, InterfaceType):
        for schema in type.methods.values():
            assert isinstance(schema, FunctionSchema)
            for argument in (*schema.arguments, *schema.returns):
                yield argument.type


def _collect(type: Type, found: dict[str, NamedType]) -> None:
    """Adds the classes in a type to `found`, what they are made of first."""
    if not is_class(type):
        if isinstance(type, FunctionType):
            return
        for part in type.contained:
            _collect(part, found)
        return
    name = type.annotation
    if name in found or name in _BROUGHT_ALONG:
        return
    found[name] = type
    for part in types_below(type):
        _collect(part, found)
    found[name] = found.pop(name)


_BROUGHT_ALONG = (
    "__torch__.torch.autograd.grad_mode.no_grad",
    "__torch__.torch.autograd.profiler.record_function",
)
"""Classes that a text need not define."""


def is_class(type: Type) -> TypeGuard[NamedType]:
    """Whether a type is one that a class statement makes."""
    if isinstance(type, TupleType):
        return type.name is not None
    return isinstance(type, ClassType | InterfaceType | EnumType)


# -- Their bodies ------------------------------------------------------------------------------


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"  {line}\n" for line in lines) or "  pass\n"


def _member_lines(type: EnumType) -> Iterator[str]:
    for name, value in type.members:
        yield f"{name} = {ConstantsTable().text(value, type.value_type)}"


def _field_lines(type: TupleType, has_defaults: bool) -> Iterator[str]:
    for index, (name, element) in enumerate(zip(type.field_names or (), type.elements)):
        default = type.field_default(index) if has_defaults else None
        value = "" if default is None else f" = {ConstantsTable().text(default[0], element)}"
        yield f"{name} : {element.annotation}{value}"


def _declaration_lines(type: InterfaceType) -> Iterator[str]:
    for name, schema in type.methods.items():
        assert isinstance(schema, FunctionSchema)
        first, *others = schema.arguments
        parameters = [first.name, *(f"{each.name}: {each.type.annotation}" for each in others)]
        yield f"def {name}({', '.join(parameters)}) -> {schema.returns[0].type.annotation}:"
        yield "  pass"


def _attribute_lines(type: ClassType, constants: ConstantsTable) -> Iterator[str]:
    attributes = type.attributes.values()
    if type.is_module:
        yield f"__parameters__ = {_names(each.name for each in attributes if each.is_parameter)}"
        yield f"__buffers__ = {_names(each.name for each in attributes if each.is_buffer)}"
        if type.forward_pre_hooks:
            yield f"__forward_pre_hooks__ = {_names(type.forward_pre_hooks)}"
        if type.forward_hooks:
            yield f"__forward_hooks__ = {_names(type.forward_hooks)}"
    for position, each in enumerate(attributes):
        if each.name.isidentifier():
            yield f"{each.name} : {each.type.annotation}"
        else:
            if position == 0:
                yield "__annotations__ = []"
            yield f"__annotations__[{quoted(each.name)}] = {each.type.annotation}"
    for name, value in type.constants.items():
        constant_type = infer_constant_type(value)
        yield f"{name} : Final[{constant_type.annotation}] = {constants.text(value, constant_type)}"


def _names(names: Iterable[str]) -> str:
    return f"[{''.join(f'{quoted(name)}, ' for name in names)}]"
