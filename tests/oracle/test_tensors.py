"""Live comparison with PyTorch: operators, printing, random numbers, and the list of schemas."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.oracle import tensor_operators, tensor_printing, tensor_random
from tests.runtime import tensor_answers, test_random
from tests.runtime.printing_samples import PRINTING_SAMPLES
from tests.runtime.random_samples import RANDOM_SAMPLES
from tests.runtime.tensor_samples import Sample, difference, disagreement, samples
from tests.runtime.test_tensor_printing import printed
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("sample", list(samples()), ids=lambda sample: sample.text)
def test_operator(sample: Sample) -> None:
    expected = tensor_operators.answer(sample)
    assert difference(sample, expected, tensor_answers.answer(sample)) is None


@pytest.mark.parametrize("text", PRINTING_SAMPLES)
def test_printing(text: str) -> None:
    assert printed(text) == tensor_printing.answer(text)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([np.float32, np.float64, np.int64, np.uint8, np.bool_]).flatmap(
        lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=0, min_side=0, max_side=9))
    )
)
def test_printing_of_any_tensor(array: np.ndarray) -> None:
    assert repr(Tensor(array)) == repr(torch.from_numpy(array.copy()))


@pytest.mark.parametrize("text", RANDOM_SAMPLES)
def test_random_numbers(text: str) -> None:
    assert disagreement(tensor_random.answer(text), test_random.answer(text)) is None


OF_EXECUTORCH = "dim_order_ops::"
"""Operators of the Edge dialect, which PyTorch alone has not."""


def test_schemas_are_those_of_pytorch() -> None:
    known = {str(schema) for schema in torch._C._jit_get_all_schemas()}
    ours = {operator.text for operator in load().all()}
    assert {each for each in ours - known if not each.startswith(OF_EXECUTORCH)} == set()
