"""What kernels raise becomes an error of the program, of PyTorch's kind."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tests.runtime.plans import each_plan, script
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.tracebacks import script_error
from tsc.runtime.operators import load

PROGRAMS: dict[str, tuple[str, list[Any], str]] = {
    "list index": ("xs: List[int]): return xs[3]", [[1]], "list index out of range"),
    "list store": ("xs: List[int]): xs[3] = 1", [[1]], "list index out of range"),
    "key": ('d: Dict[str, int]): return d["k"]', [{}], "KeyError: k"),
    "int division": ("x: int): return 1 // x", [0], "division by 0"),
    "modulo": ("x: int): return 1 % x", [0], "ZeroDivisionError: integer modulo by zero"),
    "numeral": (
        "s: str): return int(s)",
        ["1x"],
        "invalid literal for int() with base 10: '1x'",
    ),
    "unpacking": (
        "xs: List[int]):\n    a, b = xs\n    return a",
        [[1]],
        "Expected 2 elements in a list but found 1",
    ),
    "pop": ("xs: List[int]): return xs.pop()", [[]], "pop from empty list"),
    "substring": ('s: str): return s.index("q")', ["abc"], "ValueError: substring not found"),
    "power": (
        "x: float): return x ** -1.0",
        [0.0],
        "0.0 cannot be raised to a negative power",
    ),
    "assertion": ('x: int): assert x > 0, "small"', [0], "AssertionError: small"),
    "step": (
        "n: int):\n    for i in range(0, 3, n):\n        print(i)",
        [0],
        "range() arg 3 must not be zero",
    ),
}


def source_of(program: str) -> str:
    return f"def f({program}\n".replace("): ", "):\n    ")


@each_plan
@pytest.mark.parametrize(
    ("source", "inputs", "message"), list(PROGRAMS.values()), ids=list(PROGRAMS)
)
def test_errors_of_programs(run: Any, source: str, inputs: list[Any], message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        run(script(source_of(source)), inputs)
    assert (caught.value.kind, caught.value.message) == ("RuntimeError", message)
    assert [entry.function for entry in caught.value.stack] == ["f"]


@pytest.mark.oracle
def test_pytorch_says_the_same() -> None:
    torch = pytest.importorskip("torch")
    for name, (source, inputs, message) in PROGRAMS.items():
        if name == "modulo":
            continue  # it ends PyTorch's process
        function = torch.jit.CompilationUnit(source_of(source)).f
        with pytest.raises((RuntimeError, torch.jit.Error)) as caught:
            function(*inputs)
        assert str(caught.value).strip().endswith(f"RuntimeError: {message}"), name


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "not enough memory"),
        (MemoryError("for 5 TiB"), "not enough memory: for 5 TiB"),
        (ZeroDivisionError("x"), "x"),
        (OverflowError(), "OverflowError"),
        (FloatingPointError("underflow"), "underflow"),
        (IndexError("list assignment index out of range"), "list index out of range"),
        (ValueError("operands do not fit"), "operands do not fit"),
    ],
)
def test_exceptions_of_python_and_numpy(error: Exception, message: str) -> None:
    translated = script_error(error)
    assert isinstance(translated, ScriptError)
    assert (translated.kind, translated.message) == ("RuntimeError", message)
    assert translated.__cause__ is error


def test_bugs_stay_what_they_are() -> None:
    error = TypeError("a bug")
    assert script_error(error) is error


@each_plan
def test_operators_that_run_programs(run: Any) -> None:
    """The stack goes through an operator that calls a script function."""
    inner = tsc.CompilationUnit("def inner(x: int) -> int:\n    return 1 // x\n").inner
    name = f"tracebacks_test::{run.__name__}"
    declared = tsc.register_operator(f"{name}(int x) -> int", inner)
    try:
        with pytest.raises(ScriptError) as caught:
            run(
                script(
                    f"def f(x: int) -> int:\n    return torch.ops.{name.replace('::', '.')}(x)\n"
                ),
                [0],
            )
    finally:
        del load()._operators[declared.name]
    assert [entry.function for entry in caught.value.stack] == ["f", "inner"]
    assert caught.value.message == "division by 0"
