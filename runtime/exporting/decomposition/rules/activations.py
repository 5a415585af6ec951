"""Activations."""

from __future__ import annotations

import math
from typing import Any

from tsc.compiler.exir import refusals
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import CPU, STRIDED, chosen, full
from tsc.runtime.exporting.decomposition.rules.halves import in_float32
from tsc.runtime.exporting.decomposition.table import decomposes
from tsc.runtime.exporting.errors import ExportError


@decomposes("relu6")
def relu6(call: Calls, x: Any) -> Any:
    return call("hardtanh", x, 0, 6)


@decomposes("selu")
def selu(call: Calls, x: Any) -> Any:
    return call("elu", x, 1.6732632423543772, 1.0507009873554805)


@decomposes("celu")
@in_float32
def celu(call: Calls, x: Any, alpha: float) -> Any:
    if alpha != 1.0:
        negative = call("mul.Tensor", call("expm1", call("div.Tensor", x, alpha)), alpha)
    else:
        negative = call("expm1", x)
    return call("where.self", call("gt.Scalar", x, 0), x, negative)


@decomposes("silu")
@in_float32
def silu(call: Calls, x: Any) -> Any:
    return call("mul.Tensor", x, call("sigmoid", x))


@decomposes("mish")
@in_float32
def mish(call: Calls, x: Any) -> Any:
    return call("mul.Tensor", x, call("tanh", _softplus(call, x, 1, 20)))


@decomposes("softplus")
@in_float32
def softplus(call: Calls, x: Any, beta: Any, threshold: Any) -> Any:
    return _softplus(call, x, beta, threshold)


def _softplus(call: Calls, x: Any, beta: Any, threshold: Any) -> Any:
    is_plain = isinstance(beta, int) and beta == 1
    scaled = x if is_plain else call("mul.Tensor", x, beta)
    found = call("log1p", call("exp", scaled))
    if not is_plain:
        found = call("div.Tensor", found, beta)
    return call("where.self", call("gt.Scalar", scaled, threshold), x, found)


@decomposes("softshrink", always=True)
def softshrink(call: Calls, x: Any, bound: float) -> Any:
    outside = call("gt.Scalar", call("abs", x), bound)
    moved = call("sub.Tensor", x, call("mul.Tensor", call("sign", x), bound))
    return call("where.self", outside, moved, call("mul.Tensor", x, 0))


@decomposes("hardshrink", always=True)
def hardshrink(call: Calls, x: Any, bound: float) -> Any:
    return call("where.ScalarSelf", call("le.Scalar", call("abs", x), bound), 0, x)


@decomposes("hardsigmoid")
@in_float32
def hardsigmoid(call: Calls, x: Any) -> Any:
    return call("div.Tensor", _between(call, x), 6)


@decomposes("hardswish")
@in_float32
def hardswish(call: Calls, x: Any) -> Any:
    return call("div.Tensor", call("mul.Tensor", x, _between(call, x)), 6)


def _between(call: Calls, x: Any) -> Any:
    """``x + 3`` between 0 and 6."""
    return call("clamp_max", call("clamp_min", call("add.Tensor", x, 3), 0), 6)


@decomposes("log_sigmoid")
@in_float32
def log_sigmoid(call: Calls, x: Any) -> Any:
    least = call("minimum", full(call, [], 0, x.code), x)
    small = call("exp", call("neg", call("abs", x)))
    return call("sub.Tensor", least, call("log1p", small))


@decomposes("threshold")
def threshold(call: Calls, x: Any, bound: Any, value: Any) -> Any:
    return chosen(call, call("le.Scalar", x, bound), value, x)


@decomposes("prelu")
def prelu(call: Calls, x: Any, weight: Any) -> Any:
    if weight.dim != x.dim:
        sizes = [1] * x.dim
        if x.dim > 1:
            sizes[1] = weight.sizes[0] if weight.dim else 1
        elif x.dim == 1 and weight.dim:
            sizes = [1]
        weight = call("view", weight, sizes)
    return call("where.self", call("gt.Scalar", x, 0), x, call("mul.Tensor", weight, x))


@decomposes("rrelu")
def rrelu(call: Calls, x: Any, lower: Any, upper: Any, training: bool, _: object) -> Any:
    if training:
        return call.plain("rrelu", x, lower, upper, training)
    return call("leaky_relu", x, (lower + upper) / 2)


@decomposes("glu")
@in_float32
def glu(call: Calls, x: Any, dim: int) -> Any:
    half = x.sizes[dim] // 2
    first = call("narrow", x, dim, 0, half)
    second = call("narrow", x, dim, half, half)
    return call("mul.Tensor", first, call("sigmoid", second))


@decomposes("softmax.int")
def softmax(call: Calls, x: Any, dim: int, dtype: int | None) -> Any:
    return call("_softmax", _in_dtype(call, x, dtype), dim, False)


@decomposes("log_softmax.int")
def log_softmax(call: Calls, x: Any, dim: int, dtype: int | None) -> Any:
    return call("_log_softmax", _in_dtype(call, x, dtype), dim, False)


def _in_dtype(call: Calls, x: Any, dtype: int | None) -> Any:
    if dtype is None or dtype == x.code:
        return x
    return call("_to_copy", x, dtype=dtype, layout=STRIDED, device=CPU)


@decomposes("logsumexp")
def logsumexp(call: Calls, x: Any, dims: list[int], keepdim: bool) -> Any:
    largest = call("amax", x, dims, True)
    infinite = call("eq.Scalar", call("abs", largest), math.inf)
    shift = chosen(call, infinite, 0.0, largest)
    kept = shift if keepdim else call("squeeze.dims", shift, dims)
    total = call("sum.dim_IntList", call("exp", call("sub.Tensor", x, shift)), dims, keepdim)
    return call("add.Tensor", call("log", total), kept)


@decomposes("dropout", always=True)
def dropout(call: Calls, x: Any, rate: float, training: bool) -> Any:
    """A copy where nothing is dropped; in training, elements by chance."""
    if not training or rate == 0:
        return call("clone", x)
    found, _ = call("native_dropout", x, rate, True)
    return found


@decomposes("dropout_", always=True)
def dropout_in_place(call: Calls, x: Any, rate: float, training: bool) -> Any:
    if training and rate:
        x.write(call("dropout", x, rate, training))
    return x


@decomposes("feature_dropout", "alpha_dropout", "feature_alpha_dropout", always=True)
def other_dropouts(call: Calls, x: Any, rate: float, training: bool) -> Any:
    if training and rate:
        return _refused("dropout")
    return x


def _refused(name: str) -> Any:
    raise ExportError(
        f"aten::{name} in training has no decomposition here",
        hint="call eval() on the module before it is exported",
        refusal=refusals.OPERATOR,
    )
