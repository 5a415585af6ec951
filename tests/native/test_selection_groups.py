"""Small selections with what surrounds them, as native code and by bytecode: the same results, strides and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey

from .test_product_groups import check, launches

pytestmark = pytest.mark.usefixtures("code_at_once")

SELECTIONS = {
    "gather": "torch.gather(x * 2.0, 1, i) + 1.0",
    "gather of columns": "torch.gather(torch.relu(x).t(), 0, i.t()) * x[:, :3].t()",
    "index_select": "torch.relu(x.index_select(1, i[0])) * 2.0",
    "index_select of rows": "x.index_select(0, i[:, 1]).exp() + x",
    "embedding": "torch.embedding(x, i) * 0.5 + x[0]",
    "index": "(x + 1.0)[i - 2] * 2.0",
    "index by one": "(x + 1.0)[i[0] - 4].sum(1) * 2.0",
    "scatter": "torch.scatter(x, 1, i, x * 2.0) + 1.0",
    "scatter_add": "torch.scatter_add(x * 0.5, 0, i, torch.tanh(x)) + 1.0",
    "index_add": "torch.index_add(x * 0.5, 0, i[:, 0], torch.tanh(x)) + 1.0",
    "one_hot": "torch.one_hot(i, 4).to(torch.float32) * 2.0 + x[0, 0]",
    "max": "(torch.max(x * 2.0, 1)[0] + 1.0, torch.max(x * 2.0, 1)[1])",
    "min of columns": "(torch.min(x * 2.0, 0, True)[0] * x, torch.min(x, 0, True)[1] + 1)",
    "argmax": "torch.argmax(x * 2.0, 1, True) + torch.argmin(x * 0.5, 0)",
    "topk": "(torch.topk(x * 2.0, 3)[0] + 1.0, torch.topk(x * 2.0, 3)[1] * 2)",
    "topk of the least": "(torch.topk(x * 2.0, 2, 0, False)[0], torch.topk(x, 2, 0, False)[1] + 1)",
    "sort": "(torch.sort(x * 2.0)[0] + 1.0, torch.sort(x * 2.0)[1] * 2)",
    "sort of columns": "(torch.sort(x, 0, True)[0] + 1.0, torch.sort(x * 2.0, 0, True)[1])",
    "argsort": "torch.argsort(x * 2.0, 1, True) + 1",
    "stable sort": "(torch.sort(x * 2.0, stable=True)[0], torch.argsort(x, stable=True) + 1)",
    "topk in any order": "(torch.topk(x * 2.0, 2, sorted=False)[0], torch.topk(x, 1)[1] + 1)",
    "argmax of all": "torch.argmax(x * 2.0) + torch.argmin(x.transpose(0, 1))",
    "median": "(torch.median(x * 2.0, 1)[0] + 1.0, torch.median(x, 1)[1] + 1)",
    "median of columns": "(torch.median(x * 2.0, 0, True)[0] + 1.0, torch.median(x, 0)[1] + 1)",
    "median of all": "torch.median(x * 2.0) + x",
    "quantile": "torch.quantile(x * 2.0, 0.3, 1) + 1.0",
    "quantile of columns": "torch.quantile(x * 2.0, torch.abs(x[0]) / 8.0, 0) + 1.0",
    "quantile of all": "torch.quantile(x * 2.0, 0.9) + x",
    "searchsorted": "torch.searchsorted(x.sort(1)[0], x * 0.5 - 1.0, right=True) + 1",
    "bucketize": "torch.bucketize(x, x.flatten().sort()[0]) * 2",
    "scatter_reduce": "torch.scatter_reduce(x, 1, i, x * 2.0, 'amax') + 1.0",
    "scatter_reduce of sums": "torch.scatter_reduce(x, 0, i, x * 2.0, 'sum') + 1.0",
    "scatter_reduce in place": "torch.zeros_like(x).scatter_reduce_(1, i, x, 'amin') + 1.0",
    "cumsum": "torch.cumsum(x * 0.5, 1) + x",
    "cumsum of columns": "torch.cumsum(torch.cumsum(i, 0) * x[0, 0], 0) + 1.0",
    "cumprod": "torch.cumprod(x * 0.5, 0) + x",
}
CREATIONS = {
    "zeros": "torch.index_add(torch.zeros([5, x.size(1)]), 0, i[:, 0], x) + 1.0",
    "ones": "x * torch.ones(x.size(1)) + torch.ones_like(x) * 2.0",
    "eye": "torch.mm(torch.eye(x.size(0)) * 2.0 - 1.0, x)",
    "full": "torch.where(x > 0.0, x, torch.full_like(x, 3.5)) + torch.full([1], 2.0)",
    "arange": "(torch.arange(x.size(1)) * 2 + i) * (torch.arange(3) <= 1)",
    "zeros that sums are written to": "torch.zeros_like(x).add_(x).mul_(2.0) + 1.0",
}
FAILING = {
    "gather": ("torch.gather(x * 2.0, 1, i) + 1.0", 99),
    "negative": ("torch.gather(x * 2.0, 1, i) + 1.0", -1),
    "index": ("(x + 1.0)[i] * 2.0", -9),
    "embedding": ("torch.embedding(x, i) * 0.5", 8),
    "one_hot": ("torch.one_hot(i, 4) * 2 + 1", 4),
}


def source_of(form: str) -> str:
    return f"def f(x: Tensor, i: Tensor):\n    return {form}\n"


def inputs(dtype: str = "float32") -> list[Any]:
    random = np.random.default_rng(3)
    x = random.permutation(24).reshape(8, 3) * 0.25 - 3.0
    return [tsc.tensor(x.astype(dtype)), tsc.tensor(random.integers(0, 3, (8, 3)))]


@pytest.mark.parametrize("form", SELECTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_selections(form: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = launches(monkeypatch)
    check(source_of(SELECTIONS[form]), inputs(dtype))
    assert found
    assert all(found)


@pytest.mark.parametrize("form", CREATIONS)
def test_tensors_made_of_sizes(form: str) -> None:
    x, index = inputs()
    check(source_of(CREATIONS[form]), [x, index])
    check(source_of(CREATIONS[form]), [x[:6], index[:6]])


ORDERS = (
    *("topk", "topk of the least", "topk in any order", "sort", "sort of columns", "argsort"),
    *("median", "median of columns", "argmax of all"),
)
SPECIAL = (
    "max",
    "stable sort",
    "cumsum",
    "quantile",
    "quantile of all",
    "searchsorted",
    "bucketize",
)


@pytest.mark.parametrize("form", ORDERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32, np.uint8])
def test_equal_elements_are_ordered_in_groups(
    form: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = launches(monkeypatch)
    text = f"def f(x: Tensor):\n    x = x * 1\n    return {SELECTIONS[form]}\n"
    random = np.random.default_rng(0)
    for shape in ((3, 3), (70, 5), (5, 17), (4, 200), (3, 3, 40)):
        x = tsc.tensor(random.integers(0, 5, shape).astype(dtype))
        check(text, [x])
        check(text, [x.transpose(0, 1)])
    assert found
    assert all(found)


@pytest.mark.parametrize("form", [*SPECIAL, *ORDERS])
@pytest.mark.parametrize("special", [np.nan, 0.0, np.inf])
def test_equal_elements_and_such_that_are_no_numbers(form: str, special: float) -> None:
    x, index = inputs()
    given = x.numpy().copy()
    given[::2] = special
    long = np.random.default_rng(0).integers(0, 5, (2, 40)).astype(np.float32)
    check(source_of(SELECTIONS[form]), [tsc.tensor(given), index])
    check(source_of(SELECTIONS[form]), [tsc.tensor(long), index])


SHARED = {
    "index_add": "torch.index_add(x, 0, i, x)",
    "index_add of columns": "torch.index_add(x, 1, i[:300], x[:, :300])",
    "index_put that adds": "x.index_put((i,), x * 0.5, True)",
    "index_put": "x.index_put((i,), x * 0.5)",
    "scatter_add": "torch.scatter_add(x, 0, i.unsqueeze(1).expand(700, 500), x)",
}


@pytest.mark.parametrize("form", SHARED)
def test_what_is_written_at_one_place_is_written_by_one_thread(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = launches(monkeypatch)
    random = np.random.default_rng(8)
    given = [
        tsc.from_numpy(random.standard_normal((700, 500)).astype(np.float32)),
        tsc.from_numpy(random.integers(0, 3, 700)),
    ]
    before = tsc.get_num_threads()
    try:
        made: list[bytes] = []
        for threads in (1, 2, 4):
            tsc.set_num_threads(threads)
            f = tsc.CompilationUnit(source_of(SHARED[form])).f
            made += [f(*given).numpy().tobytes() for _ in range(6)]
            check(source_of(SHARED[form]), given)
    finally:
        tsc.set_num_threads(before)
    assert len(set(made[-6:])) == 1
    assert made[-1] == made[5]
    assert all(found)


@pytest.mark.parametrize("form", FAILING)
def test_places_out_of_range_are_the_operators_errors(form: str) -> None:
    text, wrong = FAILING[form]
    x, index = inputs()
    executor = executor_of(tsc.CompilationUnit(source_of(text)).f.function)
    native, plain = executor.plan(PlanKey("native")), executor.plan(PlanKey("bytecode"))
    for _ in range(3):
        native.run([x, index])
    index[2, 1] = wrong
    messages: list[str] = []
    for plan in (native, plain):
        with pytest.raises(ScriptError) as failure:
            plan.run([x, index])
        messages.append(str(failure.value))
    assert messages[0] == messages[1]
