"""How much memory an operator is going to take for texts and containers, told before it runs.

NumPy says itself what arrays take (`runtime.context.array_memory`); Python does not. What is told is about as
much as comes, and more rather than less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from typing import Any, Final, cast

from tsc.runtime.values.tensor import Tensor

_OF_REFERENCE: Final = 8  # bytes that an element takes in a list
_OF_VIEW: Final = 600  # bytes of a tensor that looks at a part of another one
_OF_NUMBER: Final = 40  # bytes of a number in a list, with the reference
_OF_PART: Final = 60  # bytes of a short text in a list


def predicted_size(kind: str, inputs: Sequence[Any]) -> int:
    """Bytes that the operator `kind` takes for its result: what its inputs take, unless it makes more of them."""
    special = _SPECIAL.get(kind)
    if special is not None:
        try:
            return special(*inputs)
        except (TypeError, ValueError, AttributeError):
            pass  # inputs of another overload
    return sum(map(_size, inputs))


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | tuple | dict):
        return _OF_REFERENCE * len(cast("Sized", value))
    return 0


def _product(left: Any, right: Any) -> int:
    """``"ab" * 3``, ``3 * [0]``"""
    if isinstance(left, int):
        left, right = right, left
    return _size(left) * max(int(right), 0) if isinstance(left, str | list) else 0


def _replaced(text: str, old: str, new: str, *_count: int) -> int:
    return len(text) + text.count(old) * len(new)


def _joined(separator: str, parts: Sequence[str]) -> int:
    return sum(map(len, parts)) + len(separator) * len(parts)


def _padded(text: str, width: int, *_fill: str) -> int:
    return max(len(text), width)


def _expanded(text: str, size: int = 8) -> int:
    return len(text) + text.count("\t") * max(size, 0)


def _in_parts(value: Any, *_others: Any) -> int:
    """Of a text, a list of its parts; of a tensor, a list of views."""
    if isinstance(value, Tensor):
        return _OF_VIEW * max(value.array.shape, default=1)
    return _OF_PART * len(value)


def _numbers(tensor: Tensor, *_others: Any) -> int:
    return _OF_NUMBER * tensor.array.size


def _combinations(tensor: Tensor, count: int = 2, *_repeated: Any) -> int:
    """They are listed before they are a tensor."""
    size = tensor.array.size
    return math.comb(min(size, _MANY), count) * (_OF_PART + _OF_NUMBER * count)


_MANY: Final = 1 << 20  # elements; of more there is no need to know how many combinations there are


def _constructed(*items: Any) -> int:
    return _OF_REFERENCE * len(items)


_TEXT_PARTS: Final = (
    "split.str",
    "rsplit",
    "splitlines",
    "list.t",
    "list",
    "rpartition",
    "partition",
)
_TENSOR_PARTS: Final = (
    *("split", "split_with_sizes", "tensor_split", "hsplit", "vsplit", "dsplit", "chunk"),
    *("unbind", "unsafe_split", "unsafe_chunk", "unsafe_split_with_sizes"),
)
_SPECIAL: Final[dict[str, Callable[..., int]]] = {
    "aten::mul": _product,
    "aten::replace": _replaced,
    "aten::join": _joined,
    "aten::combinations": _combinations,
    "aten::expandtabs": _expanded,
    **dict.fromkeys((f"aten::{name}" for name in ("ljust", "rjust", "center", "zfill")), _padded),
    **dict.fromkeys((f"aten::{name}" for name in (*_TEXT_PARTS, *_TENSOR_PARTS)), _in_parts),
    **dict.fromkeys(("prim::tolist", "aten::tolist"), _numbers),
    **dict.fromkeys(
        ("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct"), _constructed
    ),
}
