"""Normalization over layers and batches."""

from __future__ import annotations

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
    if not call.given("weight"):
        raise Refused("there is no weight", "give the layer its affine parameters")
    given = [call.value(each) for each in ("input", "weight", "bias") if call.given(each)]
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
    shape = call.ints([-1, *[1] * (call.rank("input") - 2)])

    def by_channel(name: str) -> ir.Value:
        return call.op("Reshape", call.value(name), shape)

    epsilon = call.builder.constant(call.constant("eps"), dtype)
    spread = call.op("Sqrt", call.op("Add", by_channel("running_var"), epsilon))
    value = call.op("Div", call.op("Sub", call.value("input"), by_channel("running_mean")), spread)
    if call.given("weight"):
        value = call.op("Mul", value, by_channel("weight"))
    return call.op("Add", value, by_channel("bias")) if call.given("bias") else value


@converts("aten::group_norm")
def group_norm(call: Call) -> ir.Value:
    """Each group of channels as one row, which is normalized."""
    rank, groups = call.rank("input"), int(call.constant("num_groups"))
    value = call.value("input")
    rows = call.op("Reshape", value, call.ints([0, groups, -1]))
    axes = call.ints([-1])
    centred = call.op("Sub", rows, call.op("ReduceMean", rows, axes))
    spread = call.op("ReduceMean", call.op("Mul", centred, centred), axes)
    epsilon = call.builder.constant(call.constant("eps"), call.dtype)
    normal = call.op("Div", centred, call.op("Sqrt", call.op("Add", spread, epsilon)))
    result = call.op("Reshape", normal, call.op("Shape", value))
    shape = call.ints([-1, *[1] * (rank - 2)])
    if call.given("weight"):
        result = call.op("Mul", result, call.op("Reshape", call.value("weight"), shape))
    if call.given("bias"):
        result = call.op("Add", result, call.op("Reshape", call.value("bias"), shape))
    return result
