"""Objects of classes: reading and setting their attributes, and calling their methods."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from tsc.compiler.emit.acceptance import Reading
from tsc.compiler.emit.calls.builtin_calls import schema_of_callee
from tsc.compiler.emit.calls.schema_matching import match_schemas
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.ir import Function, Value, prim
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import (
    FLOAT,
    INT,
    NONE,
    STRING,
    ClassAttribute,
    ClassType,
    InterfaceType,
    MethodSchema,
    NamedFunction,
    OptionalType,
    Type,
)

INITIALIZER = "__init__"
MAGIC_METHODS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "floordiv": "__floordiv__",
    "%": "__mod__",
    "pow operator": "__pow__",
    "@": "__matmul__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "<": "__lt__",
    ">": "__gt__",
    "le": "__le__",
    "ge": "__ge__",
    "eq": "__eq__",
    "ne": "__ne__",
    "in": "__contains__",
    "unary minus": "__neg__",
    "~": "__invert__",
}
"""What an operator calls if its first operand is an object of a class (of ``in``, its second one)."""
_UNINITIALIZED_HINT = "Did you forget to initialize it? Attributes begin in __init__()"


# -- Attributes ------------------------------------------------------------------------------


def attribute_type(type: ClassType, name: str) -> Type | None:
    """The type of an attribute; which ones there are is known once ``__init__`` is compiled."""
    if name not in type.attributes:
        initializer = type.methods.get(INITIALIZER)
        if isinstance(initializer, Function) and not initializer.is_being_defined:
            initializer.ensure_defined()
    return type.attribute_type(name)


def find_attribute(
    range: SourceRange, emitter: Emitter, owner: Value, type: ClassType, name: str
) -> Value | None:
    """The value of an attribute, a constant or a property of an object; None if there is none."""
    found = attribute_type(type, name)
    if found is not None:
        return insert_get_attribute(emitter, owner, name, found)
    if name in type.constants:
        if not type.is_module:
            refusal = (
                f"'{type.message_text}' object has no attribute or method '{name}'. '{name}' is "
                f"defined as a class attribute: set it in __init__(), as in `self.{name} = …`"
            )
            emitter.acceptance.use(extensions.CLASS_CONSTANTS, range, refusal)
        return emitter.graph.insert_constant(type.constants[name], range=range)
    if name in type.properties:
        return call_method(range, emitter, owner, type.properties[name].getter, [], [])
    return None


def insert_get_attribute(emitter: Emitter, owner: Value, name: str, type: Type) -> Value:
    node = emitter.graph.create(prim.GetAttr, [owner]).set_attribute("name", name)
    output = emitter.graph.insert_node(node).output.set_type(type)
    valid = f"_{name}" if name[:1].isdigit() else name
    return output.set_debug_name(valid) if valid.isidentifier() else output


def index_modules(
    range: SourceRange, emitter: Emitter, owner: Value, index: Value, type: InterfaceType
) -> Value:
    """The submodule whose name or number is known when the program runs, as an interface."""
    node = emitter.graph.create(prim.ModuleContainerIndex, [owner, index], range=range)
    overload = "dict" if index.type == STRING else "list"
    node.operator = emitter.operators.find(prim.ModuleContainerIndex, overload)
    return emitter.graph.insert_node(node).output.set_type(type)


def has_attribute(type: ClassType, name: str) -> bool:
    """What ``hasattr`` answers: only modules have constants, and properties are never asked for."""
    if attribute_type(type, name) is not None or name in type.methods:
        return True
    return type.is_module and name in type.constants


def _attribute_hint(name: str, expected: Type, now: Type) -> str:
    """How an attribute gets a type that takes the new value."""
    if expected == NONE:
        annotation = f"Optional[{now.annotation}]"
        return f"annotate it in the class, above __init__, as in `{name}: {annotation}`"
    if (expected, now) == (INT, FLOAT):
        return f"start with a float in __init__, as in `self.{name} = 0.0`"
    if (expected, now) == (FLOAT, INT):
        return f"convert the new value, as in `self.{name} = float(...)`"
    return f"the first assignment to '{name}', in __init__, decides its type"


def set_attribute(
    range: SourceRange, emitter: Emitter, owner: Value, name: str, value: Value
) -> None:
    """Emit ``owner.name = value``; in ``__init__``, the first time, this adds the attribute."""
    type = owner.type
    assert isinstance(type, ClassType)
    expected = type.attribute_type(name)
    if expected is None and is_initializing(emitter, type):
        expected = _add_attribute(range, emitter, type, name, value)
    elif expected is None:
        expected = attribute_type(type, name)
    if expected is None:
        _set_property(range, emitter, owner, type, name, value)
        return
    if not value.type.is_subtype_of(expected):
        if expected == NONE and emitter.acceptance.reading is Reading.STRICT:
            refusal = f"the attribute '{name}' is None at first, and so it stays"
            emitter.acceptance.use(extensions.OPTIONAL_ATTRIBUTES, range, refusal)
        raise CompileError(
            f"Wrong type for attribute assignment: '{name}' is {expected.message_text}, and the "
            f"value is {value.type.message_text}",
            range,
            code=codes.CHANGED_TYPE,
            hint=_attribute_hint(name, expected, value.type),
        )
    node = emitter.graph.create(prim.SetAttr, [owner, value], 0).set_attribute("name", name)
    node.range = range
    emitter.graph.insert_node(node)


def is_initializing(emitter: Emitter, type: ClassType) -> bool:
    """Whether the function being emitted is an ``__init__`` of that class, or of one below it."""
    function = emitter.function
    return function.name.endswith(INITIALIZER) and type.methods.get(function.name) is function


def _add_attribute(
    range: SourceRange, emitter: Emitter, type: ClassType, name: str, value: Value
) -> Type:
    if emitter.graph.insertion_point.block is not emitter.graph.block:
        raise CompileError(
            "First assignment cannot be in a control-flow block. Initialize the field at the top "
            "level first",
            range,
            code=codes.INVALID_CLASS,
        )
    own = _declared_type(range, emitter, name, value.type) or value.type
    _note_recursion(range, emitter, type, name, own)
    type.add_attribute(ClassAttribute(name, own))
    return own


def _note_recursion(
    range: SourceRange, emitter: Emitter, type: ClassType, name: str, own: Type
) -> None:
    """An attribute that holds objects of its own class is an extension."""
    if _can_hold(own, type):
        refusal = (
            f"Assignment to attribute '{name}' cannot be of a type that contains class "
            f"'{type.name}': it is {own.message_text}"
        )
        emitter.acceptance.use(extensions.RECURSIVE_CLASSES, range, refusal)


def _can_hold(type: Type, wanted: ClassType) -> bool:
    """Whether a value of a type can hold an object of a class, also by attributes of other classes."""
    seen: set[Type] = set()
    waiting = [type]
    while waiting:
        found = waiting.pop()
        if found.is_subtype_of(wanted):
            return True
        if found in seen:
            continue
        seen.add(found)
        waiting += found.contained
        if isinstance(found, ClassType):
            waiting += [attribute.type for attribute in found.attributes.values()]
    return False


def _declared_type(range: SourceRange, emitter: Emitter, name: str, actual: Type) -> Type | None:
    """The type that the class declares, if it holds more than the first value does."""
    declared = emitter.resolver.declared_attribute(name)
    if declared is None or declared == actual or not actual.is_subtype_of(declared):
        return None
    if not emitter.acceptance.allows(extensions.OPTIONAL_ATTRIBUTES, range):
        return None
    refusal = f"the attribute '{name}' has the type of its first value"
    emitter.acceptance.use(extensions.OPTIONAL_ATTRIBUTES, range, refusal)
    return declared


def declare_optional_attribute(
    range: SourceRange, emitter: Emitter, owner: Type, name: str, annotation: Type | None
) -> None:
    """``self.x: Optional[T] = None`` in ``__init__``: the annotation says what may come later.

    To PyTorch the attribute is None for ever, which is right only if nothing else is assigned to it.
    """
    if not isinstance(owner, ClassType) or not isinstance(annotation, OptionalType):
        return
    if owner.attribute_type(name) is not None or not is_initializing(emitter, owner):
        return
    if emitter.resolver.sets_again(name) and emitter.acceptance.allows(
        extensions.OPTIONAL_ATTRIBUTES, range
    ):
        refusal = f"the attribute '{name}' is None at first, and so it stays"
        emitter.acceptance.use(extensions.OPTIONAL_ATTRIBUTES, range, refusal)
        _note_recursion(range, emitter, owner, name, annotation)
        owner.add_attribute(ClassAttribute(name, annotation))


def _set_property(
    range: SourceRange, emitter: Emitter, owner: Value, type: ClassType, name: str, value: Value
) -> None:
    found = type.properties.get(name)
    if found is not None and found.setter is not None:
        call_method(range, emitter, owner, found.setter, [NamedValue(value, range)], [])
        return
    if found is not None:
        raise CompileError(
            f"Tried to set read-only attribute: {name}",
            range,
            code=codes.NO_ATTRIBUTE_ASSIGNMENT,
            hint=f"write a setter: a method '{name}' decorated with @{name}.setter",
        )
    similar = get_close_matches(name, type.attributes, 1)
    raise CompileError(
        f"Tried to set nonexistent attribute: {name}. {_UNINITIALIZED_HINT}",
        range,
        code=codes.UNKNOWN_ATTRIBUTE,
        hint=f"did you mean '{similar[0]}'?" if similar else None,
    )


def unknown_attribute(
    range: SourceRange, type: ClassType | InterfaceType, name: str
) -> CompileError:
    known = [*type.methods]
    if isinstance(type, ClassType):
        known += [*type.attributes, *type.properties, *type.constants]
    similar = get_close_matches(name, known, 1)
    return CompileError(
        f"'{type.message_text}' object has no attribute or method '{name}'. {_UNINITIALIZED_HINT}",
        range,
        code=codes.UNKNOWN_ATTRIBUTE,
        hint=f"did you mean '{similar[0]}'?" if similar else None,
    )


# -- Methods ---------------------------------------------------------------------------------


def find_method(type: Type, name: str) -> NamedFunction | MethodSchema | None:
    """A method of a class, or the schema of one of an interface."""
    return type.methods.get(name) if isinstance(type, ClassType | InterfaceType) else None


def call_method(
    range: SourceRange,
    emitter: Emitter,
    owner: Value,
    method: NamedFunction | MethodSchema,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> Value:
    """Emit ``owner.method(*args, **kwargs)``."""
    return call_first_fitting_method(range, emitter, owner, [method], args, kwargs)


def call_first_fitting_method(
    range: SourceRange,
    emitter: Emitter,
    owner: Value,
    methods: Sequence[NamedFunction | MethodSchema],
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> Value:
    """Emit a call of the first of some methods, overloads of one name, that fits."""
    schemas = [schema_of_method(method, range, emitter) for method in methods]
    given = [NamedValue(owner, range, "self"), *args]  # the first parameter may have any name
    index, matched = match_schemas(schemas, range, emitter, given, kwargs)
    node = emitter.graph.create(prim.CallMethod, matched.inputs, range=range)
    node.set_attribute("name", schemas[index].name)
    return emitter.graph.insert_node(node).output.set_type(matched.return_types[0])


def schema_of_method(
    method: NamedFunction | MethodSchema, range: SourceRange, emitter: Emitter
) -> FunctionSchema:
    if isinstance(method, FunctionSchema):
        return method
    assert isinstance(method, Function)
    return schema_of_callee(method, range, emitter)


def call_magic_method(
    range: SourceRange, emitter: Emitter, name: str, arguments: Sequence[NamedValue]
) -> Value | None:
    """Emit an operator or builtin function as the method of its first operand's class.

    None if that is no object of a class; then the builtin is meant.
    """
    owner = arguments[0].value if arguments else None
    if owner is None or not isinstance(owner.type, ClassType):
        return None
    method = owner.type.methods.get(name)
    if method is None:
        raise unknown_attribute(range, owner.type, name)
    return call_method(range, emitter, owner, method, arguments[1:], [])


def new_object(range: SourceRange, emitter: Emitter, type: ClassType) -> Value:
    """An object before its ``__init__``."""
    node = emitter.graph.insert_node(emitter.graph.create(prim.CreateObject, range=range))
    return node.output.set_type(type)


def construct(
    range: SourceRange,
    emitter: Emitter,
    type: ClassType,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> Value:
    """Emit ``type(*args, **kwargs)``."""
    made = new_object(range, emitter, type)
    initializer = type.methods.get(INITIALIZER)
    if initializer is None:
        refusal = f"Class {type.name} does not have an __init__ function defined"
        emitter.acceptance.use(extensions.DEFAULT_CONSTRUCTORS, range, refusal)
        if args or kwargs:
            raise CompileError(
                f"{type.name}() takes no arguments: its class has no __init__",
                range,
                code=codes.TOO_MANY_ARGUMENTS,
            )
    else:
        call_method(range, emitter, made, initializer, args, kwargs)
    return made


def use_as_container(emitter: Emitter, range: SourceRange, refusal: str) -> None:
    """Note that a program uses modules in a container as PyTorch's programs cannot."""
    emitter.acceptance.use(extensions.MODULE_CONTAINERS, range, refusal)


def note_module_call(range: SourceRange, emitter: Emitter, type: ClassType | InterfaceType) -> None:
    """A module that is known as a value only, from a slice, is called: PyTorch does so by interfaces alone."""
    if isinstance(type, ClassType):
        use_as_container(emitter, range, f"'{type.message_text}' object has no '__call__'")
