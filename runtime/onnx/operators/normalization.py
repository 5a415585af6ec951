"""Normalization over layers and batches."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused


@converts("aten::layer_norm")
def layer_norm(call: Call) -> ir.Value:
    """Without a weight, it is one of ones."""
    sizes = call.list("normalized_shape")
    one = call.builder.constant(1, call.dtype)
    shape = call.builder.sizes(sizes)
    weight = call.value("weight") if call.given("weight") else call.op("Expand", one, shape)
    inputs = [call.value("input"), weight]
    if call.given("bias"):
        inputs.append(call.value("bias"))
    epsilon = float(call.constant("eps"))
    return call.op("LayerNormalization", *inputs, axis=-len(sizes), epsilon=epsilon)


@converts("aten::native_layer_norm")
def native_layer_norm(call: Call) -> list[ir.Value]:
    """With the mean and the reciprocal of the deviation."""
    sizes, dtype = call.list("normalized_shape"), call.known("input").dtype.name
    ones = call.op("Expand", call.number(1, dtype), call.builder.sizes(sizes))
    given = [call.value("input"), call.value("weight") if call.given("weight") else ones]
    given += [call.value("bias")] if call.given("bias") else []
    dims, epsilon = len(call.list("normalized_shape")), float(call.constant("eps"))
    kind = "LayerNormalization"
    return list(call.builder.ops(kind, 3, *given, axis=-dims, epsilon=epsilon))


@converts("aten::batch_norm")
def batch_norm(call: Call) -> ir.Value:
    if call.constant("training"):
        raise Refused("this is batch normalization in training", "export after eval()")
    return _by_running_statistics(call, call.dtype)


@converts("aten::_native_batch_norm_legit_no_training")
def native_batch_norm(call: Call) -> list[ir.Value]:
    """The statistics that it gives beside are empty."""
    dtype = call.known("input").dtype.name
    empty = call.builder.constant([], dtype)
    return [_by_running_statistics(call, dtype), empty, empty]


def _by_running_statistics(call: Call, dtype: str) -> ir.Value:
    """One node, which runtimes fold into the convolution before it."""
    channels = call.fixed_size(0, "running_mean")

    def by_channel(name: str, default: float) -> ir.Value:
        if call.given(name):
            return call.value(name)
        return call.number(np.full(channels, default), dtype)

    given = [by_channel("weight", 1), by_channel("bias", 0)]
    statistics = [call.value("running_mean"), call.value("running_var")]
    epsilon = float(call.constant("eps"))
    return call.op("BatchNormalization", call.value("input"), *given, *statistics, epsilon=epsilon)


@converts("aten::group_norm")
def group_norm(call: Call) -> ir.Value:
    """Each group of channels as one row, which is normalized."""
    return _normalized_rows(call, "input", [0, int(call.constant("num_groups")), -1])[0]


@converts("aten::native_group_norm")
def native_group_norm(call: Call) -> list[ir.Value]:
    """With the means and the reciprocals of the deviations."""
    return _normalized_rows(call, "input", [0, int(call.constant("group")), -1])


@converts("aten::instance_norm")
def instance_norm(call: Call) -> ir.Value:
    if not call.constant("use_input_stats"):
        return _by_running_statistics(call, call.dtype)
    if call.given("running_mean"):
        raise Refused("running statistics are written", "export after eval()")
    return _normalized_rows(call, "input", [0, 0, -1])[0]


def _normalized_rows(call: Call, name: str, rows: list[int]) -> list[ir.Value]:
    """Rows less their mean, by their deviation, then scaled by channel; the mean, and what was multiplied by."""
    rank, value = call.rank(name), call.value(name)
    dtype = call.known(name).dtype.name
    row = call.op("Reshape", value, call.ints(rows))
    axes = call.ints([-1])
    mean = call.op("ReduceMean", row, axes)
    centred = call.op("Sub", row, mean)
    spread = call.op("ReduceMean", call.op("Mul", centred, centred), axes)
    added = call.op("Add", spread, call.number(call.constant("eps"), dtype))
    factor = call.op("Reciprocal", call.op("Sqrt", added))
    result = call.op("Reshape", call.op("Mul", centred, factor), call.op("Shape", value))
    shape = call.ints([-1, *[1] * (rank - 2)])
    for kind, parameter in (("Mul", "weight"), ("Add", "bias")):
        if call.given(parameter):
            result = call.op(kind, result, call.op("Reshape", call.value(parameter), shape))
    return [result, *(call.op("Squeeze", each, axes) for each in (mean, factor))]


@converts("aten::_native_batch_norm_legit", "aten::_native_batch_norm_legit.no_stats")
def batch_norm_of_batch(call: Call) -> list[ir.Value]:
    """By the statistics of the batch; none are written."""
    if "training" not in call.arguments or not call.constant("training"):
        raise Refused("this is batch normalization by running statistics", "export after eval()")
    if call.given("running_mean"):
        raise Refused("running statistics are written", "export after eval()")
    return _by_batch(call)[0]


@converts("aten::_native_batch_norm_legit_functional")
def batch_norm_with_statistics(call: Call) -> list[ir.Value]:
    """With the running statistics that it leaves: a share of the batch's takes the place of as much of the old ones."""
    if not call.constant("training"):
        dtype = call.known("input").dtype.name
        empty, kept = call.number([], dtype), ("running_mean", "running_var")
        return [_by_running_statistics(call, dtype), empty, empty, *map(call.value, kept)]
    results, mean, spread = _by_batch(call)
    shape = call.op("Shape", call.value("input"))
    axes = call.ints([0, *range(2, call.rank("input"))])
    count = call.op("ReduceProd", call.op("Gather", shape, axes), keepdims=0)
    dtype = call.known("running_var").dtype.name
    ratio = call.op("Div", *(call.builder.cast(e, dtype) for e in (count, _less_one(call, count))))
    spread = call.op("Mul", call.builder.cast(spread, dtype), ratio)
    mean = call.builder.cast(mean, dtype)
    left = [_moved(call, "running_mean", mean, dtype), _moved(call, "running_var", spread, dtype)]
    return [*results, *left]


def _less_one(call: Call, count: ir.Value) -> ir.Value:
    return call.op("Sub", count, call.ints(1))


def _moved(call: Call, name: str, found: ir.Value, dtype: str) -> ir.Value:
    share = call.value("momentum", dtype)
    kept = call.op("Sub", call.number(1, dtype), share)
    return call.op("Add", call.op("Mul", kept, call.value(name)), call.op("Mul", share, found))


def _by_batch(call: Call) -> tuple[list[ir.Value], ir.Value, ir.Value]:
    """The result, the mean and the reciprocal of the deviation of each channel; the mean again, and the variance."""
    rank, value = call.rank("input"), call.value("input")
    axes = call.ints([0, *range(2, rank)])
    dtype = call.known("input").dtype.name
    mean = call.op("ReduceMean", value, axes)
    centred = call.op("Sub", value, mean)
    spread = call.op("ReduceMean", call.op("Mul", centred, centred), axes)
    added = call.op("Add", spread, call.number(call.constant("eps"), dtype))
    factor = call.op("Reciprocal", call.op("Sqrt", added))
    result = call.op("Mul", centred, factor)
    shape = call.ints([-1, *[1] * (rank - 2)])
    for kind, name in (("Mul", "weight"), ("Add", "bias")):
        if call.given(name):
            result = call.op(kind, result, call.op("Reshape", call.value(name), shape))
    mean, factor, spread = (call.op("Reshape", e, call.ints([-1])) for e in (mean, factor, spread))
    return [result, mean, factor], mean, spread
