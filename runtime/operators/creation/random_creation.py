"""Random tensors of given sizes; the numbers equal PyTorch's for the same seed (see `runtime.random.generator`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.compiler.schema import Effects, Options
from tsc.runtime.arrays.dtypes import (
    BOOL,
    CATEGORY,
    COMPLEX,
    DOUBLE,
    FLOAT,
    FLOATING,
    HALF,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.memory_layout import made_like
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import (
    LIKE_OPTIONS,
    OPTIONS,
    check_device,
    checked_size,
    numpy_dtype,
)
from tsc.runtime.operators.creation.random_filling import normal_, random_from_, uniform_
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.kernel_notes import Kernel
from tsc.runtime.operators.layout.tensor_numbers import int_of_tensor
from tsc.runtime.operators.out_variants import FACTORY, SILENT_FACTORY, out_forms
from tsc.runtime.operators.overloads import overloads_of
from tsc.runtime.operators.registration import random_operator
from tsc.runtime.random.generator import default_generator
from tsc.runtime.values.tensor import Tensor

_LONG_OPTIONS = OPTIONS.replace("dtype=None", "dtype=4")


def _empty_like(self: Tensor, dtype: int | None) -> Tensor:
    """Uninitialized, in the memory order of `self`."""
    target = numpy_dtype(dtype, self.array.dtype)
    return Tensor(made_like(self.array, lambda shape: np.empty(shape, target)))


def _with_generator(
    name: str, arguments: str, options: str, without: str = "", overload: str = "generator"
) -> Callable[[Kernel], Kernel]:
    """Declare a kernel that takes a generator, and the overload that draws from the default one."""

    def declare(kernel: Kernel) -> Kernel:
        text = f"aten::{name}.{overload}({arguments}, *, Generator? generator, {options}) -> Tensor"
        random_operator(text)(kernel)
        text = f"aten::{name}{without}({arguments}, *, {options}) -> Tensor"
        overloads_of(kernel, text, options=Options(effects=Effects.RANDOM), generator=None)
        return kernel

    return declare


@_with_generator("rand", "SymInt[] size", OPTIONS)
def rand(size, generator, dtype, layout, device, pin_memory) -> Tensor:
    check_device(device)
    return uniform_(Tensor(np.empty(checked_size(size), numpy_dtype(dtype))), 0.0, 1.0, generator)


@_with_generator("randn", "SymInt[] size", OPTIONS)
def randn(size, generator, dtype, layout, device, pin_memory) -> Tensor:
    check_device(device)
    return normal_(Tensor(np.empty(checked_size(size), numpy_dtype(dtype))), 0.0, 1.0, generator)


@_with_generator("rand_like", "Tensor self", LIKE_OPTIONS)
def rand_like(self: Tensor, generator, dtype, layout, device, pin_memory, memory_format) -> Tensor:
    check_device(device)
    return uniform_(_empty_like(self, dtype), 0.0, 1.0, generator)


@_with_generator("randn_like", "Tensor self", LIKE_OPTIONS)
def randn_like(self: Tensor, generator, dtype, layout, device, pin_memory, memory_format) -> Tensor:
    check_device(device)
    return normal_(_empty_like(self, dtype), 0.0, 1.0, generator)


@_with_generator(
    "randint", "SymInt low, SymInt high, SymInt[] size", _LONG_OPTIONS, ".low", "low_generator"
)
def randint_low(low, high, size, generator, dtype, layout, device, pin_memory) -> Tensor:
    check_device(device)
    result = np.empty(checked_size(size), numpy_dtype(dtype, LONG))
    return random_from_(Tensor(result), low, high, generator)


@_with_generator("randint", "SymInt high, SymInt[] size", _LONG_OPTIONS)
def randint(high, size, generator, dtype, layout, device, pin_memory) -> Tensor:
    return randint_low(0, high, size, generator, dtype, layout, device, pin_memory)


def randint_like(self: Tensor, low, high, generator, dtype, device) -> Tensor:
    check_device(device)
    high = int_of_tensor(high) if type(high) is Tensor else high
    return random_from_(_empty_like(self, dtype), low, high, generator)


overloads_of(
    randint_like,
    *(
        f"aten::randint_like{overload}(Tensor self, {arguments}, {LIKE_OPTIONS}) -> Tensor"
        for overload, arguments in {
            "": "SymInt high, *",
            ".Tensor": "Tensor high, *",
            ".low_dtype": "SymInt low, SymInt high, *",
            ".generator": "SymInt high, *, Generator? generator",
            ".Tensor_generator": "Tensor high, *, Generator? generator",
            ".low_generator_dtype": "SymInt low, SymInt high, *, Generator? generator",
        }.items()
    ),
    options=Options(effects=Effects.RANDOM),
    low=0,
    generator=None,
)


_MOST_IN_FLOATING = {HALF: 1 << 11, FLOAT: 1 << 24, DOUBLE: 1 << 53}
"""The ints up to here are numbers of a floating dtype, each of them."""


def _check_last(n: int, dtype: np.dtype) -> None:
    """ScriptError if a dtype cannot tell the ints below `n` apart."""
    if dtype is BOOL or CATEGORY[dtype] == COMPLEX:
        raise not_implemented("randperm", dtype)
    if CATEGORY[dtype] == FLOATING:
        most = _MOST_IN_FLOATING.get(dtype, n)
        if n > most + 1:
            message = (
                f"n cannot be greater than {most + 1} for {scalar_name(dtype)} type: it is {n}"
            )
            raise ScriptError("RuntimeError", message)
    elif n > np.iinfo(dtype).max + 1:
        message = f"value cannot be converted to type {dtype}_t without overflow: it is {n - 1}"
        raise ScriptError("RuntimeError", message)


@_with_generator("randperm", "SymInt n", _LONG_OPTIONS)
def randperm(n, generator, dtype, layout, device, pin_memory) -> Tensor:
    check_device(device)
    source = generator or default_generator
    target = numpy_dtype(dtype, LONG)
    result = np.empty(checked_size([n]), target)
    _check_last(n, target)
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
