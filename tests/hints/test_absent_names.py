"""What PyTorch has and tsc has not is told apart from typos: in programs, in Python, in constructors."""

from __future__ import annotations

import pytest

import tsc
from tsc.compiler.emit.names.absent_names import absent_member, absent_method, absent_operator
from tsc.compiler.emit.names.absent_operators import ABSENT_OPERATORS
from tsc.compiler.source import CompileError, Source
from tsc.runtime.construction.construct import Construction
from tsc.runtime.operators import load

ABSENT = (
    "autograd.functional",
    "sparse.mm",
    "sparse_coo_tensor",
    "profiler.profile",
    "cuda.synchronize",
    "distributed.all_reduce",
    "quantize_per_tensor",
    "quantization.convert",
    "onnx.export",
    "distributions.Normal",
    "set_default_dtype",
    "compile",
    "vmap",
    "fx.symbolic_trace",
    "nested.nested_tensor",
)
TYPOS = ("sofmax", "linalg.nrom", "autograd.grda", "sparse_coo_tensro", "vmpa")


def error_of(expression: str) -> CompileError:
    with pytest.raises(CompileError) as caught:
        tsc.CompilationUnit(f"import torch\n\ndef f(x):\n    return {expression}\n")
    return caught.value


@pytest.mark.parametrize("name", ABSENT)
def test_programs_say_that_pytorch_has_it(name: str) -> None:
    error = error_of(f"torch.{name}(x)")
    assert "PyTorch has " in error.message, error
    assert "tsc does not yet" in error.message
    assert error.hint is not None
    assert "suggestions" not in error.message


@pytest.mark.parametrize("name", TYPOS)
def test_typos_are_none_of_these(name: str) -> None:
    assert "PyTorch has" not in str(error_of(f"torch.{name}(x)"))


@pytest.mark.parametrize(
    "name", ["pin_memory", "to_sparse", "register_hook", "data_ptr", "new_tensor"]
)
def test_methods_of_tensors(name: str) -> None:
    assert f"PyTorch has Tensor.{name}, tsc does not yet" in str(error_of(f"x.{name}()"))


@pytest.mark.parametrize("name", ABSENT)
def test_python_says_so_too(name: str) -> None:
    with pytest.raises(AttributeError, match=r"PyTorch has .*, tsc does not yet: "):
        value_of(tsc, name)


@pytest.mark.parametrize("name", TYPOS)
def test_python_says_that_nobody_has_it(name: str) -> None:
    with pytest.raises(AttributeError, match=r"has no attribute '\w+'$"):
        value_of(tsc, name)


@pytest.mark.parametrize("name", ["optim", "profiler", "compile"])
def test_constructors_say_so_too(name: str) -> None:
    here = Construction.from_source(Source("import torch\n", "absent.py"))
    with pytest.raises(tsc.Error, match=r"PyTorch has .*, tsc does not yet: "):
        here.evaluate_expression(f"torch.{name}.anything()")


def test_what_is_absent_is_not_there() -> None:
    """The table is not behind the operators."""
    present = {name.removeprefix("aten::") for name in load().names()}
    assert sorted(ABSENT_OPERATORS & present) == []


def test_every_absence_has_a_way_out() -> None:
    for name in ABSENT_OPERATORS:
        absence = absent_operator(f"aten::{name}")
        assert absence is not None
        assert absence.way_out
    assert absent_operator("aten::sofmax") is None
    assert absent_method("sofmax") is None
    assert absent_member("torch", "sofmax") is None


def value_of(value: object, path: str) -> object:
    for name in path.split("."):
        value = getattr(value, name)
    return value
