"""What to write where a binary operator of Python has no counterpart in TorchScript."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.missing_annotations import missing_annotation
from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.types import (
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    ListType,
    TensorType,
    Type,
)

_NUMBERS = (INT, FLOAT, COMPLEX, NUMBER)


def operand_hint(sign: str, operands: Sequence[NamedValue]) -> str | None:
    """What would do what ``left sign right`` does in Python, for those that are often missed."""
    left, right = operands
    types = (left.value.type, right.value.type)
    if STRING in types:
        return _hint_for_text(sign, left, right)
    if sign in ("+", "-", "*", "/", "**", "@") and _is_vector(types):
        vector = left if isinstance(types[0], ListType) else right
        return f"a list is no vector: torch.tensor({_text(vector)}) makes a tensor of it"
    return None


def _hint_for_text(sign: str, left: NamedValue, right: NamedValue) -> str | None:
    text, other = (left, right) if left.value.type == STRING else (right, left)
    type = other.value.type
    if sign == "*" and type == INT:
        return f'to repeat text, write `"".join([{_text(text)}] * {_text(other)})`'
    missing = missing_annotation(other.value, INT if sign == "*" else STRING)
    if missing is not None and sign in ("+", "*", "<", ">", "<=", ">="):
        return missing.hint
    if isinstance(type, TensorType) and sign == "+":
        return f"str({_text(other)}) makes a string of it"
    return None


def _is_vector(types: Sequence[Type]) -> bool:
    """Whether one is a list of numbers, and the other what a tensor is computed with."""
    vectors = [each for each in types if isinstance(each, ListType) and each.element in _NUMBERS]
    others = [each for each in types if each in _NUMBERS or each.is_subtype_of(TENSOR)]
    return len(vectors) + len(others) == len(types) and bool(vectors)


def _text(operand: NamedValue) -> str:
    return operand.range.text
