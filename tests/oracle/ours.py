"""tsc's answers to the programs of the corpus, in the form of `tests.oracle.answers`."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import tsc
from tsc.compiler.types import Device
from tsc.runtime.values.tensor import Tensor

from .answers import Answer, describe_tensor, normalize_code, normalize_graph, plain
from .programs import Program

STRICT = "strict"
"""The topic of the programs that strict mode has to take and refuse as PyTorch does."""


def answer(program: Program) -> Answer:
    """Compile and run `program` with tsc; only `tsc.Error` may stop it."""
    try:
        strict = program.topic == STRICT
        unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py", strict=strict)
    except tsc.CompileError as error:
        return {"error": error.message.splitlines()[0]}
    functions = {name: getattr(unit, name) for name in program.functions if hasattr(unit, name)}
    return {
        "graph": {name: normalize_graph(str(f.graph)) for name, f in functions.items()},
        "code": {name: normalize_code(f.code) for name, f in functions.items()},
        "results": [result(unit, i, call) for i, call in enumerate(program.calls)],
    }


def result(unit: Any, index: int, call: str) -> Any:
    """Compile and run one call, catching what it raises and prints."""
    try:
        unit.define(f"def call_{index}():\n    return {call}\n")
    except tsc.CompileError as error:
        return {"error": error.message.splitlines()[0]}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            value = getattr(unit, f"call_{index}")()
    except tsc.ScriptError as error:
        return {"raised": error.kind, "message": error.message}
    answer = {"value": plain(value, tensor)}
    return answer | ({"printed": printed.getvalue()} if printed.getvalue() else {})


def tensor(value: Any) -> Any:
    """The description of a tensor or device in an answer, or None."""
    if isinstance(value, Device):
        return {"device": str(value)}
    if not isinstance(value, Tensor):
        return None
    return describe_tensor(str(value.dtype), list(value.shape), value.tolist())
