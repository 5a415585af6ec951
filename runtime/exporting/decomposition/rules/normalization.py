"""Normalizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsc.runtime.exporting.decomposition.calls import Calls, dtype_of
from tsc.runtime.exporting.decomposition.rules.forms import FLOAT32, HALVES, product
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("layer_norm")
def layer_norm(
    call: Calls, x: Any, sizes: list[Any], weight: Any, bias: Any, eps: float, _: object
) -> Any:
    return call("native_layer_norm", x, sizes, weight, bias, eps)[0]


@decomposes("group_norm")
def group_norm(
    call: Calls, x: Any, groups: int, weight: Any, bias: Any, eps: float, _: object
) -> Any:
    batch, channels, *inner = x.sizes
    x = call("contiguous", x, 0)
    given = (batch, channels, product(inner), groups, eps)
    return call("native_group_norm", x, weight, bias, *given)[0]


@decomposes("batch_norm", always=True)
def batch_norm(
    call: Calls,
    x: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    var: Any,
    training: bool,
    momentum: float,
    eps: float,
    _: object = False,
) -> Any:
    """In training, what the running statistics are afterwards is two results more."""
    if not training:
        name = "_native_batch_norm_legit_no_training"
        return call(name, x, weight, bias, mean, var, momentum, eps)[0]
    if mean is None or var is None:
        name = "_native_batch_norm_legit.no_stats"
        return call(name, x, weight, bias, True, momentum, eps)[0]
    name = "_native_batch_norm_legit_functional"
    found, _, _, new_mean, new_var = call(name, x, weight, bias, mean, var, True, momentum, eps)
    mean.write(new_mean)
    var.write(new_var)
    return found


@decomposes("instance_norm")
def instance_norm(
    call: Calls,
    x: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    var: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    _: object,
) -> Any:
    """A batch norm in which each example has channels of its own."""
    batch, channels, *inner = x.sizes

    def repeated(each: Any) -> Any:
        return None if each is None else call("repeat", each, [batch])

    own = [repeated(each) for each in (weight, bias, mean, var)]
    whole = call("view", call("contiguous", x, 0), [1, batch * channels, *inner])
    found = call("batch_norm", whole, *own, use_input_stats, momentum, eps, False)
    for statistic, after in ((mean, own[2]), (var, own[3])):
        if statistic is not None and use_input_stats:
            rows = call("view", after, [batch, channels])
            call("copy_", statistic, call("mean.dim", rows, [0]))
    return call("view", found, x.sizes)


@decomposes("rms_norm")
def rms_norm(call: Calls, x: Any, sizes: list[Any], weight: Any, eps: float | None) -> Any:
    code, half = x.code, x.code in HALVES
    least = float(np.finfo(dtype_of(FLOAT32 if half else code)).eps) if eps is None else eps
    wide = call("_to_copy", x, dtype=FLOAT32) if half else x
    dims = list(range(x.dim - len(sizes), x.dim))
    squares = call("mean.dim", call("pow.Tensor_Scalar", wide, 2), dims, True)
    found = call("mul.Tensor", wide, call("rsqrt", call("add.Scalar", squares, least)))
    if weight is not None:
        found = call("mul.Tensor", found, weight)
    return call("_to_copy", found, dtype=code) if half else found
