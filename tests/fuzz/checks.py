"""What must hold of any text at all: it compiles and runs, or an error of tsc says why not."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import tsc
from tsc.compiler.budget import Limits, under
from tsc.compiler.ir import verify
from tsc.compiler.source import Source
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from tsc.runtime.programs.source_unit import SourceUnit
from tsc.runtime.python_api.script_function import ScriptFunction

MAX_STEPS = 3_000
MAX_SECONDS = 2.0


def check_program(text: str) -> None:
    """Compile, print, print again from the printed, run."""
    unit = compiled(text)
    if unit is None:
        return
    for name in unit.compiled:
        function = unit.function(name)
        check_printing(function)
        run(function)


def compiled(text: str) -> SourceUnit | None:
    """The unit, or None for a text that does not compile; its error can be shown."""
    try:
        return SourceUnit.from_source(Source(text, "fuzz.py"))
    except tsc.CompileError as error:
        assert str(error)
        return None


def check_printing(function: ScriptFunction) -> None:
    """All forms of a function can be printed, and all of its graphs are sound."""
    verify(function.graph)
    assert str(function.graph)
    assert function.code
    assert str(function.schema)
    for printed in (function.inlined_graph, function.optimized_graph):
        verify(printed)
        assert str(printed)
    assert function.bytecode


def run(function: ScriptFunction) -> None:
    """Call a function with something of the right types; it may raise, but only what programs raise."""
    arguments = [example(argument.type) for argument in function.schema.arguments]
    chosen = Limits(max_steps=MAX_STEPS, max_seconds=MAX_SECONDS, max_frames=200)
    with quiet(), under(chosen):
        try:
            repr(function(*arguments))
        except tsc.ScriptError as error:
            assert str(error)


@contextmanager
def quiet() -> Iterator[None]:
    """Programs may print: not here. NumPy must not warn of what it computes."""
    with redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


_EXAMPLES: dict[Type, Any] = {
    INT: 2,
    FLOAT: 0.5,
    COMPLEX: 1j,
    BOOL: True,
    NUMBER: 3,
    STRING: "a b",
    DEVICE: "cpu",
}


def example(type: Type) -> Any:
    """Some value of a type."""
    if type.is_subtype_of(TENSOR):
        return tsc.tensor([[1.0, 2.0], [3.0, 4.0]])
    if isinstance(type, ListType):
        return [example(type.element), example(type.element)]
    if isinstance(type, OptionalType):
        return example(type.element)
    if isinstance(type, TupleType):
        return tuple(map(example, type.elements))
    if isinstance(type, DictType):
        return {example(type.key): example(type.value)}
    if isinstance(type, UnionType):
        return example(type.contained[0])
    return _EXAMPLES.get(type)
