"""Einstein's sums as products of many matrices, pair by pair from left to right.

The algorithm is that of PyTorch (``aten/src/ATen/native/Linear.cpp``, ``einsum`` and ``sumproduct_pair``): all operands
get the same dimensions, those of the result first, then those that are summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import product
from tsc.runtime.exporting.decomposition.table import decomposes

_DOTS: Final = "..."


@dataclass(slots=True)
class _Labels:
    """What the dimensions of operands are called, and where they stand in all of them; `outputs` come first."""

    operands: list[list[str]]
    places: dict[str, int]
    outputs: int


@decomposes("einsum")
def einsum(call: Calls, equation: str, tensors: list[Any], _: object) -> Any:
    """A sum of products of elements whose dimensions have names."""
    labels = _parsed(equation, [each.dim for each in tensors])
    found = [_spread(call, each, own, labels) for each, own in zip(tensors, labels.operands)]
    summed = list(range(labels.outputs, len(labels.places)))
    if not summed:
        whole = found[0]
        for each in found[1:]:
            whole = call("mul.Tensor", whole, each)
        return whole
    if len(found) == 1:
        return call("sum.dim_IntList", found[0], summed)
    whole = _folded(call, found, summed)
    return call("view", whole, whole.sizes[: labels.outputs])


def _parsed(equation: str, dims: list[int]) -> _Labels:
    """The names of dimensions; those that dots stand for are counted from the last one."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    hidden = max(
        [dim - len(each.replace(_DOTS, "")) for each, dim in zip(terms, dims) if _DOTS in each]
        or [0]
    )
    operands = [
        _names(each, dim - len(each.replace(_DOTS, "")))
        for each, dim in zip(terms, dims, strict=True)
    ]
    given = [name for own in operands for name in own]
    if arrow:
        outputs = _names(right, hidden)
    else:
        dots = _names(_DOTS, hidden) if _DOTS in left else []
        outputs = dots + sorted(
            {name for name in given if given.count(name) == 1 and name.isalpha()}
        )
    others = sorted({name for name in given if name not in outputs})
    places = {name: place for place, name in enumerate([*outputs, *others])}
    return _Labels(operands, places, len(outputs))


def _names(term: str, hidden: int) -> list[str]:
    before, dots, behind = term.partition(_DOTS)
    middle = [f".{each}" for each in range(hidden, 0, -1)] if dots else []
    return [*before, *middle, *behind]


def _spread(call: Calls, x: Any, own: list[str], labels: _Labels) -> Any:
    """An operand with all dimensions, of size 1 where it has none of its own."""
    x, own = _diagonals(call, x, list(own))
    order: list[int] = []
    for name in labels.places:
        if name in own:
            order.append(own.index(name))
        else:
            order.append(x.dim)
            x = call("unsqueeze", x, x.dim)
    return call("permute", x, order)


def _diagonals(call: Calls, x: Any, own: list[str]) -> tuple[Any, list[str]]:
    """A name that stands twice takes the diagonal."""
    for name in list(dict.fromkeys(own)):
        while own.count(name) > 1:
            first = own.index(name)
            second = own.index(name, first + 1)
            x = call("diagonal", x, 0, first, second)
            own = [each for place, each in enumerate(own) if place not in (first, second)] + [name]
            if own.index(name) != first:
                order = [each for each in range(x.dim) if each != x.dim - 1]
                order.insert(first, x.dim - 1)
                if order != list(range(x.dim)):
                    x = call("permute", x, order)
                own.insert(first, own.pop())
    return x, own


def _folded(call: Calls, operands: list[Any], summed: list[int]) -> Any:
    """All operands, from left to right; a dimension is summed where it is last seen."""
    counts = {dim: sum(_is_wide(each, dim) for each in operands) for dim in summed}
    whole = operands[0]
    for each in operands[1:]:
        both: list[int] = []
        alone: tuple[list[int], list[int]] = ([], [])
        for dim in summed:
            wide = _is_wide(whole, dim), _is_wide(each, dim)
            if all(wide):
                counts[dim] -= 1
                if counts[dim] == 1:
                    both.append(dim)
                    counts[dim] = 0
            elif counts[dim] == 1 and any(wide):
                alone[0 if wide[0] else 1].append(dim)
                counts[dim] = 0
        whole, each = [
            call("sum.dim_IntList", tensor, dims, True) if dims else tensor
            for tensor, dims in zip((whole, each), alone)
        ]
        whole = _pair(call, whole, each, both) if both else call("mul.Tensor", whole, each)
    return whole


def _is_wide(x: Any, dim: int) -> bool:
    return x.value.array.shape[dim] != 1


def _pair(call: Calls, x: Any, other: Any, summed: list[int]) -> Any:
    """One product of many matrices: common dimensions, those of the left, the sums, those of the right."""
    common: list[int] = []
    left: list[int] = []
    right: list[int] = []
    for dim in range(x.dim):
        if dim in summed:
            continue
        wide = _is_wide(x, dim), _is_wide(other, dim)
        (common if all(wide) else left if wide[0] else right).append(dim)
    sizes, others = x.sizes, other.sizes
    counts = [product([sizes[each] for each in dims]) for dims in (common, left, summed)]
    width = product([others[each] for each in right])
    first = call("permute", x, [*common, *left, *summed, *right])
    first = call("reshape", first, counts)
    second = call("permute", other, [*common, *summed, *right, *left])
    second = call("reshape", second, [counts[0], counts[2], width])
    found = call("bmm", first, second)
    whole = [*(sizes[each] for each in (*common, *left)), *([1] * len(summed))]
    found = call("view", found, [*whole, *(others[each] for each in right)])
    order = [*common, *left, *summed, *right]
    return call("permute", found, [order.index(place) for place in range(x.dim)])
