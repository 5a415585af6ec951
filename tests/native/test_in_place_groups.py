"""Operators that write in place in fusion groups, beside the bytecode plan: results, errors and what is written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

pytestmark = pytest.mark.usefixtures("code_at_once")

PROGRAMS = (
    "x.mul_(0.5).add_(y, alpha=2.0)\n    return x",
    "x.add_(y)\n    y.mul_(x)\n    return x + y",
    "z = (x * y).abs_()\n    z.add_(x)\n    x.sub_(z).neg_()\n    return z",
    "x.addcmul_(y, z, value=0.3).addcdiv_(z, y + 4, value=-0.7)\n    return x.sqrt()",
    "x.lerp_(y, 0.25)\n    x.clamp_(-0.5, 0.5).neg_()\n    return y * x, x",
    "x.mul_(y).add_(1)\n    v = x[0]\n    x.mul_(2)\n    return v + 1",
    "v = x.t()\n    v.add_(1)\n    x.mul_(2).add_(y)\n    return v * 2",
    "for i in range(3):\n        x.mul_(0.9).add_(y, alpha=0.125)\n        z.addcdiv_(x, y * y + 1.0)\n    return z",
    "if bool((x > 0).any()):\n        x.add_(y).mul_(z)\n    return x * 2",
    "x.div_(z * z + 1).pow_(2)\n    x.mul_(x)\n    return x",
    "v = x.to(torch.float32)\n    v.add_(y).mul_(2)\n    return v - x",
    "v = x.to(torch.float32)\n    x.add_(y).mul_(2)\n    return v - x",
    "v = y * 2\n    x.sub_(1)\n    return v + (v + x)[0]",
    "v = y * 2\n    x.sub_(1)\n    return (v + x).t() + 1, x * 2",
    "x.relu_().sqrt_().square_()\n    y.trunc_()\n    return x - y",
)
DTYPES = (tsc.float32, tsc.float64, tsc.float16, tsc.bfloat16, tsc.int64, tsc.bool)


def unit_of(body: str) -> Any:
    return tsc.CompilationUnit(f"def f(x: Tensor, y: Tensor, z: Tensor):\n    {body}\n")


def outcome(unit: Any, arguments: list[Any], plan: str) -> tuple[Any, ...]:
    """What a call gives, and what its arguments are then, to the last bit."""
    try:
        found = executor_of(unit.f.function).plan(PlanKey(plan)).run(arguments)
    except tsc.ScriptError as error:
        result: Any = str(error).partition("\n")[0]
    else:
        results = found if isinstance(found, tuple) else (found,)
        same = [next((k for k, a in enumerate(arguments) if a is each), None) for each in results]
        result = [bits(each) for each in results], same
    return result, [bits(each) for each in arguments]


def bits(tensor: Any) -> tuple[Any, ...]:
    return str(tensor.dtype), tensor.array.shape, tensor.array.tobytes()


def laid_out(random: np.random.Generator, dtype: Any) -> list[Callable[[], list[Any]]]:
    """Ways to make three arguments: apart, the same ones, parts of one piece of memory, of other sizes."""
    numbers = random.normal(size=(8, 3, 3)) * 2

    def new(k: int) -> Any:
        return tsc.Tensor(numbers[k].copy()).to(dtype)

    def shared() -> Any:
        return tsc.Tensor(numbers.copy()).to(dtype)

    def twice() -> list[Any]:
        x = new(0)
        return [x, x, new(1)]

    def views() -> list[Any]:
        whole = shared()
        return [whole[1], whole[1], whole[2]]

    def overlapping() -> list[Any]:
        whole = shared().reshape(-1)
        return [whole[0:9].reshape(3, 3), whole[3:12].reshape(3, 3), new(1)]

    return [
        lambda: [new(0), new(1), new(2)],
        twice,
        views,
        overlapping,
        lambda: [new(0), new(1)[0], new(2)[:, :1]],
        lambda: [new(0)[0], new(1), new(2)],
        lambda: [new(0).t(), new(1), new(2).t()],
        lambda: [shared()[:, 0, :][:3], new(1), new(2)],
        lambda: [new(0)[0].expand(3, 3), new(1), new(2)],
        lambda: [new(0), new(1).to(tsc.float64), new(2)],
        lambda: [new(0).to(tsc.int32), new(1), new(2)],
    ]


@pytest.mark.parametrize("body", PROGRAMS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_as_by_bytecode(body: str, dtype: Any) -> None:
    unit = unit_of(body)
    for make in laid_out(np.random.default_rng(0), dtype) * 2:
        assert outcome(unit, make(), "native") == outcome(unit, make(), "bytecode")


@pytest.mark.parametrize("body", PROGRAMS[:5])
def test_there_is_code(body: str, made_code: list[bool]) -> None:
    apart, twice, views, overlapping, *_ = laid_out(np.random.default_rng(0), tsc.float32)
    for make in (apart, twice, views):
        outcome(unit_of(body), make(), "native")
    assert len(made_code) >= 3
    assert all(made_code)
    count = len(made_code)
    outcome(unit_of(PROGRAMS[0]), overlapping(), "native")
    assert len(made_code) == count


def test_what_may_not_be_written_is_left_to_the_operators() -> None:
    unit = unit_of(PROGRAMS[0])
    apart = laid_out(np.random.default_rng(0), tsc.float32)[0]
    for _ in range(3):
        outcome(unit, apart(), "native")
    locked = [apart(), apart()]
    for arguments in locked:
        arguments[0].array.flags.writeable = False

    def failure(plan: str, arguments: list[Any]) -> str:
        with pytest.raises(Exception) as caught:
            executor_of(unit.f.function).plan(PlanKey(plan)).run(arguments)
        return type(caught.value).__name__

    assert failure("native", locked[0]) == failure("bytecode", locked[1])


def test_aliases_change_from_call_to_call() -> None:
    unit = unit_of(PROGRAMS[3])
    ways = laid_out(np.random.default_rng(1), tsc.float32)[:4]
    for a, b in itertools.permutations(ways, 2):
        for make in (a, b, a):
            assert outcome(unit, make(), "native") == outcome(unit, make(), "bytecode")


def test_gradients_are_recorded_and_writes_to_what_is_saved_are_found() -> None:
    unit = unit_of(PROGRAMS[0])
    x, y, z = (tsc.ones(3) for _ in range(3))
    for _ in range(4):
        unit.f(x, y, z)
    leaf = tsc.ones(3).requires_grad_()
    start = leaf * 1.0
    unit.f(start, y, z).sum().backward()
    assert leaf.grad.tolist() == [0.5] * 3
    saved = leaf * y
    unit.f(y, tsc.ones(3), z)
    with pytest.raises(tsc.ScriptError, match="modified by an inplace operation"):
        saved.sum().backward()


def test_parameters_of_many_sizes_take_turns() -> None:
    unit = unit_of(PROGRAMS[3])
    random = np.random.default_rng(2)
    sizes = [(3,), (2, 4), (5, 1, 2), (1,), (7,), (2, 2), (9,), (4, 4), (3, 5), (6,)]
    for _ in range(3):
        for size in (*sizes, *reversed(sizes)):
            numbers = [np.abs(random.normal(size=size)).astype(np.float32) for _ in range(3)]

            def make(numbers: list[np.ndarray] = numbers) -> list[Any]:
                return [tsc.Tensor(each.copy()) for each in numbers]

            assert outcome(unit, make(), "native") == outcome(unit, make(), "bytecode")


@pytest.mark.parametrize(
    "write",
    ["x.add_(1)", "x.index_fill_(0, i, 7.0)", "seen.append(x)", "x[0] = 5", "seen[0].mul_(2)"],
)
@pytest.mark.parametrize(
    "body",
    [
        "n = y.size(1)\n    {}\n    return a.view(-1).relu() + n",
        "n = y.size(1)\n    {}\n    return a.view(n, -1).relu()",
        "{}\n    return torch.relu(a * b) + 1",
        "c = torch.relu(a * b)\n    {}\n    return torch.neg(c * 2)",
        "{}\n    c = a * b\n    {}\n    return torch.neg(c * 2), a + 1",
    ],
)
def test_after_an_error_what_stood_before_it_is_written_and_nothing_else(
    write: str, body: str
) -> None:
    head = "x: Tensor, y: Tensor, z: Tensor, i: Tensor, seen: List[Tensor]"
    lines = ["a = y * 2", "b = z * 3", body.format(write, write)]
    source = "\n    ".join([f"def f({head}):", *lines, ""])

    def outcomes(plan: str) -> list[str]:
        run = executor_of(tsc.CompilationUnit(source).f.function).plan(PlanKey(plan)).run
        found = []
        for shapes in (((3, 1), (3, 1)), ((3, 1), (3, 1)), ((3,), (2,))):
            tensors = [tsc.ones(3), *(tsc.ones(*each) for each in shapes), tsc.tensor([1])]
            given = [*tensors, [tsc.ones(3)]]
            try:
                found.append(repr(run(given)))
            except tsc.ScriptError as error:
                found.append(str(error))
            found.append(repr(given))
        return found

    assert outcomes("native") == outcomes("bytecode")
