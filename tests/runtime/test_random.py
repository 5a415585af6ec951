"""Random numbers equal those recorded from PyTorch, and the generator keeps its promises."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tsc.runtime.arrays.dtypes import DOUBLE, DTYPE_OF_NAME, FLOAT
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.random.generator import Generator, manual_seed, unforeseeable_seed
from tsc.runtime.values.tensor import Tensor

from .random_samples import RANDOM_SAMPLES, Names, calls
from .tensor_answers import arrays, bound
from .tensor_samples import describe, disagreement

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
"""Operators warn as PyTorch's do, which is none of these tests' business."""

RECORDED = Path(__file__).parent / "recorded" / "random.json"


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def _operator(name: str, overload: str) -> Any:
    table = load()
    wanted = overload.removesuffix("_")
    found = table.find(f"aten::{name}", wanted)
    operator = found or table.operators_for(f"aten::{name}")[0]

    def run(*arguments: Any, **keywords: Any) -> Any:
        with np.errstate(all="ignore"):
            return operator.kernel(*bound(operator, list(arguments), keywords))

    return run


def _zeros(dtype: str, shape: list[int]) -> Tensor:
    return Tensor(np.zeros(shape, DTYPE_OF_NAME[dtype].numpy))


def answer(text: str) -> list[Any]:
    seed, lines = calls(text)
    manual_seed(seed)
    names = Names(
        _operator, z=_zeros, zt=lambda dtype, shape: Tensor(_zeros(dtype, shape).array.mT)
    )
    return [describe(arrays(eval(line, {"__builtins__": {}}, names))) for line in lines]


@pytest.mark.parametrize("text", RANDOM_SAMPLES)
def test_numbers_equal_those_of_pytorch(text: str, recorded: dict[str, Any]) -> None:
    assert disagreement(recorded[text], answer(text)) is None


def test_a_generator_begins_anew_from_its_seed() -> None:
    generator = Generator(3)
    first = generator.normal(3, FLOAT)
    generator.manual_seed(3)
    assert np.array_equal(first, generator.normal(3, FLOAT))
    assert generator.seed == 3


def test_generators_without_a_seed_have_that_of_pytorch() -> None:
    assert Generator().draws(4).tolist() == Generator(67280421310721).draws(4).tolist()


def test_unforeseeable_seeds_differ() -> None:
    assert unforeseeable_seed() != unforeseeable_seed()


def test_only_the_low_half_of_a_seed_counts() -> None:
    assert Generator(5).draws(2).tolist() == Generator(5 + (1 << 32)).draws(2).tolist()


def test_a_seed_of_too_many_bits_is_refused() -> None:
    with pytest.raises(ScriptError):
        manual_seed(1 << 64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("low", "high"), [(-0.3, 0.3), (-1.0, 2.0), (0.1, 0.7), (1e-3, 1e5)])
def test_scaled_uniform_numbers_are_rounded_once(dtype, low, high) -> None:
    kind = FLOAT if dtype is np.float32 else DOUBLE
    unit = Generator(3).uniform(200, kind)
    factor, offset = dtype(high) - dtype(low), dtype(low)
    exact = [
        Fraction(float(each)) * Fraction(float(factor)) + Fraction(float(offset)) for each in unit
    ]
    expected = [float(dtype(float(each))) for each in exact]
    assert Generator(3).uniform(200, kind, low, high).tolist() == expected


def test_scaled_numbers_may_be_infinite_and_huge() -> None:
    normal = Generator(3).normal(32, DOUBLE, 1.0, math.inf)
    assert np.isinf(normal).all()
    huge = Generator(3).uniform(8, DOUBLE, -1e307, 1e307)
    assert np.isfinite(huge).all()
