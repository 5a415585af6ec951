"""Operators whose results have the broadcast sizes of their arguments, or those of one argument."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.rules import RULES, Call, Size, Sizes, rule

_BROADCAST: Final = """
add sub rsub mul div true_divide floor_divide remainder fmod pow maximum minimum fmax fmin atan2 arctan2 hypot
bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift logical_and logical_or logical_xor
eq ne lt le gt ge greater less equal_to lerp addcmul addcdiv copysign nextafter gcd lcm xlogy logaddexp
logaddexp2 heaviside ldexp polar complex float_power __and__ __or__ __xor__ __lshift__ __rshift__ isclose
cross linalg_cross clamp clip clamp_min clamp_max masked_fill special_xlog1py
"""
"""All of their tensors are broadcast with each other."""

_SAME: Final = """
abs acos acosh angle asin asinh atan atanh arccos arcsin arctan bitwise_not ceil conj contiguous clone cos cosh
deg2rad detach digamma erf erfc erfinv exp exp2 expm1 fix floor frac isfinite isinf isnan isneginf isposinf lgamma
log log10 log1p log2 logical_not logit nan_to_num neg negative positive rad2deg real imag reciprocal relu relu6 round
rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh trunc elu celu selu gelu silu mish hardtanh
hardswish hardsigmoid leaky_relu log_sigmoid softplus softshrink hardshrink tanhshrink softsign threshold rrelu prelu
dropout alpha_dropout feature_dropout feature_alpha_dropout softmax log_softmax _softmax _log_softmax cumsum cumprod
logcumsumexp flip fliplr flipud roll to type_as float double half bool int long cpu fill zero bernoulli tril triu
masked_scatter index_fill index_copy index_add index_put scatter scatter_add scatter_reduce renorm normal
_to_copy alias lift_fresh_copy zeros_like ones_like empty_like
full_like rand_like randn_like randint_like argsort channel_shuffle special_expit i0
"""
"""The first tensor's sizes are the result's."""


def broadcast(call: Call, *shapes: Sizes) -> Sizes:
    """The sizes that tensors have together: sizes of 1 are repeated, others are equal."""
    rank = max((len(each) for each in shapes), default=0)
    padded = [[1] * (rank - len(each)) + list(each) for each in shapes]
    return [_common(call, [each[dim] for each in padded]) for dim in range(rank)]


def _common(call: Call, sizes: Sizes) -> Size:
    """Where all but those of 1 are known to be one, it may be any."""
    other = [each for each in sizes if not isinstance(each, int) or each != 1]
    if all(_is_same(call, other[0], each) for each in other[1:]):
        return other[0] if other else 1
    wide = [each for each in other if not call.is_one(each)]
    if not wide:
        return 1
    found = wide[0]
    for each in wide[1:]:
        found = call.same(found, each)
    return found


def _is_same(call: Call, first: Size, second: Size) -> bool:
    return call.environment.known(compute("operator.eq", first, second)) is True


def _broadcast_all(call: Call) -> Sizes:
    return broadcast(call, *call.tensors())


def _first(call: Call) -> Sizes:
    return call.tensors()[0]


RULES.update({f"aten::{name}": _broadcast_all for name in _BROADCAST.split()})
RULES.update({f"aten::{name}": _first for name in _SAME.split()})


@rule("broadcast_tensors")
def _broadcast_each(call: Call) -> list[Sizes]:
    return [broadcast(call, *call.tensors()) for _ in call.concrete]


@rule("sort", "cummax", "cummin", "frexp")
def _two_like_the_first(call: Call) -> Sizes:
    return call.tensors()[0]


@rule("glu")
def _halved(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes), -1)
    return [*sizes[:dim], sizes[dim] // 2, *sizes[dim + 1 :]]
