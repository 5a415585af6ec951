"""Selection by index, and writes to what is selected."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.sym_values import SymFloat
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    BOOL,
    COMPLEX64,
    CPU,
    FLOAT32,
    INT64,
    STRIDED,
    broadcast_sizes,
    chosen,
    counted,
    dim_of,
    scalar,
)
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("masked_fill.Scalar")
def masked_fill(call: Calls, x: Any, mask: Any, value: Any) -> Any:
    return chosen(call, mask, value, x)


@decomposes("masked_fill.Tensor")
def masked_fill_tensor(call: Calls, x: Any, mask: Any, value: Any) -> Any:
    value = value if value.code == x.code else call("_to_copy", value, dtype=x.code)
    return call("where.self", mask, value, x)


@decomposes("where.ScalarOther")
def where_other(call: Calls, condition: Any, x: Any, number: Any) -> Any:
    return call("where.self", condition, x, _number(call, number, x))


@decomposes("where.ScalarSelf")
def where_self(call: Calls, condition: Any, number: Any, other: Any) -> Any:
    return call("where.self", condition, _number(call, number, other), other)


@decomposes("where.Scalar")
def where_numbers(call: Calls, condition: Any, number: Any, other: Any) -> Any:
    """Numbers of the dtypes that they have as tensors; PyTorch makes the second one first."""
    second, first = (scalar(call, each, _code_of_number(each)) for each in (other, number))
    return call("where.self", condition, first, second)


def _code_of_number(number: Any) -> int:
    """Of a number that is known, a size, or one that data tells."""
    kind = float if isinstance(number, SymFloat) else getattr(number, "kind", type(number))
    return {bool: BOOL, float: FLOAT32, complex: COMPLEX64}.get(kind, INT64)


def _number(call: Calls, number: Any, like: Any) -> Any:
    """Of the dtype that takes no part in finding that of the result, where that is the other one's."""
    if isinstance(number, float) and not (like.is_floating or like.value.dtype.is_complex):
        return scalar(call, number, FLOAT32)
    return scalar(call, number, like.code)


@decomposes("index.Tensor_hacked_twin", always=True)
def index(call: Calls, x: Any, indices: list[Any]) -> Any:
    return call("index.Tensor", x, indices)


@decomposes("index_put.hacked_twin", always=True)
def index_put(call: Calls, x: Any, indices: list[Any], values: Any, accumulate: bool) -> Any:
    return call("index_put", x, indices, values, accumulate)


@decomposes("take")
def take(call: Calls, x: Any, index: Any) -> Any:
    return call("index.Tensor", call("reshape", x, [-1]), [index])


@decomposes("take_along_dim")
def take_along_dim(call: Calls, x: Any, index: Any, dim: int | None) -> Any:
    if dim is None:
        return call("gather", call("view", x, [-1]), 0, call("view", index, [-1]))
    place = dim_of(dim, x)
    common = broadcast_sizes([x, index])
    wide = list(common)
    wide[place] = index.sizes[place]
    indices = call("expand", index, wide)
    wide = list(common)
    wide[place] = x.sizes[place]
    source = call("expand", x, wide)
    positive = call("remainder.Scalar", indices, x.sizes[place])
    return call("gather", source, place, positive)


@decomposes("index_add")
def index_add(call: Calls, x: Any, dim: int, index: Any, source: Any, alpha: Any) -> Any:
    source = source if alpha == 1 else call("mul.Tensor", source, alpha)
    return call("index_put", x, _at(x, dim, index), source, True)


@decomposes("index_copy")
def index_copy(call: Calls, x: Any, dim: int, index: Any, source: Any) -> Any:
    return call("index_put", x, _at(x, dim, index), source)


def _at(x: Any, dim: int, index: Any) -> list[Any]:
    return [None] * dim_of(dim, x) + [index]


@decomposes("index_fill.int_Scalar")
def index_fill(call: Calls, x: Any, dim: int, index: Any, value: Any) -> Any:
    return index_fill_tensor(call, x, dim, index, scalar(call, value, x.code, pin_memory=False))


@decomposes("index_fill.int_Tensor")
def index_fill_tensor(call: Calls, x: Any, dim: int, index: Any, value: Any) -> Any:
    place = dim_of(dim, x)
    sizes = x.sizes
    count = index.sizes[0] if index.dim else 1
    wide = call("expand", value, [*sizes[:place], count, *sizes[place + 1 :]])
    return call("index_put", x, _at(x, dim, index), wide)


@decomposes("select_scatter")
def select_scatter(call: Calls, x: Any, source: Any, dim: int, index: Any) -> Any:
    place = dim_of(dim, x)
    size = x.sizes[place]
    form = [1] * x.dim
    form[place] = -1
    positive = index + size if isinstance(index, int) and index < 0 else index
    here = call("eq.Scalar", call("view", counted(call, 0, size), form), positive)
    wide = call("expand", call("unsqueeze", source, place), x.sizes)
    return call("where.self", here, wide, x)


@decomposes("one_hot")
def one_hot(call: Calls, x: Any, classes: int) -> Any:
    """Ones where the class is; classes that are negative or too large raise."""
    if classes == -1:
        return call.plain("one_hot", x, classes)
    _assert_all(call, call("ge.Scalar", x, 0), "one_hot: Class values must be non-negative.")
    _assert_all(
        call,
        call("lt.Scalar", x, classes),
        "one_hot: Class values must be smaller than num_classes.",
    )
    wide = call("unsqueeze", x, -1)
    options = {"layout": STRIDED, "device": CPU, "pin_memory": False}
    numbers = call("arange.start_step", 0, classes, dtype=INT64, **options)
    return call("_to_copy", call("eq.Tensor", wide, numbers), dtype=INT64)


def _assert_all(call: Calls, condition: Any, message: str) -> None:
    call.check(call("all", condition), message)


@decomposes("diff")
def diff(call: Calls, x: Any, n: int, dim: int, prepend: Any, append: Any) -> Any:
    parts = [each for each in (prepend, x, append) if each is not None]
    found = parts[0] if len(parts) == 1 else call("cat", parts, dim)
    for _ in range(n):
        size = found.sizes[dim]
        left = call("narrow", found, dim, 0, size - 1)
        right = call("narrow", found, dim, 1, size - 1)
        name = "logical_xor" if found.code == 11 else "sub.Tensor"
        found = call(name, right, left)
    return found


@decomposes("embedding_bag.padding_idx")
def embedding_bag(call: Calls, *values: Any) -> Any:
    *given, padding = values
    name = "_embedding_bag" if given[0].requires_grad else "_embedding_bag_forward_only"
    return call(name, *given, -1 if padding is None else padding)
