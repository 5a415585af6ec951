"""Small matrix products with what surrounds them, as native code and by bytecode: the same results and strides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.native.fusion import group_launch
from tsc.runtime.native.fusion.composites import is_composite
from tsc.runtime.native.fusion.memory_steps import memory_step
from tsc.runtime.native.fusion.refused import Refused

pytestmark = pytest.mark.usefixtures("code_at_once")

CELL = """
def f(x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor):
    gates = torch.mm(x, w_ih.t()) + b_ih + torch.mm(h, w_hh.t()) + b_hh
    i, f, g, o = gates.chunk(4, 1)
    cy = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy
"""
LAYERS = """
def f(x: Tensor, a: Tensor, p: Tensor, b: Tensor, q: Tensor):
    y = torch.relu(torch.nn.functional.linear(x, a, p))
    z = torch.nn.functional.linear(y * 2.0, b, q) + x
    return torch.nn.functional.linear(torch.tanh(z), a) - y, z
"""
FORMS = {
    "mm": ("torch.mm(x * 2.0, y)", (5, 7), (7, 6), (5, 6)),
    "mm of columns": ("torch.mm(x.t(), y * 0.5)", (7, 5), (7, 6), (5, 6)),
    "mm of terms": ("torch.mm(x, y.t())", (5, 19), (6, 19), (6,)),
    "mm of neither": ("torch.mm(x.t(), y.t())", (19, 5), (6, 19), (6,)),
    "mm of a part": ("torch.mm(x[:, :, 1], y.t())", (5, 19, 3), (6, 19), (6,)),
    "addmm": ("torch.addmm(z, x + 1.0, y)", (1, 7), (7, 70), (70,)),
    "addmm of a column": ("torch.addmm(z, x, y)", (4, 7), (7, 3), (4, 1)),
    "bmm": ("torch.bmm(x, torch.relu(y))", (3, 5, 7), (3, 7, 6), (3, 5, 6)),
    "matmul of vectors": ("torch.matmul(x, y * 2.0)", (37,), (37,), (1,)),
    "matmul by a vector": ("torch.matmul(x + 1.0, y)", (5, 37), (37,), (5,)),
    "matmul of a vector": ("torch.matmul(x + 1.0, y)", (37,), (37, 9), (9,)),
    "matmul of stacks": ("torch.matmul(x + 1.0, y)", (2, 3, 4, 8), (2, 3, 8, 5), (4, 5)),
    "matmul of heads": ("torch.matmul(x.transpose(1, 2), y)", (2, 4, 3, 8), (2, 3, 8, 5), (4, 5)),
    "matmul by one matrix": ("torch.matmul(x * 0.5, y)", (2, 3, 4, 8), (8, 5), (5,)),
    "matmul by a stack": ("torch.matmul(x, y + 1.0)", (4, 8), (3, 8, 5), (5,)),
    "mv": ("torch.mv(x, y + 1.0)", (5, 17), (17,), (5,)),
    "linear": ("torch.nn.functional.linear(x, y + 1.0, z)", (2, 3, 17), (6, 17), (6,)),
    "nothing to sum": ("torch.mm(x + 1.0, y)", (4, 0), (0, 5), (4, 5)),
}
COPIES = {
    "cat": "torch.cat([x * 2.0, y + 1.0, x.t().contiguous().t()], 1)",
    "cat of rows": "torch.cat([torch.mm(x, y.t()).relu(), x[:, :4]], 0) * 2.0",
    "stack": "torch.stack([x[:, 0] * 2.0, torch.relu(y[:, 2]), x[:, 1]], 1).clamp(-1.0, 1.0)",
    "stack of single ones": "torch.stack([x[0, 0] * 2.0, y[0, 1], x[0, 1]]).view(3, 1) + x[0, 0]",
    "stack before": "torch.tanh(torch.stack([x, y, x + y])) * x",
    "reshape that copies": "torch.relu(x.t().reshape(x.size(0), x.size(1)) + 1.0) * y",
    "reshape of a product": "torch.mm(x.t(), y).reshape(2, -1, x.size(1) // 2) * 2.0 + 1.0",
    "view of a sum": "(x + y).view(y.numel()).reshape(x.size(1), x.size(0)).t() * y + x",
    "flatten": "torch.mm(torch.flatten(x.unsqueeze(0).transpose(1, 2) * 2.0, 1), torch.flatten(y).unsqueeze(1)) + 1.0",
    "contiguous": "torch.sigmoid((x + y).t().contiguous().t()) * y",
    "heads": "torch.matmul(x.view(x.size(0), 2, 3).transpose(0, 1), y.reshape(4, 2, 3).permute(1, 2, 0)) * 0.5",
}
CALLS = 3


def tensors(random: np.random.Generator, *shapes: tuple[int, ...], dtype: str) -> list[Any]:
    return [tsc.tensor(random.standard_normal(shape).astype(dtype)) for shape in shapes]


def check(source: str, inputs: list[Any]) -> None:
    executor = executor_of(tsc.CompilationUnit(source).f.function)
    native, plain = executor.plan(PlanKey("native")), executor.plan(PlanKey("bytecode"))
    for _ in range(CALLS):
        found, wanted = native.run(inputs), plain.run(inputs)
        pairs = zip(found, wanted) if isinstance(wanted, tuple) else [(found, wanted)]
        for a, b in pairs:
            assert a.stride() == b.stride()
            assert a.dtype == b.dtype
            bound = 1e-12 if a.dtype == tsc.float64 else 2e-5
            np.testing.assert_allclose(a.numpy(), b.numpy(), bound, bound)


def launches(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each group with a product or another step of its own, whether there was code for it."""
    found: list[bool] = []
    make = group_launch.launch_of

    def noted(graph: Any, inputs: Any, *, recording: bool) -> Any:
        made = make(graph, inputs, recording=recording)
        if any(memory_step(node) is not None or is_composite(node) for node in graph.nodes()):
            found.append(not isinstance(made, Refused))
        return made

    monkeypatch.setattr(group_launch, "launch_of", noted)
    return found


