"""A random scalar program in CPython and in tsc: the same result, output and end.

What is computed and not used is not computed by TorchScript, so an error of an operator may be missing there.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
from typing import Any

import tsc

from .scalar_programs import ARGUMENTS, RAISED
from .ways import CALLS, all_ways

_ERRORS = (
    tsc.ScriptError,
    ArithmeticError,
    AssertionError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
_PRELUDE = "from typing import Dict, List, Tuple\nimport math\n\n"


def check_against_cpython(source: str) -> None:
    """Fail unless both do the same with each of the arguments."""
    text = _PRELUDE + source
    names: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), names)
    right = [outcome(names["f"], arguments) for arguments in ARGUMENTS]
    for way in all_ways(source):
        function = tsc.CompilationUnit(text).f
        for arguments, expected in zip(ARGUMENTS, right):
            if expected.get("raised") == "by an operator":
                continue
            for _ in range(CALLS):
                found = outcome(function, arguments)
                assert same(found, expected), (
                    f"\n{source}\nf{arguments} ({way})\ntsc:     {found}\nCPython: {expected}"
                )


def outcome(function: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """What a call returns, or that it raises, with what it printed."""
    values = copy.deepcopy(arguments)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = function(*values)
    except _ERRORS as error:
        source = "by the program" if RAISED in str(error) else "by an operator"
        return {"raised": source, "printed": printed.getvalue()}
    return {"result": result, "printed": printed.getvalue()}


def same(found: Any, expected: Any) -> bool:
    """Equality which tells types apart, and takes nan for equal."""
    if type(found) is not type(expected):
        return False
    if isinstance(found, float):
        return found == expected or (math.isnan(found) and math.isnan(expected))
    if isinstance(found, dict):
        return list(found) == list(expected) and all(
            same(found[key], expected[key]) for key in found
        )
    if isinstance(found, list | tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    return found == expected
