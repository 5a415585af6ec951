"""Tensors that are written in part, in groups: as by bytecode, with the same aliases, for arguments of all layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.native.fusion import fusion_groups

pytestmark = pytest.mark.usefixtures("code_at_once")

PROGRAMS = {
    "a row, then all": "x[0] = y[1] * 2\nreturn x + 1, x",
    "a view that is written": "r = x[0]\nr[1] = 5.0\nx[1].mul_(3)\nr.add_(1)\nreturn r * 2, x * 3, r, x",
    "a view of before": "q = x[1]\nx[1] = y[0] + 1\nreturn q * 2, x",
    "a new tensor": (
        "z = torch.zeros(3, 4)\nz[:, 1] = x[:, 0] * y[:, 1]\nz[1:, 2:] = x[1:, 2:] + 1\n"
        "z[..., -1] += 2\nz.t()[0] = 7.0\nreturn z, z.sum(0)"
    ),
    "two looks at one tensor": (
        "z = x * 2\nw = z.view(4, 3)\nw[0] = 1.0\nz[2, 3] = y[0, 0]\nw[1].copy_(z[0, :3])\n"
        "return z + w.view(3, 4), w"
    ),
    "rows that move": "x[:2].copy_(x[1:].clone())\nx[0].add_(y[0]).mul_(2)\nreturn (x * y).sum(), x",
    "a stale part": (
        "a = x[0]\nb = a[1:]\nb[0] = 3\na[2] = 4\nb.mul_(2)\ny[0] = a + 1\nreturn a, b, x, y + 1"
    ),
    "diagonals and columns": "x.diagonal().add_(1)\nx.t()[1, :2] = y[0, :2]\nreturn x @ y.t()",
    "in a branch": (
        "z = x.clone()\nv = z[0]\nif bool(y[0, 0] > 0):\n    z[1] = 2.0\n    v[0] = 9.0\n"
        "z[2] = v * 2\nreturn z, v"
    ),
    "elements": "x[0, 0] = y[0, 0]\ns = x + y\nx[0, 1] = s[0, 0]\ny[1] = x[0] * s[1]\nreturn x, y, s",
    "numbers": "x[0] = 2.5\ny[0, 1] = 3\ny[1, 1] = True\nreturn x * y",
    "in a loop": "for i in range(3):\n    x[i] = y[i] * 2 + x[0]\n    x[0, i] = 1\nreturn x",
    "other dtypes": (
        "z = torch.zeros(3, 4, dtype=torch.int64)\nz[0] = 2.7\nz[1] = x[0] * 3\n"
        "m = torch.zeros(3, 4, dtype=torch.bool)\nm[:, 1:] = x[:, 1:] > 0\nm[:, 0] = True\n"
        "m[1:] = m[:-1].clone()\nreturn z, m, torch.where(m, x, y)"
    ),
    "what does not fit": "x[0] = y[:2]\nreturn x",
    "float64": (
        "z = torch.zeros(3, 4, dtype=torch.float64)\nz[0, 0] = 0.1\nz[1] = x[1]\n"
        "z.narrow(1, 0, 2).fill_(0.3)\nz[2].zero_()\nreturn z * 3"
    ),
    "three names of one": (
        "t = x.view(3, 4)\nn = t.narrow(0, 1, 1)\nt.zero_()\nreturn n, torch.stack([x, y], 1)"
    ),
    "halves": "a, b = x.chunk(2, 1)\na[0] = 3.0\nb.mul_(2)\nreturn x + 1, a * b",
    "operators made of others": (
        "i = (y * 0).long()\nr = x.scatter_(-1, i, 0.5)\nz = torch.tanh(r)\nz[:, :1] = y[:, :1] - 1\n"
        "for turn in range(2):\n    z[0] = y[0] + turn\nreturn z, r * 2"
    ),
    "given numbers": "x[0] = s\ny[1] = k\nx[k] = y[0]\nreturn x * y, x",
}
CALLS = 3


def _plain(x: Any, y: Any) -> tuple[Any, Any]:
    return tsc.from_numpy(x), tsc.from_numpy(y)


def _overlapping(x: Any, y: Any) -> tuple[Any, Any]:
    both = np.concatenate([x, y[:1]])
    return tsc.Tensor(both[:3]), tsc.Tensor(both[1:])


def _same(x: Any, _y: Any) -> tuple[Any, Any]:
    one = tsc.from_numpy(x)
    return one, one


def _strided(x: Any, y: Any) -> tuple[Any, Any]:
    return tsc.Tensor(np.repeat(np.repeat(x, 2, 0), 2, 1)[::2, ::2]), tsc.Tensor(
        np.asfortranarray(y)
    )


LAYOUTS: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "apart": _plain,
    "one": _same,
    "overlapping": _overlapping,
    "strided": _strided,
    "float64": lambda x, y: _plain(x.astype(np.float64), y.astype(np.float64)),
    "float16": lambda x, y: _plain(x.astype(np.float16), y.astype(np.float16)),
    "integers": lambda x, y: _plain(x.astype(np.int64), y.astype(np.int64)),
}


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from _tensors(each)
    else:
        yield value


def _run(source: str, layout: str) -> list[Any]:
    """What each call returns or raises, leaves in its arguments, and which of these share memory."""
    function, seen = tsc.CompilationUnit(source).f, list[Any]()
    for call in range(CALLS):
        values = np.random.default_rng(call).standard_normal((2, 3, 4)).astype(np.float32) * 3
        given = LAYOUTS[layout](*values)
        try:
            returned = list(_tensors(function(*given, 0.3 * call, call % 3)))
        except ScriptError as error:
            seen.append(str(error))
            returned = []
        shown = [*returned, *given]
        seen.append([(each.numpy().copy(), each.array.strides) for each in shown])
        seen.append([np.shares_memory(a.array, b.array) for a in shown for b in shown])
    return seen


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_by_bytecode(name: str, layout: str) -> None:
    body = PROGRAMS[name].replace("\n", "\n    ")
    source = f"def f(x: Tensor, y: Tensor, s: float, k: int):\n    {body}\n"
    with chosen_plan("bytecode"):
        expected = _run(source, layout)
    with chosen_plan("native"):
        found = _run(source, layout)
    for made, wanted in zip(found, expected, strict=True):
        if not isinstance(wanted, list) or not isinstance(wanted[0], tuple):
            assert made == wanted
            continue
        for (a, strides), (b, wanted_strides) in zip(made, wanted, strict=True):
            assert (a.dtype, a.shape, strides) == (b.dtype, b.shape, wanted_strides)
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.fixture
def nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process of its own: what other tests saved for gradients, and still hold, is not looked at."""
    monkeypatch.setattr(fusion_groups, "watched", {})


