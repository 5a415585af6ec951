"""Programs and modules with a backend: equal results, and what stays here."""

from __future__ import annotations

import copy
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tsc
from tsc.cli import main
from tsc.runtime.backends.backend import BACKENDS

PROGRAMS = sorted((Path(__file__).parents[1] / "exir" / "programs_of_pytorch").glob("*.pt2"))
PACKAGES = {"onnxruntime": "onnxruntime", "openvino": "openvino"}
INSTALLED = [each for each in BACKENDS if importlib.util.find_spec(PACKAGES.get(each, "numpy"))]
SOURCE = """\
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.calls = nn.Parameter(torch.zeros(1), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.linear(x))

    @torch.jit.export
    def count(self, x: Tensor) -> Tensor:
        self.calls.add_(1)
        return x * self.calls

    @torch.jit.export
    def counted(self, x: Tensor) -> Tensor:
        return x + self.calls

    @torch.jit.export
    def told(self, x: Tensor) -> str:
        return str(float(x.sum()))
"""


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [each for part in value.values() for each in leaves(part)]
    if isinstance(value, list | tuple):
        return [each for part in value for each in leaves(part)]
    return [value]


def check_equal(expected: Any, found: Any) -> None:
    for first, second in zip(leaves(expected), leaves(found), strict=True):
        if not isinstance(first, tsc.Tensor):
            assert first == second or first != first
            continue
        a, b = (each.detach().numpy(force=True) for each in (first, second))
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        if a.dtype.kind in "biu":
            assert np.array_equal(a, b)
        else:
            wide = [each.astype(np.complex128) for each in (a, b)]
            np.testing.assert_allclose(*wide, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("backend", INSTALLED)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_of_pytorch_give_equal_results(path: Path, backend: str) -> None:
    here, there = tsc.load_exported(str(path)), tsc.load_exported(str(path))
    if here.example_inputs is None:
        pytest.skip("the file has no arguments")
    args, kwargs = copy.deepcopy(here.example_inputs)
    tsc.manual_seed(0)
    expected = here.module()(*args, **kwargs)
    args, kwargs = copy.deepcopy(there.example_inputs)
    program = tsc.to_backend(there, backend)
    tsc.manual_seed(0)
    check_equal(expected, program.module()(*args, **kwargs))
    check_equal(dict(here.state_dict), dict(there.state_dict))
    assert "are handed over" in program.report()


def test_a_program_is_one_part_where_all_is_taken() -> None:
    path = next(each for each in PROGRAMS if each.stem == "Perceptron")
    program = tsc.to_backend(tsc.load_exported(str(path)), "native")
    (lowered,) = program.lowered_modules
    assert lowered.backend_id == "native"
    assert "executorch_call_delegate" in str(program.graph)
    assert program.dialect == "BACKEND"


def captured(text: str, *args: Any) -> Any:
    return tsc.export(tsc.CompilationUnit(text).f, args)


def test_a_write_that_nobody_sees_is_handed_over() -> None:
    program = captured("def f(x):\n    y = x * 2\n    y.relu_()\n    return y + 1\n", tsc.ones(2))
    assert not tsc.to_backend(program, "native").refusals


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    y = x * 2\n    z = y.view(-1)\n    y.add_(1)\n    return z + y\n",
        "def f(x):\n    y = x * 2\n    z = y[0:1]\n    z.add_(1)\n    return y * 3\n",
        "def f(x):\n    y = F.dropout(x * 2, 0.5, False)\n    y.add_(1)\n    return y\n",
        "def f(x):\n    y = x * 2\n    z = y + 1\n    y.mul_(z)\n    return y, z\n",
        "def f(x):\n    x.add_(1)\n    return x * 2\n",
    ],
)
@pytest.mark.parametrize("backend", INSTALLED)
def test_writes_show_where_they_did(text: str, backend: str) -> None:
    program = captured(text, tsc.ones(3))
    x, y = tsc.ones(3), tsc.ones(3)
    expected = program.module()(x)
    check_equal(expected, tsc.to_backend(program, backend).module()(y))
    check_equal(x, y)


def test_arguments_that_require_gradients_have_the_program_run_here() -> None:
    program = tsc.to_backend(
        captured("def f(x):\n    return (x * x).sum()\n", tsc.ones(2)), "native"
    )
    x = tsc.tensor([1.0, 3.0])
    x.requires_grad = True
    program.module()(x).backward()
    assert x.grad.tolist() == [2.0, 6.0]


@pytest.mark.parametrize("backend", INSTALLED)
def test_numbers_are_numbers(backend: str) -> None:
    program = captured("def f(x):\n    return int(x.sum()), x * 2\n", tsc.ones(2))
    number, _ = tsc.to_backend(program, backend).module()(tsc.ones(2))
    assert number == 2 and type(number) is int


@pytest.mark.parametrize("backend", INSTALLED)
def test_tensors_have_their_order_in_memory(backend: str) -> None:
    program = captured("def f(x):\n    return (x.relu() * 2).t()\n", tsc.ones(2, 3))
    found = tsc.to_backend(program, backend).module()(tsc.ones(2, 3))
    assert found.stride() == program.module()(tsc.ones(2, 3)).stride() == (1, 3)


