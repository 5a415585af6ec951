"""What to say when a call does not fit a schema, or none of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.types import TENSOR, ListType, TensorType, Type

PLACE_FOLLOWS: Final = "\nThe original call is"
"""How a message ends that a place in a text follows."""


def not_provided(argument: Argument) -> str:
    return f"Argument {argument.name} not provided.\n"


def too_many_arguments(expected: int, found: int) -> str:
    return f"Expected at most {expected} arguments but found {found} positional arguments.\n"


def unknown_keyword(schema: FunctionSchema, name: str) -> str:
    known = any(argument.name == name for argument in schema.arguments)
    return f"Keyword argument {name} {'specified twice' if known else 'unknown'}.\n"


def variable_mismatch(argument: Argument, actual: Type, reason: str) -> str:
    return (
        f"Could not match type {actual.message_text} to {argument.type.message_text} "
        f"in argument '{argument.name}': {reason}.\n"
    )


def unbound_variables(argument: Argument, actual: Type) -> str:
    return (
        f"Type variables in type {argument.type.message_text} could not be inferred "
        f"from actual type {actual.message_text}"
    )


def type_mismatch(argument: Argument, wanted: Type, actual: Type) -> str:
    """Why a value is no ``wanted``, with what is known about where the two types come from."""
    message = (
        f"Expected a value of type '{argument.type.message_text}' for argument '{argument.name}' "
        f"but instead found type '{actual.message_text}'.\n"
    )
    if _is_inferred(argument.type):
        message += _because_not_annotated(f"'{argument.name}'")
    if _is_inferred(actual):
        message += _because_not_annotated(f"the value for argument '{argument.name}'")
    if isinstance(actual, ListType) and actual.element.is_subtype_of(TENSOR):
        message += (
            "Empty lists default to List[Tensor]. Annotate the assignment (x: List[int] = []) "
            "to create an empty list of another type.\n"
        )
    explanation = actual.why_not_subtype_of(wanted)
    return f"{message}{explanation}\n" if explanation else message


def no_variant_fits(reasons: Sequence[str], left_out: int) -> str:
    """The reasons why each of several schemas does not fit, in one message."""
    indented = "".join(f"  {line}".rstrip() + "\n" for line in "".join(reasons).splitlines())
    others = f"\n  ({left_out} more, which fit less well, are left out)\n" if left_out else ""
    return (
        "Arguments for call are not valid.\nThe following variants are available:\n"
        f"{indented}{others}{PLACE_FOLLOWS}"
    )


def no_such_operation(sign: str, operands: Sequence[Type]) -> str:
    left, right = (operand.message_text for operand in operands)
    return (
        f"Arguments for call are not valid.\n'{sign}' isn't defined for {left} and {right}.\n"
        f"{PLACE_FOLLOWS}"
    )


def _is_inferred(type: Type) -> bool:
    return isinstance(type, TensorType) and type.inferred


def _because_not_annotated(subject: str) -> str:
    return (
        f"Inferred {subject} to be of type 'Tensor' "
        "because it was not annotated with an explicit type.\n"
    )
