"""Operators made of others in groups, as native code and by bytecode: the same results and strides."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.executor_mode import chosen_plan

from .test_product_groups import check, tensors

pytestmark = pytest.mark.usefixtures("code_at_once")

pytest.importorskip("llvmlite")

CELLS = {
    "gru_cell": "torch.gru_cell(x * 2.0, h, a, b, p, q)",
    "gru_cell without bias": "torch.gru_cell(x, h, a, b) * 2.0",
    "lstm_cell": "torch.lstm_cell(x * 2.0, [h, torch.tanh(h)], a, b, p, q)",
    "lstm_cell without bias": "torch.lstm_cell(x, [h, h], a, b)[1] + h",
}
UNPACKED = """
def f(x: Tensor, w: Tensor):
    rows, columns = x.shape
    return torch.mm(x, w).view(columns, rows).relu() + 1.0
"""
ATTENTION = {
    "plain": "torch.scaled_dot_product_attention(x, y, z) * 2.0",
    "causal": "torch.scaled_dot_product_attention(x * 0.5, y, z, None, 0.0, True)",
    "heads": (
        "torch.scaled_dot_product_attention(x.transpose(1, 2), y.transpose(1, 2),"
        " z.transpose(1, 2)).transpose(1, 2) + x"
    ),
    "masked": "torch.scaled_dot_product_attention(x, y, z, y[0, 0, 0, 0] > x[:, :, :, :5]) + 1.0",
    "scaled": "torch.scaled_dot_product_attention(x, y, z, x[:, :, :, :5] * 2.0, scale=0.25) + 1.0",
    "hidden": "torch.scaled_dot_product_attention(x, y, z, x[:, :, :, :5] > 9.0) + 1.0",
}
CLASSES = {
    "mean": "F.cross_entropy(x * 2.0, t)",
    "rows": "F.cross_entropy(x, t, reduction='none')",
    "sum": "F.nll_loss(F.log_softmax(x, 1), t, reduction='sum')",
    "ignored": "F.cross_entropy(x, t, ignore_index=2)",
    "ignored rows": "F.nll_loss(x, t, ignore_index=2, reduction='none') * 2.0",
    "images": "F.cross_entropy(x.t().reshape(1, 5, 2, 3), t.view(1, 2, 3))",
}
PRODUCTS = {
    "bi,ij->bj": [(4, 3), (3, 5)],
    "bij,bjk->bik": [(2, 4, 3), (2, 3, 5)],
    "bhid,bhjd->bhij": [(2, 3, 5, 4), (2, 3, 6, 4)],
    "bhij,bhjd->bihd": [(2, 3, 5, 6), (2, 3, 6, 4)],
    "bi,kij,bj->bk": [(4, 3), (2, 3, 5), (4, 5)],
    "ijk,jkl->il": [(4, 3, 2), (3, 2, 5)],
    "ikj,jkl->il": [(4, 2, 3), (3, 2, 5)],
    "i,j->ij": [(4,), (6,)],
    "...ij,jk->...ik": [(2, 3, 4), (4, 5)],
}
CROSS = {
    "last": ("torch.cross(x, y, dim=-1) + 1.0", (4, 3)),
    "first": ("torch.linalg.cross(x * 2.0, y, dim=0)", (3, 5)),
    "unsaid": ("torch.cross(x, y) * 0.5", (4, 3, 2)),
}
GIVEN = """
def f(x: Tensor, rows: int, k: int):
    found, places = torch.topk(x * 2.0, k)
    return found.view(rows, -1) + 1.0, places, x[:, :k] * k
