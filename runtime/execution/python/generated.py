"""Functions of programs as Python functions, which are made when they are first called.

Until then a function has a code that does so and calls itself again. So callers hold the function from the start,
whoever is made first, and calls are plain calls of Python.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final

from tsc.compiler.ir import DEFINING
from tsc.compiler.process_settings import deep_recursion
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.function_writer import Written

_MAKE: Final = "make"
_NOWHERE: Final[syntax.Place] = {
    "lineno": 1,
    "col_offset": 0,
    "end_lineno": 1,
    "end_col_offset": 0,
}
_FILE: Final = "<tsc: a function is made>"


def function_in_waiting(
    parameters: int, write: Callable[[], Written | None], otherwise: Callable[..., Any]
) -> FunctionType:
    """A Python function of so many parameters that is written when it is first called.

    Where `write` says None, calls go to `otherwise`.
    """

    def make() -> Callable[..., Any]:
        with DEFINING:
            if function.__code__ is waiting:
                written = write()
                code = None if written is None else compiled(written)
                if written is None or code is None:
                    variables[_MAKE] = lambda: otherwise
                    return otherwise
                variables.update(written.variables)
                function.__code__ = code
        return function

    waiting = _first_code(parameters)
    variables: dict[str, Any] = {_MAKE: make}
    function = FunctionType(waiting, variables)
    return function


def prepare(function: FunctionType) -> None:
    """Have a function made before it is called."""
    function.__globals__[_MAKE]()


def compiled(written: Written) -> CodeType | None:
    """The code of a definition; None for one that is nested too deeply for this version of Python."""
    definition = written.definition
    module = ast.Module(body=[definition], type_ignores=[])
    try:
        with deep_recursion():
            code = compile(module, written.places.filename, "exec", dont_inherit=True)
    except (RecursionError, SyntaxError):
        return None
    made = next(each for each in code.co_consts if isinstance(each, CodeType))
    written.places.code = made.replace(co_qualname=written.places.qualified_name)
    return written.places.code


@functools.cache
def _first_code(parameters: int) -> CodeType:
    """``def function(p0, p1): taken = [p1, p0]; del p0, p1; return make()(taken.pop(), taken.pop())``.

    Arguments are the callee's alone, so that it can let go of them.
    """
    place, names = _NOWHERE, [f"p{number}" for number in range(parameters)]
    values = [syntax.name(place, name) for name in reversed(names)]
    pop = syntax.attribute(place, syntax.name(place, "taken"), "pop")
    made = syntax.call(place, syntax.name(place, _MAKE), ())
    body: list[ast.stmt] = [syntax.assign_all(place, ["taken"], syntax.list_of(place, values))]
    if names:
        body.append(syntax.delete(place, names))
    arguments = [syntax.call(place, pop, ()) for _ in names]
    body.append(syntax.result(place, syntax.call(place, made, arguments)))
    module = ast.Module(body=[syntax.function(place, "function", names, body)], type_ignores=[])
    code = compile(module, _FILE, "exec", dont_inherit=True)
    return next(each for each in code.co_consts if isinstance(each, CodeType))
