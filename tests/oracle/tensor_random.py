"""The random numbers PyTorch draws."""

from __future__ import annotations

from typing import Any

import torch

from tests.oracle.tensor_operators import _arrays
from tests.runtime.random_samples import Names, calls
from tests.runtime.tensor_samples import describe


def _operator(name: str, overload: str) -> Any:
    overloads = getattr(torch.ops.aten, name)
    return getattr(overloads, overload.removesuffix("_") or _first_overload(name))


def _first_overload(name: str) -> str:
    """A bare name means the overload without a name, or the first one."""
    names = getattr(torch.ops.aten, name).overloads()
    return "default" if "default" in names else names[0]


def _zeros(dtype: str, shape: list[int]) -> torch.Tensor:
    return torch.zeros(shape, dtype=getattr(torch, dtype))


def answer(text: str) -> list[Any]:
    seed, lines = calls(text)
    torch.manual_seed(seed)
    names = Names(_operator, z=_zeros, zt=lambda dtype, shape: _zeros(dtype, shape).mT)
    return [describe(_arrays(eval(line, {"__builtins__": {}}, names))) for line in lines]
