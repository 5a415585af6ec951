"""What this runtime's scalar and container operators answer, and how that is compared with
PyTorch's answers.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracle.answers import plain, same_value
from tests.runtime.operator_cases import qualified_name
from tsc.compiler.schema import FunctionSchema
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.tracebacks import script_error
from tsc.runtime.operators import load

RECORDED = Path(__file__).parent / "recorded" / "scalar_operators.json"
PRECISION = 1e-12

OTHER_RESULTS = {
    "aten::remainder.int": "where a sum overflows in C++, it is computed correctly",
    "aten::eq": "a complex number and a real one are compared; PyTorch fails",
    "aten::ne": "a complex number and a real one are compared; PyTorch fails",
    "aten::divmod.int_float": "PyTorch computes with 32 bits",
    "aten::divmod.float_int": "PyTorch computes with 32 bits",
    "prim::rangelist": "a negative length makes an empty list; PyTorch fails",
    "aten::factorial.int": "the product of more than 65 numbers is zero in 64 bits",
    "aten::chr": "strings are Unicode; PyTorch keeps the lowest byte",
    "aten::rindex": "a start behind the end is refused in other words",
    "aten::rsplit": "an empty separator is refused; PyTorch returns empty strings",
    "aten::replace": "an empty string is found everywhere; PyTorch never ends",
}
"""Operators that answer otherwise in some cases, and why."""

OTHER_WORDS = {
    "aten::startswith": "behind the end of a string",
    "aten::endswith": "behind the end of a string",
    "aten::__getitem__.str": "string index out of range",
    "prim::StringIndex": "string index out of range",
    "aten::mul.left_t": "cannot repeat a list",
    "aten::mul.right_": "cannot repeat a list",
}
"""Operators whose errors say what is wrong in other words than C++'s libraries."""


def answer(schema: FunctionSchema, row: list[Any]) -> Any:
    """The results and then the arguments that were written to, or the error."""
    operator = load().find(schema.name, schema.overload_name)
    assert operator is not None
    arguments = copy.deepcopy(row)
    kernel = operator.kernel(None) if operator.node_kernel else operator.kernel
    try:
        with np.errstate(all="ignore"):
            result = kernel(*arguments)
    except Exception as error:
        translated = script_error(error)
        if not isinstance(translated, ScriptError):
            raise
        return {"error": translated.message.partition("\n")[0]}
    results = [result] if len(schema.returns) == 1 else list(result or ())
    written = [value for value, each in zip(arguments, schema.arguments) if each.is_write]
    return {"value": plain([*results, *written], lambda _value: None)}


def agrees(schema: FunctionSchema, ours: Any, theirs: Any) -> bool:
    """Whether an answer is PyTorch's: the same values, or an error that says the same."""
    if "crash" in theirs:
        return True
    if ours.keys() != theirs.keys():
        return False
    if "value" in ours:
        return same_value(ours["value"], theirs["value"], PRECISION)
    if "INTERNAL ASSERT" in theirs["error"]:
        return True
    wanted = OTHER_WORDS.get(qualified_name(schema), theirs["error"])
    return wanted in ours["error"]
