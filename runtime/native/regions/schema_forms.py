"""What a schema says of which values of a node may be the same."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.types import DictType, ListType, TupleType, Type
from tsc.compiler.types.type_variables import VarType
from tsc.runtime.native.regions.forms import DictForm, Form, ListForm, TupleForm, join


def join_by_schema(
    schema: FunctionSchema, operands: Sequence[Form], results: Sequence[Form]
) -> None:
    """What a schema calls by one type variable may be the same, and what was written may be the result."""
    variables: dict[str, Form] = {}
    for argument, form in zip(schema.arguments, operands):
        _bind(argument.type, form, variables)
    for returned, form in zip(schema.returns, results):
        _bind(returned.type, form, variables)
    written = [
        (argument, operand)
        for argument, operand in zip(schema.arguments, operands)
        if _is_written(argument)
    ]
    for returned, form in zip(schema.returns, results):
        if written and (_is_written(returned) or returned.type == written[0][0].type):
            join(written[0][1], form)


def _is_written(argument: Argument) -> bool:
    """Whether an operator writes to it; of a result, that it is what was written."""
    return argument.alias_info is not None and argument.alias_info.is_write


def _bind(formal: Type, form: Form, variables: dict[str, Form]) -> None:
    if isinstance(formal, VarType):
        join(variables.setdefault(formal.name, form), form)
    elif isinstance(formal, ListType) and isinstance(form, ListForm):
        _bind(formal.element, form.element, variables)
    elif isinstance(formal, DictType) and isinstance(form, DictForm):
        _bind(formal.value, form.value, variables)
    elif isinstance(formal, TupleType) and isinstance(form, TupleForm):
        for each, item in zip(formal.elements, form.items):
            _bind(each, item, variables)