@pytest.mark.parametrize("backend", INSTALLED)
def test_weights_that_are_tied_to_what_is_written_are_read_when_it_runs(backend: str) -> None:
    source = """\
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = nn.Parameter(torch.zeros(400), requires_grad=False)
        self.same = self.count

    def forward(self, x: Tensor) -> Tensor:
        self.count.add_(1)
        return torch.relu(x + self.same)
"""
    imports = "import torch\nimport torch.nn as nn\nfrom torch import Tensor\n"
    module = tsc.CompilationUnit(imports + source).Tied()
    there = tsc.to_backend(tsc.export(module, (tsc.zeros(400),)), backend).module()
    assert [float(there(tsc.zeros(400))[0]) for _ in range(3)] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("backend", INSTALLED)
def test_weights_that_optimizations_reorder_are_read_in_that_order(backend: str) -> None:
    """Transposes are moved across the addition, and the weight is transposed in their place."""
    source = (
        "class Turned(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.mix = nn.Conv2d(8, 8, 3, padding=1)\n        self.up = nn.Linear(8, 8)\n"
        "        self.scale = nn.Parameter(torch.randn(8, 8, 8))\n"
        "    def forward(self, x: Tensor) -> Tensor:\n        y = self.up(self.mix(x).permute(0, 2, 3, 1))\n"
        "        y = F.gelu(y).permute(0, 3, 1, 2)\n        return (x + self.scale * y).permute(0, 2, 3, 1)\n"
    )
    head = "import torch\nfrom torch import nn, Tensor\nimport torch.nn.functional as F\n"
    module, x = tsc.CompilationUnit(head + source).Turned(), tsc.randn(1, 8, 8, 8)
    with tsc.no_grad():
        program = tsc.to_backend(tsc.export(module, (x,)), backend)
        found, expected = program.module()(x), module(x)
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)


def test_what_is_made_of_a_program_with_a_backend_is_of_the_program(tmp_path: Path) -> None:
    x = tsc.ones(2)
    program = captured("def f(x):\n    y = x * 2\n    y.relu_()\n    return y + 1\n", x)
    there = tsc.to_backend(program, "native")
    tsc.save_exported(there, tmp_path / "saved.pt2")
    again = tsc.load_exported(tmp_path / "saved.pt2")
    assert str(again.graph) == str(program.graph)
    check_equal(there.module()(x), tsc.to_torchscript(there)(x))
    assert "delegate" not in str(there.run_decompositions().graph)
    assert len(tsc.to_backend(there, "native").lowered_modules) == 1


@pytest.fixture
def archive(tmp_path: Path) -> str:
    module = tsc.CompilationUnit(
        "import torch\nimport torch.nn as nn\nfrom torch import Tensor\n" + SOURCE
    ).Scaled()
    module.save(str(tmp_path / "model.pt"))
    return str(tmp_path / "model.pt")


@pytest.mark.parametrize("backend", INSTALLED)
def test_modules_give_equal_results_for_all_sizes(archive: str, backend: str) -> None:
    here, there = tsc.load(archive), tsc.load(archive, backend=backend)
    for rows in (1, 4, 1):
        x = tsc.ones(rows, 3)
        check_equal(here(x), there(x))
    assert "4 of 4" in there.forward.report(tsc.ones(1, 3)) or "2 of 2" in there.forward.report(
        tsc.ones(1, 3)
    )


@pytest.mark.parametrize("backend", INSTALLED)
def test_methods_see_what_others_have_written(archive: str, backend: str) -> None:
    here, there = tsc.load(archive), tsc.load(archive, backend=backend)
    x = tsc.ones(2)
    for _ in range(8):
        for name in ("counted", "count", "counted"):
            check_equal(getattr(here, name)(x), getattr(there, name)(x))


def test_what_cannot_be_captured_runs_here(archive: str) -> None:
    module = tsc.load(archive, backend="native")
    assert module.told(tsc.ones(2)) == tsc.load(archive).told(tsc.ones(2))
    assert "nothing is handed over" in module.told.report(tsc.ones(2))


def test_the_command_runs_and_tells(archive: str) -> None:
    ran = CliRunner().invoke(
        main, ["run", archive, "--args", "torch.ones(1, 3)", "--backend", "native", "-v"]
    )
    assert ran.exit_code == 0
    assert "native: 2 of 2 calls are handed over, in 1 part" in ran.output


def test_other_backends_are_refused(archive: str) -> None:
    with pytest.raises(tsc.Error, match="there are native, onnxruntime, openvino"):
        tsc.load(archive, backend="tpu")


@pytest.mark.skipif("openvino" in INSTALLED, reason="it is installed")
def test_a_backend_that_is_not_installed_is_told_of(archive: str) -> None:
    with pytest.raises(tsc.BackendError, match="pip install"):
        tsc.load(archive, backend="openvino")


WITHIN = {
    "a loop": "    while bool(x.sum() < 100):\n        x = torch.linalg.inv(x) + 30\n    return x * 2\n",
    "a branch": (
        "    y = x * 3\n    if bool(x.sum() > 3):\n        y = torch.linalg.inv(x)\n    return y + 1\n"
    ),
}


@pytest.mark.parametrize("backend", INSTALLED)
@pytest.mark.parametrize("body", WITHIN.values(), ids=WITHIN)
def test_what_has_a_call_within_that_is_not_taken_stays_here(body: str, backend: str) -> None:
    f = tsc.CompilationUnit(f"def f(x: Tensor) -> Tensor:\n{body}").f
    x = tsc.tensor([[2.0, 1.0], [0.5, 3.0]])
    found = tsc.to_backend(tsc.export(f, (x,)), backend).module()(x)
    assert np.allclose(found.numpy(), f(x).numpy(), rtol=1e-5)