"""


@pytest.mark.parametrize("form", CELLS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cells(form: str, dtype: str) -> None:
    gates = 3 if form.startswith("gru") else 4
    shapes = [(4, 7), (4, 9), (9 * gates, 7), (9 * gates, 9), (9 * gates,), (9 * gates,)]
    source = (
        "def f(x: Tensor, h: Tensor, a: Tensor, b: Tensor, p: Tensor, q: Tensor):\n"
        f"    return {CELLS[form]}\n"
    )
    check(source, tensors(np.random.default_rng(0), *shapes, dtype=dtype))


@pytest.mark.parametrize("form", ATTENTION)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_attention(form: str, dtype: str) -> None:
    source = f"def f(x: Tensor, y: Tensor, z: Tensor):\n    return {ATTENTION[form]}\n"
    shape = (2, 5, 5, 8)
    check(source, tensors(np.random.default_rng(0), shape, shape, shape, dtype=dtype))


def test_unpacked_sizes_are_counted() -> None:
    x, w = tensors(np.random.default_rng(0), (4, 6), (6, 6), dtype="float32")
    check(UNPACKED, [x, w])
    with pytest.raises(ScriptError):
        check(UNPACKED, [x.unsqueeze(0), w])


@pytest.mark.parametrize("form", CLASSES)
def test_losses_of_classes(form: str, made_code: list[bool]) -> None:
    random = np.random.default_rng(0)
    (x,) = tensors(random, (6, 5), dtype="float32")
    names = tsc.from_numpy(np.array([0, 4, 2, 2, 1, 3]))
    source = f"def f(x: Tensor, t: Tensor):\n    return {CLASSES[form]}\n"
    check(source.replace("F.", "torch.nn.functional."), [x, names])
    assert made_code == [True]


def test_classes_that_are_none_are_refused_by_the_operators() -> None:
    (x,) = tensors(np.random.default_rng(0), (2, 5), dtype="float32")
    source = "def f(x: Tensor, t: Tensor):\n    return torch.nn.functional.cross_entropy(x, t)\n"
    check(source, [x, tsc.from_numpy(np.array([-100, 1]))])
    with pytest.raises(ScriptError, match="out of bounds"):
        check(source, [x, tsc.from_numpy(np.array([5, 1]))])


@pytest.mark.parametrize("equation", PRODUCTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_contractions(equation: str, dtype: str, made_code: list[bool]) -> None:
    given = tensors(np.random.default_rng(0), *PRODUCTS[equation], dtype=dtype)
    names = [f"x{place}" for place in range(len(given))]
    source = (
        f"def f({', '.join(f'{each}: Tensor' for each in names)}):\n"
        f"    return torch.einsum('{equation}', [{', '.join(names)}])\n"
    )
    check(source, given)
    assert made_code == [True]


@pytest.mark.parametrize("form", CROSS)
def test_cross_products(form: str, made_code: list[bool]) -> None:
    text, shape = CROSS[form]
    source = f"def f(x: Tensor, y: Tensor):\n    return {text}\n"
    check(source, tensors(np.random.default_rng(0), shape, shape, dtype="float32"))
    assert made_code == [True]


def test_averages_of_whole_images(made_code: list[bool]) -> None:
    source = "def f(x: Tensor):\n    return torch.adaptive_avg_pool2d(x, [1, 1]) * 2.0\n"
    check(source, tensors(np.random.default_rng(0), (2, 3, 4, 5), dtype="float32"))
    assert made_code == [True]


def test_given_integers_tell_shapes(made_code: list[bool]) -> None:
    (x,) = tensors(np.random.default_rng(0), (4, 6), dtype="float32")
    for rows, k in ((2, 3), (4, 3), (4, 2)):
        check(GIVEN, [x, rows, k])
    assert all(made_code)
    with pytest.raises(ScriptError):
        check(GIVEN, [x, 5, 3])


def test_very_many_given_integers_divide_a_group() -> None:
    (x,) = tensors(np.random.default_rng(0), (40, 40), dtype="float32")
    function = tsc.CompilationUnit(GIVEN).f
    reference = tsc.CompilationUnit(GIVEN).f
    for k in range(1, 40):
        found = function(x, 20, k)
        with chosen_plan("bytecode"):
            wanted = reference(x, 20, k)
        assert all(np.array_equal(a.array, b.array) for a, b in zip(found, wanted))


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8"])
@pytest.mark.parametrize("divisor", [3, -4, 7])
def test_quotients_and_rests(dtype: str, divisor: int, made_code: list[bool]) -> None:
    source = (
        "def f(x: Tensor):\n"
        f"    q = torch.div(x, {divisor}, rounding_mode='floor')\n"
        f"    return q, x % {divisor}, torch.div(x, {divisor}, rounding_mode='trunc'), x // 2\n"
    )
    values = np.array([-128, -7, -6, -1, 0, 1, 5, 8, 127]).astype(dtype)
    check(source, [tsc.from_numpy(values)])
    assert all(made_code) == (dtype != "uint8" or divisor > 0)


def test_what_has_no_code_divides_a_group_and_the_rest_has_code(made_code: list[bool]) -> None:
    source = (
        "def f(x: Tensor, m: Tensor):\n"
        "    y = torch.softmax(torch.mm(x, x.t()) * 2.0, 1)\n"
        "    return (torch.mm(y, x) + 1.0)[m] * 2.0\n"
    )
    (x,) = tensors(np.random.default_rng(0), (4, 6), dtype="float32")
    mask = tsc.from_numpy(np.array([True, False, True, True]))
    check(source, [x, mask])
    assert made_code == [False, True, True]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_triangles(dtype: str, made_code: list[bool]) -> None:
    (x,) = tensors(np.random.default_rng(0), (2, 5, 4), dtype="float32")
    source = (
        "def f(x: Tensor):\n    return torch.triu(x, 1), torch.tril(x[0].t(), -1), torch.triu(x)\n"
    )
    check(source, [(x * 3.0).to(getattr(tsc, dtype))])
    assert all(made_code)


def test_distances(made_code: list[bool]) -> None:
    x, y = tensors(np.random.default_rng(0), (2, 5, 4), (7, 4), dtype="float32")
    source = "def f(x: Tensor, y: Tensor):\n    return torch.cdist(x, y) * 2.0\n"
    check(source, [x, y])
    assert all(made_code)


LAYER = """
def f(q: Tensor, w: Tensor, b: Tensor, o: Tensor, p: Tensor, m: Optional[Tensor], needs: bool):
    y, a = torch._native_multi_head_attention(q * 2.0, q, q, 8, 2, w, b, o, p, m, needs)
    return y + 1.0, a
