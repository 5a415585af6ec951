"""Lists. They are Python's, shared by reference; an index out of range is a RuntimeError, as in
PyTorch.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from tsc.runtime.arrays.integers import wrap
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.fast_forms import always, without_result
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import SUM
from tsc.runtime.values.slices import check_slice_step
from tsc.runtime.values.sorting_order import are_plain_tuples, check_sortable, sort_key
from tsc.runtime.values.tensor import Tensor

OUT_OF_RANGE = "list index out of range"

operator("aten::len.t(t[] a) -> int", lowering=lowerings.by_list("length"))(len)
operator("aten::len.any(Any[] a) -> int")(len)

# -- Elements ----------------------------------------------------------------------------------


@operator(
    "aten::__getitem__.t(t[](a) list, int idx) -> t(*)",
    fast_form=always(python.getitem),
    lowering=lowerings.by_list("get_item"),
)
def getitem(list: list[Any], idx: int) -> Any:
    try:
        return list[idx]
    except IndexError:
        raise ScriptError("RuntimeError", OUT_OF_RANGE) from None


@operator("aten::select.t(t[](a) list, int idx) -> t(*)")
def select(list: list[Any], idx: int) -> Any:
    return getitem(list, idx)


@operator(
    "aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)",
    fast_form=without_result(python.setitem),
    lowering=lowerings.by_list("set_item", element=2),
)
def set_item(l: list[Any], idx: int, el: Any) -> list[Any]:  # noqa: E741  the schema's name
    try:
        l[idx] = el
    except IndexError:
        raise ScriptError("RuntimeError", OUT_OF_RANGE) from None
    return l


@operator("aten::Delete.t(t[](a!) self, int idx) -> ()", lowering=lowerings.by_list("delete_item"))
def delete(self: list[Any], idx: int) -> None:
    if not self:
        raise ScriptError("RuntimeError", "pop index out of range")
    pop(self, idx)


@operator(
    "aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]",
    lowering=lowerings.by_node("part_of_list"),
)
def slice_(l: list[Any], start: int | None, end: int | None, step: int) -> list[Any]:  # noqa: E741
    check_slice_step(step)
    return l[start:end:step]


# -- Growing and shrinking ---------------------------------------------------------------------


@operator(
    "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)",
    fast_form=without_result(list.append),
    lowering=lowerings.by_list("append", element=1),
)
def append(self: list[Any], el: Any) -> list[Any]:
    self.append(el)
    return self


operator(
    "aten::extend.t(t[](a!) self, t[] other) -> ()", lowering=lowerings.by_node("extend_list")
)(list.extend)
operator(
    "aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()",
    lowering=lowerings.by_list("insert_item", element=2),
)(list.insert)


@operator("aten::pop.t(t[](a!) self, int idx=-1) -> t(*)", lowering=lowerings.by_list("pop"))
def pop(self: list[Any], idx: int) -> Any:
    try:
        return self.pop(idx)
    except IndexError:
        message = OUT_OF_RANGE if self else "pop from empty list"
        raise ScriptError("RuntimeError", message) from None


@operator("aten::clear.t(t[](a!) self) -> ()", lowering=lowerings.by_list("cleared"))
def clear(self: list[Any]) -> None:
    self.clear()


operator(
    "aten::add.t(t[] a, t[] b) -> t[]", expression=SUM, lowering=lowerings.by_node("joined_lists")
)(python.add)


@operator("aten::add_.t(t[](a!) self, t[] b) -> t[]", lowering=lowerings.by_node("extend_list"))
def add_(self: list[Any], b: list[Any]) -> list[Any]:
    self.extend(b)
    return self


def repeated(values: list[Any], times: int) -> list[Any]:
    """The list several times over. PyTorch fails for fewer than zero, except with an empty list."""
    if times < 0 and values:
        message = f"cannot repeat a list {times} times"
        raise ScriptError("RuntimeError", message)
    return values * times


@operator("aten::mul.left_t(t[] l, int n) -> t[]", lowering=lowerings.by_list("repeated"))
def mul_left(l: list[Any], n: int) -> list[Any]:  # noqa: E741
    return repeated(l, n)


@operator("aten::mul.right_(int n, t[] l) -> t[]", lowering=lowerings.repeated_list)
def mul_right(n: int, l: list[Any]) -> list[Any]:  # noqa: E741
    return repeated(l, n)


@operator("aten::mul_.t(t[](a!) l, int n) -> t[](a!)")
def mul_(l: list[Any], n: int) -> list[Any]:  # noqa: E741
    l[:] = l * n
    return l


@operator("aten::copy.t(t[](a) self) -> t[]", lowering=lowerings.by_node("copied_list"))
def copy(self: list[Any]) -> list[Any]:
    return self.copy()


@operator("aten::list.t(t[] l) -> t[]", lowering=lowerings.by_node("copied_list"))
def list_(l: list[Any]) -> list[Any]:  # noqa: E741
    return l.copy()


@operator("aten::Size(int[] sizes) -> int[]")
def size(sizes: list[int]) -> list[int]:
    return sizes.copy()


# -- Order -------------------------------------------------------------------------------------


@operator("aten::reverse.t(t[](a!) self) -> ()", lowering=lowerings.by_list("reverse_items"))
def reverse(self: list[Any]) -> None:
    self.reverse()


@operator(
    "aten::sort.int(int[](a!) self, bool reverse=False) -> ()",
    "aten::sort.float(float[](a!) self, bool reverse=False) -> ()",
    lowering=lowerings.by_list("sort_items"),
)
def sort(self: list[Any], reverse: bool) -> None:
    self.sort(reverse=reverse)


def _single_value(tensors: list[Tensor]) -> Callable[[Tensor], Any]:
    """What tensors compare by, which only tensors of one element do."""
    if len(tensors) < 2:
        return id  # there is nothing to compare
    if any(tensor.array.size != 1 for tensor in tensors):
        message = (
            "Boolean value of Tensor with several elements is ambiguous: take one element, "
            "all() or any()"
        )
        raise ScriptError("RuntimeError", message)
    return Tensor.item


@operator("aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()")
def sort_tensors(self: list[Tensor], reverse: bool) -> None:
    """By their values: each must have one element."""
    self.sort(key=_single_value(self), reverse=reverse)


operator(
    "aten::sort.bool(bool[](a!) self, bool reverse=False) -> ()",
    "aten::sort.str(str[](a!) self, bool reverse=False) -> ()",
    lowering=lowerings.by_list("sort_items"),
)(sort)


@operator(
    "aten::sort.any(t[](a!) self, bool reverse=False) -> ()",
    lowering=lowerings.by_list("sort_items"),
)
def sort_any(self: list[Any], reverse: bool) -> None:
    """Tuples compare element by element; what has no order is refused."""
    if are_plain_tuples(self):
        self.sort(reverse=reverse)
        return
    check_sortable(self)
    self.sort(key=sort_key, reverse=reverse)


@operator(
    "aten::sorted.int(int[](a) input) -> int[]",
    "aten::sorted.float(float[](a) input) -> float[]",
    lowering=lowerings.by_node("sorted_list"),
)
def sorted_(input: list[Any]) -> list[Any]:
    return sorted(input)


@operator("aten::sorted.Tensor(Tensor[](a) input) -> Tensor[]")
def sorted_tensors(input: list[Tensor]) -> list[Tensor]:
    return sorted(input, key=_single_value(input))


operator(
    "aten::sorted.bool(bool[](a) input) -> bool[]",
    "aten::sorted.str(str[](a) input) -> str[]",
    lowering=lowerings.by_node("sorted_list"),
)(sorted_)


@operator("aten::sorted.any(t[](a) self) -> t[]", lowering=lowerings.by_node("sorted_list"))
def sorted_any(self: list[Any]) -> list[Any]:
    values = self.copy()
    sort_any(values, False)
    return values


# -- Reductions --------------------------------------------------------------------------------

operator(
    "aten::all.int(int[] self) -> bool",
    "aten::all.float(float[] self) -> bool",
    "aten::all.bool(bool[] self) -> bool",
    lowering=lowerings.by_node("truth_of_list"),
)(all)
operator("aten::any.str(str[] self) -> bool")(any)
operator(
    "aten::any.int(int[] self) -> bool",
    "aten::any.float(float[] self) -> bool",
    "aten::any.bool(bool[] self) -> bool",
    lowering=lowerings.by_node("truth_of_list"),
)(any)


@operator("aten::sum.int(int[] self) -> int", lowering=lowerings.by_node("sum_of_list"))
def sum_int(self: list[int]) -> int:
    return wrap(sum(self))


@operator("aten::sum.float(float[] self) -> float", lowering=lowerings.by_node("sum_of_list"))
def sum_float(self: list[float]) -> float:
    """Left to right, without the compensation of Python's own sum."""
    total = 0.0
    for value in self:
        total += value
    return total


