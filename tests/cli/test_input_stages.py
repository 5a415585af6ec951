"""`tsc compile --stage` for graphs that are made for inputs, which `--args` gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main

SOURCE = """
def f(x, n: int):
    y = x + x
    return y.view(n, y.size(0))
def h(x, y):
    return (x * y + y).tanh()
def g0(x):
    return x + 1
"""
SOURCE += "".join(
    f"def g{k}(x):\n    if bool(x.sum() > 9):\n        x = g{k - 1}(g{k - 1}(x))\n    return x\n"
    for k in range(1, 40)
)
"""What would have 2 to the power of 39 nodes."""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def compiled(*arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, where no other test has left tensors that require gradients."""
    command = [sys.executable, "-m", "tsc", "compile", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def dumped(*arguments: str) -> str:
    result = compiled(*arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    ("stage", "shown"),
    [
        ("specialized", "%x.1 : Float(*, requires_grad=0, device=cpu)"),
        (
            "profiled",
            "prim::profile[profiled_type=Float(3, strides=[1], requires_grad=0, device=cpu)]",
        ),
        ("guarded", "prim::BailOut[index=0]"),
        ("optimized", "with prim::BailoutTemplate_0"),
    ],
)
def test_a_stage_for_inputs(file: str, stage: str, shown: str) -> None:
    assert shown in dumped(file, "f", "--stage", stage, "--args", "torch.ones(3), 1")


def test_what_is_grouped_for_gradients(file: str) -> None:
    arguments = "torch.ones(3).requires_grad_(), torch.ones(3)"
    text = dumped(file, "h", "--stage", "differentiable", "--args", arguments)
    assert "prim::DifferentiableGraph_" in text


def test_optimized_is_for_all_inputs_without_arguments(file: str) -> None:
    assert "prim::BailOut" not in dumped(file, "f", "--stage", "optimized")


def test_all_stages_but_those_that_need_arguments(file: str) -> None:
    text = dumped(file, "f", "--stage", "all")
    assert "# f (with)" in text
    assert "# f (guarded)" not in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("f", "--stage", "guarded"), "--stage guarded depends on the inputs: give them by --args"),
        (
            ("h", "--stage", "differentiable", "--args", "torch.ones(3), torch.ones(3)"),
            "requires a gradient",
        ),
        (
            ("g39", "--stage", "guarded", "--args", "torch.ones(3)"),
            "g39 has one plan for all inputs",
        ),
    ],
)
def test_what_is_refused(file: str, arguments: tuple[str, ...], complaint: str) -> None:
    result = compiled(file, *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_what_was_counted_is_told(file: str) -> None:
    result = CliRunner().invoke(main, ["run", file, "f", "--args", "torch.ones(3), 1", "-v"])
    assert "invocations: 1, cache hits: 0, cache misses: 0, bailouts: 0" in result.stderr
