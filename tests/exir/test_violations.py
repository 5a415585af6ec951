"""What a program makes of declared sizes: the errors name the dimension, the place and a way out."""

from __future__ import annotations

import pytest

from tsc.compiler.exir.symbols.dims import Dim
from tsc.compiler.exir.symbols.dynamic_shapes import DeclaredDims
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.violations import (
    ConstraintViolationError,
    check_declared,
    unify_declared,
)


def declared(*specs, hints=(6, 6)):
    dims = DeclaredDims(ShapeEnvironment(lambda: "model.py:7"))
    sizes = [
        dims.sizes((hint,), {0: spec}, f"L['{name}']")[0]
        for name, hint, spec in zip("xyz", hints, specs)
    ]
    unify_declared(dims.environment, dims.declared)
    return dims, sizes


def test_a_size_that_is_fixed_by_the_program():
    dims, (size,) = declared(Dim("batch"))
    dims.environment.specialize(size)
    with pytest.raises(ConstraintViolationError) as error:
        check_declared(dims.environment, dims.declared)
    assert str(error.value).splitlines()[1] == (
        "  - L['x'].size()[0] was declared batch, and the program is for 6 only (for Eq(s77, 6), at model.py:7); "
        "make it Dim.STATIC or Dim.AUTO"
    )


def test_a_range_that_is_narrowed_proposes_one_that_works():
    dims, (size,) = declared(Dim("batch", min=3, max=90))
    dims.environment.guard(size > 4)
    with pytest.raises(ConstraintViolationError) as error:
        check_declared(dims.environment, dims.declared)
    assert "at model.py:7" in str(error.value)
    assert "declare batch = Dim('batch', min=5, max=90)" in str(error.value)


def test_two_names_for_one_size():
    dims, (x, y) = declared(Dim("b"), Dim("c"))
    dims.environment.guard(x == y)
    with pytest.raises(ConstraintViolationError, match=r"equal to L\['x'\].*by one name: c = b"):
        check_declared(dims.environment, dims.declared)


@pytest.mark.parametrize("spec", [Dim.AUTO, Dim("batch", min=1, max=64)])
def test_what_is_as_declared_passes(spec):
    dims, (size, other) = declared(spec, spec)
    dims.environment.guard(size == other)
    check_declared(dims.environment, dims.declared)


def test_auto_may_be_narrowed():
    dims, (size,) = declared(Dim.AUTO)
    dims.environment.guard(size > 4)
    dims.environment.specialize(size)
    check_declared(dims.environment, dims.declared)


def test_derived_sizes_follow_from_their_root_as_in_pytorch():
    batch = Dim("b")
    dims, (x, y) = declared(batch + 1, batch, hints=(6, 5))
    assert (str(x), str(y)) == ("s17 + 1", "s17")
    ranges = dims.environment.range_constraints([x, y])
    assert {key: str(each) for key, each in ranges.items()} == {
        "s17 + 1": "VR[1, int_oo]",
        "s17": "VR[0, int_oo]",
    }


def test_sizes_may_follow_from_one_that_no_argument_has():
    time = Dim("time", min=2, max=64)
    dims, (x, y) = declared(8 * time, 8 * time - 1, hints=(24, 23))
    assert (str(x), str(y)) == ("8*s42", "8*s42 - 1")
    check_declared(dims.environment, dims.declared)
    assert str(dims.environment.range_constraints([x])["s42"]) == "VR[2, 64]"
    dims.environment.guard(y > 20)
    with pytest.raises(ConstraintViolationError, match=r"time = Dim\('time', min=3, max=64\)"):
        check_declared(dims.environment, dims.declared)


def test_arguments_that_follow_from_no_size():
    with pytest.raises(ConstraintViolationError, match=r"is 7, which is no 2\*b for any b"):
        declared(2 * Dim("b"), hints=(7,))


def test_arguments_that_are_not_as_derived():
    batch = Dim("b")
    with pytest.raises(ConstraintViolationError, match=r"is 6, and 2\*b is 10"):
        declared(2 * batch, batch, hints=(6, 5))
