"""The programs that only extensions accept: `programs/extensions.txt`, named after what they use.

PyTorch refuses every one of them, so CPython says what they mean. The name of a program begins with
the name of its extension: `recursion: mutual`.
"""

from __future__ import annotations

import contextlib
import io
import math
import typing
from typing import Any

from tsc.compiler.source import EXTENSIONS

from .answers import Answer, plain
from .programs import PROGRAMS, Program, read_programs

EXTENSION_PROGRAMS = tuple(read_programs(PROGRAMS / "extensions.txt"))
SUMMARIES = {extension.name: extension.summary for extension in EXTENSIONS}


def extension_name(program: Program) -> str:
    return program.name.partition(":")[0]


def deviations() -> dict[str, dict[str, str]]:
    """PyTorch refuses these programs on purpose."""
    return {
        program.key: {"error": SUMMARIES[extension_name(program)]} for program in EXTENSION_PROGRAMS
    }


class _Jit:
    """What programs use of ``torch.jit``, as it behaves in Python."""

    @staticmethod
    def annotate(_type: Any, value: Any) -> Any:
        return value

    @staticmethod
    def script(definition: Any) -> Any:
        return definition


class _Init:
    """What programs use of ``torch.nn.init``."""

    @staticmethod
    def calculate_gain(nonlinearity: str, slope: float = 0.01) -> float:
        return {"tanh": 5.0 / 3, "leaky_relu": math.sqrt(2 / (1 + slope**2))}[nonlinearity]


class _Layers:
    init = _Init()


class _Torch:
    jit = _Jit()
    nn = _Layers()


def cpython_answers(program: Program) -> list[Answer]:
    """What the calls of a program return, raise and print in CPython."""
    names: dict[str, Any] = {"math": math, "torch": _Torch(), **vars(typing)}
    exec(compile(program.source, program.key, "exec"), names)
    return [_result(call, names) for call in program.calls]


def _result(call: str, names: dict[str, Any]) -> Answer:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            value = eval(call, names)
    except Exception as error:  # noqa: BLE001  whatever the program raises is its answer
        kind = type(error).__name__
        return {"raised": "RuntimeError" if kind == "AssertionError" else kind}  # as in PyTorch
    answer = {"value": plain(value, lambda _value: None)}
    return answer | ({"printed": printed.getvalue()} if printed.getvalue() else {})
