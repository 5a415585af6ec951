"""Operators on rows in fusion groups: sums, means, extremes, softmax and normalization, beside the bytecode plan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

from .test_fusion_differential import answer, same

pytestmark = pytest.mark.usefixtures("code_at_once")

SEEDS = 60
UNITS = 64
OF_FLOATS = (
    "torch.softmax({0}, {1})",
    "torch.log_softmax({0}, {1})",
    "{0}.mean({1})",
    "{0}.mean([{1}], keepdim=True)",
    "{0}.var({1})",
    "{0}.std([{1}], unbiased=False, keepdim=True)",
    "{0}.std()",
    "torch.nn.functional.layer_norm({0}, [{2}])",
    "torch.nn.functional.layer_norm({0}, [{2}], w, b)",
    "torch.rms_norm({0}, [{2}], w)",
    "{0}.logsumexp({1})",
    "torch.norm({0}, 2, [{1}])",
    "torch.norm({0}, 1)",
    "torch.norm({0}, 3.0, [{1}], True)",
    "torch.norm({0}, float('inf'))",
    "torch.nn.functional.mse_loss({0}, y)",
    "torch.nn.functional.l1_loss({0}, y, reduction='sum')",
    "torch.nn.functional.smooth_l1_loss({0}, y, beta=0.5)",
    "torch.nn.functional.huber_loss({0}, y, delta=2.0)",
    "torch.nn.functional.mse_loss({0}, y, reduction='none')",
)
OF_ALL = (
    "{0}.sum()",
    "{0}.sum({1})",
    "{0}.sum([{1}], keepdim=True)",
    "torch.abs({0}).sum([{3}])",
    "{0}.amax({1})",
    "{0}.amin({1}, True)",
    "{0}.max()",
)
FLOATS = (tsc.float32, tsc.float64, tsc.float16, tsc.bfloat16)
INTEGERS = (tsc.int64, tsc.int32, tsc.uint8, tsc.bool)
SPECIAL = (np.nan, np.inf, -np.inf, 0.0)


def tensor(random: np.random.Generator, shape: list[int], dtype: Any) -> tsc.Tensor:
    """Of random numbers that lie in some order, some of them special."""
    order = random.permutation(len(shape))
    a = random.normal(size=[shape[axis] for axis in order]) * 4
    if dtype in FLOATS and random.random() < 0.2 and a.size:
        a.flat[random.integers(a.size)] = random.choice(SPECIAL)
    if random.random() < 0.3:
        a = np.repeat(a, 2, axis=0)[::2] if a.ndim else a
    return tsc.Tensor(a).to(dtype).permute(np.argsort(order).tolist())


def program(random: np.random.Generator, shape: list[int], *, floats: bool) -> str:
    inner = random.choice(["x", "(x + y)", "(x * 2)", "torch.abs(x)"])
    text = str(random.choice([*OF_ALL, *OF_FLOATS] if floats else OF_ALL))
    axis = int(random.integers(-len(shape), len(shape)))
    several = random.permutation(len(shape))[: random.integers(1, 5)].tolist()
    axes = str(several)[1:-1]
    made = text.format(inner, axis if random.random() < 0.7 else -1, shape[-1], axes)
    after = random.choice(["{}", "{} * 2", "torch.abs({})", "{} + y.amax(-1, True)"])
    return (
        "def f(x: Tensor, y: Tensor, w: Tensor, b: Tensor):\n"
        f"    return {str(after).format(made)}\n"
    )


def result(plan: Any, inputs: list[tsc.Tensor]) -> Any:
    """The result, without dimensions of extent 1, whose strides say nothing."""
    found, _ = answer(plan, inputs)
    return found.squeeze() if isinstance(found, tsc.Tensor) else found


def plans(source: str) -> tuple[Any, Any]:
    executor = executor_of(tsc.CompilationUnit(source).f.function)
    return executor.plan(PlanKey("native")), executor.plan(PlanKey("bytecode"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_same_with_and_without(seed: int) -> None:
    random = np.random.default_rng(seed)
    dtype = (*FLOATS, *FLOATS, *INTEGERS)[seed % 12]
    shape = [int(each) for each in random.choice([1, 2, 3, 5, 17, 70], random.integers(1, 5))]
    source = program(random, shape, floats=dtype in FLOATS)
    native, plain = plans(source)
    with np.errstate(all="ignore"):
        for _ in range(3):
            inputs = [
                tensor(random, each, dtype) for each in (shape, shape, shape[-1:], shape[-1:])
            ]
            found, expected = result(native, inputs), result(plain, inputs)
            assert same(found, expected, UNITS), source


def called(body: str, *arrays: np.ndarray) -> np.ndarray:
    """What native code makes of arrays."""
    names = "xyz"[: len(arrays)]
    head = ", ".join(f"{name}: Tensor" for name in names)
    unit = tsc.CompilationUnit(f"def f({head}):\n    return {body}\n")
    return unit.f(*map(tsc.Tensor, arrays)).numpy()


@pytest.mark.parametrize(
    "body",
    [
        "torch.softmax(x * 0.5, -1)",
        "torch.nn.functional.layer_norm(x + 1.0, [70])",
        "(x - x.mean(-1, True)) / (x.amax([1], True) + 1)",
        "(x * x).sum()",
        "torch.softmax(x, -1).amax(-1)",
        "torch.softmax(x * 0.5, 0)",
        "torch.abs(x * 2 + 1).view(3, 3, 70).sum([0, 2]) * 2",
        "x.view(3, 3, 7, 10).var([0, 2, 3]).sqrt()",
        "x.view(3, 3, 7, 10).transpose(1, 3).mean([1, 2], True)",
        "x.prod(0)",
    ],
)
def test_there_is_code(body: str, made_code: list[bool]) -> None:
    called(body, np.random.default_rng(0).normal(size=(9, 70)).astype(np.float32))
    assert made_code == [True]


OF_IMAGES = (
    "torch.nn.functional.batch_norm(x, c, p, p, c)",
    "torch.relu(torch.nn.functional.batch_norm(x * 2, c, p, None, c))",
    "torch.nn.functional.batch_norm(x, c, p)",
    "torch.nn.functional.group_norm(x, 2, p, c)",
    "torch.nn.functional.group_norm(x + 1, 6)",
    "torch.nn.functional.group_norm(x, 1, p) * 2",
    "torch.nn.functional.glu(x, 1)",
    "torch.nn.functional.glu(x * 2, 0) + 1",
)


@pytest.mark.parametrize("body", OF_IMAGES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_channels_and_groups_of_them(body: str, dtype: Any) -> None:
    random = np.random.default_rng(3)
    head = "def f(x: Tensor, c: Tensor, p: Tensor):\n"
    native, plain = plans(f"{head}    return {body}\n")
    images = tensor(random, [2, 6, 3, 5], dtype)
    forms = [images.contiguous(), images.contiguous(memory_format=tsc.channels_last), images]
    forms += [images[:, :, 0].contiguous(), images[:, :, 0, 0].contiguous()]
    numbers = [tsc.Tensor(random.uniform(0.5, 2, 6)).to(dtype) for _ in range(2)]
    with np.errstate(all="ignore"):
        for each in forms:
            found = [result(plan, [each, *numbers]) for plan in (native, plain)]
            assert same(*found, 4 * UNITS), (body, each.shape)
            assert found[0].stride() == found[1].stride()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_are_as_exact_as_their_dtype(dtype: type) -> None:
    """Of many positive numbers: within two units in the last place."""
    x = np.random.default_rng(1).uniform(0, 1, 1_000_003).astype(dtype)
    exact = x.astype(np.longdouble).sum()
    assert abs(called("(x * 1.0).sum()", x) - exact) <= 2 * np.spacing(dtype(exact))


@pytest.mark.parametrize(
    "body",
    ["torch.softmax(x, -1)", "(x * x).mean(-1)", "(x + 1).sum()", "(x + 1).sum(0)", "x.var(0)"],
)
def test_threads_make_no_difference(body: str) -> None:
    x = np.random.default_rng(2).normal(size=(40, 9000)).astype(np.float32)
    before = tsc.get_num_threads()
    found: list[np.ndarray] = []
    for threads in (1, 2, 3):
        tsc.set_num_threads(threads)
        found.append(called(body, x))
    tsc.set_num_threads(before)
    assert all(np.array_equal(each, found[0]) for each in found)


def test_special_numbers_stay() -> None:
    rows = np.array([[1, np.nan, 3], [1, np.inf, 3], [-np.inf] * 3, [np.inf, -np.inf, 0]])
    for dtype in (np.float32, np.float64):
        x = rows.astype(dtype)
        with np.errstate(all="ignore"):
            for body, exact in (("amax", x.max(1)), ("amin", x.min(1)), ("sum", x.sum(1))):
                assert np.array_equal(called(f"x.{body}(1) * 1.0", x), exact, equal_nan=True)
            assert np.array_equal(
                np.isnan(called("torch.softmax(x, 1)", x)).any(1), [True, True, True, True]
            )


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("torch.nn.functional.layer_norm(x + 1, [3])", (2, 4)),
        ("(x + 1).amax(1)", (2, 0)),
        ("torch.softmax(x + 1, 2)", (2, 4)),
        ("(x + 1).sum(-3)", (2, 4)),
    ],
)
def test_errors_are_told_as_without(body: str, shape: tuple[int, ...]) -> None:
    native, plain = plans(f"def f(x: Tensor):\n    return {body}\n")
    given = [tsc.Tensor(np.zeros(shape, np.float32))]
    assert answer(native, given) == answer(plain, given)
    assert isinstance(answer(plain, given)[0], str)
