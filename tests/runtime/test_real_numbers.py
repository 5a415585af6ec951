"""Complex numbers for arguments that must be real: taken without an imaginary part of 0, refused otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

ONES = np.ones((2, 2), np.float32)
TAKEN = {
    "softshrink": ((), ()),
    "hardtanh": ((), (1,)),
    "elu": ((), (1, 1)),
    "leaky_relu": ((), ()),
    "var.correction": ((None,), ()),
}
"""What stands before and after the number, the tensor left out."""
REFUSED = {
    "dist": ((Tensor(ONES),), ()),
    "renorm": ((), (0, 1.0)),
    "linalg_matrix_norm": ((), ()),
    "linalg_vector_norm": ((), ()),
}


def _called(name: str, before: tuple, number: complex, after: tuple) -> Tensor:
    base, _, overload = name.partition(".")
    operator = load().find(f"aten::{base}", overload)
    return operator.kernel(Tensor(ONES.copy()), *before, number, *after)


@pytest.mark.parametrize("name", TAKEN)
def test_an_imaginary_part_of_zero_is_dropped(name: str) -> None:
    before, after = TAKEN[name]
    with_complex = _called(name, before, 0.5 + 0j, after)
    assert np.array_equal(with_complex.array, _called(name, before, 0.5, after).array)


@pytest.mark.parametrize("name", TAKEN)
def test_another_imaginary_part_is_refused(name: str) -> None:
    before, after = TAKEN[name]
    with pytest.raises(ScriptError, match="value cannot be converted to type"):
        _called(name, before, 0.5 + 2j, after)


@pytest.mark.parametrize("name", REFUSED)
def test_orders_of_norms_are_never_complex(name: str) -> None:
    before, after = REFUSED[name]
    with pytest.raises(ScriptError, match=r"non-complex|real-valued"):
        _called(name, before, 1 + 0j, after)
