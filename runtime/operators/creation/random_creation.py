"""Random tensors of given sizes; the numbers equal PyTorch's for the same seed (see `runtime.random.generator`)."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.arrays.memory_layout import made_like
from tsc.runtime.operators.creation.creation import (
    LIKE_OPTIONS,
    OPTIONS,
    check_device,
    checked_size,
    numpy_dtype,
)
from tsc.runtime.operators.creation.random_filling import normal_, random_from_, uniform_
from tsc.runtime.operators.layout.tensor_numbers import int_of_tensor
from tsc.runtime.operators.out_variants import FACTORY, SILENT_FACTORY, out_forms
from tsc.runtime.operators.registration import random_operator
from tsc.runtime.random.generator import Generator, default_generator
from tsc.runtime.values.tensor import Tensor

_LONG_OPTIONS = OPTIONS.replace("dtype=None", "dtype=4")


def _uniform(shape: tuple[int, ...], dtype: np.dtype, generator: Generator | None) -> Tensor:
    return uniform_(Tensor(np.empty(shape, dtype)), 0.0, 1.0, generator)


def _normal(shape: tuple[int, ...], dtype: np.dtype, generator: Generator | None) -> Tensor:
    return normal_(Tensor(np.empty(shape, dtype)), 0.0, 1.0, generator)


def _integers(
    low: int, high: int, shape: tuple[int, ...], dtype: np.dtype, generator: Generator | None
) -> Tensor:
    return random_from_(Tensor(np.empty(shape, dtype)), low, high, generator)


def _empty_like(self: Tensor, dtype: int | None) -> Tensor:
    """Uninitialized, in the memory order of `self`."""
    target = numpy_dtype(dtype, self.array.dtype)
    return Tensor(made_like(self.array, lambda shape: np.empty(shape, target)))


@random_operator(f"aten::rand(SymInt[] size, *, {OPTIONS}) -> Tensor")
def rand(size, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _uniform(checked_size(size), numpy_dtype(dtype), None)


@random_operator(
    f"aten::rand.generator(SymInt[] size, *, Generator? generator, {OPTIONS}) -> Tensor"
)
def rand_generator(
    size, generator, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _uniform(checked_size(size), numpy_dtype(dtype), generator)


@random_operator(f"aten::randn(SymInt[] size, *, {OPTIONS}) -> Tensor")
def randn(size, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _normal(checked_size(size), numpy_dtype(dtype), None)


@random_operator(
    f"aten::randn.generator(SymInt[] size, *, Generator? generator, {OPTIONS}) -> Tensor"
)
def randn_generator(
    size, generator, dtype=None, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _normal(checked_size(size), numpy_dtype(dtype), generator)


@random_operator(f"aten::rand_like(Tensor self, *, {LIKE_OPTIONS}) -> Tensor")
def rand_like(
    self: Tensor, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
) -> Tensor:
    return rand_like_generator(self, None, dtype, layout, device)


@random_operator(
    f"aten::rand_like.generator(Tensor self, *, Generator? generator, {LIKE_OPTIONS}) -> Tensor"
)
def rand_like_generator(
    self: Tensor,
    generator,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    memory_format=None,
) -> Tensor:
    check_device(device)
    return uniform_(_empty_like(self, dtype), 0.0, 1.0, generator)


@random_operator(f"aten::randn_like(Tensor self, *, {LIKE_OPTIONS}) -> Tensor")
def randn_like(
    self: Tensor, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None
) -> Tensor:
    return randn_like_generator(self, None, dtype, layout, device)


@random_operator(
    f"aten::randn_like.generator(Tensor self, *, Generator? generator, {LIKE_OPTIONS}) -> Tensor"
)
def randn_like_generator(
    self: Tensor,
    generator,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=None,
    memory_format=None,
) -> Tensor:
    check_device(device)
    return normal_(_empty_like(self, dtype), 0.0, 1.0, generator)


@random_operator(f"aten::randint(SymInt high, SymInt[] size, *, {_LONG_OPTIONS}) -> Tensor")
def randint(high, size, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _integers(0, high, checked_size(size), numpy_dtype(dtype, LONG), None)


@random_operator(
    f"aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator,"
    f" {_LONG_OPTIONS}) -> Tensor"
)
def randint_generator(
    high, size, generator, dtype=4, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _integers(0, high, checked_size(size), numpy_dtype(dtype, LONG), generator)


@random_operator(
    f"aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, {_LONG_OPTIONS}) -> Tensor"
)
def randint_low(low, high, size, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    return _integers(low, high, checked_size(size), numpy_dtype(dtype, LONG), None)


@random_operator(
    "aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *,"
    f" Generator? generator, {_LONG_OPTIONS}) -> Tensor"
)
def randint_low_generator(
    low, high, size, generator, dtype=4, layout=None, device=None, pin_memory=None
) -> Tensor:
    check_device(device)
    return _integers(low, high, checked_size(size), numpy_dtype(dtype, LONG), generator)


def _declare_randint_like(overload: str, bounds: str, with_generator: bool) -> None:
    """An overload of randint_like; the bounds are ``high``, or ``low`` and ``high``."""

    def randint_like(self: Tensor, *arguments) -> Tensor:
        numbers, rest = arguments[: bounds.count(",")], arguments[bounds.count(",") :]
        generator, rest = (rest[0], rest[1:]) if with_generator else (None, rest)
        dtype, _, device, *_ = rest
        check_device(device)
        low, high = (0, *numbers)[-2:]
        high = int_of_tensor(high) if type(high) is Tensor else high
        return random_from_(_empty_like(self, dtype), low, high, generator)

    generator = "Generator? generator, " if with_generator else ""
    random_operator(
        f"aten::randint_like{overload}(Tensor self, {bounds}*, {generator}{LIKE_OPTIONS}) -> Tensor"
    )(randint_like)


_declare_randint_like("", "SymInt high, ", False)
_declare_randint_like(".Tensor", "Tensor high, ", False)
_declare_randint_like(".low_dtype", "SymInt low, SymInt high, ", False)
_declare_randint_like(".generator", "SymInt high, ", True)
_declare_randint_like(".Tensor_generator", "Tensor high, ", True)
_declare_randint_like(".low_generator_dtype", "SymInt low, SymInt high, ", True)


@random_operator(f"aten::randperm(SymInt n, *, {_LONG_OPTIONS}) -> Tensor")
def randperm(n, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    return randperm_generator(n, None, dtype, layout, device, pin_memory)


@random_operator(
    f"aten::randperm.generator(SymInt n, *, Generator? generator, {_LONG_OPTIONS}) -> Tensor"
)
def randperm_generator(n, generator, dtype=4, layout=None, device=None, pin_memory=None) -> Tensor:
    check_device(device)
    source = generator or default_generator
    result = np.empty(checked_size([n]), numpy_dtype(dtype, LONG))
    result[...] = source.permutation(n)
    return Tensor(result)


out_forms(
    FACTORY,
    """
    rand_like.generator rand_like randint_like.Tensor_generator randint_like.Tensor
    randint_like.generator randint_like.low_dtype randint_like.low_generator_dtype randint_like
    randn_like.generator randn_like
    """,
)
out_forms(
    SILENT_FACTORY,
    """
    rand.generator rand randint.generator randint.low_generator randint.low randint randn.generator
    randn randperm.generator randperm
    """,
)
