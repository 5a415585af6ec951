"""Tensors to print: expressions in NumPy, read by both sides."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np

DTYPES = {
    "float32": np.float32,
    "float64": np.float64,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "int64": np.int64,
    "int32": np.int32,
    "uint8": np.uint8,
    "bool": np.bool_,
    "complex64": np.complex64,
    "complex128": np.complex128,
}
SPECIAL = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, 1e-5, 1e9, 123.456, 1001.0]

PRINTING_SAMPLES = [
    "tensor('int64', range(2000))",
    "tensor('float32', range(2000), (2, 1000))",
    "tensor('float32', range(8000), (20, 20, 20))",
    "tensor('int64', range(1000))",
    "tensor('float32', [3.5], ())",
    "tensor('float32', [-0.0], ())",
    "tensor('float32', [0.0, 0.0])",
    "tensor('float32', [nan, 0.0])",
    "tensor('float32', [nan, inf, -inf])",
    "tensor('float32', [1e-5, 1.0])",
    "tensor('float32', [1.0, 1001.0])",
    "tensor('float32', [1.5, 1001.0])",
    "tensor('float32', [1e8])",
    "tensor('float32', [1.1e8])",
    "tensor('float32', [0.0001])",
    "tensor('float32', [0.00009])",
    "tensor('float64', [1.0, 2.0])",
    "tensor('float64', [0.1] * 40)",
    "tensor('bool', [True, False])",
    "tensor('uint8', [1, 255])",
    "tensor('int64', [-1, 100])",
    "tensor('int64', [])",
    "tensor('float32', [])",
    "tensor('float32', [], (0, 3))",
    "tensor('int32', [], (2, 0))",
    "tensor('bool', [])",
    "tensor('complex64', [1 + 2j, -0.5j])",
    "tensor('complex64', [1 + 2j, 3 - 4j])",
    "tensor('complex128', [1e6 + 2j, 0j])",
    "tensor('float32', [1.0, 2.0], (2,), True)",
    "tensor('float32', [0.12345] * 12, (3, 4), True)",
    "tensor('float32', range(24), (2, 3, 4))",
    "tensor('float32', range(24), (1, 2, 3, 4))",
    "tensor('float32', range(3000), (3000, 1))",
    "tensor('float32', range(1200), (1, 1, 1200))",
    *(f"random_tensor({seed})" for seed in range(120)),
]


def tensor(
    dtype: str, values: object, shape: tuple[int, ...] | None = None, requires_grad: bool = False
) -> tuple[np.ndarray, bool]:
    array = np.array(list(values), dtype=DTYPES[dtype])
    return (array if shape is None else array.reshape(shape)), requires_grad


def random_tensor(seed: int) -> tuple[np.ndarray, bool]:
    """A tensor of any dtype and shape, with numbers that invite all formats."""
    choose = random.Random(seed)
    dtype = choose.choice(["float32"] * 5 + list(DTYPES))
    ndim = choose.choice([0, 1, 1, 2, 2, 3, 4])
    shape = tuple(choose.choice([0, 1, 2, 3, 4, 5, 8, 11, 40]) for _ in range(ndim))
    if int(np.prod(shape)) > 3000:
        shape = shape[:1]
    numbers = np.random.RandomState(seed)
    values = np.asarray(
        numbers.standard_normal(shape) * 10.0 ** choose.choice([-6, -3, 0, 0, 2, 5, 9])
    )
    if choose.random() < 0.3:
        values = np.round(values)
    if dtype.startswith("complex"):
        values = values + 1j * np.asarray(numbers.standard_normal(shape))
    elif dtype.startswith(("float", "bfloat")) and values.size and choose.random() < 0.4:
        values = values.copy()
        for _ in range(3):
            values.reshape(-1)[choose.randrange(values.size)] = choose.choice(SPECIAL)
    with np.errstate(all="ignore"):
        return np.asarray(np.clip(values, -100, 100) if dtype == "uint8" else values).astype(
            DTYPES[dtype]
        ), False


def read(text: str) -> tuple[np.ndarray, bool]:
    """The array a sample stands for, and whether it requires gradients."""
    names = {"tensor": tensor, "random_tensor": random_tensor}
    return eval(text, names | {"nan": float("nan"), "inf": float("inf")})
