"""Strides of views, by those of what they look into: as PyTorch has them for dimensions of one element, too.

Sizes and strides may be symbols. What a rule tells is taken where it agrees with how the view lies in this run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import hint_of
from tsc.compiler.schema import Effects, Operator
from tsc.runtime.exporting.sizes.pointwise_strides import pointwise_strides
from tsc.runtime.exporting.tensors import tensors_in
from tsc.runtime.values.tensor import Tensor

Strides: TypeAlias = "list[Any] | None"


def with_view_strides(
    operator: Operator,
    values: Sequence[Any],
    results: list[FakeTensor],
    known: Callable[[Tensor], FakeTensor],
) -> list[FakeTensor]:
    """What is known of the results of a call; of views, with strides by what they look into.

    Of what pointwise operators give, with those that the operands say.
    """
    base = values[0] if values else None
    if not isinstance(base, Tensor) or operator.effects is not Effects.PURE:
        return results
    if operator.expression is not None and len(results) == 1:
        found = pointwise_strides([known(each) for each in tensors_in(list(values))], results[0])
        return results if found is None else [replace(results[0], stride=found)]
    name = operator.qualified_name.partition(".")[0]
    strides = [view_strides(name, known(base), values[1:], each) for each in results]
    return [
        each if found is None else replace(each, stride=found)
        for each, found in zip(results, strides)
    ]


def view_strides(
    operator: str, known: FakeTensor, options: Sequence[Any], result: FakeTensor
) -> tuple[Any, ...] | None:
    """The strides, in elements, of what an operator (``aten::view``) gave of a tensor: one view or one of several.

    `options` are the other arguments; `result` has the sizes for all runs and the strides of this one. None where the
    operator is no view, or not this time.
    """
    rule = _RULES.get(operator)
    if rule is None or known.stride is None or result.stride is None:
        return None
    if 0 in map(hint_of, known.size):
        return None
    found = rule(known, options, result)
    if found is None or len(found) != len(result.size):
        return None
    there = zip(result.size, map(hint_of, found), map(hint_of, result.stride))
    fits = all(own == lies for size, own, lies in there if hint_of(size) != 1)
    return tuple(found) if fits else None


def _dim(value: Any, rank: int) -> int:
    return int(hint_of(value)) % max(rank, 1)


def _strides(known: FakeTensor) -> list[Any]:
    return list(known.stride or ())


def _unsqueezed(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    dim = _dim(options[0], len(strides) + 1)
    new = known.size[dim] * strides[dim] if dim < len(strides) else 1
    return [*strides[:dim], new, *strides[dim:]]


def _squeezed(known: FakeTensor, options: Sequence[Any], result: FakeTensor) -> Strides:
    strides = _strides(known)
    rank = len(strides)
    if not options:
        dims = range(rank)
    else:
        listed = options[0] if isinstance(options[0], list | tuple) else [options[0]]
        dims = [_dim(each, rank) for each in listed]
    gone = [dim for dim in dims if hint_of(known.size[dim]) == 1]
    return [each for dim, each in enumerate(strides) if dim not in gone]


def _transposed(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    first, second = [_dim(each, len(strides)) for each in options[:2]]
    strides[first], strides[second] = strides[second], strides[first]
    return strides


def _turned(known: FakeTensor, _options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    return [*strides[:-2], *reversed(strides[-2:])]


def _permuted(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    return [strides[_dim(each, len(strides))] for each in options[0]]


def _selected(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    del strides[_dim(options[0], len(strides))]
    return strides


def _sliced(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    dim, step = _dim(options[0], len(strides)), options[3] if len(options) > 3 else 1
    strides[dim] = strides[dim] * step
    return strides


def _as_before(known: FakeTensor, _options: Sequence[Any], _: FakeTensor) -> Strides:
    return _strides(known)


def _expanded(known: FakeTensor, _options: Sequence[Any], result: FakeTensor) -> Strides:
    """New dimensions go over what follows them; those of one element that are repeated have no stride."""
    found: list[Any] = []
    new = len(result.size) - len(known.size)
    for place in reversed(range(len(result.size))):
        if place >= new:
            size, stride = known.size[place - new], _strides(known)[place - new]
        else:
            last = place + 1 == len(result.size)
            size, stride = 1, 1 if last else result.size[place + 1] * found[0]
        repeated = hint_of(size) == 1 and hint_of(result.size[place]) != 1
        found.insert(0, 0 if repeated else stride)
    return found


def _viewed(known: FakeTensor, _options: Sequence[Any], result: FakeTensor) -> Strides:
    """Dimensions that lie one behind the other are a piece of memory, which the new ones divide."""
    old, strides, new = known.size, _strides(known), result.size
    if not old:
        return [1] * len(new)
    found: list[Any] = [None] * len(new)
    at, base = len(new) - 1, strides[-1]
    whole: Any = 1
    taken: Any = 1
    for dim in reversed(range(len(old))):
        whole = whole * old[dim]
        if dim and _continues(old[dim - 1], strides[dim - 1], whole * base):
            continue
        while at >= 0 and (hint_of(taken) < hint_of(whole) or hint_of(new[at]) == 1):
            found[at] = taken * base
            taken = taken * new[at]
            at -= 1
        if hint_of(taken) != hint_of(whole):
            return None
        if dim:
            base, whole, taken = strides[dim - 1], 1, 1
    return None if at >= 0 else found


def _reshaped(known: FakeTensor, options: Sequence[Any], result: FakeTensor) -> Strides:
    """As a view; dimensions of one element that stand in front, before and afterwards, keep their strides."""
    found = _viewed(known, options, result)
    for dim, (old, new) in enumerate(zip(known.size, result.size)):
        if found is None or hint_of(old) != hint_of(new):
            break
        if hint_of(new) == 1:
            found[dim] = _strides(known)[dim]
    return found


def _continues(size: Any, stride: Any, expected: Any) -> bool:
    return hint_of(size) == 1 or hint_of(stride) == hint_of(expected)


def _as_real(known: FakeTensor, _options: Sequence[Any], _: FakeTensor) -> Strides:
    return [*[each * 2 for each in _strides(known)], 1]


def _as_complex(known: FakeTensor, _options: Sequence[Any], _: FakeTensor) -> Strides:
    return [each // 2 for each in _strides(known)[:-1]]


def _diagonal(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    first, second = [_dim(each, len(strides)) for each in options[1:3]]
    rest = [each for dim, each in enumerate(strides) if dim not in (first, second)]
    return [*rest, strides[first] + strides[second]]


def _windows(known: FakeTensor, options: Sequence[Any], _: FakeTensor) -> Strides:
    strides = _strides(known)
    dim = _dim(options[0], len(strides))
    return [*strides[:dim], strides[dim] * options[2], *strides[dim + 1 :], strides[dim]]


_RULES: Final[dict[str, Callable[[FakeTensor, Sequence[Any], FakeTensor], Strides]]] = {
    f"aten::{name}": rule
    for names, rule in (
        ("unsqueeze", _unsqueezed),
        ("squeeze", _squeezed),
        ("transpose swapaxes swapdims", _transposed),
        ("t numpy_T mT adjoint", _turned),
        ("permute", _permuted),
        ("select unbind", _selected),
        ("slice", _sliced),
        ("alias detach contiguous to narrow split split_with_sizes chunk tensor_split", _as_before),
        ("expand expand_as broadcast_to", _expanded),
        ("view reshape flatten unflatten view_as reshape_as ravel", _reshaped),
        ("diagonal", _diagonal),
        ("view_as_real", _as_real),
        ("view_as_complex", _as_complex),
        ("unfold", _windows),
    )
    for name in names.split()
}