@pytest.mark.usefixtures("nothing_is_watched")
@pytest.mark.parametrize("name", ["a row, then all", "a new tensor", "diagonals and columns"])
def test_whole_group_has_code(name: str, made_code: list[bool]) -> None:
    body = PROGRAMS[name].replace("\n", "\n    ")
    with chosen_plan("native"), tsc.no_grad():
        _run(f"def f(x: Tensor, y: Tensor, s: float, k: int):\n    {body}\n", "apart")
    assert made_code == [True]


@pytest.mark.usefixtures("nothing_is_watched")
def test_writes_have_code_without_gradients(made_code: list[bool]) -> None:
    """Where gradients are not recorded, and tensors have nothing to do with them, as where nothing is."""
    source = """
def f(x: Tensor, y: Tensor):
    x[0] = y[0] * 2.0 + y[1]
    x[1].mul_(3.0)
    return x, torch.zeros(2, 2).t()
"""
    with chosen_plan("native"), tsc.no_grad():
        function = tsc.CompilationUnit(source).f
        for _ in range(CALLS):
            x = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])
            function(x, tsc.tensor([[5.0, 6.0], [7.0, 8.0]]))
            assert x.tolist() == [[17.0, 20.0], [9.0, 12.0]]
    assert all(made_code)
    assert made_code


def test_writes_to_what_has_gradients_are_noted() -> None:
    source = "def f(x: Tensor):\n    y = x[1:]\n    y.mul_(2.0)\n    x[0] = 1.0\n    return y\n"
    leaf = tsc.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with chosen_plan("native"):
        function = tsc.CompilationUnit(source).f
        with tsc.no_grad():
            for _ in range(CALLS):
                written = function(tsc.tensor([1.0, 2.0, 3.0]))
                assert written.tolist() == [4.0, 6.0]
        based = leaf * 2.0
        with tsc.no_grad():
            view = function(based)
        with pytest.raises(ScriptError):
            view * 2.0
