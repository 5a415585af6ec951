"""Errors can be caught by the builtin exceptions that PyTorch raises, and print under tsc's own names."""

from __future__ import annotations

import pickle
import traceback
from pathlib import Path

import pytest

import tsc
from tests.facade.tensor_attributes import OF_TENSORS
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load

PROGRAM = """
def f(x: List[int]) -> int:
    return x[5]

def g(name: str) -> int:
    if name == "value":
        raise ValueError("no")
    if name == "key":
        raise KeyError("no")
    raise NotImplementedError("no")
"""
BUILTIN = (
    "IndexError",
    "KeyError",
    "ValueError",
    "TypeError",
    "OSError",
    "AttributeError",
    "ZeroDivisionError",
)


@pytest.fixture(scope="module")
def unit() -> tsc.CompilationUnit:
    return tsc.CompilationUnit(PROGRAM)


def test_what_runs_raises_runtime_errors(unit: tsc.CompilationUnit) -> None:
    with pytest.raises(RuntimeError, match="list index out of range"):
        unit.f([1])
    with pytest.raises(RuntimeError, match="missing value"):
        unit.f()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("value", ValueError), ("key", KeyError), ("other", NotImplementedError)],
)
def test_what_a_program_raises_has_its_class(
    unit: tsc.CompilationUnit, name: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind) as caught:
        unit.g(name)
    assert isinstance(caught.value, tsc.ScriptError)


def test_functions_of_python_raise_what_pytorch_does() -> None:
    with pytest.raises(IndexError):
        tsc.ones(3)[10]
    with pytest.raises(IndexError):
        tsc.ones(3).sum(dim=7)
    with pytest.raises(TypeError):
        tsc.ones(3).sum(nothing=1)
    with pytest.raises(RuntimeError):
        _ = tsc.ones(3) + tsc.ones(4)


def test_files_that_are_missing_or_wrong(tmp_path: Path) -> None:
    for kind in (tsc.ArchiveError, FileNotFoundError, ValueError, RuntimeError):
        with pytest.raises(kind):
            tsc.load(tmp_path / "missing.pt")
    (tmp_path / "junk.pt").write_bytes(b"junk")
    with pytest.raises(RuntimeError):
        tsc.load(tmp_path / "junk.pt")


def test_programs_that_do_not_compile_are_runtime_errors() -> None:
    with pytest.raises(RuntimeError, match="undefined value y"):
        tsc.CompilationUnit("def f(x): return y")


@pytest.mark.parametrize("name", ["Error", "CompileError", "ScriptError", "ArchiveError"])
def test_names_are_tsc_s_own(name: str) -> None:
    error = getattr(tsc, name)
    assert (error.__module__, error.__qualname__) == ("tsc", name)


@pytest.mark.parametrize("kind", BUILTIN)
def test_errors_of_a_kind(kind: str) -> None:
    error = ScriptError(kind, "what is wrong")
    assert traceback.format_exception_only(error) == ["tsc.ScriptError: what is wrong\n"]
    assert kind in [each.__name__ for each in type(error).__mro__]
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.kind, again.message) == (type(error), kind, "what is wrong")


@pytest.mark.parametrize(
    "kind", ["MemoryError", "RecursionError", "StopIteration", "Exception", "int", "Mine"]
)
def test_kinds_that_are_no_class_of_their_own(kind: str) -> None:
    assert type(ScriptError(kind, "what is wrong")) is ScriptError


def test_tensors_have_no_attributes_that_pytorch_s_have_not() -> None:
    """An operator that is no method is none here either; ``hasattr`` can be asked."""
    tensor = tsc.ones(2, 2)
    operators = {name.partition("::")[2] for name in load().names()}
    others = sorted(name for name in operators - set(OF_TENSORS) - {"imag"} if name[0] != "_")
    assert len(others) > 500
    assert [name for name in others if hasattr(tensor, name)] == []
    with pytest.raises(AttributeError, match=r"PyTorch has Tensor\.pin_memory, tsc does not yet"):
        tensor.pin_memory()


def test_tensors_have_one_device() -> None:
    with pytest.raises(RuntimeError, match="device 'cuda' is not available"):
        tsc.ones(2, 2).cuda()


def test_methods_are_called_and_properties_are_not() -> None:
    tensor = tsc.ones(2, 2)
    present = [name for name in OF_TENSORS if hasattr(tensor, name)]
    assert len(present) > 400
    wrong = [name for name in present if callable(getattr(tensor, name)) != OF_TENSORS[name]]
    assert wrong == []


def test_data_shares_memory() -> None:
    tensor = tsc.zeros(2)
    tensor.data.fill_(1.0)
    assert tensor.tolist() == [1.0, 1.0]
