"""Looking for elements in lists: whether, how often and where they are, and taking them out."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalar_comparison import same_tensors
from tsc.runtime.values.tensor import Tensor

_CONTAINS = lowerings.by_list("has_item", element=1)
_COUNT = lowerings.by_list("count_of_item", element=1)
_INDEX = lowerings.by_list("place_of_item", element=1)
_REMOVE = lowerings.by_list("remove_item", element=1)

operator(
    "aten::__contains__.int_list(int[] l, int item) -> bool",
    "aten::__contains__.str_list(str[] l, str item) -> bool",
    lowering=_CONTAINS,
)(python.contains)


@operator("aten::__contains__.float_list(float[] l, float item) -> bool", lowering=_CONTAINS)
def contains_float(l: list[float], item: float) -> bool:  # noqa: E741
    """NaN is nowhere, though Python finds the very object."""
    return item == item and item in l


@operator("aten::count.int(int[] self, int el) -> int", lowering=_COUNT)
def count(self: list[Any], el: Any) -> int:
    return self.count(el)


@operator("aten::count.float(float[] self, float el) -> int", lowering=_COUNT)
def count_float(self: list[float], el: float) -> int:
    return self.count(el) if el == el else 0


operator("aten::count.bool(bool[] self, bool el) -> int", lowering=_COUNT)(count)


@operator("aten::count.Tensor(Tensor[] self, Tensor el) -> int")
def count_tensors(self: list[Tensor], el: Tensor) -> int:
    return sum(same_tensors(value, el) for value in self)


operator("aten::count.str(str[] self, str el) -> int", lowering=_COUNT)(count)


def position_of(self: list[Any], el: Any, text: Callable[[Any], str]) -> int:
    try:
        return self.index(el)
    except ValueError:
        raise ScriptError("RuntimeError", f"'{text(el)}' is not in list") from None


@operator("aten::index.list_int(int[] self, int el) -> int", lowering=_INDEX)
def index_int(self: list[int], el: int) -> int:
    return position_of(self, el, str)


@operator("aten::index.list_float(float[] self, float el) -> int", lowering=_INDEX)
def index_float(self: list[float], el: float) -> int:
    return position_of(self if el == el else [], el, "{:g}".format)


@operator("aten::index.list_bool(bool[] self, bool el) -> int", lowering=_INDEX)
def index_bool(self: list[bool], el: bool) -> int:
    return position_of(self, el, "{:d}".format)


@operator("aten::index.list_Tensor(Tensor[] self, Tensor el) -> int")
def index_tensor(self: list[Tensor], el: Tensor) -> int:
    position = position_of_tensor(self, el)
    if position is None:
        raise ScriptError("RuntimeError", "the tensor is not in list")
    return position


@operator("aten::index.list_str(str[] self, str el) -> int", lowering=_INDEX)
def index_str(self: list[str], el: str) -> int:
    return position_of(self, el, str)


def position_of_tensor(values: list[Tensor], wanted: Tensor) -> int | None:
    for position, value in enumerate(values):
        if same_tensors(value, wanted):
            return position
    return None


@operator("aten::remove.int(int[](a!) self, int el) -> ()", lowering=_REMOVE)
def remove(self: list[Any], el: Any) -> None:
    try:
        self.remove(el)
    except ValueError:
        raise ScriptError("RuntimeError", "list.remove(x): x not in list") from None


@operator("aten::remove.float(float[](a!) self, float el) -> ()", lowering=_REMOVE)
def remove_float(self: list[float], el: float) -> None:
    remove(self if el == el else [], el)


operator("aten::remove.bool(bool[](a!) self, bool el) -> ()", lowering=_REMOVE)(remove)


@operator("aten::remove.Tensor(Tensor[](a!) self, Tensor el) -> ()")
def remove_tensor(self: list[Tensor], el: Tensor) -> None:
    position = position_of_tensor(self, el)
    if position is None:
        raise ScriptError("RuntimeError", "list.remove(x): x not in list")
    del self[position]


operator("aten::remove.str(str[](a!) self, str el) -> ()", lowering=_REMOVE)(remove)