"""


def test_layer_of_attention(made_code: list[bool]) -> None:
    """Without a mask and without weights; with them, the operator runs."""
    random = np.random.default_rng(0)
    shapes = (2, 5, 8), (24, 8), (24,), (8, 8), (8,)
    layer = tensors(random, *shapes, dtype="float32")
    hidden = tsc.tensor(random.random((2, 5)) > 0.8)
    calls = [[*layer, None, False], [*layer, None, False], [*layer, None, True]]
    with chosen_plan("bytecode"):
        wanted = [tsc.CompilationUnit(LAYER).f(*each) for each in calls]
    with chosen_plan("native"):
        function = tsc.CompilationUnit(LAYER).f
        found = [function(*each) for each in calls]
        with pytest.raises(ScriptError):
            function(*layer[:-1], layer[0], hidden, False)
    for made, expected in zip(found, wanted):
        np.testing.assert_allclose(made[0].numpy(), expected[0].numpy(), rtol=1e-4, atol=1e-6)
        assert (made[1] is None) == (expected[1] is None)
    assert made_code[0]


ROLLS = {
    "rows": "torch.roll(x * 2.0, -1, 0) + 1.0",
    "more than there are": "torch.roll(x, 7, 1) * y",
    "both": "torch.roll(x + y, [1, -2], [0, 1])",
    "all elements": "torch.roll(x, 5) * 2.0",
    "a part that moves on": "torch.roll(x, [1, 1], [0, 0]) - y",
}


@pytest.mark.parametrize("name", ROLLS)
def test_rolled(name: str) -> None:
    source = f"def f(x: Tensor, y: Tensor):\n    return {ROLLS[name]}\n"
    random = np.random.default_rng(0)
    check(source, tensors(random, (3, 4), (3, 4), dtype="float32"))
    check(source, [each.t() for each in tensors(random, (3, 4), (3, 4), dtype="float64")])


ENCODER = """
def f(x: Tensor, p: List[Tensor], gelu: bool, first: bool):
    return torch._transformer_encoder_layer_fwd(x * 2.0, 8, 2, p[0], p[1], p[2], p[3], gelu, first, 1e-5,
                                                p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]) + 1.0
"""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_encoder_layer(dtype: str, made_code: list[bool]) -> None:
    """Norms in front or behind, with either activation."""
    random = np.random.default_rng(0)
    shapes = (24, 8), (24,), (8, 8), (8,), (8,), (8,), (8,), (8,), (16, 8), (16,), (8, 16), (8,)
    x, *parameters = tensors(random, (2, 5, 8), *shapes, dtype=dtype)
    calls = [(x, parameters, gelu, first) for gelu in (False, True) for first in (False, True)]
    with chosen_plan("bytecode"):
        wanted = [tsc.CompilationUnit(ENCODER).f(*each) for each in calls]
    with chosen_plan("native"):
        function = tsc.CompilationUnit(ENCODER).f
        found = [function(*each) for each in calls]
    for made, expected in zip(found, wanted):
        np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)
    assert made_code == [True] * 4