@operator("aten::sum.complex(complex[] self) -> complex")
def sum_complex(self: list[complex]) -> complex:
    return sum(self, 0j)


@operator("aten::sum.bool(bool[] self) -> int", lowering=lowerings.by_node("sum_of_list"))
def sum_bool(self: list[bool]) -> int:
    return sum(self)


def declare_extreme(name: str, choose: Callable[..., Any]) -> None:
    """``max`` or ``min`` of one list, or of two of them compared element by element."""

    def of_two(l: list[Any], r: list[Any]) -> list[Any]:  # noqa: E741
        if name == "max":
            return l if l > r else r
        return l if l < r else r

    def of_one(self: list[Any]) -> Any:
        if not self:
            raise ScriptError("RuntimeError", f"{name}() arg is an empty sequence")
        return choose(self)

    for element in ("int", "float", "bool"):
        text = f"{element}[] l, {element}[] r) -> {element}[]"
        operator(f"prim::{name}.{element}_list({text}")(of_two)
        operator(
            f"prim::{name}.self_{element}({element}[] self) -> {element}",
            lowering=lowerings.by_node("extreme_of_list"),
        )(of_one)


declare_extreme("max", max)
declare_extreme("min", min)

# -- Shapes and ranges -------------------------------------------------------------------------


@operator("prim::rangelist(int n) -> int[]")
def rangelist(n: int) -> list[int]:
    return list(range(n))


@operator(
    "aten::_infer_size(int[] a, int[] b) -> int[]",
    "aten::broadcast_shapes(int[] a, int[] b) -> int[]",
)
def infer_size(a: list[int], b: list[int]) -> list[int]:
    """The shape two shapes broadcast to."""
    rank = max(len(a), len(b))
    padded_a, padded_b = [1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b
    for dimension in range(rank - 1, -1, -1):
        x, y = padded_a[dimension], padded_b[dimension]
        if x != y and 1 not in (x, y):
            message = (
                f"The size of tensor a ({y}) must match the size of tensor b ({x}) "
                f"at non-singleton dimension {dimension}"
            )
            raise ScriptError("RuntimeError", message)
    return [y if x == 1 else x for x, y in zip(padded_a, padded_b)]


@operator("aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?")
def size_if_not_equal(self_size: list[int], other_size: list[int]) -> list[int] | None:
    return None if self_size == other_size else self_size
