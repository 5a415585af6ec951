"""Small tensors of one dimension in loops: native code does what bytecode does, to results, aliases and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.native_report import explanation
from tsc.runtime.native.regions import groups

pytest.importorskip("llvmlite")

SOURCE = """
def states(x: Tensor, n: int) -> Tensor:
    a = torch.tensor([0.9, 0.8, 0.7])
    state = torch.zeros(3)
    for i in range(n):
        state = state * a + x[i]
    return state

def total(x: Tensor, n: int) -> Tensor:
    s = torch.zeros(1)
    for i in range(n):
        s += x[i, 0] * 2
    return s

def averaged(x: Tensor, n: int) -> Tensor:
    mean = x[0]
    for i in range(1, n):
        mean = mean + (x[i] - mean) / (i + 1)
    return mean

def listed(x: Tensor, n: int) -> Tensor:
    found: List[float] = []
    for i in range(n):
        if x[i, 0] > 0:
            found.append(1e39 * float(x[i, 1]))
    return torch.tensor(found)

def places(x: Tensor, n: int) -> Tensor:
    found: List[int] = []
    for i in range(n):
        if x[i, 0] > 0:
            found.append(i)
    return torch.tensor(found, dtype=torch.int32)

def steps(x: Tensor, n: int) -> Tensor:
    out = torch.zeros(n)
    last = torch.zeros(())
    for i in range(n):
        last = last * 0.5 + x[i, 0]
        out[i] = last
    return out

def both(x: Tensor, n: int) -> Tuple[Tensor, Tensor]:
    a = torch.ones(3)
    b = a
    for i in range(n):
        a = a * 2
        b = a
        b += 1
    return a, b

def misfit(x: Tensor, n: int) -> Tensor:
    a = torch.zeros(2)
    for i in range(n):
        a = a + x[i]
    return a

def negative(x: Tensor, n: int) -> Tensor:
    a = torch.zeros(1)
    for i in range(n):
        a = torch.zeros(1 - i) + 1
    return a

def stacked(x: Tensor, n: int) -> Tensor:
    found: List[Tensor] = []
    state = x[0, 0]
    for i in range(n):
        state = state * 2 + x[i, 1]
        found.append(state)
    return torch.stack(found)

def stacked_rows(x: Tensor, n: int) -> Tensor:
    found = [x[0]]
    for i in range(n):
        found.append(x[i] + found[-1])
        if len(found) > 2:
            found[1] += 1
    return torch.stack(found)

def kept(x: Tensor, n: int) -> List[Tensor]:
    found: List[Tensor] = []
    a = x[0, 0] + 1
    for i in range(n):
        found.append(a)
        if i % 2 == 0:
            a = a + 1
        else:
            found.append(x[i, 0])
    return found

def ragged(x: Tensor, n: int) -> Tensor:
    found = [torch.zeros(1)]
    for i in range(n):
        found.append(torch.zeros(i))
    return torch.stack(found)

def part(x: Tensor, n: int) -> Tensor:
    a = torch.zeros(3)
    for i in range(n):
        a[0] += 1
    return a[0]
"""
NAMES = [line[4 : line.index("(")] for line in SOURCE.splitlines() if line.startswith("def ")]


def numbers(dtype: Any) -> Any:
    values = np.random.default_rng(0).standard_normal((8, 3)) * 3
    return tsc.from_numpy(values).to(dtype)


def outcome(plan: str, name: str, given: Any, n: int) -> str:
    with chosen_plan(plan):
        try:
            result = getattr(tsc.CompilationUnit(SOURCE), name)(given, n)
        except tsc.ScriptError as error:
            return f"{error}{given!r}"
    tensors = result if isinstance(result, tuple | list) else (result,)
    shared = [np.may_share_memory(each.array, given.array) for each in tensors]
    same = [one is other for one in tensors for other in tensors]
    return f"{result!r}{shared}{same}{given!r}{[(each.dtype, each.shape) for each in tensors]}"


@pytest.mark.parametrize("dtype", [tsc.float32, tsc.float64, tsc.bfloat16, tsc.int64])
@pytest.mark.parametrize("name", NAMES)
def test_native_code_does_the_same(name: str, dtype: Any) -> None:
    for n in (0, 1, 4):
        x = numbers(dtype)
        for given in (x, x.t().clone().t(), x[:, :1].expand(8, 3)):
            expected = outcome("bytecode", name, given.clone(), n)
            assert outcome("native", name, given.clone(), n) == expected


@pytest.mark.parametrize(
    "name", ["states", "total", "listed", "places", "steps", "both", "stacked", "kept"]
)
def test_loops_over_rows_are_native(name: str) -> None:
    told = explanation(getattr(tsc.CompilationUnit(SOURCE), name).function)
    assert "not native" not in told


def test_a_part_of_a_new_tensor_is_not_given_away_by_native_code() -> None:
    told = explanation(tsc.CompilationUnit(SOURCE).part.function)
    assert "a part of a new tensor is kept" in told


def test_errors_tell_the_sizes() -> None:
    found = outcome("native", "misfit", numbers(tsc.float32), 2)
    assert "a = a + x[i]" in found
    assert "size" in found


def test_long_rows_are_left_to_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = groups.made_region
    monkeypatch.setattr(groups, "made_region", lambda *given: made.append(given) or real(*given))
    function = tsc.CompilationUnit(SOURCE).averaged
    with chosen_plan("native"):
        function(tsc.ones(4, 100_000), 4)
        assert not made
        function(tsc.ones(4, 10), 4)
    assert made


FUNCTIONS = (
    *(
        "exp",
        "expm1",
        "log",
        "log1p",
        "tanh",
        "sigmoid",
        "erf",
        "sin",
        "cos",
        "tan",
        "atan",
        "exp2",
    ),
)


@pytest.mark.parametrize("dtype", [tsc.float32, tsc.float64, tsc.bfloat16])
@pytest.mark.parametrize("part", ["x[i, 0]", "x[i]"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_elements_and_rows(name: str, part: str, dtype: Any) -> None:
    source = f"""
def f(x: Tensor, n: int) -> Tensor:
    s = {part.replace("i", "0", 1)}
    for i in range(n):
        s = torch.{name}({part}) + s * 0.5
    return s
"""
    assert "not native" not in explanation(tsc.CompilationUnit(source).f.function)
    results: list[Any] = []
    for plan in ("native", "bytecode"):
        with chosen_plan(plan):
            results.append(tsc.CompilationUnit(source).f(numbers(dtype).abs() * 0.3, 8))
    bound = {tsc.float32: 2e-6, tsc.float64: 1e-14, tsc.bfloat16: 0.05}[dtype]
    found, expected = results
    assert found.dtype == expected.dtype
    assert tsc.allclose(found, expected, bound, bound)
