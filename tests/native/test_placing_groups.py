"""Groups that put elements at places, or write in several steps, as native code and by bytecode: the same results."""

from __future__ import annotations

import numpy as np
import pytest

import tsc

from .outcomes import outcomes
from .test_product_groups import check, tensors

pytest.importorskip("llvmlite")

pytestmark = pytest.mark.usefixtures("code_at_once")

FORMS = {
    "a number where": "    y = x * 2.0\n    y[y > 0.5] = -1.0\n    return y + 1.0",
    "rows where": "    y = x * 2.0\n    y[y[:, 0] > 0.0] = z[0]\n    return y + 1.0",
    "named rows": "    y = x * 2.0\n    y[t] = z[:3]\n    return y + 1.0",
    "added rows": "    return torch.zeros_like(x).index_add_(0, t, z[:3]) * 2.0",
    "a number at names": "    return torch.zeros_like(x).scatter_(1, u, 0.9) + x",
    "elements at names": "    return torch.zeros_like(x).scatter_(1, u, z) + x",
    "added at names": "    return torch.zeros_like(x).scatter_add_(1, u, z) * x",
    "an argument": "    x[x > 0.5] = -1.0\n    return x.sum(0), torch.mm(x, z.t())",
    "rows of an argument": "    x.index_add_(0, t, z[:3])\n    return torch.softmax(x, 1) + x",
    "margins": "    return torch.nn.functional.pad(x * 2.0, [1, 2, 0, 3], value=0.5) + 1.0",
    "margins of columns": "    return torch.nn.functional.pad(x.t() * 2.0, [2, 1]).sum(0) + 1.0",
    "steps": "    x.mul_(0.5)\n    y = x.mean(0)\n    x.sub_(y)\n    return (x * x).sum(1)",
}
HEAD = "def f(x: Tensor, z: Tensor, t: Tensor, u: Tensor):\n"


def given() -> list[tsc.Tensor]:
    names = np.array([2, 0, 2]), np.random.default_rng(1).integers(0, 5, (4, 5))
    made = tensors(np.random.default_rng(0), (4, 5), (4, 5), dtype="float32")
    return [*made, *map(tsc.from_numpy, names)]


@pytest.mark.parametrize("form", FORMS)
def test_places(form: str, made_code: list[bool]) -> None:
    source = HEAD + FORMS[form] + "\n"
    if "argument" in form or form == "steps":
        native, plain = (
            outcomes(source, "f", plan, [given(), given()]) for plan in ("native", "bytecode")
        )
        assert native == plain
    else:
        check(source, given())
    assert all(made_code)


def test_places_out_of_range_write_nothing() -> None:
    source = HEAD + "    x.mul_(2.0)\n    x.index_add_(0, t, z[:3])\n    return x.sum()\n"
    arguments = given()
    arguments[2] = tsc.from_numpy(np.array([0, 9, 1]))
    for plan in ("native", "bytecode"):
        (found,) = outcomes(source, "f", plan, [arguments])
        assert "IndexError" in found or "out of" in found


def test_arguments_that_share_memory() -> None:
    source = HEAD + "    x[x > 0.5] = -1.0\n    return x.sum(0), torch.mm(x, z.t())\n"
    x, z, t, u = given()
    calls = [[x, x, t, u], [x[:3], x[1:], t, u], [x.t(), z.t(), t, u]]
    assert outcomes(source, "f", "native", calls) == outcomes(source, "f", "bytecode", calls)
