"""Parameters that are tensors by their annotation and None by their default: strict mode takes them as PyTorch does."""

from __future__ import annotations

import pytest

import tsc

TEXT = """
def added(x, a=None):
    if a is None:
        return x
    return x + a

def given(a: Tensor = None):
    return a

def dimensions(a: Tensor = None):
    return a.dim()
"""
X = tsc.ones(1)


@pytest.fixture(scope="module")
def unit() -> tsc.CompilationUnit:
    return tsc.CompilationUnit(TEXT, strict=True)


def test_a_tensor_that_is_given_is_used(unit: tsc.CompilationUnit) -> None:
    assert unit.added(X, X).tolist() == [2.0]
    assert unit.given(X) is X


def test_a_tensor_that_is_left_out_is_none_and_has_one_dimension(unit: tsc.CompilationUnit) -> None:
    assert unit.given() is None
    assert unit.given(None) is None
    assert unit.dimensions() == 1


def test_it_is_refused_where_it_is_computed_with(unit: tsc.CompilationUnit) -> None:
    with pytest.raises(tsc.ScriptError, match="Expected a proper Tensor but got None") as caught:
        unit.added(X)
    assert "return x + a" in str(caught.value)


def test_programs_have_to_give_it() -> None:
    with pytest.raises(tsc.CompileError, match="'NoneType'"):
        tsc.CompilationUnit(TEXT + "\ndef f(x):\n    return added(x)\n", strict=True)


def test_usual_reading_asks_for_an_annotation() -> None:
    with pytest.raises(tsc.CompileError, match=r"a: Optional\[Tensor\] = None"):
        tsc.CompilationUnit(TEXT)


def test_other_types_have_no_such_default() -> None:
    with pytest.raises(tsc.CompileError, match="Expected a default value of type int"):
        tsc.CompilationUnit("def f(a: int = None):\n    return a\n", strict=True)
