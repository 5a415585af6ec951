"""What is wrong with the arguments of a call, in PyTorch's words; the schema stands at the end."""

from __future__ import annotations

from difflib import get_close_matches

from tsc.compiler.schema.argument import Argument
from tsc.compiler.schema.function_schema import FunctionSchema
from tsc.compiler.types import TensorType


def missing_value(schema: FunctionSchema, argument: Argument) -> str:
    return _declared(schema, f"is missing value for argument '{argument.name}'.")


def too_many_arguments(schema: FunctionSchema, positional: int, keywords: int) -> str | None:
    """The complaint about the number of arguments, if there is something to complain about."""
    if schema.is_vararg:
        return None
    given, taken = positional + keywords, len(schema.arguments)
    if given > taken:
        return _declared(
            schema, f"expected at most {taken} argument(s) but received {given} argument(s)."
        )
    positional_taken = sum(not argument.kwarg_only for argument in schema.arguments)
    if positional > positional_taken:
        return _declared(
            schema,
            f"takes {positional_taken} positional argument(s) but {positional} was/were given. ",
        )
    return None


def unknown_keyword(schema: FunctionSchema, name: str) -> str:
    close = get_close_matches(name, [argument.name for argument in schema.arguments], 1)
    suggestion = f" Did you mean '{close[0]}'?" if close else ""
    complaint = f"Unknown keyword argument '{name}' for operator '{schema.name}'."
    return f"{complaint}{suggestion} Schema: {schema}"


def given_twice(schema: FunctionSchema, name: str) -> str:
    return f"Argument '{name}' specified both as positional and keyword argument. Schema: {schema}"


def wrong_type(schema: FunctionSchema, index: int, found: str, value: str) -> str:
    """``found`` names the type that was given, ``value`` is its text."""
    argument = schema.arguments[index]
    expected = argument.type.message_text
    inferred = ""
    if isinstance(argument.type, TensorType) and expected != argument.type.annotation:
        inferred = (
            f"Inferred '{argument.name}' to be of type 'Tensor' "
            "because it was not annotated with an explicit type.\n"
        )
    return (
        f"{schema.name}() Expected a value of type '{expected}' for argument '{argument.name}' "
        f"but instead found type '{found}'.\n{inferred}"
        f"Position: {index}\nValue: {value}\nDeclaration: {schema}"
    )


def _declared(schema: FunctionSchema, complaint: str) -> str:
    return f"{schema.name}() {complaint} Declaration: {schema}"
