"""Operators as methods of values: whether a type has one, and what to say where it has not."""

from __future__ import annotations

from difflib import get_close_matches

from tsc.compiler.emit.names import known_modules
from tsc.compiler.emit.names.absent_names import absent_method
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.types import (
    INT,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    StringType,
    TupleType,
    Type,
    match_type_variables,
    substitute_type_variables,
)

_PYTHON_METHODS = {
    "push": "lists have append(x)",
    "add": "lists have append(x), dicts take d[key] = value",
    "length": "len(x) is the number of its items",
    "size": "len(x) is the number of its items",
    "shape": "len(x) is the number of its items, torch.tensor(x) makes a tensor of numbers",
    "has_key": "write `key in d`",
    "astype": "tensors have x.to(dtype)",
    "reshape_as": "tensors have x.reshape(y.shape)",
    "copy": "tensors have x.clone()",
    "real": "float(x) and int(x) convert numbers",
}

_IN_PYTHON = {
    "numpy": "return the tensor, and call .numpy() in Python; programs compute with tensors alone",
    "astype": "tensors have x.to(dtype)",
    "copy": "tensors have x.clone()",
    "append": "torch.cat([x, y]) puts tensors together",
}
"""What arrays and lists have in Python that is missed in tensors."""


def takes_self(emitter: Emitter, operator: str, type: Type) -> bool:
    """Whether an overload of an operator, ``aten::relu``, is a method of values of a type."""
    overloads = emitter.operators.operators_for(operator)
    return any(_fits_self(each.schema, type) for each in overloads)


def _fits_self(schema: FunctionSchema, actual: Type) -> bool:
    for argument in schema.arguments:
        if argument.name != "self":
            continue
        bindings: dict[str, Type] = {}
        if match_type_variables(argument.type, actual, bindings) is not None:
            return False
        wanted = substitute_type_variables(argument.type, bindings)
        return wanted is not None and actual.is_subtype_of(wanted)
    return False


def type_with_method(emitter: Emitter, name: str) -> Type | None:
    """A string, list or dict type of whose methods one has that name."""
    for operator in emitter.operators.operators_for(f"aten::{name}"):
        arguments = operator.schema.arguments
        owner = arguments[0].type if arguments else None
        if isinstance(owner, StringType):
            return owner
        if isinstance(owner, ListType | DictType):
            inner = [STRING, INT] if isinstance(owner, DictType) else [INT]
            return owner.with_contained(inner)
    return None


def none_hint(type: Type) -> str | None:
    """What to do about a value that may be None."""
    if isinstance(type, OptionalType):
        return "it may be None here: check `is not None` first"
    return None


def attribute_hint(emitter: Emitter, type: Type, name: str) -> str | None:
    """What to write in place of an attribute that values of a type have not."""
    if isinstance(type, OptionalType):
        return none_hint(type)
    if isinstance(type, TupleType) and type.field_names is not None:
        return f"its fields are {', '.join(type.field_names)}"
    if type.is_subtype_of(TENSOR) and (hint := _hint_for_tensor(name)) is not None:
        return hint
    similar = [each.rpartition("::")[2] for each in emitter.operators.similar(f"aten::{name}")]
    for method in get_close_matches(name, similar):
        if takes_self(emitter, f"aten::{method}", type):
            return f"did you mean '{method}'?"
    return _PYTHON_METHODS.get(name)


def _hint_for_tensor(name: str) -> str | None:
    """What to write in place of what tensors have in Python, but not in programs."""
    if name in _IN_PYTHON:
        return _IN_PYTHON[name]
    if (function := _function_like(name)) is not None:
        return f"it is a function: {function}(x)"
    absence = absent_method(name)
    return None if absence is None else str(absence)


def _function_like(method: str) -> str | None:
    """The function of a module that does what a method of tensors does in Python."""
    paths = (
        f"{module}.{method}" for module in ("torch", "torch.functional", "torch.nn.functional")
    )
    tables = (known_modules.LIBRARY_ALIASES, known_modules.DISPATCHES, known_modules.OPERATORS)
    return next((path for path in paths if any(path in table for table in tables)), None)
