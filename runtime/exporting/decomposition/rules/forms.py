"""Calls that rules are made of, in the forms that PyTorch's decompositions give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.compiler.types.tensor_options import LAYOUTS, MEMORY_FORMATS, Device
from tsc.runtime.exporting.data_numbers import hinted
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor

CPU: Final = Device("cpu")
STRIDED: Final = LAYOUTS["strided"]
CONTIGUOUS: Final = MEMORY_FORMATS["contiguous_format"]
PRESERVE: Final = MEMORY_FORMATS["preserve_format"]
_CODES: Final = {each.name: each.code for each in SCALAR_TYPES}
BOOL: Final = _CODES["bool"]
BYTE: Final = _CODES["uint8"]
INT64: Final = _CODES["int64"]
FLOAT32: Final = _CODES["float32"]
COMPLEX64: Final = _CODES["complex64"]
FLOAT64: Final = _CODES["float64"]
HALVES: Final = frozenset({_CODES["float16"], _CODES["bfloat16"]})


def full(call: Calls, sizes: Sequence[Any], number: Any, code: int) -> Any:
    """A tensor of one number."""
    options = {"layout": STRIDED, "device": CPU, "pin_memory": False}
    return call("full", list(sizes), number, dtype=code, **options)


def full_like(call: Calls, x: Any, number: Any) -> Any:
    """A tensor of one number, of the sizes of another."""
    return call("full_like", x, number, pin_memory=False, memory_format=PRESERVE)


def scalar(call: Calls, number: Any, code: int, **options: Any) -> Any:
    """A tensor of no dimensions."""
    return call("scalar_tensor", number, dtype=code, layout=STRIDED, device=CPU, **options)


def chosen(call: Calls, condition: Any, number: Any, other: Any) -> Any:
    """A number where a condition holds, elsewhere another tensor."""
    return call("where.self", condition, scalar(call, number, other.code), other)


def otherwise(call: Calls, condition: Any, x: Any, number: Any) -> Any:
    """A tensor where a condition holds, elsewhere a number."""
    return call("where.self", condition, x, scalar(call, number, x.code))


def counted(call: Calls, start: Any, end: Any, **options: Any) -> Any:
    """The numbers from `start` to `end`."""
    given = {"layout": STRIDED, "device": CPU, "pin_memory": False, **options}
    return call("arange.start_step", start, end, **given)


def broadcast_sizes(tensors: Sequence[Any]) -> list[Any]:
    """The sizes that tensors have together, where the kernels have taken them: the one that is not 1."""
    rank = max(each.dim for each in tensors)
    padded = [[1] * (rank - each.dim) + each.sizes for each in tensors]
    return [
        next((size for size in column if hinted(size) != 1), 1)
        for column in zip(*padded, strict=True)
    ]


def converted(call: Calls, x: Any, code: int, **options: Any) -> Any:
    """The same numbers in another dtype; the tensor itself if it has that."""
    return x if x.code == code else call("_to_copy", x, dtype=code, **options)


def copied(call: Calls, x: Any) -> Any:
    """A copy that lies in memory row by row."""
    return call("clone", x, memory_format=CONTIGUOUS)


def all_dims(x: FunctionalTensor) -> list[int]:
    """The places of all dimensions."""
    return list(range(x.dim))


def dim_of(place: int, x: FunctionalTensor, more: int = 0) -> int:
    """A dimension counted from the front."""
    count = x.dim + more
    return place % count if count else 0


def product(sizes: Sequence[Any]) -> Any:
    """How many elements there are."""
    found: Any = 1
    for each in sizes:
        found = each * found if isinstance(found, int) and found == 1 else found * each
    return found


def reduced(call: Calls, losses: Any, reduction: int) -> Any:
    """The mean (1) or the sum (2) of losses, or all of them (0)."""
    if reduction == 1:
        return call("mean", losses)
    return call("sum", losses) if reduction == 2 else losses
