"""Conversions to and from floats of one byte; the expected bytes are PyTorch's."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tsc
from tsc.runtime.values.opaque_tensors import RawTensor

NUMBERS = [0.0, -0.0, 1.0, -1.5, 0.3, 448.0, 464.5, 1e6, 57344.0, 1e-3, 3e-8, math.inf, -math.inf]
BYTES = {
    "float8_e5m2": (23, [0, 128, 60, 190, 53, 95, 95, 124, 123, 20, 0, 124, 252, 127]),
    "float8_e4m3fn": (24, [0, 128, 56, 188, 42, 126, 126, 126, 126, 1, 0, 126, 254, 127]),
    "float8_e5m2fnuz": (25, [0, 0, 64, 194, 57, 99, 99, 128, 127, 24, 0, 128, 128, 128]),
    "float8_e4m3fnuz": (26, [0, 0, 64, 196, 50, 128, 128, 128, 128, 1, 0, 128, 128, 128]),
    "float8_e8m0fnu": (44, [0, 0, 127, 128, 125, 136, 136, 147, 143, 117, 102, 255, 255, 255]),
}
SOURCE = """
def to_code(x: Tensor, dtype: int) -> Tensor:
    return x.to(dtype)

def there_and_back(x: Tensor, dtype: int) -> Tensor:
    return x.to(dtype).to(x)

def copied(x: Tensor, dtype: int) -> Tensor:
    return torch.zeros(x.shape).copy_(x.to(dtype))

def added(x: Tensor, dtype: int) -> Tensor:
    return x.to(dtype) + 1
"""


@pytest.fixture
def unit() -> tsc.CompilationUnit:
    return tsc.CompilationUnit(SOURCE)


def numbers() -> tsc.Tensor:
    return tsc.tensor([*NUMBERS, math.nan])


@pytest.mark.parametrize("name", BYTES)
def test_rounding_is_that_of_pytorch(unit: tsc.CompilationUnit, name: str) -> None:
    code, expected = BYTES[name]
    found = unit.to_code(numbers(), code)
    assert isinstance(found, RawTensor)
    assert found.info.name == name
    assert found.content.tolist() == expected


@pytest.mark.parametrize("name", BYTES)
def test_every_byte_comes_back(unit: tsc.CompilationUnit, name: str) -> None:
    code, _ = BYTES[name]
    info = unit.to_code(tsc.tensor([1.0]), code).info
    every = RawTensor(np.arange(256, dtype=np.uint8), info, (16, 16), (16, 1), 0, 1)
    wide = unit.to_code(every, 6)
    again = unit.to_code(wide, code)
    missing = np.isnan(wide.numpy()).reshape(-1)
    assert (again.content == every.content)[~missing].all()
    assert np.isnan(unit.to_code(again, 6).numpy().reshape(-1)[missing]).all()


def test_dtypes_of_other_widths_go_through_float32(unit: tsc.CompilationUnit) -> None:
    x = tsc.tensor([[1, 2, 3], [200, -7, 0]])
    assert unit.there_and_back(x, 24).tolist() == [[1, 2, 3], [192, -7, 0]]
    assert unit.there_and_back(tsc.tensor([1.0626], dtype=tsc.float64), 24).tolist() == [1.125]
    assert unit.copied(tsc.tensor([1.06]), 24).tolist() == [1.0]


def test_computing_is_refused_with_the_way_out(unit: tsc.CompilationUnit) -> None:
    with pytest.raises(tsc.ScriptError, match=r"float8_e5m2, and tsc .*\.to\(torch\.float32\)"):
        unit.added(tsc.tensor([1.0]), 23)
