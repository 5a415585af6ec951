"""What tsc answers to an expression, and whether that is PyTorch's answer.

An answer is ``{"refused": message}`` for an expression that does not compile, ``{"crash": signal}``
where PyTorch's process ends, and else ``{"rows": [...]}``, with ``{"value": ...}`` or
``{"error": message}`` for each row of arguments.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.expressions.tables import Expression
from tests.oracle.ours import tensor

PRECISION = 1e-12

OTHER_WORDS = {
    "INTERNAL ASSERT": "",
    "pop() called on empty stack": "",
    "basic_string::at": "string index out of range",
    "basic_string::substr": "",
    "vector::reserve": "cannot repeat a list",
    "required keyword attribute 'value' is undefined": "",
}
"""Parts of PyTorch's messages that say nothing to a user, and what ours must say instead."""


def our_answer(expression: Expression) -> dict[str, Any]:
    try:
        unit = tsc.CompilationUnit(expression.source)
    except tsc.CompileError as error:
        return {"refused": error.message.splitlines()[0]}
    return {"rows": [_row(unit.f, expression.arguments(row)) for row in expression.rows]}


def _row(function: Any, arguments: tuple[object, ...]) -> dict[str, Any]:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"value": plain(function(*arguments), tensor)}
    except tsc.ScriptError as error:
        return {"error": error.message.strip()}


def agrees(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if "crash" in theirs:
        return True
    if ours.keys() != theirs.keys():
        return False
    if "refused" in ours:
        return True
    return all(map(_row_agrees, ours["rows"], theirs["rows"]))


def _row_agrees(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if ours.keys() != theirs.keys():
        return False
    if "value" in ours:
        return same_value(ours["value"], theirs["value"], PRECISION)
    wanted = theirs["error"]
    for part, words in OTHER_WORDS.items():
        if part in wanted:
            wanted = words
    return wanted in ours["error"]