@pytest.mark.parametrize("batch", [1, 4, 7])
def test_a_cell_is_one_group(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = launches(monkeypatch)
    shapes = [(batch, 20), (batch, 33), (batch, 33), (132, 20), (132, 33), (132,), (132,)]
    check(CELL, tensors(np.random.default_rng(0), *shapes, dtype="float32"))
    assert found == [True]


@pytest.mark.parametrize("shape", [(1, 12), (6, 12), (2, 3, 12)])
def test_layers_share_the_arena(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    found = launches(monkeypatch)
    shapes = [shape, (40, 12), (40,), (12, 40), (12,)]
    check(LAYERS, tensors(np.random.default_rng(1), *shapes, dtype="float32"))
    assert found == [True]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_forms_of_products(form: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, *shapes = FORMS[form]
    source = f"def f(x: Tensor, y: Tensor, z: Tensor):\n    p = {text}\n    return torch.relu(p + z) * 0.5, p\n"
    found = launches(monkeypatch)
    check(source, tensors(np.random.default_rng(2), *shapes, dtype=dtype))
    assert found == [form != "nothing to sum"]


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 7, 16, 17, 33, 47])
@pytest.mark.parametrize("rows", [1, 4, 8, 11])
def test_tiles_of_what_is_left(rows: int, columns: int) -> None:
    """Of the columns, in either layout, and with numbers for columns or for rows; rows of whole tiles are a stack."""
    random = np.random.default_rng(rows * columns)
    for product, of_right in (("x @ y", (19, columns)), ("x @ y.t()", (columns, 19))):
        for added in ((columns,), (rows, 1)):
            source = f"def f(x: Tensor, y: Tensor, z: Tensor):\n    return ({product}) + z\n"
            check(source, tensors(random, (rows, 19), of_right, added, dtype="float32"))


@pytest.mark.parametrize("form", COPIES)
def test_copies_are_part_of_groups(form: str) -> None:
    source = f"def f(x: Tensor, y: Tensor):\n    return {COPIES[form]}\n"
    check(source, tensors(np.random.default_rng(6), (4, 6), (4, 6), dtype="float32"))


@pytest.mark.parametrize("seed", range(12))
def test_sizes_and_layouts(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, columns, terms = (int(random.integers(1, 70)) for _ in range(3))
    x, y, z = tensors(random, (rows, terms), (terms, columns), (rows, columns), dtype="float32")
    if seed % 2:
        y = y.t().contiguous().t()
    if seed % 3 == 0:
        x = tsc.cat([x, x], 1)[:, :terms]
    check(
        "def f(x: Tensor, y: Tensor, z: Tensor):\n    return torch.relu(torch.mm(x, y) - z)\n",
        [x, y, z],
    )


def test_large_products_are_left_to_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    found = launches(monkeypatch)
    shapes = [(200, 100), (300, 100), (300,), (100, 300), (100,)]
    check(LAYERS, tensors(np.random.default_rng(3), *shapes, dtype="float64"))
    assert found == [False]


def test_what_is_written_in_place_is_read_in_turn() -> None:
    source = """
def f(x: Tensor, w: Tensor):
    y = torch.relu(torch.mm(x, w))
    z = torch.tanh(torch.mm(y, w) + 1.0)
    y.add_(1.0)
    u = torch.sigmoid(torch.mm(y, w)) * z
    y.mul_(0.5)
    return u + y, y
"""
    check(source, tensors(np.random.default_rng(4), (5, 9), (9, 9), dtype="float64"))


def test_other_shapes_get_the_error_of_the_program() -> None:
    x, w, small = tensors(np.random.default_rng(5), (5, 9), (9, 9), (5, 8), dtype="float32")
    f = tsc.CompilationUnit(
        "def f(x: Tensor, w: Tensor):\n    return torch.relu(torch.mm(x, w) + 1.0)\n"
    ).f
    for _ in range(CALLS):
        f(x, w)
    with pytest.raises(tsc.ScriptError, match="shapes cannot be multiplied") as error:
        f(small, w)
    assert "torch.mm(x, w)" in str(error.value)
