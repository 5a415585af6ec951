"""Instance normalization: each channel of each element of the batch has its own mean and variance."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Aliasing
from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.normalizing import row_moments, scaled_rows
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.neural_network.batch_normalization import (
    Statistics,
    channel_rows,
    check_running,
    native_batch_norm,
)
from tsc.runtime.operators.neural_network.normalization import (
    parameter_dtype,
    per_channel_affine,
)
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor


@operator(
    "aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
    " Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)"
    " -> Tensor",
    aliasing=Aliasing.WRITES_STATISTICS,
)
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    a = input.array
    if not use_input_stats:
        if running_mean is None or running_var is None:
            message = (
                "Expected running_mean and running_var to be given, as use_input_stats is False"
            )
            raise ScriptError("RuntimeError", message)
        return native_batch_norm(
            input, weight, bias, running_mean, running_var, False, momentum, eps
        )[0]
    _check_instances(a, weight, bias, running_mean, running_var)
    dtype = parameter_dtype(a, weight, bias, running_mean, running_var)
    x = widened(a)
    batch = len(a)
    rows = channel_rows(x)
    means, squares = (narrowed(each, dtype) for each in row_moments(rows))
    statistics = Statistics(means, squares, rows.shape[1])
    _update_by_instances(statistics, batch, running_mean, running_var, momentum)
    factors, shifts = per_channel_affine(
        widened(means),
        widened(statistics.deviation_reciprocal(eps)),
        *(None if each is None else np.tile(widened(each.array), batch) for each in (weight, bias)),
    )
    return Tensor(narrowed(scaled_rows(rows, factors, shifts).reshape(a.shape), a.dtype))


def _check_instances(a: np.ndarray, *parameters: Tensor | None) -> None:
    """PyTorch counts the channels of all instances."""
    weight, bias, running_mean, running_var = parameters
    check_running(running_mean, running_var)
    names = ("running_mean", "running_var", "weight", "bias")
    for name, vector in zip(names, (running_mean, running_var, weight, bias)):
        if vector is not None and vector.array.size != a.shape[1]:
            raise ScriptError(
                "RuntimeError",
                f"{name} should contain {len(a) * a.shape[1]} elements not "
                f"{len(a) * vector.array.size}",
            )
    if CATEGORY[a.dtype] != FLOATING:
        raise not_implemented("batch_norm", a.dtype)


def _update_by_instances(
    statistics: Statistics,
    batch: int,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float,
) -> None:
    """Every instance moves its own copy of the running statistics; their mean is kept."""
    for running, values in (
        (running_mean, statistics.mean),
        (running_var, statistics.variance(1)),
    ):
        if running is not None:
            copies = widened(running.array) * (1 - momentum) + momentum * widened(values).reshape(
                batch, -1
            )
            running.array[...] = narrowed(copies.mean(0), running.array.dtype)
