"""Random programs full of jumps do what CPython makes of them."""

from __future__ import annotations

import contextlib
import io
from types import SimpleNamespace
from typing import Any

import pytest

import tsc

from ..random_programs import random_program

ARGUMENTS = ((0, 1, 2, []), (3, 3, 5, [4, 0, 2]), (-2, 7, 1, [1, 1, 1, 1]))


def outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[str, object]:
    """What a call prints, and what it returns or the kind of error that it raises."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result: object = function(*arguments)
        except tsc.ScriptError as error:
            result = error.kind
        except AssertionError:
            result = "RuntimeError"  # what TorchScript makes of a failed assert
        except Exception as error:  # noqa: BLE001  the program's own
            result = type(error).__name__
    return printed.getvalue(), result


def in_python(source: str) -> Any:
    torch = SimpleNamespace(no_grad=contextlib.nullcontext)
    names: dict[str, Any] = {"List": list, "torch": torch}
    exec(source, names)
    return names["f"]


@pytest.mark.parametrize("seed", range(120))
def test_same_as_cpython(seed: int) -> None:
    source = random_program(seed)
    scripted, plain = tsc.CompilationUnit(source).f, in_python(source)
    for arguments in ARGUMENTS:
        assert outcome(scripted, arguments) == outcome(plain, arguments), source
