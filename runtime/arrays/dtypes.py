"""Tensor dtypes: PyTorch's names and codes, the NumPy types behind them, their promotion lattice.

TorchScript knows a dtype only as an integer code (``torch.float32`` is 6); Python sees a `DType`.
Facts: codes and lattice are PyTorch's ``ScalarType`` enumeration and ``promoteTypes`` table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_NAME
from tsc.runtime.context.errors import ScriptError


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type; `str()` gives PyTorch's spelling. Each exists once: compare with ``is``."""

    name: str
    code: int
    scalar_name: str
    numpy: np.dtype = field(repr=False)
    category: int
    """0 bool, 1 integer, 2 floating point, 3 complex."""

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    @property
    def graph_constant(self) -> int:
        """What graphs have for it."""
        return self.code

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize


BOOLEAN, INTEGRAL, FLOATING, COMPLEX = range(4)
_CATEGORY_OF_KIND = {"b": BOOLEAN, "u": INTEGRAL, "i": INTEGRAL, "f": FLOATING, "c": COMPLEX}


def _dtype(name: str, carrier: type) -> DType:
    """The dtype of the compiler's table that NumPy carries as `carrier`."""
    info = SCALAR_TYPE_BY_NAME[name]
    numpy = np.dtype(carrier)
    category = _CATEGORY_OF_KIND.get(numpy.kind, FLOATING)
    return DType(info.name, info.code, info.ir_name, numpy, category)


uint8 = _dtype("uint8", np.uint8)
int8 = _dtype("int8", np.int8)
int16 = _dtype("int16", np.int16)
int32 = _dtype("int32", np.int32)
int64 = _dtype("int64", np.int64)
float16 = _dtype("float16", np.float16)
float32 = _dtype("float32", np.float32)
float64 = _dtype("float64", np.float64)
complex64 = _dtype("complex64", np.complex64)
complex128 = _dtype("complex128", np.complex128)
bool_ = _dtype("bool", np.bool_)
bfloat16 = _dtype("bfloat16", ml_dtypes.bfloat16)
uint16 = _dtype("uint16", np.uint16)
uint32 = _dtype("uint32", np.uint32)
uint64 = _dtype("uint64", np.uint64)

DTYPES: tuple[DType, ...] = (
    *(uint8, int8, int16, int32, int64, float16, float32, float64),
    *(complex64, complex128, bool_, bfloat16),
)
"""The dtypes that operators compute with."""
STORED_DTYPES = (uint16, uint32, uint64)
"""The dtypes that tensors are kept in and converted from, but hardly computed with."""
ALL_DTYPES = (*DTYPES, *STORED_DTYPES)
DTYPE_OF_CODE: dict[int, DType] = {dtype.code: dtype for dtype in ALL_DTYPES}
DTYPE_OF_NUMPY: dict[np.dtype, DType] = {dtype.numpy: dtype for dtype in ALL_DTYPES}


def with_known_dtype(array: np.ndarray) -> np.ndarray:
    """The same memory with the dtype that all tensors have: an unpickled array has one that only equals it."""
    known = DTYPE_OF_NUMPY[array.dtype].numpy
    return array if array.dtype is known else array.view(known)


DTYPE_OF_NAME: dict[str, DType] = {
    name: DTYPE_OF_CODE[info.code]
    for name, info in SCALAR_TYPE_BY_NAME.items()
    if info.code in DTYPE_OF_CODE
}
"""By the name after ``torch.``: "float32" and "float" are the same dtype."""
CODE_OF_NUMPY: dict[np.dtype, int] = {dtype.numpy: dtype.code for dtype in ALL_DTYPES}
NUMPY_OF_CODE: dict[int, np.dtype] = {dtype.code: dtype.numpy for dtype in ALL_DTYPES}
CATEGORY: dict[np.dtype, int] = {dtype.numpy: dtype.category for dtype in ALL_DTYPES}

BOOL, LONG, FLOAT, DOUBLE = bool_.numpy, int64.numpy, float32.numpy, float64.numpy
BYTE, HALF, BFLOAT16 = uint8.numpy, float16.numpy, bfloat16.numpy
COMPLEX_FLOAT, COMPLEX_DOUBLE = complex64.numpy, complex128.numpy

DEFAULT_DTYPE = FLOAT
"""What a floating-point number becomes where nothing else decides (as a NumPy type)."""

REAL_OF_COMPLEX = {COMPLEX_FLOAT: FLOAT, COMPLEX_DOUBLE: DOUBLE}
COMPLEX_OF_REAL = {
    FLOAT: COMPLEX_FLOAT,
    DOUBLE: COMPLEX_DOUBLE,
    HALF: COMPLEX_FLOAT,
    BFLOAT16: COMPLEX_FLOAT,
}


class _Lattice(dict[tuple[np.dtype, np.dtype], np.dtype]):
    """The dtype two tensors of equal standing meet in; some dtypes do not meet."""

    def __missing__(self, pair: tuple[np.dtype, np.dtype]) -> np.dtype:
        first, second = map(scalar_name, pair)
        raise ScriptError(
            "RuntimeError",
            f"Promotion for uint16, uint32, uint64 is not supported: {first} and {second} "
            "have no common dtype",
        )


def _meeting(a: DType, b: DType) -> DType | None:
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda dtype: dtype.category)
    if low in STORED_DTYPES or high in STORED_DTYPES:
        return high if high.is_floating_point else None
    if low.category < high.category:
        return complex128 if high.is_complex and low is float64 else high
    if {a, b} == {float16, bfloat16}:
        return float32
    return DTYPE_OF_NUMPY[np.promote_types(a.numpy, b.numpy)]


PROMOTED = _Lattice(
    ((a.numpy, b.numpy), meeting.numpy)
    for a in ALL_DTYPES
    for b in ALL_DTYPES
    if (meeting := _meeting(a, b)) is not None
)
"""The dtype two tensors of equal standing meet in."""


def scalar_name(numpy_dtype: np.dtype) -> str:
    """The name PyTorch uses in messages and in the IR: ``Float``, ``Long``, …"""
    return DTYPE_OF_NUMPY[numpy_dtype].scalar_name


_C_NAMES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def c_name(numpy_dtype: np.dtype) -> str:
    """The C++ type, as some messages name it: ``float``, ``long int``, …"""
    return _C_NAMES.get(numpy_dtype.name, numpy_dtype.name)


DTYPE_OF_CLASS: dict[type, DType] = {bool: bool_, int: int64, float: float64, complex: complex128}
"""The dtypes that Python's classes of numbers stand for: ``dtype=float``."""
