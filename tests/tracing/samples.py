"""Example inputs for `functions`, of tsc's tensors or of PyTorch's, with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Make = Callable[[np.ndarray], Any]


def samples(inputs: tuple[Any, ...], make: Make, seed: int = 0) -> tuple[Any, ...]:
    """The inputs that sizes stand for; see `functions.Case`."""
    random = np.random.default_rng(seed)
    return tuple(_sample(each, make, random) for each in inputs)


def _sample(shape: Any, make: Make, random: np.random.Generator) -> Any:
    if isinstance(shape, list):
        return [_sample(each, make, random) for each in shape]
    if isinstance(shape, dict):
        return {key: _sample(each, make, random) for key, each in shape.items()}
    if shape[:1] == ("of",):
        return tuple(_sample(each, make, random) for each in shape[1:])
    if shape[:1] == ("int",):
        return make(random.integers(0, 2, shape[1:]))
    return make(random.random(shape).astype(np.float32))


def arrays(value: Any) -> list[np.ndarray]:
    """All tensors in a result."""
    if isinstance(value, list | tuple):
        return [array for each in value for array in arrays(each)]
    if isinstance(value, dict):
        return [array for each in value.values() for array in arrays(each)]
    return [np.asarray(value.detach() if hasattr(value, "grad_fn") else value)]


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same tensors, of the same dtypes, up to rounding."""
    pairs = list(zip(arrays(a), arrays(b), strict=True))
    return all(
        x.dtype == y.dtype
        and x.shape == y.shape
        and np.allclose(x, y, rtol=1e-3, atol=1e-5, equal_nan=True)
        for x, y in pairs
    )
